import { z } from 'zod'
import { submissionStateSchema } from './states.ts'

/** A submission that has waited longer than it should at one step of its way. */
export const overdueItemSchema = z.object({
  kind: z.enum(['notSent', 'notConfirmed', 'noReport', 'notRedone']),
  submissionId: z.string(),
  reference: z.string(),
  state: submissionStateSchema,
  /** Since when it stands at this step, epoch milliseconds. */
  since: z.number().int(),
  /** What that means and what to do. */
  message: z.string(),
})

export type OverdueItem = z.infer<typeof overdueItemSchema>

/** How many cases came, and how many were taken by the service, on one day. */
export const dayCountSchema = z.object({
  /** `YYYY-MM-DD` on the calendar of this computer. */
  day: z.iso.date(),
  added: z.number().int(),
  sent: z.number().int(),
})

export type DayCount = z.infer<typeof dayCountSchema>

/** What a person must know because it may have gone wrong already: it stays until somebody settles it. */
export const ALARM_KINDS = [
  /** The service holds two cases with one of our references. */
  'twoCasesOneReference',
  /** The service shows another patient under the id that it gave for a case of ours. */
  'otherPatient',
  /** The mark of the current center showed another one right after a case was sent. */
  'centerSwitched',
  /** The outbox was rebuilt, or is older than what was sent: nothing of it goes again without evidence. */
  'outboxRestored',
  /** The service shows a case with the reference of one that was not sent as far as is known here. */
  'foundUnsent',
  /** The record of a case that was sent does not read as what was sent. */
  'contentChanged',
] as const

/** An alarm that another version of the program has raised may be of a kind that this one does not know: `unknown`. */
export const alarmKindSchema = z.enum([...ALARM_KINDS, 'unknown'])

export const alarmSchema = z.object({
  id: z.string(),
  kind: alarmKindSchema,
  /** The submission that it is about; null where it is about all. */
  submissionId: z.string().nullable(),
  /** Of that submission. */
  reference: z.string().nullable(),
  /** The cases at the service that it is about. */
  caseIds: z.array(z.string()),
  /** What happened, what it means, what to do. No patient data. */
  message: z.string(),
  raisedAt: z.number().int(),
})

export type Alarm = z.infer<typeof alarmSchema>

/** What stays in the trail is narrowed by these; instants are epoch milliseconds, `until` is not included. */
export const auditFilter = {
  submissionId: z.string().optional(),
  /** The reference of a submission, or the id that the service gave it. */
  reference: z.string().max(200).optional(),
  what: z.array(z.string()).optional(),
  by: z.string().optional(),
  since: z.number().int().optional(),
  until: z.number().int().optional(),
}
