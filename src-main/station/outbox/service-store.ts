/** What earlier reads of the service taught: the last list of cases, and how far that list can be believed. */
import type { Destination } from './attempt-store.ts'
import type { WriteThrough } from './write-through.ts'

/** SQLite takes NULLs in a primary key for different from one another, so "no center" has a name of its own. */
const NO_CENTER = '-'

const keyOf = (at: Destination): [string, string, string] => [
  at.baseUrl,
  at.clientId,
  at.centerId ?? NO_CENTER,
]

export type CaseList = { readonly readAt: number; readonly caseIds: readonly string[] }

export function lastCaseList(store: WriteThrough, destination: Destination): CaseList | null {
  const row = store.sql
    .prepare<[string, string, string], { read_at: number; case_ids: string }>(
      'SELECT read_at, case_ids FROM case_lists WHERE base_url = ? AND client_id = ? AND center_key = ?',
    )
    .get(...keyOf(destination))
  return row ? { readAt: row.read_at, caseIds: JSON.parse(row.case_ids) as string[] } : null
}

export function keepCaseList(store: WriteThrough, destination: Destination, list: CaseList): void {
  store.sql
    .prepare(
      'INSERT OR REPLACE INTO case_lists (base_url, client_id, center_key, read_at, case_ids) VALUES (?, ?, ?, ?, ?)',
    )
    .run(...keyOf(destination), list.readAt, JSON.stringify(list.caseIds))
}

/** `seen` confirmed cases stood in the list, `missed` did not, `echoed` carried our reference; `slowestMs` until one stood there. */
export type Calibration = {
  readonly seen: number
  readonly missed: number
  readonly echoed: number
  readonly slowestMs: number
}

export function calibrationOf(store: WriteThrough, destination: Destination): Calibration {
  const row = store.sql
    .prepare<[string, string, string], { seen: number; missed: number; echoed: number; slowest_ms: number }>(
      'SELECT seen, missed, echoed, slowest_ms FROM calibrations WHERE base_url = ? AND client_id = ? AND center_key = ?',
    )
    .get(...keyOf(destination))
  return row
    ? { seen: row.seen, missed: row.missed, echoed: row.echoed, slowestMs: row.slowest_ms }
    : { seen: 0, missed: 0, echoed: 0, slowestMs: 0 }
}

export function keepCalibration(
  store: WriteThrough,
  destination: Destination,
  calibration: Calibration,
): void {
  store.sql
    .prepare(
      `INSERT OR REPLACE INTO calibrations (base_url, client_id, center_key, seen, missed, echoed, slowest_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      ...keyOf(destination),
      calibration.seen,
      calibration.missed,
      calibration.echoed,
      calibration.slowestMs,
    )
}

/** Which service an id belongs to: another address or client may give the same number to another case. */
export type Identity = Pick<Destination, 'baseUrl' | 'clientId'>

const ATTEMPTED_THERE =
  'EXISTS (SELECT 1 FROM attempts WHERE attempts.submission_id = submissions.id AND base_url = ? AND client_id = ?)'

/** Our submission that a service knows under an id. */
export function submissionByCase(
  store: WriteThrough,
  caseId: string,
  at: Identity,
): { readonly id: string; readonly reference: string } | null {
  return (
    store.sql
      .prepare<[string, string, string], { id: string; reference: string }>(
        `SELECT id, reference FROM submissions WHERE case_id = ? AND ${ATTEMPTED_THERE} LIMIT 1`,
      )
      .get(caseId, at.baseUrl, at.clientId) ?? null
  )
}

type OursRow = { readonly id: string; readonly reference: string; readonly caseId: string | null }

/** The submission of a reference, with its id at a service where it was sent to just that one. */
export function submissionByReference(store: WriteThrough, reference: string, at: Identity): OursRow | null {
  return (
    store.sql
      .prepare<[string, string, string], OursRow>(
        `SELECT id, reference, CASE WHEN ${ATTEMPTED_THERE} THEN case_id END AS caseId FROM submissions WHERE reference = ?`,
      )
      .get(at.baseUrl, at.clientId, reference) ?? null
  )
}

/** The submission that an id of a service is bound to, as `submissionByReference` tells it. */
export function boundSubmission(store: WriteThrough, caseId: string, at: Identity): OursRow | null {
  const bound = submissionByCase(store, caseId, at)
  return bound && { ...bound, caseId }
}

/** The centers of cases that were confirmed at a service since an instant. */
export function centersConfirmedSince(store: WriteThrough, since: number, at: Identity): (string | null)[] {
  return store.sql
    .prepare<[number, string, string], string | null>(
      `SELECT DISTINCT center_id FROM submissions WHERE state = 'sent' AND confirmed_at >= ? AND ${ATTEMPTED_THERE}`,
    )
    .pluck()
    .all(since, at.baseUrl, at.clientId)
}

/** Every id of a service that is bound to one of our submissions. */
export function boundCaseIds(store: WriteThrough, at: Identity): string[] {
  return store.sql
    .prepare<[string, string], string>(
      `SELECT case_id FROM submissions WHERE case_id IS NOT NULL AND ${ATTEMPTED_THERE}`,
    )
    .pluck()
    .all(at.baseUrl, at.clientId)
}
