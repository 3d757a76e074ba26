/** The findings of the walks on bytes in memory. */
import type { ImageType } from '../../../../../src-shared/measurement-ranges.ts'
import { readAtOfBytes } from '../../../../../src-main/station/reader/formats/bytes.ts'
import {
  type Outline,
  outlineOf,
  type Soundness,
  soundnessOf,
} from '../../../../../src-main/station/reader/formats/formats.ts'

export async function soundness(bytes: Uint8Array, type: ImageType = 'image/jpeg'): Promise<Soundness> {
  return soundnessOf(readAtOfBytes(bytes), bytes.length, type)
}

export async function outline(
  bytes: Uint8Array,
  type: ImageType | 'zip',
  readAt = readAtOfBytes(bytes),
): Promise<Outline> {
  return outlineOf(readAt, bytes.length, type)
}
