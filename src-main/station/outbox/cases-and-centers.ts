/** What earlier reads of the service showed: known cases, how far its list can be trusted, centers. */
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
    WHERE base_url = ${at.baseUrl} AND client_id = ${at.clientId} AND read_at IS NOT NULL`
}

/** Notes these of the columns of a list. */
function noteOfList(store: Store, at: Destination, columns: Readonly<Record<string, number>>): void {
  const names = Object.keys(columns)
  store.run(
    `INSERT INTO case_lists (base_url, client_id, center_key, ${names.join(', ')})
       VALUES (?, ?, ?, ${names.map(() => '?').join(', ')})
       ON CONFLICT DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    ...destinationKey(at),
    ...Object.values(columns),
  )
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
    noteOfList(store, destination, { read_at: list.readAt })
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
    `SELECT seen, missed, slowest_ms AS slowestMs FROM case_lists WHERE ${THERE}`,
    ...destinationKey(destination),
  )
  return found ?? { seen: 0, missed: 0, slowestMs: 0 }
}

export function saveCalibration(
  store: Store,
  destination: Destination,
  { seen, missed, slowestMs }: Calibration,
): void {
  noteOfList(store, destination, { seen, missed, slowest_ms: slowestMs })
}

/** The most images of one case that a service has shown rightly, by source; 0 if it never did. */
export type ImageCalibration = { readonly answer: number; readonly list: number; readonly case: number }

/** Over all centers: they are shown by one program. */
export function imageCalibrationOf(store: Store, at: ServiceIdentity): ImageCalibration {
  const found = store.row<ImageCalibration>(
    `SELECT coalesce(max(images_in_answer), 0) AS answer, coalesce(max(images_in_list), 0) AS list,
       coalesce(max(images_in_case), 0) AS "case" FROM case_lists WHERE base_url = ? AND client_id = ?`,
    at.baseUrl,
    at.clientId,
  )
  return found ?? { answer: 0, list: 0, case: 0 }
}

export function saveImageCalibration(store: Store, destination: Destination, right: ImageCalibration): void {
  const { answer, list, case: inCase } = right
  noteOfList(store, destination, { images_in_answer: answer, images_in_list: list, images_in_case: inCase })
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
