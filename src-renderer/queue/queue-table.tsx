/** The queue as a table, whose rows keep their places while a person aims at them. */
import { Checkbox } from '@mantine/core'
import { type KeyboardEvent, memo, useEffect, useMemo, useRef, useState } from 'react'
import { CaseTable } from '../components/case-table.tsx'
import { t } from '../i18n/i18n.ts'
import type { StationState } from '../store/state.ts'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import { actOnRow, actionsFor, type SubmissionAction } from './actions.ts'
import { QueueRow } from './queue-row.tsx'

type CenterNames = ReadonlyMap<string, string>

/** Do the shown cases belong to several centers, or to another one than the current? Pure. */
export function hasSeveralCenters({ submissions, queue, status }: StationState): boolean {
  const centers = new Set([
    status?.centerId ?? null,
    ...queue.ids.map((id) => submissions[id]?.centerId ?? null),
  ])
  centers.delete(null)
  return centers.size > 1
}

/** Names of centers if there are several, else null; ids if they have none. Asked once a screen: the service is asked. */
function useCenterNames(): CenterNames | null {
  const areSeveral = useStation(hasSeveralCenters)
  const [isNamed, setNamed] = useState(false)
  const { value } = useAnswer('centers.list', areSeveral && !isNamed ? {} : null)
  if (value !== null && !isNamed) setNamed(true)
  return useMemo(
    () =>
      areSeveral ? new Map(value?.items.map(({ centerId, name }) => [centerId, name ?? centerId])) : null,
    [areSeveral, value],
  )
}

type QueueTableProps = {
  readonly ids: readonly string[]
  readonly selected: ReadonlySet<string>
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void
  readonly onSelectShown: (isSelected: boolean) => void
}

const KEYS: Readonly<Record<string, readonly SubmissionAction[]>> = {
  a: ['approve'],
  r: ['retry'],
  h: ['hold', 'release'],
  Delete: ['discard'],
}

const COLUMNS = ['state', 'patient', 'visit', 'right', 'left', 'detail', 'added', 'actions'] as const

export const QueueTable = memo(function QueueTable(props: QueueTableProps) {
  const { ids, selected, onSelect, onSelectShown } = props
  const session = useSession()
  const centerNames = useCenterNames()
  const shownSelected = ids.filter((id) => selected.has(id)).length

  const press = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
    const row = event.target.closest<HTMLTableRowElement>('tr[data-id]')
    const id = row?.dataset['id']
    if (!row || id === undefined) return
    if (event.key === ' ' && event.target.matches('a')) {
      event.preventDefault()
      onSelect([id], !selected.has(id))
    } else if (Object.hasOwn(KEYS, event.key)) {
      const submission = session.store.getState().submissions[id]
      const action = submission && KEYS[event.key]?.find((one) => actionsFor(submission).includes(one))
      // The store may be ahead of the row that the person sees.
      const digest = row.dataset['digest'] ?? ''
      if (action) actOnRow(session, action, { ...submission, digest })
    }
  }

  return (
    <CaseTable
      label={t('queue:table')}
      columns={COLUMNS.map((name) => ({
        name,
        title:
          name === 'right' || name === 'left' ? (
            <abbr title={t(`field:eye.${name}.name`)}>{t(`queue:columns.${name}`)}</abbr>
          ) : (
            t(`queue:columns.${name}`)
          ),
      }))}
      selectAll={
        <Checkbox
          aria-label={t('queue:selectAll')}
          checked={shownSelected > 0 && shownSelected === ids.length}
          indeterminate={shownSelected > 0 && shownSelected < ids.length}
          onChange={(event) => onSelectShown(event.currentTarget.checked)}
        />
      }
      onKeyDown={press}
    >
      {ids.map((id) => (
        <QueueRow
          key={id}
          id={id}
          isSelected={selected.has(id)}
          centerNames={centerNames}
          onSelect={onSelect}
        />
      ))}
    </CaseTable>
  )
})

/** A pointer or key at rest for this long is not aiming at a row. */
const AIMING_MS = 4_000

/** The order while a person aims: rows keep their places, new ones are appended. Pure. */
export function stableOrder(current: readonly string[], wanted: readonly string[]): readonly string[] {
  const isWanted = new Set(wanted)
  const isHeld = new Set(current)
  return [...current.filter((id) => isWanted.has(id)), ...wanted.filter((id) => !isHeld.has(id))]
}

/** Keeps rows from moving under the pointer and the keys: neither must hit another patient's button. */
export function useStableOrder(wanted: readonly string[]) {
  const [frozen, setFrozen] = useState<readonly string[] | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const aimsWith = useRef<'pointer' | 'keys'>('pointer')
  useEffect(() => () => clearTimeout(timer.current), [])
  const freeze = (by: 'pointer' | 'keys'): void => {
    aimsWith.current = by
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setFrozen(null), AIMING_MS)
    setFrozen((before) => before ?? wanted)
  }
  return {
    ids: frozen ? stableOrder(frozen, wanted) : wanted,
    /** For the element whose order is frozen. */
    handlers: {
      onPointerMove: () => freeze('pointer'),
      onKeyDown: () => freeze('keys'),
      onFocus: () => freeze('keys'),
      onPointerLeave() {
        // A person who leaves the mouse and continues by keyboard is still aiming.
        if (aimsWith.current === 'keys') return
        clearTimeout(timer.current)
        setFrozen(null)
      },
    },
  }
}
