import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pendingReports, listReports } from '../../../../src-main/station/outbox/report-lists.ts'
import { MIGRATIONS } from '../../../../src-main/station/outbox/migrations/migrate.ts'
import { createStore, type Store } from '../../../../src-main/station/outbox/database.ts'

/** Of the processor, however busy it is with others. Reading and sorting all of them took more than a second. */
const MOST_MS = 150

/** A hundred thousand sent cases; `unread` and `pending` are conditions on the number `n` of a case. */
function manyReports(unread: string, pending: string): Store {
  const sql = new Database(':memory:')
  onTestFinished(() => void sql.close())
  for (const text of MIGRATIONS) sql.exec(text)
  for (const name of ['submission_is_counted', 'manifest_of_submission']) sql.exec(`DROP TRIGGER ${name}`)
  const many = 'WITH RECURSIVE many (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM many WHERE n < 99999)'
  // Ids are random in life: their order is not that of coming.
  const id = `printf('s%05d', (n * 7919) % 100000)`
  sql.exec(`${many} INSERT INTO submissions
      (id, reference, state, fields, sources, identity, reasons, added_at, changed_at, case_id, sent_at)
    SELECT ${id}, 'FC' || n, 'sent', json_object('history_number', 'H-' || n), '{}', '{}', '[]', n, n, 'c' || n, n
    FROM many;
    INSERT INTO submission_words (rowid, words) SELECT position, 'everybody ' || reference FROM submissions;
    ${many} INSERT INTO report_watches
      (submission_id, case_id, base_url, client_id, first_version_at, read_at)
    SELECT ${id}, 'c' || n, 'https://service.example/', 'practice', iif(${pending}, NULL, n),
      iif(${unread} OR ${pending}, NULL, n) FROM many;
    ${many} INSERT INTO report_versions
      (id, submission_id, case_id, kind, content_type, size_bytes, sha256, file_name, fetched_at)
    SELECT 'v' || n, ${id}, 'c' || n, 'text', 'text/plain', 1, 'x', 'x', n FROM many WHERE NOT (${pending});
    UPDATE report_watches SET latest = v.position FROM report_versions AS v WHERE v.submission_id = report_watches.submission_id;`)
  return createStore(sql, () => undefined)
}

/** The numbers of the listed cases and how much work the lesser of three readings was. */
function timed(list: () => readonly { readonly caseId: string }[]): { numbers: number[]; ms: number } {
  let ms = Number.POSITIVE_INFINITY
  let numbers: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage()
    const lines = list()
    const { user, system } = process.cpuUsage(before)
    ms = Math.min(ms, (user + system) / 1_000)
    numbers = lines.map(({ caseId }) => Number(caseId.slice(1)))
  }
  return { numbers, ms }
}

const ALL = Array.from({ length: 100_000 }, (_, n) => n)

describe('among a hundred thousand reports', () => {
  it.each([
    ['a few old ones', 'n % 1000 = 7', (n: number) => n % 1_000 === 7],
    ['half', 'n % 2 = 1', (n: number) => n % 2 === 1],
  ] as const)('the inbox is listed soon and in order where %s are unread', (_, condition, isUnread) => {
    const store = manyReports(condition, 'false')
    const newest = ALL.toReversed()
    const wanted = [...newest.filter(isUnread), ...newest.filter((n) => !isUnread(n))].slice(0, 1_000)
    const all = timed(() => listReports(store))
    expect(all.numbers).toEqual(wanted)
    expect(all.ms).toBeLessThan(MOST_MS)
    expect(timed(() => listReports(store, { search: 'everybody' })).numbers).toEqual(wanted)
    const few = timed(() => listReports(store, { search: 'FC9999' }))
    expect(few.numbers.toSorted((one, other) => one - other)).toEqual([9_999, ...ALL.slice(-10)])
    expect(few.ms).toBeLessThan(MOST_MS)
  })

  it.each([
    ['the newest are', 'n >= 99000', (n: number) => n >= 99_000],
    ['many are', 'n % 10 = 3', (n: number) => n % 10 === 3],
  ] as const)('the pending ones are listed soon and in order where %s pending', (_, condition, isPending) => {
    const store = manyReports('false', condition)
    const wanted = ALL.filter((n) => isPending(n)).slice(0, 1_000)
    const all = timed(() => pendingReports(store))
    expect(all.numbers).toEqual(wanted)
    expect(all.ms).toBeLessThan(MOST_MS)
    expect(timed(() => pendingReports(store, { search: 'everybody' })).numbers).toEqual(wanted)
  })
})
