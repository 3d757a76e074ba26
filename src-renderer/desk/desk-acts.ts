/** What the desk does: its calls to the station, what is announced of them, and what gets the focus. */
import { useHotkeys } from '@mantine/hooks'
import { type RefObject, useCallback, useEffect, useEffectEvent } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Failure } from '../../src-shared/failure.ts'
import { STATES_NEEDING_A_PERSON } from '../../src-shared/states.ts'
import { isModalOpen, unlessBehindDialog } from '../components/browser.tsx'
import { currentSignature } from '../decisions/decisions.tsx'
import { messageOf, t } from '../i18n/i18n.ts'
import { namesNow } from '../privacy/names.tsx'
import { actionsFor, runAction, undoSecondsOf } from '../queue/actions.ts'
import { goTo } from '../shell/navigation.tsx'
import { announce, showToast } from '../shell/toast.tsx'
import type { StationSession } from '../store/store.ts'
import { useSession } from '../store/use-station.ts'
import { type Act, type Desk, type DeskEvent, EMPTY_DESK, nextAfter, SCANNER_MS, step } from './desk-state.ts'
import { pressExclude } from './pictures.tsx'
import type { CaseHandle, ImageChanges, ShownContent } from './shown-case.tsx'

type DeskState = {
  readonly desk: Desk
  readonly act: Act | null
  /** The content that a person saw first or has acknowledged. */
  readonly seen: ShownContent | null
  /** Why the last act on a case came to nothing. */
  readonly failed: { readonly id: string; readonly failure: Failure } | null
  /** The list in which the case was selected. */
  readonly view: string | null
  /** Is the desk on the screen? */
  readonly isOpen: boolean
}

type DeskStore = StoreApi<DeskState>

const CLOSED: DeskState = { desk: EMPTY_DESK, act: null, seen: null, failed: null, view: null, isOpen: false }

const deskStores = new WeakMap<StationSession, DeskStore>()

/** As long as the window, so that a person who comes back from another screen finds the same case. */
export function deskStoreOf(session: StationSession): DeskStore {
  const store: DeskStore = deskStores.get(session) ?? createStore(() => CLOSED)
  deskStores.set(session, store)
  return store
}

/** In the time of events, which states when a key went down, however late it is handled. */
export const now = (): number => performance.now()

export function sendTo(store: DeskStore, event: DeskEvent): void {
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

/** `ids`: the rows of the list, in their order. */
export function useDeskActs(
  store: DeskStore,
  ids: readonly string[],
  shownCase: RefObject<CaseHandle | null>,
) {
  const session = useSession()
  const send = useCallback((event: DeskEvent) => sendTo(store, event), [store])
  const isForPerson = (id: string): boolean => {
    const state = session.store.getState().submissions[id]?.state
    return STATES_NEEDING_A_PERSON.some((one) => one === state)
  }
  const choose = useCallback(
    (id: string | null): void => {
      send({ kind: 'selected', id })
      if (id !== null) focusRow(id)
    },
    [send],
  )
  const labelOf = useCallback(
    (id: string): string => {
      const { [id]: submission } = session.store.getState().submissions
      return submission ? namesNow().patientLabel(submission.fields) : ''
    },
    [session],
  )
  /** A failure is shown in its case; a person who looks at something else by now reads whose it is. */
  const report = useCallback(
    (id: string, failure: Failure | null): void => {
      store.setState({ failed: failure && { id, failure } })
      const { isOpen, desk: now } = store.getState()
      if (failure !== null && !(isOpen && now.selected === id))
        showToast({ tone: 'red', about: 'named', title: labelOf(id), message: messageOf(failure) })
    },
    [store, labelOf],
  )
  const approve = async (id: string, digest: string): Promise<void> => {
    report(id, null)
    const approved = session.store.getState().submissions[id]
    const undoSeconds = undoSecondsOf(approved ? [approved] : [])
    const input = { ids: [id], seen: { [id]: digest }, undoSeconds, ...currentSignature() }
    const answer = await session.call('submissions.approve', input)
    const failure = answer.ok ? (answer.value.refused[0]?.failure ?? null) : answer.failure
    send({ kind: 'acted', id, digest: null })
    if (failure !== null) return report(id, failure)
    announce(t('desk:approvedOf', { who: labelOf(id) }))
    // A person who has gone on meanwhile stays there, as does one who has approved the last case.
    const { selected: current, skipped } = store.getState().desk
    if (current === id) choose(nextAfter(ids, id, skipped, isForPerson) ?? id)
  }
  /** No more images are waited for. If the case is another by that, what changed is named. */
  const close = async (id: string): Promise<void> => {
    const answer = await session.call('submissions.closeNow', { ids: [id], ...currentSignature() })
    send({ kind: 'acted', id, digest: null })
    report(id, answer.ok ? (answer.value.refused[0]?.failure ?? null) : answer.failure)
  }
  /** One call: back in review, or too late. */
  const undo = useCallback(
    async (id: string): Promise<void> => {
      choose(id)
      const answer = await session.call('submissions.undoApproval', { ids: [id], ...currentSignature() })
      const failure = answer.ok ? (answer.value.refused[0]?.failure ?? null) : answer.failure
      report(id, failure)
      if (failure === null) announce(t('desk:undoneOf', { who: labelOf(id) }))
    },
    [session, choose, report, labelOf],
  )
  const undoNewest = (): void => {
    // Also one that the list does not show.
    const [newest] = Object.values(session.store.getState().submissions)
      .filter(({ undoUntil }) => undoUntil !== null)
      .toSorted((one, other) => other.changedAt - one.changedAt)
    if (newest) void undo(newest.id)
  }
  // A key that is held takes one approval back.
  useHotkeys([['mod+Z', (event) => event.repeat || unlessBehindDialog(undoNewest)(event)]])
  /** Changes images of the case that is shown, which knows all that is stated of it. */
  const changeImages = async ({ id, images }: ImageChanges): Promise<void> => {
    const { current } = shownCase
    const digest = current?.id === id ? await current.changeImages(images) : null
    send({ kind: 'acted', id, digest })
    if (store.getState().desk.selected === id) focusRow(id)
  }
  const beginChange = (changes: ImageChanges): void => {
    if (store.getState().desk.acting !== null) return
    send({ kind: 'began', id: changes.id })
    void changeImages(changes)
  }
  const hold = (id: string, digest: string | null): void => {
    const { [id]: submission } = session.store.getState().submissions
    if (!submission) return
    const action = actionsFor(submission).find((one) => one === 'hold' || one === 'release')
    if (action === 'hold' || (action === 'release' && digest !== null))
      void runAction(session, action, [{ ...submission, digest: digest ?? submission.digest }])
  }
  useActs(store, (act) => {
    if (act.kind === 'approve') void approve(act.id, act.digest)
    else if (act.kind === 'close') void close(act.id)
    else if (act.kind === 'setEye')
      void changeImages({ id: act.id, images: [{ id: act.imageId, eye: act.eye }] })
    else if (act.kind === 'exclude') exclude()
    else if (act.kind === 'edit') goTo({ screen: 'submission', id: act.id })
    else if (act.kind === 'hold') hold(act.id, act.digest)
    else if (act.kind === 'skip') {
      const { selected: current, skipped } = store.getState().desk
      // The list may have gone on to its next row.
      if (current === act.id) choose(nextAfter(ids, act.id, skipped, isForPerson) ?? act.id)
    } else if (act.kind === 'search') {
      send({ kind: 'selected', id: null })
      session.showQueue({ search: act.text.trim(), filter: 'open' })
    }
  })
  return { undo, choose, report, beginChange, isForPerson }
}

/** Leaves out the picture that has the focus, or the only one; of several, the first gets the focus. */
function exclude(): void {
  const figures = [...document.querySelectorAll('figure[data-image]:not([hidden])')]
  const focused = figures.find((figure) => figure.contains(document.activeElement))
  if (focused !== undefined || figures.length === 1) pressExclude(focused ?? figures[0])
  else figures[0]?.querySelector('button')?.focus()
}

/** Focuses a row, or the shown case. Not while something else is used: what is typed would act on a case. */
export function focusRow(id: string | null): void {
  const { activeElement, body } = document
  const isTyping = activeElement?.matches('input:not([type="checkbox"]), select, textarea') ?? false
  const isHere = activeElement === body || activeElement?.closest('[data-desk]')
  if (isTyping || !isHere || isModalOpen()) return
  const row = document.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id ?? '')}"] a[data-row-link]`)
  const target = row ?? document.querySelector<HTMLElement>('[data-shown]')
  target?.focus()
}
