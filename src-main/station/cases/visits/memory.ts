/** What the station has learnt of the numbers and names of one watched folder, and what persons have answered. */
import { isUnsent } from '../../../../src-shared/states.ts'
import { factsColumn, fieldsColumn, identityColumn, recordIn, sourcesColumn } from '../../json-columns.ts'
import type { FolderAnswer } from '../../outbox/folder-memory.ts'
import type { ImageRow, SubmissionRow } from '../../outbox/rows.ts'
import { type ContentFacts, foldPath } from '../meaning/sources.ts'
import { bareId, shapeOf, spellingOfId } from '../meaning/numbers.ts'
import { numbersIn } from '../names/numbers.ts'
import {
  type Doubt,
  type FolderMemory,
  type Statement,
  statementOf,
  type TimedPicture,
} from '../verdict/evidence.ts'
import { isAcross, labelOf, nameKey, nameTerms, type Person, personIn } from '../meaning/persons.ts'
import { nameTermsInPath } from '../verdict/named-people.ts'
import { isSpellingOf } from '../verdict/second-numbers.ts'
import { isHabitOfBoth, type VisitVerdict } from '../verdict/visit.ts'
import type { CollectedPicture, InFolder, ReadContext, VisitContext } from './pictures.ts'

/** What is known of the pictures of one case. */
type Evidence = {
  readonly pictures: readonly CollectedPicture[]
  readonly verdict: VisitVerdict | null
}

/** What is known of one folder; `exceptId` is the case that asks, which proves nothing to itself. */
export function memoryOf(context: InFolder, exceptId = ''): FolderMemory {
  const { outbox, folderPath } = context
  const isAnswered = (answer: Omit<FolderAnswer, 'folderPath'>): boolean =>
    outbox.hasAnswer({ ...answer, folderPath })
  // `sharersOf` asks about those that a person has separated.
  const casesOf = (id: string) => {
    const own = outbox.rowOf(exceptId)
    const separated = own === undefined ? [] : (identityColumn.read(own.identity).separatedFrom ?? [])
    const query = { folderPath, prefix: visitsOf(id), number: id, bare: bareId(id), exceptId }
    return outbox
      .casesOfPatient(query)
      .filter((one) => (one.leaves === 1 || !separated.includes(one.id)) && !isCorrected(one, id))
  }
  const imagesIn = (cases: ReturnType<typeof casesOf>) => cases.flatMap((one) => outbox.imageRowsOf(one.id))
  const isConstant = (term: string): boolean => outbox.isConstant(folderPath, term)
  return {
    isPatient: (id) =>
      isAnswered({ kind: 'patientNumber', one: bareId(id) }) ||
      casesOf(id).some(({ leaves }) => leaves === 1),
    isShapeOfIds: (shape) => outbox.hasShape(folderPath, shape),
    isConstant,
    holderOf: (id) => {
      const cases = casesOf(id)
      const [newest] = cases
      if (newest === undefined) return null
      const images = imagesIn(cases)
      const inFields = cases.map(({ fields }) =>
        personIn({ fields: fieldsColumn.readOr(fields, {}), birthDate: null }),
      )
      const people = [...images.flatMap(({ facts }) => factsIn(facts).map(personIn)), ...inFields]
      const named = inFields.flatMap(({ lastName, firstName }) => nameTerms(lastName, firstName))
      const inPaths = images.flatMap(({ file_name: path }) => nameTermsInPath(path))
      const terms = [...new Set([...named, ...inPaths.filter((term) => !isConstant(term))])]
      return { terms, people, source: caseSource(newest), where: newest.reference }
    },
    peopleOf: (id) => (isNumberEntered(context, exceptId) ? [] : peopleFound(context, id)),
    issuersOf: (id) =>
      imagesIn(casesOf(id))
        .flatMap(({ facts }) => factsIn(facts))
        .flatMap(({ stated }) => stated?.issuer ?? []),
    holdsBothEyes: () => isHabitOfBoth(outbox.visitsOf(folderPath)),
    visitsOn: (id, day) =>
      outbox
        .submissionsOfGroup(folderPath, JSON.stringify(['patient', bareId(id), day]))
        .filter((row) => row.id !== exceptId && row.state !== 'discarded')
        .map((row) => outbox.imageRowsOf(row.id).filter(isSpeaking).map(timedOf)),
    isNoPatientNumber: (number) => {
      if (isAnswered({ kind: 'noPatientNumber', one: bareId(number) })) return true
      const shape = shapeOf(number)
      return isAnswered(ofShape(shape)) && !outbox.hasShape(folderPath, shape)
    },
    areSamePatient: (one, other) =>
      isAnswered(ofOnePatient(bareId(one), bareId(other))) ||
      isAnswered(ofOnePatient(spellingOfId(one), spellingOfId(other))),
    areOnePerson: (one, other) => isAnswered(ofOnePatient(nameKey(one), nameKey(other))),
    answeredBy: (one, other) =>
      outbox.answeredBy({ ...ofOnePatient(nameKey(one), nameKey(other)), folderPath }) ?? '',
  }
}

/** A person has given the case another number than the names of its files have, and not just none: it says nothing of theirs. */
function isCorrected(
  { fields, sources }: Pick<SubmissionRow, 'fields' | 'sources'>,
  number: string,
): boolean {
  if (sourcesColumn.readOr(sources, {}).history_number !== 'person') return false
  const { history_number: entered } = fieldsColumn.readOr(fields, {})
  // Names may leave out the clinic's letters in front, which a person has entered.
  return entered !== undefined && !isSpellingOf(number, entered)
}

function caseSource({ state }: Pick<SubmissionRow, 'state'>): 'sentCase' | 'openCase' {
  return state === 'sent' ? 'sentCase' : 'openCase'
}

/**
 * The cases that a person has separated from this one and that have its number: two people never keep one, from any
 * source. One that was sent keeps it; then the answer of a person that it is this one's is enough.
 */
export function sharersOf(
  { outbox }: Pick<ReadContext, 'outbox'>,
  { identity }: Pick<SubmissionRow, 'identity'>,
  number: string | undefined,
): readonly Statement<string>[] {
  const { separatedFrom = [], ownNumber } = identityColumn.read(identity)
  if (number === undefined) return []
  return separatedFrom.flatMap((id) => {
    const other = outbox.rowOf(id)
    if (other === undefined || other.state === 'discarded') return []
    const { history_number, last_name, first_name } = fieldsColumn.read(other.fields)
    if (history_number === undefined || bareId(history_number) !== bareId(number)) return []
    if (!isUnsent(other.state) && ownNumber !== undefined && bareId(ownNumber) === bareId(number)) return []
    const name = [last_name, first_name].filter(Boolean).join(' ')
    return [{ value: name || history_number, source: caseSource(other), where: other.reference }]
  })
}

function factsIn(text: string | null): readonly ContentFacts[] {
  return text !== null && factsColumn.canRead(text) ? [factsColumn.read(text)] : []
}

/** True for images that are sent. */
export function isSpeaking({
  twin_of,
  excluded_because,
}: Pick<ImageRow, 'twin_of' | 'excluded_because'>): boolean {
  return twin_of === null && excluded_because === null
}

/** When the picture of an image was taken, by the camera if it says so, and its eye. */
export function timedOf({ id, eye, facts, mtime_ms }: ImageRow): TimedPicture {
  const [capturedAt = null] = factsIn(facts).map((one) => one.capturedAt)
  const takenAt = capturedAt === null ? mtime_ms : Date.parse(capturedAt)
  return { id, takenAt, eye: eye === 'unknown' ? null : eye }
}

/** A person has said whose the case is. */
function isNumberEntered({ outbox }: ReadContext, id: string): boolean {
  const sources = outbox.rowOf(id)?.sources
  return sources !== undefined && sourcesColumn.readOr(sources, {}).history_number === 'person'
}

/** The people whom records under this number, and the clinic's patient list, name. */
function peopleFound(
  { outbox, settings, peopleInPatientList, folderPath }: InFolder,
  id: string,
): readonly Statement<Person>[] {
  const rows = outbox.hasSidecarRecords(folderPath)
    ? outbox.recordsMatching(folderPath, { kind: 'patient', key: foldPath(id) })
    : []
  const stated = new Set(
    rows.flatMap(({ relative_path: path, withdrawn_at: until }) => (until === null ? [foldPath(path)] : [])),
  )
  // What a data file has corrected doubts nothing; a row that is gone from it does.
  const inForce = rows.filter(
    ({ relative_path: path, withdrawn_at: until }) => until === null || !stated.has(foldPath(path)),
  )
  const inRecords = inForce.flatMap(({ relative_path: where, content }) =>
    recordIn(content).map((record) => statementOf(personIn(record), 'sidecar', where)),
  )
  const listed = settings().patientList === null ? [] : (peopleInPatientList?.(id) ?? [])
  const inList = listed.map((entry) => statementOf(personIn(entry), 'patientList'))
  return [...new Map([...inRecords, ...inList].map((one) => [labelOf(one.value), one])).values()]
}

/** The beginning of the keys of all visits of a patient. */
function visitsOf(id: string): string {
  return `${JSON.stringify(['patient', bareId(id)]).slice(0, -1)},`
}

function ofShape(shape: string): Omit<FolderAnswer, 'folderPath'> {
  return { kind: 'noPatientNumber', one: shape, other: 'shape' }
}

function ofOnePatient(one: string, other: string): Omit<FolderAnswer, 'folderPath'> {
  const [first = '', second = ''] = [one, other].toSorted()
  return { kind: 'samePatient', one: first, other: second }
}

/** Who gave an answer that is remembered, and when. */
export type Answered = { readonly by: string | undefined; readonly at: number }

/** Do the statements of the dispute name people, and not numbers? */
function isAboutPeople(why: Doubt): boolean {
  return why === 'twoPeople' || why === 'sharedNumber'
}

/**
 * Remembers that all numbers and names of this case are of one patient. Across birth dates or sexes the answer holds for
 * this case alone: then the shared number that is this patient's is returned, and nothing is remembered.
 */
export function rememberSamePatient(
  context: InFolder<VisitContext>,
  id: string,
  { pictures, verdict }: Evidence,
  answered: Answered,
): string | null {
  const disputed = verdict?.who.kind === 'disputed' ? verdict.who : null
  const { outbox, folderPath } = context
  const people = pictures.flatMap((picture) => picture.people.map(({ value }) => value))
  const ids = pictures.flatMap((picture) => picture.ids.map(({ value }) => value))
  const found = [...new Set(ids)].flatMap((one) => peopleFound(context, one))
  const { holderOf } = memoryOf(context, id)
  const shared = (disputed?.why === 'sharedNumber' && disputed.about) || null
  const held = (shared !== null && holderOf(shared)?.people) || []
  const known = [...people, ...found.map(({ value }) => value), ...held]
  if (known.some((one, at) => known.slice(at + 1).some((other) => isAcross(one, other)))) return shared
  // A sex or a birth date without a name is of many: of this case it is answered, and of no other.
  const nameless = people.filter(({ lastName, firstName }) => nameTerms(lastName, firstName).length === 0)
  const unnamed = nameless.map(labelOf)
  const labels = [
    ...(disputed && isAboutPeople(disputed.why) ? disputed.statements.map(({ value }) => value) : []),
    ...people.map(labelOf),
  ].filter((label) => !unnamed.includes(label))
  const numbers = [
    ...pictures.flatMap(({ ids, idHints }) => [...ids, ...idHints]),
    ...(disputed === null || isAboutPeople(disputed.why) ? [] : disputed.statements),
  ].map(({ value }) => value)
  const spellings = pairsOf(numbers.map(spellingOfId)).filter(([one, other]) => bareId(one) === bareId(other))
  const alike = [numbers.map(bareId), labels.map(nameKey)].map((each) => each.filter((one) => one !== ''))
  for (const [one, other] of [...alike.flatMap(pairsOf), ...spellings])
    outbox.storeAnswer({ ...ofOnePatient(one, other), folderPath }, answered)
  return null
}

/** A person parted these pictures: no number and no name of one group is of the patient of another. */
export function forgetSamePatient(
  { outbox, folderPath }: InFolder<VisitContext>,
  groups: readonly (readonly CollectedPicture[])[],
): void {
  const voices = groups.map((pictures) => voiceOf(pictures))
  const groupsWith = (value: string): readonly number[] =>
    voices.flatMap((voice, at) => (speaks(voice, value) ? [at] : []))
  for (const { one, other } of outbox.samePatientsIn(folderPath)) {
    const others = groupsWith(other)
    if (groupsWith(one).some((at) => others.some((group) => group !== at)))
      outbox.withdrawAnswer({ ...ofOnePatient(one, other), folderPath })
  }
}

/** A person takes back what was said before of the numbers and names of this case: it is asked again. */
export function withdrawSamePatient(
  context: InFolder<VisitContext>,
  { pictures }: Pick<Evidence, 'pictures'>,
): void {
  const { outbox, folderPath } = context
  const ids = new Set(pictures.flatMap((picture) => picture.ids.map(({ value }) => value)))
  const found = [...ids].flatMap((id) => peopleFound(context, id))
  const voice = voiceOf(pictures, found)
  for (const { one, other } of outbox.samePatientsIn(folderPath))
    if (speaks(voice, one) && speaks(voice, other))
      outbox.withdrawAnswer({ ...ofOnePatient(one, other), folderPath })
}

type Voice = { readonly numbers: readonly string[]; readonly terms: readonly string[] }

/** The numbers and the terms of names that these pictures, and the people found through their number, state. */
function voiceOf(pictures: readonly CollectedPicture[], found: readonly Statement<Person>[] = []): Voice {
  const people = [...found, ...pictures.flatMap((picture) => picture.people)]
  return {
    numbers: numbersBeside(pictures, ''),
    terms: [
      ...people.flatMap(({ value }) => nameTerms(labelOf(value))),
      ...pictures.flatMap(({ paths }) => paths.flatMap(nameTermsInPath)),
    ],
  }
}

function speaks({ numbers, terms }: Voice, value: string): boolean {
  return (
    numbers.includes(value) ||
    numbers.includes(bareId(value)) ||
    value.split(' ').every((term) => terms.includes(term))
  )
}

function pairsOf(values: readonly string[]): readonly (readonly [string, string])[] {
  const distinct = [...new Set(values)]
  return distinct.flatMap((one, at) => distinct.slice(at + 1).map((other) => [one, other] as const))
}

export type NumberAnswer = { readonly number: string; readonly isPatients: boolean }

/** Is a number a patient's here? A `no` holds for its whole shape, unless ids (`own` is the case's) have that shape. */
export function rememberNumber(
  { outbox, folderPath }: InFolder<VisitContext>,
  { number, isPatients, own }: NumberAnswer & { readonly own: string },
  answered: Answered,
): void {
  const shape = shapeOf(number)
  const [now, before] = isPatients
    ? (['patientNumber', 'noPatientNumber'] as const)
    : (['noPatientNumber', 'patientNumber'] as const)
  outbox.withdrawAnswer({ folderPath, kind: before, one: bareId(number) })
  outbox.storeAnswer({ folderPath, kind: now, one: bareId(number) }, answered)
  const answerOnShape = { ...ofShape(shape), folderPath }
  if (isPatients) outbox.withdrawAnswer(answerOnShape)
  else if (shape !== shapeOf(own) && !outbox.hasShape(folderPath, shape))
    outbox.storeAnswer(answerOnShape, answered)
}

/** The numbers that these pictures mention beside the one of their case, folded. */
export function numbersBeside(pictures: readonly CollectedPicture[], own: string): readonly string[] {
  const mentioned = pictures.flatMap(({ ids, idHints, paths }) => [
    ...[...ids, ...idHints].map(({ value }) => value),
    ...paths.flatMap((path) => numbersIn(path).flatMap(({ core, readings }) => [core, ...readings])),
  ])
  return [...new Set(mentioned.map(bareId))].filter((number) => number !== bareId(own))
}

/** Shorter numbers count wards and pictures: their shapes say nothing. */
const MIN_LEARNT = 4

/** Learns the number and the words beside it of an approved or proven case. True if a word has become a constant. */
export function learnFrom(
  { outbox, folderPath }: InFolder<VisitContext>,
  number: string,
  { pictures }: Pick<Evidence, 'pictures'>,
): boolean {
  if (bareId(number).length >= MIN_LEARNT) outbox.learnShape(folderPath, shapeOf(number))
  const stated = new Set(
    pictures.flatMap(({ people }) =>
      people.flatMap(({ value }) => nameTerms(value.lastName, value.firstName)),
    ),
  )
  for (const term of stated) outbox.learnNameTerm(folderPath, term)
  const beside = new Set(pictures.flatMap(({ paths }) => paths.flatMap(nameTermsInPath)))
  const strange = [...beside].filter((term) => !stated.has(term) && !outbox.isConstant(folderPath, term))
  for (const term of strange) outbox.learnTerm(folderPath, term, bareId(number))
  return strange.some((term) => outbox.isConstant(folderPath, term))
}
