import type { SecretName, SecretStore } from '../../src-main/station/ports.ts'
import { entryIn } from '../../src-main/station/settings/stored.ts'

/** Secrets that end with the test. `written` holds the secret of every write, in order. */
export function createMemorySecrets(
  initial: Partial<Record<SecretName, string>> = {},
): SecretStore & { readonly written: readonly string[] } {
  const secrets = new Map(Object.entries(initial))
  const written: string[] = []
  return {
    written,
    storedIn: () => Promise.resolve('safe'),
    read: (name) => Promise.resolve(secrets.get(name) ?? null),
    write: (name, value) => {
      secrets.set(name, value)
      written.push(entryIn(value)?.secret ?? '')
      return Promise.resolve()
    },
  }
}

/** The secret that a store holds, whichever service it is for. */
export async function secretIn(secrets: Pick<SecretStore, 'read'>): Promise<string | null> {
  const text = await secrets.read('clientSecret')
  return text === null ? null : (entryIn(text)?.secret ?? null)
}
