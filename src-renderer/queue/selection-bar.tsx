/** The bar with the actions for selected cases, and which cases are selected. */
import { Loader } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowMerge, IconDownload, IconSelectAll, IconX } from '@tabler/icons-react'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { offerDownload } from '../components/browser.tsx'
import { ActionButton } from '../components/controls.tsx'
import { useShallow } from 'zustand/shallow'
import type { Result } from '../../src-shared/failure.ts'
import { restsOnProposal } from '../../src-shared/verdict.ts'
import { currentSignature } from '../decisions/decisions.tsx'
import { formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import type { StationLink } from '../link/link.ts'
import { namesNow } from '../privacy/names.tsx'
import { goTo, lazyScreen } from '../shell/navigation.tsx'
import { runCall, showFailure, showToast } from '../shell/toast.tsx'
import { type Cursor, type QueueView, readQueuePage } from '../store/state.ts'
import type { StationSession } from '../store/store.ts'
import { useSession, useStation } from '../store/use-station.ts'
import {
  actFromList,
  ACTION_ICONS,
  actionsForMany,
  type ActionTarget,
  BATCH_SIZE,
  type ShownCase,
  type SubmissionAction,
} from './actions.ts'
import css from './selection-bar.module.css'

export function toggled(ids: ReadonlySet<string>, those: readonly string[], isIn: boolean): Set<string> {
  return new Set(isIn ? [...ids, ...those] : [...ids].filter((id) => !those.includes(id)))
}

const NONE_SELECTED: ReadonlyMap<string, ActionTarget> = new Map()

type Selection = ReturnType<typeof useSelection>

/** The cases chosen among those shown, and further ones, with what actions need, while their view is open. */
export function useSelection(shown: readonly string[], view: string) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set<string>())
  const [further, setFurther] = useState({ view, submissions: NONE_SELECTED })
  // Dropped, not hidden: a person who returns to a view did not choose thousands of cases there.
  if (further.view !== view) setFurther({ view, submissions: NONE_SELECTED })
  const beyond = further.view === view ? further.submissions : NONE_SELECTED
  const ids: ReadonlySet<string> = useMemo(
    () => new Set([...shown.filter((id) => chosen.has(id)), ...beyond.keys()]),
    [shown, chosen, beyond],
  )
  const retainFurther = useCallback(
    (isRetained: (id: string) => boolean) =>
      setFurther(({ view, submissions }) => ({
        view,
        submissions: new Map([...submissions].filter(([id]) => isRetained(id))),
      })),
    [],
  )
  const select = useCallback(
    (which: readonly string[], isSelected: boolean) => {
      setChosen((before) => toggled(before, which, isSelected))
      if (!isSelected) retainFurther((id) => !which.includes(id))
    },
    [retainFurther],
  )
  /** Selects all shown cases; or clears the selection, including cases that are not shown. */
  const selectShown = useCallback(
    (isSelected: boolean) => {
      select(shown, isSelected)
      if (!isSelected) retainFurther(() => false)
    },
    [select, retainFurther, shown],
  )
  /** Adds matching cases that are not shown. */
  const selectBeyond = (submissions: readonly ActionTarget[]): void =>
    setFurther({ view, submissions: new Map(submissions.map((one) => [one.id, one])) })
  const retain = (which: readonly string[]): void => {
    const retained = new Set(which)
    setChosen(retained)
    retainFurther((id) => retained.has(id))
  }
  return { ids, beyond, select, selectShown, selectBeyond, retain, clear: () => retain([]) }
}

/** The most that a person can mean by "all". */
const MAX_SELECTED = 10_000

/** Reads the cases that match a view, page by page; the most urgent ones if there are too many to select. */
export async function readMatching(
  link: Pick<StationLink, 'call'>,
  view: QueueView,
  most: number = MAX_SELECTED,
): Promise<Result<readonly ActionTarget[]>> {
  // A case that changes meanwhile may be listed twice.
  const found = new Map<string, ActionTarget>()
  let next: Cursor | null = null
  do {
    const page = await readQueuePage(link, view, next, BATCH_SIZE)
    if (!page.ok) return page
    for (const one of page.value.items) {
      const { id, state, urgent, attempts, failure, notBefore, centerId, reasons, digest, verdict } = one
      const target = { id, state, urgent, attempts, failure, notBefore, centerId, reasons, digest, verdict }
      if (found.size < most) found.set(id, target)
    }
    next = page.value.next
  } while (next !== null && found.size < most)
  return { ok: true, value: [...found.values()] }
}

/** Saves the selected cases as a CSV file. The station records it in the audit trail. */
async function saveCsv(session: StationSession, ids: readonly string[]): Promise<void> {
  const exported = await runCall(session, 'submissions.export', { ids: [...ids], ...currentSignature() })
  if (!exported) return
  offerDownload(new Blob([exported.csv], { type: 'text/csv;charset=utf-8' }), exported.fileName)
  showToast({ message: t('queue:csv.done', { count: ids.length }) })
}

const MergeDialog = lazyScreen(async () => (await import('./selection-dialogs.tsx')).MergeDialog)
const ApproveDialog = lazyScreen(async () => (await import('./selection-dialogs.tsx')).ApproveDialog)

const MAX_MERGED = 20

/** The cases that can be approved together; the others need a look each. */
function provenIds(cases: readonly ShownCase[]): readonly string[] {
  return cases.filter(({ verdict }) => !restsOnProposal(verdict)).map(({ id }) => id)
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
  const { ids: selected, beyond, clear, retain, selectBeyond } = selection
  const [isMerging, merging] = useDisclosure(false)
  const [busy, setBusy] = useState<Busy | null>(null)
  /** The cases to approve although some of them are not visible. */
  const [unseen, setUnseen] = useState<readonly ShownCase[] | null>(null)
  const loaded = useStation(useShallow((state) => [...selected].flatMap((id) => state.submissions[id] ?? [])))
  const count = selected.size
  if (count === 0) return null
  const submissions = [
    ...loaded,
    ...[...beyond.values()].filter(({ id }) => session.store.getState().submissions[id] === undefined),
  ]
  const act = async (action: SubmissionAction, cases: readonly ShownCase[]): Promise<void> => {
    setBusy('acting')
    const done = await actFromList(session, action, cases, (done, total) => setBusy({ done, total }))
    setBusy(null)
    // Cancelled actions leave the selection unchanged; refused cases stay selected.
    if (done && done.changed.length > 0) retain(done.refused.map(({ id }) => id))
  }
  const begin = (action: SubmissionAction, cases: readonly ShownCase[]): void => {
    const visible = new Set(shown)
    if (action === 'approve' && !provenIds(cases).every((id) => visible.has(id))) setUnseen(cases)
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
          ? t('queue:acting', { done: formatCount(busy.done), total: formatCount(busy.total) })
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
      {actionsForMany(submissions).map(({ action, cases }) => {
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
      {loaded.length > 1 && count <= MAX_MERGED && (
        <ActionButton icon={IconArrowMerge} disabled={busy !== null} onClick={merging.open}>
          {t('queue:merge.name')}
        </ActionButton>
      )}
      <ActionButton
        icon={IconDownload}
        disabled={busy !== null}
        aria-label={t('queue:csv.label', { count })}
        onClick={() => void saveCsv(session, [...selected])}
      >
        {t('queue:csv.name')}
      </ActionButton>
      <Suspense fallback={null}>
        {isMerging && (
          <MergeDialog
            submissions={loaded}
            onClose={merging.close}
            onMerged={({ id, fields }) => {
              merging.close()
              clear()
              showToast({
                message: t('queue:merge.done', {
                  count: loaded.length,
                  who: namesNow().patientLabel(fields),
                }),
                action: { label: t('shell:openIt'), run: () => goTo({ screen: 'submission', id }) },
              })
            }}
          />
        )}
        {unseen !== null && (
          <ApproveDialog
            count={provenIds(unseen).length}
            shown={provenIds(unseen).filter((id) => shown.includes(id)).length}
            onClose={() => setUnseen(null)}
            onApprove={() => {
              setUnseen(null)
              void act('approve', unseen)
            }}
          />
        )}
      </Suspense>
      <span className="grow" />
      {busy !== null && <Loader size={18} role="status" aria-label={t('queue:working')} />}
      <ActionButton variant="subtle" color="gray" icon={IconX} onClick={clear}>
        {t('queue:clearSelection')}
      </ActionButton>
    </div>
  )
}
