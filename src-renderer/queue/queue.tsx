/** What stands around the rows of the queue: search, filters, what is overdue, files that were ignored. */
import { Anchor, Button, Group, Loader, Stack, UnstyledButton } from '@mantine/core'
import { useDebouncedCallback, useInterval } from '@mantine/hooks'
import {
  IconFileCheck,
  IconHourglassHigh,
  IconInbox,
  IconRefreshAlert,
  IconSearchOff,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { OverdueItem } from '../../src-shared/alarms.ts'
import { MINUTE } from '../../src-shared/durations.ts'
import type { Failure } from '../../src-shared/failure.ts'
import {
  EmptyState,
  FailureNotice,
  Instant,
  LinkButton,
  NotRead,
  SearchInput,
  SmallButton,
} from '../components/controls.tsx'
import { TYPING_PAUSE_MS } from '../components/browser.tsx'
import { formatInstant } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { writeRoute } from '../shell/navigation.tsx'
import { countOf, QUEUE_FILTERS } from '../store/state.ts'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import { NewCaseButton } from '../submission/add-images.tsx'
import { FoldedPanel, LeftAside } from './left-aside.tsx'
import css from './queue.module.css'

function Counters() {
  const session = useSession()
  const shown = useStation((state) => state.queue.filter)
  const counts = useStation((state) => state.status?.counts)
  const missing = useStation((state) => state.status?.imagesMissing ?? 0)
  return (
    <div className={css.counters} role="group" aria-label={t('shell:showOnly')}>
      {QUEUE_FILTERS.map((filter) => {
        const count = counts ? countOf(filter, counts) : null
        return (
          <UnstyledButton
            key={filter}
            className={css.counter}
            data-filter={filter}
            data-some={(count ?? 0) > 0}
            aria-pressed={shown === filter}
            onClick={() => session.showQueue({ filter: shown === filter ? 'open' : filter })}
          >
            <span>
              <span className={css.name}>{t(`queue:filter.${filter}`)}</span>
              {filter === 'sent' && missing > 0 && (
                <span className={css.missing}>{t('queue:imagesMissing', { count: missing })}</span>
              )}
            </span>
            <span className={css.count}>{count === null ? '\u2013' : formatCount(count)}</span>
          </UnstyledButton>
        )
      })}
    </div>
  )
}

/** The station could read the names of a folder on its own, if a person confirms how they are built. */
function NamesOffer() {
  const folder = useStation(({ status }) => status?.names.find(({ offers }) => offers > 0)?.path ?? null)
  if (folder === null) return null
  return (
    <section className={css.panel} aria-label={t('queue:offer.action')}>
      <div className={css.head}>
        <IconFileCheck size={18} stroke={1.8} aria-hidden />
        <span>{t('queue:offer.text', { folder })}</span>
        <LinkButton
          size="compact-sm"
          variant="subtle"
          to={{ screen: 'settings', section: 'folders', folder }}
        >
          {t('queue:offer.action')}
        </LinkButton>
      </div>
    </section>
  )
}

function QueueSearch() {
  const session = useSession()
  const asked = useStation((state) => state.queue.search)
  const [text, setText] = useState(asked)
  const [lastAsked, setLastAsked] = useState(asked)
  // The search was changed elsewhere; otherwise the typed text stays.
  if (asked !== lastAsked) {
    setLastAsked(asked)
    if (asked !== text.trim()) setText(asked)
  }
  const ask = useDebouncedCallback(
    (search: string) => session.showQueue({ search: search.trim() }),
    TYPING_PAUSE_MS,
  )
  const write = (search: string): void => {
    setText(search)
    ask(search)
  }
  return <SearchInput className={css.search} label={t('queue:search')} text={text} onWrite={write} />
}

/** These cases have waited for days, so a slow refresh is enough. */
const OVERDUE_REFRESH_MS = 2 * MINUTE

const COUNT_ONLY = { limit: 1 }

function Overdue() {
  // The queue loads first: these cases can wait.
  const isQueueThere = useStation((state) => state.snapshots > 0)
  const { value, readAgain } = useAnswer('submissions.ageing', isQueueThere ? COUNT_ONLY : null)
  useInterval(readAgain, OVERDUE_REFRESH_MS, { autoInvoke: true })
  const count = value?.count ?? 0
  if (count === 0) return null
  return (
    <FoldedPanel icon={IconHourglassHigh} tone="amber" title={t('ageing:button', { count })}>
      <OverdueList />
    </FoldedPanel>
  )
}

/** Loaded when it is opened: there may be a thousand cases, and the first page needs none of them. */
function OverdueList() {
  const { value, failure } = useAnswer('submissions.ageing', {})
  if (value === null) return <NotRead failure={failure} label={t('shell:reading')} />
  const byKind = Map.groupBy(
    value.items.toSorted((one, other) => one.since - other.since),
    ({ kind }) => kind,
  )
  return (
    <div className={css.notes}>
      {[...byKind].map(([kind, items]) => (
        <section key={kind} aria-label={t(`ageing:kind.${kind}`)}>
          <h2 className={css.kind}>
            {t(`ageing:kind.${kind}`)} <span className="tabular dim">{formatCount(items.length)}</span>
          </h2>
          <ul role="list">
            {items.map((item) => (
              <OverdueRow key={item.submissionId} item={item} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function OverdueRow({ item }: { readonly item: OverdueItem }) {
  const { submissionId, reference, since } = item
  const names = useNames()
  const fields = useStation((state) => state.submissions[submissionId]?.fields)
  return (
    <li className={css.note}>
      <Anchor href={writeRoute({ screen: 'submission', id: submissionId })}>
        <strong>{fields ? names.patientLabel(fields) : reference}</strong>
      </Anchor>
      <span>{messageOf(item)}</span>
      <Instant at={since} className="dim">
        {t('shell:since', { when: formatInstant(since) })}
      </Instant>
    </li>
  )
}

/** Above the list. */
export function QueueHead() {
  return (
    <Stack gap={8} p={8}>
      <h1 className="visually-hidden">{t('shell:screens.queue')}</h1>
      <Group gap={8} wrap="nowrap">
        <QueueSearch />
        <NewCaseButton />
      </Group>
      <Counters />
      <Overdue />
    </Stack>
  )
}

export function QueueFailure({ failure }: { readonly failure: Failure }) {
  const session = useSession()
  return (
    <FailureNotice failure={failure} tone="amber">
      <Group mt={6}>
        <SmallButton icon={IconRefreshAlert} onClick={session.refresh}>
          {t('shell:tryAgain')}
        </SmallButton>
      </Group>
    </FailureNotice>
  )
}

/** Below the list: further rows, and what is no case. */
export function QueueFoot() {
  return (
    <Stack gap={8} p={8}>
      <FurtherRows />
      <NamesOffer />
      <LeftAside />
    </Stack>
  )
}

function FurtherRows() {
  const session = useSession()
  const hasMore = useStation((state) => state.queue.next !== null)
  const [isLoading, setLoading] = useState(false)
  const loadMore = async (): Promise<void> => {
    setLoading(true)
    await session.loadMore()
    setLoading(false)
  }
  if (!hasMore) return null
  return (
    <Button variant="default" loading={isLoading} onClick={() => void loadMore()}>
      {t('queue:loadMore')}
    </Button>
  )
}

/** In place of the shown case if there is none. */
export function EmptyQueue() {
  const session = useSession()
  const { filter, search, phase } = useStation((state) => state.queue)
  const folder = useStation((state) => state.settings?.folders[0]?.path ?? null)
  if (phase === 'loading')
    return <Loader display="block" m="72px auto" aria-label={t('shell:screens.queue')} />
  if (search !== '') {
    return (
      <EmptyState icon={IconSearchOff} title={t('queue:empty.search')}>
        <Button variant="default" mt="sm" onClick={() => session.showQueue({ search: '', filter: 'open' })}>
          {t('shell:clearSearch')}
        </Button>
      </EmptyState>
    )
  }
  const body = folder === null ? t('queue:chooseFolder') : t('queue:imagesAppear', { folder })
  return (
    <EmptyState icon={IconInbox} title={t(`queue:empty.${filter}`)} body={filter === 'open' ? body : null} />
  )
}
