/** What was learnt of one watched folder: of its numbers and names, what persons have answered, and which profiles they confirmed. */
import { readFact, type Store, writeFact } from './database.ts'
import { holdingsOf } from './files.ts'
import { type ImageRow, readableRows, type SubmissionRow } from './rows.ts'
import { z } from 'zod'
import { fieldsColumn, jsonColumn } from '../json-columns.ts'
import type { Eye } from '../../../src-shared/measurement-ranges.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { CurrentReading } from '../../../src-shared/profile-offers.ts'
import type { Verdict } from '../../../src-shared/verdict.ts'

/**
 * A person's answer about numbers and names of a folder.
 *
 * - `noPatientNumber`  `one` is a number, or a shape: then `other` says so
 * - `patientNumber`    `one` is the number of a patient
 * - `samePatient`      `one` and `other`, two numbers or two names, are of one patient; in the order of their letters
 */
export type FolderAnswer = {
  readonly folderPath: string
  readonly kind: 'noPatientNumber' | 'patientNumber' | 'samePatient'
  readonly one: string
  readonly other?: string
}

export function storeAnswer(
  store: Store,
  { folderPath, kind, one, other = '' }: FolderAnswer,
  { by }: { readonly by: string | undefined },
): void {
  store.run`
    INSERT OR IGNORE INTO folder_answers (folder_path, kind, one, other, answered_by)
    VALUES (${folderPath}, ${kind}, ${one}, ${other}, ${by ?? null})`
}

export function withdrawAnswer(store: Store, { folderPath, kind, one, other = '' }: FolderAnswer): void {
  store.run`
    DELETE FROM folder_answers WHERE folder_path = ${folderPath} AND kind = ${kind} AND one = ${one}
    AND other = ${other}`
}

export function hasAnswer(store: Store, { folderPath, kind, one, other = '' }: FolderAnswer): boolean {
  if (holdingsOf(store, folderPath)?.answers !== 1) return false
  return store.finds`
    SELECT 1 FROM folder_answers WHERE folder_path = ${folderPath} AND kind = ${kind} AND one = ${one}
    AND other = ${other}`
}

/** The initials of the person who gave this answer; null if there is none, or if it was given without. */
export function answeredBy(store: Store, { folderPath, kind, one, other = '' }: FolderAnswer): string | null {
  return store.value<string>`
  SELECT answered_by FROM folder_answers WHERE folder_path = ${folderPath} AND kind = ${kind} AND one = ${one}
  AND other = ${other}`
}

/** The pairs of numbers, and of names, that persons said are of one patient. */
export function samePatientsIn(
  store: Store,
  folderPath: string,
): readonly { readonly one: string; readonly other: string }[] {
  return store.rows<{ one: string; other: string }>`
    SELECT one, other FROM folder_answers WHERE folder_path = ${folderPath} AND kind = 'samePatient'`
}

export function learnShape(store: Store, folderPath: string, shape: string): void {
  store.run`INSERT OR IGNORE INTO folder_shapes (folder_path, shape) VALUES (${folderPath}, ${shape})`
}

export function hasShape(store: Store, folderPath: string, shape: string): boolean {
  return store.finds`
    SELECT 1 FROM folder_shapes WHERE folder_path = ${folderPath} AND shape = ${shape}`
}

/** Under so many numbers a word is a constant of its folder. More than a few say nothing more. */
const NUMBERS_OF_CONSTANT = 3
const MOST_NUMBERS = 8

/** In the column of numbers: a source has stated this word as a part of a name. It never becomes a constant. */
const OF_A_NAME = ''

/** Notes that a word stood beside this number, and in no name that a source states. */
export function learnTerm(store: Store, folderPath: string, term: string, number: string): void {
  store.run`
    INSERT OR IGNORE INTO folder_terms (folder_path, term, number)
    SELECT ${folderPath}, ${term}, ${number} WHERE (SELECT count(*) FROM folder_terms
    WHERE folder_path = ${folderPath} AND term = ${term} AND number <> ${OF_A_NAME}) < ${MOST_NUMBERS}`
}

/** Notes that a source has stated this word as a part of a person's name. */
export function learnNameTerm(store: Store, folderPath: string, term: string): void {
  store.run`
    INSERT OR IGNORE INTO folder_terms (folder_path, term, number)
    VALUES (${folderPath}, ${term}, ${OF_A_NAME})`
}

/**
 * True if only patients' numbers differ beside this word: a ward, a doctor. A surname has first names beside it, or is one
 * of many words that are rare: a folder has more surnames than wards.
 */
export function isConstant(store: Store, folderPath: string, term: string): boolean {
  const numbers = store.values<string>`
    SELECT number FROM folder_terms AS own WHERE folder_path = ${folderPath} AND term = ${term}
    AND (number = ${OF_A_NAME} OR NOT EXISTS (SELECT 1 FROM folder_terms AS beside
      WHERE beside.folder_path = own.folder_path AND beside.number = own.number AND beside.term <> own.term
      AND (SELECT count(*) FROM folder_terms AS same WHERE same.folder_path = own.folder_path
        AND same.term = beside.term) < ${NUMBERS_OF_CONSTANT}))`
  if (numbers.length < NUMBERS_OF_CONSTANT || numbers.includes(OF_A_NAME)) return false
  return !store.finds`
    SELECT 1 FROM folder_terms WHERE folder_path = ${folderPath} GROUP BY term
    HAVING sum(number <> ${OF_A_NAME}) BETWEEN 1 AND ${NUMBERS_OF_CONSTANT - 1}
    LIMIT 1 OFFSET ${numbers.length - 1}`
}

/** `prefix` begins the key of every visit of the patient, `bare` is the folded number; `exceptId` is the case that asks. */
type PatientQuery = {
  readonly folderPath: string
  readonly prefix: string
  readonly number: string
  readonly bare: string
  readonly exceptId: string
}

/** What may still be taken back teaches nothing: it counts as open. */
const LEAVES = "(state IN ('sending', 'sent', 'unconfirmed') OR state = 'waiting' AND undo_ms IS NULL)"

const WHO = "CASE WHEN json_valid(verdict) THEN verdict -> '$.who' END"

/**
 * Of an open case that counts which is more than its names: it is proven, a header or a person states it, or it is asked
 * whose it is, because its number looks like a time or none.
 */
const STATES = `(state IN ('collecting', 'incomplete', 'review', 'held') OR undo_ms IS NOT NULL) AND (
    ${WHO} ->> 'kind' = 'proven' OR ${WHO} ->> 'by' LIKE '%"dicom"%' OR ${WHO} ->> 'why' = 'placeholder'
    OR CASE WHEN json_valid(sources) THEN sources ->> 'history_number' END = 'person')`

/** A person has entered the number otherwise than the names of the files have it: another one, or another spelling. */
const IS_ENTERED_OTHERWISE = `coalesce(CASE WHEN json_valid(sources) AND json_valid(fields) THEN
    sources ->> 'history_number' = 'person' AND fields ->> 'history_number' <> @number COLLATE NOCASE END, 0)`

/** So many cases of a patient say enough of their name. */
const FEW_CASES = 5

/** `leaves`: it waits to be sent, or left; else it is open, and states the number. */
type CaseOfPatient = Pick<SubmissionRow, 'id' | 'reference' | 'state' | 'fields' | 'sources'> & {
  readonly leaves: 0 | 1
}

/**
 * The newest cases of this number, those that leave or left first, and last those to which a person gave a number that is
 * written otherwise. None: no patient of this number is known here. One that was sent under the wrong patient says nothing
 * of this one.
 */
export function casesOfPatient(store: Store, query: PatientQuery): CaseOfPatient[] {
  return store.rows<CaseOfPatient>(
    `SELECT id, reference, state, fields, sources, ${LEAVES} AS leaves FROM submissions WHERE id IN (
      SELECT submission_id FROM submission_keys
      WHERE folder_path = @folderPath AND group_key >= @prefix AND group_key < @end
      UNION SELECT id FROM submissions
      WHERE CASE WHEN json_valid(fields) THEN fields ->> 'history_number' END = @number COLLATE NOCASE
      AND folder_path = @folderPath
      UNION SELECT submission_id FROM folder_mentions JOIN submissions ON submissions.id = submission_id
      WHERE folder_mentions.folder_path = @folderPath AND number = @bare AND ${WHO} ->> 'why' = 'placeholder')
    AND id <> @exceptId AND (${LEAVES} OR ${STATES})
    AND coalesce(CASE WHEN json_valid(sent_wrongly) THEN sent_wrongly ->> 'because' END, '') <> 'patient'
    ORDER BY ${IS_ENTERED_OTHERWISE}, leaves DESC, position DESC LIMIT ${FEW_CASES}`,
    { ...query, end: `${query.prefix}\u{10FFFF}` },
  )
}

/** What a folder's visits are like follows from so many of the last ones. */
const MOST_VISITS = 50

/** Notes a visit that leaves: whether its images are of both eyes. Older visits count ever less. */
export function noteVisit(store: Store, folderPath: string, hasBothEyes: boolean): void {
  const [both, one] = hasBothEyes ? [1, 0] : [0, 1]
  store.run`
    INSERT INTO folder_visits (folder_path, of_both, of_one) VALUES (${folderPath}, ${both}, ${one})
    ON CONFLICT (folder_path) DO UPDATE SET
    of_both = CAST(of_both + ${both} AS INTEGER) / iif(of_both + of_one >= ${MOST_VISITS}, 2, 1),
    of_one = CAST(of_one + ${one} AS INTEGER) / iif(of_both + of_one >= ${MOST_VISITS}, 2, 1)`
}

/** How many of its last visits were of both eyes, and of one. */
export function visitsOf(store: Store, folderPath: string): { readonly both: number; readonly one: number } {
  const { both = 0, one = 0 } = holdingsOf(store, folderPath) ?? {}
  return { both, one }
}

/** Notes the numbers that a case mentions beside its own: if one becomes a patient's, the case is read again. */
export function noteMentions(
  store: Store,
  folderPath: string,
  submissionId: string,
  numbers: readonly string[],
): void {
  for (const number of numbers)
    store.run`
      INSERT OR IGNORE INTO folder_mentions (folder_path, number, submission_id)
      VALUES (${folderPath}, ${number}, ${submissionId})`
}

/** The cases that are not sent yet and mention this number beside their own. */
export function mentionsOf(store: Store, folderPath: string, number: string): string[] {
  return store.values<string>`
    SELECT submission_id FROM folder_mentions JOIN submissions ON submissions.id = submission_id
    WHERE folder_mentions.folder_path = ${folderPath} AND number = ${number}
    AND state IN ('collecting', 'incomplete', 'review', 'waiting', 'held')
    ORDER BY position`
}

/** The cases that wait for a person because of a word in their names. */
export function waitingForTerm(store: Store, folderPath: string): string[] {
  return store.values<string>`
    SELECT id FROM submissions WHERE state = 'review' AND folder_path = ${folderPath}
    AND CASE WHEN json_valid(verdict) THEN verdict ->> '$.who.why' END = 'unknownTerm' ORDER BY position`
}

/** The cases of this folder that are not sent yet, oldest first. */
export function openCasesOf(store: Store, folderPath: string): string[] {
  return store.values<string>`
    SELECT id FROM submissions WHERE state IN ('collecting', 'incomplete', 'review', 'waiting', 'held')
    AND folder_path = ${folderPath}
    AND id NOT IN (SELECT submission_id FROM quarantine) ORDER BY position`
}

/** Instants of confirmations in epoch milliseconds, by watched folder and id of the profile. */
export type ConfirmedNow = Readonly<Record<string, Readonly<Record<string, number>>>>

const confirmedFact = jsonColumn(z.record(z.string(), z.record(z.string(), z.number())))

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
    AND undo_ms IS NULL AND sent_wrongly IS NULL AND id NOT IN (SELECT submission_id FROM quarantine)
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
         AND undo_ms IS NULL AND sent_wrongly IS NULL AND ${NAMES_PROFILE} ORDER BY approved_at DESC LIMIT @limit)`,
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
