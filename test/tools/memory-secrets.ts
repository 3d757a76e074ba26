import type { SecretName, SecretStore } from '../../src-main/station/ports.ts'

/** Secrets that are gone with the test. `written` tells every writing, in order. */
export function createMemorySecrets(
  given: Partial<Record<SecretName, string>> = {},
): SecretStore & { readonly written: readonly string[] } {
  const secrets = new Map(Object.entries(given))
  const written: string[] = []
  return {
    written,
    kept: () => Promise.resolve('safe'),
    read: (name) => Promise.resolve(secrets.get(name) ?? null),
    write: (name, value) => {
      secrets.set(name, value)
      written.push(value)
      return Promise.resolve()
    },
  }
}
