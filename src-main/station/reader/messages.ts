/**
 * The messages between the station and the processes that decode pictures and read large data files, parsed on arrival:
 * what foreign bytes have taken over may send anything.
 */
import { z } from 'zod'
import { IMAGE_TYPES } from '../../../src-shared/image-files.ts'
import { messageFields } from '../../../src-shared/wording.ts'
import type { ContentFacts, Sidecar } from '../cases/meaning/sources.ts'
import { factsSchema, sidecarSchema } from '../json-columns.ts'
import type { DataFileOptions, DataFileReading } from './data-files/data-files.ts'
import type { PatientListOptions, PatientListReading } from './patient-list.ts'

const photoRequestSchema = z.object({
  kind: z.literal('inspect'),
  /** Our own copy, which no longer changes. */
  path: z.string(),
  contentType: z.enum(IMAGE_TYPES),
  nameOrder: z.enum(['lastFirst', 'firstLast']),
  /** An existing folder; a converted picture is created in it under a new name. */
  pictureFolder: z.string(),
})
export type PhotoRequest = Omit<z.infer<typeof photoRequestSchema>, 'kind'>

/** Images are our own copies; a picture is written under its path, which does not exist. */
export const picturesRequestSchema = z.discriminatedUnion('kind', [
  photoRequestSchema,
  z.object({ kind: z.literal('thumbnail'), imagePath: z.string(), picturePath: z.string() }),
  z.object({ kind: z.literal('screenPicture'), imagePath: z.string(), picturePath: z.string() }),
  z.object({ kind: z.literal('screenPictureBytes'), imagePath: z.string() }),
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
    facts: factsSchema.nullable() as z.ZodType<ContentFacts | null>,
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
  z.object({ kind: z.literal('size'), bytes: z.number().nullable() }),
  z.object({ kind: z.literal('failed'), code: z.string() }),
])
export type PicturesAnswer = z.infer<typeof picturesAnswerSchema>

const bytesSchema: z.ZodType<Uint8Array> = z.instanceof(Uint8Array)
export const dataRequestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    fileName: z.string(),
    bytes: bytesSchema,
    options: z.looseObject({}) as unknown as z.ZodType<DataFileOptions>,
  }),
  z.object({
    kind: z.literal('patients'),
    bytes: bytesSchema,
    options: z.looseObject({}) as unknown as z.ZodType<PatientListOptions>,
  }),
])
export type DataRequest = z.infer<typeof dataRequestSchema>

const peopleSchema = z.array(z.tuple([z.string(), z.array(sidecarSchema)]))
const readingSchema = z.looseObject({ ok: z.boolean() })

/**
 * Records and people come in parts, because receiving many at once would block; then the rest of the reading. Records come
 * as JSON, and are parsed once they are needed: 20,000 objects that live for seconds make the heap grow by 200 MB.
 */
export const dataAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('records'), records: z.array(z.string()) }),
  z.object({
    kind: z.literal('people'),
    people: peopleSchema as unknown as z.ZodType<readonly (readonly [string, readonly Sidecar[]])[]>,
  }),
  z.object({ kind: z.literal('file'), reading: readingSchema as unknown as z.ZodType<DataFileReading> }),
  z.object({
    kind: z.literal('patients'),
    reading: readingSchema as unknown as z.ZodType<PatientListReading>,
  }),
])
export type DataAnswer = z.infer<typeof dataAnswerSchema>
