/** Why the station believes what it shows of a case: the statements behind a verdict, for the page of the case. */
import { z } from 'zod'
import { sourceSchema, standingSchema } from './submission.ts'

/** A value, its source, and the path inside the watched folder from which it was read. */
const statementSchema = z.object({ value: z.string(), source: sourceSchema, where: z.string() })

export type ShownStatement = z.infer<typeof statementSchema>

const partSchema = z.object({
  kind: standingSchema.shape.kind,
  /** A code, see `Doubt` of the station; null if it is proven. */
  why: z.string().nullable(),
  /** The second number or the unknown word that a doubt is about. */
  about: z.string().nullable(),
  /** What was read; of a dispute, one of each side. */
  statements: z.array(statementSchema),
})

export type ShownPart = z.infer<typeof partSchema>

/** Images that belong together for certain, while other images of the case may be of another patient. */
const imageGroupSchema = z.object({
  imageIds: z.array(z.string()).min(1),
  statements: z.array(statementSchema),
})

export type ImageGroup = z.infer<typeof imageGroupSchema>

export const proofSchema = z.object({
  who: partSchema,
  day: partSchema,
  together: partSchema.omit({ about: true, statements: true }),
  /** By the id of the image. */
  eyes: z.record(z.string(), partSchema),
  /** The images of each patient, if they may be of several; else empty. */
  groups: z.array(imageGroupSchema),
  /** Cases of the same burst whose number a person has entered: these images may be added to one of them. */
  joinable: z.array(z.object({ id: z.string(), reference: z.string(), historyNumber: z.string() })),
})

export type Proof = z.infer<typeof proofSchema>
