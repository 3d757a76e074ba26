import { type Answer, bytesAnswer, emptyAnswer, htmlAnswer, jsonAnswer } from './answers.ts'
import type { Endpoint } from './journal.ts'

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
  /** Noted in the journal beside what it struck. */
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

export function resetBeforeBody(): Fault {
  return { name: 'reset before the body', moment: 'head', act: { kind: 'reset' } }
}

export function resetAmidBody(afterBytes: number): Fault {
  return { name: 'reset amid the body', moment: 'body', afterBytes, act: { kind: 'reset' } }
}

/** The whole body came, nothing was stored. */
export function resetAfterBody(): Fault {
  return { name: 'reset after the body', moment: 'read', act: { kind: 'reset' } }
}

/** The case is stored and no client is answered: the fault that makes duplicates. */
export function swallowAnswer(): Fault {
  return { name: 'answer swallowed', moment: 'done', act: { kind: 'drop' } }
}

/** Acted upon, but the answer breaks off in the middle. */
export function cutAnswer(): Fault {
  return { name: 'answer cut', moment: 'done', act: { kind: 'cutAnswer' } }
}

export function hang(moment: Moment, afterBytes = 0): Fault {
  return { name: `hangs at ${moment}`, moment, afterBytes, act: { kind: 'hang' } }
}

export function slowDown(delayMs: number, moment: 'head' | 'read' | 'done' = 'done'): Fault {
  return { name: `waits at ${moment}`, moment, act: { kind: 'wait', delayMs } }
}

/** Nothing goes on until then: for a test that has something to do meanwhile, however long that takes. */
export function holdBack(until: Promise<void>, moment: 'read' | 'done' = 'done'): Fault {
  return { name: `held at ${moment}`, moment, act: { kind: 'hold', until } }
}

export function expireTokens(): Fault {
  return { name: 'tokens expired', moment: 'head', act: { kind: 'expireTokens' } }
}

type WrongBody = 'html' | 'json' | 'garbage'

/** A status in place of the answer; at `done` the case is stored all the same. */
export function answerStatus(status: number, body: WrongBody, moment: Moment = 'read'): Fault {
  const answer = wrongAnswer(status, body)
  return { name: `${status} ${body} at ${moment}`, moment, act: { kind: 'answer', answer } }
}

/** Status 200 and `success: false`: a failure that only its envelope states. */
export function failInEnvelope(message: string): Fault {
  const answer = jsonAnswer(200, { success: false, content: message })
  return { name: '200 success:false', moment: 'read', act: { kind: 'answer', answer } }
}

/** The case is stored, the answer is a success and names no id. */
export function succeedWithoutId(status: 200 | 201 | 204 = 200): Fault {
  const answer = status === 204 ? emptyAnswer(204) : jsonAnswer(status, { success: true, content: null })
  return { name: `${status} without an id`, moment: 'done', act: { kind: 'answer', answer } }
}

/** 429 or 503 with Retry-After, before the body. */
export function askToWait(status: 429 | 503, seconds: number): Fault {
  const answer = jsonAnswer(
    status,
    { error: 'busy', retry_time: seconds },
    { 'retry-after': String(seconds) },
  )
  return { name: `${status} with Retry-After`, moment: 'head', act: { kind: 'answer', answer } }
}

export function redirectTo(location: string, status: 301 | 302 | 307 | 308, moment: Moment): Fault {
  const answer = emptyAnswer(status, { location })
  return { name: `${status} at ${moment}`, moment, act: { kind: 'answer', answer } }
}

/** 413 as soon as so many bytes have come, as a proxy with a limit says it. */
export function refuseAsTooLarge(afterBytes: number): Fault {
  const answer = htmlAnswer(413, '413 Request Entity Too Large')
  return { name: '413 amid the body', moment: 'body', afterBytes, act: { kind: 'answer', answer } }
}

function wrongAnswer(status: number, body: WrongBody): Answer {
  switch (body) {
    case 'html':
      return htmlAnswer(status, `${status} from a proxy`)
    case 'json':
      return jsonAnswer(status, { error: 'internal', message: 'Something went wrong.' })
    case 'garbage':
      return bytesAnswer(status, 'application/json', Buffer.from('{"id": 40\u0000\u0007<br>'))
  }
}
