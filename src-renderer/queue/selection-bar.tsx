/** The bar with the actions for selected cases, and which cases are selected. */
import { Loader } from '@mantine/core'
import { IconArrowBackUp, IconDownload, IconSelectAll, IconX } from '@tabler/icons-react'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { offerDownload } from '../components/browser.tsx'
import { ActionButton } from '../components/controls.tsx'
import { useShallow } from 'zustand/shallow'
import type { Result } from '../../src-shared/failure.ts'
import { currentSignature } from '../decisions/decisions.tsx'
import { formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import type { StationLink } from '../link/link.ts'
import { lazyScreen } from '../shell/navigation.tsx'
import { runCall, showFailure } from '../shell/toast.tsx'
import { type Cursor, MAX_ROWS, type QueueView, readQueuePage } from '../store/state.ts'
import type { StationSession } from '../store/store.ts'
import { useSession, useStation } from '../store/use-station.ts'
import {
  ACTION_ICONS,
  actionsForMany,
  type ActionTarget,
  runAction,
  type ShownCase,
  type SubmissionAction,
} from './actions.ts'
import css from './queue.module.css'

type Selection = ReturnType<typeof useSelection>

/** The cases chosen among those shown, and further ones, with what actions need, while their view is open. */
export function useSelection(shown: readonly string[], view: string) {
  /** By id: null for a row, which the store has. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, ActionTarget | null>>(new Map())
  const [lastView, setLastView] = useState(view)
  const retain = useCallback((isRetained: (id: string, further: ActionTarget | null) => boolean): void => {
    setChosen((before) => new Map([...before].filter(([id, further]) => isRetained(id, further))))
  }, [])
  if (lastView !== view) {
    setLastView(view)
    // Dropped, not hidden: a person who returns to a view did not choose thousands of cases there.
    retain((_id, further) => further === null)
  }
  const ids: ReadonlySet<string> = useMemo(() => {
    const further = [...chosen].flatMap(([id, target]) => (target === null ? [] : [id]))
    return new Set([...shown.filter((id) => chosen.has(id)), ...further])
  }, [shown, chosen])
  const select = useCallback(
    (which: readonly string[], isSelected: boolean) => {
      if (!isSelected) return retain((id) => !which.includes(id))
      setChosen((before) => new Map([...which.map((id) => [id, null] as const), ...before]))
    },
    [retain],
  )
  /** Selects all shown cases; or clears the selection of this view, including cases that are not shown. */
  const selectShown = useCallback(
    (isSelected: boolean) => {
      if (isSelected) select(shown, true)
      else retain((id, further) => further === null && !shown.includes(id))
    },
    [select, retain, shown],
  )
  /** Adds matching cases that are not shown. */
  const selectBeyond = (submissions: readonly ActionTarget[]): void =>
    setChosen((before) => new Map([...submissions.map((one) => [one.id, one] as const), ...before]))
  return { ids, chosen, select, selectShown, selectBeyond, retain }
}

/** The most that a person can mean by "all". */
const MAX_SELECTED = 10_000

/** Reads the cases that match a view, page by page; the most urgent ones if there are too many to select. */
export async function readMatching(
  link: Pick<StationLink, 'call'>,
  view: QueueView,
): Promise<Result<readonly ActionTarget[]>> {
  // A case that changes meanwhile may be listed twice.
  const found = new Map<string, ActionTarget>()
  let next: Cursor | null = null
  do {
    const page = await readQueuePage(link, view, next, MAX_ROWS)
    if (!page.ok) return page
    for (const one of page.value.items) {
      const { fields: _fields, sources: _sources, images: _images, ...target } = one
      if (found.size < MAX_SELECTED) found.set(one.id, target)
    }
    next = page.value.next
  } while (next !== null && found.size < MAX_SELECTED)
  return { ok: true, value: [...found.values()] }
}

/** Saves the selected cases as a CSV file. The station records it in the audit trail. */
async function saveCsv(session: StationSession, ids: readonly string[]): Promise<void> {
  const exported = await runCall(session, 'submissions.export', { ids: [...ids], ...currentSignature() })
  if (!exported) return
  offerDownload(new Blob([exported.csv], { type: 'text/csv;charset=utf-8' }), exported.fileName)
}

const ConfirmDialog = lazyScreen(async () => (await import('../components/dialog.tsx')).ConfirmDialog)

/** More cases than these are not approved by one click. */
const MAX_UNASKED = 20

/** The cases that were approved together can be taken back together. */
function ApprovedTogether({ ids }: { readonly ids: readonly string[] }) {
  const session = useSession()
  const undoable = useStation(
    useShallow(({ submissions }) => ids.filter((id) => (submissions[id]?.undoUntil ?? null) !== null)),
  )
  if (ids.length < 2 || undoable.length === 0) return null
  const undo = (): void =>
    void runCall(session, 'submissions.undoApproval', { ids: undoable, ...currentSignature() })
  return (
    <div className={css.bar} role="status">
      <strong className="tabular">{t('queue:approvedTogether', { count: undoable.length })}</strong>
      <ActionButton icon={IconArrowBackUp} onClick={undo}>
        {t('shell:undo')}
      </ActionButton>
    </div>
  )
}

type SelectionBarProps = {
  readonly selection: Selection
  readonly shown: readonly string[]
  /** How many cases the view has in all. */
  readonly total: number
}

type Progress = { readonly done: number; readonly total: number }
type Busy = 'reading' | 'acting' | Progress

export function SelectionBar({ selection, shown, total }: SelectionBarProps) {
  const session = useSession()
  const { ids: selected, chosen, retain, selectBeyond } = selection
  const [busy, setBusy] = useState<Busy | null>(null)
  /** The cases to approve although some of them are not visible. */
  const [unseen, setUnseen] = useState<readonly ShownCase[] | null>(null)
  const loaded = useStation(useShallow((state) => [...selected].flatMap((id) => state.submissions[id] ?? [])))
  const [approved, setApproved] = useState<readonly string[]>([])
  const count = selected.size
  if (count === 0) return <ApprovedTogether ids={approved} />
  const loadedIds = new Set(loaded.map(({ id }) => id))
  const further = [...selected].flatMap((id) => (loadedIds.has(id) ? [] : (chosen.get(id) ?? [])))
  const isVisible = ({ id }: ShownCase): boolean => shown.includes(id)
  const act = async (action: SubmissionAction, cases: readonly ShownCase[]): Promise<void> => {
    setUnseen(null)
    setBusy('acting')
    const done = await runAction(session, action, cases, (done, total) => setBusy({ done, total }))
    setBusy(null)
    if (action === 'approve' && done) setApproved(done.changed)
    // Cancelled actions leave the selection unchanged; refused cases stay selected.
    const refused = new Set(done?.refused.map(({ id }) => id))
    if (done && done.changed.length > 0) retain((id) => refused.has(id))
  }
  const begin = (action: SubmissionAction, cases: readonly ShownCase[]): void => {
    if (action === 'approve' && (cases.length > MAX_UNASKED || !cases.every(isVisible))) setUnseen(cases)
    else void act(action, cases)
  }
  const selectAll = async (): Promise<void> => {
    setBusy('reading')
    const { filter, search } = session.store.getState().queue
    const answer = await readMatching(session.link, { filter, search })
    setBusy(null)
    if (answer.ok) selectBeyond(answer.value)
    else showFailure(answer.failure)
  }
  const all = Math.min(total, MAX_SELECTED)
  return (
    <div
      className={css.bar}
      role="toolbar"
      aria-label={t('queue:selected', { count })}
      aria-busy={busy !== null}
    >
      <strong className="tabular">
        {typeof busy === 'object' && busy !== null
          ? t('queue:shown', { shown: formatCount(busy.done), total: formatCount(busy.total) })
          : t('queue:selected', { count })}
      </strong>
      {count < all && shown.every((id) => selected.has(id)) && (
        <ActionButton
          variant="light"
          icon={IconSelectAll}
          loading={busy === 'reading'}
          disabled={busy !== null}
          onClick={() => void selectAll()}
        >
          {t(all < total ? 'queue:selectFirst' : 'queue:selectAllMatching', { number: formatCount(all) })}
        </ActionButton>
      )}
      {actionsForMany([...loaded, ...further]).map(({ action, cases }) => {
        const Sign = ACTION_ICONS[action]
        return (
          <ActionButton
            key={action}
            variant={action === 'approve' ? 'filled' : 'default'}
            icon={Sign}
            disabled={busy !== null}
            onClick={() => begin(action, cases)}
          >
            {t(`queue:action.${action}.name`)}
            {cases.length < count && ` (${formatCount(cases.length)})`}
          </ActionButton>
        )
      })}
      <ActionButton
        icon={IconDownload}
        disabled={busy !== null}
        onClick={() => void saveCsv(session, [...selected])}
      >
        {t('queue:csv.name')}
      </ActionButton>
      {unseen && (
        <Suspense fallback={null}>
          <ConfirmDialog
            opened
            onClose={() => setUnseen(null)}
            title={t('queue:approveUnseen.title', { number: formatCount(unseen.length) })}
            text={t('queue:approveUnseen.explain', {
              number: formatCount(unseen.length),
              shown: formatCount(unseen.filter(isVisible).length),
            })}
            action={t('queue:approveUnseen.action', { number: formatCount(unseen.length) })}
            onConfirm={() => void act('approve', unseen)}
          />
        </Suspense>
      )}
      <span className="grow" />
      {busy !== null && <Loader size={18} role="status" aria-label={t('queue:working')} />}
      <ActionButton variant="subtle" color="gray" icon={IconX} onClick={() => retain(() => false)}>
        {t('queue:clearSelection')}
      </ActionButton>
    </div>
  )
}
