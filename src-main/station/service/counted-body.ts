import { BodyError } from './stopped-error.ts'
import type { RequestBody } from './service-client.ts'

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
export function countBody(body: RequestBody, events: BodyEvents): CountedBody {
  let inner: AsyncIterator<Uint8Array> | null = null
  let handedOver = 0
  let failure: BodyError | null = null
  let closing: Promise<void> | null = null

  const close = (): Promise<void> => {
    closing ??= (async () => {
      await Promise.allSettled([inner?.return?.()])
    })()
    return closing
  }
  const broken = (error: BodyError): BodyError => {
    failure ??= error
    return failure
  }
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    if (closing !== null) return { done: true, value: undefined }
    events.onAccepted()
    inner ??= body.stream()[Symbol.asyncIterator]()
    const step = await readStep(inner).catch((error: unknown) => {
      throw broken(new BodyError('the body could not be read', { cause: error }))
    })
    // Ended while the disk was read: this piece goes nowhere.
    if (closing !== null) return { done: true, value: undefined }
    if (step.done === true) {
      if (handedOver !== body.contentLength) throw broken(new BodyError('the body is shorter than announced'))
      events.onEnd()
      return step
    }
    if (handedOver + step.value.byteLength > body.contentLength) {
      throw broken(new BodyError('the body is longer than announced'))
    }
    handedOver += step.value.byteLength
    events.onHandedOver(handedOver)
    return step
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

async function readStep(iterator: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
  return await iterator.next()
}
