import type { Answer } from './answer.ts'
import type { Endpoint } from './endpoints.ts'

/**
 * When in the life of a request a fault strikes:
 * - `head`: the head has come, not a byte of the body has been read;
 * - `body`: so many bytes of the body have come (`afterBytes`, framing included);
 * - `read`: the whole request has been read, nothing has been done about it;
 * - `done`: it has been acted upon (the case is stored, the token issued), not a byte of the answer has left.
 */
export type Moment = 'head' | 'body' | 'read' | 'done'

/**
 * What a fault does:
 * - `reset`: the connection ends with a TCP reset; `drop`: it is closed without an answer;
 * - `hang`: nothing happens any more until the client gives up;
 * - `cutAnswer`: the true answer begins and breaks off at half its body (only at `done`);
 * - `answer`: this comes in place of the true answer; what is still to come of the body is read and thrown away;
 * - `wait`: a pause, then all goes on; `hold`: the same until the test lets go; `expireTokens`: every token ends, then all goes on.
 */
type Act =
  | { readonly kind: 'reset' | 'drop' | 'hang' | 'cutAnswer' | 'expireTokens' }
  | { readonly kind: 'wait'; readonly delayMs: number }
  | { readonly kind: 'hold'; readonly until: Promise<void> }
  | { readonly kind: 'answer'; readonly answer: Answer }

export type Fault = {
  /** Stands in the journal beside what it struck. */
  readonly name: string
  readonly moment: Moment
  readonly afterBytes?: number
  readonly act: Act
}

type Queued = {
  readonly endpoint: Endpoint | 'any'
  readonly fault: Fault
  left: number
  skip: number
}

/** Faults waiting for their request. A request takes at most one: the first in the queue that is for its endpoint. */
export class Faults {
  #queue: Queued[] = []

  /**
   * `times`: how many requests it strikes, `'always'` for a standing fault, 1 if left out; `skip`: how many it lets
   * pass first. The answer takes it back.
   */
  add(
    endpoint: Endpoint | 'any',
    fault: Fault,
    options: { readonly times?: number | 'always'; readonly skip?: number } = {},
  ): () => void {
    const times = options.times ?? 1
    const queued: Queued = {
      endpoint,
      fault,
      left: times === 'always' ? Infinity : times,
      skip: options.skip ?? 0,
    }
    this.#queue.push(queued)
    return () => {
      this.#queue = this.#queue.filter((other) => other !== queued)
    }
  }

  clear(): void {
    this.#queue = []
  }

  /** The fault for a request that has just arrived; counts it off. */
  take(endpoint: Endpoint | null): Fault | null {
    for (const queued of this.#queue) {
      if (queued.endpoint !== 'any' && queued.endpoint !== endpoint) continue
      if (queued.skip > 0) {
        queued.skip -= 1
        continue
      }
      queued.left -= 1
      if (queued.left <= 0) this.#queue = this.#queue.filter((other) => other !== queued)
      return queued.fault
    }
    return null
  }
}
