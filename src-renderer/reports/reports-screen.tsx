import { Button } from '@mantine/core'
import { IconFileText, IconRefresh } from '@tabler/icons-react'
import { useEffect } from 'react'
import { EmptyPlace } from '../parts/empty-place.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { runCall } from '../shell/run-call.ts'
import { tell } from '../shell/tell.tsx'
import { useAnswer } from '../store/use-answer.ts'
import { useSession, useStation } from '../store/use-station.ts'
import { Inbox } from './inbox.tsx'
import { ReportReader } from './report-reader.tsx'
import css from './reports-screen.module.css'
import { t } from '../words/t.ts'

/** The reports that have come, and the one that is read. */
export function ReportsScreen({ caseId }: { readonly caseId: string | null }) {
  const session = useSession()
  const arrivals = useStation((state) => state.reportArrivals)
  const checkSeconds = useStation((state) => state.settings?.reports.checkSeconds ?? 300)
  const { value, failure, readAgain } = useAnswer('reports.list', {})
  useEffect(() => {
    if (arrivals > 0) readAgain()
  }, [arrivals, readAgain])
  const items = value?.items ?? []
  const every = sayInterval(checkSeconds)

  const check = async (): Promise<void> => {
    if (await runCall(session, 'reports.check', {})) tell({ tone: 'green', message: t('report:checked') })
  }

  return (
    <div className={css.screen}>
      <div className={css.side}>
        <div className={css.sideHead}>
          <h1 className={css.title}>{t('report:title')}</h1>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={15} aria-hidden />}
            onClick={() => void check()}
          >
            {t('report:check')}
          </Button>
        </div>
        <p className={css.awaiting}>{value ? t('report:awaiting', { count: value.awaiting }) : ''}</p>
        {failure && <FailureNotice failure={failure} tone="amber" />}
        <Inbox items={items} caseId={caseId} />
      </div>
      <div className={css.reading}>
        {caseId !== null ? (
          <ReportReader
            key={caseId}
            caseId={caseId}
            summary={items.find((item) => item.caseId === caseId) ?? null}
            every={every}
            onRead={readAgain}
          />
        ) : items.length > 0 ? (
          <EmptyPlace icon={IconFileText} title={t('report:choose.title')} body={t('report:choose.body')} />
        ) : (
          value && (
            <EmptyPlace
              icon={IconFileText}
              title={t('report:empty.title')}
              body={t('report:empty.body', { minutes: every })}
            />
          )
        )}
      </div>
    </div>
  )
}

function sayInterval(seconds: number): string {
  return seconds % 60 === 0
    ? t('report:minutes', { count: seconds / 60 })
    : t('report:seconds', { count: seconds })
}
