/** Why the station believes what it shows of a case: the statements behind a verdict, for the page of the case. */
import { z } from 'zod'
import { fieldNameSchema } from './fields.ts'
import { decisionShape, sourceSchema, standingSchema, submissionDetailsSchema } from './submission.ts'

/** The attributes of a DICOM file that may contradict one another. */
export const ATTRIBUTES = [
  'studyDate',
  'acquisitionDateTime',
  'acquisitionDate',
  'contentDate',
  'seriesDate',
  'performedDate',
  'creationDate',
  'description',
  'issuer',
] as const

const attributeSchema = z.enum(ATTRIBUTES)

export type Attribute = z.infer<typeof attributeSchema>

/** A value, its source, and the path inside the watched folder from which it was read. */
const statementSchema = z.object({
  value: z.string(),
  source: sourceSchema,
  where: z.string(),
  /** Of a DICOM file that states it in several places: the one that is meant. */
  attribute: attributeSchema.optional(),
  /** Of an answer of a person: the initials, if they were given, and when. */
  by: z.string().nullable().optional(),
  at: z.number().int().nullable().optional(),
})

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
  /** Of each image, in the same order, epoch milliseconds: by the file, else by its date; 0 if neither is known. */
  takenAt: z.array(z.number()),
  /** Number and person, each if all that state one state the same; else empty. */
  person: z.string(),
  statements: z.array(statementSchema),
})

export type ImageGroup = z.infer<typeof imageGroupSchema>

/**
 * Everything that speaks of a case, each as a short digest. A screen sends it back with an answer, which settles what was
 * shown and nothing that came since.
 */
export const statedSchema = z.object({
  patient: z.array(z.string()),
  visitDay: z.array(z.string()),
  /** By the id of each image: what speaks of its eye. */
  eyes: z.record(z.string(), z.array(z.string())),
})

export type Stated = z.infer<typeof statedSchema>

export const NOTHING_STATED: Stated = { patient: [], visitDay: [], eyes: {} }

/** Why the station believes what it shows: the statements behind the verdict, read from all sources at each call. */
export const proofSchema = z.object({
  who: partSchema,
  day: partSchema,
  /** By the id of the image. */
  eyes: z.record(z.string(), partSchema),
  /** The images of each patient, if they may be of several; else empty. */
  groups: z.array(imageGroupSchema),
  /** Cases of the same burst whose number a person has entered: these images may be added to one of them. */
  joinable: z.array(
    z.object({ id: z.string(), reference: z.string(), digest: z.string(), historyNumber: z.string() }),
  ),
  stated: statedSchema,
  /** Fields whose values only hold with the number of the case: they go if another one is entered. */
  restsOnNumber: z.array(fieldNameSchema),
  /** The age at the visit in whole months, up to two years, if all that state a birth date state one. */
  ageMonths: z.number().int().nullable(),
})

export type Proof = z.infer<typeof proofSchema>

/** The calls about whose images a case holds. With `seen`, a case of which more speaks by now is refused as `changed`. */
export const patientCalls = {
  /**
   * Separates images of several patients: the first group stays, each other one becomes a case of its own. Each image
   * keeps its own answers; number, name and measurements stay with no side until a person assigns them. If both have one
   * number, a person says whose it is.
   */
  'submissions.separate': {
    input: z.object({
      id: z.string(),
      groups: z.array(z.array(z.string()).min(1)).min(2).max(50),
      seen: statedSchema.optional(),
      ...decisionShape,
    }),
    output: z.object({ cases: z.array(submissionDetailsSchema) }),
  },
  /** A person says that all images of this case are of one patient; remembered for both numbers and names. */
  'submissions.samePatient': {
    input: z.object({
      id: z.string(),
      /** `forget`: what was said so before about the names of this case holds no more. */
      answer: z.enum(['same', 'forget']).default('same'),
      seen: statedSchema.optional(),
      ...decisionShape,
    }),
    output: submissionDetailsSchema,
  },
  /** The answer to "Is 88123 a patient number here?"; kept for the folder, and for numbers of this shape if it is no. */
  'submissions.answerNumber': {
    input: z.object({ id: z.string(), number: z.string(), isPatientNumber: z.boolean(), ...decisionShape }),
    output: submissionDetailsSchema,
  },
  /**
   * The answer to "Whose number is this?", of two people under one: this case's, or the other's. Who gives the number up
   * needs another one; a case that was sent keeps it, and an alarm says that it may be of another patient.
   */
  'submissions.assignNumber': {
    input: z.object({
      id: z.string(),
      number: z.string(),
      isThis: z.boolean(),
      seen: statedSchema.optional(),
      ...decisionShape,
    }),
    /** This case first. */
    output: z.object({ cases: z.array(submissionDetailsSchema) }),
  },
  /**
   * A person's decision on a file of this case that cannot be used, and on the image that may be its new export.
   * `exclude` needs `why`; the bytes of the file are never sent.
   */
  'submissions.decideFile': {
    input: z.object({
      id: z.string(),
      fileId: z.string(),
      decision: z.enum(['wait', 'exclude', 'sendAsItIs', 'isNewExport', 'isNotNewExport']),
      seen: statedSchema.optional(),
      ...decisionShape,
    }),
    output: submissionDetailsSchema,
  },
} as const
