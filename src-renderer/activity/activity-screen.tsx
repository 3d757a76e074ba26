import { Button, Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload, IconHistory, IconSearchOff, IconX } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { formatCount } from '../format/numbers.ts'
import { EmptyState } from '../parts/empty-place.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { offerDownload } from '../parts/offer-download.ts'
import { writeRoute } from '../shell/routes.ts'
import { runCall } from '../shell/run-call.ts'
import { showToast } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { auditQuery, isFiltered, NO_FILTER } from './activity-filter.ts'
import { ActivityFilters } from './activity-filters.tsx'
import listing from '../parts/listing.module.css'
import css from './activity-screen.module.css'
import { ActivityTable } from './activity-table.tsx'
import { DaysPanel } from './days-panel.tsx'
import { useActivity } from './use-activity.ts'
import { useReferences } from './use-references.ts'
import { t } from '../words/t.ts'

/** Somebody who types initials is not asked about after each letter. */
const TYPING_PAUSE_MS = 300

/** What happened at this station, who did it, and why. */
export function ActivityScreen({ submissionId }: { readonly submissionId: string | null }) {
  const session = useSession()
  const [filter, setFilter] = useState(NO_FILTER)
  const [settled] = useDebouncedValue(filter, TYPING_PAUSE_MS)
  const input = auditQuery(settled, submissionId)
  const { entries, hasMore, isReading, failure, readMore } = useActivity(input)
  const [isSaving, setSaving] = useState(false)

  const save = async (): Promise<void> => {
    setSaving(true)
    const saved = await runCall(session, 'audit.export', auditQuery(filter, submissionId))
    setSaving(false)
    if (!saved) return
    offerDownload(new Blob([saved.csv], { type: 'text/csv;charset=utf-8' }), saved.fileName)
    showToast({ tone: 'green', message: t('activity:saved', { count: formatCount(saved.entries) }) })
  }
  return (
    <div className={listing.screen}>
      <div className={listing.top}>
        <div>
          <h1 className={listing.title}>{t('activity:title')}</h1>
          <p className="dim">{t('activity:explain')}</p>
        </div>
        <Button
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden />}
          loading={isSaving}
          onClick={() => void save()}
        >
          {t('activity:csv')}
        </Button>
      </div>
      {submissionId === null ? <DaysPanel /> : <OnlyCase id={submissionId} />}
      <ActivityFilters filter={filter} hasReference={submissionId === null} onChange={setFilter} />
      {failure && <FailureNotice failure={failure} tone="amber" />}
      <div className={listing.panel} aria-busy={isReading}>
        {entries.length > 0 ? (
          <ActivityTable entries={entries} />
        ) : isReading ? (
          <Loader className={listing.loading} aria-label={t('activity:loading')} />
        ) : isFiltered(filter) ? (
          <EmptyState
            icon={IconSearchOff}
            title={t('activity:notFound.title')}
            body={t(
              filter.reference.trim() === '' ? 'activity:notFound.body' : 'activity:notFound.ofReference',
            )}
          />
        ) : (
          <EmptyState icon={IconHistory} title={t('activity:empty.title')} body={t('activity:empty.body')} />
        )}
        {entries.length > 0 && (
          <div className={listing.foot}>
            <span className="tabular dim">{t('activity:shown', { count: formatCount(entries.length) })}</span>
            {hasMore && (
              <Button variant="default" loading={isReading} onClick={readMore}>
                {t('activity:loadMore')}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

/** One case is looked at alone; the way back to all is beside it. */
function OnlyCase({ id }: { readonly id: string }) {
  const ids = useMemo(() => [id], [id])
  const reference = useReferences(ids)(id) ?? '\u2026'
  return (
    <p className={css.only}>
      <strong>{t('activity:ofCase', { reference })}</strong>
      <Button
        component="a"
        href={writeRoute({ screen: 'activity', submissionId: null })}
        size="compact-sm"
        variant="default"
        leftSection={<IconX size={14} aria-hidden />}
      >
        {t('activity:allCases')}
      </Button>
    </p>
  )
}
