import type { ReadAt } from '../read-at.ts'
import { openDicom, type OpenedDicom } from './open-dicom.ts'
import { readUid } from './read-value.ts'
import { packingOf } from './transfer-syntax.ts'
import { PIXEL_DATA } from './walk-data-set.ts'

/**
 * What a DICOM file is, by its SOP class (PS3.4 table B.5-1).
 *
 * - `photo`        a photograph of an eye, or what cameras write it as
 * - `oct`          sections, volumes and pictures made of them
 * - `segmentation` what a program drew over others
 * - `report`       a document: PDF, structured report
 * - `directory`    DICOMDIR
 * - `video`        a film
 * - `otherImage`   pictures of another kind
 * - `noImage`      no pictures at all
 */
export type DicomKind =
  | 'photo'
  | 'oct'
  | 'segmentation'
  | 'report'
  | 'directory'
  | 'video'
  | 'otherImage'
  | 'noImage'

const ROOT = '1.2.840.10008.5.1.4.1.1'

/**
 * Photographs are what conformance statements of fundus cameras name: Ophthalmic Photography of 8 and 16 bit and wide
 * field, VL Photographic, Secondary Capture (also of several frames, in grey or in colour).
 */
const KINDS: Readonly<Record<string, DicomKind>> = {
  [`${ROOT}.77.1.5.1`]: 'photo',
  [`${ROOT}.77.1.5.2`]: 'photo',
  [`${ROOT}.77.1.5.5`]: 'photo',
  [`${ROOT}.77.1.5.6`]: 'photo',
  [`${ROOT}.77.1.4`]: 'photo',
  [`${ROOT}.7`]: 'photo',
  [`${ROOT}.7.2`]: 'photo',
  [`${ROOT}.7.3`]: 'photo',
  [`${ROOT}.7.4`]: 'photo',
  [`${ROOT}.77.1.5.4`]: 'oct',
  [`${ROOT}.77.1.5.7`]: 'oct',
  [`${ROOT}.77.1.5.8`]: 'oct',
  [`${ROOT}.66.4`]: 'segmentation',
  [`${ROOT}.66.5`]: 'segmentation',
  [`${ROOT}.66.7`]: 'segmentation',
  [`${ROOT}.66.8`]: 'segmentation',
  '1.2.840.10008.1.3.10': 'directory',
  [`${ROOT}.77.1.1.1`]: 'video',
  [`${ROOT}.77.1.2.1`]: 'video',
  [`${ROOT}.77.1.4.1`]: 'video',
  [`${ROOT}.79.1`]: 'report',
}

const SOP_CLASS = 0x00080016
const MEDIA_STORAGE_SOP_CLASS = 0x00020002
const ROWS = 0x00280010

/** Says what a DICOM file is. Never throws for what stands in it; errors are those of `readAt`. */
export async function dicomKindOf(readAt: ReadAt, sizeBytes: number): Promise<DicomKind> {
  return kindOfDicom(await openDicom(readAt, sizeBytes))
}

/** The same for a file that has been walked already. */
export async function kindOfDicom(dicom: OpenedDicom): Promise<DicomKind> {
  const { dataSet, transferSyntax } = dicom
  const sopClass = await sopClassOf(dicom)
  if (transferSyntax !== null && packingOf(transferSyntax) === 'video') return 'video'
  const known = sopClass !== null && Object.hasOwn(KINDS, sopClass) ? KINDS[sopClass] : undefined
  if (known) return known
  // Encapsulated documents and structured reports.
  if (sopClass?.startsWith(`${ROOT}.104.`) || sopClass?.startsWith(`${ROOT}.88.`)) return 'report'
  return dataSet.has(ROWS) || dataSet.has(PIXEL_DATA) ? 'otherImage' : 'noImage'
}

/** The data set's own word first; writers of sloppy meta information are many. */
export async function sopClassOf({ window, dataSet, meta }: OpenedDicom): Promise<string | null> {
  return (await readUid(window, dataSet, SOP_CLASS)) ?? (await readUid(window, meta, MEDIA_STORAGE_SOP_CLASS))
}
