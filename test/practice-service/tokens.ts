import { randomBytes } from 'node:crypto'

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
