import { z } from 'zod'

export const REPORT_KINDS = ['pdf', 'json', 'html', 'text', 'image', 'link'] as const
export const reportKindSchema = z.enum(REPORT_KINDS)
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

export const reportSchema = z.object({ caseId: z.string(), versions: z.array(reportVersionSchema).min(1) })
export type Report = z.infer<typeof reportSchema>

/** A line of the reports' inbox. */
export const reportSummarySchema = z.object({
  caseId: z.string(),
  submissionId: z.string(),
  reference: z.string(),
  historyNumber: z.string().nullable(),
  patientName: z.string().nullable(),
  visitDate: z.string().nullable(),
  kind: reportKindSchema,
  versionCount: z.number().int(),
  fetchedAt: z.number().int(),
  readAt: z.number().int().nullable(),
})
export type ReportSummary = z.infer<typeof reportSummarySchema>
