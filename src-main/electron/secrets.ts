/**
 * Secrets in the system's own safe (DPAPI, Keychain, Secret Service).
 *
 * What is sealed opens only for this account on this machine. When it does not open, because the account, the
 * keyring or the machine changed, the secret is absent: a person signs in again, and nothing else is lost. A safe that
 * is only locked, or waits for its password, is no lost secret: it is asked again, by whoever asked.
 */
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { MINUTE, SECOND } from '../../src-shared/durations.ts'
import { errorCode } from '../station/lib/errors.ts'
import { writeDurably } from '../station/lib/files.ts'
import {
  type Clock,
  type Logger,
  type SecretName,
  SecretsLockedError,
  type SecretStore,
} from '../station/ports.ts'

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sealed'), base64: z.string() }),
  /** Where the system has no key of its own: only the rights of the file protect it. */
  z.object({ kind: z.literal('plain'), text: z.string() }),
])

/** The file that secrets lie in: sealed by the system where it can, and closed to other accounts in any case. */
type SecretEntry = z.infer<typeof entrySchema>

const fileSchema = z.record(z.string(), entrySchema)

type SecretEntries = z.infer<typeof fileSchema>

/** Empty where there is no file, or one that cannot be read as ours: secrets can be entered again. */
async function readSecretFile(path: string): Promise<SecretEntries> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    return fileSchema.safeParse(JSON.parse(text)).data ?? {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

async function writeSecretFile(path: string, entries: SecretEntries): Promise<void> {
  await writeDurably(path, JSON.stringify(entries))
}

/** The part of `safeStorage` that is needed; it may be used once the app is ready. */
export type Safe = {
  isAsyncEncryptionAvailable(): Promise<boolean>
  encryptStringAsync(text: string): Promise<Buffer>
  decryptStringAsync(sealed: Buffer): Promise<{ readonly result: string; readonly shouldReEncrypt: boolean }>
  /** Linux only. */
  getSelectedStorageBackend(): string
  /** The call of before, which goes with Electron 46. Some versions choose their back end only when it is asked. */
  isEncryptionAvailable?(): boolean
}

type SecretsOptions = {
  readonly safe: Safe
  readonly path: string
  readonly platform: NodeJS.Platform
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>
  readonly logger: Logger
}

/** On Linux without a keyring Electron seals with a key that stands in its source: no protection at all. */
const WEAK_BACKENDS = ['basic_text', 'unknown']

/** A keyring that asks a person for its password answers when somebody comes; the station does not wait that long. */
const ANSWER_TIMEOUT_MS = 10 * SECOND

/** Some questions are never answered, although the safe would answer a new one: a window of its own was lost, say. */
const RETRY_AFTER_MS = 3 * MINUTE

/** Electron's words for a key that is not there yet (electron_api_safe_storage.cc); all else is a secret that is lost. */
const TEMPORARY_ERROR = /temporarily unavailable/i

export function createSecrets({ safe, path, platform, clock, logger }: SecretsOptions): SecretStore {
  /** Set while the safe is silent: the instant, on the clock that never jumps, to ask it again. */
  let retryAtMs: number | null = null
  const markSilent = (): void => void (retryAtMs = clock.monotonicMs() + RETRY_AFTER_MS)
  const markAnswering = (): void => void (retryAtMs = null)
  const withTimeout = async <Value>(ask: () => Promise<Value>): Promise<Value> => {
    if (retryAtMs !== null) {
      // One wait is enough: the screens ask again and again while a person looks for the password.
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
  /** Null where it is lost. */
  const unseal = async (base64: string): Promise<{ text: string; isStale: boolean } | null> => {
    try {
      const sealed = Buffer.from(base64, 'base64')
      const { result, shouldReEncrypt } = await withTimeout(() => safe.decryptStringAsync(sealed))
      return { text: result, isStale: shouldReEncrypt }
    } catch (error) {
      if (isLocked(error)) throw new SecretsLockedError()
      // What the system says may quote what it was given; its kind is enough.
      const kind = error instanceof Error ? error.name : typeof error
      logger.warn('a secret cannot be opened any more and must be entered again', { kind })
      return null
    }
  }
  let isFileFailureLogged = false
  /** A file that a scanner holds, or a disk that fails, has lost no secret: it is asked again, like a safe that is locked. */
  const readEntries = async (): Promise<SecretEntries> => {
    try {
      const entries = await readSecretFile(path)
      isFileFailureLogged = false
      return entries
    } catch (error) {
      const code = errorCode(error)
      if (code === undefined) throw error
      if (!isFileFailureLogged) logger.warn('the file of secrets cannot be read now', { code })
      isFileFailureLogged = true
      throw new SecretsLockedError()
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  /** One change of the file after the other: two at once would each write what the other has not seen. */
  const inSequence = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
  const write = (name: SecretName, value: string): Promise<void> =>
    inSequence(async () => {
      const entry = await seal(value)
      await writeSecretFile(path, { ...(await readEntries()), [name]: entry })
    })
  /** Sealed with the key that the system has now. It was read already: where this fails, it is read again as it is. */
  const reseal = async (name: SecretName, value: string, before: SecretEntry): Promise<void> => {
    try {
      await inSequence(async () => {
        const entry = await seal(value)
        const entries = await readEntries()
        // Somebody may have entered another since this one was read.
        if (isDeepStrictEqual(entries[name], before))
          await writeSecretFile(path, { ...entries, [name]: entry })
      })
    } catch (error) {
      logger.warn('a secret could not be sealed anew; it stays as it is', {
        kind: error instanceof Error ? error.name : typeof error,
      })
    }
  }

  return {
    async read(name) {
      const entry = (await readEntries())[name]
      if (!entry) return null
      if (entry.kind === 'plain') {
        // A system that got a safe since: what lay open goes into it.
        if (await isStrong().catch(() => false)) await reseal(name, entry.text, entry)
        return entry.text
      }
      const opened = await unseal(entry.base64)
      if (opened?.isStale) await reseal(name, opened.text, entry)
      return opened?.text ?? null
    },
    write,
    // A safe that is locked is one all the same.
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
