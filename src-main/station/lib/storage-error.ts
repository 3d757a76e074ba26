/** Why the outbox cannot be opened: an error with a message for people, by the code of its cause. */
import { type Message, worded, type Wording, type WordingKey } from '../../../src-shared/wording.ts'
import { errorCode, isForLackOfSpace } from './errors.ts'

/** The database cannot be used; the message says what that means and what to do. Plain texts are for the log only. */
export class StorageError extends Error implements Message {
  override name = 'StorageError' as const
  readonly wording: Wording | undefined
  /** `recover`: the outbox can be rebuilt, see `recover.ts`. The host knows how to offer that. */
  readonly remedy: 'recover' | null

  constructor(message: string | Message, options: ErrorOptions & { readonly remedy?: 'recover' } = {}) {
    super(typeof message === 'string' ? message : message.message, options)
    this.wording = typeof message === 'string' ? undefined : message.wording
    this.remedy = options.remedy ?? null
  }
}

/** By prefixes of SQLite and system codes; the first match counts. */
const KEYS: readonly (readonly [WordingKey, RegExp])[] = [
  ['start:locked', /^(SQLITE_BUSY|SQLITE_LOCKED|EBUSY)/],
  ['start:noResources', /^(SQLITE_NOMEM|ENOMEM|EMFILE|ENFILE)/],
  ['start:unreadable', /^(SQLITE_IOERR|EIO)/],
  ['start:notAllowed', /^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|EACCES|EPERM|EROFS)/],
  ['start:damaged', /^SQLITE_(CORRUPT|NOTADB)/],
]

/**
 * An error of the database with a message for people. Recovery is offered only for damage: it would set an intact
 * outbox aside. Without a code it is a defect, returned as it is.
 */
export function openingError(error: unknown): unknown {
  if (error instanceof StorageError) return error
  if (isForLackOfSpace(error)) return new StorageError(worded('start:full'), { cause: error })
  const code = errorCode(error) ?? ''
  if (!/^(?:SQLITE_|E[A-Z0-9]+$)/.test(code)) return error
  const [key] = KEYS.find(([, codes]) => codes.test(code)) ?? ['start:unusable' as const]
  const options = key === 'start:damaged' ? { remedy: 'recover' as const } : {}
  return new StorageError(worded(key), { cause: error, ...options })
}
