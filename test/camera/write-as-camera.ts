/** How cameras, their programs and the shares between them write a file. */
import { mkdir, open, rename, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Under its final name from the first byte on: at once, or in pieces with pauses. */
export type Pace = 'at once' | 'slowly' | Pieces

type Pieces = {
  readonly chunkBytes: number
  readonly pauseMs: number
  readonly mostPieces?: number
}

/**
 * - `reserved`      the whole size from the start on, zeros that are filled from the front, as Samba may do it;
 * - `interrupted`   breaks off in the middle, and is completed after the pause;
 * - `temporaryName` written beside its place under another name, and renamed when it is whole;
 * - `inPlace`       written a second time over itself, the same bytes, without being emptied before.
 */
export type Way =
  | Pace
  | (Pieces & { readonly kind: 'reserved' | 'interrupted' | 'temporaryName' | 'inPlace' })

/** A camera on a tired network share. */
const SLOWLY = { chunkBytes: 65_536, pauseMs: 40 }

/** Writes a file, and the folders above it, as a camera does; `modifiedAt` is the time that the file bears in the end. */
export async function writeAsCamera(
  path: string,
  bytes: Uint8Array,
  way: Way = 'at once',
  modifiedAt: Date | null = null,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await write(path, bytes, way)
  if (modifiedAt !== null) await utimes(path, modifiedAt, modifiedAt)
}

async function write(path: string, bytes: Uint8Array, way: Way): Promise<void> {
  if (way === 'at once') return writeFile(path, bytes)
  if (way === 'slowly') return writeInPieces(path, bytes, SLOWLY)
  if (!('kind' in way)) return writeInPieces(path, bytes, way)
  switch (way.kind) {
    case 'reserved': {
      await writeFile(path, Buffer.alloc(bytes.length))
      return writeInPieces(path, bytes, way, 'r+')
    }
    case 'interrupted': {
      const half = Math.floor(bytes.length / 2)
      await writeInPieces(path, bytes.subarray(0, half), way)
      await sleep(way.pauseMs * 5)
      return writeInPieces(path, bytes.subarray(half), way, 'a')
    }
    case 'temporaryName': {
      const temporary = `${path}.tmp`
      await writeInPieces(temporary, bytes, way)
      return rename(temporary, path)
    }
    case 'inPlace': {
      await writeFile(path, bytes)
      await sleep(way.pauseMs)
      return writeInPieces(path, bytes, way, 'r+')
    }
  }
}

/** `w` empties what is there, `r+` writes over it from its front, `a` goes on at its end. */
async function writeInPieces(
  path: string,
  bytes: Uint8Array,
  { chunkBytes, pauseMs, mostPieces = Infinity }: Pieces,
  mode: 'w' | 'r+' | 'a' = 'w',
): Promise<void> {
  const step = Math.max(chunkBytes, Math.ceil(bytes.length / mostPieces))
  const file = await open(path, mode)
  try {
    for (let start = 0; start < bytes.length; start += step) {
      if (start > 0) await sleep(pauseMs)
      await file.write(bytes.subarray(start, start + step))
    }
  } finally {
    await file.close()
  }
}
