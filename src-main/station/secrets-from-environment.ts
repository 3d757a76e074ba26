import type { SecretStore } from './ports.ts'

/** A secret in `FUNDUS_COURIER_CLIENT_SECRET` counts before any stored one; it is never written anywhere. */
export function withSecretFromEnvironment(
  store: SecretStore,
  environment: Readonly<Record<string, string | undefined>>,
): SecretStore {
  const given = environment['FUNDUS_COURIER_CLIENT_SECRET']
  if (given === undefined || given === '') return store
  return {
    read: () => Promise.resolve(given),
    write: (name, value) => store.write(name, value),
    kept: () => Promise.resolve('environment'),
  }
}
