import type { SecretStore } from '../../src-main/station/ports.ts'
import { entryIn } from '../../src-main/station/settings/stored.ts'

/** Secrets that end with the test. `written` holds the secret of every write, in order. */
export function createMemorySecrets(
  initial: string | null = null,
): SecretStore & { readonly written: readonly string[] } {
  let secret = initial
  const written: string[] = []
  return {
    written,
    storedIn: () => Promise.resolve('safe'),
    read: () => Promise.resolve(secret),
    write: (value) => {
      secret = value
      written.push(entryIn(value)?.secret ?? '')
      return Promise.resolve()
    },
  }
}

/** The secret that a store holds, whichever service it is for. */
export async function secretIn(secrets: Pick<SecretStore, 'read'>): Promise<string | null> {
  const text = await secrets.read()
  return text === null ? null : (entryIn(text)?.secret ?? null)
}
