/** The facts of a whole DICOM file: its eye and the measurements of eyes here, the rest from `patient.ts`. */
import type { StatedEye } from '../../../../../src-shared/measurement-ranges.ts'
import {
  type Message,
  type NameIn,
  worded,
  type Wording,
  wordingOf,
} from '../../../../../src-shared/wording.ts'
import { asObject, parseObject } from '../../../../reader/data/trees.ts'
import type { ContentFacts } from '../sources.ts'
import { type EyeReading, readEye } from '../eyes.ts'
import { mentionsIn } from '../../names/mentions.ts'
import type { NameOrder } from '../persons.ts'
import type { DataSet } from '../../../../reader/dicom/data-set.ts'
import type { DicomFile } from '../../../../reader/dicom/dicom.ts'
import { type FieldsFound, readDevice, readOccasion, readPatient, readView } from './patient.ts'

const LATERALITIES = [0x00200062, 0x00200060, 0x00240113]
const SHARED_GROUPS = 0x52009229
const FRAME_GROUPS = 0x52009230
const FRAME_ANATOMY = 0x00209071
const FRAME_LATERALITY = 0x00209072
/** Anatomic Region and Primary Anatomic Structure, each with its modifiers (PS3.3 10.5). */
const ANATOMY = [
  [0x00082218, 0x00082220],
  [0x00082228, 0x00082230],
] as const
const CODE_VALUE = 0x00080100
const CODE_MEANING = 0x00080104
const SOP_INSTANCE = 0x00080018
const MEDIA_STORAGE_SOP_INSTANCE = 0x00020003

/**
 * What a DICOM file states about patient, visit, eye and image. Reads heads and a few values, never pixels; unusable
 * values are named in `rejected` without content. Throws `Flaw` for too many elements, and the errors of the disk.
 */
export async function readDicomFacts(
  { meta, dataSet }: DicomFile,
  { nameOrder = 'lastFirst' }: { readonly nameOrder?: NameOrder } = {},
): Promise<ContentFacts> {
  const patient = await readPatient(dataSet, nameOrder)
  const { eye, trouble } = readEyes(await readWrittenEyes(dataSet))
  const measured = await readMeasurements(dataSet, eye)
  const { days, capturedAt, hasNoDay } = await readOccasion(dataSet)
  const [visit] = days
  const { numbers, people, spellings, issuer } = patient
  const eyes = await readDescribedEyes(dataSet)
  const isIntact =
    !patient.isUnclear &&
    !hasNoDay &&
    trouble === null &&
    people.length === 0 &&
    numbers.length < 2 &&
    days.length < 2 &&
    eyes.every(({ value }) => eye === null || value === eye)
  return {
    fields: { ...patient.fields, ...(visit && { visit_date: visit.value }), ...measured.fields },
    birthDate: patient.birthDate,
    eye,
    capturedAt,
    sopUid: (await dataSet.uid(SOP_INSTANCE)) ?? (await meta.uid(MEDIA_STORAGE_SOP_INSTANCE)),
    studyUid: await dataSet.uid(STUDY_INSTANCE),
    view: await readView(dataSet),
    device: await readDevice(dataSet),
    rejected: [
      patient.rejected,
      hasNoDay ? [{ field: 'visit_date', ...worded('intake:dicom.dateInvalid') }] : [],
      trouble === null ? [] : [{ field: 'eye', ...trouble }],
      measured.rejected,
    ].flat(),
    stated: {
      numbers,
      days,
      people,
      spellings,
      issuer,
      eyes,
      explained: await readExplained(dataSet),
      isIntact,
    },
  }
}

/** Descriptions and comments of study, series, image, protocol, procedure, derivation; not those of the patient. */
const DESCRIPTIONS = [
  0x00081030, 0x0008103e, 0x00204000, 0x00324000, 0x00184000, 0x00181030, 0x00082111, 0x00321060, 0x00400254,
  0x00700080, 0x00700081,
]

/** Accession, study, series, acquisition, instance, procedure, orders, other numbers of the patient, admission, device. */
const OTHER_NAMES = [
  0x00080050, 0x00200010, 0x00200011, 0x00200012, 0x00200013, 0x00400253, 0x00401001, 0x00402016, 0x00402017,
  0x00101000, 0x00380010, 0x00181000, 0x00080060, 0x00081010, 0x00080080, 0x00081040, 0x00080070, 0x00081090,
  0x00180015, 0x0020000d, 0x0020000e, 0x00080018,
]

/** So many letters of one text are enough to know it again in a name. */
const MAX_EXPLAINED = 64

async function readExplained(dataSet: DataSet): Promise<readonly string[]> {
  const texts = new Set<string>()
  for (const tag of [...OTHER_NAMES, ...DESCRIPTIONS])
    for (const text of await dataSet.texts(tag)) if (text.length <= MAX_EXPLAINED) texts.add(text)
  return [...texts]
}

/** One eye that a text names: of a text that names both, which is meant is not known. */
async function readDescribedEyes(dataSet: DataSet): Promise<NonNullable<ContentFacts['stated']>['eyes']> {
  const found = new Set<StatedEye>()
  for (const tag of DESCRIPTIONS)
    for (const text of await dataSet.texts(tag)) {
      const eyes = eyesDescribed(text)
      if (eyes.size === 1) for (const eye of eyes) found.add(eye)
    }
  return [...found].map((value) => ({ value, attribute: 'description' }))
}

async function readWrittenEyes(dataSet: DataSet): Promise<WrittenEyes> {
  const terms: string[] = []
  for (const tag of LATERALITIES) for (const term of await dataSet.eachCode(tag)) terms.push(term)
  for (const term of await readModifiers(dataSet)) terms.push(term)
  for (const group of await dataSet.items(SHARED_GROUPS))
    for (const term of await readFrameTerms(group)) terms.push(term)
  const frames: (readonly string[])[] = []
  for (const group of await dataSet.items(FRAME_GROUPS)) frames.push(await readFrameTerms(group))
  return { terms, frames }
}

async function readFrameTerms(group: DataSet): Promise<readonly string[]> {
  const terms: string[] = []
  for (const anatomy of await group.items(FRAME_ANATOMY)) {
    const stated = await anatomy.eachCode(FRAME_LATERALITY)
    for (const term of [...stated, ...(await readModifiers(anatomy))]) terms.push(term)
  }
  return terms
}

/** Some writers swap a code and its meaning. */
async function readModifiers(dataSet: DataSet): Promise<readonly string[]> {
  const terms: string[] = []
  for (const [structure, modifier] of ANATOMY)
    for (const item of await dataSet.items(structure))
      for (const code of [item, ...(await item.items(modifier))])
        for (const tag of [CODE_VALUE, CODE_MEANING])
          for (const term of await code.eachCode(tag)) if (isEyeTerm(term)) terms.push(term)
  return terms
}

/** What the file calls the eye of its picture, as it is written. */
type WrittenEyes = {
  /**
   * Image Laterality (0020,0062), Laterality of its series (0020,0060), Measurement Laterality (0024,0113), those of all
   * frames, and the modifiers of the anatomic region: empty values are none (PS3.3 C.8.17.5, C.7.3.1, C.7.6.16.2.8, 10.5).
   */
  readonly terms: readonly string[]
  /** The same of each frame: a frame without one is of no stated eye. */
  readonly frames: readonly (readonly string[])[]
}

type EyeRead = {
  /** Null if the file states none, both, or two. */
  readonly eye: StatedEye | null
  /** Why a person has to choose; null if the file states one eye, or nothing. */
  readonly trouble: Message | null
}

/** Codes of SNOMED (CT, and RT as it was before 2018): CID 244, and the structures of either eye. */
const CODES = {
  right: ['24028007', 'G-A100', '18944008'],
  left: ['7771000', 'G-A101', '8966001'],
  both: ['51440002', 'G-A102', '40638003'],
  // No half of a pair: what cameras write that do not know the eye. It contradicts one that is stated.
  unpaired: ['U', 'UNPAIRED'],
} as const

const CODE_MEANINGS: ReadonlyMap<string, keyof typeof CODES> = new Map(
  Object.entries(CODES).flatMap(([meaning, codes]) =>
    codes.map((code) => [code, meaning as keyof typeof CODES]),
  ),
)

/** The meaning of a term of an attribute that states nothing but the eye. */
function meaningOf(term: string): keyof typeof CODES | EyeReading {
  const spelled = /^right and left/i.test(term) ? 'both' : readEye(term)
  return CODE_MEANINGS.get(term.toUpperCase()) ?? spelled
}

/** True for a code or a meaning that states an eye: a modifier may as well say `superior`. */
function isEyeTerm(term: string): boolean {
  return !['unclear', 'none'].includes(meaningOf(term))
}

/** The eyes that a description names, as the name of a file would; one letter counts if it is all of it. */
function eyesDescribed(text: string): ReadonlySet<StatedEye> {
  const whole = readEye(text)
  if (whole === 'right' || whole === 'left') return new Set([whole])
  const mentions = mentionsIn(text.replaceAll('/', ' ')).filter(
    ({ family, strength }) => family !== 'letter' && (strength === 'firm' || strength === 'ambiguous'),
  )
  return new Set(mentions.map(({ eye }) => eye))
}

function ask(trouble: Message): EyeRead {
  return { eye: null, trouble }
}

/** The eye of a file. "Both" is a statement, and silence is none; a frame without an eye shares that of no other frame. */
function readEyes({ terms, frames }: WrittenEyes): EyeRead {
  const meanings = new Set([...terms, ...frames.flat()].map(meaningOf))
  meanings.delete('none')
  if (meanings.has('right') && meanings.has('left')) return ask(worded('intake:dicom.eyeConflict'))
  if (meanings.has('unclear')) return ask(worded('intake:dicom.eyeUnknown'))
  const eye = meanings.has('right') ? 'right' : meanings.has('left') ? 'left' : null
  if (meanings.has('both') || meanings.size > 1) return ask(worded('intake:dicom.eyeOfBoth'))
  const isInPart = terms.length === 0 && frames.some((own) => own.length === 0)
  if (eye !== null && isInPart) return ask(worded('intake:dicom.eyeInPart'))
  return { eye, trouble: null }
}

const STUDY_INSTANCE = 0x0020000d
const INTRA_OCULAR_PRESSURE = 0x0022000b
const REFRACTIVE_STATE = 0x0022001b
const SPHERICAL_POWER = 0x00220007
const CYLINDER_POWER = 0x00220008
const CYLINDER_AXIS = 0x00220009
const PATIENT_COMMENTS = 0x00104000

type Read = NameIn<'intake:dicom.measurement'>

const nameOf = (read: Read): Wording => wordingOf(`intake:dicom.measurement.${read}`)

/** PS3.3 C.8.17.5, and the refraction that a Phelcom Eyer writes into the comments. Implausible values are kept. */
async function readMeasurements(dataSet: DataSet, eye: StatedEye | null): Promise<FieldsFound> {
  const found: FieldsFound = { fields: {}, rejected: [] }
  const stateOne = async (from: DataSet, tag: number, read: Read): Promise<void> => {
    const value = await from.decimal(tag)
    if (value === null) return
    if (eye !== null) stateNumber(found, eye, read, value)
    else
      found.rejected.push({ field: read, ...worded('intake:dicom.ofNoEye', { measurement: nameOf(read) }) })
  }
  await stateOne(dataSet, INTRA_OCULAR_PRESSURE, 'iop')
  const [refraction] = await dataSet.items(REFRACTIVE_STATE)
  if (refraction) {
    await stateOne(refraction, SPHERICAL_POWER, 'sphere')
    await stateOne(refraction, CYLINDER_POWER, 'cylinder')
    await stateOne(refraction, CYLINDER_AXIS, 'axis')
  }
  stateDioptersOfComments(found, await dataSet.text(PATIENT_COMMENTS))
  return found
}

function stateNumber({ fields, rejected }: FieldsFound, eye: StatedEye, read: Read, value: number): void {
  const field = `${eye === 'right' ? 'od' : 'os'}_${read}` as const
  if (Number.isFinite(value)) fields[field] ??= value
  else rejected.push({ field, ...worded('intake:dicom.noNumber', { measurement: nameOf(read) }) })
}

const DIOPTER_NAMES = { spherical: 'sphere', cylindrical: 'cylinder', axis: 'axis' } as const

/** `{"diopter": {"right": {"spherical": "-1.25", "cylindrical": "", "axis": ""}, …}}` among other values. */
function stateDioptersOfComments(found: FieldsFound, comments: string): void {
  const diopter = asObject(parseObject(comments)?.['diopter'])
  for (const eye of ['right', 'left'] as const) {
    const stated = asObject(diopter?.[eye])
    for (const [name, read] of Object.entries(DIOPTER_NAMES)) {
      const value = stated?.[name]
      const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
      if (text !== '') stateNumber(found, eye, read, numberOf(text))
    }
  }
}

function numberOf(text: string): number {
  const plain = text.replace('\u2212', '-').replace(',', '.')
  return /^[+-]?\d{0,6}\.?\d{1,6}$/.test(plain) ? Number(plain) : Number.NaN
}
