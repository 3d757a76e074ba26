import type { SecretStore } from './ports.ts'

/** A secret in `FUNDUS_COURIER_CLIENT_SECRET` counts before any stored one; it is never written anywhere. */
export function withSecretFromEnvironment(
  store: SecretStore,
  environment: Readonly<Record<string, string | undefined>>,
): SecretStore {
  const secret = environment['FUNDUS_COURIER_CLIENT_SECRET']
  if (secret === undefined || secret === '') return store
  return {
    read: () => Promise.resolve(secret),
    write: (name, value) => store.write(name, value),
    storedIn: () => Promise.resolve('environment'),
  }
}
