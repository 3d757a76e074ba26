import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { formatAge, formatInstant } from '../format/instants.ts'
import { EmptyState } from '../parts/empty-place.tsx'
import { useStationNow } from '../parts/use-now.ts'
import { useNames } from '../privacy/use-names.ts'
import { writeRoute } from '../shell/routes.ts'
import { useAnswer } from '../store/use-answer.ts'
import css from './report-reader.module.css'
import { t } from '../words/t.ts'

export type NotReadyProps = {
  readonly caseId: string
  readonly submissionId: string | null
  readonly every: string
}

/** A case without a report: normal, with since when it waits and when the service is asked next. */
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
