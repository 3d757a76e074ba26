/** What earlier reads of the service showed: known cases, how far its list can be trusted, states, centers. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import { idsOf, type ReportMark, reportMarkOf } from '../lib/service-case.ts'
import { appendAudit, type AuditDetails, type Store } from './database.ts'
import type { AttemptRow, Destination } from './rows.ts'

/** SQLite treats NULLs in a primary key as different, so "no center" has a name. */
const NO_CENTER = '-'

const destinationKey = (at: Destination): [string, string, string] => [
  at.baseUrl,
  at.clientId,
  at.centerId ?? NO_CENTER,
]

const THERE = 'base_url = ? AND client_id = ? AND center_key = ?'

/** What the service's list says of the case of a watch: `said`, beside a row of `report_watches AS watch`. */
export const LISTED_CASE = `case_states AS said ON said.base_url = watch.base_url AND said.client_id = watch.client_id
  AND said.center_key = coalesce(watch.center_id, '-') AND said.case_id = watch.case_id`

/** When a list of cases was last read there, epoch milliseconds; null if never. */
export function caseListReadAt(store: Store, destination: Destination): number | null {
  return store.value<number>(`SELECT read_at FROM case_lists WHERE ${THERE}`, ...destinationKey(destination))
}

/** The same for every center of a service. */
export function caseListsReadAt(
  store: Store,
  at: ServiceIdentity,
): { readonly centerId: string | null; readonly readAt: number }[] {
  return store.rows`
    SELECT nullif(center_key, ${NO_CENTER}) AS centerId, read_at AS readAt FROM case_lists
    WHERE base_url = ${at.baseUrl} AND client_id = ${at.clientId}`
}

/**
 * Saves the ids of a list. A known id stays known, because it cannot be the case of a later attempt. Only if a
 * complete list no longer shows an id may a service that reuses numbers give it to another case.
 */
export function saveCaseList(
  store: Store,
  destination: Destination,
  list: { readonly readAt: number; readonly caseIds: readonly string[]; readonly isComplete?: boolean },
): void {
  const key = destinationKey(destination)
  const listed = new Set(list.caseIds)
  store.write(() => {
    store.run(
      "INSERT OR REPLACE INTO case_lists (base_url, client_id, center_key, read_at, case_ids) VALUES (?, ?, ?, ?, '[]')",
      ...key,
      list.readAt,
    )
    // A long list differs in few ids from the one before, and only these are written.
    const known = new Set(store.values<string>(`SELECT case_id FROM known_cases WHERE ${THERE}`, ...key))
    if (list.isComplete === true)
      store.run(
        `DELETE FROM known_cases WHERE ${THERE} AND case_id IN (SELECT value FROM json_each(?))`,
        ...key,
        JSON.stringify([...known].filter((caseId) => !listed.has(caseId))),
      )
    store.run(
      `INSERT INTO known_cases (base_url, client_id, center_key, case_id) SELECT ?, ?, ?, value FROM json_each(?)`,
      ...key,
      JSON.stringify([...listed].filter((caseId) => !known.has(caseId))),
    )
  })
}

/** The current position of known ids; an attempt records it when it begins. */
export function knownPosition(store: Store): number {
  return store.value<number>('SELECT max(position) FROM known_cases') ?? 0
}

/** Was the case at the service before the attempt began? */
export function wasKnownBefore(
  store: Store,
  attempt: Pick<AttemptRow, 'base_url' | 'client_id' | 'center_id' | 'known_position'>,
  caseId: string,
): boolean {
  if (attempt.known_position === 0) return false
  const at = { baseUrl: attempt.base_url, clientId: attempt.client_id, centerId: attempt.center_id }
  const position = store.value<number>(
    `SELECT position FROM known_cases WHERE ${THERE} AND case_id = ?`,
    ...destinationKey(at),
    caseId,
  )
  return position !== null && position <= attempt.known_position
}

/** Every known id there with its position, for questions about a whole list. */
export function knownPositions(store: Store, at: Destination): ReadonlyMap<string, number> {
  const rows = store.rows<{ readonly case_id: string; readonly position: number }>(
    `SELECT case_id, position FROM known_cases WHERE ${THERE}`,
    ...destinationKey(at),
  )
  return new Map(rows.map(({ case_id, position }) => [case_id, position]))
}

/** Confirmed cases that the list showed or lacked, and the longest time until one was listed. */
export type Calibration = {
  readonly seen: number
  readonly missed: number
  readonly slowestMs: number
}

export function calibrationOf(store: Store, destination: Destination): Calibration {
  const found = store.row<Calibration>(
    `SELECT seen, missed, slowest_ms AS slowestMs FROM calibrations WHERE ${THERE}`,
    ...destinationKey(destination),
  )
  return found ?? { seen: 0, missed: 0, slowestMs: 0 }
}

export function saveCalibration(store: Store, destination: Destination, calibration: Calibration): void {
  store.run(
    `INSERT INTO calibrations (base_url, client_id, center_key, seen, missed, slowest_ms)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
       seen = excluded.seen, missed = excluded.missed, slowest_ms = excluded.slowest_ms`,
    ...destinationKey(destination),
    calibration.seen,
    calibration.missed,
    calibration.slowestMs,
  )
}

/** The most images of one case that a service has shown rightly, by source; 0 if it never did. */
export type ImageCalibration = { readonly answer: number; readonly list: number; readonly case: number }

/** Over all centers: they are shown by one program. */
export function imageCalibrationOf(store: Store, at: ServiceIdentity): ImageCalibration {
  const found = store.row<ImageCalibration>(
    `SELECT coalesce(max(images_in_answer), 0) AS answer, coalesce(max(images_in_list), 0) AS list,
       coalesce(max(images_in_case), 0) AS "case" FROM calibrations WHERE base_url = ? AND client_id = ?`,
    at.baseUrl,
    at.clientId,
  )
  return found ?? { answer: 0, list: 0, case: 0 }
}

export function saveImageCalibration(store: Store, destination: Destination, right: ImageCalibration): void {
  store.run(
    `INSERT INTO calibrations (base_url, client_id, center_key, images_in_answer, images_in_list, images_in_case)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET images_in_answer = excluded.images_in_answer,
       images_in_list = excluded.images_in_list, images_in_case = excluded.images_in_case`,
    ...destinationKey(destination),
    right.answer,
    right.list,
    right.case,
  )
}

/** The service shows fewer images of it than were sent. It is not confirmed, so none of its images is removed. */
export function setImagesShown(store: Store, submissionId: string, shown: number): void {
  store.write(() => {
    store.run('UPDATE submissions SET images_shown = ? WHERE id = ?', shown, submissionId)
    store.touch(submissionId)
  })
}

/** Cases of which the service shows fewer images than were sent. */
export function countImagesMissing(store: Store): number {
  return store.value<number>('SELECT count(*) FROM submissions WHERE images_shown IS NOT NULL') ?? 0
}

/** Which service an id belongs to: another address or client may use the same number for another case. */
export type ServiceIdentity = Pick<Destination, 'baseUrl' | 'clientId'>

/** If centers number their cases separately, an id belongs to a center; without `centerId` any center matches. */
type ServiceScope = ServiceIdentity & { readonly centerId?: string | null }

const ATTEMPTED_THERE =
  'EXISTS (SELECT 1 FROM attempts WHERE attempts.submission_id = submissions.id AND base_url = ? AND client_id = ?)'

const BOUND_THERE = `${ATTEMPTED_THERE} AND (? OR submissions.center_id IS ?)`

const scopeValues = (at: ServiceScope): readonly unknown[] => [
  at.baseUrl,
  at.clientId,
  at.centerId === undefined ? 1 : 0,
  at.centerId ?? null,
]

type OwnCase = { readonly id: string; readonly reference: string }

/** Our submission for an id of a service. */
export function submissionByCase(store: Store, caseId: string, at: ServiceScope): OwnCase | null {
  const question = `SELECT id, reference FROM submissions WHERE case_id = ? AND ${BOUND_THERE} LIMIT 1`
  return store.row<OwnCase>(question, caseId, ...scopeValues(at)) ?? null
}

type ListedOwn = OwnCase & { readonly sentAt: number | null }

/** The same for many ids at once, by id; those of others are missing. */
export function submissionsByCase(
  store: Store,
  caseIds: readonly string[],
  at: ServiceScope,
): ReadonlyMap<string, ListedOwn> {
  const rows = store.rows<ListedOwn & { readonly case_id: string }>(
    `SELECT case_id, id, reference, sent_at AS sentAt FROM (SELECT value FROM json_each(?)) AS asked CROSS JOIN submissions
       WHERE case_id = asked.value AND ${BOUND_THERE}`,
    JSON.stringify(caseIds),
    ...scopeValues(at),
  )
  return new Map(rows.map(({ case_id: caseId, ...own }) => [caseId, own]))
}

type BoundRow = OwnCase & { readonly caseId: string | null }

/** The submission with a reference, and its id at a service if exactly this one was sent there. */
export function submissionByReference(store: Store, reference: string, at: ServiceIdentity): BoundRow | null {
  return (
    store.row<BoundRow>(
      `SELECT id, reference, CASE WHEN ${ATTEMPTED_THERE} THEN case_id END AS caseId FROM submissions WHERE reference = ?`,
      at.baseUrl,
      at.clientId,
      reference,
    ) ?? null
  )
}

/** The submission that an id of a service is bound to, as `submissionByReference` returns it. */
export function boundSubmission(store: Store, caseId: string, at: ServiceScope): BoundRow | null {
  const bound = submissionByCase(store, caseId, at)
  return bound && { ...bound, caseId }
}

/** Was a case sent there since? Reads no older ones. */
export function wasSentSince(store: Store, at: Destination, since: number): boolean {
  const question = `SELECT 1 FROM submissions WHERE sent_at >= ? AND ${BOUND_THERE} LIMIT 1`
  return store.value<number>(question, since, ...scopeValues(at)) !== null
}

/** A case whose state differs in every list triggers no more requests than this. */
const ASKED_AGAIN_AFTER_MS = MINUTE

/** Lists are read often and mostly unchanged: an unchanged state is written only this often. */
const READ_FRESH_MS = MINUTE

/** The latest state that the service showed for one of our cases. */
type CaseState = {
  readonly state: string | null
  readonly urgency: string | null
  readonly report_mark: ReportMark
  /** When we first saw this state. */
  readonly changed_at: number
  readonly read_at: number
}

type ReportedState = Pick<CaseState, 'state' | 'urgency' | 'report_mark'>

/** Saves what a list says about our cases alone. If the text of a case changed, its report is due at once. */
export function saveCaseStates(
  store: Store,
  at: Destination,
  cases: readonly ServiceCase[],
  now: number,
): void {
  const watched = watchedStates(store, at, cases.flatMap(idsOf))
  const stated = cases.flatMap((one) => {
    // The receipt may have used another id than the list.
    const caseId = idsOf(one).find((id) => watched.has(id))
    const { state, urgency } = one
    return caseId === undefined ? [] : [{ caseId, state, urgency, report_mark: reportMarkOf(one) }]
  })
  const isFresh = (before: CaseState | null, reported: ReportedState): boolean =>
    before !== null &&
    isSameState(before, reported) &&
    before.urgency === reported.urgency &&
    // A time in the future was recorded before the clock was set back.
    before.read_at <= now &&
    now - before.read_at < READ_FRESH_MS
  if (stated.every(({ caseId, ...reported }) => isFresh(watched.get(caseId) ?? null, reported))) return
  store.write(() => {
    for (const { caseId, ...reported } of stated) {
      // Asked again: a list may show a case twice.
      const before = caseStateOf(store, at, caseId)
      if (isFresh(before, reported)) continue
      const isOther = before !== null && !isSameState(before, reported)
      store.run`
        INSERT OR REPLACE INTO case_states (base_url, client_id, center_key, case_id, state, urgency,
        report_mark, changed_at, read_at) VALUES (${at.baseUrl}, ${at.clientId}, ${at.centerId ?? NO_CENTER},
        ${caseId}, ${reported.state}, ${reported.urgency}, ${reported.report_mark},
        ${before === null || isOther ? now : before.changed_at}, ${now})`
      if (isOther) checkReportSoon(store, at, caseId, now)
    }
  })
}

/** Which of the ids are of cases that are watched for a report, with the state that was shown last, if one was. */
function watchedStates(
  store: Store,
  at: Destination,
  caseIds: readonly string[],
): Map<string, CaseState | null> {
  const rows = store.rows<WatchedRow>`
    SELECT watch.case_id, said.state, said.urgency, said.report_mark, said.changed_at, said.read_at
    FROM json_each(${JSON.stringify(caseIds)}) AS listed CROSS JOIN report_watches AS watch
    LEFT JOIN case_states AS said ON said.base_url = watch.base_url AND said.client_id = watch.client_id
    AND said.center_key = ${at.centerId ?? NO_CENTER} AND said.case_id = watch.case_id
    WHERE watch.case_id = listed.value AND watch.base_url = ${at.baseUrl}
    AND watch.client_id = ${at.clientId} AND watch.center_id IS ${at.centerId}`
  return new Map(rows.map(({ case_id, ...shown }) => [case_id, shown.read_at === null ? null : shown]))
}

/** A watch with what was said of its case; all of it null if no list has shown the case. */
type WatchedRow = { readonly case_id: string } & (CaseState | { readonly [Name in keyof CaseState]: null })

export function caseStateOf(store: Store, at: Destination, caseId: string): CaseState | null {
  return (
    store.row<CaseState>`
      SELECT state, urgency, report_mark, changed_at, read_at FROM case_states
      WHERE base_url = ${at.baseUrl} AND client_id = ${at.clientId}
      AND center_key = ${at.centerId ?? NO_CENTER} AND case_id = ${caseId}` ?? null
  )
}

function isSameState(one: ReportedState, other: ReportedState): boolean {
  return one.state === other.state && one.report_mark === other.report_mark
}

function checkReportSoon(store: Store, at: Destination, caseId: string, now: number): void {
  const asked = store.rows<{ submission_id: string }>`
    UPDATE report_watches SET next_check_at = min(coalesce(next_check_at, 9e15),
    max(${now}, coalesce(asked_at, 0) + ${ASKED_AGAIN_AFTER_MS})) WHERE case_id = ${caseId}
    AND base_url = ${at.baseUrl} AND client_id = ${at.clientId} AND center_id IS ${at.centerId}
    RETURNING submission_id`
  // The change wakes whatever requests reports.
  for (const { submission_id: id } of asked) store.touch(id)
}

/** Moves a submission to another center, because a person said so. The caller decides whether it may go there. */
export function assignCenter(
  store: Store,
  id: string,
  centerId: string,
  options: { readonly at: number; readonly by?: string | undefined; readonly details?: AuditDetails },
): void {
  store.write(() => {
    const from = store.value<string>`SELECT center_id FROM submissions WHERE id = ${id}`
    store.run`UPDATE submissions SET center_id = ${centerId}, changed_at = ${options.at} WHERE id = ${id}`
    const details = { from, to: centerId, ...options.details }
    appendAudit(store, { ...options, submissionId: id, what: 'movedToCenter', details })
    store.touch(id)
  })
}
