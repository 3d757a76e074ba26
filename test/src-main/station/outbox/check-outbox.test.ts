import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkOutbox, sealOutbox } from '../../../../src-main/station/outbox/ask-outbox-thread.ts'
import { sealDatabase, sealPathOf } from '../../../../src-main/station/outbox/database-seal.ts'
import {
  openCheckedOutbox,
  type CheckedOutbox,
} from '../../../../src-main/station/outbox/open-checked-outbox.ts'
import { openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { StorageError } from '../../../../src-main/station/outbox/opening-trouble.ts'
import { createKeptLogger } from '../../../tools/kept-logger.ts'
import { newSubmission } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

const NOBODY = (): void => undefined
const logger = createKeptLogger()
const thread = {
  workerUrl: new URL('../../../../src-main/station/outbox/outbox-worker.ts', import.meta.url),
  logger,
}
const databaseIn = (folder: string): string => join(folder, 'outbox.sqlite')
const open = (folder: string): Promise<CheckedOutbox> => openCheckedOutbox(folder, thread, NOBODY)

/** A folder in which a station has worked, ended as it should be. */
async function sealedFolder(submissions = 3): Promise<string> {
  const folder = temporaryFolder()
  const opened = await open(folder)
  for (let count = 0; count < submissions; count += 1)
    opened.outbox.createSubmission(newSubmission({ sources: { visit_date: 'fileTime' } }))
  await opened.close()
  return folder
}

/** Changes bytes where no check of SQLite looks: the text of a row, for one of the same length. */
function flip(path: string, from: string, to: string): void {
  const bytes = readFileSync(path)
  const at = bytes.lastIndexOf(from)
  expect(at).toBeGreaterThan(0)
  bytes.write(to, at)
  writeFileSync(path, bytes)
}

/** How often a whole database was read by SQLite's own check, on this thread. */
function watchChecks(): () => number {
  const spy = vi.spyOn(Database.prototype, 'pragma')
  return () => spy.mock.calls.filter(([text]) => text === 'integrity_check').length
}

afterEach(() => void vi.restoreAllMocks())

describe('opening after a check in the thread', () => {
  it('checks nothing again on the main thread: not at the first start, after an end, after a cut', async () => {
    const checks = watchChecks()
    const folder = await sealedFolder()
    await (await open(folder)).close()
    const cut = spawn(process.execPath, [join(import.meta.dirname, 'hold-outbox.ts'), folder, 'hold'])
    await once(cut.stdout, 'data')
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

  it('checks again where the file has changed between the check and the opening', async () => {
    const folder = await sealedFolder()
    const checked = await checkOutbox(folder, thread)
    const other = openOutbox(folder, NOBODY)
    other.outbox.createSubmission(newSubmission())
    other.close()
    const checks = watchChecks()
    const opened = openOutbox(folder, NOBODY, undefined, checked)
    expect(checks()).toBe(1)
    opened.close()
  })

  it('is refused where another process has taken the folder between the check and the opening', async () => {
    const folder = await sealedFolder()
    const checked = await checkOutbox(folder, thread)
    const holder = spawn(process.execPath, [join(import.meta.dirname, 'hold-outbox.ts'), folder, 'hold'])
    await once(holder.stdout, 'data')
    expect(() => openOutbox(folder, NOBODY, undefined, checked)).toThrow(/Another Fundus Courier/)
    await expect(open(folder)).rejects.toThrow(/Another Fundus Courier/)
    await expect(open(folder)).rejects.toBeInstanceOf(StorageError)
    holder.stdin.end()
    await once(holder, 'exit')
    await (await open(folder)).close()
  })

  it('refuses in the words of the trouble, with its remedy, what is damaged, and leaves it', async () => {
    const folder = await sealedFolder(300)
    const bytes = readFileSync(databaseIn(folder))
    bytes.fill(0x5a, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 8_192)
    writeFileSync(databaseIn(folder), bytes)
    await expect(open(folder)).rejects.toMatchObject({
      name: 'StorageError',
      message: expect.stringContaining('damaged') as string,
    })
    expect(readFileSync(databaseIn(folder)).equals(bytes)).toBe(true)
  })

  it('checks on the main thread where the thread cannot be started, and says so', async () => {
    const folder = await sealedFolder()
    const kept = createKeptLogger()
    const checks = watchChecks()
    const opened = await openCheckedOutbox(
      folder,
      { workerUrl: new URL('file:///nowhere.js'), logger: kept },
      NOBODY,
    )
    expect(checks()).toBe(1)
    expect(kept.errors()).toEqual(['the thread that checks the outbox stopped'])
    opened.outbox.createSubmission(newSubmission())
    await opened.close()
    expect(existsSync(sealPathOf(databaseIn(folder)))).toBe(false)
  })
})

describe('the seal', () => {
  it('is there after an end as it should be, and gone while the outbox is open', async () => {
    const folder = await sealedFolder()
    const seal = sealPathOf(databaseIn(folder))
    expect(existsSync(seal)).toBe(true)
    const opened = await open(folder)
    expect(existsSync(seal)).toBe(false)
    await opened.close()
    expect(existsSync(seal)).toBe(true)
    expect(await checkOutbox(folder, thread)).toMatchObject({ seal: 'matches' })
  })

  it('says nothing of an outbox that was cut off', async () => {
    const folder = await sealedFolder()
    const stale = readFileSync(sealPathOf(databaseIn(folder)))
    const cut = spawn(process.execPath, [join(import.meta.dirname, 'hold-outbox.ts'), folder, 'hold'])
    await once(cut.stdout, 'data')
    cut.kill('SIGKILL')
    await once(cut, 'exit')
    // Even where the disk has brought the old seal back.
    writeFileSync(sealPathOf(databaseIn(folder)), stale)
    expect(await checkOutbox(folder, thread)).toMatchObject({ seal: 'absent' })
  })

  it('finds a changed byte that the check of SQLite does not see', async () => {
    const folder = await sealedFolder()
    const { mtime, atime } = statSync(databaseIn(folder))
    flip(databaseIn(folder), 'fileTime', 'fileName')
    utimesSync(databaseIn(folder), atime, mtime)
    expect(await checkOutbox(folder, thread)).toMatchObject({ seal: 'differs' })
    expect(logger.lines.at(-1)?.message).toBe('the outbox is not the file that was closed')
    // It is compared with what else is known.
    const opened = await open(folder)
    expect(opened.outbox.readFact('restored')).toBe('toCompare')
    await opened.close()
    expect(await checkOutbox(folder, thread)).toMatchObject({ seal: 'matches' })
  })

  it('differs where an earlier copy was put in the place of the outbox', async () => {
    const folder = await sealedFolder()
    copyFileSync(databaseIn(folder), join(folder, 'copy'))
    const opened = await open(folder)
    opened.outbox.createSubmission(newSubmission())
    await opened.close()
    copyFileSync(join(folder, 'copy'), databaseIn(folder))
    expect(await checkOutbox(folder, thread)).toMatchObject({ seal: 'differs' })
  })

  it.each([
    ['empty', ''],
    ['of another kind', '{"size":"1"}'],
    ['no JSON', 'sealed'],
  ])('that is %s is none', async (_what, content) => {
    const folder = await sealedFolder()
    writeFileSync(sealPathOf(databaseIn(folder)), content)
    expect(await checkOutbox(folder, thread)).toMatchObject({ seal: 'absent' })
  })

  it('is not put on an outbox that is open, or was not closed', async () => {
    const folder = temporaryFolder()
    const opened = openOutbox(folder, NOBODY)
    expect(sealDatabase(databaseIn(folder))).toBe(false)
    opened.close()
    rmSync(sealPathOf(databaseIn(folder)), { force: true })
    await sealOutbox(folder, thread)
    expect(existsSync(sealPathOf(databaseIn(folder)))).toBe(true)
    expect(sealDatabase(databaseIn(temporaryFolder()))).toBe(false)
  })
})

describe('an outbox in which a byte of a text has flipped', () => {
  it.for([
    ['where a value came from', '"fileTime"', '"fileTimf"'],
    ['the name of a field', '"visit_date":"2', '"visit_dat":"x2'],
    ['the end of a text', '"fileTime"}', '"fileTime"]'],
  ])('is refused for %s, and can be built anew: no list could be read with it', async ([_what, from, to]) => {
    const folder = await sealedFolder()
    // After a cut there is no seal, and SQLite's own check sees nothing of it.
    rmSync(sealPathOf(databaseIn(folder)))
    flip(databaseIn(folder), from ?? '', to ?? '')
    await expect(open(folder)).rejects.toMatchObject({ name: 'StorageError', remedy: 'recover' })
  })
})
