/** Reports of the service: versions, what was done about one, the inbox, and pending reports. */
import { z } from 'zod'
import { decisionShape, sentWronglySchema, urgencySchema } from './submission.ts'

export const REPORT_KINDS = ['pdf', 'json', 'html', 'text', 'image', 'link'] as const
/** A report fetched by another version of the program may have a kind that this one does not know: `unknown`. */
export const reportKindSchema = z.enum([...REPORT_KINDS, 'unknown'])
export type ReportKind = z.infer<typeof reportKindSchema>
/** One version of a report: the service may change a report later, and no version is deleted. */
export const reportVersionSchema = z.object({
  id: z.string(),
  kind: reportKindSchema,
  contentType: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
  fetchedAt: z.number().int(),
  /** Of JSON, text and links; other kinds are fetched as bytes by id. HTML is untrusted and never inlined. */
  json: z.unknown().optional(),
  text: z.string().optional(),
})
export type ReportVersion = z.infer<typeof reportVersionSchema>

/** Without a submission: the report that arrived last for this case id. */
export const reportOfSchema = z.object({ caseId: z.string(), submissionId: z.string().optional() })
export const markReadSchema = reportOfSchema.extend({ isRead: z.boolean().default(true) })

/** What was done about a report, if the clinic asks for it; so it is in the trail, too. */
export const REPORT_ACTS = ['patientInformed', 'patientReferred', 'letterWritten', 'nothingToDo'] as const
export const reportDoneSchema = z.object({ what: z.enum(REPORT_ACTS), by: z.string(), at: z.number().int() })
export type ReportDone = z.infer<typeof reportDoneSchema>
/** Of the version that was shown; null takes it back. */
export const markDoneSchema = reportOfSchema.extend({
  version: z.string(),
  what: z.enum(REPORT_ACTS).nullable(),
  by: decisionShape.by.unwrap(),
})

/** A case id may exist at two centers or services, so only the submission identifies the report's owner. */
export const reportSchema = z.object({
  caseId: z.string(),
  submissionId: z.string(),
  /** Why it must not be used; absent if it may. */
  sentWrongly: sentWronglySchema.shape.because.optional(),
  versions: z.array(reportVersionSchema).min(1),
})
export type Report = z.infer<typeof reportSchema>

const reportOwner = {
  caseId: z.string(),
  submissionId: z.string(),
  reference: z.string(),
  historyNumber: z.string().nullable(),
  /** In the format of `patientNameOf`. */
  patientName: z.string().nullable(),
  visitDate: z.string().nullable(),
  /** Urgent if a person or the service says so. */
  urgency: urgencySchema,
  sentWrongly: sentWronglySchema.shape.because.optional(),
}

/** The most reports listed at once; a search finds the others. */
export const MAX_LISTED_REPORTS = 1_000

export const reportSummarySchema = z.object({
  ...reportOwner,
  kind: reportKindSchema,
  versionCount: z.number().int(),
  fetchedAt: z.number().int(),
  readAt: z.number().int().nullable(),
  /** Null also if a newer version came after it. */
  done: reportDoneSchema.nullable(),
})
export type ReportSummary = z.infer<typeof reportSummarySchema>

/** A case whose report has not arrived yet. */
export const pendingReportSchema = z.object({
  ...reportOwner,
  sentAt: z.number().int(),
  /** When the service is asked next; null if it is no longer asked. */
  nextCheckAt: z.number().int().nullable(),
  /** The service's latest state of the case, verbatim. */
  state: z.string().nullable(),
})
export type PendingReport = z.infer<typeof pendingReportSchema>
