/**
 * What the outbox knows of confirmed profiles: which are confirmed now, for checks within a transaction; the visits that
 * persons approved on screens, to learn from; and the cases that went by a profile.
 */
import { z } from 'zod'
import { fieldsColumn, jsonColumn } from '../json-columns.ts'
import type { Eye } from '../../../src-shared/measurement-ranges.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { CurrentReading } from '../../../src-shared/profile-offers.ts'
import type { Verdict } from '../../../src-shared/verdict.ts'
import { readFact, type Store, writeFact } from './database.ts'
import { type ImageRow, readableRows, type SubmissionRow } from './rows.ts'

/** Instants of confirmations in epoch milliseconds, by watched folder and id of the profile. */
export type ConfirmedNow = Readonly<Record<string, Readonly<Record<string, number>>>>

const confirmedFact = jsonColumn<ConfirmedNow>(z.record(z.string(), z.record(z.string(), z.number())))

/** Stores which profiles are confirmed: before the settings take effect, and at every start. */
export function noteConfirmed(store: Store, confirmed: ConfirmedNow): void {
  const text = JSON.stringify(confirmed)
  if (readFact(store, 'confirmedProfiles') !== text) writeFact(store, 'confirmedProfiles', text)
}

function confirmedNow(store: Store): ConfirmedNow {
  return confirmedFact.readOr(readFact(store, 'confirmedProfiles') ?? '{}', {})
}

/** Ends one confirmation, before the settings say so. */
export function forgetConfirmed(store: Store, folderPath: string, profileId: string): void {
  const confirmed = confirmedNow(store)
  const { [profileId]: _ended, ...others } = confirmed[folderPath] ?? {}
  noteConfirmed(store, { ...confirmed, [folderPath]: others })
}

/** Are the verdict's profiles confirmed, and were they before the images were seen? Imported ones were. */
export function areConfirmed(
  store: Store,
  { id: submissionId, folder_path: folderPath }: Pick<SubmissionRow, 'id' | 'folder_path'>,
  { profiles }: Pick<Verdict, 'profiles'>,
): boolean {
  const images = store.rows<ImageOfNames>`
    SELECT added_at, imported_at, excluded_because, twin_of FROM images WHERE submission_id = ${submissionId}`
  return wereConfirmedBefore(profiles, confirmedNow(store)[folderPath ?? ''] ?? {}, images)
}

type ImageOfNames = Pick<ImageRow, 'added_at' | 'imported_at' | 'excluded_because' | 'twin_of'>

/** The same for profiles that were confirmed at these instants. Pure. */
export function wereConfirmedBefore(
  profiles: readonly string[],
  confirmedAt: Readonly<Record<string, number>>,
  images: readonly ImageOfNames[],
): boolean {
  const sent = images.filter((image) => image.excluded_because === null && image.twin_of === null)
  return profiles.every((id) => {
    const at = confirmedAt[id]
    return at !== undefined && sent.every((image) => image.imported_at === null && image.added_at > at)
  })
}

/** The latest cases of a folder that persons approved on screens, newest first. */
export function approvedOnScreens(store: Store, folderPath: string, limit: number): SubmissionRow[] {
  const rows = store.rows<SubmissionRow>`
    SELECT * FROM submissions WHERE folder_path = ${folderPath} AND approved_via = 'screen'
    AND id NOT IN (SELECT submission_id FROM quarantine)
    ORDER BY approved_at DESC, position DESC LIMIT ${limit}`
  return readableRows(store, 'submissions', rows)
}

/** The quick check first: most verdicts name no profile. An id may be a word that is in every verdict, such as `who`. */
const NAMES_PROFILE = `instr(verdict, '"' || @profileId || '"') > 0 AND EXISTS (SELECT 1
  FROM json_each(CASE WHEN json_valid(verdict) THEN verdict ELSE '{}' END, '$.profiles') WHERE value = @profileId)`

/** How many visits that a profile reads were approved on screens here; counts no further than `limit`. */
export function countApprovedBy(store: Store, folderPath: string, profileId: string, limit: number): number {
  return (
    store.value<number>(
      `SELECT count(*) FROM (SELECT 1 FROM submissions WHERE folder_path = @folderPath AND approved_via = 'screen'
         AND ${NAMES_PROFILE} ORDER BY approved_at DESC LIMIT @limit)`,
      { folderPath, profileId, limit },
    ) ?? 0
  )
}

/** The cases of a folder, in these states, of which the verdict names a profile; newest first. */
export function casesByProfile(
  store: Store,
  query: {
    readonly folderPath: string
    readonly profileId: string
    readonly states: readonly SubmissionState[]
    readonly limit: number
  },
): { readonly id: string; readonly reference: string; readonly state: SubmissionState }[] {
  return store.rows<{ id: string; reference: string; state: SubmissionState }>(
    `SELECT id, reference, state FROM submissions
       WHERE state IN (SELECT value FROM json_each (@states)) AND folder_path = @folderPath AND ${NAMES_PROFILE}
       AND id NOT IN (SELECT submission_id FROM quarantine) ORDER BY position DESC LIMIT @limit`,
    { ...query, states: JSON.stringify(query.states) },
  )
}

/** What the station holds of the latest files of a folder, by their paths. */
export function currentReadings(
  store: Store,
  folderPath: string,
  limit: number,
): ReadonlyMap<string, CurrentReading> {
  const rows = store.rows<{ file_name: string; eye: Eye; fields: string }>`
    SELECT file_name, eye, fields FROM images JOIN submissions ON submissions.id = submission_id
    WHERE images.folder_path = ${folderPath} AND state <> 'discarded'
    ORDER BY images.position DESC LIMIT ${limit}`
  return new Map(
    rows.map(({ file_name, eye, fields }) => {
      const { history_number: historyNumber = null, visit_date: visitDate = null } = fieldsColumn.readOr(
        fields,
        {},
      )
      return [file_name, { historyNumber, visitDate, eye }]
    }),
  )
}
