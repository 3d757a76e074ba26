import { Button, Group, Loader } from '@mantine/core'
import { IconInbox, IconRefreshAlert, IconSearchOff } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { useShallow } from 'zustand/shallow'
import { formatCount } from '../format/numbers.ts'
import { NewCaseButton } from '../new-case/new-case-button.tsx'
import { EmptyState } from '../parts/empty-place.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { sortedIds, totalOf } from '../store/queue-order.ts'
import { useSession, useStation } from '../store/use-station.ts'
import { Overdue } from './ageing.tsx'
import { Counters } from './counters.tsx'
import { SkippedFiles } from './left-aside.tsx'
import css from './queue-screen.module.css'
import { QueueSearch } from './queue-search.tsx'
import { QueueTable } from './queue-table.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useStableOrder } from './use-held-order.ts'
import { useSelection } from './use-selection.ts'
import { t } from '../words/t.ts'

const NO_IDS: ReadonlySet<string> = new Set()

/** Home: what is here, what needs somebody, and what happens to the rest by itself. */
export function QueueScreen() {
  const session = useSession()
  const queue = useStation((state) => state.queue)
  // Only a change of order is a change here: rows follow their own submission.
  const sorted = useStation(useShallow(sortedIds))
  const { ids, handlers } = useStableOrder(sorted)
  const total = useStation(totalOf)
  const selection = useSelection(ids, `${queue.filter}/${queue.search}`)
  const [expanded, setExpanded] = useState(NO_IDS)
  const expand = useCallback((id: string, isExpanded: boolean) => {
    setExpanded((before) => {
      const after = new Set(before)
      if (isExpanded) after.add(id)
      else after.delete(id)
      return after
    })
  }, [])

  return (
    <div className={css.screen}>
      <div className={css.top}>
        <h1 className={css.title}>{t('queue:title')}</h1>
        <Overdue />
        <span className={css.gap} />
        <QueueSearch />
        <NewCaseButton />
      </div>
      <Counters />
      {queue.failure !== null && (
        <FailureNotice failure={queue.failure} tone="amber">
          <Group mt={6}>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconRefreshAlert size={15} aria-hidden />}
              onClick={session.refresh}
            >
              {t('queue:tryAgain')}
            </Button>
          </Group>
        </FailureNotice>
      )}
      {ids.length > 0 ? (
        <div className={css.panel} {...handlers}>
          <QueueTable
            ids={ids}
            selected={selection.ids}
            expanded={expanded}
            onSelect={selection.select}
            onSelectShown={selection.selectShown}
            onExpand={expand}
          />
          <QueueFoot shown={ids.length} total={total} />
        </div>
      ) : (
        <div className={css.panel}>
          <EmptyQueue />
        </div>
      )}
      <SkippedFiles />
      <SelectionBar selection={selection} shown={ids} total={total} />
    </div>
  )
}

function QueueFoot({ shown, total }: { readonly shown: number; readonly total: number }) {
  const session = useSession()
  const hasMore = useStation((state) => state.queue.next !== null)
  const [isLoading, setLoading] = useState(false)
  const loadMore = async (): Promise<void> => {
    setLoading(true)
    await session.loadMore()
    setLoading(false)
  }
  return (
    <div className={css.foot}>
      <span className="tabular dim">
        {t('queue:shown', { shown: formatCount(shown), total: formatCount(total) })}
      </span>
      {hasMore && (
        <Button variant="default" loading={isLoading} onClick={() => void loadMore()}>
          {t('queue:loadMore')}
        </Button>
      )}
    </div>
  )
}

function EmptyQueue() {
  const session = useSession()
  const { filter, search, phase } = useStation((state) => state.queue)
  const folder = useStation((state) => state.settings?.folders[0]?.path ?? null)
  if (phase === 'loading') return <Loader className={css.loading} aria-label={t('queue:title')} />
  if (search !== '') {
    return (
      <EmptyState
        icon={IconSearchOff}
        title={t('queue:empty.search.title')}
        body={t('queue:empty.search.body')}
      >
        <Button variant="default" mt="sm" onClick={() => session.showQueue({ search: '', filter: 'open' })}>
          {t('queue:empty.search.action')}
        </Button>
      </EmptyState>
    )
  }
  const body =
    filter === 'open'
      ? folder === null
        ? t('queue:empty.open.bodyNoFolder')
        : t('queue:empty.open.body', { folder })
      : t(`queue:empty.${filter}.body`)
  return <EmptyState icon={IconInbox} title={t(`queue:empty.${filter}.title`)} body={body} />
}
