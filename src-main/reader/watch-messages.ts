/** Watching a folder: the events that the station receives, and the messages between it and the process that watches. */
import { z } from 'zod'
import { IMAGE_TYPES } from '../../src-shared/image-files.ts'
import { fileNoteSchema, type FolderStatus, folderStatusSchema } from '../../src-shared/station-status.ts'
import { unusableWhySchema } from '../../src-shared/submission.ts'
import { messageFields, type NameIn } from '../../src-shared/wording.ts'
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

const fileMark = {
  folderPath: z.string(),
  /** Inside the folder, with `/` between its parts, as the directory spells it. */
  relativePath: z.string(),
  sizeBytes: z.number(),
  mtimeMs: z.number(),
  /** The time of the last change of anything, which no program can set. Undefined for an entry of an archive. */
  ctimeMs: z.number().exactOptional(),
  /** Of its bytes, once they were read. */
  sha256: z.string().exactOptional(),
  /** Of an entry of an archive: some programs write the same time into all, and sizes are often equal. */
  crc32: z.number().exactOptional(),
}
const fileMarkSchema = z.object(fileMark)
/** An observed file. `mtimeMs` is epoch milliseconds, rounded down so that it compares equal in a database. */
export type FileMark = Readonly<z.infer<typeof fileMarkSchema>>

const settledFileSchema = z.object({
  ...fileMark,
  /** The type found in the content. A sidecar is recognised by its extension and passed on unread. */
  content: z.enum([...IMAGE_TYPES, 'zip', 'sidecar']),
})
/** A file that has settled: unchanged for the settle time, openable and, for images, structurally whole. */
export type SettledFile = Readonly<z.infer<typeof settledFileSchema>>

const unusableMarkSchema = z.object({ ...fileMark, ...messageFields, why: unusableWhySchema })
/** A file that stays as it is and cannot be used as the image that its name may promise. */
export type UnusableMark = Readonly<z.infer<typeof unusableMarkSchema>>

export type UnreachableReason = NameIn<'intake:watch.unreachable'>

const namesSchema = z.array(z.string()).readonly()

const watchEventSchema = z.discriminatedUnion('kind', [
  /** Any note on the same file no longer holds. */
  z.object({ kind: z.literal('settled'), file: settledFileSchema }),
  /** A file that is not one of our images, or that stays incomplete. Emitted once while it is unchanged. */
  z.object({ kind: z.literal('noted'), note: fileNoteSchema }),
  /** Beside its note; emitted once while it is unchanged. */
  z.object({ kind: z.literal('unusable'), file: unusableMarkSchema }),
  z.object({ kind: z.literal('noteCleared'), fileName: z.string() }),
  /** These files are not there any more, under these names. */
  z.object({ kind: z.literal('gone'), fileNames: namesSchema }),
  /** The file was written over under this name, size and time: what was taken under them are other bytes. */
  z.object({ kind: z.literal('rewritten'), file: fileMarkSchema }),
  /** Files that were doubted, and whose bytes are those that were taken. */
  z.object({
    kind: z.literal('verified'),
    files: z.array(fileMarkSchema.extend({ sha256: z.string() })).readonly(),
  }),
  /** The folder is reachable, and every file in it was seen. */
  z.object({ kind: z.literal('swept') }),
  /** While it is `taken`, nothing is opened or emitted; `hostName` is the computer that holds the folder. */
  z.object({
    kind: z.literal('guard'),
    guard: folderStatusSchema.shape.guard,
    hostName: z.string().nullable(),
  }),
  /** Emitted once per reason and ended by the next `swept`. `code` is that of the file system error, if any. */
  z.object({
    kind: z.literal('unreachable'),
    reason: z.string() as unknown as z.ZodType<UnreachableReason>,
    code: z.string().exactOptional(),
  }),
])
export type WatchEvent = z.infer<typeof watchEventSchema>

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

export const watchMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), event: watchEventSchema }),
  /** Asks which of exactly these files have been dealt with before. Answered in the order of asking. */
  z.object({ kind: z.literal('question'), question: z.number(), files: z.array(fileMarkSchema).readonly() }),
  /** A file was set aside because inspecting it threw; for the log, without content. */
  z.object({ kind: z.literal('setAside'), error: z.string() }),
])
export type WatchMessage = z.infer<typeof watchMessageSchema>
