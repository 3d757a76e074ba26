/** The seven endpoints, under the very words of the interface's table. */
export const ENDPOINTS = [
  'POST /authorize',
  'POST /cases',
  'GET /cases',
  'GET /cases/{id}',
  'GET /cases/report/{id}',
  'GET /centers',
  'POST /change-center',
] as const
export type Endpoint = (typeof ENDPOINTS)[number]

/** The endpoint that a method and a path (without its query) mean, or null. */
export function endpointOf(method: string, path: string): Endpoint | null {
  const template = path
    .replace(/^\/cases\/report\/[^/]+$/, '/cases/report/{id}')
    .replace(/^\/cases\/(?!report\/)[^/]+$/, '/cases/{id}')
  return ENDPOINTS.find((endpoint) => endpoint === `${method} ${template}`) ?? null
}

/** What an Authorization header came to. */
export type TokenFinding = 'none' | 'good' | 'expired' | 'wrong'

/** One file part as it came; its bytes are hashed while they stream by and are not kept. */
export type ReceivedImage = {
  readonly partName: string
  /** Empty if the part had none. */
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly sha256: string
}

export type ReceivedField = { readonly name: string; readonly value: string }

/** What became of a request on the wire. `broken`: the connection ended before the answer had left. */
type Outcome =
  | { readonly kind: 'open' }
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'broken'; readonly status: number | null }

/** One request, as far as it came. An entry fills while its request runs; it is complete once `outcome` is not open. */
export type JournalEntry = {
  /** Counts from 1 in the order in which the heads of the requests arrived. */
  readonly number: number
  /** When the head arrived, epoch milliseconds. */
  readonly at: number
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly endpoint: Endpoint | null
  readonly contentType: string | null
  /** The Content-Length that was promised; null if there was none. */
  readonly contentLength: number | null
  token: TokenFinding
  /** Bytes of the body that arrived, framing included. */
  bodyBytes: number
  /** Did the whole body arrive? */
  isBodyComplete: boolean
  /** In the order of arrival, repeated names kept. The value of `client_secret` is left out. */
  readonly fields: ReceivedField[]
  readonly images: ReceivedImage[]
  /** What a strict reading refuses in it; empty where all is well. */
  complaints: readonly string[]
  /** The center that was current when the request was acted on; null if it was not. */
  centerId: string | null
  /** The case that this request stored, whatever was answered; null if it stored none. */
  caseId: string | null
  /** The fault that was played on it. */
  fault: string | null
  outcome: Outcome
}

export type JournalReader = Pick<Journal, 'entries' | 'of' | 'onEnded'>

/** Everything that arrived since the service was opened, in memory. */
export class Journal {
  readonly #entries: JournalEntry[] = []
  readonly #listeners = new Set<(entry: JournalEntry) => void>()

  entries(): readonly JournalEntry[] {
    return this.#entries
  }

  of(endpoint: Endpoint): readonly JournalEntry[] {
    return this.#entries.filter((entry) => entry.endpoint === endpoint)
  }

  /** Calls back whenever a request has ended; the answer ends that. */
  onEnded(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  open(
    head: Pick<JournalEntry, 'at' | 'method' | 'path' | 'endpoint' | 'contentType' | 'contentLength'>,
  ): JournalEntry {
    const entry: JournalEntry = {
      ...head,
      number: this.#entries.length + 1,
      token: 'none',
      bodyBytes: 0,
      isBodyComplete: false,
      fields: [],
      images: [],
      complaints: [],
      centerId: null,
      caseId: null,
      fault: null,
      outcome: { kind: 'open' },
    }
    this.#entries.push(entry)
    return entry
  }

  ended(entry: JournalEntry): void {
    for (const listener of this.#listeners) listener(entry)
  }
}
