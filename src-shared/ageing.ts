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
