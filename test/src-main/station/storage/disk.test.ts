import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CallHandlers } from '../../../../src-main/station/api.ts'
import { answerCall } from '../../../../src-main/station/calls/calls.ts'
import { askFreeBytes } from '../../../../src-main/station/lib/files.ts'
import {
  startErrorOf,
  storageFailureOf,
  StorageStopped,
} from '../../../../src-main/station/lib/storage-faults.ts'
import { cachedStatus } from '../../../../src-main/station/status.ts'
import { openStorageMonitor } from '../../../../src-main/station/storage/disk.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import type { StationStatus } from '../../../../src-shared/station-status.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { openTestOutbox } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

const MEBIBYTE = 1_024 * 1_024
const sqlite = (code: string): Error => new Database.SqliteError('x', code)

async function setUp(changes: { readonly free?: number | null; readonly mark?: number } = {}) {
  const test = openTestOutbox()
  const clock = new ManualClock()
  const logger = createRecordingLogger()
  const notified: string[] = []
  const made = {
    clock,
    logger,
    notified,
    free: (4_096 * MEBIBYTE) as number | null | 'silent',
    mark: 1_024 * MEBIBYTE,
    ballastBytes: 2 * MEBIBYTE,
    ...changes,
  }
  const storage = openStorageMonitor({
    dataFolder: test.folder,
    clock,
    logger,
    askFree: () => (made.free === 'silent' ? new Promise(() => undefined) : Promise.resolve(made.free)),
  })
  storage.onChange(() => void notified.push('changed'))
  storage.onBroken(() => void notified.push('broken'))
  storage.onSpaceAgain(() => void notified.push('space'))
  storage.watch({
    outbox: test.outbox,
    hasItsFiles: () => true,
    spoolFolder: join(test.folder, 'spool'),
    thumbnailOf: () => join(test.folder, 'none'),
    settings: () => ({
      ...settingsSchema.parse({}).storage,
      lowWaterBytes: made.mark,
      ballastBytes: made.ballastBytes,
    }),
    mayRemove: () => true,
  })
  onTestFinished(() => storage.close())
  await clock.settle()
  const hasBallast = (): boolean => existsSync(join(test.folder, 'ballast'))
  /** What goes on: writing, cases, and work at all until the next start. */
  const goingOn = async () => [storage.mayWrite(), await storage.mayIngest(1), storage.isHealthy()]
  /** At the next look at the disk. */
  const withFree = async (free: number | null): Promise<string> => {
    made.free = free
    await clock.turn(30_000)
    return storage.failure(null) === null ? 'enough' : 'low'
  }
  return Object.assign(made, { storage, hasBallast, goingOn, withFree })
}

describe('the space of a volume', () => {
  it('is low below the mark, and enough again only well above it, or if nothing is known of it', async () => {
    const { withFree } = await setUp({ mark: 1_000, free: 1_000 })
    const seen: string[] = []
    for (const free of [1_000, 999, 1_000, 1_099, 1_101, 1_000, 0, null, 0]) seen.push(await withFree(free))
    const expected = ['enough', 'low', 'low', 'low', 'enough', 'enough', 'low', 'enough', 'low']
    expect(seen).toEqual(expected)
    const unlimited = await setUp({ mark: 0, free: 0 })
    expect(await unlimited.withFree(0)).toBe('enough')
  })

  it('is asked before each file, which is taken if its copies leave the mark', async () => {
    const made = await setUp({ mark: 1_000, free: 1_200 })
    expect([await made.storage.mayIngest(100), await made.storage.mayIngest(101)]).toEqual([true, false])
    made.free = 1_000
    expect([await made.storage.mayIngest(0), await made.storage.mayIngest(1)]).toEqual([true, false])
    expect(made.storage.failure(null)).toBeNull()
    made.free = 999
    expect(await made.storage.mayIngest(0)).toBe(false)
    expect([made.storage.failure(null)?.kind, made.notified]).toEqual(['diskLow', ['changed']])
    made.free = null
    expect(await made.storage.mayIngest(10 ** 12)).toBe(true)
  })

  it('is given to a ballast only from what is above the mark, and one of another size gives back what it holds', async () => {
    const made = await setUp({ mark: 1_000, free: 1_199 })
    made.ballastBytes = 100
    const isThere = async (free: number | null): Promise<boolean> => {
      await made.withFree(free)
      return made.hasBallast()
    }
    expect([await isThere(null), await isThere(1_199), await isThere(1_200)]).toEqual([false, false, true])
    made.ballastBytes = 200
    await made.withFree(1_200)
    made.ballastBytes = 0
    expect(await isThere(500)).toBe(false)
  })

  it('is asked of the system', async () => {
    expect(await askFreeBytes(temporaryFolder())).toBeGreaterThan(0)
    expect(await askFreeBytes('/nowhere/at/all')).toBeNull()
  })

  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1_536, '1.5 KB'],
    [812 * MEBIBYTE, '812 MB'],
    [1_024 * MEBIBYTE, '1.0 GB'],
    [15 * 1_024 * MEBIBYTE, '15 GB'],
  ])('of %i bytes is shown with what is kept in reserve, and what waits', async (free, text) => {
    const made = await setUp({ mark: 20 * 1_024 * MEBIBYTE, free })
    expect(made.storage.failure(null)).toMatchObject({
      kind: 'diskLow',
      message: expect.stringContaining(`Only ${text} free`) as string,
      wording: { key: 'outbox:disk.low', values: { free: text, reserve: '20 GB' } },
    })
    // A mark that was changed counts at once.
    made.mark = 0
    made.storage.check()
    await made.clock.settle()
    expect([made.storage.failure(null), made.notified]).toEqual([null, ['changed', 'changed', 'space']])
  })

  it('is no trouble on a volume that does not answer: only the first one waits', async () => {
    const made = await setUp()
    made.free = 'silent'
    const first = made.storage.mayIngest(100 * MEBIBYTE)
    await made.clock.turn(5_000)
    expect([await first, await made.storage.mayIngest(1)]).toEqual([true, true])
  })
})

describe('the storage of a station', () => {
  it('is no trouble if there is space, and keeps its ballast as the setting says', async () => {
    const made = await setUp()
    expect([made.storage.failure(null), made.hasBallast()]).toEqual([null, true])
    expect(await made.goingOn()).toEqual([true, true, true])
    made.ballastBytes = 0
    made.storage.check()
    await made.clock.settle()
    expect(made.hasBallast()).toBe(false)
  })

  it('that is low takes nothing in and goes on sending, and makes no ballast again until there is space', async () => {
    const made = await setUp()
    made.free = 500 * MEBIBYTE
    expect([made.storage.hooks.giveUpSpace(), made.storage.hooks.giveUpSpace()]).toEqual([true, false])
    await made.clock.turn(60_000)
    expect(made.storage.failure(null)?.message).toContain('Only 500 MB free')
    expect([await made.goingOn(), made.hasBallast()]).toEqual([[true, false, true], false])
    made.free = 4_096 * MEBIBYTE
    await made.clock.turn(30_000)
    expect([made.storage.failure(null), made.notified.at(-1), made.hasBallast()]).toEqual([
      null,
      'space',
      true,
    ])
    expect(await made.goingOn()).toEqual([true, true, true])
  })

  it('that is full sends nothing and takes nothing in, and tries on its own whether it can be written again', async () => {
    const made = await setUp()
    const others = failureOf('storage', { message: 'A file could not be kept.' })
    expect(made.storage.failure(others)).toBe(others)
    made.storage.hooks.onState('full')
    expect(made.storage.failure(others)).toMatchObject({
      kind: 'diskLow',
      wording: { key: 'outbox:disk.full' },
    })
    expect(await made.goingOn()).toEqual([false, false, true])
    made.storage.hooks.onState('well')
    await made.clock.settle()
    expect([made.storage.failure(null), made.notified.at(-1)]).toEqual([null, 'space'])
  })

  it('that has failed says to check the disk and restart, ends the sending once, and says so in the log', async () => {
    const made = await setUp()
    made.storage.hooks.onState('broken')
    expect(made.notified).toEqual([])
    await made.clock.settle()
    expect(made.notified).toEqual(['changed', 'broken'])
    expect(made.storage.failure(null)).toMatchObject({
      kind: 'storage',
      wording: { key: 'failure:storage.message' },
    })
    expect(await made.goingOn()).toEqual([false, false, false])
    expect(made.logger.errors()).toEqual([
      'the outbox cannot be relied on; nothing is written any more until the next start',
    ])
  })
})

describe('an error of the storage', () => {
  it.each([
    [new StorageStopped(), 'storage'],
    [sqlite('SQLITE_IOERR_WRITE'), 'storage'],
    [sqlite('SQLITE_FULL'), 'diskLow'],
    [Object.assign(new Error('x'), { code: 'ENOSPC' }), 'diskLow'],
    [sqlite('SQLITE_CONSTRAINT'), null],
    [new Error('a defect'), null],
  ] as const)('%s is the failure %s', (error, kind) => {
    expect(storageFailureOf(error)?.kind ?? null).toBe(kind)
  })

  it('is answered to anyone who asked, with what to do', async () => {
    const handlers = {
      'station.pause': () => {
        throw sqlite('SQLITE_FULL')
      },
    } as unknown as CallHandlers
    const failure = { kind: 'diskLow', wording: { key: 'outbox:disk.notDone' } }
    const answer = await answerCall(handlers, createRecordingLogger(), 'station.pause', {})
    expect(answer).toMatchObject({ ok: false, failure })
  })

  it('at a start is a sentence, and a defect stays one', () => {
    for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_READ'])
      expect(startErrorOf(sqlite(code))).toMatchObject({ name: 'StorageError' })
    const defect = new Error('a defect')
    expect(startErrorOf(defect)).toBe(defect)
  })

  it('while the status is read leaves what was last known, with the trouble', () => {
    let trouble: Error | null = null
    const known = { reportsUnread: 3, storage: null, now: 1 } as unknown as StationStatus
    const read = (): StationStatus => {
      if (trouble) throw trouble
      return known
    }
    const storage = { failure: () => failureOf('storage') }
    const status = cachedStatus(read, storage, () => 2)
    expect(status()).toBe(known)
    trouble = sqlite('SQLITE_CORRUPT')
    for (let count = 0; count < 2; count += 1)
      expect(status()).toEqual({ reportsUnread: 3, storage: failureOf('storage'), now: 2 })
    trouble = new Error('a defect')
    expect(status).toThrow('a defect')
  })
})
