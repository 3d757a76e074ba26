/**
 * Buffers of one body, used again once the connection cannot hold them any more: fresh ones for each piece of a large
 * case are garbage by the gigabyte, and memory grows until it is collected.
 *
 * A connection holds, when it asks for more, less than its high-water mark (64 KiB): undici asks for nothing while a
 * write has filled that, until all of it is with the system. Whatever lies further back is free; the distance kept
 * here is sixteen times as long. No two bodies share a buffer.
 */
const KEPT_BYTES = 1_024 * 1_024

export type PieceBuffers = {
  /** A buffer of the full size: one that is free, or a new one. */
  next(): Buffer
  /** So many bytes of it now go to the connection, after all that went before. */
  given(buffer: Buffer, bytes: number): void
}

/** Makes the buffers of one body; `next` answers with `size` bytes. */
export function createPieceBuffers(size: number): PieceBuffers {
  const lent: { readonly buffer: Buffer; readonly endsAt: number }[] = []
  let givenBytes = 0
  return {
    next: () => {
      const [oldest] = lent
      if (oldest === undefined || givenBytes - oldest.endsAt < KEPT_BYTES) return Buffer.allocUnsafeSlow(size)
      lent.shift()
      return oldest.buffer
    },
    given: (buffer, bytes) => {
      givenBytes += bytes
      if (buffer.length === size) lent.push({ buffer, endsAt: givenBytes })
    },
  }
}
