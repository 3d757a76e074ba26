import { randomBytes, randomUUID } from 'node:crypto'
import type { Refusal } from './answers.ts'
import { type Dialect, STINGY } from './dialects.ts'
import type { JournalEntry, ReceivedImage } from './journal.ts'

type PracticeCenter = { readonly id: string; readonly name: string }

/**
 * The centers and the one switch among them.
 *
 * The interface does not say whether a change follows the token or the client. This service takes the worst
 * reading: one switch for every token of the client, so that a second workstation moves it under our feet.
 */
export class Centers {
  readonly all: readonly PracticeCenter[]
  #currentId: string

  constructor(all: readonly PracticeCenter[]) {
    const first = all[0]
    if (!first) throw new Error('A practice service needs at least one center.')
    this.all = all
    this.#currentId = first.id
  }

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

/** What an Authorization header came to. */
export type TokenFinding = 'none' | 'good' | 'expired' | 'wrong'

/** Issues bearer tokens and tells the good ones. Several are good at a time, as with most services. */
export class Tokens {
  readonly #expiries = new Map<string, number>()
  readonly #lifeMs: number
  readonly #now: () => number

  constructor(options: { readonly lifeMs: number; readonly now: () => number }) {
    this.#lifeMs = options.lifeMs
    this.#now = options.now
  }

  issue(): { readonly token: string; readonly lifeMs: number; readonly expiresAt: number } {
    const token = randomBytes(24).toString('base64url')
    const expiresAt = this.#now() + this.#lifeMs
    this.#expiries.set(token, expiresAt)
    return { token, lifeMs: this.#lifeMs, expiresAt }
  }

  find(authorization: string | undefined): TokenFinding {
    if (authorization === undefined) return 'none'
    const token = /^Bearer ([\w.~+/-]+=*)$/.exec(authorization)?.[1]
    const expiresAt = token === undefined ? undefined : this.#expiries.get(token)
    if (expiresAt === undefined) return 'wrong'
    return this.#now() < expiresAt ? 'good' : 'expired'
  }

  /** Every token issued so far ends now, as when a service restarts. */
  expireAll(): void {
    for (const token of this.#expiries.keys()) this.#expiries.set(token, this.#now())
  }
}

/** The forms in which an id may come; a number is one in JSON, too. */
export type IdForm = 'number' | 'numberText' | 'text' | 'uuid'
type CaseId = string | number

export type StoredCase = {
  readonly id: CaseId
  readonly centerId: string
  readonly fields: Readonly<Record<string, string>>
  readonly images: readonly ReceivedImage[]
  /** Instants, epoch milliseconds. */
  readonly storedAt: number
  /** From then on `GET /cases` shows it. */
  readonly listedAt: number
  readonly reportReadyAt: number
  /** Counts the versions of its report, from 1. */
  readonly reportVersion: number
}

/** The cases of all centers. An id is found by its text, as it stands in a path. */
export class Cases {
  readonly #cases = new Map<string, StoredCase>()
  #lastNumber = 4_000

  #nextId(form: IdForm): CaseId {
    this.#lastNumber += 1
    switch (form) {
      case 'number':
        return this.#lastNumber
      case 'numberText':
        return String(this.#lastNumber)
      case 'text':
        return `C-${this.#lastNumber}`
      case 'uuid':
        return randomUUID()
    }
  }

  add(idForm: IdForm, facts: Omit<StoredCase, 'id' | 'reportVersion'>): StoredCase {
    const stored = { ...facts, id: this.#nextId(idForm), reportVersion: 1 }
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

  change(id: string, changes: Partial<Pick<StoredCase, 'reportReadyAt' | 'reportVersion'>>): void {
    this.#cases.set(id, { ...this.#get(id), ...changes })
  }

  revise(id: string): void {
    this.change(id, { reportVersion: this.#get(id).reportVersion + 1 })
  }

  #get(id: string): StoredCase {
    const stored = this.#cases.get(id)
    if (!stored) throw new Error('The practice service holds no such case.')
    return stored
  }
}

/**
 * Limits such as PHP has (2 MB a file, 8 MB a request, 20 files), and what going over them looks like: PHP drops
 * the whole form, so that a client reads of a missing field or a missing token.
 */
type Limits = {
  readonly requestBytes?: number
  readonly fileBytes?: number
  readonly files?: number
  readonly looksLike: '413' | 'missingField' | 'invalidToken'
}

/** The refusal of a case that is too large, or null. */
export function overLimit(limits: Limits | null, entry: JournalEntry): Refusal | null {
  if (!limits) return null
  const isOver =
    entry.bodyBytes > (limits.requestBytes ?? Infinity) ||
    entry.images.length > (limits.files ?? Infinity) ||
    entry.images.some((image) => image.sizeBytes > (limits.fileBytes ?? Infinity))
  if (!isOver) return null
  switch (limits.looksLike) {
    case '413':
      return { status: 413, message: 'The request is too large.' }
    case 'missingField':
      return {
        status: 400,
        message: 'history_number is required.',
        errors: { history_number: ['is required'] },
      }
    case 'invalidToken':
      return { status: 401, message: 'Invalid token.' }
  }
}

export type PracticeOptions = {
  /** 0 for any free port. */
  readonly port?: number
  /** The path of the base address, such as `/eye/api`; empty by default. */
  readonly basePath?: string
  readonly clientId?: string
  readonly clientSecret?: string
  /** The first one is current at the start. */
  readonly centers?: readonly PracticeCenter[]
  readonly tokenLifeMs?: number
  /** Every answer leaves so much later than what it tells of was done. */
  readonly answerDelayMs?: number
  /** From a case's arrival to its report. */
  readonly reportDelayMs?: number
  /** From a case's arrival to its first appearance in the list. */
  readonly listDelayMs?: number
  readonly requiredFields?: readonly string[]
  readonly limits?: Limits | null
  /** Departures from the stingy default. */
  readonly dialect?: Partial<Dialect>
  /** Epoch milliseconds; what tokens, lists and reports go by. */
  readonly now?: () => number
}

type PracticeSettings = Required<Omit<PracticeOptions, 'dialect'>> & { readonly dialect: Dialect }

/** The options with every default in its place. */
export function practiceSettings(options: PracticeOptions): PracticeSettings {
  return {
    port: options.port ?? 0,
    basePath: options.basePath ?? '',
    clientId: options.clientId ?? 'practice-client',
    clientSecret: options.clientSecret ?? 'practice-secret',
    centers: options.centers ?? [
      { id: '101', name: 'Practice Center North' },
      { id: '102', name: 'Practice Center South' },
    ],
    tokenLifeMs: options.tokenLifeMs ?? 3_600_000,
    // Late enough that a client which takes silence for success shows it.
    answerDelayMs: options.answerDelayMs ?? 300,
    reportDelayMs: options.reportDelayMs ?? 4_000,
    listDelayMs: options.listDelayMs ?? 0,
    requiredFields: options.requiredFields ?? ['history_number'],
    limits: options.limits ?? null,
    dialect: { ...STINGY, ...options.dialect },
    now: options.now ?? Date.now,
  }
}

/** What the endpoints work on. The dialect may change between two requests. */
export type Desk = {
  readonly settings: PracticeSettings
  readonly tokens: Tokens
  readonly centers: Centers
  readonly cases: Cases
  dialect: Dialect
}

/** Stores a case that was found good, under the center that is current now. */
export function storeCase(
  desk: Desk,
  parts: Pick<JournalEntry, 'fields' | 'images'>,
  centerId = desk.centers.currentId,
): StoredCase {
  const now = desk.settings.now()
  return desk.cases.add(desk.dialect.ids, {
    centerId,
    fields: Object.fromEntries(parts.fields.map(({ name, value }) => [name, value])),
    images: [...parts.images],
    storedAt: now,
    listedAt: now + desk.settings.listDelayMs,
    reportReadyAt: now + desk.settings.reportDelayMs,
  })
}
