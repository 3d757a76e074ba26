import { Button, Group, Loader } from '@mantine/core'
import { IconInbox, IconRefreshAlert, IconSearchOff } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useShallow } from 'zustand/shallow'
import { formatCount } from '../format/numbers.ts'
import { EmptyPlace } from '../parts/empty-place.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { compareUrgency } from '../store/shown-state.ts'
import { useSession, useStation } from '../store/use-station.ts'
import { Ageing } from './ageing.tsx'
import { Counters } from './counters.tsx'
import { LeftAside } from './left-aside.tsx'
import css from './queue-screen.module.css'
import { QueueSearch } from './queue-search.tsx'
import { QueueTable } from './queue-table.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useHeldOrder } from './use-held-order.ts'
import { t } from '../words/t.ts'

const NO_IDS: ReadonlySet<string> = new Set()

/** Home: what is here, what needs somebody, and what happens to the rest by itself. */
export function QueueScreen() {
  const session = useSession()
  const queue = useStation((state) => state.queue)
  // Only a change of order is a change here: rows follow their own submission.
  const sorted = useStation(
    useShallow(({ submissions, queue: { ids } }) =>
      ids
        .flatMap((id) => submissions[id] ?? [])
        .sort(compareUrgency)
        .map(({ id }) => id),
    ),
  )
  const { ids, handlers } = useHeldOrder(sorted)
  const [chosen, setChosen] = useState(NO_IDS)
  const selected = useMemo(() => new Set(ids.filter((id) => chosen.has(id))), [ids, chosen])

  const select = useCallback((which: readonly string[], isSelected: boolean) => {
    setChosen((before) => {
      const after = new Set(before)
      for (const id of which) {
        if (isSelected) after.add(id)
        else after.delete(id)
      }
      return after
    })
  }, [])
  const clear = useCallback(() => setChosen(NO_IDS), [])

  return (
    <div className={css.screen}>
      <div className={css.top}>
        <h1 className={css.title}>{t('queue:title')}</h1>
        <Ageing />
        <span className={css.gap} />
        <QueueSearch />
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
          <QueueTable ids={ids} selected={selected} onSelect={select} />
          <QueueFoot shown={ids.length} />
        </div>
      ) : (
        <div className={css.panel}>
          <NothingHere />
        </div>
      )}
      <LeftAside />
      <SelectionBar selected={selected} onClear={clear} />
    </div>
  )
}

function QueueFoot({ shown }: { readonly shown: number }) {
  const session = useSession()
  const total = useStation((state) => Math.max(state.queue.total, shown))
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

function NothingHere() {
  const session = useSession()
  const { filter, search, phase } = useStation((state) => state.queue)
  const folder = useStation((state) => state.settings?.folders[0]?.path ?? null)
  if (phase === 'loading') return <Loader className={css.loading} aria-label={t('queue:title')} />
  if (search !== '') {
    return (
      <EmptyPlace
        icon={IconSearchOff}
        title={t('queue:empty.search.title')}
        body={t('queue:empty.search.body')}
      >
        <Button variant="default" mt="sm" onClick={() => session.showQueue({ search: '', filter: 'open' })}>
          {t('queue:empty.search.action')}
        </Button>
      </EmptyPlace>
    )
  }
  const body =
    filter === 'open'
      ? folder === null
        ? t('queue:empty.open.bodyNoFolder')
        : t('queue:empty.open.body', { folder })
      : t(`queue:empty.${filter}.body`)
  return <EmptyPlace icon={IconInbox} title={t(`queue:empty.${filter}.title`)} body={body} />
}
