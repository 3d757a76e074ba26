/** What a person must know because it may have gone wrong already: it stays until somebody settles it. */
import { z } from 'zod'

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
