import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { StorageError } from '../../../../src-main/station/lib/storage-error.ts'
import {
  type CheckedOutbox,
  openCheckedOutbox,
} from '../../../../src-main/station/outbox/recovery/backups.ts'
import { checkOutbox, openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { newSubmission } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

const logger = createRecordingLogger()
const thread = {
  workerUrl: new URL('../../../../src-main/station/outbox/outbox-worker.ts', import.meta.url),
  logger,
}
const databaseIn = (folder: string): string => join(folder, 'outbox.sqlite')
const open = (folder: string): Promise<CheckedOutbox> => openCheckedOutbox(folder, thread)

/** A folder in which a station has worked, ended as it should be. */
async function closedFolder(submissions = 3): Promise<string> {
  const folder = temporaryFolder()
  const opened = await open(folder)
  for (let count = 0; count < submissions; count += 1)
    opened.outbox.submissions.create(newSubmission({ sources: { visit_date: 'fileTime' } }))
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
    const cut = spawn(process.execPath, [join(import.meta.dirname, 'hold-outbox.ts'), folder, 'hold'])
    await once(cut.stdout, 'data')
    cut.kill('SIGKILL')
    await once(cut, 'exit')
    expect(statSync(`${databaseIn(folder)}-wal`).size).toBeGreaterThan(0)
    const found = checks()
    const opened = await open(folder)
    expect(opened.outbox.submissions.list({ limit: 9 }).total).toBe(3)
    await opened.close()
    // The first start has nothing to check.
    expect(checks()).toBe(found)
    expect(found).toBe(1)
  })

  it('checks again if the file has changed between the check and the opening', async () => {
    const folder = await closedFolder()
    const checked = await checkOutbox(folder, thread)
    const other = openOutbox(folder)
    other.outbox.submissions.create(newSubmission())
    other.close()
    const checks = watchChecks()
    const opened = openOutbox(folder, undefined, checked)
    expect(checks()).toBe(1)
    opened.close()
  })

  it('is refused where another process has taken the folder between the check and the opening', async () => {
    const folder = await closedFolder()
    const checked = await checkOutbox(folder, thread)
    const holder = spawn(process.execPath, [join(import.meta.dirname, 'hold-outbox.ts'), folder, 'hold'])
    await once(holder.stdout, 'data')
    expect(() => openOutbox(folder, undefined, checked)).toThrow(/Another Fundus Courier/)
    await expect(open(folder)).rejects.toThrow(/Another Fundus Courier/)
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

  it('checks on the main thread if the thread cannot be started, and says so', async () => {
    const folder = await closedFolder()
    const kept = createRecordingLogger()
    const checks = watchChecks()
    const opened = await openCheckedOutbox(folder, { workerUrl: new URL('file:///nowhere.js'), logger: kept })
    expect(checks()).toBe(1)
    expect(kept.errors()).toEqual(['the thread that checks the outbox stopped'])
    opened.outbox.submissions.create(newSubmission())
    await opened.close()
  })
})
