/** The meanings of headings, elements and keys in data files of clinics and programs. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import {
  type FieldName,
  isFieldName,
  type Measurement,
  type MeasurementField,
  MEASUREMENTS,
  measurementOf,
} from '../../../../src-shared/fields.ts'
import { remembered } from '../names/tokens.ts'
import type { DateOrder } from '../meaning/dates.ts'
import { eyeOfTerm, eyeTermOf } from '../meaning/vocabulary.ts'

/**
 * The meaning of a name: a field, a measurement, which takes the eye stated beside it, or
 * - `misfit`      a row whose cells do not stand under their headings
 * - `plainDate`   may be the visit's, if it is beside a patient or in an examination
 * - `fullName`    both names in one value
 * - `nameAlone`   a last name beside a first name, else perhaps both
 * - `firstAlone`  `nombre`: without a last name it may hold both
 * - `surname1`, `surname2`  of Spanish records
 */
export type Meaning =
  | Exclude<FieldName, MeasurementField>
  | Measurement
  | 'birth_date'
  | 'eye'
  | 'file'
  | 'misfit'
  | 'plainDate'
  | 'fullName'
  | 'nameAlone'
  | 'firstAlone'
  | 'surname1'
  | 'surname2'

/** Names of a person, whole or in parts. */
export const NAMES_OF_PERSON = [
  'last_name',
  'first_name',
  'fullName',
  'nameAlone',
  'firstAlone',
  'surname1',
  'surname2',
] as const

/** What a visit is known by. */
export const OF_VISIT = ['history_number', 'visit_date', 'last_name', 'plainDate', 'fullName'] as const

export function isMeasurement(meaning: Meaning): meaning is Measurement {
  return MEASUREMENTS.some((one) => one === meaning)
}

/**
 * Who says what a name means; the first wins.
 * - `person`     mapped by a profile
 * - `interface`  a name that only the interface has
 * - `specific`   found only in files about cases
 * - `common`     also used by other programs
 */
type Authority = 'person' | 'interface' | 'specific' | 'common'

/**
 * Headings, elements and keys, without spaces, punctuation, accents and capitals: of the interface, of Zeiss, Topcon
 * MYAH, Mediworks and Eye-Office, and common terms in five languages.
 */
const NAMES: Readonly<Record<'specific' | 'common', Readonly<Partial<Record<Meaning, string>>>>> = {
  specific: {
    history_number: `
      historynumber historyno historynr historyid patientid patientnumber patientno patientnr patid patnr
      patientidentifier patientcode mrn medicalrecordnumber chartnumber idpaciente pacienteid numeropaciente
      numerodepaciente nopaciente codigopaciente historia historiaclinica nhistoria nohistoria numhistoria
      nhistoriaclinica nohistoriaclinica numhistoriaclinica numerohistoria numerodehistoria
      numerohistoriaclinica numerodehistoriaclinica nrohistoria nrohistoriaclinica nhc hc patientennummer
      patientennr patientenid prontuario numeroprontuario idpatient numeropatient ipp`,
    fullName: 'patientname patientfullname nombrepaciente nombredelpaciente pacientenombre patientenname',
    birth_date: `
      birthdate dateofbirth dob birthday patientbirthdate patientdob fechanacimiento fechadenacimiento
      fechanac fnacimiento fnac nacimiento geburtsdatum gebdatum geburtstag datanascimento datadenascimento
      nascimento datenaissance datedenaissance`,
    diabetes: 'diabetes diabetic diabetico diabetica esdiabetico esdiabetica',
    visit_date: `
      visitdate dateofvisit examdate examinationdate dateofexam dateofexamination studydate acquisitiondate
      capturedate checktime checkdate fechavisita fechadevisita fechadelavisita fechaexamen fechadeexamen
      fechadelexamen fechaexploracion fechaestudio fechacaptura fechaconsulta untersuchungsdatum aufnahmedatum
      datavisita datadavisita dataexame datadoexame dateexamen datedexamen datevisite`,
    visit_reason: 'visitreason reasonforvisit motivoconsulta motivodeconsulta motivovisita',
    ophthalmic_antecedents: `
      ophthalmicantecedents ocularhistory ophthalmichistory antecedentesoculares antecedentesoftalmologicos
      antecedentesoftalmicos`,
    other_relevant_info: 'otherrelevantinfo otrosdatosrelevantes otrainformacionrelevante',
    retinologist_notes: 'retinologistnotes',
  },
  common: {
    last_name: `
      lastname surname familyname patientlastname patientsurname apellido apellidos apellidospaciente nachname
      familienname sobrenome apelido nomdefamille`,
    first_name: `
      firstname firstnames givenname givennames forename patientfirstname vorname prenom primeironome`,
    surname1: 'apellido1 primerapellido 1apellido',
    surname2: 'apellido2 segundoapellido 2apellido',
    fullName: 'fullname nombrecompleto nombreyapellidos nombreyapellido apellidosynombre apellidoynombre',
    nameAlone: 'name nom',
    firstAlone: 'nombre nombres nome',
    gender: 'gender sex patientsex patientgender sexo sexopaciente genero geschlecht sexe genre sesso',
    age: 'age patientage edad alter idade',
    plainDate: 'date fecha datum',
    visit_reason: 'reason motivo',
    ophthalmic_antecedents: 'antecedentes antecedents',
    other_relevant_info: 'observaciones',
    eye: 'eye eyetype laterality imagelaterality side ojo lado lateralidad auge seite oeil olho',
    file: `
      file filename filepath image imagefile imagename imagepath archivo fichero nombrearchivo
      nombredelarchivo imagen foto fotografia photo picture datei dateiname bild bilddatei arquivo imagem
      fichier`,
    iop: 'iop pio intraocularpressure presionintraocular tensionocular augendruck tio',
    va: 'va visualacuity acuity agudezavisual av visus acuidadevisual acuitevisuelle',
    sphere: 'sphere sph esfera esf sphare sphaere sfera',
    cylinder: 'cylinder cyl cilindro cil zylinder zyl cylindre',
    axis: 'axis ax eje achse eixo axe axiscylinder cylinderaxis ejecilindro',
    add: 'add addition adicion adicao',
    prism: 'prism prisma prisme',
    prism_base: 'prismbase baseprisma prismabase basedelprisma',
  },
}

type KnownName = { readonly meaning: Meaning; readonly authority: Authority }

const KNOWN_NAMES: ReadonlyMap<string, KnownName> = new Map(
  (['specific', 'common'] as const).flatMap((authority) =>
    (Object.entries(NAMES[authority]) as [Meaning, string][]).flatMap(([meaning, names]) =>
      termsIn(names).map((name) => [name, { meaning, authority }] as const),
    ),
  ),
)

/** The words of a text in this program. */
export function termsIn(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

export type NameMeaning = {
  readonly meaning: Meaning
  /** The eye within the name: `PIO OD`. */
  readonly eye: StatedEye | null
  readonly authority: Authority
  /** The order that the name itself states: `Date (DD.MM.YYYY)`. */
  readonly dateOrder?: DateOrder
}

/** The meaning of a name, and of one within a block: null if it is not about a case. */
export type Names = (name: string, blockName?: string) => NameMeaning | null

/** `columns`: the profile's mapping. A name, or `Patient/ID`, that it maps to no known meaning is ignored. */
export function namesBy(columns: Readonly<Record<string, string>>): Names {
  const mapped = new Map(Object.entries(columns).map(([name, holds]) => [comparable(name), holds.trim()]))
  const meaningOf: Names = remembered((name): NameMeaning | null => {
    const holds = mapped.get(comparable(name))
    return holds === undefined
      ? (plainMeaning(name) ?? explainedMeaning(name, meaningOf))
      : mappedMeaning(holds)
  })
  return (name, blockName) => {
    const holds =
      mapped.size === 0 || blockName === undefined
        ? undefined
        : mapped.get(comparable(`${blockName}/${name}`))
    if (holds !== undefined) return mappedMeaning(holds)
    return name.length > MAX_LETTERS ? null : meaningOf(name)
  }
}

function comparable(name: string): string {
  return name.trim().normalize('NFC').toLowerCase()
}

const MAX_LETTERS = 80

function plainMeaning(name: string): NameMeaning | null {
  const own = name.trim()
  if (isFieldName(own) && own.includes('_') && own !== 'first_name' && own !== 'last_name')
    return { ...fieldMeaning(own), authority: 'interface' }
  const known = KNOWN_NAMES.get(plainOf(name))
  return known ? { ...known, eye: null } : measurementWithEye(name)
}

/** What brackets behind a heading may hold without changing what it means, beside eyes, sexes, units and formats. */
const EXPLAINING = new Set(
  termsIn(`
  required optional mandatory obligatorio opcional pflichtfeld obligatoire text number code format unique local eg or and
  of the patient paciente hospital clinic clinica full name as on in at from by if any per for this time`),
)

const DATE_FORMATS = { ymd: /^y+m+d+/, dmy: /^d+m+y+/, mdy: /^m+d+y+/ } as const

/** `Eye (OD/OS)`, `Date (DD.MM.YYYY)`, `MRN [hospital number]`: what is in brackets explains the heading. */
function explainedMeaning(name: string, names: Names): NameMeaning | null {
  const [, bare, inside = ''] = /^([^()[\]{}]*\S)\s*[([{]([^()[\]{}]{1,60})[)\]}]\s*$/.exec(name) ?? []
  const known = bare === undefined ? null : names(bare)
  if (known === null) return null
  const plain = plainOf(inside).replaceAll(/[aj]/g, 'y').replaceAll('t', 'd')
  for (const order of ['ymd', 'dmy', 'mdy'] as const)
    if (DATE_FORMATS[order].test(plain)) return { ...known, dateOrder: order }
  const isExplaining = termsOf(inside).every(
    (term) =>
      term.length === 1 ||
      EXPLAINING.has(term) ||
      BESIDE.has(term) ||
      SEX.has(term) ||
      isOfEye(term) ||
      isInNameOf(known.meaning, term),
  )
  const same = kindOf(names(inside)?.meaning) === kindOf(known.meaning)
  return isExplaining || same ? known : null
}

function kindOf(meaning: Meaning | undefined): string | undefined {
  if (meaning === undefined) return undefined
  return isMeasurement(meaning) ? 'measurement' : isFieldName(meaning) ? 'field' : meaning
}

const MIN_LETTERS_OF_TERM = 4

/** `chart` is in `chartnumber`: it explains every other name of the same meaning. */
function isInNameOf(meaning: Meaning, term: string): boolean {
  return (
    term.length >= MIN_LETTERS_OF_TERM &&
    [...KNOWN_NAMES].some(
      ([name, known]) =>
        name.includes(term) &&
        (known.meaning === meaning || (isMeasurement(known.meaning) && isMeasurement(meaning))),
    )
  )
}

const SEX = new Set(termsIn('male female hombre mujer'))

function isOfEye(term: string): boolean {
  return eyeOfTerm(term) !== null || /^(ou|both|ambos)$/.test(term)
}

/** What a person, or an interface, calls so. */
export function mappedMeaning(holds: string): NameMeaning | null {
  if (isFieldName(holds)) return { ...fieldMeaning(holds), authority: 'person' }
  const isOther = holds === 'birth_date' || holds === 'eye' || holds === 'file'
  return isOther ? { meaning: holds, eye: null, authority: 'person' } : null
}

/** A field of the interface: one of a measurement is of its eye. */
function fieldMeaning(name: FieldName): Pick<NameMeaning, 'meaning' | 'eye'> {
  const measured = measurementOf(name)
  if (measured) return { meaning: measured.measurement, eye: measured.eye }
  return { meaning: name as Exclude<FieldName, MeasurementField>, eye: null }
}

/** Letters and digits only, lower case, without accents: `Fecha de Nacimiento` becomes `fechadenacimiento`. */
export function plainOf(name: string): string {
  return withoutAccents(name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

export function withoutAccents(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
}

/** Suffixes without meaning: units, and the term "eye" itself. */
const BESIDE = new Set(termsIn('mmhg mm hg dpt dptr diopters deg degrees eye ojo auge oeil olho'))

/** `PIO OD`, `OD_Sphere`, `right eye IOP (mmHg)`, `R-SPH`: one eye, and one measurement. */
function measurementWithEye(name: string): NameMeaning | null {
  const terms = termsOf(name).filter((term) => !BESIDE.has(term))
  // At the end of a measurement's name a particle of names is an eye: PIO DER beside PIO IZQ, Visus LA beside Visus RA.
  const eyeAt = (term: string, at: number): StatedEye | null =>
    eyeOfTerm(term) ?? (at > 0 && at === terms.length - 1 ? (eyeTermOf(term)?.eye ?? null) : null)
  const eyes = new Set(terms.map(eyeAt).filter((eye) => eye !== null))
  const [eye] = eyes
  if (eye === undefined || eyes.size > 1) return null
  const meaning = KNOWN_NAMES.get(terms.filter((term, at) => eyeAt(term, at) === null).join(''))?.meaning
  return meaning && isMeasurement(meaning) ? { meaning, eye, authority: 'specific' } : null
}

/** The terms of a name, lower case and without accents, also split at capitals: `refrRight`. */
export function termsOf(name: string): string[] {
  return withoutAccents(name)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((term) => term !== '')
}

export type Statement = {
  readonly meaning: Meaning
  readonly plainName: string
  readonly value: unknown
  readonly authority: Authority
  readonly dateOrder?: DateOrder | undefined
  /** From its name or beside it. `unclear`: two eyes, both, or an unknown term. */
  readonly eye: StatedEye | 'unclear' | null
  /** An eye among measurements says what was measured, one beside a file is of that file: not what was photographed. */
  readonly isOfOther?: boolean
  /** Its block may be of something else: it gives nothing, and may doubt. */
  readonly aside?: string
}

/** Statements that belong together: a row, or those of a document about one visit. */
export type Statements = readonly Statement[]
