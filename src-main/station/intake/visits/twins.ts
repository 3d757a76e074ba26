/** Pairs a DICOM file with the picture beside it that a camera wrote of the same photograph. Pure. */
import { IMAGE_TYPES, type ImageType } from '../../../../src-shared/measurement-ranges.ts'

export type Pairable = { readonly id: string; readonly contentType: ImageType; readonly fileName: string }

/** Folder and stem of a path, folded: files of one photograph share it. */
export function stemKeyOf(relativePath: string): string {
  return foldPath(relativePath).replace(/\.[^./]*$/, '')
}

/** A path normalised for comparison: cameras and people vary case and Unicode form. */
export function foldPath(relativePath: string): string {
  return relativePath.normalize('NFC').toLowerCase()
}

/**
 * Pairs twins among files that share folder and stem.
 *
 * One DICOM file and the picture beside it are one photograph: the picture is sent, the DICOM file contributes its
 * facts. Two DICOM files with one stem cannot be distinguished by name, so neither is a twin. The order of the files
 * means nothing.
 */
export function twinsAmong(files: readonly Pairable[]): ReadonlyMap<string, string> {
  const [dicom, ...moreDicom] = files.filter((file) => file.contentType === 'application/dicom')
  if (dicom === undefined || moreDicom.length > 0) return new Map()
  const [picture] = files
    .filter((file) => file !== dicom)
    .toSorted(
      (one, other) =>
        IMAGE_TYPES.indexOf(one.contentType) - IMAGE_TYPES.indexOf(other.contentType) ||
        (one.fileName < other.fileName ? -1 : 1),
    )
  return picture === undefined ? new Map() : new Map([[dicom.id, picture.id]])
}
