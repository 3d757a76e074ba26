/** Watching a folder: the events that the station receives, and the messages between it and the process that watches. */
import { z } from 'zod'
import { IMAGE_TYPES, type ImageType } from '../../src-shared/image-files.ts'
import {
  type FileNote,
  fileNoteSchema,
  type FolderStatus,
  folderStatusSchema,
} from '../../src-shared/station-status.ts'
import { type UnusableWhy, unusableWhySchema } from '../../src-shared/submission.ts'
import { type Message, messageFields, type NameIn } from '../../src-shared/wording.ts'
import type { ForeignFiles, Inspection } from './messages.ts'

/** The holder named in a lease: a unique id, and a name that people know. */
export type StationName = { readonly stationId: string; readonly hostName: string }

export type WatchedFolder = {
  readonly path: string
  readonly settleMs: number
  readonly sweepMs: number
  /** The station that writes a lease into the folder; null if the settings turn leases off. */
  readonly lease: StationName | null
}

export type FolderGuard = FolderStatus['guard']

type KnownResult = 'known' | 'damaged'

/**
 * `sha256`: of the bytes taken (null if never hashed), if they may be others now. `damaged`: never opens. `setAside` and
 * `suspect`: a process died while it read the file, which is not read in the one of the folder; see `lib/poison.ts`.
 */
export type PriorResult =
  | 'new'
  | KnownResult
  | 'setAside'
  | { readonly as: KnownResult; readonly sha256: string | null }
  | { readonly as: 'suspect'; readonly inMs: number }

/** An observed file. `mtimeMs` is epoch milliseconds, rounded down so that it compares equal in a database. */
export type FileMark = {
  readonly folderPath: string
  /** Inside the folder, with `/` between its parts, as the directory spells it. */
  readonly relativePath: string
  readonly sizeBytes: number
  readonly mtimeMs: number
  /** The time of the last change of anything, which no program can set. Undefined for an entry of an archive. */
  readonly ctimeMs?: number
  /** Of its bytes, once they were read. */
  readonly sha256?: string
  /** Of an entry of an archive: some programs write the same time into all, and sizes are often equal. */
  readonly crc32?: number
}

/** A file that has settled: unchanged for the settle time, openable and, for images, structurally whole. */
export type SettledFile = FileMark & {
  /** The type found in the content. A sidecar is recognised by its extension and passed on unread. */
  readonly content: ImageType | 'zip' | 'sidecar'
}

/** A file that stays as it is and cannot be used as the image that its name may promise. */
export type UnusableMark = FileMark & Message & { readonly why: UnusableWhy }

export type WatchEvent =
  /** Any note on the same file no longer holds. */
  | { readonly kind: 'settled'; readonly file: SettledFile }
  /** A file that is not one of our images, or that stays incomplete. Emitted once while it is unchanged. */
  | { readonly kind: 'noted'; readonly note: FileNote }
  /** Beside its note; emitted once while it is unchanged. */
  | { readonly kind: 'unusable'; readonly file: UnusableMark }
  | { readonly kind: 'noteCleared'; readonly fileName: string }
  /** These files are not there any more, under these names. */
  | { readonly kind: 'gone'; readonly fileNames: readonly string[] }
  /** The file was written over under this name, size and time: what was taken under them are other bytes. */
  | { readonly kind: 'rewritten'; readonly file: FileMark }
  /** Files that were doubted, and whose bytes are those that were taken. */
  | { readonly kind: 'verified'; readonly files: readonly (FileMark & { readonly sha256: string })[] }
  /** The folder is reachable, and every file in it was seen. */
  | { readonly kind: 'swept' }
  /** While it is `taken`, nothing is opened or emitted; `hostName` is the computer that holds the folder. */
  | { readonly kind: 'guard'; readonly guard: FolderGuard; readonly hostName: string | null }
  /** Emitted once per reason and ended by the next `swept`. `code` is that of the file system error, if any. */
  | { readonly kind: 'unreachable'; readonly reason: UnreachableReason; readonly code?: string }

/** Watches one folder. */
export type Watcher = {
  /** How the files of the folder are opened. */
  readonly files: ForeignFiles
  sweep(): void
  /** A settled file has been dealt with. While it is not acknowledged and unchanged, each sweep emits it again. */
  acknowledge(file: SettledFile): void
  /** Emits as gone those of these files of which it has seen nothing since it started, nor a folder or archive of them. */
  reportGone(fileNames: readonly string[]): void
  /** These files are looked up and read once more, although they have not changed. */
  readAgain(fileNames: readonly string[]): void
  close(): Promise<void>
}

/** The first message to the process: a folder to watch, or files that are asked for. */
export type Beginning =
  | { readonly kind: 'watch'; readonly folder: WatchedFolder }
  | { readonly kind: 'files' }

export type WatchCommand =
  | { readonly kind: 'sweep' }
  | { readonly kind: 'reportGone' | 'readAgain'; readonly fileNames: readonly string[] }
  /** What another process found a file to be that is not read in this one. */
  | { readonly kind: 'inspected'; readonly file: FileMark; readonly found: Inspection }
  | { readonly kind: 'acknowledge'; readonly file: SettledFile }
  | { readonly kind: 'knownFiles'; readonly question: number; readonly results: readonly PriorResult[] }
  | { readonly kind: 'close' }

export type WatchMessage =
  | { readonly kind: 'event'; readonly event: WatchEvent }
  /** Asks which of exactly these files have been dealt with before. Answered in the order of asking. */
  | { readonly kind: 'question'; readonly question: number; readonly files: readonly FileMark[] }
  /** A file was set aside because inspecting it threw; for the log, without content. */
  | { readonly kind: 'setAside'; readonly error: string }

export type UnreachableReason = NameIn<'intake:watch.unreachable'>

const fileMark = {
  folderPath: z.string(),
  relativePath: z.string(),
  sizeBytes: z.number(),
  mtimeMs: z.number(),
  ctimeMs: z.number().exactOptional(),
  sha256: z.string().exactOptional(),
  crc32: z.number().exactOptional(),
}
const fileMarkSchema = z.object(fileMark)
const settledFileSchema = z.object({ ...fileMark, content: z.enum([...IMAGE_TYPES, 'zip', 'sidecar']) })

const watchEventSchema: z.ZodType<WatchEvent> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('settled'), file: settledFileSchema }),
  z.object({ kind: z.literal('noted'), note: fileNoteSchema }),
  z.object({
    kind: z.literal('unusable'),
    file: z.object({ ...fileMark, ...messageFields, why: unusableWhySchema }),
  }),
  z.object({ kind: z.literal('noteCleared'), fileName: z.string() }),
  z.object({ kind: z.literal('gone'), fileNames: z.array(z.string()) }),
  z.object({ kind: z.literal('rewritten'), file: fileMarkSchema }),
  z.object({ kind: z.literal('verified'), files: z.array(z.object({ ...fileMark, sha256: z.string() })) }),
  z.object({ kind: z.literal('swept') }),
  z.object({
    kind: z.literal('guard'),
    guard: folderStatusSchema.shape.guard,
    hostName: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('unreachable'),
    reason: z.string() as unknown as z.ZodType<UnreachableReason>,
    code: z.string().exactOptional(),
  }),
])

export const watchMessageSchema: z.ZodType<WatchMessage> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), event: watchEventSchema }),
  z.object({ kind: z.literal('question'), question: z.number(), files: z.array(fileMarkSchema) }),
  z.object({ kind: z.literal('setAside'), error: z.string() }),
])
