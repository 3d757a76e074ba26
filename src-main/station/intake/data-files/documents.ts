/** The statements of an XML or JSON document, split by visit. Pure. */
import type { StatedEye } from '../evidence.ts'
import { eyeOfTerm } from '../meaning/eyes.ts'
import {
  type Columns,
  type NameMeaning,
  nameMeaning,
  nameMeaningWithin,
  plainOf,
  type Statement,
  type Statements,
  termsIn,
  termsOf,
} from './names.ts'
import { areAboutCases, eyeOfRow } from './tables.ts'
import type { DataBlock, DataValue } from './trees.ts'

const PATIENT = new Set(
  termsIn(`
  patient patients patientinfo patientinformation patientdata patientdetails patientdemographics demographics
  demographic paciente pacientes datospaciente datosdelpaciente patienteninfo patientendaten subject person`),
)

const EXAM = new Set(
  termsIn(`
  exam exams examination examinations visit visits study studies case cases encounter session acquisition capture
  image images photo photos visita visitas examen exploracion estudio consulta caso casos untersuchung
  patienteyedata eyedata measurement measurements`),
)

/** Names of blocks between an eye and its values, or around eyes. */
const REFRACTION = new Set(
  termsIn(`
  data result results value values record records row rows item entry list eyes eye both fields sidecar
  refraction refractions refraccion autorefraction autoref subjective subjectiverefraction ref rm far distance
  refraktion refr tonometry tonometria tono nt iop pio va visualacuity acuity agudezavisual visus prism
  internaldata measure`),
)

/** By its name. Doctors have names and birth dates too, so values in an unknown block are not the patient's. */
type BlockKind = 'patient' | 'exam' | 'measured' | 'name' | 'other'

function blockKind(name: string): BlockKind {
  const plain = plainOf(name)
  // The members of a list at the top of the document.
  if (plain === '') return 'measured'
  if (PATIENT.has(plain)) return 'patient'
  if (EXAM.has(plain)) return 'exam'
  if (REFRACTION.has(plain)) return 'measured'
  return plain === 'name' || plain === 'personname' || plain === 'patientname' ? 'name' : 'other'
}

/** The eye of a block: `OD`, `RightEye`, `refrLeft`; null for `right` beside an unknown term. */
function eyeOfBlock(name: string): StatedEye | null {
  const terms = termsOf(name)
  const [eye, ...others] = terms.map(eyeOfTerm).filter((found) => found !== null)
  const rest = terms.filter((term) => eyeOfTerm(term) === null)
  return eye && others.length === 0 && rest.every((term) => REFRACTION.has(term)) ? eye : null
}

type NamedValue = DataValue & { readonly meaning: NameMeaning | null }

/** The values of a block with their meanings; null if they are not about a case. */
function valuesInBlock(block: DataBlock, kind: BlockKind, columns: Columns): readonly NamedValue[] {
  const values = block.values.map((value) => ({
    ...value,
    meaning:
      nameMeaningWithin(block.name, value.name, columns) ??
      nameInBlock(value.name, kind, columns) ??
      eyeOfMeasurement(value.name, block.name, columns),
  }))
  const hasNumber = values.some(({ meaning }) => isHistoryNumber(meaning))
  if (kind !== 'patient' || hasNumber) return values
  // <Patient><ID> is the patient's number only if no other value is: databases also number their rows.
  return values.map((value) =>
    value.meaning === null && /^(id|number|no|nr|numero|nummer)$/i.test(value.name)
      ? { ...value, meaning: nameMeaning('patient id', new Map()) }
      : value,
  )
}

function isHistoryNumber(name: NameMeaning | null): boolean {
  return name?.meaning.kind === 'field' && name.meaning.field === 'history_number'
}

/** The `first` and `last` of a name block. */
function nameInBlock(name: string, kind: BlockKind, columns: Columns): NameMeaning | null {
  if (kind !== 'name' && kind !== 'patient') return null
  const plain = plainOf(name)
  if (plain === 'first' || plain === 'given') return nameMeaning('firstname', columns)
  return plain === 'last' || plain === 'family' ? nameMeaning('lastname', columns) : null
}

/** `<IOP><OD>14</OD></IOP>`: the name is the eye, and the measurement is the block around it. */
function eyeOfMeasurement(name: string, blockName: string, columns: Columns): NameMeaning | null {
  const eye = eyeOfTerm(name)
  const around = eye && nameMeaning(blockName, columns)
  return around?.meaning.kind === 'measurement' ? { ...around, eye, specificity: 'specific' } : null
}

/** `images: {"a.jpg": "OD"}`, as in case.json: the name is a file's. */
function isFileWithEye(block: DataBlock, { name, value }: DataValue): boolean {
  const isOfImages = blockKind(block.name) === 'exam' && /^ima/i.test(block.name)
  return isOfImages && name.includes('.') && typeof value === 'string'
}

type DocumentStatements = {
  readonly visits: readonly Statements[]
  readonly ignoredCount: number
  readonly isAboutCases: boolean
}

/** Lists of visits repeat the values above them; a document beyond this is hostile. */
const MAX_STATEMENTS = 400_000

/** Null if the document holds more than any export does. */
export function documentStatements(root: DataBlock, columns: Columns): DocumentStatements | null {
  const walk: Walk = { columns, names: [], ignored: 0, budget: MAX_STATEMENTS }
  const around: Surroundings = { kinds: [blockKind(root.name)], eye: null, isRoot: true, isPatients: true }
  const visits = visitsIn(root, around, walk)
  if (walk.budget < 0) return null
  const stated = visits.filter((visit) => visit.length > 0)
  return { visits: stated, ignoredCount: walk.ignored, isAboutCases: areAboutCases(walk.names) }
}

type Walk = { readonly columns: Columns; readonly names: NameMeaning[]; ignored: number; budget: number }

type Surroundings = {
  readonly kinds: readonly BlockKind[]
  readonly eye: Statement['eye']
  readonly isRoot: boolean
  /** Values that any person has (names, sex, birth date) are the patient's here. */
  readonly isPatients: boolean
}

/** A list whose members state a patient or a day is a list of visits; everything else is one visit. */
function visitsIn(block: DataBlock, around: Surroundings, walk: Walk): Statements[] {
  const here = surroundingsOf(block, around, walk.columns)
  const own = ownStatements(here, walk)
  const listed: Statements[] = []
  for (const [name, members] of Map.groupBy(block.blocks, ({ name }) => name)) {
    const eye = eyeOfBlock(name)
    const inside = {
      kinds: [...here.kinds, eye ? 'measured' : blockKind(name)],
      eye: joined(here.eye, eye),
      isRoot: false,
      isPatients: here.isPatients,
    }
    const visits = members.map((member) => visitsIn(member, inside, walk))
    const isList =
      visits.some((found) => found.length > 1) || (members.length > 1 && visits.flat().some(isVisit))
    if (isList) for (const visit of visits.flat()) listed.push(visit)
    else for (const statement of visits.flat(2)) own.push(statement)
  }
  if (listed.length === 0) return [own]
  walk.budget -= listed.length * own.length
  return walk.budget < 0 ? [] : listed.map((visit) => [...own, ...visit])
}

function joined(outer: Statement['eye'], inner: Statement['eye']): Statement['eye'] {
  if (outer === null || inner === null) return outer ?? inner
  return outer === inner ? outer : 'unclear'
}

function isVisit(statements: Statements): boolean {
  return statements.some(({ meaning }) => {
    if (meaning.kind === 'field') return ['history_number', 'visit_date', 'last_name'].includes(meaning.field)
    return meaning.kind === 'plainDate' || meaning.kind === 'birthDate' || meaning.kind === 'fullName'
  })
}

type Here = Surroundings & {
  readonly block: DataBlock
  readonly values: readonly NamedValue[]
  readonly hasOwnEye: boolean
  readonly hasNumber: boolean
}

function surroundingsOf(block: DataBlock, around: Surroundings, columns: Columns): Here {
  const kind = around.kinds.at(-1) ?? 'other'
  const values = valuesInBlock(block, kind, columns)
  const eyes = values.filter(({ meaning }) => meaning?.meaning.kind === 'eye').map(({ value }) => value)
  const hasNumber = values.some(({ meaning }) => isHistoryNumber(meaning))
  const isKnown = kind !== 'other' || around.isRoot
  return {
    ...around,
    block,
    values,
    eye: joined(around.eye, eyeOfRow(eyes)),
    hasOwnEye: eyes.length > 0,
    hasNumber,
    isPatients: (around.isPatients && isKnown) || hasNumber,
  }
}

function ownStatements(here: Here, walk: Walk): Statement[] {
  const isMeasured =
    here.kinds.slice(1).includes('measured') ||
    here.values.some(({ meaning }) => meaning?.meaning.kind === 'measurement' && meaning.eye === null)
  const stated = here.values.flatMap((named): Statements => {
    const { name, value, meaning } = named
    if (!meaning && isFileWithEye(here.block, named)) return fileWithEye(name, value, walk)
    if (!meaning || !holdsHere(meaning, plainOf(name), here)) {
      walk.ignored += 1
      return []
    }
    const isOfEye = here.eye !== null && meaning.meaning.kind === 'measurement'
    walk.names.push(isOfEye ? { ...meaning, specificity: 'specific' } : meaning)
    const eye = meaning.eye ? joined(meaning.eye, here.hasOwnEye ? null : here.eye) : here.eye
    const statement = {
      meaning: meaning.meaning,
      plainName: plainOf(name),
      value,
      authority: meaning.authority,
      eye,
    }
    return [{ ...statement, ...(isMeasured && { isOfMeasurement: true as const }) }]
  })
  walk.budget -= stated.length
  return stated
}

function fileWithEye(name: string, value: unknown, walk: Walk): Statements {
  const eye = eyeOfRow([value])
  const both = { plainName: 'images', authority: 'interface', eye } as const
  for (const kind of ['file', 'eye'] as const)
    walk.names.push({ authority: 'interface', eye: null, meaning: { kind }, specificity: 'common' })
  return [
    { ...both, meaning: { kind: 'file' }, value: name },
    { ...both, meaning: { kind: 'eye' }, value },
  ]
}

/** True if a value of this meaning belongs to the patient, the visit or an eye at this point. */
function holdsHere({ meaning, authority, specificity }: NameMeaning, plainName: string, here: Here): boolean {
  if (authority === 'person') return true
  if (authority === 'interface' && specificity === 'specific' && plainName !== 'diabetes') return true
  const kind = here.kinds.at(-1)
  switch (meaning.kind) {
    case 'measurement':
      return here.kinds.slice(1).every((one) => one !== 'other' && one !== 'name')
    case 'plainDate':
      return here.hasOwnEye || here.hasNumber || kind === 'exam'
    case 'eye':
      return true
    case 'file':
      return here.isRoot || kind === 'exam' || here.hasOwnEye || here.hasNumber
    case 'field':
      // The last access to a patient's record is no visit (Mediworks writes both).
      if (meaning.field === 'visit_date') return kind !== 'patient' || !plainName.startsWith('check')
      return meaning.field === 'history_number' || here.isPatients
    default:
      return here.isPatients
  }
}
