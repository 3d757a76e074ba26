import type { ContentFacts } from '../recognition.ts'
import type { ReadAt } from '../read-at.ts'
import { readEye } from './dicom-eye.ts'
import { readMeasurements } from './dicom-measurements.ts'
import { readDevice, readOccasion, readView } from './dicom-occasion.ts'
import { readPatient, type NameOrder } from './dicom-patient.ts'
import { openDicom, type OpenedDicom } from './open-dicom.ts'
import { readUid } from './read-value.ts'
import { factsSourceOf } from './stated-facts.ts'

const SOP_INSTANCE = 0x00080018
const MEDIA_STORAGE_SOP_INSTANCE = 0x00020003

const NOT_READ =
  'The DICOM file is damaged or written in a way that is not read, so nothing was taken from it. Export it again, or enter the details by hand.'

/**
 * What a DICOM file states about the patient, the visit, the eye and the image. Reads the heads of its elements and the
 * few values that it needs, never pixels. Never throws for what stands in the file: what could not be used is in
 * `rejected`, with a sentence that names no content. Errors are those of `readAt`.
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
  const rejectedFile = dicom.dataSet.size === 0 ? [{ field: 'file', message: NOT_READ }] : []
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

async function readSopUid({ window, dataSet, meta }: OpenedDicom): Promise<string | null> {
  return (
    (await readUid(window, dataSet, SOP_INSTANCE)) ??
    (await readUid(window, meta, MEDIA_STORAGE_SOP_INSTANCE))
  )
}
