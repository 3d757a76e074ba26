/**
 * A file that is worth nothing but its space. When the disk is full it is given up, so that what is queued can still be
 * worked with: a decision, the outcome of an attempt. It is made again when there is space.
 */
import { randomFillSync } from 'node:crypto'
import { rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { openWithRetry, removeBestEffort } from './stubborn-files.ts'

const NAME = 'ballast'
const CHUNK_BYTES = 1_024 * 1_024

export type Ballast = {
  /** Gives its space up at once; false where there is none to give. Never throws. */
  giveUp(): boolean
  /** How many bytes it holds now. */
  sizeBytes(): number
  /** Makes it of this size, 0 for none; false where the disk refuses. It is given up while it is being made, too. */
  make(bytes: number): Promise<boolean>
}

/** The ballast of a data folder. Nothing is made yet. */
export function createBallast(dataFolder: string): Ballast {
  const path = join(dataFolder, NAME)
  /** Changes whenever the ballast is given up, so that who is making it notices. */
  let turn = 0

  const sizeBytes = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

  const giveUp = (): boolean => {
    turn += 1
    try {
      if (sizeBytes() === 0) return false
      // Its space is free once it is shorter, also where somebody holds the file itself.
      truncateSync(path, 0)
      rmSync(path, { force: true })
      return true
    } catch {
      return sizeBytes() === 0
    }
  }

  /** Written and not only declared: of random bytes, since a file system that packs or shares would keep no space. */
  const write = async (bytes: number): Promise<boolean> => {
    const mine = (turn += 1)
    const chunk = randomFillSync(Buffer.alloc(Math.min(CHUNK_BYTES, bytes)))
    const file = await openWithRetry(path, 'w', 0o600)
    try {
      for (let written = 0; written < bytes;) {
        // Not left at what it says: the space was wanted while this went on.
        if (turn !== mine) return false
        const { bytesWritten } = await file.write(chunk, 0, Math.min(chunk.length, bytes - written), written)
        written += bytesWritten
      }
      await file.sync()
      return turn === mine
    } finally {
      await file.close()
    }
  }

  return {
    giveUp,
    sizeBytes,
    make: async (bytes) => {
      if (sizeBytes() === bytes) return true
      let isMade = false
      try {
        isMade = bytes === 0 || (await write(bytes))
        return isMade
      } catch {
        return false
      } finally {
        // A part of it would be taken for less than there is.
        if (!isMade || bytes === 0) await removeBestEffort(path)
      }
    },
  }
}
