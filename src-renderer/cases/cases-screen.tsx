import { Button, CloseButton, Loader, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconRefresh, IconSearch, IconSearchOff, IconStack2 } from '@tabler/icons-react'
import { useState } from 'react'
import type { ListedCase } from '../../src-shared/case.ts'
import { formatAge } from '../format/instants.ts'
import { formatCount } from '../format/numbers.ts'
import { EmptyPlace } from '../parts/empty-place.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { useStationNow } from '../parts/use-now.ts'
import { runCall } from '../shell/run-call.ts'
import { useAnswer } from '../store/use-answer.ts'
import { useSession } from '../store/use-station.ts'
import { CaseDetails } from './case-details.tsx'
import { CaseTable } from './case-table.tsx'
import css from './cases-screen.module.css'
import { t } from '../words/t.ts'

const SEARCH_PAUSE_MS = 400
/** The service's list comes whole; drawing it in parts keeps a long one quick. */
const ROWS_AT_ONCE = 200

/** The service's own list of cases. */
export function CasesScreen() {
  const session = useSession()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), SEARCH_PAUSE_MS)
  const { value, failure, isReading, readAgain } = useAnswer('cases.list', search === '' ? {} : { search })
  const [isRefreshing, setRefreshing] = useState(false)
  const [rowLimit, setRowLimit] = useState(ROWS_AT_ONCE)
  const [shown, setShown] = useState<ListedCase | null>(null)
  const items = value?.items ?? []

  const refresh = async (): Promise<void> => {
    setRefreshing(true)
    await runCall(session, 'cases.list', { refresh: true })
    setRefreshing(false)
    readAgain()
  }

  return (
    <div className={css.screen}>
      <div className={css.top}>
        <div>
          <h1 className={css.title}>{t('case:title')}</h1>
          <p className="dim">{t('case:explain')}</p>
        </div>
        <div className={css.tools}>
          {value && <ReadAt at={value.readAt} centerId={value.centerId} count={items.length} />}
          <TextInput
            type="search"
            role="searchbox"
            w={300}
            aria-label={t('case:search')}
            placeholder={t('case:search')}
            leftSection={<IconSearch size={17} aria-hidden />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            rightSection={
              text !== '' && (
                <CloseButton size="sm" aria-label={t('case:clearSearch')} onClick={() => setText('')} />
              )
            }
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
      {failure && <FailureNotice failure={failure} tone="amber" />}
      <div className={css.panel}>
        {items.length > 0 ? (
          <CaseTable items={items.slice(0, rowLimit)} onShow={setShown} />
        ) : isReading ? (
          <Loader className={css.loading} aria-label={t('case:loading')} />
        ) : search === '' ? (
          <EmptyPlace icon={IconStack2} title={t('case:empty.title')} body={t('case:empty.body')} />
        ) : (
          <EmptyPlace icon={IconSearchOff} title={t('case:notFound.title')} body={t('case:notFound.body')} />
        )}
        {items.length > rowLimit && (
          <div className={css.foot}>
            <Button variant="default" onClick={() => setRowLimit(rowLimit + ROWS_AT_ONCE)}>
              {t('case:showMore', { count: Math.min(ROWS_AT_ONCE, items.length - rowLimit) })}
            </Button>
          </div>
        )}
      </div>
      <CaseDetails shown={shown} onClose={() => setShown(null)} />
    </div>
  )
}

type ReadAtProps = { readonly at: number; readonly centerId: string | null; readonly count: number }

function ReadAt({ at, centerId, count }: ReadAtProps) {
  const now = useStationNow()
  return (
    <span className={`${css.readAt} tabular`}>
      {[
        t('case:count', { count: formatCount(count) }),
        ...(centerId === null ? [] : [t('case:ofCenter', { id: centerId })]),
        t('case:readAt', { when: formatAge(now - at) }),
      ].join(' \u00b7 ')}
    </span>
  )
}
