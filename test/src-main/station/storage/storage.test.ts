import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CallHandlers } from '../../../../src-main/station/api.ts'
import { answerCall } from '../../../../src-main/station/calls/calls.ts'
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

const MEBIBYTE = 1_024 * 1_024
const sqlite = (code: string): Error => new Database.SqliteError('x', code)

async function setUp() {
  const test = openTestOutbox()
  const clock = new ManualClock()
  const logger = createRecordingLogger()
  const notified: string[] = []
  const made = {
    clock,
    logger,
    notified,
    ballast: join(test.folder, 'ballast'),
    free: 4_096 * MEBIBYTE,
    ballastBytes: 2 * MEBIBYTE,
  }
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
  return Object.assign(made, { storage })
}

describe('the storage of a station', () => {
  it('is no trouble where there is space, and keeps its ballast as the setting says', async () => {
    const made = await setUp()
    expect([made.storage.failure(null), made.storage.mayWrite(), existsSync(made.ballast)]).toEqual([
      null,
      true,
      true,
    ])
    made.ballastBytes = 0
    made.storage.check()
    await made.clock.settle()
    expect(existsSync(made.ballast)).toBe(false)
  })

  it('that is low takes nothing in and goes on sending, and shows when there is space', async () => {
    const made = await setUp()
    made.free = 500 * MEBIBYTE
    await made.clock.turn(30_000)
    expect(made.storage.failure(null)).toMatchObject({
      kind: 'diskLow',
      message: expect.stringContaining('Only 500 MB are free') as string,
    })
    expect([await made.storage.mayIngest(1), made.storage.mayWrite()]).toEqual([false, true])
    made.free = 4_096 * MEBIBYTE
    await made.clock.turn(30_000)
    expect([await made.storage.mayIngest(1), made.storage.failure(null), made.notified.at(-1)]).toEqual([
      true,
      null,
      'space',
    ])
  })

  it('gives its ballast up and makes it again only when there is space', async () => {
    const made = await setUp()
    made.free = 500 * MEBIBYTE
    expect([made.storage.hooks.giveUpSpace(), made.storage.hooks.giveUpSpace()]).toEqual([true, false])
    await made.clock.turn(60_000)
    expect(existsSync(made.ballast)).toBe(false)
    made.free = 4_096 * MEBIBYTE
    await made.clock.turn(30_000)
    expect(existsSync(made.ballast)).toBe(true)
  })

  it('that is full sends nothing and takes nothing in, and tries on its own whether it can be written again', async () => {
    const made = await setUp()
    made.storage.hooks.onState('full')
    expect(made.storage.failure(null)).toMatchObject({
      kind: 'diskLow',
      wording: { key: 'outbox:disk.full' },
    })
    expect([made.storage.mayWrite(), made.storage.isHealthy(), await made.storage.mayIngest(1)]).toEqual([
      false,
      true,
      false,
    ])
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
    expect([made.storage.mayWrite(), made.storage.isHealthy(), await made.storage.mayIngest(1)]).toEqual([
      false,
      false,
      false,
    ])
    expect(made.logger.errors()).toEqual([
      'the outbox cannot be relied on; nothing is written any more until the next start',
    ])
  })

  it('shows the trouble of another part where there is none of its own', async () => {
    const made = await setUp()
    const others = failureOf('storage', { message: 'A file could not be kept.' })
    expect(made.storage.failure(others)).toBe(others)
    made.storage.hooks.onState('full')
    expect(made.storage.failure(others)?.kind).toBe('diskLow')
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
