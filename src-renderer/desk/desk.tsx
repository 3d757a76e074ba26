/** The review desk, home of the app: the list of cases, and beside it the one that is shown. */
import { Checkbox, Loader } from '@mantine/core'
import { useDocumentVisibility } from '@mantine/hooks'
import {
  type KeyboardEvent,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/shallow'
import { isModalOpen, useIsModalOpen } from '../components/browser.tsx'
import { moveFocus } from '../components/controls.tsx'
import { t } from '../i18n/i18n.ts'
import { EmptyQueue, QueueFailure, QueueFoot, QueueHead } from '../queue/queue.tsx'
import { SelectionBar, useSelection } from '../queue/selection-bar.tsx'
import { lazyScreen } from '../shell/navigation.tsx'
import { sortedIds, totalOf } from '../store/state.ts'
import { useSession, useStation } from '../store/use-station.ts'
import { CaseList, useStableOrder } from './case-list.tsx'
import { deskStoreOf, focusRow, now, sendTo, useDeskActs } from './desk-acts.ts'
import {
  type Desk,
  type DeskEvent,
  changesBetween,
  hasChangedUnseen,
  isAimed,
  isOneEyeTwice,
  noticeOf,
  isScanned,
  leastViewOf,
  nextAfter,
} from './desk-state.ts'
import css from './desk.module.css'
import { DeskPictures, picturesStateOf, useShownPictures } from './pictures.tsx'
import type { ApproveButton, CaseHandle, ShownContent } from './shown-case.tsx'

const ShownCase = lazyScreen(async () => (await import('./shown-case.tsx')).ShownCase)

export function DeskScreen() {
  const session = useSession()
  const store = deskStoreOf(session)
  const send = useCallback((event: DeskEvent) => sendTo(store, event), [store])
  const queue = useStation((state) => state.queue)
  const view = `${queue.filter}/${queue.search}`
  const isListRead = queue.phase === 'ready'
  // Only a change of the order renders the list: rows subscribe to their own cases.
  const { ids, handlers } = useStableOrder(useStation(useShallow(sortedIds)), isListRead ? view : null)
  const total = useStation(totalOf)
  const selection = useSelection(ids, view)
  const [content, setContent] = useState<ShownContent | null>(null)
  const { desk, seen, failed } = useStore(store)
  const { selected, painted } = desk
  const shownCase = useRef<CaseHandle>(null)

  const { undo, choose, report, beginChange, isForPerson } = useDeskActs(store, ids, shownCase)
  useEffect(() => {
    store.setState({ isOpen: true })
    return () => {
      send({ kind: 'left' })
      store.setState({ isOpen: false, act: null })
    }
  }, [store, send])
  const isListed = selected !== null && ids.includes(selected)
  const first = ids[0] ?? null
  const selectFirst = useEffectEvent(() => choose(first))
  useEffect(() => {
    if (!isListRead) return
    const isOtherList = store.getState().view !== null && store.getState().view !== view
    store.setState({ view })
    // Only if nothing is shown, or a person chose another list: an arrival never changes what a person looks at.
    const isUnset = selected === null || (isOtherList && !isListed)
    if (first === null ? selected !== null : isUnset) selectFirst()
  }, [isListRead, view, selected, first, isListed, store])
  // The list has the focus on entry, so that the first key counts.
  useEffect(() => {
    if (isListed && selected !== null && document.activeElement === document.body) focusRow(selected)
  }, [isListed, selected])
  // What had the focus may be gone, and without it no key counts. The list is not scrolled. While it moves, nothing has it.
  useEffect(() => {
    const timer = setTimeout(() => document.activeElement === document.body && focusRow(null))
    return () => clearTimeout(timer)
  })
  const shown = useStation((state) => (selected === null ? undefined : state.submissions[selected]))
  const nextId = selected === null ? null : nextAfter(ids, selected, desk.skipped, isForPerson)
  const next = useStation((state) => (nextId === null ? undefined : state.submissions[nextId]))

  const isVisible = useDocumentVisibility() !== 'hidden'
  const isCovered = useIsModalOpen()
  const pictures = useShownPictures()
  const picturesState = shown ? picturesStateOf(shown, pictures) : 'loading'
  const isInView =
    isVisible &&
    !isCovered &&
    picturesState === 'ready' &&
    content !== null &&
    content.id === selected &&
    content.digest === shown?.digest
  useEffect(() => {
    if (!isInView || content === null) return send({ kind: 'covered' })
    if (painted !== null && painted.digest === content.digest && painted.offer === content.offer) return
    // Painted with the next frame.
    const frame = requestAnimationFrame(() => {
      const { id, digest, offer } = content
      send({ kind: 'painted', id, digest, offer, at: now() })
      if (store.getState().desk.acknowledged === digest) store.setState({ seen: content })
    })
    return () => cancelAnimationFrame(frame)
  }, [isInView, content, painted, send, store])
  const section = useRef<HTMLElement>(null)
  // A case begins with its pictures, wherever the one before was scrolled to.
  const scrolled = useRef(selected)
  useLayoutEffect(() => {
    if (section.current && scrolled.current !== selected) section.current.scrollTop = 0
    scrolled.current = selected
  }, [selected])

  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const { target, key, timeStamp: at, repeat: isRepeat } = event
    if (event.ctrlKey || event.metaKey || event.altKey || isModalOpen()) return
    if (!(target instanceof HTMLElement)) return
    const isRow = target.matches('a[data-row-link]')
    // React hands on the keys of what lies over the desk, too.
    const isField = target.closest('input, select, textarea, [role="menu"], [role="dialog"]') !== null
    const isControl = !isRow && target.closest('a, button, summary') !== null
    const isScannersEnter = key === 'Enter' && isScanned(store.getState().desk, at)
    // A key that is held since before presses no button.
    if (key === 'Enter' && (isRow || isScannersEnter || isRepeat)) event.preventDefault()
    // Enter, space and arrows of a control are the control's.
    if (!isField && (!isControl || isScannersEnter || (key.length === 1 && key !== ' ')))
      send({ kind: 'key', key, at, isRepeat })
    // Only then to the next row: what is passed over is the case that was shown.
    if (target.closest('tbody')) moveFocus(event, 'a[data-row-link]', 'tr')
  }
  /** The keyboard presses a focused button, too: without a pointer that has moved. */
  const notePointer = ({ detail }: { readonly detail: number }): void => {
    if (detail === 0) send({ kind: 'pointed' })
  }
  // What cannot be shown is not waited for.
  const isLoading =
    shown !== undefined && shown.unreadable === undefined && picturesState !== 'failed' && painted === null
  const isReady = useIsReady(desk)
  const hasChanged = hasChangedUnseen(desk)
  const notice = noticeOf(desk)
  // A key shows the row and the pictures of its case at once; what is read of the case follows with the next frame.
  const held = useDeferredValue(
    selected === null ? null : (
      <Suspense fallback={<Loader m="40px auto" display="block" aria-label={t('desk:shown')} />}>
        <ShownCase
          key={selected}
          id={selected}
          handle={shownCase}
          approveButton={approveButtonOf(desk, isReady, picturesState === 'failed')}
          failure={failed?.id === selected ? failed.failure : null}
          notice={notice}
          changes={
            hasChanged && content !== null && seen?.id === content.id
              ? changesBetween(seen.details, content.details)
              : []
          }
          onChange={beginChange}
          onShown={setContent}
          onAcknowledge={() => {
            report(selected, null)
            send({ kind: 'acknowledged', notice, digest: desk.painted?.digest ?? null })
          }}
          isAimed={(event) => {
            notePointer(event)
            return isAimed(store.getState().desk, event.timeStamp)
          }}
          onClick={(on, event) => {
            notePointer(event)
            send({ kind: 'clicked', on, at: event.timeStamp })
          }}
          onSkip={() => send({ kind: 'skipped' })}
        />
      </Suspense>
    ),
  )
  const heldId = useDeferredValue(selected)
  return (
    // The keys are those of the list and of the desk beside it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.desk} data-desk onKeyDown={press} onPointerMove={() => send({ kind: 'pointed' })}>
      <div className={css.queue} {...handlers}>
        <QueueHead />
        {queue.failure !== null && <QueueFailure failure={queue.failure} />}
        {ids.length > 0 && (
          <CaseList
            ids={ids}
            shownId={selected}
            skipped={desk.skipped}
            selected={selection.ids}
            onShow={choose}
            onSelect={selection.select}
            onUndo={undo}
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
        ref={section}
        className={css.shown}
        tabIndex={-1}
        data-shown
        aria-label={t('desk:shown')}
        aria-busy={isLoading}
      >
        {selected === null ? (
          <EmptyQueue />
        ) : (
          <>
            {shown && (
              <DeskPictures
                shown={shown}
                next={next}
                pictures={pictures}
                onExclude={(imageId, excludedBecause) =>
                  beginChange({ id: shown.id, images: [{ id: imageId, excludedBecause }] })
                }
              />
            )}
            <div className={css.held} data-stale={heldId !== selected}>
              {held}
            </div>
          </>
        )}
      </section>
      <SelectionBar selection={selection} shown={ids} total={total} />
    </div>
  )
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

function approveButtonOf(desk: Desk, isReady: boolean, hasFailedPicture: boolean): ApproveButton {
  const { acting, selected } = desk
  if (acting !== null) return acting === selected ? 'approving' : 'loading'
  if (hasFailedPicture || hasChangedUnseen(desk) || isOneEyeTwice(desk)) return 'blocked'
  if (!isReady) return 'loading'
  return noticeOf(desk) === null ? 'ready' : 'blocked'
}
