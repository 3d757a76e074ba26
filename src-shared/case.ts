/** What the service holds. Nothing about it is documented, so unknown states and fields are kept as they came. */
import { z } from 'zod'

export const serviceCaseSchema = z.object({
  caseId: z.string(),
  /** The service's own word for the state, verbatim. */
  state: z.string().nullable(),
  historyNumber: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  visitDate: z.string().nullable(),
  createdAt: z.string().nullable(),
  urgency: z.string().nullable(),
  /** Every field that came, unread. */
  raw: z.record(z.string(), z.unknown()),
})
export type ServiceCase = z.infer<typeof serviceCaseSchema>

/** A case together with our submission, where it is one of ours. */
export const listedCaseSchema = serviceCaseSchema.extend({
  submissionId: z.string().nullable(),
  reference: z.string().nullable(),
  /** Is a report of it kept on this station? */
  hasReport: z.boolean(),
})
export type ListedCase = z.infer<typeof listedCaseSchema>

export const centerSchema = z.object({
  centerId: z.string(),
  name: z.string().nullable(),
  /** The service's own mark of the current center; null where it gives none. */
  isCurrent: z.boolean().nullable(),
})
export type Center = z.infer<typeof centerSchema>

/** How many submissions that are not over were made for a center, or for none. */
export const centerCountSchema = z.object({ centerId: z.string().nullable(), count: z.number().int() })
export type CenterCount = z.infer<typeof centerCountSchema>
