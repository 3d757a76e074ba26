/** The patient and visit that one picture, or all pictures of a submission, claim to be of. Pure. */
import { FIELD_NAMES, type FieldName, type Fields, isCalendarDate } from '../../../../src-shared/fields.ts'
import type { Source, Submission } from '../../../../src-shared/submission.ts'
import type { NamedOnly, StoredIdentity } from '../../json-columns.ts'
import { type ContentFacts, otherPatients, type Sidecar, type Stated } from '../evidence.ts'
import type { PathReading } from '../names/group.ts'
import { isAlikeId, isSameId, shapeOf } from '../names/names.ts'

/** One picture with all its files: its own, its DICOM twin, copies under other names. */
export type VisitEvidence = {
  /** The readings of the paths, sorted by path, so that the order of arrival decides nothing. */
  readonly paths: readonly PathReading[]
  readonly facts: readonly ContentFacts[]
  /** Records of data files that name these files, or govern their folder. */
  readonly records: readonly Sidecar[]
  /** The record that governs the whole folder of the visit, if there is one. */
  readonly folderRecord: { readonly id: number; readonly sidecar: Sidecar } | null
  /** Records of other data files about a patient, by history number. */
  readonly recordsOfPatient: (historyNumber: string) => readonly Sidecar[]
  /** Local `YYYY-MM-DDTHH:MM:SS` of the file: the fallback if nothing states a date. */
  readonly fileTime: string
}

export type VisitIdentity = {
  /** Equal for all pictures of one patient and visit in one watched folder; never shown, never sent. */
  readonly key: string
  readonly historyNumber: Stated<string> | null
  /** `YYYY-MM-DD`; with the source `fileTime` if nothing states a date. */
  readonly visitDate: Stated<string>
  readonly certainty: 'profile' | 'agreed' | 'single' | 'none'
  /** Contradictory ids, none of which can be chosen. */
  readonly conflict: readonly string[] | null
  /** Every id that a path names. */
  readonly idsInPaths: readonly string[]
  /** Every id that a data file or the image itself states. */
  readonly statedIds: readonly string[]
  /** All records about this picture. */
  readonly records: readonly Sidecar[]
  /** The best known time of capture, `YYYY-MM-DDTHH:MM:SS`. */
  readonly takenAt: string
}

/**
 * The identity of one picture.
 *
 * The patient is the one stated by a data file or the image itself, else the one named in the paths. If a path
 * contradicts a stated id (another id of the same shape), the picture stays apart from both patients, unless a data
 * file beside it makes its whole folder one visit: then the question concerns the visit as a whole.
 */
export function visitIdentityOf(evidence: VisitEvidence): VisitIdentity {
  const { paths, facts, folderRecord } = evidence
  const idsInPaths = unique(paths.flatMap((path) => idsOf(path)))
  const stated: Stated<string>[] = [
    ...evidence.records.flatMap(({ fields }) => statedValue(fields.history_number, 'sidecar')),
    ...facts.flatMap(({ fields }) => statedValue(fields.history_number, 'dicom')),
  ]
  const patient = patientOf(evidence, stated, idsInPaths)
  const ofPatient = patient.historyNumber ? evidence.recordsOfPatient(patient.historyNumber.value) : []
  const dated = datesOf(evidence, evidence.records)
  const fitting = ofPatient.filter(
    ({ fields }) => dated === null || fields.visit_date === undefined || fields.visit_date === dated.value,
  )
  const records = [...new Set([...evidence.records, ...fitting])]
  const date = dated ?? datesOf(evidence, fitting)
  const day = evidence.fileTime.slice(0, 10)
  const spelled = paths.find(({ otherDate }) => otherDate !== null)?.otherDate
  const visit = folderRecord === null ? (date?.value ?? spelled ?? day) : (date?.value ?? '')
  const visitDate: Stated<string> = date ?? { value: day, source: 'fileTime' }
  return {
    ...patient,
    key: JSON.stringify([...patient.owner, visit]),
    visitDate,
    idsInPaths,
    statedIds: unique(stated.map(({ value }) => value)),
    records,
    takenAt: takenAt(evidence, visitDate),
  }
}

type IdentifiedPatient = Pick<VisitIdentity, 'historyNumber' | 'certainty' | 'conflict'> & {
  readonly owner: readonly string[]
}

function patientOf(
  { paths, folderRecord }: VisitEvidence,
  stated: readonly Stated<string>[],
  idsInPaths: readonly string[],
): IdentifiedPatient {
  const [first] = stated
  if (first !== undefined) {
    const others = stated.filter(({ value }) => !isSamePatient(value, first.value)).map(({ value }) => value)
    const rivals = unique([...others, ...otherPatients(idsInPaths, first.value)])
    const matching = folderRecord === null ? rivals : []
    return {
      owner: ownerOfIds([first.value, ...matching]),
      historyNumber: first,
      certainty: paths.some((path) => path.isIdentityAgreed) ? 'agreed' : 'single',
      conflict: rivals.length > 0 ? [first.value, ...rivals] : null,
    }
  }
  const own: IdentifiedPatient = patientOfPaths(paths, idsInPaths)
  return folderRecord === null ? own : { ...own, owner: ['record', String(folderRecord.id)] }
}

function patientOfPaths(paths: readonly PathReading[], idsInPaths: readonly string[]): IdentifiedPatient {
  const [id] = idsInPaths
  if (id === undefined)
    return { owner: paths[0]?.owner ?? [], historyNumber: null, certainty: 'none', conflict: null }
  const isOne =
    idsInPaths.every((other) => isAlikeId(other, id)) && paths.every((path) => path.conflict === null)
  if (!isOne)
    return { owner: ownerOfIds(idsInPaths), historyNumber: null, certainty: 'none', conflict: idsInPaths }
  const naming = paths.filter((path) => path.historyNumber !== null)
  const isByProfile = naming.every((path) => path.isPatientByOwnProfile)
  const isAgreed = naming.every((path) => path.isIdentityAgreed)
  return {
    owner: ownerOfIds([id]),
    historyNumber: naming[0]?.historyNumber ?? null,
    certainty: isByProfile ? 'profile' : isAgreed ? 'agreed' : 'single',
    conflict: null,
  }
}

function statedValue(value: string | undefined, source: Stated<string>['source']): Stated<string>[] {
  return value === undefined || value === '' ? [] : [{ value, source }]
}

function idsOf(path: PathReading): string[] {
  return [...(path.historyNumber ? [path.historyNumber.value] : []), ...(path.conflict ?? [])]
}

/** The first is the patient, the others only separate the picture: their order means nothing. */
function ownerOfIds(ids: readonly string[]): string[] {
  const [first = '', ...others] = ids.map((id) => id.toLowerCase())
  return ['patient', first, ...others.toSorted()]
}

/** A letter prefix is how a clinic marks an id that its camera stores without one (Phelcom's clinic prefix). */
function isSamePatient(one: string, other: string): boolean {
  if (isSameId(one, other) || isAlikeId(one, other)) return true
  return withoutPrefix(one) === withoutPrefix(other) && shapeOf(one) !== shapeOf(other)
}

function withoutPrefix(id: string): string {
  return id.toLowerCase().replace(/^[a-z]{1,8}-?(?=\d)/, '')
}

/** The date from the best source that states one; null if none does, or if equal sources disagree. */
function datesOf({ paths, facts }: VisitEvidence, records: readonly Sidecar[]): Stated<string> | null {
  const bySource: readonly (readonly Stated<string>[])[] = [
    records.flatMap(({ fields }) => statedValue(fields.visit_date, 'sidecar')),
    facts.flatMap(({ fields }) => statedValue(fields.visit_date, 'dicom')),
    paths.flatMap(({ visitDate }) => (visitDate === null ? [] : [visitDate])),
  ]
  const dates = bySource.find((of) => of.length > 0) ?? []
  const [first] = dates
  return first !== undefined && dates.every(({ value }) => value === first.value) ? first : null
}

function takenAt({ paths, facts, fileTime }: VisitEvidence, visitDate: Stated<string>): string {
  const byCamera = facts.find(({ capturedAt }) => capturedAt !== null)?.capturedAt
  if (byCamera !== undefined && byCamera !== null) return byCamera
  const time = paths.find((path) => path.time !== null)?.time
  return time === undefined || time === null ? fileTime : `${visitDate.value}T${time}`
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}

const CERTAINTIES: readonly StoredIdentity['certainty'][] = ['none', 'single', 'agreed', 'profile']

function uniqueValue<Value extends string>(values: readonly Value[]): Value[] {
  return [...new Set(values)]
}

/** What only the file names of this picture state, and no data file or attribute. */
function namedOnlyIn({ visitDate, statedIds, records }: VisitIdentity): readonly NamedOnly[] {
  const isPatientStated =
    statedIds.length > 0 || records.some(({ fields }) => fields.history_number !== undefined)
  const isDayStated =
    visitDate.source === 'sidecar' ||
    visitDate.source === 'dicom' ||
    records.some(({ fields }) => fields.visit_date !== undefined)
  return [...(isPatientStated ? [] : (['patient'] as const)), ...(isDayStated ? [] : (['visitDay'] as const))]
}

/** Another picture can only lower the certainty, never raise it: one matching name proves nothing for the others. */
export function identityOf(
  identities: readonly VisitIdentity[],
  stored: Pick<StoredIdentity, 'isAddendumAccepted' | 'isAtWork' | 'unitChanged' | 'joinedAfterEntry'>,
): StoredIdentity {
  const named = identities.find((visit) => visit.historyNumber !== null)?.historyNumber ?? null
  const dated = (
    identities.find((visit) => visit.visitDate.source !== 'fileTime') ??
    identities.toSorted((one, other) => (one.takenAt < other.takenAt ? -1 : 1))[0]
  )?.visitDate
  const conflict = uniqueValue(identities.flatMap((visit) => visit.conflict ?? []))
  const namedOnly = uniqueValue(identities.flatMap(namedOnlyIn))
  const lowest = Math.min(...identities.map((visit) => CERTAINTIES.indexOf(visit.certainty)))
  return {
    certainty: identities.length === 0 ? 'none' : (CERTAINTIES[lowest] ?? 'none'),
    conflict: conflict.length > 0 ? conflict : null,
    historyNumber: named?.value ?? null,
    historyNumberSource: named?.source ?? null,
    visitDate: dated?.value ?? null,
    visitDateSource: dated?.source ?? null,
    idsInPaths: uniqueValue(identities.flatMap((visit) => visit.idsInPaths)),
    statedIds: uniqueValue(identities.flatMap((visit) => visit.statedIds)),
    isAddendumAccepted: stored.isAddendumAccepted,
    namedOnly,
    ...(stored.isAtWork && { isAtWork: stored.isAtWork }),
    ...(stored.unitChanged && { unitChanged: stored.unitChanged }),
    ...(stored.joinedAfterEntry && { joinedAfterEntry: stored.joinedAfterEntry }),
  }
}

/** Every stated value of a visit with its source. Pure. */
export type FieldStatement = { readonly source: Source; readonly value: NonNullable<Fields[FieldName]> }

export type Statements = Readonly<Partial<Record<FieldName, readonly FieldStatement[]>>>

/** A person's age in whole years on a day; null if the days give no age. Days are `YYYY-MM-DD`. */
function ageOn(birthDate: string, day: string): number | null {
  if (!isCalendarDate(birthDate) || !isCalendarDate(day) || birthDate > day) return null
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return day.slice(5) < birthDate.slice(5) ? years - 1 : years
}

type StatementInput = {
  readonly identities: readonly VisitIdentity[]
  readonly paths: readonly PathReading[]
  readonly facts: readonly ContentFacts[]
  /** The patient's entry in the clinic's list, if there is one. */
  readonly listed: Sidecar | null
}

type StatementSource = { readonly source: Source; readonly fields: Fields; readonly birthDate: string | null }

function nameSource(path: PathReading): StatementSource[] {
  const { lastName, firstName } = path
  const source = lastName?.source ?? firstName?.source
  if (source === undefined) return []
  const fields = {
    ...(lastName ? { last_name: lastName.value } : {}),
    ...(firstName ? { first_name: firstName.value } : {}),
  }
  return [{ source, fields, birthDate: null }]
}

/** In the order of trust: data files of the visit, the images themselves, the clinic's list, file names. */
function sourcesOf(input: StatementInput): readonly StatementSource[] {
  const records = [...new Set(input.identities.flatMap((visit) => visit.records))]
  return [
    ...records.map((record): StatementSource => ({ ...record, source: 'sidecar' })),
    ...input.facts.map((facts): StatementSource => ({ ...facts, source: 'dicom' })),
    ...(input.listed ? [{ ...input.listed, source: 'patientList' as const }] : []),
    ...input.paths.flatMap(nameSource),
  ]
}

/**
 * The statements about each field, the most trusted source first. An age follows from the birth date and the visit's
 * day.
 */
export function statementsOf(input: StatementInput): Statements {
  const statements: Partial<Record<FieldName, FieldStatement[]>> = {}
  const add = (name: FieldName, source: Source, value: Fields[FieldName]): void => {
    if (value === undefined || value === '') return
    const list = (statements[name] ??= [])
    if (!list.some((one) => one.source === source && one.value === value)) list.push({ source, value })
  }
  const sources = sourcesOf(input)
  for (const { source, fields } of sources) for (const name of FIELD_NAMES) add(name, source, fields[name])
  for (const { historyNumber, visitDate } of input.identities) {
    if (historyNumber) add('history_number', historyNumber.source, historyNumber.value)
    if (visitDate.source !== 'fileTime') add('visit_date', visitDate.source, visitDate.value)
  }
  for (const { visitDate } of input.paths) if (visitDate) add('visit_date', visitDate.source, visitDate.value)
  const day = statements.visit_date?.[0]?.value
  for (const { source, birthDate } of sources) {
    const age = birthDate !== null && typeof day === 'string' ? ageOn(birthDate, day) : null
    if (age !== null) add('age', source, age)
  }
  return statements
}

type Disagreement = { readonly field: FieldName; readonly statements: readonly FieldStatement[] }

export type ComposedContent = {
  readonly fields: Fields
  readonly sources: Submission['sources']
  /** Fields on which two sources disagree and no person has decided. */
  readonly disagreements: readonly Disagreement[]
}

export type ContentInput = {
  /** The current content of the submission. A value that a person stated, even an empty one, is never overwritten. */
  readonly fields: Fields
  readonly sources: Submission['sources']
  readonly statements: Statements
  /** The day of the oldest file, used if nothing states the day of the visit. */
  readonly dayOfFiles: string | null
}

/** Free text: two sources rarely agree, and neither is wrong. */
const NEVER_DISAGREE: readonly FieldName[] = [
  'visit_reason',
  'ophthalmic_antecedents',
  'other_relevant_info',
  'retinologist_notes',
  // Ids are compared elsewhere, by their shapes.
  'history_number',
]

/** The value of the first source wins; it is shown with the others until a person has decided. */
export function composeContent(input: ContentInput): ComposedContent {
  const fields: Partial<Record<FieldName, Fields[FieldName]>> = {}
  const sources: Submission['sources'] = {}
  const disagreements: Disagreement[] = []
  for (const name of FIELD_NAMES) {
    const found = valueOf(name, input)
    if (!found) continue
    sources[name] = found.source
    if (found.value !== undefined) fields[name] = found.value
    const statements = input.statements[name] ?? []
    const [first] = statements
    const isDisputed =
      first !== undefined && statements.some(({ value }) => !isAlike(name, value, first.value))
    if (isDisputed && found.source !== 'person' && !NEVER_DISAGREE.includes(name))
      disagreements.push({ field: name, statements })
  }
  return { fields: fields as Fields, sources, disagreements }
}

function isAlike(name: FieldName, one: FieldStatement['value'], other: FieldStatement['value']): boolean {
  // Stated ages are rounded in either direction, and a birthday may lie in between.
  if (name === 'age') return Math.abs(Number(one) - Number(other)) <= 1
  if (typeof one === 'string' && typeof other === 'string' && name !== 'visit_date')
    return normalizedName(one) === normalizedName(other)
  return one === other
}

/** `Ana-María` and `ANA MARIA` are one name. */
function normalizedName(text: string): string {
  const terms = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return terms
    .filter((term) => term !== '')
    .toSorted()
    .join(' ')
}

function valueOf(
  name: FieldName,
  input: ContentInput,
): { readonly value: Fields[FieldName]; readonly source: Source } | null {
  if (input.sources[name] === 'person') return { value: input.fields[name], source: 'person' }
  const [first] = input.statements[name] ?? []
  if (first) return first
  if (name === 'visit_date' && input.dayOfFiles !== null)
    return { value: input.dayOfFiles, source: 'fileTime' }
  return null
}
