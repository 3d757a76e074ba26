/** The one way from the screens to a station, whatever carries it. */
import type { BytesKind, CallInput, CallName, CallOutput, StationEvent } from '../../src-shared/contract.ts'
import type { UploadedFile } from '../../src-shared/kept-file.ts'
import type { Result } from '../../src-shared/result.ts'
import type { OnProgress } from './hand-over.ts'

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
