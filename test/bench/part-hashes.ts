/** The SHA-256 of every file in a multipart/form-data body, while it comes; nothing of it is kept. */
import { createHash, type Hash } from 'node:crypto'

const HEAD_END = Buffer.from('\r\n\r\n')

export type PartHashes = {
  take(piece: Buffer): void
  /** Of the files so far, in hex. */
  files(): readonly string[]
}

/** Begins a body with this boundary. */
export function hashParts(boundary: string): PartHashes {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const files: string[] = []
  // The first delimiter has no line break before it.
  let pending: Buffer = Buffer.from('\r\n')
  let place: 'head' | 'content' = 'content'
  let hash: Hash | null = null

  const endPart = (): void => {
    if (hash !== null) files.push(hash.digest('hex'))
    hash = null
  }
  /** Takes what is certain of the content; what may be the beginning of a delimiter waits. */
  const takeContent = (): boolean => {
    const at = pending.indexOf(delimiter)
    const certain = at < 0 ? Math.max(0, pending.length - delimiter.length + 1) : at
    hash?.update(pending.subarray(0, certain))
    pending = pending.subarray(at < 0 ? certain : at + delimiter.length)
    if (at < 0) return false
    endPart()
    place = 'head'
    return true
  }
  const takeHead = (): boolean => {
    const at = pending.indexOf(HEAD_END)
    if (at < 0) return false
    if (pending.subarray(0, at).includes('filename=')) hash = createHash('sha256')
    pending = pending.subarray(at + HEAD_END.length)
    place = 'content'
    return true
  }
  return {
    take: (piece) => {
      pending = pending.length === 0 ? piece : Buffer.concat([pending, piece])
      while (place === 'head' ? takeHead() : takeContent());
    },
    files: () => files,
  }
}
