import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { ReportKind } from '../../../src-shared/report.ts'
import { writeDurably } from '../durable-file.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { ReportWatch } from '../outbox/report-store.ts'
import type { Clock } from '../ports.ts'
import type { ReportAnswer } from '../service/service-client.ts'

const EXTENSIONS: Readonly<Record<ReportKind, string>> = {
  pdf: 'pdf',
  json: 'json',
  html: 'html',
  text: 'txt',
  image: 'img',
  link: 'url',
  unknown: 'bin',
}

type SaveOptions = { readonly outbox: Outbox; readonly clock: Clock; readonly folder: string }

/** Keeps one answer as a version; false where it is the one that is there already. */
export async function saveReport(
  options: SaveOptions,
  watch: ReportWatch,
  report: Extract<ReportAnswer, { kind: 'report' }>,
): Promise<boolean> {
  const sha256 = createHash('sha256').update(report.bytes).digest('hex')
  const fileName = `${sha256}.${EXTENSIONS[report.reportKind]}`
  if (options.outbox.reports.latestHash(watch.submission_id) === sha256) return false
  // The bytes first, then the row: a row without bytes would be a lost report.
  await writeDurably(join(options.folder, fileName), report.bytes)
  return options.outbox.reports.saveVersion({
    submission_id: watch.submission_id,
    case_id: watch.case_id,
    kind: report.reportKind,
    content_type: report.contentType,
    size_bytes: report.bytes.byteLength,
    sha256,
    file_name: fileName,
    fetched_at: options.clock.now(),
  })
}
