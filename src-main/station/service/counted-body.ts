import { BodyError } from './stopped-error.ts'
import type { RequestBody, Throttle } from './service-client.ts'

/** The body of one post: counts what it hands over and gives back its files however the post ends. */
export type CountedBody = {
  /** For undici, which asks for the next piece when the connection took the one before. */
  readonly pieces: AsyncIterable<Uint8Array>
  handedOverBytes(): number
  /** What our own side broke with; null where the network or nobody did. */
  error(): BodyError | null
  /** Hands over nothing more and ends the writer of the body. */
  close(): Promise<void>
}

type BodyEvents = {
  /** A piece is asked for: the connection took all before it. */
  readonly onAccepted: () => void
  /** Before a piece goes, with the count that includes it. */
  readonly onHandedOver: (handedOverBytes: number) => void
  /** Every byte was taken by the connection. */
  readonly onEnd: () => void
}

/**
 * Wraps a body. A piece counts before it is given away: whoever sees the count afterwards never believes that less
 * was sent than was. A body that is longer or shorter than announced is stopped before its last byte is whole.
 */
export function countBody(
  body: RequestBody,
  events: BodyEvents,
  throttle: Throttle | null = null,
): CountedBody {
  /** What is left of a piece that was too large to go at once. */
  let left: Uint8Array | null = null
  let source: AsyncIterator<Uint8Array> | null = null
  let handedOver = 0
  let failure: BodyError | null = null
  let closing: Promise<void> | null = null

  const close = (): Promise<void> => {
    closing ??= (async () => {
      await Promise.allSettled([source?.return?.()])
    })()
    return closing
  }
  const fail = (error: BodyError): BodyError => {
    failure ??= error
    return failure
  }
  const hasClosed = (): boolean => closing !== null
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    if (closing !== null) return { done: true, value: undefined }
    events.onAccepted()
    for (let rest = throttle?.delay() ?? null; rest !== null; rest = throttle?.delay() ?? null) {
      await rest
      if (hasClosed()) return { done: true, value: undefined }
      // The rest was ours: nobody on the other side has stalled.
      events.onAccepted()
    }
    source ??= body.stream()[Symbol.asyncIterator]()
    const step = await readStep(source, left).catch((error: unknown) => {
      throw fail(new BodyError('the body could not be read', { cause: error }))
    })
    left = null
    // Ended while the disk was read: this piece goes nowhere.
    if (hasClosed()) return { done: true, value: undefined }
    if (step.done === true) {
      if (handedOver !== body.contentLength) throw fail(new BodyError('the body is shorter than announced'))
      events.onEnd()
      return step
    }
    if (handedOver + step.value.byteLength > body.contentLength) {
      throw fail(new BodyError('the body is longer than announced'))
    }
    const most = throttle?.pieceBytes() ?? step.value.byteLength
    const piece = step.value.subarray(0, most)
    if (piece.byteLength < step.value.byteLength) left = step.value.subarray(most)
    handedOver += piece.byteLength
    throttle?.consume(piece.byteLength)
    events.onHandedOver(handedOver)
    return { done: false, value: piece }
  }
  const iterator: AsyncIterator<Uint8Array> = {
    next,
    return: async () => {
      await close()
      return { done: true, value: undefined }
    },
  }
  return {
    pieces: { [Symbol.asyncIterator]: () => iterator },
    handedOverBytes: () => handedOver,
    error: () => failure,
    close,
  }
}

async function readStep(
  iterator: AsyncIterator<Uint8Array>,
  left: Uint8Array | null,
): Promise<IteratorResult<Uint8Array>> {
  return left === null ? await iterator.next() : { done: false, value: left }
}
