/** The list of the desk: rows of one height, which hold their places while a person aims at them. */
import { Checkbox } from '@mantine/core'
import { IconArrowBarToUp, IconCheck, IconPlayerSkipForward } from '@tabler/icons-react'
import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { MINUTE } from '../../src-shared/durations.ts'
import { CaseBadge } from '../components/badges.tsx'
import { Countdown, SmallButton } from '../components/controls.tsx'
import { formatExactly } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { actionsFor, runAction } from '../queue/actions.ts'
import { RowReason } from '../queue/row-reason.tsx'
import { writeRoute } from '../shell/navigation.tsx'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import css from './desk.module.css'

type CenterNames = ReadonlyMap<string, string>

/** Names of centers if a shown case is for another than the current one, else null. Asked once a screen: the service is asked. */
function useCenterNames(): CenterNames | null {
  const isWanted = useStation(
    ({ queue, submissions, status }) =>
      status !== null &&
      queue.ids.some((id) => (submissions[id]?.centerId ?? status.centerId) !== status.centerId),
  )
  const [isNamed, setNamed] = useState(false)
  const { value } = useAnswer('centers.list', isWanted && !isNamed ? {} : null)
  if (value !== null && !isNamed) setNamed(true)
  return useMemo(
    () => (isWanted ? new Map(value?.items.map(({ centerId, name }) => [centerId, name ?? centerId])) : null),
    [isWanted, value],
  )
}

type CaseListProps = {
  readonly ids: readonly string[]
  readonly shownId: string | null
  readonly skipped: readonly string[]
  readonly selected: ReadonlySet<string>
  readonly total: number
  readonly selectAll: ReactNode
  readonly onShow: (id: string) => void
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void
  readonly onUndo: (id: string) => Promise<void>
}

/** Drawn at once when the list opens, and the others right after: as many as a window of usual height shows. */
const FIRST_ROWS = 12

/** A real table, so that screen readers and the browser's search find every loaded row. One row is a tab stop. */
export function CaseList({
  ids,
  total,
  shownId,
  skipped,
  selected,
  selectAll,
  onShow,
  onSelect,
  onUndo,
}: CaseListProps) {
  const session = useSession()
  const centerNames = useCenterNames()
  // A person who comes back finds the row that was shown.
  const [isWhole, setWhole] = useState(ids.indexOf(shownId ?? '') >= FIRST_ROWS)
  useEffect(() => startTransition(() => setWhole(true)), [])
  const press = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
    const id = event.target.closest<HTMLTableRowElement>('tr[data-id]')?.dataset['id']
    if (id === undefined || !event.target.matches('a')) return
    if (event.key === ' ') {
      event.preventDefault()
      onSelect([id], !selected.has(id))
    } else if (event.key === 'Delete') {
      const submission = session.store.getState().submissions[id]
      if (submission && actionsFor(submission).includes('discard'))
        void runAction(session, 'discard', [submission])
    }
  }
  return (
    <table className={css.list} aria-label={t('queue:table')}>
      <thead>
        <tr>
          <th>{selectAll}</th>
          <th scope="col">
            {t('desk:listed', { shown: formatCount(ids.length), total: formatCount(total) })}
          </th>
        </tr>
      </thead>
      <tbody onKeyDown={press}>
        {(isWhole ? ids : ids.slice(0, FIRST_ROWS)).map((id) => (
          <CaseRow
            key={id}
            id={id}
            isShown={id === shownId}
            isTabStop={id === shownId || (id === ids[0] && !ids.includes(shownId ?? ''))}
            isSkipped={skipped.includes(id)}
            isSelected={selected.has(id)}
            centerNames={centerNames}
            onShow={onShow}
            onSelect={onSelect}
            onUndo={onUndo}
          />
        ))}
      </tbody>
    </table>
  )
}

type CaseRowProps = {
  readonly id: string
  readonly isShown: boolean
  readonly isTabStop: boolean
  readonly isSkipped: boolean
  readonly isSelected: boolean
  readonly centerNames: CenterNames | null
  readonly onShow: (id: string) => void
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void
  readonly onUndo: (id: string) => Promise<void>
}

/** One case. It subscribes to its own case in the store, so that other changes do not render it again. */
const CaseRow = memo(function CaseRow(props: CaseRowProps) {
  const { id, isShown, isTabStop, isSkipped, isSelected, centerNames, onShow, onSelect, onUndo } = props
  const names = useNames()
  const submission = useStation((state) => state.submissions[id])
  const ownCenter = useStation(({ status }) => status?.centerId ?? null)
  if (!submission) return null
  const { fields, state, addedAt, centerId, reference, unreadable, urgent, undoUntil } = submission
  const isReadable = unreadable === undefined
  const isNamed = isReadable && submission.erasedAt === null
  const show = (event: MouseEvent<HTMLTableRowElement>): void => {
    if (!(event.target instanceof Element) || event.target.closest('button, input, label')) return
    // With a modifier it is a link like any other: the page of the case opens in a window of its own.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.currentTarget.querySelector<HTMLElement>('a[data-row-link]')?.focus()
    onShow(id)
  }
  return (
    <tr
      className={css.row}
      data-id={id}
      data-state={state}
      data-selected={isSelected}
      aria-current={isShown}
      onClick={show}
    >
      <td className={css.select}>
        <Checkbox
          tabIndex={isTabStop ? 0 : -1}
          aria-label={t('queue:select', { who: names.patientLabel(fields) })}
          checked={isSelected}
          onChange={(event) => onSelect([id], event.currentTarget.checked)}
        />
      </td>
      <td title={t('desk:added', { when: formatExactly(addedAt) })}>
        <a
          href={writeRoute({ screen: 'submission', id })}
          className={css.who}
          tabIndex={isTabStop ? 0 : -1}
          data-row-link
          onFocus={() => onShow(id)}
        >
          <span className="visually-hidden">{t('queue:look')} </span>
          <bdi className={css.number}>
            {isNamed ? (fields.history_number ?? t('queue:noHistoryNumber')) : reference}
          </bdi>{' '}
          <bdi className="truncate">
            {isNamed ? names.titleOf(submission) : t(isReadable ? 'queue:erased' : 'queue:unreadable')}
          </bdi>
          {centerNames && centerId !== null && centerId !== ownCenter && (
            <span className={css.center}> {centerNames.get(centerId) ?? centerId}</span>
          )}
        </a>
        {undoUntil !== null && (
          <span className={css.approved}>
            <IconCheck size={14} aria-hidden />
            {t('desk:approved')}
            <SmallButton
              tabIndex={isTabStop ? 0 : -1}
              aria-label={t('desk:undoOf', { who: names.patientLabel(fields) })}
              onClick={() => void onUndo(id)}
            >
              <Countdown
                until={undoUntil}
                format={(left) => t('desk:undoFor', { left })}
                elapsedText={t('shell:undo')}
              />
            </SmallButton>
          </span>
        )}
        <span className={css.chip} hidden={undoUntil !== null}>
          {isSkipped && <IconPlayerSkipForward size={14} aria-label={t('desk:skipped')} role="img" />}
          {urgent && state === 'waiting' && (
            <IconArrowBarToUp size={14} aria-label={t('queue:urgent')} role="img" />
          )}
          <CaseBadge of={submission} />
        </span>
        <span className={css.reason} hidden={undoUntil !== null}>
          <RowReason submission={submission} />
        </span>
      </td>
    </tr>
  )
})

/** A pointer or key at rest for this long is not aiming at a row. */
const AIMING_MS = MINUTE

type Aim = 'pointer' | 'keys'

/** The order while a person aims: rows hold their places, and new ones are appended. Pure. */
export function stableOrder(
  current: readonly string[],
  wanted: readonly string[],
  by: Aim = 'keys',
): readonly string[] {
  const isWanted = new Set(wanted)
  const isHeld = new Set(current)
  // Below a pointer nothing moves up in place of what has left the list; keys act on a row wherever it is.
  const rest = by === 'pointer' ? current : current.filter((id) => isWanted.has(id))
  return [...rest, ...wanted.filter((id) => !isHeld.has(id))]
}

type Held = { readonly view: string; readonly ids: readonly string[]; readonly by: Aim }

/** Holds the rows while pointer or focus is among them. `view`: which list; null while it is read. */
export function useStableOrder(wanted: readonly string[], view: string | null) {
  const [held, setHeld] = useState<Held | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const thaw = (): void => {
    clearTimeout(timer.current)
    setHeld(null)
  }
  const freeze = (by: Aim): void => {
    if (view === null) return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setHeld(null), AIMING_MS)
    setHeld((before) => {
      if (before?.view !== view) return { view, ids: wanted, by }
      return before.by === by ? before : { ...before, by }
    })
  }
  return {
    ids: held !== null && held.view === view ? stableOrder(held.ids, wanted, held.by) : wanted,
    /** For the element whose order is frozen. */
    handlers: {
      onPointerMove: () => freeze('pointer'),
      onKeyDown: () => freeze('keys'),
      onFocus: () => freeze('keys'),
      // A person who leaves the mouse and continues by keyboard is still aiming.
      onPointerLeave: () => held?.by === 'pointer' && thaw(),
      onBlur: (event: React.FocusEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget)) thaw()
      },
    },
  }
}
