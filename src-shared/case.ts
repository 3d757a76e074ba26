/** A case as the service lists it. Its list is undocumented, so unknown states and fields are stored as received. */
import { z } from 'zod'

export const serviceCaseSchema = z.object({
  caseId: z.string(),
  /** The service's own state, verbatim. */
  state: z.string().nullable(),
  historyNumber: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  visitDate: z.string().nullable(),
  createdAt: z.string().nullable(),
  urgency: z.string().nullable(),
  /** Every field received, uninterpreted. */
  raw: z.record(z.string(), z.unknown()),
})
export type ServiceCase = z.infer<typeof serviceCaseSchema>

/** A case with our submission, if it is one of ours. */
export const listedCaseSchema = serviceCaseSchema.extend({
  submissionId: z.string().nullable(),
  reference: z.string().nullable(),
  /** When this station sent it. */
  sentAt: z.number().nullable(),
  /** Does this station have a report for it? */
  hasReport: z.boolean(),
})
export type ListedCase = z.infer<typeof listedCaseSchema>

export const centerSchema = z.object({
  centerId: z.string(),
  name: z.string().nullable(),
  /** The service's own marker of the current center; null if it sends none. */
  isCurrent: z.boolean().nullable(),
})
export type Center = z.infer<typeof centerSchema>
