/** Overdue cases, alarms, and the entries and filters of the audit trail. */
import { z } from 'zod'
import { submissionStateSchema } from './states.ts'
import { messageFields } from './wording.ts'

/** A submission that has waited too long at one step. */
export const overdueItemSchema = z.object({
  kind: z.enum(['notSent', 'notConfirmed', 'noReport', 'notRedone']),
  submissionId: z.string(),
  reference: z.string(),
  state: submissionStateSchema,
  /** When it reached this step, epoch milliseconds. */
  since: z.number().int(),
  ...messageFields,
})

export type OverdueItem = z.infer<typeof overdueItemSchema>

/** Something that may already have gone wrong: the alarm stays until a person settles it. */
export const ALARM_KINDS = [
  /** The service holds two cases with one of our references. */
  'twoCasesOneReference',
  /** The service shows another patient under the id that it returned for our case. */
  'otherPatient',
  /** The service's marker of the current center showed another center right after a case was sent. */
  'centerSwitched',
  /** The outbox was rebuilt or is an older copy: nothing in it is sent again without evidence. */
  'outboxRestored',
  /** The service lists a case with the reference of a submission that, as far as we know, was not sent. */
  'foundUnsent',
  /** The service's record of a sent case differs from what was sent. */
  'contentChanged',
  /** What came after a case was sent states another patient, day or eye. Nothing that was sent is changed. */
  'contradicted',
  /** The service shows fewer images of a case than were sent. */
  'imagesMissing',
  /** A file of a case that was sent already cannot be read. */
  'damagedFellow',
  /** A person noted that a case was sent wrongly, and the service does not know yet. It ends with the call to the service. */
  'sentWrongly',
] as const

/** An alarm raised by another version of the program may have a kind that this one does not know: `unknown`. */
export const alarmKindSchema = z.enum([...ALARM_KINDS, 'unknown'])

export const alarmSchema = z.object({
  id: z.string(),
  kind: alarmKindSchema,
  /** The submission concerned; null if the alarm concerns all of them. */
  submissionId: z.string().nullable(),
  reference: z.string().nullable(),
  caseIds: z.array(z.string()),
  /** What happened, what it means, what to do. Of a patient it holds at most what a file name says: `values.file`. */
  ...messageFields,
  raisedAt: z.number().int(),
})

export type Alarm = z.infer<typeof alarmSchema>

/** Filters of the audit trail. Instants are epoch milliseconds; `until` is exclusive. */
export const auditFilter = {
  submissionId: z.string().optional(),
  /** The reference of a submission, or the id assigned by the service. */
  reference: z.string().max(200).optional(),
  what: z.array(z.string()).optional(),
  by: z.string().optional(),
  since: z.number().int().optional(),
  until: z.number().int().optional(),
}

const auditEntrySchema = z.object({
  id: z.number().int(),
  at: z.number().int(),
  submissionId: z.string().nullable(),
  /** Of that submission. */
  reference: z.string().nullable(),
  what: z.string(),
  by: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
})
/** With what its ids mean today: of an image its file, of a submission its history number, or its reference if it has none. */
export const namedEntrySchema = auditEntrySchema.extend({ names: z.record(z.string(), z.string()) })
export type NamedEntry = z.infer<typeof namedEntrySchema>
export type AuditEntry = z.infer<typeof auditEntrySchema>
