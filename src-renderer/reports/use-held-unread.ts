import { useState } from 'react'
import type { ReportSummary } from '../../src-shared/report.ts'

/** The reports that were unread at any time since `view` began: their places are kept while they are read. */
export function useStickyUnread(items: readonly ReportSummary[], view: string): ReadonlySet<string> {
  const [held, setHeld] = useState<{ readonly of: string; readonly ids: ReadonlySet<string> }>({
    of: view,
    ids: new Set(),
  })
  const previous = held.of === view ? held.ids : new Set<string>()
  const fresh = items.filter(({ submissionId, readAt }) => readAt === null && !previous.has(submissionId))
  if (held.of === view && fresh.length === 0) return held.ids
  const next = { of: view, ids: new Set([...previous, ...fresh.map(({ submissionId }) => submissionId)]) }
  setHeld(next)
  return next.ids
}
