/** The review desk, home of the app: the list of cases, and beside it the one that is shown. */
import { Checkbox, Loader } from '@mantine/core'
import { useDocumentVisibility, useHotkeys } from '@mantine/hooks'
import { type KeyboardEvent, Suspense, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/shallow'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Failure } from '../../src-shared/failure.ts'
import { STATES_NEEDING_A_PERSON } from '../../src-shared/states.ts'
import { isModalOpen, unlessBehindDialog } from '../components/browser.tsx'
import { currentSignature } from '../decisions/decisions.tsx'
import { t } from '../i18n/i18n.ts'
import { undoSecondsOf } from '../queue/actions.ts'
import { EmptyQueue, QueueFailure, QueueFoot, QueueHead } from '../queue/queue.tsx'
import { SelectionBar, useSelection } from '../queue/selection-bar.tsx'
import { goTo, lazyScreen } from '../shell/navigation.tsx'
import { sortedIds, totalOf } from '../store/state.ts'
import type { StationSession } from '../store/store.ts'
import { useSession, useStation } from '../store/use-station.ts'
import { CaseList, useStableOrder } from './case-list.tsx'
import {
  type Act,
  type Desk,
  type DeskEvent,
  EMPTY_DESK,
  hasChangedUnseen,
  isOneEyeTwice,
  leastViewOf,
  nextAfter,
  SCANNER_MS,
  step,
} from './desk-state.ts'
import css from './desk.module.css'
import { DeskPictures, largeImages, type PictureStates, pressExclude } from './pictures.tsx'
import type { ApproveButton, ImageChanges, ShownContent } from './shown-case.tsx'

const ShownCase = lazyScreen(async () => (await import('./shown-case.tsx')).ShownCase)

type DeskStore = StoreApi<{ readonly desk: Desk; readonly act: Act | null }>

const deskStores = new WeakMap<StationSession, DeskStore>()

/** As long as the window, so that a person who comes back from another screen finds the same case. */
function deskStoreOf(session: StationSession): DeskStore {
  const store: DeskStore = deskStores.get(session) ?? createStore(() => ({ desk: EMPTY_DESK, act: null }))
  deskStores.set(session, store)
  return store
}

/** In the time of events, which states when a key went down, however late it is handled. */
const now = (): number => performance.now()

function sendTo(store: DeskStore, event: DeskEvent): void {
  const { desk, act } = step(store.getState().desk, event)
  store.setState({ desk, ...(act !== null && { act }) })
  // Whether a scanner wrote a character is certain once no other has followed.
  if (event.kind === 'key' && desk.typed.text !== '')
    setTimeout(() => sendTo(store, { kind: 'paused', at: now() }), SCANNER_MS)
}

/** Does each act that the desk asks for, once. */
function useActs(store: DeskStore, perform: (act: Act) => void): void {
  const act = useStore(store, (state) => state.act)
  const run = useEffectEvent(perform)
  useEffect(() => {
    if (act === null || store.getState().act !== act) return
    store.setState({ act: null })
    run(act)
  }, [act, store])
}

export function DeskScreen() {
  const session = useSession()
  const store = deskStoreOf(session)
  const send = useCallback((event: DeskEvent) => sendTo(store, event), [store])
  const queue = useStation((state) => state.queue)
  // Only a change of the order renders the list: rows subscribe to their own cases.
  const { ids, handlers } = useStableOrder(useStation(useShallow(sortedIds)))
  const total = useStation(totalOf)
  const selection = useSelection(ids, `${queue.filter}/${queue.search}`)
  const [content, setContent] = useState<ShownContent | null>(null)
  const [states, setStates] = useState<PictureStates>({})
  const [failed, setFailed] = useState<{ readonly id: string; readonly failure: Failure } | null>(null)
  const [change, setChange] = useState<ImageChanges | null>(null)

  const isForPerson = (id: string): boolean => {
    const state = session.store.getState().submissions[id]?.state
    return STATES_NEEDING_A_PERSON.some((one) => one === state)
  }
  const choose = (id: string | null): void => {
    send({ kind: 'selected', id })
    if (id !== null) focusRow(id)
  }
  const approve = async (id: string, digest: string): Promise<void> => {
    setFailed(null)
    const approved = session.store.getState().submissions[id]
    const undoSeconds = undoSecondsOf(approved ? [approved] : [])
    const input = { ids: [id], seen: { [id]: digest }, undoSeconds, ...currentSignature() }
    const answer = await session.call('submissions.approve', input)
    const failure = answer.ok ? (answer.value.refused[0]?.failure ?? null) : answer.failure
    send({ kind: 'acted', id, digest: null })
    if (failure !== null) return setFailed({ id, failure })
    // A person who has gone on meanwhile stays there.
    const { selected, skipped } = store.getState().desk
    if (selected === id) choose(nextAfter(ids, id, skipped, isForPerson))
  }
  /** No more images are waited for. If the case is another by that, what changed is named. */
  const close = async (id: string): Promise<void> => {
    const answer = await session.call('submissions.closeNow', { ids: [id], ...currentSignature() })
    setFailed(answer.ok ? (answer.value.refused[0] ?? null) : { id, failure: answer.failure })
    send({ kind: 'acted', id, digest: null })
  }
  /** One call: back in review, or too late. */
  const undo = async (id: string): Promise<void> => {
    const answer = await session.call('submissions.undoApproval', { ids: [id], ...currentSignature() })
    setFailed(answer.ok ? (answer.value.refused[0] ?? null) : { id, failure: answer.failure })
    choose(id)
  }
  const undoNewest = (): void => {
    const { submissions } = session.store.getState()
    const [newest] = ids
      .flatMap((id) => submissions[id] ?? [])
      .filter(({ undoUntil }) => undoUntil !== null)
      .toSorted((one, other) => other.changedAt - one.changedAt)
    if (newest) void undo(newest.id)
  }
  useHotkeys([['mod+Z', unlessBehindDialog(undoNewest)]])
  useActs(store, (act) => {
    if (act.kind === 'approve') void approve(act.id, act.digest)
    else if (act.kind === 'close') void close(act.id)
    else if (act.kind === 'setEye') setChange({ id: act.id, images: [{ id: act.imageId, eye: act.eye }] })
    else if (act.kind === 'exclude') excludeOnly()
    else if (act.kind === 'edit') goTo({ screen: 'submission', id: act.id })
    else if (act.kind === 'search') session.showQueue({ search: act.text.trim(), filter: 'open' })
  })
  const desk = useStore(store, (state) => state.desk)
  const { selected, painted } = desk
  const first = ids[0] ?? null
  useEffect(() => {
    // Only if nothing is shown: an arrival never changes what a person looks at.
    if (selected === null && first !== null) send({ kind: 'selected', id: first })
  }, [selected, first, send])
  const isListed = selected !== null && ids.includes(selected)
  // The list has the focus on entry, so that the first key counts.
  useEffect(() => {
    if (isListed && selected !== null && document.activeElement === document.body) focusRow(selected)
  }, [isListed, selected])
  const shown = useStation((state) => (selected === null ? undefined : state.submissions[selected]))
  const nextId = selected === null ? null : nextAfter(ids, selected, desk.skipped, isForPerson)
  const next = useStation((state) => (nextId === null ? undefined : state.submissions[nextId]))

  const isVisible = useDocumentVisibility() !== 'hidden'
  const large = shown ? largeImages(shown) : []
  const isDecoded = large.every(({ id }) => states[id] === 'ready')
  const isInView =
    isVisible && isDecoded && content !== null && content.id === selected && content.digest === shown?.digest
  useEffect(() => {
    if (!isInView || content === null) return send({ kind: 'covered' })
    if (painted !== null && painted.digest === content.digest && painted.offer === content.offer) return
    // Painted with the next frame.
    const frame = requestAnimationFrame(() => send({ kind: 'painted', ...content, at: now() }))
    return () => cancelAnimationFrame(frame)
  }, [isInView, content, painted, send])

  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isModalOpen()) return
    if (!(event.target instanceof HTMLElement)) return
    const isRow = event.target.matches('a[data-row-link]')
    // Keys of a control are the control's.
    if (!isRow && event.target.closest('a, button, input, select, textarea, summary')) return
    if (isRow && event.key === 'Enter') event.preventDefault()
    send({ kind: 'key', key: event.key, at: event.timeStamp, isRepeat: event.repeat })
  }
  const click = (
    on: Extract<DeskEvent, { kind: 'clicked' }>['on'],
    { timeStamp: at, detail }: { readonly timeStamp: number; readonly detail: number },
  ): void => {
    // The keyboard presses a focused button, too: without a pointer that has moved.
    if (detail === 0) send({ kind: 'pointed' })
    send({ kind: 'clicked', on, at })
  }
  const changeImages = (changes: ImageChanges): void => {
    if (store.getState().desk.acting !== null) return
    send({ kind: 'began', id: changes.id })
    setChange(changes)
  }
  const isReady = useIsReady(desk)
  return (
    // The keys are those of the list and of the desk beside it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.desk} onKeyDown={press} onPointerMove={() => send({ kind: 'pointed' })}>
      <div className={css.queue} {...handlers}>
        <QueueHead />
        {queue.failure !== null && <QueueFailure failure={queue.failure} />}
        {ids.length > 0 && (
          <CaseList
            ids={ids}
            shownId={selected}
            skipped={desk.skipped}
            selected={selection.ids}
            onShow={(id) => send({ kind: 'selected', id })}
            onSelect={selection.select}
            onUndo={(id) => void undo(id)}
            total={total}
            selectAll={
              <Checkbox
                aria-label={t('queue:selectAll')}
                checked={selection.ids.size > 0 && ids.every((id) => selection.ids.has(id))}
                indeterminate={selection.ids.size > 0 && !ids.every((id) => selection.ids.has(id))}
                onChange={(event) => selection.selectShown(event.currentTarget.checked)}
              />
            }
          />
        )}
        <QueueFoot />
      </div>
      <section
        className={css.shown}
        tabIndex={-1}
        aria-label={t('desk:shown')}
        aria-busy={selected !== null && painted === null}
      >
        {selected === null ? (
          <EmptyQueue />
        ) : (
          <>
            {shown && (
              <DeskPictures
                shown={shown}
                next={next}
                states={states}
                onStates={setStates}
                onExclude={(imageId, excludedBecause) =>
                  changeImages({ id: shown.id, images: [{ id: imageId, excludedBecause }] })
                }
              />
            )}
            <Suspense fallback={<Loader m="40px auto" display="block" aria-label={t('desk:shown')} />}>
              <ShownCase
                key={selected}
                id={selected}
                approveButton={approveButtonOf(desk, isReady)}
                failure={failed?.id === selected ? failed.failure : null}
                notice={hasChangedUnseen(desk) ? 'changed' : isOneEyeTwice(desk) ? 'oneEyeTwice' : null}
                change={change?.id === selected ? change : null}
                onChange={changeImages}
                onShown={setContent}
                onActed={(id, digest) => {
                  setChange(null)
                  send({ kind: 'acted', id, digest })
                  focusRow(id)
                }}
                onAcknowledge={() => send({ kind: 'acknowledged' })}
                onClick={click}
                onSkip={() => choose(nextAfter(ids, selected, [...desk.skipped, selected], isForPerson))}
              />
            </Suspense>
          </>
        )}
      </section>
      <SelectionBar selection={selection} shown={ids} total={total} />
    </div>
  )
}

function excludeOnly(): void {
  const figures = document.querySelectorAll('figure[data-image]:not([hidden])')
  if (figures.length === 1) pressExclude(figures[0])
}

function focusRow(id: string): void {
  document.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"] a[data-row-link]`)?.focus()
}

/** Has the painted case been in view long enough? Renders when it has. */
function useIsReady({ painted }: Desk): boolean {
  const [readyAt, setReadyAt] = useState(0)
  const at = painted === null ? null : painted.since + leastViewOf(painted.offer)
  useEffect(() => {
    if (at === null) return undefined
    const timer = setTimeout(() => setReadyAt(at), Math.max(0, at - now()))
    return () => clearTimeout(timer)
  }, [at])
  return at !== null && readyAt === at
}

function approveButtonOf(desk: Desk, isReady: boolean): ApproveButton {
  if (desk.acting !== null && desk.acting === desk.selected) return 'approving'
  return isReady && !hasChangedUnseen(desk) && !isOneEyeTwice(desk) ? 'ready' : 'loading'
}
