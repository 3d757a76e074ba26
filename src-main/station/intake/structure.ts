import type { ImageType } from '../../../src-shared/image-type.ts'
import { bmpStructure } from './bmp-structure.ts'
import { dicomStructure } from './dicom/dicom-structure.ts'
import { jpegStructure } from './jpeg-structure.ts'
import { pngStructure } from './png-structure.ts'
import type { ReadAt } from './read-at.ts'
import type { Structure } from './structure-finding.ts'
import { tiffStructure } from './tiff-structure.ts'
import { zipStructure } from './zip/zip-structure.ts'

const CHECKS: Readonly<Record<ImageType | 'zip', (readAt: ReadAt, sizeBytes: number) => Promise<Structure>>> =
  {
    'image/jpeg': jpegStructure,
    'image/png': (readAt) => pngStructure(readAt),
    'image/tiff': tiffStructure,
    'image/bmp': bmpStructure,
    'application/dicom': dicomStructure,
    zip: zipStructure,
  }

/**
 * Says whether an image file or an archive is all there.
 *
 * Reads as little as proves it: a JPEG to its end, because its scans state no length, of the others the directories
 * only. Holds one window of the file at a time, whatever its size. Errors are those of `readAt`.
 */
export async function structureOf(
  type: ImageType | 'zip',
  readAt: ReadAt,
  sizeBytes: number,
): Promise<Structure> {
  return CHECKS[type](readAt, sizeBytes)
}
