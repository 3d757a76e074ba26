/**
 * Offers of strict profiles: what a person sees before a station may read names on its own, and the inputs and outputs of
 * the calls about profiles.
 */
import { z } from 'zod'
import { confirmedProfileSchema } from './confirmed-profile.ts'
import { eyeSchema } from './measurement-ranges.ts'
import { messageFields } from './wording.ts'

const differenceSchema = z.enum(['historyNumber', 'visitDate', 'eye', 'name'])

/** What a person's word, or an earlier reading, and the reading of a pattern can differ in. */
export type Difference = z.infer<typeof differenceSchema>

const notCheckedSchema = z.enum(['visitDate', 'eye', 'name', 'nameUncompared'])

/**
 * What a pattern does not state, so that confirming it proves nothing about it. `nameUncompared`: it has a name, but no
 * approved visit had one to compare with.
 */
export type NotChecked = z.infer<typeof notCheckedSchema>

/** What a pattern reads in a path, for people; null if it has no such part. */
const readValuesSchema = z.object({
  historyNumber: z.string(),
  /** `YYYY-MM-DD`. */
  visitDate: z.string().nullable(),
  eye: eyeSchema.nullable(),
  name: z.string().nullable(),
  /** `HH:MM:SS`. */
  time: z.string().nullable(),
})

export type ReadValues = z.infer<typeof readValuesSchema>

const counterExampleSchema = z.object({
  caseId: z.string(),
  path: z.string(),
  differs: z.array(differenceSchema),
  /** A person corrected this visit: the names had stated something else. */
  corrected: z.boolean(),
})

/** A path of an approved visit that the pattern reads otherwise than the person said. */
export type CounterExample = z.infer<typeof counterExampleSchema>

const evidenceSchema = z.object({
  visits: z.number().int(),
  patients: z.number().int(),
  days: z.number().int(),
  rightImages: z.number().int(),
  leftImages: z.number().int(),
})

/** What an offer rests on. */
export type Evidence = z.infer<typeof evidenceSchema>

const offerSchema = z.object({
  /** The same for the same pattern: it names the offer that a person saw. */
  key: z.string(),
  /** The pattern for people. */
  pattern: z.string(),
  profile: confirmedProfileSchema,
  evidence: evidenceSchema,
  notChecked: z.array(notCheckedSchema),
  /** With any, it cannot be confirmed. */
  counterExamples: z.array(counterExampleSchema),
  /** Paths of corrected visits that it does not read. */
  refuses: z.array(z.string()),
  /** Visits up to the last correction that it reads otherwise: enough visits were approved since. */
  outlived: z.array(counterExampleSchema),
})

/** A pattern that a person may confirm, or, with counter-examples, may not. */
export type Offer = z.infer<typeof offerSchema>

const currentReadingSchema = z.object({
  historyNumber: z.string().nullable(),
  visitDate: z.string().nullable(),
  eye: eyeSchema.nullable(),
})

/** What the station holds of a file today, whatever it rests on. */
export type CurrentReading = z.infer<typeof currentReadingSchema>

export const offerPreviewSchema = z.object({
  /** The files that the pattern reads, the newest first as they were given. */
  matching: z.array(z.object({ path: z.string(), reading: readValuesSchema })),
  /** Images that it does not describe: they stay in review. */
  notMatching: z.array(z.string()),
  /** Files that have two readings, or state two values for one thing: they become questions. */
  unclear: z.array(z.string()),
  /** Files that read otherwise than before. */
  different: z.array(
    z.object({
      path: z.string(),
      differs: z.array(differenceSchema),
      before: currentReadingSchema,
      now: readValuesSchema,
    }),
  ),
})

export type OfferPreview = z.infer<typeof offerPreviewSchema>

/** Initials of the person who confirms or revokes: an anonymous confirmation is none. */
const personSchema = z.string().trim().min(1).max(40)

const folderPathSchema = z.string().min(1)

/** A case as people name it. */
const caseNameSchema = z.object({ id: z.string(), reference: z.string() })

export type CaseName = z.infer<typeof caseNameSchema>

const heldProfileSchema = z.object({
  profile: confirmedProfileSchema,
  pattern: z.string(),
  /** `marked`: by a person on one path; it proposes. `changed`: its confirmation is of another pattern, and counts for nothing. */
  state: z.enum(['confirmed', 'unconfirmed', 'marked', 'changed']),
  /** Visits that a person still looks at, because it was confirmed at another station. */
  waitingFor: z.number().int(),
  /** Cases that went by it without a person's approval, or may have, newest first. */
  sent: z.array(caseNameSchema),
  /** Cases that would return to `review` with its confirmation. */
  unsent: z.array(caseNameSchema),
})

/** A profile of a folder, and what rests on it. */
export type HeldProfile = z.infer<typeof heldProfileSchema>

const markSchema = z.enum(['who', 'day', 'eye', 'rest'])

/** What a person says that a piece of a path states; `rest` is left to the station. */
export type Mark = z.infer<typeof markSchema>

/** A path of a folder with the marks of its pieces, in their order. */
const markedPathShape = { path: folderPathSchema, file: z.string(), marks: z.array(markSchema).max(100) }

const shownOfferSchema = z.object({ offer: offerSchema, preview: offerPreviewSchema })

/** Shapes of the calls about profiles, as the contract takes them. */
export const profileCalls = {
  /** The offers of one folder with previews on its real files, and its profiles that are confirmed or no longer are. */
  'profiles.offers': {
    input: z.object({ path: folderPathSchema }),
    output: z.object({
      offers: z.array(shownOfferSchema),
      profiles: z.array(heldProfileSchema),
    }),
  },
  /** Confirms the offer that was shown; refused if it has counter-examples, or changed since. */
  'profiles.confirm': {
    input: z.object({ path: folderPathSchema, key: z.string(), by: personSchema }),
    output: z.object({ profile: confirmedProfileSchema }),
  },
  /**
   * One path of the folder in pieces, to be marked: the newest, and as the station would mark it, unless `file` and `marks`
   * are given. With a preview of what the marks make of the files of the folder, or what is wrong with them.
   */
  'profiles.draft': {
    input: z.object(markedPathShape).partial({ file: true, marks: true }),
    output: z.object({
      /** Paths to choose from, the newest first. */
      files: z.array(z.string()),
      file: z.string().nullable(),
      /** In order; text between the pieces has no mark. */
      pieces: z.array(z.object({ text: z.string(), mark: markSchema.nullable() })),
      shown: shownOfferSchema.nullable(),
      problem: z.object(messageFields).nullable(),
    }),
  },
  /** Stores the draft that was shown: it proposes what names say, until it is offered and confirmed like any other. */
  'profiles.mark': {
    input: z.object({ ...markedPathShape, key: z.string(), by: personSchema }),
    output: z.object({ profile: confirmedProfileSchema }),
  },
  /** Ends a confirmation, or drops what was marked. Cases that went by it and are not sent return to `review`. */
  'profiles.revoke': {
    input: z.object({
      path: folderPathSchema,
      id: z.string(),
      by: personSchema,
      why: z.string().max(500).optional(),
    }),
    output: z.object({ returned: z.array(caseNameSchema), sent: z.array(caseNameSchema) }),
  },
} as const
