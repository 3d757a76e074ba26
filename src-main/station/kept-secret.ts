import type { Logger, SecretStore } from './ports.ts'
import { SecretsLockedError } from './secrets-locked.ts'

/** The client secret as the settings see it: there or not, never its text. Of itself it never rejects. */
export type KeptSecret = {
  /** A safe that is locked, or a file that cannot be read now, holds the secret all the same; whoever needs it waits. */
  isThere(): Promise<boolean>
  /** `locked`: the safe does not take anything now. `failed`: it could not be kept. Nothing was kept in both cases. */
  keep(secret: string): Promise<KeptHow>
  /**
   * Keeps a secret together with the settings that it belongs to, which `write` writes. Where that rejects, so does this,
   * and the secret before is there again: a new one must not stand beside the address of the old.
   */
  keepWith(secret: string, write: () => Promise<void>): Promise<KeptHow>
}
export type KeptHow = 'kept' | 'locked' | 'failed'

export function openKeptSecret(secrets: SecretStore, logger: Pick<Logger, 'warn'>): KeptSecret {
  const keep = async (secret: string): Promise<KeptHow> => {
    try {
      await secrets.write('clientSecret', secret)
      return 'kept'
    } catch (error) {
      if (error instanceof SecretsLockedError) return 'locked'
      logger.warn('the client secret could not be kept', { kind: kindOf(error) })
      return 'failed'
    }
  }
  return {
    isThere: async () => {
      try {
        return (await secrets.read('clientSecret')) !== null
      } catch (error) {
        if (!(error instanceof SecretsLockedError))
          logger.warn('it cannot be seen whether a client secret is kept', { kind: kindOf(error) })
        return true
      }
    },
    keep,
    keepWith: async (secret, write) => {
      const before = await secrets.read('clientSecret').catch(() => null)
      const how = await keep(secret)
      if (how !== 'kept') return how
      try {
        await write()
      } catch (error) {
        if (before !== null) await keep(before)
        throw error
      }
      return how
    },
  }
}

/** Never the words of the error: they may quote what was to be kept. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
