import { randomBytes } from 'node:crypto'
import type { JournalEntry, ReceivedImage, TokenFinding } from './journal.ts'

/** What the service states beyond the least. How else a service may word its answers is in the tests of the readers. */
export type Dialect = {
  /** `minimal`: id, history number, visit date and state. `everything`: also free text and names, and so the reference. */
  readonly caseFields: 'minimal' | 'everything'
  readonly report: 'pdf' | 'html' | 'text' | 'foreignLink'
  readonly marksCurrentCenter: boolean
}

const STINGY: Dialect = { caseFields: 'minimal', report: 'pdf', marksCurrentCenter: false }

export const CREDENTIALS = { clientId: 'practice-client', clientSecret: 'practice-secret' }

/** The first one is current at the start. */
const CENTERS = [
  { id: '101', name: 'Practice Center North' },
  { id: '102', name: 'Practice Center South' },
] as const

const TOKEN_VALID_MS = 3_600_000

/**
 * The centers and the one switch among them.
 *
 * The interface does not say whether a change follows the token or the client. This service takes the worst
 * reading: one switch for every token of the client, so that a second workstation moves it under our feet.
 */
export class Centers {
  readonly all = CENTERS
  #currentId: string = CENTERS[0].id

  get currentId(): string {
    return this.#currentId
  }

  /** Answers whether there is such a center; an unknown one changes nothing. */
  switchTo(centerId: string): boolean {
    if (!this.all.some((center) => center.id === centerId)) return false
    this.#currentId = centerId
    return true
  }
}

/** Issues bearer tokens and recognizes the good ones. Several are good at a time, as with most services. */
export class Tokens {
  readonly #expiries = new Map<string, number>()
  issue(): { readonly token: string; readonly validMs: number } {
    const token = randomBytes(24).toString('base64url')
    this.#expiries.set(token, Date.now() + TOKEN_VALID_MS)
    return { token, validMs: TOKEN_VALID_MS }
  }

  find(authorization: string | undefined): TokenFinding {
    if (authorization === undefined) return 'none'
    const token = /^Bearer ([\w.~+/-]+=*)$/.exec(authorization)?.[1]
    const expiresAt = token === undefined ? undefined : this.#expiries.get(token)
    if (expiresAt === undefined) return 'wrong'
    return Date.now() < expiresAt ? 'good' : 'expired'
  }

  /** Every token issued so far ends now, as when a service restarts. */
  expireAll(): void {
    for (const token of this.#expiries.keys()) this.#expiries.set(token, Date.now())
  }
}

export type StoredCase = {
  readonly id: number
  readonly centerId: string
  readonly fields: Readonly<Record<string, string>>
  readonly images: readonly ReceivedImage[]
  /** Instants, epoch milliseconds. */
  readonly storedAt: number
  /** From then on `GET /cases` shows it. */
  readonly listedAt: number
  readonly reportReadyAt: number
}

/** The cases of all centers. An id is found by its text, as in a path. */
export class Cases {
  readonly #cases = new Map<string, StoredCase>()
  #lastNumber = 4_000

  add(facts: Omit<StoredCase, 'id'>): StoredCase {
    this.#lastNumber += 1
    const stored = { ...facts, id: this.#lastNumber }
    this.#cases.set(String(stored.id), stored)
    return stored
  }

  /** Only a case of the given center is there to be seen. */
  find(id: string, centerId: string): StoredCase | null {
    const stored = this.#cases.get(id)
    return stored?.centerId === centerId ? stored : null
  }

  listed(centerId: string, now: number): readonly StoredCase[] {
    return this.all().filter((stored) => stored.centerId === centerId && stored.listedAt <= now)
  }

  all(): readonly StoredCase[] {
    return [...this.#cases.values()]
  }
}

export type PracticeOptions = {
  /** Every answer leaves so much later than the work was done. */
  readonly answerDelayMs?: number
  /** From a case's arrival to its report. */
  readonly reportDelayMs?: number
  /** From a case's arrival to its first appearance in the list. */
  readonly listDelayMs?: number
  /** So many images of a request are kept and the rest is dropped without a word, as PHP's max_file_uploads does. */
  readonly maxImages?: number
  /** Departures from the stingy default. */
  readonly dialect?: Partial<Dialect>
}

type PracticeSettings = Required<Omit<PracticeOptions, 'dialect'>> & { readonly dialect: Dialect }

/** The options with every default in its place. */
export function practiceSettings(options: PracticeOptions): PracticeSettings {
  return {
    // Late enough that a client which takes silence for success shows it.
    answerDelayMs: options.answerDelayMs ?? 300,
    reportDelayMs: options.reportDelayMs ?? 4_000,
    listDelayMs: options.listDelayMs ?? 0,
    maxImages: options.maxImages ?? Number.MAX_SAFE_INTEGER,
    dialect: { ...STINGY, ...options.dialect },
  }
}

/** What the endpoints work on. */
export type Desk = {
  readonly settings: PracticeSettings
  readonly tokens: Tokens
  readonly centers: Centers
  readonly cases: Cases
}

/** Stores a case that was found good, under the center that is current now. */
export function storeCase(
  desk: Desk,
  parts: Pick<JournalEntry, 'fields' | 'images'>,
  centerId = desk.centers.currentId,
): StoredCase {
  const now = Date.now()
  return desk.cases.add({
    centerId,
    fields: Object.fromEntries(parts.fields.map(({ name, value }) => [name, value])),
    images: parts.images.slice(0, desk.settings.maxImages),
    storedAt: now,
    listedAt: now + desk.settings.listDelayMs,
    reportReadyAt: now + desk.settings.reportDelayMs,
  })
}
