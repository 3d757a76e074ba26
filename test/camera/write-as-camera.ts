import { mkdir, open, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How a camera writes: a file at once, or in pieces with pauses, under its final name all the while. */
export type Pace = 'at once' | 'slowly' | { readonly chunkBytes: number; readonly pauseMs: number }

/** About 1.6 MB a second: a camera on a tired network share. */
const SLOWLY = { chunkBytes: 65_536, pauseMs: 40 }

/** Writes a file, and the folders above it, at the pace of a camera. */
export async function writeAsCamera(path: string, bytes: Uint8Array, pace: Pace = 'at once'): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  if (pace === 'at once') {
    await writeFile(path, bytes)
    return
  }
  const { chunkBytes, pauseMs } = pace === 'slowly' ? SLOWLY : pace
  const file = await open(path, 'w')
  try {
    for (let start = 0; start < bytes.length; start += chunkBytes) {
      if (start > 0) await sleep(pauseMs)
      await file.write(bytes.subarray(start, start + chunkBytes))
    }
  } finally {
    await file.close()
  }
}
