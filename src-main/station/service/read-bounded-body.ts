/** What came of a body: the bytes up to the bound, and why it is not whole where it is not. */
export type BoundedBody = {
  readonly bytes: Uint8Array
  readonly isComplete: boolean
  /** What ended it early; null where it is whole or was only too long. */
  readonly error: unknown
}

/** Reads at most `maxBytes`; a longer body is left, which ends its connection. Never rejects. */
export async function readBoundedBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<BoundedBody> {
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const part of body) {
      const room = maxBytes - sizeBytes
      parts.push(part.byteLength <= room ? part : part.subarray(0, room))
      sizeBytes += part.byteLength
      if (sizeBytes > maxBytes) return { bytes: Buffer.concat(parts), isComplete: false, error: null }
    }
  } catch (error) {
    return { bytes: Buffer.concat(parts), isComplete: false, error }
  }
  return { bytes: Buffer.concat(parts), isComplete: true, error: null }
}
