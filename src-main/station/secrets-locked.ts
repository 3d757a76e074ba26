/** Thrown where a secret is there and cannot be read at the moment: it is waited for, and never entered again. */
export class SecretsLockedError extends Error {
  override readonly name = 'SecretsLockedError'

  constructor() {
    super('the safe for secrets does not answer at the moment')
  }
}
