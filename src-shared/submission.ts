/** What a submission is, as the contract tells it. */
import { z } from 'zod'
import { failureSchema } from './failure.ts'
import { fieldNameSchema, fieldsSchema } from './fields.ts'
import { eyeSchema, IMAGE_TYPES } from './measurement-ranges.ts'
import { referenceSchema } from './reference.ts'
import { submissionStateSchema } from './states.ts'

/** Where a value came from, so that nobody takes a prefilled value for a checked one. */
const SOURCES = ['sidecar', 'folderName', 'fileName', 'fileTime', 'dicom', 'patientList', 'person'] as const

export const sourceSchema = z.enum(SOURCES)

export type Source = z.infer<typeof sourceSchema>

/** Why a submission cannot go yet. */
export const REASON_KINDS = [
  'fieldMissing',
  'eyeUnknown',
  'eyeConflict',
  'eyeImageMissing',
  'valueOutOfRange',
  'valueConflict',
  'identityConflict',
  'sidecarUnreadable',
  'noImages',
  'looksLikeDuplicate',
  'lateImage',
  'centerUnknown',
  'readFromNames',
] as const

export const reasonSchema = z.object({
  kind: z.enum(REASON_KINDS),
  /** A sentence for a photographer: what is unclear and what to do. */
  message: z.string(),
  field: fieldNameSchema.optional(),
  imageId: z.string().optional(),
  /** Our marks of the other submissions that this speaks of. */
  references: z.array(z.string()).optional(),
})

export type Reason = z.infer<typeof reasonSchema>

/** What is unusual and blocks nothing: shown, recorded, left to a person's judgement. */
const WARNING_KINDS = [
  'unusualValue',
  'eyesDiffer',
  'imageCount',
  'eyeWithoutImage',
  'blankImage',
  'noPreview',
  'sentBefore',
  'nameUnclear',
  'valueNotTaken',
] as const

/** As stored: a later or an earlier program may have had other kinds. */
export const storedWarningSchema = z.object({
  kind: z.string(),
  /** A sentence for a photographer: what is unusual. */
  message: z.string(),
  field: fieldNameSchema.optional(),
  imageId: z.string().optional(),
  /** Our marks of the other submissions that this speaks of. */
  references: z.array(z.string()).optional(),
})

const warningKindSchema = z.enum([...WARNING_KINDS, 'unknown'])

export const warningSchema = storedWarningSchema.extend({ kind: warningKindSchema })

export type Warning = z.infer<typeof warningSchema>

/** A kind only describes: one that this program does not know is `unknown`, and its sentence stays. */
export function knownWarning(stored: z.infer<typeof storedWarningSchema>): Warning {
  return { ...stored, kind: warningKindSchema.catch('unknown').parse(stored.kind) }
}

/** What a person's approval settles by itself: nothing is missing, somebody only had to look. */
export const REASONS_SETTLED_BY_APPROVAL: readonly Reason['kind'][] = [
  'lateImage',
  'looksLikeDuplicate',
  'readFromNames',
]

const imageSchema = z.object({
  id: z.string(),
  /** The camera's own name, with its folder inside the watched one. */
  fileName: z.string(),
  eye: eyeSchema,
  eyeSource: sourceSchema.nullable(),
  sizeBytes: z.number().int(),
  /** Lower-case hexadecimal SHA-256 of the bytes as the camera wrote them. */
  sha256: z.string(),
  contentType: z.enum(IMAGE_TYPES),
  /** What is sent in place of the camera's bytes, where that is something else: the image inside a DICOM file. */
  sentAs: z
    .object({ contentType: z.enum(IMAGE_TYPES), sizeBytes: z.number().int(), sha256: z.string() })
    .nullable(),
  /** What was photographed and how, where the file itself says so: `COLOR`, `Disc`. */
  view: z.string().nullable(),
  /** The image that this file shows once more (a DICOM file beside its JPEG): read, shown, and not sent itself. */
  twinOf: z.string().nullable(),
  /** Why a person left this image out; null where it is sent. */
  excludedBecause: z.string().nullable(),
  /** When its bytes were removed from this computer, long after the case was confirmed; null while they are here. */
  removedAt: z.number().int().nullable(),
})

export type Image = z.infer<typeof imageSchema>

export const OUTCOMES = ['delivered', 'unsent', 'refused', 'unknown'] as const

export const outcomeSchema = z.enum(OUTCOMES)

export type Outcome = z.infer<typeof outcomeSchema>

/** How far an attempt has provably come; each phase is written before it begins. */
export const ATTEMPT_PHASES = ['prepared', 'sending', 'handedOver', 'ended'] as const

export const attemptPhaseSchema = z.enum(ATTEMPT_PHASES)

export type AttemptPhase = z.infer<typeof attemptPhaseSchema>

const attemptSchema = z.object({
  id: z.string(),
  number: z.number().int(),
  centerId: z.string().nullable(),
  phase: attemptPhaseSchema,
  outcome: outcomeSchema.nullable(),
  /** Content-Length of the request. */
  requestBytes: z.number().int(),
  handedOverBytes: z.number().int(),
  failure: failureSchema.nullable(),
  /** Did anything come back? Then `submissions.answer` shows it. */
  hasAnswer: z.boolean(),
  startedAt: z.number().int(),
  endedAt: z.number().int().nullable(),
})

export type Attempt = z.infer<typeof attemptSchema>

/** One look for a submission whose arrival is not known, or a person's word on it. */
const evidenceSchema = z.object({
  id: z.string(),
  attemptId: z.string(),
  at: z.number().int(),
  kind: z.enum([
    'echoedReference',
    'sameIdentity',
    'several',
    'unclear',
    'absent',
    'lookFailed',
    'readBack',
    'readBackFailed',
    'decision',
    /** The service holds more than one case with our reference. */
    'twice',
    /** The outbox was rebuilt or is an older copy: what happened since it was written is not known. */
    'restored',
    /** The mark of the current center showed another one around the attempt. */
    'centerUnsure',
  ]),
  /** The candidates at the service. */
  caseIds: z.array(z.string()),
  message: z.string(),
  /** Initials of the person who decided. */
  by: z.string().nullable(),
})

export type Evidence = z.infer<typeof evidenceSchema>

export const noImageBecauseSchema = z.object({
  right: z.string().min(1).max(500).optional(),
  left: z.string().min(1).max(500).optional(),
})

/** The item of `submissions.list`. Instants are epoch milliseconds. */
export const submissionSchema = z.object({
  id: z.string(),
  reference: referenceSchema,
  state: submissionStateSchema,
  /**
   * Table and column of the outbox that cannot be read; left out for every other case. Such a case has no fields and no
   * images here, is not sent, and stays on the disk.
   */
  unreadable: z.string().optional(),
  fields: fieldsSchema,
  /** Where each prefilled field came from. */
  sources: z.partialRecord(fieldNameSchema, sourceSchema),
  images: z.array(imageSchema),
  /** The center that this submission was made for; null where this station never switches. */
  centerId: z.string().nullable(),
  /** How many attempts were made. */
  attempts: z.number().int(),
  caseId: z.string().nullable(),
  failure: failureSchema.nullable(),
  reasons: z.array(reasonSchema),
  oddities: z.array(warningSchema),
  /** Why there is no image of an eye, where a person has said so. It goes to the service as a remark. */
  noImageBecause: noImageBecauseSchema,
  urgent: z.boolean(),
  addedAt: z.number().int(),
  changedAt: z.number().int(),
  sentAt: z.number().int().nullable(),
  confirmedAt: z.number().int().nullable(),
  /** For `waiting`: not before this instant. For `unconfirmed`: the next look. */
  notBefore: z.number().int().nullable(),
  hasReport: z.boolean(),
})

export type Submission = z.infer<typeof submissionSchema>

export const submissionDetailsSchema = submissionSchema.extend({
  attemptList: z.array(attemptSchema),
  evidence: z.array(evidenceSchema),
})

export type SubmissionDetails = z.infer<typeof submissionDetailsSchema>

export const submissionCountsSchema = z.record(submissionStateSchema, z.number().int())

export type SubmissionCounts = z.infer<typeof submissionCountsSchema>

/** How soon somebody should look at a case. The service's words for it are written down nowhere. */
export const URGENCIES = ['urgent', 'preferential', 'routine'] as const

export const urgencySchema = z.enum(URGENCIES)

export type Urgency = z.infer<typeof urgencySchema>

/** The service's word in ours; what is not known here says nothing. */
export function readUrgency(text: string | null): Urgency {
  const plain = (text ?? '').trim().toLowerCase()
  if (/^(?:urgent[e]?|emergency|stat)$/.test(plain)) return 'urgent'
  return /^(?:preferential|preferente|priority|high)$/.test(plain) ? 'preferential' : 'routine'
}
