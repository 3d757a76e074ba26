/** What goes between the two sides of the thread border. */
import type { FileMark, SettledFile, WatchedFolder, WatchEvent } from './watcher.ts'

/** `workerData` of the thread. */
export type WatchWorkerData = { readonly folder: WatchedFolder }

export type ToWorker =
  | { readonly kind: 'sweep' }
  | { readonly kind: 'acknowledge'; readonly file: SettledFile }
  | { readonly kind: 'answer'; readonly question: number; readonly areKnown: readonly boolean[] }
  | { readonly kind: 'close' }

export type FromWorker =
  | { readonly kind: 'event'; readonly event: WatchEvent }
  /** Which of these files, just as they are, have been dealt with before? */
  | { readonly kind: 'question'; readonly question: number; readonly files: readonly FileMark[] }
  /** Sent at intervals: a thread that hangs in a call to a share sends nothing. */
  | { readonly kind: 'alive' }
  /** The last message. */
  | { readonly kind: 'closed' }
