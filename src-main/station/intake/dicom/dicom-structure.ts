import type { ReadAt } from '../read-at.ts'
import { malformed, TRUNCATED, WHOLE, type Structure } from '../structure-finding.ts'
import { kindOfDicom, sopClassOf, type DicomKind } from './dicom-kind.ts'
import { openDicom, type OpenedDicom } from './open-dicom.ts'
import { PIXEL_DATA, type Element } from './walk-data-set.ts'

/** Pixels as numbers that are no integers, PS3.3 C.7.6.24 and C.7.6.25. */
const OTHER_PIXELS = [0x7fe00008, 0x7fe00009]
const DOCUMENT = 0x00420011
const CONTENT = 0x0040a730
const SURFACES = 0x00660002
const DIRECTORY = 0x00041220

/**
 * Is a DICOM file all there? Walks it by its lengths and reads little.
 *
 * An element that begins is followed to its end, encapsulated pixels to their delimiter, and what the SOP class
 * promises must have come: pixels for images, the document for a report. So a cut between two elements is seen as well.
 * Two things cannot be told: a cut behind the pixels where only trailing padding or a signature would follow, and a cut
 * between two elements of an object that has neither pixels nor a document; neither is ever taken for a picture.
 */
export async function dicomStructure(readAt: ReadAt, sizeBytes: number): Promise<Structure> {
  const dicom = await openDicom(readAt, sizeBytes)
  if (dicom.structure.kind !== 'whole') return dicom.structure
  // Every file says what it is in its first lines.
  if ((await sopClassOf(dicom)) === null) {
    return dicom.dataSet.size === 0 ? TRUNCATED : malformed('a DICOM file does not say what it is')
  }
  const kind = await kindOfDicom(dicom)
  if (!hasContent(dicom, kind)) return TRUNCATED
  const pixels = dicom.dataSet.get(PIXEL_DATA)
  if (kind === 'photo' && pixels && !pixels.fragments) {
    return (await isHalfUnwritten(readAt, pixels)) ? TRUNCATED : WHOLE
  }
  return WHOLE
}

function hasContent({ dataSet }: OpenedDicom, kind: DicomKind): boolean {
  switch (kind) {
    case 'photo':
    case 'oct':
    case 'video':
    case 'otherImage':
      return hasPixels(dataSet)
    case 'segmentation':
      return hasPixels(dataSet) || dataSet.has(SURFACES)
    case 'report':
      return hasPixels(dataSet) || dataSet.has(DOCUMENT) || dataSet.has(CONTENT)
    case 'directory':
      return dataSet.has(DIRECTORY)
    case 'noImage':
      return true
  }
}

function hasPixels(dataSet: OpenedDicom['dataSet']): boolean {
  return [PIXEL_DATA, ...OTHER_PIXELS].some((tag) => (dataSet.get(tag)?.bytes ?? 0) > 0)
}

const STEP_BYTES = 64 * 1_024

/**
 * A size that was reserved reads as zeros, and so does the black around a photograph that is not packed. Nobody
 * photographs an eye whose second half is perfectly black, though, so that much is taken as not yet written. A cut
 * further on looks like black and is not told from it.
 */
async function isHalfUnwritten(readAt: ReadAt, { at, bytes }: Element): Promise<boolean> {
  const end = at + bytes
  for (let position = at + Math.floor(bytes / 2); position < end; position += STEP_BYTES) {
    const step = await readAt(position, Math.min(STEP_BYTES, end - position))
    if (step.some((byte) => byte !== 0)) return false
  }
  return true
}
