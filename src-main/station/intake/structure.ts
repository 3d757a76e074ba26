import type { ImageType } from './content-kind.ts'
import { jpegStructure } from './jpeg-structure.ts'
import { pngStructure } from './png-structure.ts'
import type { ReadAt } from './read-at.ts'
import type { Structure } from './structure-finding.ts'
import { tiffStructure } from './tiff-structure.ts'

const CHECKS: Readonly<Record<ImageType, (readAt: ReadAt, sizeBytes: number) => Promise<Structure>>> = {
  'image/jpeg': jpegStructure,
  'image/png': (readAt) => pngStructure(readAt),
  'image/tiff': tiffStructure,
}

/**
 * Says whether an image file is all there.
 *
 * Reads as little as proves it: a JPEG to its end, because its scans state no length, of the others the directories
 * only. Holds one window of the file at a time, whatever its size. Errors are those of `readAt`.
 */
export async function structureOf(type: ImageType, readAt: ReadAt, sizeBytes: number): Promise<Structure> {
  return CHECKS[type](readAt, sizeBytes)
}
