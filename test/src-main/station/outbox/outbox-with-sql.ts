/** An outbox whose tables a test may change under it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createStore, type SqlDatabase } from '../../../../src-main/station/outbox/database.ts'
import { migrate } from '../../../../src-main/station/outbox/migrations/migrate.ts'
import { bindOutbox } from '../../../../src-main/station/outbox/outbox.ts'
import {
  addTestImage,
  MORNING,
  newSubmission,
  someBytes,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

export type TableTest = TestOutbox & { readonly sql: SqlDatabase }

/** An outbox in memory, with its connection. */
export function openWithSql(): TableTest {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'spool'))
  const sql = new Database(':memory:')
  migrate(sql, ':memory:')
  return {
    sql,
    outbox: bindOutbox(createStore(sql, () => undefined)),
    folder,
    notified: [],
    spoolPath: (spoolName) => join(folder, 'spool', spoolName),
    close: () => undefined,
  }
}

/** Stores this text as the verdict; null is what earlier versions left. */
export function storeVerdict({ sql }: TableTest, id: string, verdict: string | null): void {
  sql.prepare('UPDATE submissions SET verdict = ? WHERE id = ?').run(verdict, id)
}

/** A case that waits for a look, with the eye of its image read from the file name. */
export function inReview(test: TestOutbox): string {
  const id = test.outbox.createSubmission(newSubmission())
  addTestImage(test, id, { bytes: someBytes(), eyeSource: 'fileName' })
  test.outbox.moveSubmission(id, 'gatheredForReview', {}, { at: MORNING })
  return id
}
