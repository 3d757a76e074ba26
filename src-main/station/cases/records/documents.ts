/** The statements of an XML or JSON document, split by visit. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { isFileName } from '../meaning/sources.ts'
import { eyeOfTerm } from '../meaning/vocabulary.ts'
import {
  isMeasurement,
  type Meaning,
  type NameMeaning,
  type Names,
  OF_VISIT,
  plainOf,
  type Statement,
  type Statements,
  termsIn,
  termsOf,
} from './headings.ts'
import { eyeOfRow } from './tables.ts'
import type { DataBlock, DataValue } from '../../../reader/messages.ts'
import { isNothing } from './values.ts'

const PATIENT = new Set(
  termsIn(`
  patient patients patientinfo patientdata patientdetails patientdemographics demographics demographic paciente
  pacientes patienten patientendaten subject person identification`),
)

const EXAM = new Set(
  termsIn(`
  exam exams examination examinations visit visits study studies case cases encounter session acquisition capture
  image images photo photos picture pictures photograph photographs scan scans series shot shots fundus retina
  retinal visita visitas examen examenes exploracion estudio captura consulta caso casos imagen imagenes foto fotos
  fotografia exame imagem toma untersuchung besuch aufnahme aufnahmen bild bilder patienteyedata eyedata measurement
  measurements laterality eye file archivo fichero fichier arquivo datei dateien`),
)

/** Names of blocks between an eye and its values, or around eyes. */
const MEASURED = new Set(
  termsIn(`
  result results value values eyes both refraction refractions refraccion autorefraction autoref subjective
  subjectiverefraction ref rm far distance refraktion refr tonometry tonometria tono nt iop pio va visualacuity
  acuity agudezavisual visus prism internaldata measure`),
)

/** Names that say nothing about what they hold. */
const WRAPPER = new Set(
  termsIn(`
  data datos daten dati donnees record records row rows item items entry entries list fields sidecar info information
  details detail set export result content body payload meta metadata annotation annotations de of the del`),
)

const PLANNED = termsIn(`
  order orders ordered ordering request requested requisition worklist scheduled schedule appointment orden pedido
  solicitud cita auftrag termin anforderung commande`)

/** Blocks of something else: an order, who sent it, an earlier exam, a treatment, another person, a place. */
const OTHER = new Set([
  ...PLANNED,
  ...termsIn(`
  referrer referring referral derivante derivacion uberweiser zuweiser
  previous prior earlier past last former history historial previo previa previos previas anterior anteriores ultima
  ultimo fruhere vorherige letzte precedent precedente comparison baseline followup next
  treatment treatments therapy laser injection surgery surgeries procedure operation tratamiento cirugia operacion
  behandlung therapie traitement diagnosis diagnoses medication medications
  operator technician doctor physician photographer nurse user author examiner provider clinician staff optometrist
  ophthalmologist reader grader performer medico doctora operador tecnico usuario arzt arztin bediener medecin
  relative relatives mother father parent parents guardian contact contacts kin spouse partner sibling child children
  emergency madre padre tutor familiar contacto mutter vater eltern angehorige kontakt
  institution hospital clinic facility site organization organisation insurance insurer billing address payer clinica
  seguro versicherung`),
])

/** A device and a document: something else, unless they hold all that is stated. */
const AROUND = new Set(
  termsIn(`
  device equipment instrument machine camera sensor software application workstation station dispositivo equipo camara
  gerat kamera appareil calibration document documents report reports attachment attachments informe informes documento
  bericht rapport letter header`),
)

/** `other`: nothing about this exam. `unknown`: perhaps of a doctor, so it gives nothing, but it may doubt. */
type BlockKind = 'patient' | 'exam' | 'measured' | 'name' | 'wrapper' | 'other' | 'around' | 'unknown'

function blockKind(name: string): BlockKind {
  const plain = plainOf(name)
  // The members of a list at the top of the document.
  if (plain === '') return 'wrapper'
  if (plain === 'name' || plain === 'personname' || plain === 'patientname') return 'name'
  const terms = termsOf(name)
  if (terms.some((term) => OTHER.has(term))) return 'other'
  if (terms.some((term) => AROUND.has(term))) return 'around'
  const own = terms.filter((term) => !WRAPPER.has(term))
  if (own.length === 0) return MEASURED.has(plain) ? 'measured' : 'wrapper'
  const isOf = (known: ReadonlySet<string>): boolean =>
    known.has(plain) || own.every((term) => known.has(term) || known.has(term.replace(/s$/, '')))
  if (isOf(PATIENT)) return 'patient'
  if (isOf(MEASURED)) return 'measured'
  return isOf(EXAM) || own.every((term) => EXAM.has(term) || PATIENT.has(term)) ? 'exam' : 'unknown'
}

/** The eye of a block: `OD`, `RightEye`, `refrLeft`; null for `right` beside an unknown term. */
function eyeOfBlock(name: string): StatedEye | null {
  const terms = termsOf(name)
  const [eye, ...others] = terms.flatMap((term) => eyeOfTerm(term) ?? [])
  const rest = terms.filter((term) => eyeOfTerm(term) === null)
  const isPlain = rest.every((term) => MEASURED.has(term) || WRAPPER.has(term) || EXAM.has(term))
  return eye && others.length === 0 && isPlain ? eye : null
}

type NamedValue = DataValue & { readonly meaning: NameMeaning | null }

/** The values of a block with their meanings; null if they are not about a case. */
function valuesInBlock(block: DataBlock, kind: BlockKind, names: Names): readonly NamedValue[] {
  const values = block.values.map((value) => ({
    ...value,
    meaning:
      names(value.name, block.name) ??
      nameInBlock(value.name, kind, names) ??
      eyeOfMeasurement(value.name, block.name, names),
  }))
  const hasNumber = values.some(({ meaning }) => meaning?.meaning === 'history_number')
  if (kind !== 'patient' || hasNumber || block.blocks.some(({ name }) => /^identifiers?$/i.test(name)))
    return values
  // <Patient><ID> is the patient's number only if no other value is: databases and documents number their parts, too.
  return values.map((value) =>
    value.meaning === null && !value.isAttribute && /^(id|number|no|nr|numero|nummer)$/i.test(value.name)
      ? { ...value, meaning: { meaning: 'history_number', eye: null, authority: 'specific' } }
      : value,
  )
}

/** The `first` and `last` of a name block. */
function nameInBlock(name: string, kind: BlockKind, names: Names): NameMeaning | null {
  if (kind !== 'name' && kind !== 'patient') return null
  const plain = plainOf(name)
  if (plain === 'first' || plain === 'given') return names('firstname')
  return plain === 'last' || plain === 'family' ? names('lastname') : null
}

/** `<IOP><OD>14</OD></IOP>`: the name is the eye, and the measurement is the block around it. */
function eyeOfMeasurement(name: string, blockName: string, names: Names): NameMeaning | null {
  const eye = eyeOfTerm(name)
  const around = eye && names(blockName)
  return around && isMeasurement(around.meaning) ? { ...specific(around), eye } : null
}

/** Other programs do not use a name in this way. */
function specific(name: NameMeaning): NameMeaning {
  return name.authority === 'common' ? { ...name, authority: 'specific' } : name
}

/** `images: {"a.jpg": "OD"}`, as in case.json: the name is a file's. */
function isFileWithEye(block: DataBlock, { name, value }: DataValue): boolean {
  const isOfImages = blockKind(block.name) === 'exam' && /^ima/i.test(block.name)
  return isOfImages && name.includes('.') && typeof value === 'string'
}

/** Lists of visits repeat the values above them; a document beyond this is hostile. */
const MAX_STATEMENTS = 400_000

/** The statements of each visit; null if they are more than any export has. `aside`: they may doubt only, each under its name. */
export function documentStatements(
  root: DataBlock,
  names: Names,
  use: 'values' | 'aside' = 'values',
): readonly Statements[] | null {
  const walk: Walk = { names, budget: MAX_STATEMENTS, counts: { with: new Map(), without: new Map() } }
  const kind = kindOfRoot(root.name)
  const aside = use === 'aside' ? '' : kind === 'other' ? root.name : null
  const visits = visitsIn(root, { kinds: [kind], eye: null, blockEye: null, aside }, walk)
  return walk.budget < 0 ? null : visits.filter((visit) => visit.length > 0)
}

/** A document that is an order as a whole is a work list's, and plans the exam of its day: its name says no more. */
function kindOfRoot(name: string): BlockKind {
  const kind = blockKind(name)
  const isPlan = termsOf(name).every((term) => PLANNED.includes(term) || WRAPPER.has(term) || EXAM.has(term))
  return isPlan || kind === 'unknown' || kind === 'around' ? 'wrapper' : kind
}

type Walk = {
  readonly names: Names
  budget: number
  readonly counts: Readonly<Record<'with' | 'without', Map<DataBlock, number>>>
}

type Surroundings = {
  /** Of all blocks around, the outermost first. */
  readonly kinds: readonly BlockKind[]
  /** The eye that is stated around it. */
  readonly eye: Statement['eye']
  /** The eye that the name of the block, or of one around it, states. */
  readonly blockEye: StatedEye | null
  /** The name of the block around it that may be of something else: it gives nothing, and may doubt. */
  readonly aside: string | null
}

/**
 * The kind of these members of one name. A block on the only path to all statements says nothing with its name; any other
 * that is not known to be of the patient, the exam or an eye is of something else.
 */
function kindOfMembers(name: string, members: readonly DataBlock[], outer: DataBlock, walk: Walk): BlockKind {
  // Results that each state whose they are: records.
  const isNumber = (one: DataValue): boolean => walk.names(one.name)?.meaning === 'history_number'
  if (/^(results?|values?)$/i.test(name) && members.every(({ values }) => values.some(isNumber)))
    return 'wrapper'
  const kind = eyeOfBlock(name) === null ? blockKind(name) : 'measured'
  if (kind !== 'unknown' && kind !== 'around') return kind
  const isAllAround = countIn(outer, walk, 'without') === 0
  if (kind === 'around') return isAllAround ? 'wrapper' : 'other'
  const around = isAllAround ? 'with' : 'without'
  const held = members.reduce((sum, member) => sum + countIn(member, walk, around), 0)
  return held > 0 && held === countIn(outer, walk, around) ? 'wrapper' : kind
}

/** How many values in a block state a patient, a day, an eye or a file; `with` those of a device or a document, or without. */
function countIn(block: DataBlock, walk: Walk, around: keyof Walk['counts']): number {
  const known = walk.counts[around].get(block)
  if (known !== undefined) return known
  let count = block.values.filter(({ name }) => {
    const found = walk.names(name)
    return found !== null && (found.meaning === 'file' || mayDoubt(found))
  }).length
  for (const one of block.blocks) {
    const kind = blockKind(one.name)
    if (kind !== 'other' && (kind !== 'around' || around === 'with')) count += countIn(one, walk, around)
  }
  walk.counts[around].set(block, count)
  return count
}

/** A list whose members state a patient or a day is a list of visits; everything else is one visit. */
function visitsIn(block: DataBlock, around: Surroundings, walk: Walk): Statements[] {
  const here = surroundingsOf(block, around, walk.names)
  const own = ownStatements(here, walk)
  const listed: Statements[] = []
  for (const [name, members] of Map.groupBy(block.blocks, ({ name }) => name)) {
    const kind = kindOfMembers(name, members, block, walk)
    // Unless a person has said what a value in it is.
    const isMapped = (one: DataValue): boolean => walk.names(one.name, name)?.authority === 'person'
    if (kind === 'other' && !members.some(({ values }) => values.some(isMapped))) continue
    const inside = {
      kinds: [...here.kinds, kind],
      eye: here.eye,
      blockEye: eyeOfBlock(name) ?? here.blockEye,
      aside: here.aside ?? (kind === 'unknown' || kind === 'other' ? name : null),
    }
    const visits = members.map((member) => visitsIn(member, inside, walk))
    const isList =
      visits.some((found) => found.length > 1) || (members.length > 1 && visits.flat().some(isVisit))
    if (isList && inside.aside === null) for (const visit of visits.flat()) listed.push(visit)
    else for (const statement of visits.flat(2)) own.push(statement)
  }
  if (listed.length === 0) return [own]
  walk.budget -= listed.length * own.length
  return walk.budget < 0 ? [] : listed.map((visit) => [...own, ...visit])
}

const STATING_VISIT: readonly Meaning[] = [...OF_VISIT, 'birth_date']

function isVisit(statements: Statements): boolean {
  return statements.some(({ meaning, aside }) => aside === undefined && STATING_VISIT.includes(meaning))
}

type Here = Surroundings & {
  readonly block: DataBlock
  readonly values: readonly NamedValue[]
  /** It is an exam by its name, or by an eye or a patient's number in it. */
  readonly isOfExam: boolean
}

/** An eye that is stated in a block is that of the block; around it may be stated another one, and its name only agrees. */
function surroundingsOf(block: DataBlock, around: Surroundings, names: Names): Here {
  const kind = around.kinds.at(-1) ?? 'wrapper'
  const values = valuesInBlock(block, kind, names)
  const hasNumber = values.some(({ meaning }) => meaning?.meaning === 'history_number')
  const eyes = values.filter(({ meaning }) => meaning?.meaning === 'eye').map(({ value }) => value)
  const { blockEye } = around
  const own = eyeOfRow(eyes)
  const isContradiction = own !== null && blockEye !== null && own !== blockEye
  return {
    ...around,
    block,
    values,
    eye: isContradiction ? 'unclear' : (own ?? blockEye ?? around.eye),
    isOfExam: kind === 'exam' || eyes.length > 0 || hasNumber,
  }
}

function ownStatements(here: Here, walk: Walk): Statement[] {
  const isOfOther =
    here.kinds.includes('measured') ||
    here.values.some(({ meaning: found, value }) => {
      if (found === null) return false
      const isMeasured = isMeasurement(found.meaning) && found.eye === null && !isNothing(value)
      return isMeasured || (found.meaning === 'file' && isFileName(value))
    })
  const stated = here.values.flatMap((named): Statements => {
    const { name, value, meaning: found, isListed } = named
    const isAside = here.aside !== null && found?.authority !== 'person'
    if (!found && !isAside && isFileWithEye(here.block, named)) return fileWithEye(name, value)
    if (!found) return []
    const { meaning } = found
    const isOfMap = isListed && isMeasurement(meaning)
    const plainName = plainOf(name)
    if (isOfMap || !(isAside ? mayDoubt(found) : holdsHere(found, plainName, here))) return []
    const { authority } = here.eye !== null && isMeasurement(meaning) ? specific(found) : found
    const isOtherEye = found.eye !== null && here.blockEye !== null && here.blockEye !== found.eye
    const eye = isOtherEye ? 'unclear' : (found.eye ?? here.eye)
    const statement = { meaning, plainName, value, authority, eye, isOfOther }
    return [isAside ? { ...statement, aside: here.aside || name } : statement]
  })
  walk.budget -= stated.length
  return stated
}

function fileWithEye(name: string, value: unknown): Statements {
  const eye = eyeOfRow([value])
  const both = { plainName: 'images', authority: 'common', eye, isOfOther: true } as const
  return [
    { ...both, meaning: 'file', value: name },
    { ...both, meaning: 'eye', value },
  ]
}

/** What a block of no known kind may contradict: patient, day and eye under names that are of nothing else. */
function mayDoubt({ meaning, authority }: NameMeaning): boolean {
  switch (meaning) {
    case 'history_number':
    case 'visit_date':
    case 'last_name':
    case 'first_name':
    case 'surname1':
    case 'birth_date':
    case 'eye':
      return true
    default:
      return meaning === 'fullName' && authority !== 'common'
  }
}

/** True if a value of this meaning belongs to the patient, the visit or an eye at this point. */
function holdsHere({ meaning, authority }: NameMeaning, plainName: string, here: Here): boolean {
  if (authority === 'person' || authority === 'interface') return true
  const kind = here.kinds.at(-1)
  if (isMeasurement(meaning)) return !here.kinds.includes('name')
  switch (meaning) {
    case 'plainDate':
      return here.isOfExam
    case 'file':
      return here.isOfExam || here.kinds.length === 1 || kind === 'wrapper'
    case 'visit_date':
      // The last access to a patient's record is no visit (Mediworks writes both).
      return kind !== 'patient' || !plainName.startsWith('check')
    default:
      return true
  }
}
