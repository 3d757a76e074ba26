/** The eye that a DICOM file states, and the facts of a whole file. */
import type { Eye } from '../../../../src-shared/measurement-ranges.ts'
import { worded } from '../../../../src-shared/wording.ts'
import type { ContentFacts } from '../evidence.ts'
import type { ReadAt } from '../file-structure.ts'
import type { DataSet } from './dicom.ts'
import {
  type FactsSource,
  factsSourceOf,
  type NameOrder,
  readDevice,
  readOccasion,
  readPatient,
  readView,
  type Rejection,
} from './facts.ts'
import { readMeasurements } from './measurements.ts'
import { openDicom, type OpenedDicom, readCode, readItems, readUid } from './values.ts'

type StatedEye = Exclude<Eye, 'unknown'>

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
  const { eye, rejected: rejectedEyes } = await readEye(source)
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
    view: await readView(source),
    device: await readDevice(source),
    rejected: [
      ...rejectedFile,
      ...patient.rejected,
      ...occasion.rejected,
      ...rejectedEyes,
      ...measured.rejected,
    ],
  }
}

/**
 * The eye of a file: Image Laterality (0020,0062), Laterality of its series (0020,0060), and Frame Laterality
 * (0020,9072) of multi-frame images (PS3.3 C.8.17.5, C.7.3.1, C.7.6.16.2.8). All statements of one eye must agree.
 */
async function readEye(source: FactsSource): Promise<DicomEye> {
  const terms = [
    await readTerm(source, source.dataSet, IMAGE_LATERALITY),
    await readTerm(source, source.dataSet, LATERALITY),
    ...(await readFrameTerms(source)),
  ]
  const eyes = new Set(terms.flatMap(eyeOf))
  const [eye = null] = eyes
  if (eyes.size > 1) return { eye: null, rejected: [{ field: 'eye', ...worded('intake:dicom.eyeConflict') }] }
  const isStrange = terms.some((term) => !NEITHER.includes(term) && eyeOf(term).length === 0)
  if (isStrange) return { eye: null, rejected: [{ field: 'eye', ...worded('intake:dicom.eyeUnknown') }] }
  return { eye, rejected: [] }
}

async function readTerm({ window }: FactsSource, dataSet: DataSet, tag: number): Promise<string> {
  return ((await readCode(window, dataSet, tag)) ?? '').toUpperCase()
}

async function readFrameTerms(source: FactsSource): Promise<readonly string[]> {
  const terms: string[] = []
  for (const groups of [SHARED_GROUPS, FRAME_GROUPS]) {
    for (const group of await readItems(source.window, source.dataSet, groups)) {
      for (const anatomy of await readItems(source.window, group, FRAME_ANATOMY)) {
        terms.push(await readTerm(source, anatomy, FRAME_LATERALITY))
      }
    }
  }
  return terms
}

function eyeOf(term: string): readonly StatedEye[] {
  if (RIGHT.includes(term)) return ['right']
  return LEFT.includes(term) ? ['left'] : []
}

async function readSopUid({ window, dataSet, meta }: OpenedDicom): Promise<string | null> {
  return (
    (await readUid(window, dataSet, SOP_INSTANCE)) ??
    (await readUid(window, meta, MEDIA_STORAGE_SOP_INSTANCE))
  )
}
