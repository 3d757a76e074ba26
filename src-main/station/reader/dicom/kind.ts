/** The kind of a DICOM file, whether it is complete, and whether its pixels are sound. */
import {
  type Depth,
  isHalfUnwritten,
  malformed,
  type ReadAt,
  type SmallPicture,
  truncated,
} from '../formats/bytes.ts'
import { packingOf, PIXEL_DATA } from './dicom.ts'
import { checkFrames } from './frames.ts'
import { openDicom, type OpenedDicom, readUid } from './values.ts'

/**
 * The kind of a DICOM file, by its SOP class (PS3.4 table B.5-1).
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

/** Photographs as fundus cameras write them: Ophthalmic Photography, VL Photographic, Secondary Capture. */
const CLASSES: Readonly<Partial<Record<DicomKind, string>>> = {
  photo: '.77.1.5.1 .77.1.5.2 .77.1.5.5 .77.1.5.6 .77.1.4 .7 .7.2 .7.3 .7.4',
  oct: '.77.1.5.4 .77.1.5.7 .77.1.5.8',
  segmentation: '.66.4 .66.5 .66.7 .66.8',
  video: '.77.1.1.1 .77.1.2.1 .77.1.4.1',
  report: '.79.1',
}

const DIRECTORY_CLASS = '1.2.840.10008.1.3.10'

const KINDS: ReadonlyMap<string, DicomKind> = new Map([
  [DIRECTORY_CLASS, 'directory'],
  ...Object.entries(CLASSES).flatMap(([kind, ends]) =>
    ends.split(' ').map((end) => [`${ROOT}${end}`, kind as DicomKind] as const),
  ),
])

const SOP_CLASS = 0x00080016
const MEDIA_STORAGE_SOP_CLASS = 0x00020002
const ROWS = 0x00280010

/**
 * Follows every element to its end, and requires the content that the SOP class promises: so a cut between elements is
 * noticed, but for one before trailing padding, or in an object that never counts as a picture. Throws `Flaw`,
 * `NotChecked` and the errors of `readAt`.
 */
export async function walkDicom(
  readAt: ReadAt,
  sizeBytes: number,
  depth: Depth,
): Promise<{ readonly dicom: DicomKind; readonly small: SmallPicture | null }> {
  const opened = await openDicom(readAt, sizeBytes)
  if (opened.flaw !== null) throw opened.flaw
  const { dataSet } = opened
  // Every file states what it is in its first elements.
  if ((await sopClassOf(opened)) === null)
    throw dataSet.size === 0 ? truncated() : malformed('a DICOM file does not say what it is')
  const dicom = await kindOfDicom(opened)
  if (!hasContent(opened, dicom)) throw truncated()
  const pixels = dataSet.get(PIXEL_DATA)
  const isPlain = depth === 'outline' && dicom === 'photo' && pixels && !pixels.fragments
  if (isPlain && (await isHalfUnwritten(readAt, pixels.at, pixels.at + pixels.bytes, 1))) throw truncated()
  return { dicom, small: depth === 'data' ? await checkFrames(opened) : null }
}

async function kindOfDicom(dicom: OpenedDicom): Promise<DicomKind> {
  const { dataSet, transferSyntax } = dicom
  const sopClass = await sopClassOf(dicom)
  if (transferSyntax !== null && packingOf(transferSyntax) === 'video') return 'video'
  const known = KINDS.get(sopClass ?? '')
  if (known) return known
  // Encapsulated documents and structured reports.
  if (sopClass?.startsWith(`${ROOT}.104.`) || sopClass?.startsWith(`${ROOT}.88.`)) return 'report'
  return dataSet.get(ROWS) !== undefined || dataSet.get(PIXEL_DATA) !== undefined ? 'otherImage' : 'noImage'
}

/** The data set takes precedence: many writers produce sloppy meta information. */
async function sopClassOf({ dataSet, meta }: OpenedDicom): Promise<string | null> {
  return (await readUid(dataSet, SOP_CLASS)) ?? (await readUid(meta, MEDIA_STORAGE_SOP_CLASS))
}

/** With those of floating point, PS3.3 C.7.6.24 and C.7.6.25. */
const PIXELS = [PIXEL_DATA, 0x7fe00008, 0x7fe00009]
const DOCUMENT = 0x00420011
const TREE = 0x0040a730
const SURFACES = 0x00660002
const DIRECTORY = 0x00041220

/** What an object holds, one of these; nothing is required of what is no picture. */
const CONTENT: Readonly<Record<DicomKind, readonly number[] | null>> = {
  photo: PIXELS,
  oct: PIXELS,
  video: PIXELS,
  otherImage: PIXELS,
  segmentation: [...PIXELS, SURFACES],
  report: [...PIXELS, DOCUMENT, TREE],
  directory: [DIRECTORY],
  noImage: null,
}

function hasContent({ dataSet }: OpenedDicom, kind: DicomKind): boolean {
  return (
    CONTENT[kind]?.some((tag) => {
      const bytes = dataSet.get(tag)?.bytes
      return PIXELS.includes(tag) ? (bytes ?? 0) > 0 : bytes !== undefined
    }) ?? true
  )
}
