/** Counts and kinds for the diagnostics: nothing here reads what a patient is called. */
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { WriteThrough } from './write-through.ts'

export type OutboxNumbers = {
  readonly schemaVersion: number
  readonly sizeBytes: number
  readonly images: number
  readonly attempts: number
  readonly reports: number
  readonly trailLines: number
}

/** How large the outbox is and of which version. */
export function outboxNumbers(store: WriteThrough): OutboxNumbers {
  const one = (question: string): number => store.sql.prepare<[], number>(question).pluck().get() ?? 0
  const count = (table: 'images' | 'attempts' | 'report_versions' | 'audit'): number =>
    one(`SELECT count(*) FROM ${table} AS counted`)
  return {
    schemaVersion: one('SELECT user_version FROM pragma_user_version'),
    sizeBytes: one('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size'),
    images: count('images'),
    attempts: count('attempts'),
    reports: count('report_versions'),
    trailLines: count('audit'),
  }
}

export type StateAge = {
  readonly state: SubmissionState
  readonly count: number
  /** Null where the state is the end: how long somebody has been done says nothing. */
  readonly oldestAddedAt: number | null
  readonly unchangedSince: number | null
}

/** How many submissions stand in each state, and since when the oldest where it is not the end. */
export function stateAges(store: WriteThrough): StateAge[] {
  return store.sql
    .prepare<[], StateAge>(
      // Counts that are kept: almost all submissions are over, and reading them takes half a second.
      `SELECT counted.state, counted.count, min(added_at) AS oldestAddedAt, min(changed_at) AS unchangedSince
       FROM submission_counts AS counted LEFT JOIN submissions INDEXED BY submissions_by_age
         ON submissions.state = counted.state AND counted.state NOT IN ('sent', 'discarded')
       WHERE counted.count > 0 GROUP BY counted.state ORDER BY counted.state`,
    )
    .all()
}

export type AttemptTally = {
  readonly outcome: string | null
  readonly failure: string | null
  readonly status: number | null
  readonly count: number
  readonly lastAt: number
}

/** What the latest attempts came to, by outcome and kind of failure, the most recent first. */
export function tallyAttempts(store: WriteThrough, latest: number): AttemptTally[] {
  return store.sql
    .prepare<[number], AttemptTally>(
      `SELECT outcome, CASE WHEN json_valid(failure) THEN failure ->> 'kind' END AS failure, answer_status AS status, count(*) AS count,
         max(started_at) AS lastAt
       FROM (SELECT outcome, failure, answer_status, started_at FROM attempts ORDER BY rowid DESC LIMIT ?) GROUP BY 1, 2, 3 ORDER BY lastAt DESC`,
    )
    .all(latest)
}
