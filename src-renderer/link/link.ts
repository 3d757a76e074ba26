/** The one way from the screens to a station, whatever carries it. */
import type { BytesKind, CallInput, CallName, CallOutput, StationEvent } from '../../src-shared/contract.ts'
import type { UploadedFile } from '../../src-shared/desktop.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { OnProgress } from './answers.ts'

/**
 * How the link stands. `open` carries the revision that the station was at when its events began to flow, or null
 * where the carrier does not tell; whoever sees `open` reads a new snapshot.
 */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open'; readonly revision: number | null }
  | { readonly kind: 'lost'; readonly why: 'unreachable' | 'notAuthorised' }

/** What the event stream tells: an event of the contract, or that something came that is none. */
export type LinkMessage =
  | { readonly kind: 'event'; readonly event: StationEvent }
  | { readonly kind: 'unreadable' }

/** An address that an image can be drawn from until it is released. */
export type ReleasableUrl = { readonly url: string; readonly release: () => void }

export type StationLink = {
  /** Never throws: a lost link and an answer that is not of the contract are failures, too. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>>>
  onMessage(listener: (arrival: LinkMessage) => void): () => void
  /** Tells the present state at once, then every change. */
  onConnection(listener: (connection: Connection) => void): () => void
  /** Bytes by id; rejects with {@link BytesUnavailable}. */
  readBytes(kind: BytesKind, id: string): Promise<Blob>
  createBytesUrl(kind: BytesKind, id: string): Promise<ReleasableUrl>
  /** Hands a file over for a case by hand. Never throws. */
  uploadFile(file: File, onProgress: OnProgress): Promise<Result<UploadedFile>>
  close(): void
}

/** The bytes could not be had: they are gone, or the station is. */
export class BytesUnavailable extends Error {
  override readonly name = 'BytesUnavailable'
}

const KEY = 'fundus-courier.token'

type Address = { readonly hash: string; readonly pathname: string; readonly search: string }

type TokenStorage = Pick<Storage, 'getItem' | 'setItem'>

type BrowserHistory = Pick<History, 'replaceState'>

/**
 * The token that the station put into the address it printed, as `#token=…`. It is kept for this tab only and
 * taken out of the address at once, so that it is neither bookmarked nor read from the screen.
 */
export function readToken(address: Address, storage: TokenStorage, history: BrowserHistory): string | null {
  const match = /^#(?:\/?)token=([^&]+)/.exec(address.hash)
  if (!match?.[1]) return storage.getItem(KEY)
  const token = decodeURIComponent(match[1])
  storage.setItem(KEY, token)
  history.replaceState(null, '', address.pathname + address.search)
  return token
}

/** Tells whoever listens; `listen` answers with how to stop. */
type Broadcast<Message> = {
  emit(message: Message): void
  readonly subscribe: (listener: (message: Message) => void) => () => void
}

export function createBroadcast<Message>(): Broadcast<Message> {
  const listeners = new Set<(message: Message) => void>()
  return {
    emit(message) {
      for (const listener of listeners) listener(message)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** Tells a station that says nothing because nothing happens from one that hangs or is gone, within two seconds. */

/** Together these show a lost station within two seconds. */
const TICK_MS = 300

const PING_AFTER_MS = 800

export const LOST_AFTER_MS = 1_600

/** A tab in the background ticks seldom, and a computer sleeps: then silence says nothing about the station. */
const SLEPT_AFTER_MS = 1_200

type SilenceDetector = {
  /** Something came from the station. */
  reset(): void
  close(): void
}

/** Watches until it is closed. */
export function detectSilence(options: {
  /** False while it is known already that nothing can be heard. */
  readonly isListening: () => boolean
  /** Asks for a sign of life, on the way on which events come: another way may work where this one does not. */
  readonly ask: () => void
  readonly onSilent: () => void
}): SilenceDetector {
  let lastMessageAt = performance.now()
  let lastTickAt = lastMessageAt
  const tick = setInterval(() => {
    const now = performance.now()
    const slept = now - lastTickAt > SLEPT_AFTER_MS
    lastTickAt = now
    if (!options.isListening()) return
    if (slept) lastMessageAt = now
    else if (now - lastMessageAt > LOST_AFTER_MS) options.onSilent()
    if (options.isListening() && now - lastMessageAt >= PING_AFTER_MS) options.ask()
  }, TICK_MS)
  return {
    reset: () => {
      lastMessageAt = performance.now()
    },
    close: () => clearInterval(tick),
  }
}

/** A station on this computer is back within seconds or not at all, so the pauses stay short. */
const INITIAL_DELAY_MS = 250

const MAX_DELAY_MS = 3_000

/** Milliseconds before the next try to reach the station, after so many tries without success. */
export function retryDelayMs(failedTries: number): number {
  return Math.min(MAX_DELAY_MS, INITIAL_DELAY_MS * 2 ** Math.min(failedTries, 10))
}
