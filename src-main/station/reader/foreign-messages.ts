/** The messages between the station and the processes that open foreign files, parsed on arrival. */
import { z } from 'zod'
import type { FolderReading } from '../../../src-shared/folder-settings.ts'
import type { Message } from '../../../src-shared/wording.ts'
import type { ContentFacts } from '../cases/meaning/sources.ts'
import { factsSchema } from '../json-columns.ts'
import type { FileStamp } from './formats/bytes.ts'
import type { ExpandedEntry } from './formats/zip.ts'
import type { Inspection } from './inspect-file.ts'
import type { ReportCopyRequest, ReportCopyResult } from './report-copy.ts'

/** Lower-case hexadecimal SHA-256 and the number of bytes it covers. */
export type Digest = { readonly sha256: string; readonly sizeBytes: number }

export type SpoolRequest = {
  readonly sourcePath: string
  readonly spoolFolder: string
  /** The stamp of the source when it settled; a changed source is not copied. */
  readonly expected: FileStamp
}

/**
 * `spoolName` is the path inside the spool, with `/`. Failures: the source `changed` (or is gone), is `unreadable`
 * now, the disk of the station is full (`diskFull`), or its `storage` refused.
 */
export type SpoolResult =
  | (Digest & { readonly ok: true; readonly spoolName: string })
  | (Message & { readonly ok: false; readonly why: 'changed' | 'unreadable' | 'diskFull' | 'storage' })

/** What lies at a path that a person or an administrator chose; `path` is the target, if it is a link. */
export type Lying = FileStamp & { readonly path: string; readonly inode: number; readonly isFile: boolean }

/**
 * How the files of a camera, a person or an administrator are opened: by a process that may hang or die in the call, and
 * never by the one of the station. Errors of the disk carry their code.
 */
export type ForeignFiles = {
  /** A verified copy in the spool. */
  copy(request: SpoolRequest): Promise<SpoolResult>
  /** Null if it cannot be read. */
  hash(path: string): Promise<string | null>
  /** The first `mostBytes` bytes. */
  read(path: string, mostBytes: number): Promise<Uint8Array>
  inspect(path: string, expected: FileStamp): Promise<Inspection>
  locate(path: string): Promise<Lying>
  /** What a DICOM file states. */
  factsOf(path: string, nameOrder: FolderReading['nameOrder']): Promise<ContentFacts>
  /** A report, written into a folder of the clinic. */
  copyReport(request: ReportCopyRequest): Promise<ReportCopyResult>
  /** The entries of an archive, each extracted into `targetFolder` until the next is asked for. */
  expand(path: string, targetFolder: string): AsyncGenerator<ExpandedEntry, void, undefined>
}

const stampSchema = z.object({ sizeBytes: z.number(), mtimeMs: z.number() })

/** What the station asks of such a process. */
export type ForeignRequest =
  | { readonly ask: 'copy'; readonly request: SpoolRequest }
  | { readonly ask: 'hash' | 'locate'; readonly path: string }
  | { readonly ask: 'read'; readonly path: string; readonly mostBytes: number }
  | { readonly ask: 'inspect'; readonly path: string; readonly expected: FileStamp }
  | { readonly ask: 'factsOf'; readonly path: string; readonly nameOrder: FolderReading['nameOrder'] }
  | { readonly ask: 'copyReport'; readonly request: ReportCopyRequest }
  | { readonly ask: 'expand'; readonly path: string; readonly targetFolder: string }

const shape = <Value>(schema: z.ZodType): z.ZodType<Value> => schema as z.ZodType<Value>

/** The shape of each answer. */
export const foreignAnswers = {
  copy: shape<SpoolResult>(z.looseObject({ ok: z.boolean() })),
  hash: z.string().nullable(),
  read: shape<Uint8Array>(z.instanceof(Uint8Array)),
  inspect: shape<Inspection>(z.looseObject({ kind: z.string() })),
  locate: shape<Lying>(stampSchema.extend({ path: z.string(), inode: z.number(), isFile: z.boolean() })),
  factsOf: shape<ContentFacts>(factsSchema),
  copyReport: shape<ReportCopyResult>(
    z.object({ kind: z.enum(['saved', 'notRead', 'notWritten']), code: z.string() }),
  ),
  expand: shape<ExpandedEntry>(z.looseObject({ kind: z.enum(['file', 'refused']) })),
}

/**
 * What such a process says of itself and of a request. `steps` counts the pieces that it has read, and `isReading` is
 * true while it waits for one: without a step it hangs.
 */
export const signSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('alive'), steps: z.number(), isReading: z.boolean() }),
  z.object({ kind: z.literal('answer'), id: z.number(), value: z.unknown() }),
  z.object({ kind: z.literal('answered'), id: z.number() }),
  z.object({ kind: z.literal('failed'), id: z.number(), name: z.string(), code: z.string().nullable() }),
])
export type Sign = z.infer<typeof signSchema>

/** What the station says to it, beside what its role demands. `next` asks for the next answer, `stop` for none. */
export type Asked =
  | { readonly kind: 'request'; readonly id: number; readonly request: ForeignRequest }
  | { readonly kind: 'next' | 'stop'; readonly id: number }
