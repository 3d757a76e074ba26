/** What watching a folder tells the intake. Events and sweeps are made in a worker thread; this is the near side. */
import type { ImageType } from '../../../src-shared/image-type.ts'
import type { FileNote, FolderStatus } from '../../../src-shared/station-status.ts'

/** Whose lease a folder carries: an id that no other station has, and a name that people know. */
export type StationName = { readonly stationId: string; readonly hostName: string }

export type WatchedFolder = {
  readonly path: string
  readonly settleMs: number
  readonly sweepMs: number
  /** Who leaves a lease in the folder; null where a setting says that none is left. */
  readonly lease: StationName | null
}

/** Is a second station kept off a folder? */
export type FolderGuard = FolderStatus['guard']

/** What exactly a file, unchanged, was found to be before: `damaged` is an image that cannot be opened. */
export type PriorResult = 'new' | 'known' | 'damaged'

/** A file as a look showed it. `mtimeMs` is epoch milliseconds, rounded down, so that it compares in a database. */
export type FileMark = {
  readonly folderPath: string
  /** Inside the folder, with `/` between its parts, as the directory spells it. */
  readonly relativePath: string
  readonly sizeBytes: number
  readonly mtimeMs: number
}

/** A file that has settled: unchanged for the settle time, openable and, for images, structurally whole. */
export type SettledFile = FileMark & {
  /** What the content says it is. A sidecar is named by its extension and is handed on unread. */
  readonly content: ImageType | 'zip' | 'sidecar'
}

export type WatchEvent =
  /** A note on the same file, if there was one, no longer holds. */
  | { readonly kind: 'settled'; readonly file: SettledFile }
  /** A file that is no image of ours, or one that does not become whole. Told once while it stays as it is. */
  | { readonly kind: 'noted'; readonly folderPath: string; readonly note: FileNote }
  /** The note on this file no longer holds: the file changed, or it is not there any more. */
  | { readonly kind: 'noteCleared'; readonly folderPath: string; readonly fileName: string }
  /**
   * A full look has ended, so the folder can be reached. `fileCount` is the number of files seen, whatever they are,
   * without the junk of operating systems; `otherCount` of them are neither images nor sidecars, noted or not.
   */
  | {
      readonly kind: 'swept'
      readonly folderPath: string
      readonly at: number
      readonly fileCount: number
      readonly otherCount: number
    }
  /**
   * Whether a second station is kept off the folder; told when it changes. While it is `taken`, nothing is looked
   * into and nothing is told; `hostName` is the computer that has it, where that is known.
   */
  | {
      readonly kind: 'guard'
      readonly folderPath: string
      readonly guard: FolderGuard
      readonly hostName: string | null
    }
  /** Told once per reason. It ends with the next `swept`; nothing that was told before is taken back by it. */
  | {
      readonly kind: 'unreachable'
      readonly folderPath: string
      readonly at: number
      readonly reason: string
      /** Of the file system's error, if there was one; for the log. */
      readonly code?: string
    }

/** Watches one folder; calls for another folder are passed by, so that several can be called alike. */
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
