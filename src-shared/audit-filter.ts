import { z } from 'zod'

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
