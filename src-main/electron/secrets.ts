/**
 * Secrets in the system's own safe (DPAPI, Keychain, Secret Service).
 *
 * What is sealed opens only for this account on this machine. When it does not open, because the account, the
 * keyring or the machine changed, the secret is absent: a person signs in again, and nothing else is lost.
 */
import type { Logger, SecretName, SecretStore } from '../station/ports.ts'
import { readSecretFile, writeSecretFile, type SecretEntry } from './secret-file.ts'

/** The part of `safeStorage` that is needed; it may be used once the app is ready. */
export type Safe = {
  isAsyncEncryptionAvailable(): Promise<boolean>
  encryptStringAsync(text: string): Promise<Buffer>
  decryptStringAsync(sealed: Buffer): Promise<{ readonly result: string; readonly shouldReEncrypt: boolean }>
  /** Linux only. */
  getSelectedStorageBackend(): string
}

export type SecretsOptions = {
  readonly safe: Safe
  readonly path: string
  readonly platform: NodeJS.Platform
  readonly logger: Logger
}

/** On Linux without a keyring Electron seals with a key that stands in its source: no protection at all. */
const WEAK_BACKENDS = ['basic_text', 'unknown']

export function createSecrets({ safe, path, platform, logger }: SecretsOptions): SecretStore {
  const isStrong = async (): Promise<boolean> => {
    if (platform === 'linux' && WEAK_BACKENDS.includes(safe.getSelectedStorageBackend())) return false
    return safe.isAsyncEncryptionAvailable()
  }
  const seal = async (text: string): Promise<SecretEntry> => {
    if (await isStrong())
      return { kind: 'sealed', base64: (await safe.encryptStringAsync(text)).toString('base64') }
    logger.warn('this system has no safe for secrets: they lie in a file that only this account can read')
    return { kind: 'plain', text }
  }
  const unseal = async (name: SecretName, base64: string): Promise<string | null> => {
    const opened = await safe.decryptStringAsync(Buffer.from(base64, 'base64')).catch((error: unknown) => {
      // What the system says may quote what it was given; its kind is enough.
      const kind = error instanceof Error ? error.name : typeof error
      logger.warn('a secret cannot be opened any more and must be entered again', { kind })
      return null
    })
    if (opened?.shouldReEncrypt) await store.write(name, opened.result)
    return opened?.result ?? null
  }
  const store: SecretStore = {
    async read(name) {
      const entry = (await readSecretFile(path))[name]
      if (!entry) return null
      return entry.kind === 'plain' ? entry.text : unseal(name, entry.base64)
    },
    async write(name, value) {
      await writeSecretFile(path, { ...(await readSecretFile(path)), [name]: await seal(value) })
    },
  }
  return store
}
