import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { finishCopy } from '../../../../../src-main/station/outbox/migrations/migrate.ts'
import {
  backupNameAt,
  backupsIn,
  inspectBackup,
  newestFirst,
  surplusBackups,
  type BackupOptions,
  openBackups,
} from '../../../../../src-main/station/outbox/recovery/backups.ts'
import { openOutbox, type OpenOutbox } from '../../../../../src-main/station/outbox/open-outbox.ts'
import { HOUR, MINUTE } from '../../../../../src-shared/durations.ts'
import type { Failure } from '../../../../../src-shared/failure.ts'
import { createRecordingLogger } from '../../../../tools/recording-logger.ts'
import { ManualClock } from '../../../../tools/manual-clock.ts'
import { newSubmission } from '../../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../../tools/temporary-folder.ts'

const MIDDAY = new Date(2026, 10, 20, 12).getTime()

function setUpWith(options: Partial<BackupOptions> = {}) {
  const dataFolder = temporaryFolder()
  const folder = join(dataFolder, 'backups')
  const opened = openOutbox(dataFolder)
  const clock = new ManualClock({ now: MIDDAY })
  const logger = createRecordingLogger()
  const notified: (Failure | null)[] = []
  const backups = openBackups({
    folder,
    clock,
    logger,
    copyTo: opened.copyTo,
    finishCopy: (path, at) => Promise.resolve(finishCopy(path, at)),
    sizeBytes: () => 1,
    reserveBytes: () => 0,
    erasedUntil: () => 0,
    ...options,
  })
  backups.onChange(() => void notified.push(backups.trouble()))
  onTestFinished(async () => {
    await backups.close()
    opened.close()
  })
  const names = (): string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])
  return { opened, backups, clock, folder, notified, logged: () => logger.errors(), names }
}

function addMany({ outbox }: OpenOutbox): void {
  outbox.write(() => {
    for (let count = 0; count < 3_000; count += 1) outbox.createSubmission(newSubmission())
  })
}

/** Puts a backup of another day there, which is one by its name only. */
function applyBackup(setUp: ReturnType<typeof setUpWith>, name: string): void {
  mkdirSync(setUp.folder, { recursive: true })
  writeFileSync(join(setUp.folder, name), name)
}

describe('a backup', () => {
  it('has every case, is marked as a backup of its instant, is one file, and opens on its own', async () => {
    const setUp = setUpWith()
    const id = setUp.opened.outbox.createSubmission(newSubmission())
    expect(await setUp.backups.backUpNow()).toEqual({
      ok: true,
      value: join(setUp.folder, 'outbox-2026-11-20.sqlite'),
    })
    expect(setUp.names()).toEqual(['outbox-2026-11-20.sqlite'])
    const copy = new Database(join(setUp.folder, 'outbox-2026-11-20.sqlite'), { readonly: true })
    expect(copy.prepare('SELECT id FROM submissions').pluck().all()).toEqual([id])
    expect(copy.prepare("SELECT value FROM facts WHERE name = 'backupOf'").pluck().get()).toBe(
      new Date(MIDDAY).toISOString(),
    )
    expect(copy.pragma('journal_mode', { simple: true })).toBe('delete')
    copy.close()
    expect(setUp.opened.outbox.readFact('backupOf')).not.toBe(new Date(MIDDAY).toISOString())
    expect(statSync(join(setUp.folder, 'outbox-2026-11-20.sqlite')).mode & 0o077).toBe(0)
    expect(statSync(setUp.folder).mode & 0o077).toBe(0)
  })

  it('is whole also where cases come while it is made, and lets them come', async () => {
    const setUp = setUpWith()
    addMany(setUp.opened)
    let wasWritten = 0
    const writing = setInterval(() => {
      setUp.opened.outbox.createSubmission(newSubmission())
      wasWritten += 1
    }, 0)
    const made = await setUp.backups.backUpNow()
    clearInterval(writing)
    expect(wasWritten).toBeGreaterThan(1)
    expect(made.ok).toBe(true)
    const copy = new Database(made.ok ? made.value : '', { readonly: true })
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(copy.prepare('SELECT count(*) FROM submissions').pluck().get()).toBeGreaterThanOrEqual(3_000)
    expect(copy.prepare('SELECT sum(count) FROM submission_counts').pluck().get()).toBe(
      copy.prepare('SELECT count(*) FROM submissions').pluck().get(),
    )
    copy.close()
  })

  it('that fails its check is removed and notified, keeps the good one of today, and is tried again', async () => {
    let isDamaged = false
    const setUp = setUpWith({
      finishCopy: (path, at) => {
        if (isDamaged) writeFileSync(path, 'torn', { flag: 'r+' })
        return Promise.resolve().then(() => finishCopy(path, at))
      },
    })
    expect((await setUp.backups.backUpNow()).ok).toBe(true)
    const good = statSync(join(setUp.folder, 'outbox-2026-11-20.sqlite'))
    isDamaged = true
    const failed = await setUp.backups.backUpNow()
    expect(failed).toMatchObject({ ok: false, failure: { kind: 'storage' } })
    expect(setUp.names()).toEqual(['outbox-2026-11-20.sqlite'])
    expect(statSync(join(setUp.folder, 'outbox-2026-11-20.sqlite')).ino).toBe(good.ino)
    expect(setUp.notified).toEqual([failed.ok ? null : failed.failure])
    expect(setUp.logged()).toEqual(['the outbox could not be backed up'])
    isDamaged = false
    expect((await setUp.backups.backUpNow()).ok).toBe(true)
    expect(setUp.notified.at(-1)).toBeNull()
  })

  it.each([
    ['SQLite', Object.assign(new Database.SqliteError('full', 'SQLITE_FULL')), 'diskLow'],
    ['the system', Object.assign(new Error('full'), { code: 'ENOSPC' }), 'diskLow'],
    ['a disk that fails', new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE'), 'storage'],
  ])('that is stopped by %s leaves nothing of itself', async (_what, error, kind) => {
    const setUp = setUpWith({
      copyTo: (path) => {
        writeFileSync(path, 'part')
        writeFileSync(`${path}-journal`, 'part')
        return Promise.reject(error)
      },
    })
    applyBackup(setUp, 'outbox-2026-11-19.sqlite')
    expect(await setUp.backups.backUpNow()).toMatchObject({ ok: false, failure: { kind } })
    expect(setUp.names()).toEqual(['outbox-2026-11-19.sqlite'])
  })

  it('is not begun if it would take the space that must stay free', async () => {
    const setUp = setUpWith({
      reserveBytes: () => Number.MAX_SAFE_INTEGER,
      copyTo: () => Promise.reject(new Error('begun')),
    })
    expect(await setUp.backups.backUpNow()).toMatchObject({
      ok: false,
      failure: { kind: 'diskLow', message: expect.stringContaining('No space') as string },
    })
  })

  it('is ended by the end of the station, and leaves nothing of itself', async () => {
    const { promise: isCopied, resolve: copied } = Promise.withResolvers<void>()
    const setUp = setUpWith({
      finishCopy: (_path, _at, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
          copied()
        }),
    })
    const made = setUp.backups.backUpNow()
    await isCopied
    expect(setUp.names()).toEqual(['outbox.sqlite.new'])
    await setUp.backups.close()
    expect((await made).ok).toBe(false)
    expect(setUp.names()).toEqual([])
    expect(setUp.notified).toEqual([])
  })

  it('is ended in the middle of copying, too', async () => {
    const setUp = setUpWith()
    addMany(setUp.opened)
    const ended = new AbortController()
    const copying = setUp.opened.copyTo(join(temporaryFolder(), 'copy'), ended.signal)
    ended.abort(new Error('the station stops'))
    await expect(copying).rejects.toThrow('the station stops')
    setUp.opened.outbox.createSubmission(newSubmission())
  })
})

describe('the backup of every day', () => {
  it('is made soon after opening, once a day, and seven are kept', async () => {
    const setUp = setUpWith()
    await setUp.clock.turn(30_000)
    expect(setUp.names()).toEqual([])
    await setUp.clock.turn(MINUTE)
    expect(setUp.names()).toEqual(['outbox-2026-11-20.sqlite'])
    const first = statSync(join(setUp.folder, 'outbox-2026-11-20.sqlite')).ino
    await setUp.clock.turn(6 * HOUR)
    expect(statSync(join(setUp.folder, 'outbox-2026-11-20.sqlite')).ino).toBe(first)
    await setUp.clock.turn(8 * 24 * HOUR)
    expect(setUp.names()).toEqual([22, 23, 24, 25, 26, 27, 28].map((day) => `outbox-2026-11-${day}.sqlite`))
  }, 60_000)
})

describe('the files of backups', () => {
  it('are called after the day on this computer', () => {
    expect(backupNameAt(new Date(2026, 0, 5, 0, 1).getTime())).toBe('outbox-2026-01-05.sqlite')
    expect(backupNameAt(new Date(2026, 11, 31, 23, 59).getTime())).toBe('outbox-2026-12-31.sqlite')
  })

  it('are known by their names; no other file is one', async () => {
    const names = ['outbox-2026-01-05.sqlite', 'outbox.sqlite.new', 'mine.sqlite', 'outbox-2026-11-20.sqlite']
    const folder = temporaryFolder()
    for (const name of names) writeFileSync(join(folder, name), '')
    expect((await backupsIn(folder)).toSorted()).toEqual(
      [names[0], names[3]].map((name) => join(folder, name ?? '')),
    )
    expect(await backupsIn(join(folder, 'nothing'))).toEqual([])
  })

  it('are newer than others by what is inside, and by their names if that is the same', () => {
    const backups = [
      { path: '/b/outbox-2026-11-19.sqlite', knows: 4 },
      { path: '/b/outbox-2031-01-01.sqlite', knows: 3 },
      { path: '/b/outbox-2026-11-20.sqlite', knows: 4 },
      { path: '/b/outbox-2026-11-21.sqlite', knows: -1 },
    ]
    expect(newestFirst(backups).map(({ path }) => path.slice(10, 20))).toEqual([
      '2026-11-20',
      '2026-11-19',
      '2031-01-01',
      '2026-11-21',
    ])
  })

  it('are let go beyond seven, but never the one just made, whatever the clock sentences', () => {
    const days = Array.from({ length: 9 }, (_, index) => ({
      path: `outbox-2026-11-1${index}.sqlite`,
      knows: 9,
    }))
    expect(surplusBackups(days, 'outbox-2026-11-18.sqlite', 0)).toEqual([
      'outbox-2026-11-11.sqlite',
      'outbox-2026-11-10.sqlite',
    ])
    const old = { path: 'outbox-2000-01-01.sqlite', knows: 9 }
    expect(surplusBackups([...days, old], old.path, 0)).toEqual([
      'outbox-2026-11-11.sqlite',
      'outbox-2026-11-10.sqlite',
    ])
    expect(surplusBackups(days.slice(0, 7), 'outbox-2026-11-16.sqlite', 0)).toEqual([])
  })

  it('are let go if they may name a patient who has withdrawn since', () => {
    const made = { path: 'outbox-2026-11-12.sqlite', knows: 12 }
    const older = [11, 10, 9, -1].map((knows) => ({ path: `outbox-2026-10-${knows + 10}.sqlite`, knows }))
    expect(surplusBackups([...older, made], made.path, 11).toSorted()).toEqual([
      'outbox-2026-10-19.sqlite',
      'outbox-2026-10-20.sqlite',
      'outbox-2026-10-9.sqlite',
    ])
  })

  it('show how much they know without being changed', async () => {
    const opened = openOutbox(temporaryFolder())
    onTestFinished(() => opened.close())
    const path = join(temporaryFolder(), 'outbox-2026-11-20.sqlite')
    const backUp = async (): Promise<void> => {
      rmSync(path, { force: true })
      await opened.copyTo(path, new AbortController().signal)
      finishCopy(path, '2026-11-20T12:00:00Z')
    }
    await backUp()
    const before = readFileSync(path)
    expect(inspectBackup(path).knows).toBe(0)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(dirname(path))).toEqual([basename(path)])
    opened.outbox.createSubmission(newSubmission())
    await backUp()
    expect(inspectBackup(path).knows).toBeGreaterThan(0)
    writeFileSync(path, 'no database')
    expect(inspectBackup(path).knows).toBe(-1)
  })
})
