import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { StorageError } from '../../../../src-main/station/lib/storage-faults.ts'
import { APPLICATION_ID, openDatabase } from '../../../../src-main/station/outbox/migrations/migrate.ts'
import { openOutbox, checkOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { newSubmission } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import {
  type CheckedOutbox,
  openCheckedOutbox,
} from '../../../../src-main/station/outbox/recovery/backups.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'

const inOwnProcess = join(import.meta.dirname, 'hold-outbox.ts')

/** A process that has opened the outbox of this folder, until its input is closed. */
async function holding(folder: string) {
  const holder = spawn(process.execPath, [inOwnProcess, folder, 'hold'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = (await once(holder.stdout, 'data')) as [Buffer]
  expect(JSON.parse(line.toString())).toEqual({ opened: true })
  return holder
}

/** A folder in which a station has worked before. */
function usedFolder(): string {
  const folder = temporaryFolder()
  openOutbox(folder).close()
  return folder
}

const databaseIn = (folder: string): string => join(folder, 'outbox.sqlite')

/** Changes the file behind the outbox's back. */
function tamper(folder: string, sql: string): void {
  const database = new Database(databaseIn(folder))
  database.exec(sql)
  database.close()
}

/** What opening throws: it must be a StorageError with a sentence that says what to do. */
function refusalOf(folder: string): string {
  try {
    openOutbox(folder).close()
  } catch (error) {
    expect(error).toBeInstanceOf(StorageError)
    const { message } = error as StorageError
    expect(message).toMatch(/^[A-Z].*\.$/)
    return message
  }
  return 'opened'
}

/**
 * Leaves what a kill amid the first write of a database leaves: its first page, and the journal that takes it back
 * (SQLite file format, section 3): no page was there before.
 */
function cutOffBeginning(path: string): void {
  const database = new Database(path)
  database.pragma(`application_id = ${APPLICATION_ID}`)
  database.close()
  const journal = Buffer.alloc(512)
  journal.set([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
  journal.writeUInt32BE(512, 20)
  journal.writeUInt32BE(4_096, 24)
  writeFileSync(`${path}-journal`, journal)
}

describe('the connection', () => {
  it('is durable and exclusive on the first open and on every later one', () => {
    const path = databaseIn(temporaryFolder())
    for (let count = 0; count < 3; count += 1) {
      const sql = openDatabase(path)
      const pragmas = Object.fromEntries(
        ['locking_mode', 'journal_mode', 'synchronous', 'foreign_keys', 'application_id'].map((name) => [
          name,
          sql.pragma(name, { simple: true }),
        ]),
      )
      sql.exec('CREATE TABLE IF NOT EXISTS something (a TEXT) STRICT')
      sql.close()
      expect(pragmas).toEqual({
        locking_mode: 'exclusive',
        journal_mode: 'wal',
        // 1 is NORMAL: commits are flushed together.
        synchronous: 1,
        foreign_keys: 1,
        application_id: 0x46434f31,
      })
    }
  })
})

describe('a data folder', () => {
  it('begins again where its very first page was cut off, and stays its own', () => {
    const folder = temporaryFolder()
    cutOffBeginning(databaseIn(folder))
    expect([refusalOf(folder), refusalOf(folder)]).toEqual(['opened', 'opened'])
    const withoutTable = temporaryFolder()
    openDatabase(databaseIn(withoutTable)).close()
    expect(refusalOf(withoutTable)).toBe('opened')
  })

  it('is refused to a second process with a sentence, and is free when the first has ended', async () => {
    const folder = temporaryFolder()
    const holder = await holding(folder)
    expect(refusalOf(folder)).toContain('Another program')
    const second = await promisify(execFile)(process.execPath, [inOwnProcess, folder])
    expect(JSON.parse(second.stdout)).toMatchObject({ opened: false, name: 'StorageError' })
    holder.stdin.end()
    await once(holder, 'exit')
    expect(refusalOf(folder)).toBe('opened')
  })

  it('is closed to everybody but its owner', () => {
    const folder = join(temporaryFolder(), 'data')
    openOutbox(folder).close()
    expect(statSync(folder).mode & 0o077).toBe(0)
    for (const name of ['station.json', 'outbox.sqlite'])
      expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0)
  })
})

describe('what cannot be opened safely is refused, and left as it is', () => {
  it('a database of another program, called that and not a failing disk, of which no byte is changed', () => {
    const folder = temporaryFolder()
    tamper(folder, 'CREATE TABLE theirs (a); PRAGMA application_id = 7')
    const before = readFileSync(databaseIn(folder))
    expect(refusalOf(folder)).toMatch(/another program/)
    expect(readFileSync(databaseIn(folder)).equals(before)).toBe(true)
  })

  it.each([
    ['no JSON', 'nothing'],
    ['empty, as a power cut leaves it', ''],
    ['without a station', '{}'],
  ])('a marker that is %s', (_what, content) => {
    const folder = usedFolder()
    writeFileSync(join(folder, 'station.json'), content)
    expect(refusalOf(folder)).toContain('station file')
  })
})

it('a database with any byte of its head changed opens as it was, or can be built again', () => {
  const folder = usedFolder()
  const bytes = readFileSync(databaseIn(folder))
  for (let at = 0; at < 100; at += 1) {
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(at) ^ 0x80, at)
    writeFileSync(databaseIn(folder), flipped)
    // The lowest byte of the version: a newer program, for all that anybody can know.
    const remedy = at === 63 ? null : 'recover'
    try {
      openOutbox(folder).close()
    } catch (error) {
      expect(error, `byte ${at}`).toMatchObject({ name: 'StorageError', remedy })
    }
  }
})

describe('a migration from nothing', () => {
  it('lets the database itself refuse a state that no one knows, and a sent case without an id', () => {
    const folder = temporaryFolder()
    const opened = openOutbox(folder)
    opened.outbox.createSubmission(newSubmission())
    opened.close()
    expect(() => tamper(folder, "UPDATE submissions SET state = 'lost'")).toThrow(/CHECK/)
    expect(() => tamper(folder, "UPDATE submissions SET state = 'sent'")).toThrow(/CHECK/)
  })
})

const logger = createRecordingLogger()
const thread = {
  workerUrl: new URL('../../../../src-main/station/outbox/outbox-worker.ts', import.meta.url),
  logger,
}
const open = (folder: string): Promise<CheckedOutbox> => openCheckedOutbox(folder, thread)

/** A folder in which a station has worked, ended as it should be. */
async function closedFolder(submissions = 3): Promise<string> {
  const folder = temporaryFolder()
  const opened = await open(folder)
  for (let count = 0; count < submissions; count += 1)
    opened.outbox.createSubmission(newSubmission({ sources: { visit_date: 'fileTime' } }))
  await opened.close()
  return folder
}

/** How often a whole database was read by SQLite's own check, on this thread. */
function watchChecks(): () => number {
  const spy = vi.spyOn(Database.prototype, 'pragma')
  return () => spy.mock.calls.filter(([text]) => text.startsWith('quick_check')).length
}

afterEach(() => void vi.restoreAllMocks())

describe('opening after a check in the thread', () => {
  it('checks nothing again on the main thread: not at the first start, after an end, after a cut', async () => {
    const checks = watchChecks()
    const folder = await closedFolder()
    await (await open(folder)).close()
    const cut = await holding(folder)
    cut.kill('SIGKILL')
    await once(cut, 'exit')
    expect(statSync(`${databaseIn(folder)}-wal`).size).toBeGreaterThan(0)
    const found = checks()
    const opened = await open(folder)
    expect(opened.outbox.listSubmissions({ limit: 9 }).total).toBe(3)
    await opened.close()
    // The first start has nothing to check.
    expect(checks()).toBe(found)
    expect(found).toBe(1)
  })

  it('checks again if the file has changed between the check and the opening', async () => {
    const folder = await closedFolder()
    const checked = await checkOutbox(folder, thread)
    const other = openOutbox(folder)
    other.outbox.createSubmission(newSubmission())
    other.close()
    const checks = watchChecks()
    const opened = openOutbox(folder, undefined, checked)
    expect(checks()).toBe(1)
    opened.close()
  })

  it('is refused where another process has taken the folder between the check and the opening', async () => {
    const folder = await closedFolder()
    const checked = await checkOutbox(folder, thread)
    const holder = await holding(folder)
    expect(() => openOutbox(folder, undefined, checked)).toThrow(/Another program/)
    await expect(open(folder)).rejects.toThrow(/Another program/)
    await expect(open(folder)).rejects.toBeInstanceOf(StorageError)
    holder.stdin.end()
    await once(holder, 'exit')
    await (await open(folder)).close()
  })

  it('refuses in the words of the trouble, with its remedy, what is damaged, and leaves it', async () => {
    const folder = await closedFolder(300)
    const bytes = readFileSync(databaseIn(folder))
    bytes.fill(0x5a, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 8_192)
    writeFileSync(databaseIn(folder), bytes)
    await expect(open(folder)).rejects.toMatchObject({
      name: 'StorageError',
      message: expect.stringContaining('damaged') as string,
    })
    expect(readFileSync(databaseIn(folder)).equals(bytes)).toBe(true)
  })

  it.each([
    ['in a trigger', 'manifest_after_new_key', 'new.submission_id', 'new.submixsion_id'],
    ['in the condition of a trigger', 'submission_is_counted_anew', 'old.state <>', 'new.state <>'],
    ['in what a trigger refuses', 'audit_is_not_deleted', 'ABORT', 'FAIL'],
    ['in the check of a table', 'submissions', "'discarded'", "'discardex'"],
    ['in the table with the hash of them all', 'facts', 'value TEXT', 'valuf TEXT'],
  ])('refuses a changed letter %s, which no check of SQLite finds', async (_where, name, text, changed) => {
    const folder = await closedFolder()
    const database = new Database(databaseIn(folder))
    database.unsafeMode(true)
    database.pragma('writable_schema = ON')
    const change = database.prepare(`UPDATE sqlite_schema SET sql = replace(sql, ?, ?)
      WHERE name = ? AND instr(sql, ?) > 0`)
    expect(change.run(text, changed, name, text).changes).toBe(1)
    database.close()
    const again = new Database(databaseIn(folder))
    expect(again.pragma('quick_check', { simple: true })).toBe('ok')
    again.close()
    await expect(open(folder)).rejects.toMatchObject({ name: 'StorageError', remedy: 'recover' })
  })

  it('checks on the main thread if the thread cannot be started, and says so', async () => {
    const folder = await closedFolder()
    const kept = createRecordingLogger()
    const checks = watchChecks()
    const opened = await openCheckedOutbox(folder, { workerUrl: new URL('file:///nowhere.js'), logger: kept })
    expect(checks()).toBe(1)
    expect(kept.errors()).toEqual(['the thread that checks the outbox stopped'])
    opened.outbox.createSubmission(newSubmission())
    await opened.close()
  })
})
