/** A submission in the contract: fields, images, reasons, attempts and evidence. */
import { z } from 'zod'
import { failureSchema } from './failure.ts'
import { fieldNameSchema, fieldsSchema } from './fields.ts'
import { IMAGE_TYPES } from './image-files.ts'
import { eyeSchema } from './measurement-ranges.ts'
import { referenceSchema } from './reference.ts'
import { submissionStateSchema } from './states.ts'
import { messageFields } from './wording.ts'

/** Who decides, and why: part of the input of every call that changes a case. */
export const decisionShape = {
  /** Initials. */
  by: z.string().trim().min(1).max(40).optional(),
  /** As the person typed it; it is stored in the audit trail and must not name a patient. */
  why: z.string().trim().min(1).max(500).optional(),
}

/** The source of a value, so that people can distinguish prefilled from checked values. */
export const SOURCES = [
  'sidecar',
  'folderName',
  'fileName',
  'fileTime',
  'dicom',
  'patientList',
  'person',
  /** A case of another person under the same number: one that was sent, or one that is here still. */
  'sentCase',
  'openCase',
] as const

export const sourceSchema = z.enum(SOURCES)

export type Source = z.infer<typeof sourceSchema>

/** How a part of a case stands: what its sources prove, only propose, dispute among themselves, or do not state. */
export const standingSchema = z.object({
  kind: z.enum(['proven', 'proposed', 'disputed', 'unknown']),
  /** The sources that state it; of a dispute, those that differ. */
  by: z.array(sourceSchema),
  /** Why it is no proof, as a code; null if there is nothing to say. */
  why: z.string().nullable(),
})

/** Whose case it is, of which day, which images belong together, and the eye of each image, by its id. */
export const verdictSchema = z.object({
  who: standingSchema,
  day: standingSchema,
  together: standingSchema,
  eyes: z.record(z.string(), standingSchema),
  /** Fields whose values are only proposed: by a data file that may be of others, or by names. */
  fields: z.array(fieldNameSchema).default([]),
  /** The ids of the confirmed profiles by which names prove any of it. */
  profiles: z.array(z.string()).default([]),
})

/** Why a submission cannot be sent yet. */
export const REASON_KINDS = [
  'unusableImage',
  'newExport',
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
  'twoPatients',
  'howManyPatients',
  'sharedNumber',
] as const

const findingFields = {
  /** A sentence for a photographer: what is unclear or unusual, and what to do. */
  ...messageFields,
  field: fieldNameSchema.optional(),
  imageId: z.string().optional(),
  /** References of the other submissions concerned. */
  references: z.array(z.string()).optional(),
}

export const reasonSchema = z.object({ kind: z.enum(REASON_KINDS), ...findingFields })

export type Reason = z.infer<typeof reasonSchema>

/** Unusual but not blocking: shown, recorded, left to a person's discretion. */
const WARNING_KINDS = [
  'unusualValue',
  'eyesDiffer',
  'imageCount',
  'eyeWithoutImage',
  'blankImage',
  'maybeDamaged',
  'noPreview',
  'sentBefore',
  'checkProposal',
  'valueNotTaken',
] as const

/** As stored: a later or an earlier program may have other kinds. */
export const storedWarningSchema = z.object({ kind: z.string(), ...findingFields })

const warningKindSchema = z.enum([...WARNING_KINDS, 'unknown'])

export const warningSchema = storedWarningSchema.extend({ kind: warningKindSchema })

export type Warning = z.infer<typeof warningSchema>

/**
 * True if one of these warnings, of an image or of its case, doubts that an image is sound: a decoder shows it, and its
 * coded data have signs of damage. Only a person who has seen the picture can say what it is worth.
 */
export function isMaybeDamaged(warnings: readonly { readonly kind: string }[]): boolean {
  return warnings.some(({ kind }) => kind === 'maybeDamaged')
}

/** Reads a stored warning; a kind that this program does not know becomes `unknown`, and its sentence stays. */
export function knownWarning(stored: z.infer<typeof storedWarningSchema>): Warning {
  return { ...stored, kind: warningKindSchema.catch('unknown').parse(stored.kind) }
}

/** Reasons that an approval settles: nothing is missing, a person only had to check. */
export const REASONS_SETTLED_BY_APPROVAL: readonly Reason['kind'][] = [
  'lateImage',
  'looksLikeDuplicate',
  'readFromNames',
]

/** Why a recovery excluded an image whose case was not certain any more. */
export const STRAYED_IMAGE = 'Belonged to another case when the outbox was lost; look where it belongs.'

const imageSchema = z.object({
  id: z.string(),
  /** The camera's file name, with its path relative to the watched folder. */
  fileName: z.string(),
  eye: eyeSchema,
  eyeSource: sourceSchema.nullable(),
  sizeBytes: z.number().int(),
  /** SHA-256 of the camera's bytes, lower-case hexadecimal. */
  sha256: z.string(),
  contentType: z.enum(IMAGE_TYPES),
  /** What is sent instead of the camera's bytes: the image inside a DICOM file. Null if the file itself is sent. */
  sentAs: z
    .object({ contentType: z.enum(IMAGE_TYPES), sizeBytes: z.number().int(), sha256: z.string() })
    .nullable(),
  /** What was photographed and how, as stated by the file: `COLOR`, `Disc`. */
  view: z.string().nullable(),
  /** The image that this file duplicates (a DICOM file beside its JPEG): this one is read and shown but not sent. */
  twinOf: z.string().nullable(),
  /** Why a person excluded this image; null if it is sent. */
  excludedBecause: z.string().nullable(),
  /** When its bytes were deleted from this computer, long after the case was confirmed; null while they exist. */
  removedAt: z.number().int().nullable(),
})

export type Image = z.infer<typeof imageSchema>

/** Why a file that a visit should have cannot be used. */
export const UNUSABLE_WHYS = [
  'empty',
  'truncated',
  'malformed',
  /** Another program holds it, or the station may not read it. */
  'busy',
  'damaged',
  'unreadable',
  'notAnImage',
  'tooLarge',
  /** A process died while it read the file, which is read once more. */
  'suspect',
  /** It happened again, and the file is not read any more. */
  'setAside',
] as const

export const unusableWhySchema = z.enum(UNUSABLE_WHYS)

export type UnusableWhy = z.infer<typeof unusableWhySchema>

/**
 * What became of a file that cannot be used.
 *
 * - `wait`        a person waits for a new export
 * - `exclude`     a person left it out, with a reason
 * - `sendAsItIs`  the case goes without it
 * - `replaced`    its new export is an image of the case
 */
export const unusableDecisionSchema = z.enum(['wait', 'exclude', 'sendAsItIs', 'replaced'])

export type UnusableDecision = z.infer<typeof unusableDecisionSchema>

/** A file that belongs to the case by its name and cannot be used; its bytes are never sent. */
const unusableFileSchema = z.object({
  id: z.string(),
  /** With its path relative to the watched folder. */
  fileName: z.string(),
  eye: eyeSchema,
  why: unusableWhySchema,
  /** What is wrong with it, and what to do. */
  ...messageFields,
  /** Null until a person has decided, which waits as well. */
  decision: unusableDecisionSchema.nullable(),
  because: z.string().nullable(),
  /** The image that came later under its name: its new export once `replaced`, until then a question. */
  replacedBy: z.string().nullable(),
})

export type UnusableFile = z.infer<typeof unusableFileSchema>

/** True while the case waits for a new export of this file, or for the answer whether one is. */
export function isPending({ decision }: Pick<UnusableFile, 'decision'>): boolean {
  return decision === null || decision === 'wait'
}

export const OUTCOMES = ['delivered', 'unsent', 'refused', 'unknown'] as const

export const outcomeSchema = z.enum(OUTCOMES)

export type Outcome = z.infer<typeof outcomeSchema>

/** How far an attempt has provably come; each phase is recorded before it begins. */
export const ATTEMPT_PHASES = ['prepared', 'sending', 'handedOver', 'ended'] as const

export const attemptPhaseSchema = z.enum(ATTEMPT_PHASES)

export type AttemptPhase = z.infer<typeof attemptPhaseSchema>

const attemptSchema = z.object({
  id: z.string(),
  number: z.number().int(),
  centerId: z.string().nullable(),
  phase: attemptPhaseSchema,
  outcome: outcomeSchema.nullable(),
  requestBytes: z.number().int(),
  handedOverBytes: z.number().int(),
  failure: failureSchema.nullable(),
  /** Was any answer received? Then `submissions.answer` returns it. */
  hasAnswer: z.boolean(),
  startedAt: z.number().int(),
  endedAt: z.number().int().nullable(),
})

export type Attempt = z.infer<typeof attemptSchema>

/** One lookup of a submission whose arrival is unconfirmed, or a person's statement about it. */
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
    /** The outbox was rebuilt or is an older copy: what happened after it was written is unknown. */
    'restored',
    /** The service's marker of the current center showed another center around the attempt. */
    'centerUnsure',
  ]),
  /** The candidate cases at the service. */
  caseIds: z.array(z.string()),
  ...messageFields,
  by: z.string().nullable(),
})

export type Evidence = z.infer<typeof evidenceSchema>

export const noImageBecauseSchema = z.object({
  right: z.string().min(1).max(500).optional(),
  left: z.string().min(1).max(500).optional(),
})

/** What a person found wrong about a case after it was sent. */
export const sentWronglySchema = z.object({
  because: z.enum(['patient', 'eye', 'day', 'consent']),
  /** What is right, as the person states it: a number, the eyes, a day. Empty if they do not know. */
  right: z.string(),
  at: z.number().int(),
  by: z.string(),
  /** The call to the service; null until it was made, and as long there is an alarm. */
  call: z.object({ spokenTo: z.string(), at: z.number().int(), by: z.string() }).nullable(),
})

export type SentWrongly = z.infer<typeof sentWronglySchema>

/** The item of `submissions.list`. Instants are epoch milliseconds. */
export const submissionSchema = z.object({
  id: z.string(),
  reference: referenceSchema,
  state: submissionStateSchema,
  /** The outbox table and column that cannot be read: then fields and images are empty, and nothing is sent. */
  unreadable: z.string().optional(),
  fields: fieldsSchema,
  sources: z.partialRecord(fieldNameSchema, sourceSchema),
  images: z.array(imageSchema),
  /** Files that belong to it by their names and cannot be used. */
  unusableFiles: z.array(unusableFileSchema),
  /** The center of this submission; null if this station never switches centers. */
  centerId: z.string().nullable(),
  attempts: z.number().int(),
  caseId: z.string().nullable(),
  failure: failureSchema.nullable(),
  reasons: z.array(reasonSchema),
  oddities: z.array(warningSchema),
  /** What its sources prove; the eyes are those of the images that are sent. */
  verdict: verdictSchema,
  /** SHA-256 over canonical values of fields, images, eyes, exclusions and verdict: what `submissions.approve` approves. */
  digest: z.string(),
  /** Why an eye has no image, if a person has said so. Sent to the service as a remark. */
  noImageBecause: noImageBecauseSchema,
  urgent: z.boolean(),
  addedAt: z.number().int(),
  changedAt: z.number().int(),
  sentAt: z.number().int().nullable(),
  confirmedAt: z.number().int().nullable(),
  /** For `sent`: the service shows fewer images than were sent, on two read-backs; null if nothing says so. */
  imageShortfall: z.object({ shown: z.number().int(), sent: z.number().int() }).nullable(),
  /** For `waiting`: the earliest sending time; `unconfirmed`: the next lookup; `collecting`: when no more images are waited for. */
  notBefore: z.number().int().nullable(),
  /** Until about then `submissions.undoApproval` takes the approval back, by the clock of the station; null once it is final. */
  undoUntil: z.number().int().nullable(),
  hasReport: z.boolean(),
  sentWrongly: sentWronglySchema.nullable(),
  /** For `discarded`: its patient withdrew then, and all of it was erased for good; null if not. */
  erasedAt: z.number().int().nullable(),
})

export type Submission = z.infer<typeof submissionSchema>

const otherCase = submissionSchema.pick({ id: true, reference: true, caseId: true }).nullable()

export const submissionDetailsSchema = submissionSchema.extend({
  /** The case that was sent wrongly and that this one corrects, and the one that corrects this one. */
  replaces: otherCase,
  replacedBy: otherCase,
  /** A person made it, without a camera's folder: only such a case takes images by hand. */
  isByHand: z.boolean(),
  attemptList: z.array(attemptSchema),
  evidence: z.array(evidenceSchema),
})

export type SubmissionDetails = z.infer<typeof submissionDetailsSchema>

const { because } = sentWronglySchema.shape
const signed = z.object({ id: z.string(), by: decisionShape.by.unwrap() })

/** The service's interface can neither amend nor delete, so a person calls. Nothing is sent by these. */
export const sentWronglyCalls = {
  /** What is wrong about a sent case; null: it was right. Until the call is noted there is an alarm, and it may change. */
  'submissions.noteSentWrongly': {
    input: signed.extend({
      because: because.nullable(),
      right: z.string().trim().max(100).default(''),
      call: z.object({ spokenTo: z.string().trim().min(1).max(100), at: z.number().int() }).optional(),
    }),
    output: submissionDetailsSchema,
  },
  /** Makes a case by hand of the images that were sent, for a person to review; answers with it. */
  'submissions.correct': { input: signed, output: submissionDetailsSchema },
} as const

export const submissionCountsSchema = z.record(submissionStateSchema, z.number().int())

export type SubmissionCounts = z.infer<typeof submissionCountsSchema>

/** How soon a person should read a case. The service's own terms for it are undocumented. */
export const URGENCIES = ['urgent', 'preferential', 'routine'] as const

export const urgencySchema = z.enum(URGENCIES)

export type Urgency = z.infer<typeof urgencySchema>

/** Maps the service's term to ours; unknown terms are `routine`. */
export function readUrgency(text: string | null): Urgency {
  const plain = (text ?? '').trim().toLowerCase()
  if (/^(?:urgent[e]?|emergency|stat)$/.test(plain)) return 'urgent'
  return /^(?:preferential|preferente|priority|high)$/.test(plain) ? 'preferential' : 'routine'
}
