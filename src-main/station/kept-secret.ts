import type { SecretStore } from './ports.ts'
import { SecretsLockedError } from './secrets-locked.ts'

/** The client secret as the settings see it: there or not, never its text. */
export type KeptSecret = {
  /** A safe that is locked holds the secret all the same; whoever needs it waits. */
  isThere(): Promise<boolean>
  /** `locked`: the safe does not take anything now, and nothing was kept. */
  keep(secret: string): Promise<'kept' | 'locked'>
}

export function openKeptSecret(secrets: SecretStore): KeptSecret {
  return {
    isThere: async () => {
      try {
        return (await secrets.read('clientSecret')) !== null
      } catch (error) {
        if (error instanceof SecretsLockedError) return true
        throw error
      }
    },
    keep: async (secret) => {
      try {
        await secrets.write('clientSecret', secret)
        return 'kept'
      } catch (error) {
        if (error instanceof SecretsLockedError) return 'locked'
        throw error
      }
    },
  }
}
