/** A report of each kind, for invented cases. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CallHandlers } from '../../../src-main/station/api.ts'
import { HOUR, MINUTE } from '../../../src-shared/durations.ts'
import { fail, failureOf, succeed } from '../../../src-shared/failure.ts'
import { patientNameOf } from '../../../src-shared/measurement-ranges.ts'
import type {
  PendingReport,
  Report,
  ReportKind,
  ReportSummary,
  ReportVersion,
} from '../../../src-shared/report.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'
import { drawFundus } from '../../camera/draw-fundus.ts'
import { drawReportPdf } from '../../practice-service/reports.ts'

const LINES = [
  'Right eye (OD): gradable. Mild non-proliferative diabetic retinopathy.',
  'Left eye (OS): gradable. No diabetic retinopathy.',
  '',
  'Recommendation: control in 12 months.',
  'This report is synthetic. It belongs to nobody.',
]

const FINDINGS = {
  urgency: 'routine',
  recommendation: 'Control in 12 months',
  right_eye: { gradable: true, diabetic_retinopathy: 'mild', macular_edema: false, cup_disc_ratio: 0.4 },
  left_eye: { gradable: true, diabetic_retinopathy: 'none', macular_edema: false, cup_disc_ratio: 0.35 },
  readers: ['Reader 7', 'Reader 12'],
  remarks: null,
}

const PAGE = `<!doctype html><html><head><title>Report</title><style>body{font:16px/1.6 sans-serif;margin:40px;color:#222}h1{color:#174a63}</style></head>
<body><h1>Retinal report</h1><p>${LINES.join('<br>')}</p><img src="https://tracker.example/pixel.png" alt="">
<script>document.body.innerHTML = 'SCRIPT RAN'</script><form action="https://evil.example"><button>Send</button></form></body></html>`

type Made = {
  readonly kind: Exclude<ReportKind, 'unknown'>
  readonly contentType: string
  readonly bytes: Buffer
}

async function made(
  kind: Exclude<ReportKind, 'unknown'>,
  { caseId, fields }: SubmissionDetails,
  version: number,
): Promise<Made> {
  const pdfText = {
    title: 'Practice report',
    visitDate: fields.visit_date ?? '',
    imageCount: 2,
    findings: [
      { eye: 'OD', finding: 'mild non-proliferative diabetic retinopathy' },
      { eye: 'OS', finding: 'no sign of retinopathy' },
    ],
    recommendation: 'Next check in 12 months.',
    lines: LINES,
  } as const
  switch (kind) {
    case 'pdf':
      return {
        kind,
        contentType: 'application/pdf',
        bytes: drawReportPdf({
          ...pdfText,
          caseId: caseId ?? '',
          historyNumber: fields.history_number ?? '',
          version,
        }),
      }
    case 'json':
      return { kind, contentType: 'application/json', bytes: Buffer.from(JSON.stringify(FINDINGS)) }
    case 'html':
      return { kind, contentType: 'text/html', bytes: Buffer.from(PAGE) }
    case 'text':
      return { kind, contentType: 'text/plain', bytes: Buffer.from(LINES.join('\n')) }
    case 'image':
      return {
        kind,
        contentType: 'image/jpeg',
        bytes: await drawFundus({ eye: 'right', seed: 99, width: 420, height: 350 }),
      }
    case 'link':
      return {
        kind,
        contentType: 'text/plain',
        bytes: Buffer.from('https://service.example/reports/88403?page=1'),
      }
  }
}

export type StandInReports = {
  readonly reports: ReadonlyMap<string, Report>
  readonly summaries: ReportSummary[]
  readonly awaited: readonly PendingReport[]
  readonly files: ReadonlyMap<
    string,
    { readonly path: string; readonly contentType: string; readonly sizeBytes: number }
  >
}

/** The lines of a list that hold each typed word. */
function found<Line extends ReportSummary | PendingReport>(
  lines: readonly Line[],
  {
    search,
    submissionId,
  }: { readonly search?: string | undefined; readonly submissionId?: string | undefined },
): Line[] {
  if (submissionId !== undefined) return lines.filter((line) => line.submissionId === submissionId)
  const words = (search ?? '').toLowerCase().split(/\s+/)
  return lines.filter(({ caseId, reference, historyNumber, patientName }) => {
    const text = [caseId, reference, historyNumber, patientName].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

function ownerOf({
  id,
  caseId,
  reference,
  fields,
}: SubmissionDetails): Omit<PendingReport, 'sentAt' | 'nextCheckAt' | 'state' | 'urgency'> {
  return {
    caseId: caseId ?? '',
    submissionId: id,
    reference,
    historyNumber: fields.history_number ?? null,
    patientName: patientNameOf(fields),
    visitDate: fields.visit_date ?? null,
  }
}

const KINDS: readonly Exclude<ReportKind, 'unknown'>[] = ['pdf', 'json', 'html', 'text', 'image', 'link']

/** Writes the reports of the submissions that have one into a folder; the first has two versions. */
export async function makeReports(
  submissions: readonly SubmissionDetails[],
  folder: string,
  now: number,
): Promise<StandInReports> {
  const reports = new Map<string, Report>()
  const files = new Map<string, { path: string; contentType: string; sizeBytes: number }>()
  const summaries: ReportSummary[] = []
  const store = async (
    of: SubmissionDetails,
    kind: Exclude<ReportKind, 'unknown'>,
    number: number,
    fetchedAt: number,
  ): Promise<ReportVersion> => {
    const { bytes, contentType } = await made(kind, of, number)
    const id = `r${of.caseId}-${number}`
    const path = join(folder, id)
    await writeFile(path, bytes)
    files.set(id, { path, contentType, sizeBytes: bytes.length })
    return {
      id,
      kind,
      contentType,
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      fetchedAt,
      ...(kind === 'json' && { json: FINDINGS }),
      ...((kind === 'text' || kind === 'link') && { text: bytes.toString('utf8') }),
    }
  }
  const reported = submissions.filter(({ hasReport }) => hasReport)
  for (const [index, submission] of reported.entries()) {
    const caseId = submission.caseId ?? ''
    const kind = KINDS[index % KINDS.length] ?? 'pdf'
    const fetchedAt = now - (index + 1) * HOUR
    const versions = [await store(submission, kind, 1, fetchedAt)]
    if (index === 0) versions.push(await store(submission, kind, 2, now - HOUR / 2))
    reports.set(submission.id, { caseId, submissionId: submission.id, versions })
    summaries.push({
      ...ownerOf(submission),
      urgency: index === 1 ? 'preferential' : 'routine',
      kind,
      versionCount: versions.length,
      fetchedAt: versions.at(-1)?.fetchedAt ?? fetchedAt,
      readAt: index < 2 ? null : now,
    })
  }
  const awaited = submissions
    .filter(({ caseId, hasReport }) => caseId !== null && !hasReport)
    .map((one, index) => ({
      ...ownerOf(one),
      urgency: 'routine' as const,
      sentAt: one.sentAt ?? now,
      nextCheckAt: now + (4 + index) * MINUTE,
      state: 'pending',
    }))
  return { reports, summaries, awaited, files }
}

type ReportCalls = Pick<
  CallHandlers,
  'reports.list' | 'reports.awaiting' | 'reports.get' | 'reports.markRead' | 'reports.check'
>

export function standInReportCalls({
  reports,
  summaries,
  awaited,
  onRead,
}: Omit<StandInReports, 'files'> & { readonly onRead: () => void }): ReportCalls {
  return {
    'reports.list': async (wanted) => succeed({ items: found(summaries, wanted), awaiting: awaited.length }),
    'reports.awaiting': async (wanted) => succeed({ items: found(awaited, wanted) }),
    'reports.get': async ({ caseId, submissionId }) => {
      const report = [...reports.values()].findLast(
        (one) => one.caseId === caseId && (submissionId ?? one.submissionId) === one.submissionId,
      )
      return report ? succeed(report) : fail(failureOf('notReady'))
    },
    'reports.markRead': async ({ caseId, submissionId }) => {
      const index = summaries.findIndex(
        (one) => one.caseId === caseId && (submissionId ?? one.submissionId) === one.submissionId,
      )
      const summary = summaries[index]
      if (summary?.readAt === null) {
        summaries[index] = { ...summary, readAt: Date.now() }
        onRead()
      }
      return succeed({})
    },
    'reports.check': async () => succeed({}),
  }
}
