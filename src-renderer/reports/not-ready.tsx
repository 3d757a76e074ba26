/** A case whose report has not arrived, and small helpers of the report lists. */
import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReportSummary } from '../../src-shared/report.ts'
import { useStationNow } from '../components/browser.tsx'
import { EmptyState } from '../components/notices.tsx'
import { formatAge, formatInstant } from '../format/dates.ts'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { writeRoute } from '../shell/navigation.tsx'
import { useAnswer } from '../store/use-station.ts'
import css from './report-reader.module.css'

/** The reports that were unread at any time since `view` was opened: they keep their places when read. */
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

/** `5 minutes`, for how often something happens. */
export function intervalText(seconds: number): string {
  return seconds % 60 === 0
    ? t('report:minutes', { count: seconds / 60 })
    : t('report:seconds', { count: seconds })
}

type NotReadyProps = { readonly caseId: string; readonly submissionId: string | null; readonly every: string }

export function NotReady({ caseId, submissionId, every }: NotReadyProps) {
  const now = useStationNow()
  const names = useNames()
  const { value } = useAnswer(
    'reports.awaiting',
    submissionId === null ? { search: caseId } : { submissionId },
  )
  const [pending, another] = (value?.items ?? []).filter((item) => item.caseId === caseId)
  return (
    <EmptyState
      icon={IconFileText}
      title={t('report:notReady.title')}
      body={t('report:notReady.body', { minutes: every })}
    >
      {pending && !another && (
        <>
          <dl className={css.waiting}>
            <div>
              <dt>{t('report:notReady.whose')}</dt>
              <dd>
                {[pending.historyNumber, pending.patientName && names.name(pending.patientName)]
                  .filter(Boolean)
                  .join(' \u00b7 ') || t('report:noPatient')}
              </dd>
            </div>
            <div>
              <dt>{t('report:notReady.since')}</dt>
              <dd className="tabular">
                {formatInstant(pending.sentAt)} ({formatAge(now - pending.sentAt)})
              </dd>
            </div>
            {pending.nextCheckAt !== null && (
              <div>
                <dt>{t('report:notReady.next')}</dt>
                <dd className="tabular">
                  {pending.nextCheckAt <= now ? t('report:notReady.now') : formatInstant(pending.nextCheckAt)}
                </dd>
              </div>
            )}
            {pending.state !== null && (
              <div>
                <dt>{t('report:notReady.state')}</dt>
                <dd>{pending.state}</dd>
              </div>
            )}
          </dl>
          <Button
            component="a"
            variant="default"
            href={writeRoute({ screen: 'submission', id: pending.submissionId })}
          >
            {t('report:openCase')}
          </Button>
        </>
      )}
    </EmptyState>
  )
}
