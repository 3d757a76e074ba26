/**
 * Secrets in the system's own encrypted store (DPAPI, Keychain, Secret Service).
 *
 * An encrypted secret can only be decrypted by this account on this machine. If the account, the keyring or the
 * machine has changed, the secret is absent: a person signs in again, and nothing else is lost. A locked store loses
 * no secrets: callers get SecretsLockedError and ask again.
 */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { MINUTE, SECOND } from '../../src-shared/durations.ts'
import { errorCode, errorName } from '../station/lib/errors.ts'
import { readJsonFile, writeDurably } from '../station/lib/files.ts'
import { serially } from '../station/lib/schedule.ts'
import { type Clock, type Logger, SecretsLockedError, type SecretStore } from '../station/ports.ts'

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sealed'), base64: z.string() }),
  /** If the system has no encryption: only the file's permissions protect it. */
  z.object({ kind: z.literal('plain'), text: z.string() }),
])

/** The content of the file, whose permissions always exclude other accounts. */
type SecretEntry = z.infer<typeof entrySchema>

/** The part of `safeStorage` that is used here; only valid once the app is ready. */
export type Safe = {
  isAsyncEncryptionAvailable(): Promise<boolean>
  encryptStringAsync(text: string): Promise<Buffer>
  decryptStringAsync(sealed: Buffer): Promise<{ readonly result: string; readonly shouldReEncrypt: boolean }>
  getSelectedStorageBackend(): string
  /** Electron 46 removes this older call. Some versions choose their back end only when it is called. */
  isEncryptionAvailable?(): boolean
}

type SecretsOptions = {
  readonly safe: Safe
  readonly path: string
  readonly platform: NodeJS.Platform
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>
  readonly logger: Logger
}

/** On Linux without a keyring, Electron encrypts with a key from its source code: no protection at all. */
const WEAK_BACKENDS = ['basic_text', 'unknown']

/** A keyring that asks for a password answers only when a person is there; the station does not wait that long. */
const ANSWER_TIMEOUT_MS = 10 * SECOND

/** Some calls never settle although a new one would, for example after a lost password prompt. */
const RETRY_AFTER_MS = 3 * MINUTE

/** Electron's message for a key that is not available yet; every other error means a lost secret. */
const TEMPORARY_ERROR = /temporarily unavailable/i

export function createSecrets({ safe, path, platform, clock, logger }: SecretsOptions): SecretStore {
  /** Set while the store does not answer: when to ask it again, on the monotonic clock. */
  let retryAtMs: number | null = null
  const markSilent = (): void => void (retryAtMs = clock.monotonicMs() + RETRY_AFTER_MS)
  const markAnswering = (): void => void (retryAtMs = null)
  const withTimeout = async <Value>(ask: () => Promise<Value>): Promise<Value> => {
    if (retryAtMs !== null) {
      // One wait is enough: the screens keep asking while a person looks for the password.
      if (clock.monotonicMs() < retryAtMs) throw new SecretsLockedError()
      markSilent()
    }
    const answer = ask()
    answer.then(markAnswering, markAnswering)
    const { promise: timeout, reject } = Promise.withResolvers<never>()
    const cancel = clock.after(ANSWER_TIMEOUT_MS, () => {
      markSilent()
      reject(new SecretsLockedError())
    })
    try {
      return await Promise.race([answer, timeout])
    } finally {
      cancel()
    }
  }
  const backend = (): string => {
    const chosen = safe.getSelectedStorageBackend()
    if (chosen !== 'unknown') return chosen
    safe.isEncryptionAvailable?.()
    return safe.getSelectedStorageBackend()
  }
  const isStrong = async (): Promise<boolean> => {
    if (platform === 'linux' && WEAK_BACKENDS.includes(backend())) return false
    return withTimeout(() => safe.isAsyncEncryptionAvailable())
  }
  const seal = async (text: string): Promise<SecretEntry> => {
    if (await isStrong()) {
      const sealed = await withTimeout(() => safe.encryptStringAsync(text)).catch(throwIfLocked)
      return { kind: 'sealed', base64: sealed.toString('base64') }
    }
    logger.warn('this system has no safe for secrets: they lie in a file that only this account can read')
    return { kind: 'plain', text }
  }
  const unseal = async (base64: string): Promise<{ text: string; isStale: boolean } | null> => {
    try {
      const sealed = Buffer.from(base64, 'base64')
      const { result, shouldReEncrypt } = await withTimeout(() => safe.decryptStringAsync(sealed))
      return { text: result, isStale: shouldReEncrypt }
    } catch (error) {
      if (isLocked(error)) throw new SecretsLockedError()
      // The message may quote its input; the error's name is enough.
      const kind = errorName(error)
      logger.warn('a secret cannot be opened any more and must be entered again', { kind })
      return null
    }
  }
  let isFileFailureLogged = false
  /** A file held by a scanner or a failing disk loses no secrets: this throws, as for a locked store. */
  const readEntry = async (): Promise<SecretEntry | null> => {
    try {
      const entry = await readJsonFile(path, entrySchema)
      isFileFailureLogged = false
      return entry
    } catch (error) {
      const code = errorCode(error)
      if (code === undefined) throw error
      if (!isFileFailureLogged) logger.warn('the file of secrets cannot be read now', { code })
      isFileFailureLogged = true
      throw new SecretsLockedError()
    }
  }
  /** Runs changes of the file one after another; concurrent ones would overwrite each other. */
  const inTurn = serially()
  const writeEntry = (entry: SecretEntry): Promise<void> => writeDurably(path, JSON.stringify(entry))
  /** Encrypts a value with the system's current key. The value was already read, so a failure is harmless. */
  const reseal = async (value: string, before: SecretEntry): Promise<void> => {
    try {
      await inTurn(async () => {
        const entry = await seal(value)
        // Another secret may have been entered since this one was read.
        if (isDeepStrictEqual(await readEntry(), before)) await writeEntry(entry)
      })
    } catch (error) {
      logger.warn('a secret could not be sealed again; it stays as it is', { kind: errorName(error) })
    }
  }

  return {
    async read() {
      const entry = await readEntry()
      if (!entry) return null
      if (entry.kind === 'plain') {
        // The system has encryption now: move the plain secret into it.
        if (await isStrong().catch(() => false)) await reseal(entry.text, entry)
        return entry.text
      }
      const opened = await unseal(entry.base64)
      if (opened?.isStale) await reseal(opened.text, entry)
      return opened?.text ?? null
    },
    write: (value) => inTurn(async () => writeEntry(await seal(value))),
    // A locked store still counts as the store.
    storedIn: async () => ((await isStrong().catch(() => true)) ? 'safe' : 'privateFile'),
  }
}

function isLocked(error: unknown): boolean {
  return (
    error instanceof SecretsLockedError || (error instanceof Error && TEMPORARY_ERROR.test(error.message))
  )
}

function throwIfLocked(error: unknown): never {
  throw isLocked(error) ? new SecretsLockedError() : error
}
