/** The facts of a whole DICOM file: its eye and the measurements of eyes here, the rest from `patient.ts`. */
import { type NameIn, worded, type Wording, wordingOf } from '../../../../src-shared/wording.ts'
import { asObject, parseObject } from '../data-files/case-json.ts'
import type { ContentFacts, StatedEye } from '../evidence.ts'
import type { ReadAt } from '../file-structure.ts'
import type { DataSet } from './dicom.ts'
import {
  type FactsSource,
  factsSourceOf,
  FieldsFinder,
  type FieldsFound,
  type NameOrder,
  readDevice,
  readOccasion,
  readPatient,
  readText,
  readView,
  type Rejection,
} from './patient.ts'
import { openDicom, type OpenedDicom, readCode, readDecimal, readItems, readUid } from './values.ts'

type DicomEye = { readonly eye: StatedEye | null; readonly rejected: readonly Rejection[] }

const LATERALITY = 0x00200060
const IMAGE_LATERALITY = 0x00200062
const SHARED_GROUPS = 0x52009229
const FRAME_GROUPS = 0x52009230
const FRAME_ANATOMY = 0x00209071
const FRAME_LATERALITY = 0x00209072
const RIGHT = ['R', 'RIGHT', 'OD', 'RE']
const LEFT = ['L', 'LEFT', 'OS', 'LE']

/** Both eyes, or no half of a pair: no statement about one eye. */
const NEITHER = ['', 'B', 'BOTH', 'OU', 'U']
const SOP_INSTANCE = 0x00080018
const MEDIA_STORAGE_SOP_INSTANCE = 0x00020003

/**
 * The facts that a DICOM file states about the patient, the visit, the eye and the image. Reads element heads and a
 * few values, never pixels. Never throws for the content of the file: unusable values are in `rejected`, without
 * their content. Errors are those of `readAt`.
 */
export async function readDicomFacts(
  readAt: ReadAt,
  sizeBytes: number,
  { nameOrder = 'lastFirst' }: { readonly nameOrder?: NameOrder } = {},
): Promise<ContentFacts> {
  const dicom = await openDicom(readAt, sizeBytes)
  const source = await factsSourceOf(dicom)
  const patient = await readPatient(source, nameOrder)
  const { eye, rejected: rejectedEyes } = await readEye(dicom.dataSet)
  const measured = await readMeasurements(source, eye)
  const occasion = await readOccasion(source)
  const visit = occasion.visitDate === null ? {} : { visit_date: occasion.visitDate }
  const rejectedFile = dicom.dataSet.size === 0 ? [{ field: 'file', ...worded('intake:dicom.notRead') }] : []
  return {
    fields: { ...patient.fields, ...visit, ...measured.fields },
    birthDate: patient.birthDate,
    eye,
    capturedAt: occasion.capturedAt,
    sopUid: await readSopUid(dicom),
    studyUid: await readUid(dicom.dataSet, STUDY_INSTANCE),
    view: await readView(source),
    device: await readDevice(source),
    rejected: [rejectedFile, patient.rejected, occasion.rejected, rejectedEyes, measured.rejected].flat(),
  }
}

/**
 * The eye of a file: Image Laterality (0020,0062), Laterality of its series (0020,0060), and Frame Laterality
 * (0020,9072) of multi-frame images (PS3.3 C.8.17.5, C.7.3.1, C.7.6.16.2.8). All statements of one eye must agree.
 */
async function readEye(dataSet: DataSet): Promise<DicomEye> {
  const terms = [
    await readTerm(dataSet, IMAGE_LATERALITY),
    await readTerm(dataSet, LATERALITY),
    ...(await readFrameTerms(dataSet)),
  ]
  const eyes = new Set(terms.flatMap(eyeOf))
  const [eye = null] = eyes
  if (eyes.size > 1) return { eye: null, rejected: [{ field: 'eye', ...worded('intake:dicom.eyeConflict') }] }
  const isStrange = terms.some((term) => !NEITHER.includes(term) && eyeOf(term).length === 0)
  if (isStrange) return { eye: null, rejected: [{ field: 'eye', ...worded('intake:dicom.eyeUnknown') }] }
  return { eye, rejected: [] }
}

async function readTerm(dataSet: DataSet, tag: number): Promise<string> {
  return ((await readCode(dataSet, tag)) ?? '').toUpperCase()
}

async function readFrameTerms(dataSet: DataSet): Promise<readonly string[]> {
  const terms: string[] = []
  for (const groups of [SHARED_GROUPS, FRAME_GROUPS])
    for (const group of await readItems(dataSet, groups))
      for (const anatomy of await readItems(group, FRAME_ANATOMY))
        terms.push(await readTerm(anatomy, FRAME_LATERALITY))
  return terms
}

function eyeOf(term: string): readonly StatedEye[] {
  if (RIGHT.includes(term)) return ['right']
  return LEFT.includes(term) ? ['left'] : []
}

async function readSopUid({ dataSet, meta }: OpenedDicom): Promise<string | null> {
  return (await readUid(dataSet, SOP_INSTANCE)) ?? (await readUid(meta, MEDIA_STORAGE_SOP_INSTANCE))
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
export async function readMeasurements(source: FactsSource, eye: StatedEye | null): Promise<FieldsFound> {
  const { dataSet } = source
  const finder = new FieldsFinder()
  await stateOne(dataSet, INTRA_OCULAR_PRESSURE, 'iop', eye, finder)
  const [refraction] = await readItems(dataSet, REFRACTIVE_STATE)
  if (refraction) {
    await stateOne(refraction, SPHERICAL_POWER, 'sphere', eye, finder)
    await stateOne(refraction, CYLINDER_POWER, 'cylinder', eye, finder)
    await stateOne(refraction, CYLINDER_AXIS, 'axis', eye, finder)
  }
  const comments = await readText(source, dataSet, PATIENT_COMMENTS)
  if (comments?.kind === 'text') stateDioptersOfComments(finder, comments.text)
  return finder.found()
}

async function stateOne(
  dataSet: DataSet,
  tag: number,
  read: Read,
  eye: StatedEye | null,
  finder: FieldsFinder,
): Promise<void> {
  const value = await readDecimal(dataSet, tag)
  if (value === null) return
  if (eye === null) finder.reject(read, worded('intake:dicom.ofNoEye', { measurement: nameOf(read) }))
  else stateNumber(finder, eye, read, value)
}

function stateNumber(finder: FieldsFinder, eye: StatedEye, read: Read, value: number): void {
  const field = `${eye === 'right' ? 'od' : 'os'}_${read}` as const
  if (Number.isFinite(value)) finder.state(field, value)
  else finder.reject(field, worded('intake:dicom.noNumber', { measurement: nameOf(read) }))
}

const DIOPTER_NAMES = { spherical: 'sphere', cylindrical: 'cylinder', axis: 'axis' } as const

/** `{"diopter": {"right": {"spherical": "-1.25", "cylindrical": "", "axis": ""}, …}}` among other values. */
function stateDioptersOfComments(finder: FieldsFinder, comments: string): void {
  const diopter = asObject(parseObject(comments)?.['diopter'])
  for (const eye of ['right', 'left'] as const) {
    const stated = asObject(diopter?.[eye])
    for (const [name, read] of Object.entries(DIOPTER_NAMES)) {
      const value = stated?.[name]
      const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
      if (text !== '') stateNumber(finder, eye, read, numberOf(text))
    }
  }
}

function numberOf(text: string): number {
  const plain = text.replace('\u2212', '-').replace(',', '.')
  return /^[+-]?\d{0,6}\.?\d{1,6}$/.test(plain) ? Number(plain) : Number.NaN
}
