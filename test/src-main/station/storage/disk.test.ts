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
import {
  classifySpace,
  formatBytes,
  hasSpaceFor,
  mayMakeBallast,
  openDiskMonitor,
  openStorageMonitor,
  type Space,
} from '../../../../src-main/station/storage/disk.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import type { StationStatus } from '../../../../src-shared/station-status.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { openTestOutbox } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

const MEBIBYTE = 1_024 * 1_024
const sqlite = (code: string): Error => new Database.SqliteError('x', code)

describe('the space of a volume', () => {
  it.each([
    // Before, free, low water, then.
    ['enough', 1_000, 1_000, 'enough'],
    ['enough', 999, 1_000, 'low'],
    ['low', 1_000, 1_000, 'low'],
    ['low', 1_099, 1_000, 'low'],
    ['low', 1_101, 1_000, 'enough'],
    ['enough', 0, 1_000, 'low'],
    ['enough', 0, 0, 'enough'],
    ['low', 0, 0, 'enough'],
    ['enough', null, 1_000, 'enough'],
    ['low', null, 1_000, 'enough'],
  ] as const)('that was %s, with %s free and a mark at %s, is %s', (before, free, mark, expected) => {
    expect(classifySpace(before, free, mark)).toBe(expected)
  })

  it('takes a file if its copies leave the mark, and a ballast only from what is above it', () => {
    const file = [
      hasSpaceFor(100, 1_200, 1_000),
      hasSpaceFor(101, 1_200, 1_000),
      hasSpaceFor(10 ** 12, null, 1_000),
      hasSpaceFor(0, 1_000, 1_000),
    ]
    expect(file).toEqual([true, false, true, true])
    const ballast = [
      mayMakeBallast(100, 1_200, 1_000, 0),
      mayMakeBallast(101, 1_200, 1_000, 0),
      // Of another size before: what it holds it gives back.
      mayMakeBallast(200, 1_200, 1_000, 100),
      mayMakeBallast(10, null, 1_000, 0),
    ]
    expect(ballast).toEqual([true, false, true, false])
  })

  it('is asked of the system, and is shown to people', async () => {
    expect(await askFreeBytes(temporaryFolder())).toBeGreaterThan(0)
    expect(await askFreeBytes('/nowhere/at/all')).toBeNull()
    const sizes = [0, 999, 1_536, 812 * MEBIBYTE, 1_024 * MEBIBYTE, 15 * 1_024 * MEBIBYTE]
    const shown = ['0 bytes', '999 bytes', '1.5 KB', '812 MB', '1.0 GB', '15 GB']
    expect(sizes.map((bytes) => formatBytes(bytes))).toEqual(shown)
  })
})

async function watched(free: number | null) {
  const clock = new ManualClock()
  const notified: Space[] = []
  const made = { clock, notified, free, mark: 1_024 * MEBIBYTE, asked: 0 }
  const watch = openDiskMonitor({
    clock,
    logger: createRecordingLogger(),
    settings: () => ({ ...settingsSchema.parse({}).storage, lowWaterBytes: made.mark }),
    askFree: () => {
      made.asked += 1
      return Promise.resolve(made.free)
    },
    onChanged: (space) => void notified.push(space),
  })
  onTestFinished(() => watch.close())
  await clock.settle()
  return Object.assign(made, { watch })
}

describe('the watch over the disk', () => {
  it('says with the free space what waits and what to do, and stops saying it on its own', async () => {
    const made = await watched(812 * MEBIBYTE)
    expect(made.watch.failure()).toMatchObject({
      kind: 'diskLow',
      message: expect.stringContaining('Only 812 MB are free') as string,
      wording: { key: 'outbox:disk.low', values: { free: '812 MB', reserve: '1.0 GB' } },
    })
    made.free = 1_050 * MEBIBYTE
    await made.clock.turn(30_000)
    expect(made.watch.failure()?.message).toContain('Only 1.0 GB')
    // A mark that was changed counts at once.
    made.mark = 100 * MEBIBYTE
    made.watch.check()
    await made.clock.settle()
    expect([made.watch.failure(), made.notified]).toEqual([null, ['low', 'enough']])
  })

  it('asks every half minute, and before a large file', async () => {
    const made = await watched(2_000 * MEBIBYTE)
    expect(made.asked).toBe(1)
    expect(await made.watch.mayIngest(MEBIBYTE)).toBe(true)
    expect(made.asked).toBe(1)
    made.free = 1_100 * MEBIBYTE
    expect(await made.watch.mayIngest(50 * MEBIBYTE)).toBe(false)
    expect(await made.watch.mayIngest(30 * MEBIBYTE)).toBe(true)
    expect(made.notified).toEqual([])
    made.free = 900 * MEBIBYTE
    expect(await made.watch.mayIngest(30 * MEBIBYTE)).toBe(false)
    expect(made.notified).toEqual(['low'])
    expect(await made.watch.mayIngest(1)).toBe(false)
    await made.clock.turn(60_000)
    expect(made.asked).toBe(6)
  })

  it('counts what it grants between two looks, so that many small files stay above the mark, too', async () => {
    const made = await watched(1_124 * MEBIBYTE)
    const granted = async (files: number): Promise<number> => {
      let count = 0
      for (let file = 0; file < files; file += 1) if (await made.watch.mayIngest(8 * MEBIBYTE)) count += 1
      return count
    }
    // Nothing of it is on the disk yet, and the disk is not asked for each.
    expect([await granted(6), made.asked]).toEqual([6, 1])
    // At the mark the disk is asked: only one copy was made of each, and there is space for another.
    made.free = 1_076 * MEBIBYTE
    expect([await granted(1), made.asked]).toEqual([1, 2])
    // A copy that is being made while the disk is asked is not forgotten.
    made.free = 1_060 * MEBIBYTE
    const both = await Promise.all([made.watch.mayIngest(16 * MEBIBYTE), made.watch.mayIngest(8 * MEBIBYTE)])
    expect(both.filter(Boolean)).toHaveLength(1)
  })

  it('has no trouble with a volume that does not say, or does not answer', async () => {
    const made = await watched(null)
    expect([made.watch.failure(), await made.watch.mayIngest(10 ** 12)]).toEqual([null, true])
    const clock = new ManualClock()
    const silent = openDiskMonitor({
      clock,
      logger: createRecordingLogger(),
      settings: () => settingsSchema.parse({}).storage,
      askFree: () => new Promise(() => undefined),
      onChanged: () => undefined,
    })
    const large = silent.mayIngest(100 * MEBIBYTE)
    await clock.turn(5_000)
    expect(await large).toBe(true)
    await silent.close()
  })
})

async function setUp() {
  const test = openTestOutbox()
  const clock = new ManualClock()
  const logger = createRecordingLogger()
  const notified: string[] = []
  const made = { clock, logger, notified, free: 4_096 * MEBIBYTE, ballastBytes: 2 * MEBIBYTE }
  const storage = openStorageMonitor({
    dataFolder: test.folder,
    clock,
    logger,
    askFree: () => Promise.resolve(made.free),
  })
  storage.onChange(() => void notified.push('changed'))
  storage.onBroken(() => void notified.push('broken'))
  storage.onSpaceAgain(() => void notified.push('space'))
  storage.watch({
    outbox: test.outbox,
    spoolFolder: join(test.folder, 'spool'),
    settings: () => ({ ...settingsSchema.parse({}).storage, ballastBytes: made.ballastBytes }),
    mayRemove: () => true,
  })
  onTestFinished(() => storage.close())
  await clock.settle()
  const hasBallast = (): boolean => existsSync(join(test.folder, 'ballast'))
  /** What goes on: writing, cases, and work at all until the next start. */
  const goingOn = async () => [storage.mayWrite(), await storage.mayIngest(1), storage.isHealthy()]
  return Object.assign(made, { storage, hasBallast, goingOn })
}

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
    expect(made.storage.failure(null)?.message).toContain('Only 500 MB are free')
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
