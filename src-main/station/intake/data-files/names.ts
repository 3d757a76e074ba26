import {
  type FieldName,
  isFieldName,
  type Measurement,
  measurementOf,
} from '../../../../src-shared/fields.ts'
import type { StatedEye } from '../evidence.ts'
import { eyeTermOf } from '../names/vocabulary.ts'

// Eyes as data files write them beside a name or a value, where nothing but an eye can stand.

/** Words that are clear in a column of eyes, but not in a file's name. Never D or I, which are two languages' letters. */
const MORE_TERMS: ReadonlyMap<string, StatedEye> = new Map([
  ['r', 'right'],
  ['l', 'left'],
  ['rechts', 'right'],
  ['rechtes', 'right'],
  ['links', 'left'],
  ['linkes', 'left'],
  ['og', 'left'],
])

/** The eye that one word states (OD, OI, R, left, derecho); null for all others. */
export function eyeOfTerm(word: string): StatedEye | null {
  const small = word.toLowerCase()
  if (/\d/.test(small)) return null
  return MORE_TERMS.get(small) ?? eyeTermOf(small)?.eye ?? null
}

/** `both` where a value states both eyes, `wrong` where it states none that we know, null where it says nothing. */
export function eyeOfValue(value: unknown): StatedEye | 'both' | 'wrong' | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string') return 'wrong'
  const words = value
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[\s._-]+/)
    .filter((word) => word !== '' && !/^(eye|ojo|auge|oeil|olho)$/.test(word))
  const [word, ...others] = words
  if (word === undefined || /^(unknown|xx|n\/a)$/.test(word)) return null
  if (others.length > 0) return 'wrong'
  if (/^(ou|ao|both|ambos|beide|b)$/.test(word)) return 'both'
  return eyeOfTerm(word) ?? 'wrong'
}

// How clinics and programs call the details of a case: headings of columns, elements, keys. Written without spaces,
// marks, accents and capitals. Sources: the interface's own names; Zeiss, Topcon MYAH, Mediworks and Eye-Office exports
// as `reference/cameras.md` lists them; and the common words in English, Spanish, Portuguese, German and French.

/** What a name stands for. A measurement without an eye takes the eye that stands beside it. */
export type Meaning =
  | { readonly kind: 'field'; readonly field: FieldName }
  | { readonly kind: 'measurement'; readonly measurement: Measurement }
  | { readonly kind: 'birthDate' | 'eye' | 'file' }
  /** A day that may be the visit's: only where it stands beside a patient or in an examination. */
  | { readonly kind: 'plainDate' }
  /** Both names in one. */
  | { readonly kind: 'fullName' }
  /** `name` beside a first name is a last name; `nombre` beside no last name may hold both. */
  | { readonly kind: 'nameAlone' | 'firstAlone' }
  /** The first and the second surname of Spanish records. */
  | { readonly kind: 'surname'; readonly position: 1 | 2 }

/** `telling`: found in files about cases only. `common`: other programs' files have such names, too. */
type KnownName = { readonly meaning: Meaning; readonly tells: 'telling' | 'common' }

const field = (name: FieldName): Meaning => ({ kind: 'field', field: name })

const measured = (measurement: Measurement): Meaning => ({ kind: 'measurement', measurement })

const LIST: readonly (readonly [Meaning, KnownName['tells'], names: string])[] = [
  [
    field('history_number'),
    'telling',
    `historynumber historyno historynr historyid patientid patientnumber patientno patientnr patid patnr
    patientidentifier patientcode mrn medicalrecordnumber chartnumber idpaciente pacienteid numeropaciente
    numerodepaciente nopaciente codigopaciente historia historiaclinica nhistoria nohistoria numhistoria
    nhistoriaclinica nohistoriaclinica numhistoriaclinica numerohistoria numerodehistoria numerohistoriaclinica numerodehistoriaclinica nrohistoria nrohistoriaclinica
    nhc hc patientennummer patientennr patientenid prontuario numeroprontuario idpatient numeropatient ipp`,
  ],
  [
    field('last_name'),
    'common',
    `lastname surname familyname patientlastname patientsurname apellido apellidos apellidospaciente nachname
    familienname sobrenome apelido nomdefamille`,
  ],
  [
    field('first_name'),
    'common',
    'firstname firstnames givenname givennames forename patientfirstname vorname prenom primeironome',
  ],
  [{ kind: 'surname', position: 1 }, 'common', 'apellido1 primerapellido 1apellido'],
  [{ kind: 'surname', position: 2 }, 'common', 'apellido2 segundoapellido 2apellido'],
  [
    { kind: 'fullName' },
    'telling',
    `patientname patientfullname nombrepaciente nombredelpaciente pacientenombre patientenname`,
  ],
  [
    { kind: 'fullName' },
    'common',
    'fullname nombrecompleto nombreyapellidos nombreyapellido apellidosynombre apellidoynombre',
  ],
  [{ kind: 'nameAlone' }, 'common', 'name nom'],
  [{ kind: 'firstAlone' }, 'common', 'nombre nombres nome'],
  [
    { kind: 'birthDate' },
    'telling',
    `birthdate dateofbirth dob birthday patientbirthdate patientdob fechanacimiento fechadenacimiento fechanac
    fnacimiento fnac nacimiento geburtsdatum gebdatum geburtstag datanascimento datadenascimento nascimento
    datenaissance datedenaissance`,
  ],
  [
    field('gender'),
    'common',
    'gender sex patientsex patientgender sexo sexopaciente genero geschlecht sexe genre sesso',
  ],
  [field('age'), 'common', 'age patientage edad alter idade'],
  [field('diabetes'), 'telling', 'diabetes diabetic diabetico diabetica esdiabetico esdiabetica'],
  [
    field('visit_date'),
    'telling',
    `visitdate dateofvisit examdate examinationdate dateofexam dateofexamination studydate acquisitiondate
    capturedate checktime checkdate fechavisita fechadevisita fechadelavisita fechaexamen fechadeexamen
    fechadelexamen fechaexploracion fechaestudio fechacaptura fechaconsulta untersuchungsdatum aufnahmedatum
    datavisita datadavisita dataexame datadoexame dateexamen datedexamen datevisite`,
  ],
  [{ kind: 'plainDate' }, 'common', 'date fecha datum'],
  [
    field('visit_reason'),
    'telling',
    'visitreason reasonforvisit motivoconsulta motivodeconsulta motivovisita',
  ],
  [field('visit_reason'), 'common', 'reason motivo'],
  [
    field('ophthalmic_antecedents'),
    'telling',
    `ophthalmicantecedents ocularhistory ophthalmichistory antecedentesoculares antecedentesoftalmologicos
    antecedentesoftalmicos`,
  ],
  [field('ophthalmic_antecedents'), 'common', 'antecedentes antecedents'],
  [
    field('other_relevant_info'),
    'telling',
    'otherrelevantinfo otrosdatosrelevantes otrainformacionrelevante',
  ],
  [field('other_relevant_info'), 'common', 'observaciones'],
  [field('retinologist_notes'), 'telling', 'retinologistnotes'],
  [
    { kind: 'eye' },
    'common',
    'eye eyetype laterality imagelaterality side ojo lado lateralidad auge seite oeil olho',
  ],
  [
    { kind: 'file' },
    'common',
    `file filename filepath image imagefile imagename imagepath archivo fichero nombrearchivo nombredelarchivo imagen
    foto fotografia photo picture datei dateiname bild bilddatei arquivo imagem fichier`,
  ],
  [measured('iop'), 'common', 'iop pio intraocularpressure presionintraocular tensionocular augendruck tio'],
  [measured('va'), 'common', 'va visualacuity acuity agudezavisual av visus acuidadevisual acuitevisuelle'],
  [measured('sphere'), 'common', 'sphere sph esfera esf sphare sphaere sfera'],
  [measured('cylinder'), 'common', 'cylinder cyl cilindro cil zylinder zyl cylindre'],
  [measured('axis'), 'common', 'axis ax eje achse eixo axe axiscylinder cylinderaxis ejecilindro'],
  [measured('add'), 'common', 'add addition adicion adicao'],
  [measured('prism'), 'common', 'prism prisma prisme'],
  [measured('prism_base'), 'common', 'prismbase baseprisma prismabase basedelprisma'],
]

const KNOWN_NAMES: ReadonlyMap<string, KnownName> = new Map(
  LIST.flatMap(([meaning, tells, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, { meaning, tells }] as const),
  ),
)

/** What a plain name stands for; null where it is nothing of a case. */
function knownName(plain: string): KnownName | null {
  return KNOWN_NAMES.get(plain) ?? null
}

// What a heading of a column, the name of an element or a key stands for. Pure.

/**
 * `person`: a profile says what the name holds. `interface`: it is the interface's own. `custom`: what people call it.
 * Where several names of one file hold the same, the first of these counts.
 */
type Authority = 'person' | 'interface' | 'custom'

export type NameMeaning = {
  readonly meaning: Meaning
  /** The eye within the name: `PIO OD`. */
  readonly eye: StatedEye | null
  readonly authority: Authority
  readonly tells: 'telling' | 'common'
}

/** What a profile says of names, by the name as it is compared. */
export type Columns = ReadonlyMap<string, string>

export function columnsOf(columns: Readonly<Record<string, string>>): Columns {
  return new Map(Object.entries(columns).map(([name, holds]) => [comparable(name), holds.trim()]))
}

function comparable(name: string): string {
  return name.trim().normalize('NFC').toLowerCase()
}

const MAX_LETTERS = 80

/** Null where the name is nothing of a case. A name that the profile maps to none of our words is left alone. */
export function nameMeaning(name: string, columns: Columns): NameMeaning | null {
  if (name.length > MAX_LETTERS) return null
  const mapped = columns.get(comparable(name))
  if (mapped !== undefined) return mappedMeaning(mapped)
  const own = name.trim()
  if (isFieldName(own) && own.includes('_') && own !== 'first_name' && own !== 'last_name')
    return { ...fieldMeaning(own), authority: 'interface', tells: 'telling' }
  const known = knownName(plainOf(name))
  if (known) {
    return { ...known, eye: null, authority: isFieldName(own) ? 'interface' : 'custom' }
  }
  return measurementWithEye(name)
}

/** As `nameMeaning`, for a name within a block: a profile may map `Patient/ID`, too. */
export function nameMeaningWithin(blockName: string, name: string, columns: Columns): NameMeaning | null {
  const mapped = columns.get(comparable(`${blockName}/${name}`))
  return mapped === undefined ? nameMeaning(name, columns) : mappedMeaning(mapped)
}

function mappedMeaning(holds: string): NameMeaning | null {
  const byPerson = { authority: 'person', tells: 'telling' } as const
  if (isFieldName(holds)) return { ...fieldMeaning(holds), ...byPerson }
  if (holds === 'birth_date') return { meaning: { kind: 'birthDate' }, eye: null, ...byPerson }
  if (holds === 'eye' || holds === 'file') return { meaning: { kind: holds }, eye: null, ...byPerson }
  return null
}

function fieldMeaning(name: Parameters<typeof measurementOf>[0]): Pick<NameMeaning, 'meaning' | 'eye'> {
  const measured = measurementOf(name)
  if (!measured) return { meaning: { kind: 'field', field: name }, eye: null }
  return { meaning: { kind: 'measurement', measurement: measured.measurement }, eye: measured.eye }
}

/** Letters and digits only, small, without accents: `Fecha de Nacimiento` is `fechadenacimiento`. */
export function plainOf(name: string): string {
  return withoutAccents(name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
}

/** What stands behind a name and says nothing more: units, and the word "eye" itself. */
const BESIDE = new Set([
  'mmhg',
  'mm',
  'hg',
  'dpt',
  'dptr',
  'diopters',
  'deg',
  'degrees',
  'eye',
  'ojo',
  'auge',
  'oeil',
  'olho',
])

/** `PIO OD`, `OD_Sphere`, `right eye IOP (mmHg)`, `R-SPH`: one eye, and one measurement. */
function measurementWithEye(name: string): NameMeaning | null {
  const words = termsOf(name).filter((word) => !BESIDE.has(word))
  const eyes = new Set(words.map(eyeOfTerm).filter((eye) => eye !== null))
  const [eye] = eyes
  if (eye === undefined || eyes.size > 1) return null
  const measurement = measurementNamed(words.filter((word) => eyeOfTerm(word) === null).join(''))
  if (!measurement) return null
  return { meaning: { kind: 'measurement', measurement }, eye, authority: 'custom', tells: 'telling' }
}

function measurementNamed(plain: string): Measurement | null {
  const meaning = knownName(plain)?.meaning
  return meaning?.kind === 'measurement' ? meaning.measurement : null
}

/** The words of a name, small and without accents, also where capitals divide them: `refrRight`. */
export function termsOf(name: string): string[] {
  return withoutAccents(name)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** One value of a data file with what it stands for. */
export type Statement = {
  readonly meaning: Meaning
  /** The name that the file gives it, plain. */
  readonly plainName: string
  readonly value: unknown
  readonly authority: Authority
  /** The eye that a measurement or a file is of: in its name, or beside it. `unclear`: two eyes, both, or no word we know. */
  readonly eye: StatedEye | 'unclear' | null
}

/** What stands together in a file: a row, or a document's statements about one visit. */
export type Statements = readonly Statement[]
