/** What goes between the two sides of the thread border. */
import type { FileMark, PriorResult, SettledFile, WatchedFolder, WatchEvent } from './watcher.ts'

/** `workerData` of the thread: a folder to be watched, or one whose files are to be listed once. */
export type WatchWorkerData =
  | { readonly kind: 'watch'; readonly folder: WatchedFolder }
  | { readonly kind: 'list'; readonly folderPath: string }

/** What a thread that lists a folder sends: some files at a time, each list wanting an answer before the next. */
export type ListMessage =
  | { readonly kind: 'files'; readonly files: readonly FileMark[] }
  | { readonly kind: 'ended' }
  /** The folder cannot be listed; the code of the file system's error. */
  | { readonly kind: 'failed'; readonly code: string }

export type WorkerCommand =
  | { readonly kind: 'sweep' }
  | { readonly kind: 'acknowledge'; readonly file: SettledFile }
  | { readonly kind: 'answer'; readonly question: number; readonly answers: readonly PriorResult[] }
  | { readonly kind: 'close' }

export type WorkerMessage =
  | { readonly kind: 'event'; readonly event: WatchEvent }
  /** Which of these files, just as they are, have been dealt with before? */
  | { readonly kind: 'question'; readonly question: number; readonly files: readonly FileMark[] }
  /** A file was set aside because something was thrown over its content; for the log, without content. */
  | { readonly kind: 'setAside'; readonly error: string }
  /** Sent at intervals: a thread that hangs in a call to a share sends nothing. */
  | { readonly kind: 'alive' }
  /** The last message. */
  | { readonly kind: 'closed' }
