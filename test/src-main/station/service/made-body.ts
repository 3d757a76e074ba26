import type { RequestBody } from '../../../../src-main/station/service/client.ts'

export type MadeBody = RequestBody & {
  streamCount(): number
  /** Whether the writer's `finally` has run. */
  isClosed(): boolean
}

type Making = {
  readonly sizeBytes: number
  readonly announcedBytes?: number
  readonly breaksAt?: { readonly bytes: number; readonly error: Error }
}

const PIECE = Buffer.alloc(256 * 1_024, 0x61)

/** A body of so many bytes in pieces of 256 KiB, as the delivery writes it. */
export function makeBody({ sizeBytes, announcedBytes, breaksAt }: Making): MadeBody {
  let streams = 0
  let closed = false
  return {
    contentType: 'multipart/form-data; boundary=made',
    contentLength: announcedBytes ?? sizeBytes,
    stream: async function* () {
      streams++
      try {
        for (let sent = 0; sent < sizeBytes; sent += PIECE.length) {
          if (breaksAt !== undefined && sent >= breaksAt.bytes) throw breaksAt.error
          yield PIECE.subarray(0, Math.min(PIECE.length, sizeBytes - sent))
        }
      } finally {
        closed = true
      }
    },
    streamCount: () => streams,
    isClosed: () => closed,
  }
}
