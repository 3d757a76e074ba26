/**
 * A JPEG that was copied in parts out of order, or into a reserved size, may have its beginning and its end and zeros
 * between them. Decoders pass over them: libjpeg calls what it could not use of a scan "extraneous bytes", as it calls
 * stray bytes that do no harm.
 */
import { open } from 'node:fs/promises'
import { jpegLayout } from './jpeg-structure.ts'
import { readAtOfHandle, type ReadAt } from './read-at.ts'

/**
 * Disks and shares write at least this many bytes at once. Zeros alone prove nothing: the low bits of a black rim are
 * zeros by right in a progressive image, and flat black is in some of the others; so this is asked only where a decoder
 * has complained.
 */
const HOLE_BYTES = 2_048
const CHUNK_BYTES = 256 * 1_024

/**
 * A decoder complained of extraneous bytes: is a hole in the picture their cause? False also where the file cannot be
 * read.
 */
export async function hasHoleInScans(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'r')
    try {
      const { size } = await handle.stat()
      const readAt = readAtOfHandle(handle)
      const { scans, hasStrays } = await jpegLayout(readAt, size)
      // Then the complaint is of those, and they do no harm.
      if (hasStrays) return false
      for (const { from, to } of scans) {
        if (await hasZeros(readAt, from, to)) return true
      }
      return false
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return false
  }
}

async function hasZeros(readAt: ReadAt, from: number, to: number): Promise<boolean> {
  let run = 0
  for (let position = from; position < to; position += CHUNK_BYTES) {
    for (const byte of await readAt(position, Math.min(CHUNK_BYTES, to - position))) {
      run = byte === 0 ? run + 1 : 0
      if (run >= HOLE_BYTES) return true
    }
  }
  return false
}
