/** What watching a folder tells the intake. Events and sweeps are made in a worker thread; this is the near side. */
import type { FileNote } from '../../../src-shared/station-status.ts'

export type WatchedFolder = {
  readonly path: string
  readonly settleMs: number
  readonly sweepMs: number
}

/** A file that has settled: unchanged for the settle time, openable and, for images, structurally whole. */
export type SettledFile = {
  readonly folderPath: string
  /** Inside the folder, with `/` between its parts, as the directory spells it. */
  readonly relativePath: string
  readonly sizeBytes: number
  readonly mtimeMs: number
  /** What the content says it is. A sidecar is named by its extension and is handed on unread. */
  readonly content: 'image/jpeg' | 'image/png' | 'image/tiff' | 'sidecar'
}

export type WatchEvent =
  | { readonly kind: 'settled'; readonly file: SettledFile }
  /** A file that is no image of ours, or one that does not become whole. Told once while it stays as it is. */
  | { readonly kind: 'noted'; readonly folderPath: string; readonly note: FileNote }
  /** `fileCount` is the number of files seen, whatever they are. */
  | { readonly kind: 'swept'; readonly folderPath: string; readonly at: number; readonly fileCount: number }
  | {
      readonly kind: 'unreachable'
      readonly folderPath: string
      readonly at: number
      readonly reason: string
    }

export type Watcher = {
  /** Sweeps now, in addition to the timer. */
  sweep(folderPath: string): void
  /**
   * Tells the worker that a settled file has been dealt with, so that it is not told again while its size and
   * mtime stay; a file that is not acknowledged is told again at the next sweep.
   */
  acknowledge(file: SettledFile): void
  close(): Promise<void>
}
