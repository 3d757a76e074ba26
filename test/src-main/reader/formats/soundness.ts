/** The findings of the walks on bytes in memory. */
import { openDicom } from '../../../../src-main/reader/dicom/dicom.ts'
import { checkFrames } from '../../../../src-main/reader/dicom/frames.ts'
import type { ImageType } from '../../../../src-shared/image-files.ts'
import { readAtOfBytes } from '../../../../src-main/reader/formats/bytes.ts'
import {
  type Outline,
  outlineOf,
  type Soundness,
  soundnessBy,
  soundnessOf,
} from '../../../../src-main/reader/inspect-file.ts'

export async function soundness(bytes: Uint8Array, type: ImageType = 'image/jpeg'): Promise<Soundness> {
  const readAt = readAtOfBytes(bytes)
  if (type !== 'application/dicom') return soundnessOf(readAt, bytes.length, type)
  return soundnessBy(openDicom(readAt, bytes.length).then(checkFrames))
}

export async function outline(
  bytes: Uint8Array,
  type: ImageType | 'zip',
  readAt = readAtOfBytes(bytes),
): Promise<Outline> {
  return outlineOf(readAt, bytes.length, type)
}
