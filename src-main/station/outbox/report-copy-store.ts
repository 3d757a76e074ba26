/** Which versions of reports still have to be copied into the clinic's folder. */
import type { ReportVersionRow } from './report-store.ts'
import type { WriteThrough } from './write-through.ts'

export type UnsavedReport = ReportVersionRow & { readonly position: number; readonly reference: string }

/** The oldest versions that came after a position and were not copied. */
export function unsavedReports(store: WriteThrough, afterPosition: number, limit: number): UnsavedReport[] {
  return store.sql
    .prepare<[number, number], UnsavedReport>(
      `SELECT report_versions.*, reference FROM report_versions JOIN submissions ON submissions.id = submission_id
       WHERE saved_at IS NULL AND report_versions.position > ? ORDER BY report_versions.position LIMIT ?`,
    )
    .all(afterPosition, limit)
}

/** Where the line of versions ends now: every later one has a greater position, also one that comes back. */
export function lastReportPosition(store: WriteThrough): number {
  return (
    store.sql.prepare<[], number>('SELECT coalesce(max(position), 0) FROM report_versions').pluck().get() ?? 0
  )
}

/** A version was copied; nothing is marked where it came anew meanwhile, as another answer. */
export function markReportSaved(
  store: WriteThrough,
  version: Pick<ReportVersionRow, 'id' | 'number'>,
  at: number,
): void {
  store.sql
    .prepare('UPDATE report_versions SET saved_at = ? WHERE id = ? AND number = ?')
    .run(at, version.id, version.number)
}
