import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failureOf } from '../../../src-shared/failure.ts'
import { reportKindSchema, type ReportVersion } from '../../../src-shared/report.ts'
import { fail, succeed } from '../../../src-shared/result.ts'
import type { ReportVersionRow } from '../outbox/report-store.ts'
import type { CallHandlers } from '../station-api.ts'
import type { StationParts } from '../station-parts.ts'

type ReportCalls = Pick<
  CallHandlers,
  'reports.list' | 'reports.awaiting' | 'reports.get' | 'reports.markRead' | 'reports.check'
>

/** JSON, text and links travel inline; HTML is hostile until it is in its sandbox, and the rest is bytes. */
async function withContent(parts: StationParts, row: ReportVersionRow): Promise<ReportVersion> {
  const version: ReportVersion = {
    id: row.id,
    kind: reportKindSchema.catch('unknown').parse(row.kind),
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    fetchedAt: row.fetched_at,
  }
  if (row.kind !== 'json' && row.kind !== 'text' && row.kind !== 'link') return version
  const text = await readFile(join(parts.reportsFolder, row.file_name), 'utf8')
  return row.kind === 'json' ? { ...version, json: JSON.parse(text) as unknown } : { ...version, text }
}

export function reportCalls(parts: StationParts): ReportCalls {
  const { outbox } = parts
  return {
    'reports.list': (query) =>
      Promise.resolve(
        succeed({ items: outbox.reports.list(query), awaiting: outbox.reports.count().awaiting }),
      ),
    'reports.awaiting': (query) => Promise.resolve(succeed({ items: outbox.reports.pending(query) })),
    'reports.get': async ({ caseId, submissionId }) => {
      const rows = outbox.reports.versionsOf(caseId, submissionId)
      const [latest] = rows
      if (!latest)
        return fail(failureOf(outbox.reports.isPending(caseId, submissionId) ? 'notReady' : 'notFound'))
      const versions = await Promise.all(rows.map((row) => withContent(parts, row)))
      return succeed({ caseId, submissionId: latest.submission_id, versions })
    },
    'reports.markRead': ({ caseId, submissionId }) => {
      outbox.reports.markRead(caseId, parts.ports.clock.now(), submissionId)
      parts.emitStatus()
      return Promise.resolve(succeed({}))
    },
    'reports.check': () => {
      outbox.reports.checkMissingNow(parts.ports.clock.now())
      parts.reports.wake()
      return Promise.resolve(succeed({}))
    },
  }
}
