/** The screen of the service's own case list. */
import { Button, Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconRefresh, IconSearchOff, IconStack2 } from '@tabler/icons-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ListedCase } from '../../src-shared/case.ts'
import { useToday } from '../components/browser.tsx'
import { SearchInput } from '../components/controls.tsx'
import { EmptyState, FailureNotice } from '../components/notices.tsx'
import { t } from '../i18n/i18n.ts'
import listing from '../components/listing.module.css'
import { goTo } from '../shell/navigation.tsx'
import { runCall } from '../shell/toast.tsx'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import { CaseFilters, filterCases, isFiltered, NO_FILTER, ReadAt, useCaseAlarms } from './case-filters.tsx'
import { CaseDetails, CaseTable } from './case-table.tsx'

const SEARCH_PAUSE_MS = 400
/** The list arrives whole; rendering it in parts keeps a long one fast. */
const ROWS_PER_PAGE = 200
const NO_CASES: readonly ListedCase[] = []

/** The service's case list; `caseId` is the case whose details are open. */
export function CasesScreen({ caseId }: { readonly caseId: string | null }) {
  const session = useSession()
  const centerId = useStation((state) => state.status?.centerId ?? null)
  const alarms = useCaseAlarms()
  const { value, failure, isReading, readAgain } = useAnswer('cases.list', {})
  const [isRefreshing, setRefreshing] = useState(false)
  const [filter, setFilter] = useState(NO_FILTER)
  const [search] = useDebouncedValue(filter.search, SEARCH_PAUSE_MS)
  const [rowLimit, setRowLimit] = useState(ROWS_PER_PAGE)
  const all = value?.items ?? NO_CASES
  const today = useToday()
  const { items, undated } = useMemo(
    // Clearing the search and all filters that are not typed apply at once.
    () => filterCases(all, { ...filter, search: filter.search === '' ? '' : search }, today),
    [all, filter, search, today],
  )
  const isOtherCenter = value !== null && value.centerId !== centerId
  useEffect(() => {
    if (isOtherCenter) readAgain()
  }, [isOtherCenter, readAgain])

  const refresh = async (): Promise<void> => {
    setRefreshing(true)
    await runCall(session, 'cases.list', { refresh: true })
    setRefreshing(false)
    readAgain()
  }
  const show = useCallback((item: ListedCase) => goTo({ screen: 'cases', caseId: item.caseId }), [])
  const rows = useMemo(() => items.slice(0, rowLimit), [items, rowLimit])
  const isNarrowed = isFiltered(filter)

  return (
    <div className={listing.screen}>
      <div className={listing.top}>
        <div>
          <h1 className={listing.title}>{t('case:title')}</h1>
          <p className="dim">{t('case:explain')}</p>
        </div>
        <div className={listing.tools}>
          <SearchInput
            width={300}
            label={t('case:search')}
            clearLabel={t('case:clearSearch')}
            text={filter.search}
            onWrite={(text) => setFilter({ ...filter, search: text })}
          />
          <Button
            variant="default"
            leftSection={<IconRefresh size={17} aria-hidden />}
            loading={isRefreshing}
            onClick={() => void refresh()}
          >
            {t('case:refresh')}
          </Button>
        </div>
      </div>
      <CaseFilters items={all} filter={filter} onChange={setFilter} />
      {failure && <FailureNotice failure={failure} tone="amber" />}
      <div className={listing.panel} aria-busy={isReading}>
        {rows.length > 0 ? (
          <CaseTable items={rows} alarms={alarms} onShow={show} />
        ) : isReading && all.length === 0 ? (
          <Loader className={listing.loading} aria-label={t('case:loading')} />
        ) : isNarrowed ? (
          <EmptyState icon={IconSearchOff} title={t('case:notFound.title')} body={t('case:notFound.body')}>
            <Button variant="default" onClick={() => setFilter(NO_FILTER)}>
              {t('case:clearFilters')}
            </Button>
          </EmptyState>
        ) : (
          <EmptyState icon={IconStack2} title={t('case:empty.title')} body={t('case:empty.body')} />
        )}
        {value && (
          <div className={listing.foot}>
            <ReadAt list={value} shown={items.length} undated={undated} />
            {items.length > rowLimit && (
              <Button variant="default" onClick={() => setRowLimit(rowLimit + ROWS_PER_PAGE)}>
                {t('case:showMore', { count: Math.min(ROWS_PER_PAGE, items.length - rowLimit) })}
              </Button>
            )}
          </div>
        )}
      </div>
      <CaseDetails
        caseId={caseId}
        listed={all.find((one) => one.caseId === caseId) ?? null}
        alarm={(caseId !== null && alarms.get(caseId)) || null}
        onClose={() => goTo({ screen: 'cases' })}
      />
    </div>
  )
}
