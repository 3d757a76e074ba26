import { z } from 'zod'
import { urgencySchema } from './submission.ts'

export const REPORT_KINDS = ['pdf', 'json', 'html', 'text', 'image', 'link'] as const
/** A report that another version of the program has fetched may be of a kind that this one does not know: `unknown`. */
export const reportKindSchema = z.enum([...REPORT_KINDS, 'unknown'])
export type ReportKind = z.infer<typeof reportKindSchema>

/** One version of a report: the service may change a report later, and no version is thrown away. */
export const reportVersionSchema = z.object({
  id: z.string(),
  kind: reportKindSchema,
  contentType: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
  fetchedAt: z.number().int(),
  /** The content of JSON, text and links; other kinds are fetched as bytes by id. HTML is hostile and is never inlined. */
  json: z.unknown().optional(),
  text: z.string().optional(),
})
export type ReportVersion = z.infer<typeof reportVersionSchema>

/** Without a submission: of the one of this case id whose report came last. */
export const reportOfSchema = z.object({ caseId: z.string(), submissionId: z.string().optional() })

/** A case id may exist at two centers or services: only with the submission is it plain whose report this is. */
export const reportSchema = z.object({
  caseId: z.string(),
  submissionId: z.string(),
  versions: z.array(reportVersionSchema).min(1),
})
export type Report = z.infer<typeof reportSchema>

/** Whose report it is. */
const reportOwner = {
  caseId: z.string(),
  submissionId: z.string(),
  reference: z.string(),
  historyNumber: z.string().nullable(),
  /** As `patientNameOf` writes it. */
  patientName: z.string().nullable(),
  visitDate: z.string().nullable(),
  /** Urgent where a person or the service says so. */
  urgency: urgencySchema,
}

/** More than this are not listed at once; a search finds the others. */
export const MAX_LISTED_REPORTS = 1_000

/** A line of the reports' inbox. */
export const reportSummarySchema = z.object({
  ...reportOwner,
  kind: reportKindSchema,
  versionCount: z.number().int(),
  fetchedAt: z.number().int(),
  readAt: z.number().int().nullable(),
})
export type ReportSummary = z.infer<typeof reportSummarySchema>

/** A case whose report has not come yet. */
export const pendingReportSchema = z.object({
  ...reportOwner,
  sentAt: z.number().int(),
  /** When the service is asked next; null where it is not asked any more. */
  nextCheckAt: z.number().int().nullable(),
  /** What the service last said of the case, in its own word. */
  state: z.string().nullable(),
})
export type PendingReport = z.infer<typeof pendingReportSchema>
