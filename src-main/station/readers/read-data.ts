/**
 * Reads data files and patient lists: their syntax, and then what they state. A large one in a process of its own, as a long
 * list of the service's cases is, so that the station is never busy with records; and the messages of that process, parsed
 * on arrival.
 */
import { z } from 'zod'
import { formOf, readContent } from '../../reader/data/content.ts'
import { type DataFileOptions, type DataFileReading, recordsIn } from '../cases/records/data-files.ts'
import { type PatientListOptions, type PatientListReading, peopleIn } from '../cases/patient-list.ts'
import type { RawAnswer } from '../service/client.ts'

/** Reads a data file by its name and content. */
export function readDataFile(fileName: string, bytes: Uint8Array, options: DataFileOptions): DataFileReading {
  const form = formOf(fileName, bytes)
  return recordsIn(readContent(bytes, form), form, options)
}

export function readPatientList(bytes: Uint8Array, options: PatientListOptions): PatientListReading {
  return peopleIn(readContent(bytes, 'list'), options)
}

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
  z.object({
    kind: z.literal('cases'),
    answer: z.looseObject({ body: bytesSchema }) as unknown as z.ZodType<RawAnswer>,
  }),
])
export type DataRequest = z.infer<typeof dataRequestSchema>

/**
 * Records, cases and people come in parts, because receiving many at once would block; then the rest of the reading. Each comes
 * as JSON, and is parsed once it is needed: 20,000 objects that live for seconds make the heap grow by 200 MB.
 */
export const dataAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('records'), records: z.array(z.string()) }),
  z.object({ kind: z.literal('rest'), rest: z.looseObject({}) }),
])
export type DataAnswer = z.infer<typeof dataAnswerSchema>
