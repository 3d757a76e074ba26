/** What was learnt of the numbers and names of one watched folder, and what persons have answered about them. */
import type { Store } from './database.ts'
import { holdingsOf } from './files.ts'
import type { SubmissionRow } from './rows.ts'

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
  { by, at }: { readonly by: string | undefined; readonly at: number },
): void {
  store.run`
    INSERT OR IGNORE INTO folder_answers (folder_path, kind, one, other, answered_by, answered_at)
    VALUES (${folderPath}, ${kind}, ${one}, ${other}, ${by ?? null}, ${at})`
}

export function withdrawAnswer(store: Store, { folderPath, kind, one, other = '' }: FolderAnswer): void {
  store.run`
    DELETE FROM folder_answers WHERE folder_path = ${folderPath} AND kind = ${kind} AND one = ${one}
    AND other = ${other}`
}

export function hasAnswer(store: Store, { folderPath, kind, one, other = '' }: FolderAnswer): boolean {
  if (holdingsOf(store, folderPath).answers === 0) return false
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

/** True if only patients' numbers differ beside this word: a ward, a doctor. A surname has first names beside it. */
export function isConstant(store: Store, folderPath: string, term: string): boolean {
  const numbers = store.values<string>`
    SELECT number FROM folder_terms AS own WHERE folder_path = ${folderPath} AND term = ${term}
    AND (number = ${OF_A_NAME} OR NOT EXISTS (SELECT 1 FROM folder_terms AS beside
      WHERE beside.folder_path = own.folder_path AND beside.number = own.number AND beside.term <> own.term
      AND (SELECT count(*) FROM folder_terms AS same WHERE same.folder_path = own.folder_path
        AND same.term = beside.term) < ${NUMBERS_OF_CONSTANT}))`
  return numbers.length >= NUMBERS_OF_CONSTANT && !numbers.includes(OF_A_NAME)
}

/** `prefix` begins the key of every visit of the patient, `bare` is the folded number; `exceptId` is the case that asks. */
type PatientQuery = {
  readonly folderPath: string
  readonly prefix: string
  readonly number: string
  readonly bare: string
  readonly exceptId: string
}

const LEAVES = "state IN ('waiting', 'sending', 'sent', 'unconfirmed')"

const WHO = "CASE WHEN json_valid(verdict) THEN verdict -> '$.who' END"

/**
 * Of an open case that counts which is more than its names: it is proven, a header or a person states it, or it is asked
 * whose it is, because its number looks like a time or none.
 */
const STATES = `state IN ('collecting', 'incomplete', 'review', 'held') AND (
    ${WHO} ->> 'kind' = 'proven' OR ${WHO} ->> 'by' LIKE '%"dicom"%' OR ${WHO} ->> 'why' = 'placeholder'
    OR CASE WHEN json_valid(sources) THEN sources ->> 'history_number' END = 'person')`

/** A person has entered the number otherwise than the names of the files have it: another one, or another spelling. */
const IS_ENTERED_OTHERWISE = `CASE WHEN json_valid(sources) AND json_valid(fields) THEN
    sources ->> 'history_number' = 'person' AND fields ->> 'history_number' <> @number COLLATE NOCASE ELSE 0 END`

/** So many cases of a patient say enough of their name. */
const FEW_CASES = 5

/** `leaves`: it waits to be sent, or left; else it is open, and states the number. */
type CaseOfPatient = Pick<SubmissionRow, 'id' | 'reference' | 'state' | 'fields' | 'sources'> & {
  readonly leaves: 0 | 1
}

/**
 * The newest cases of this number, those that leave or left first, and last those to which a person gave a number that is
 * written otherwise. None: no patient of this number is known here.
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
    of_both = (of_both + ${both}) / iif(of_both + of_one >= ${MOST_VISITS}, 2, 1),
    of_one = (of_one + ${one}) / iif(of_both + of_one >= ${MOST_VISITS}, 2, 1)`
}

/** How many of its last visits were of both eyes, and of one. */
export function visitsOf(store: Store, folderPath: string): { readonly both: number; readonly one: number } {
  const { both, one } = holdingsOf(store, folderPath)
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
