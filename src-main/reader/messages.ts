/**
 * The messages between the station and the processes that open foreign files and decode pictures, parsed on arrival: what
 * foreign bytes have taken over may send anything. And what a data file holds, before anyone asks what it means.
 */
import { z } from 'zod'
import { IMAGE_TYPES, type ImageType } from '../../src-shared/image-files.ts'
import { type Message, messageFields } from '../../src-shared/wording.ts'
import { type DicomElements, elementsSchema } from './dicom-messages.ts'

const photoRequestSchema = z.object({
  kind: z.literal('inspect'),
  /** Our own copy, which no longer changes. */
  path: z.string(),
  contentType: z.enum(IMAGE_TYPES),
  /** An existing folder; a converted picture is created in it under a new name. */
  pictureFolder: z.string(),
  /** Its thumbnail is written there, from the decoding that inspects it. */
  thumbnailPath: z.string().optional(),
})
export type PhotoRequest = Omit<z.infer<typeof photoRequestSchema>, 'kind'>

/** Images are our own copies; a picture is written under its path, which does not exist. */
export const picturesRequestSchema = z.discriminatedUnion('kind', [
  photoRequestSchema,
  z.object({ kind: z.literal('thumbnail'), imagePath: z.string(), picturePath: z.string() }),
  z.object({ kind: z.literal('screenPicture'), imagePath: z.string(), picturePath: z.string() }),
])
export type PicturesRequest = z.infer<typeof picturesRequestSchema>

const madePictureSchema = z.object({ path: z.string(), contentType: z.enum(['image/jpeg', 'image/png']) })
/** A picture for browsers and sharp, converted from an original; complete, closed, owned by the caller. */
export type MadePicture = z.infer<typeof madePictureSchema>

const photoWarningSchema = z.object({
  kind: z.enum(['blankImage', 'maybeDamaged', 'noPreview']),
  ...messageFields,
})
/** Something a person should see, which blocks nothing. */
export type PhotoWarning = z.infer<typeof photoWarningSchema>

const photoReadingSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('whole'),
    /** Of a DICOM file. */
    elements: elementsSchema.nullable(),
    picture: madePictureSchema.nullable(),
    /** Its grey levels, see `twins.ts`; null if nothing was decoded, or if there are several pictures. */
    grey: z.string().nullable(),
    oddities: z.array(photoWarningSchema),
  }),
  z.object({ kind: z.literal('damaged'), ...messageFields }),
  z.object({ kind: z.literal('notOpened') }),
])
/**
 * The result of inspecting a photograph.
 *
 * - `whole`      decodable to its last line, perhaps with the warning that it may be damaged; `picture` is null if the
 *                file itself can be shown, or if nothing can be (then `noPreview` says why)
 * - `damaged`    permanently undecodable
 * - `notOpened`  the disk, memory or our own program files failed; it may pass
 */
export type PhotoReading = z.infer<typeof photoReadingSchema>

/** `failed`: the disk refused, with the code of its error. */
export const picturesAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('inspected'), reading: photoReadingSchema }),
  z.object({ kind: z.literal('made'), isMade: z.boolean() }),
  z.object({ kind: z.literal('failed'), code: z.string() }),
])
export type PicturesAnswer = z.infer<typeof picturesAnswerSchema>

const MEGABYTE = 1_024 * 1_024

/** How a data file is read: `case` is a `case.json`, and `list` the table of a patient list. */
export type DataForm = 'case' | 'csv' | 'xml' | 'json' | 'list'

/** A larger one is not read; a document takes far more memory than a table while it is parsed. */
export const MAX_DATA_BYTES: Readonly<Record<DataForm, number>> = {
  // Far more than the longest texts of all fields.
  case: MEGABYTE,
  csv: 16 * MEGABYTE,
  xml: 8 * MEGABYTE,
  json: 8 * MEGABYTE,
  list: 64 * MEGABYTE,
}

export const MAX_ROWS = { csv: 20_000, list: 300_000 } as const

/**
 * What a data file holds, as it is written. `unread`: it is too large, in no known encoding, no table, `broken` as a
 * document, or `unusual`; `names` are the headings, elements or keys at its beginning.
 */
export type DataContent =
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'document'; readonly root: DataBlock }
  | {
      readonly kind: 'unread'
      readonly why: 'tooLarge' | 'encoding' | 'noTable' | 'tooManyRows' | 'broken' | 'unusual'
      readonly names: readonly string[]
    }

export type Table = {
  readonly headings: readonly string[]
  /** As many cells as headings, or fewer if the last ones are left out. */
  readonly rows: readonly (readonly string[])[]
  /** Those that do not fit the headings: a stray delimiter, or a truncated file. */
  readonly misfits: ReadonlySet<readonly string[]>
}

/** The common structure of XML and JSON documents: named blocks of named values and further blocks. */
export type DataBlock = {
  readonly name: string
  readonly values: readonly DataValue[]
  readonly blocks: readonly DataBlock[]
  /** It is a member of a list of this name. */
  readonly isListed?: true
  /** The document is a list of several. */
  readonly isList?: true
}

export type DataValue = {
  readonly name: string
  readonly value: string | number | boolean | null
  /** Of a list of plain values: each is a value of this name. */
  readonly isListed?: true
  /** Of an XML element that has elements, too: it may only number them. */
  readonly isAttribute?: true
}

/** Size and modification time of a file when it was observed; whole milliseconds. */
export type FileStamp = { readonly sizeBytes: number; readonly mtimeMs: number }

/**
 * The kind of a DICOM file, by its SOP class (PS3.4 table B.5-1).
 *
 * - `photo`             a photograph of an eye, or what cameras write it as
 * - `dicomOct`          sections, volumes and pictures made of them
 * - `dicomSegmentation` what a program drew over others
 * - `dicomReport`       a document: PDF, structured report
 * - `dicomDirectory`    DICOMDIR
 * - `dicomOther`        films, pictures of another kind, measurements, maps, raw data
 */
export type DicomKind =
  | 'photo'
  | 'dicomOct'
  | 'dicomSegmentation'
  | 'dicomReport'
  | 'dicomDirectory'
  | 'dicomOther'

export type ContentKind =
  | ImageType
  | Exclude<DicomKind, 'photo'>
  | 'empty'
  /** Only zeros so far: space preallocated before the content. */
  | 'blank'
  /** Too short to decide; it could still become an image. */
  | 'beginning'
  | 'gif'
  | 'heif'
  | 'jpeg2000'
  | 'pdf'
  | 'text'
  | 'webp'
  | 'zip'
  | 'unknown'

/** Content that is no image of a case. */
export type OtherContent = Exclude<ContentKind, ImageType | 'zip' | 'empty' | 'blank' | 'beginning'>

/**
 * The result of opening a file.
 *
 * - `whole`       a complete image or ZIP archive
 * - `incomplete`  truncated or not readable: perhaps still being written
 * - `other`       not an image of a case
 * - `changed`     gone, or different from the observation: observe again
 * - `unreadable`  reading failed unexpectedly, and would again; `error` is the class of the error, without content
 */
export type Inspection =
  | { readonly kind: 'whole'; readonly content: ImageType | 'zip' }
  | { readonly kind: 'incomplete'; readonly why: Incompleteness }
  | { readonly kind: 'other'; readonly content: OtherContent }
  | { readonly kind: 'changed' }
  | ({ readonly kind: 'unreadable'; readonly error: string } & Message)

export type Incompleteness = 'empty' | 'truncated' | 'malformed' | 'busy'

/** `name` is null if it concerns the archive, or if the name cannot be shown. */
export type Refused = Message & { readonly kind: 'refused'; readonly name: string | null }

/**
 * An entry of an archive.
 *
 * - `file`     extracted: `name` as in the archive, with `/` between its parts, never leading out; `path` holds its
 *              bytes until the next entry is requested; `mtimeMs` is the time of the file at `path`, and `crc32` its
 *              checksum
 * - `refused`  the archive, or one file of it
 */
export type ExpandedEntry =
  | (FileStamp & {
      readonly kind: 'file'
      readonly name: string
      readonly path: string
      readonly crc32: number
    })
  | Refused

export type ExpandedFile = Extract<ExpandedEntry, { kind: 'file' }>

export type ReportCopyRequest = {
  /** Our stored file, and the hash of its bytes. */
  readonly storedPath: string
  readonly sha256: string
  /** A bare address becomes a file that opens it; a document is copied unchanged. */
  readonly isLink: boolean
  /** An existing folder: one that is missing is not created, because its drive may not be mounted. */
  readonly folder: string
  /** `<name>_<number>.<extension>`, or the next free number beside other content. */
  readonly name: string
  readonly number: number
  readonly extension: string
  /** A text for `<name>_<number>.case.json`, written after the copy; null for none. */
  readonly facts: string | null
}

/** `notRead`: our stored file is missing or damaged. `code` is that of the disk, or `DAMAGED`. */
export type ReportCopyResult = {
  readonly kind: 'saved' | 'notRead' | 'notWritten'
  readonly code: string
}

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

/** A file that a listing of its folder shows. */
export type ListedFile = FileStamp & {
  readonly folderPath: string
  readonly relativePath: string
  readonly ctimeMs: number
}

/** What lies at a path that a person or an administrator chose; `path` is the target, if it is a link. */
export type Lying = FileStamp & { readonly path: string; readonly inode: number; readonly isFile: boolean }

/**
 * How the files of a camera, a person or an administrator are opened: by a process that may hang or die in the call, and
 * never by the one of the station. Errors of the disk carry their code.
 */
export type ForeignFiles = {
  /** A verified copy in the spool. */
  readonly copy: (request: SpoolRequest) => Promise<SpoolResult>
  /** Null if it cannot be read. */
  hash(path: string): Promise<string | null>
  /** The first `mostBytes` bytes. */
  read(path: string, mostBytes: number): Promise<Uint8Array>
  readonly inspect: (path: string, expected: FileStamp) => Promise<Inspection>
  locate(path: string): Promise<Lying>
  /** What a DICOM file holds. */
  elementsOf(path: string): Promise<DicomElements>
  /** A report, written into a folder of the clinic. */
  copyReport(request: ReportCopyRequest): Promise<ReportCopyResult>
  /** The entries of an archive, each extracted into `targetFolder` until the next is asked for. */
  expand(path: string, targetFolder: string): AsyncGenerator<ExpandedEntry, void, undefined>
  /** Every file in a folder, in batches. Throws if it cannot be listed: an unreachable share is not empty. */
  list(folderPath: string): AsyncGenerator<readonly ListedFile[], void, undefined>
}

const stampSchema = z.object({ sizeBytes: z.number(), mtimeMs: z.number() })

/** What the station asks of such a process. */
export type ForeignRequest = {
  [Ask in keyof ForeignFiles]: { readonly ask: Ask; readonly parameters: Parameters<ForeignFiles[Ask]> }
}[keyof ForeignFiles]

/** What a request is about, and the stamp that it states. */
export function subjectOf(request: ForeignRequest): { path: string; stamp: FileStamp | null } {
  switch (request.ask) {
    case 'copy':
      return { path: request.parameters[0].sourcePath, stamp: request.parameters[0].expected }
    case 'copyReport':
      return { path: request.parameters[0].storedPath, stamp: null }
    case 'inspect':
      return { path: request.parameters[0], stamp: request.parameters[1] }
    default:
      return { path: request.parameters[0], stamp: null }
  }
}

const shape = <Value>(schema: z.ZodType): z.ZodType<Value> => schema as z.ZodType<Value>

/** The shape of each answer. */
export const foreignAnswers = {
  copy: shape<SpoolResult>(z.looseObject({ ok: z.boolean() })),
  hash: z.string().nullable(),
  read: shape<Uint8Array>(z.instanceof(Uint8Array)),
  inspect: shape<Inspection>(z.looseObject({ kind: z.string() })),
  locate: shape<Lying>(stampSchema.extend({ path: z.string(), inode: z.number(), isFile: z.boolean() })),
  elementsOf: elementsSchema,
  copyReport: shape<ReportCopyResult>(
    z.object({ kind: z.enum(['saved', 'notRead', 'notWritten']), code: z.string() }),
  ),
  expand: shape<ExpandedEntry>(z.looseObject({ kind: z.enum(['file', 'refused']) })),
  list: z.array(
    stampSchema.extend({ folderPath: z.string(), relativePath: z.string(), ctimeMs: z.number() }),
  ),
} as const satisfies Record<keyof ForeignFiles, z.ZodType>

/** A file that such a process reads, and what that has cost so far; `stamp` is null if it was not named. */
const readSchema = z.object({
  path: z.string(),
  stamp: stampSchema.nullable(),
  bytes: z.number(),
  entries: z.number(),
  processorMs: z.number(),
})
export type Read = z.infer<typeof readSchema>

/**
 * What such a process says of itself and of a request. `steps` counts the pieces that it has read, and `isReading` is
 * true while it waits for one: without a step it hangs. `reads` are the files that it reads now, each named before.
 */
export const signSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('alive'),
    steps: z.number(),
    isReading: z.boolean(),
    memoryMb: z.number().default(0),
    reads: z.array(readSchema).default([]),
  }),
  z.object({ kind: z.literal('answer'), id: z.number(), value: z.unknown() }),
  z.object({ kind: z.literal('answered'), id: z.number() }),
  z.object({ kind: z.literal('failed'), id: z.number(), name: z.string(), code: z.string().nullable() }),
])
export type Sign = z.infer<typeof signSchema>

/** What a process of pictures or of a data file says of itself while it works. */
export const memorySchema = z.object({ kind: z.literal('alive'), memoryMb: z.number() })

/** What the station says to it, beside what its role demands. `next` asks for the next answer, `stop` for none. */
export type Asked =
  | { readonly kind: 'request'; readonly id: number; readonly request: ForeignRequest }
  | { readonly kind: 'next' | 'stop'; readonly id: number }
