/** Small adapters to the browser: dialogs and focus, clock, promises and downloads. */
import { useDebouncedValue, useHotkeys, useInterval, useInViewport } from '@mantine/hooks'
import { type RefCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { SECOND } from '../../src-shared/durations.ts'
import { localDay } from '../format/dates.ts'
import { useStation } from '../store/use-station.ts'

/** Shortcuts of a screen must not act behind a dialog: they would approve a case that is not visible. */
const IN_DIALOG = '[role="dialog"], [role="alertdialog"]'
const MODAL = '[aria-modal="true"], dialog[open]'

export function unlessBehindDialog(act: () => void): (event: KeyboardEvent) => void {
  return ({ target }) => {
    const isInside = target instanceof Element && target.closest(IN_DIALOG) !== null
    if (!isInside && !isModalOpen()) act()
  }
}

export function isModalOpen(): boolean {
  return document.querySelector(MODAL) !== null
}

/** A letter that acts on the whole screen, unless a text is typed. A radio button, such as that of a filter, takes none. */
export function useLetterKey(letter: string, act: () => void): void {
  const press = (event: KeyboardEvent): void => {
    const isTyped = event.target instanceof HTMLInputElement && event.target.type !== 'radio'
    if (!isTyped) unlessBehindDialog(act)(event)
  }
  useHotkeys([[letter, press, { preventDefault: false }]], ['TEXTAREA', 'SELECT'])
}

function onDialogs(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['aria-modal', 'open'] })
  return () => observer.disconnect()
}

/** Does a dialog cover the screen now? */
export function useIsModalOpen(): boolean {
  return useSyncExternalStore(onDialogs, isModalOpen)
}

/** A faded dialog is removed with the next frame, and the focus it held is lost with it. */
const GONE_MS = 50

/** Restores the focus after a dialog has faded out: to its opener, or to what is shown if that is gone. */
export function restoreFocus(cameFrom: HTMLElement | null, tries = 20): void {
  setTimeout(() => {
    // Something else has taken the focus.
    if (document.activeElement !== document.body) return
    const shown = [...document.querySelectorAll<HTMLElement>(`#main, [data-shown], ${MODAL}`)].at(-1)
    const target = cameFrom?.isConnected ? cameFrom : shown
    target?.focus({ preventScroll: true })
    // A dialog that fades does not take it.
    if (target && target !== document.activeElement && tries > 0) restoreFocus(cameFrom, tries - 1)
  }, GONE_MS)
}

const MOVES = ['focusin', 'pointerdown', 'click', 'keydown'] as const

/** The keyboard goes on if an act removes what has the focus, or disables it for a while. Only a person takes it off all. */
export function useHeldFocus(): void {
  useEffect(() => {
    let last: Element | null = null
    const note = (event: Event): void => {
      const isLeaving =
        event.type === 'pointerdown' || (event instanceof KeyboardEvent && event.key === 'Tab')
      last = isLeaving || document.activeElement === document.body ? null : document.activeElement
    }
    const observer = new MutationObserver(() => {
      if (!(last instanceof HTMLElement) || document.activeElement !== document.body) return
      if (last.getClientRects().length === 0) restoreFocus(null)
      else if (!last.matches(':disabled')) last.focus({ preventScroll: true })
    })
    for (const move of MOVES) document.addEventListener(move, note, true)
    observer.observe(document, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden'] })
    return () => {
      for (const move of MOVES) document.removeEventListener(move, note, true)
      observer.disconnect()
    }
  }, [])
}

/** Takes the focus if what had it went with the last change of `key`: a keyboard would act on nothing. */
export function useFocusAfter(target: () => HTMLElement | null | undefined, key: string): void {
  const seen = useRef<string | null>(null)
  useEffect(() => {
    if (seen.current === key) return
    seen.current = key
    if (document.activeElement === document.body) target()?.focus()
  })
}

/** A value that is read again every second; the component renders again only if it is another one. */
function useEverySecond<Value extends string | number>(read: () => Value): Value {
  const [value, setValue] = useState(read)
  useInterval(() => setValue(read()), SECOND, { autoInvoke: true })
  return value
}

export function useStationNow(): number {
  const skewMs = useStation((state) => state.skewMs)
  return useEverySecond(Date.now) + skewMs
}

/** The local date as `YYYY-MM-DD`, updated at midnight. */
export function useToday(): string {
  return useEverySecond(() => localDay(Date.now()))
}

/** Long enough for typing a word, short enough to feel immediate. */
export const TYPING_PAUSE_MS = 300

/** What is typed into a search, and what to search for: the same a moment later. A cleared search counts at once. */
export function useSearch() {
  const [text, setText] = useState('')
  const [typed] = useDebouncedValue(text.trim(), TYPING_PAUSE_MS)
  return { text, setText, search: text === '' ? '' : typed }
}

/** Was this element ever scrolled into view? */
export function useSeen<Target extends HTMLElement>(): {
  readonly ref: RefCallback<Target>
  readonly wasSeen: boolean
} {
  const { ref, inViewport } = useInViewport<Target>()
  const [wasSeen, setSeen] = useState(false)
  if (inViewport && !wasSeen) setSeen(true)
  return { ref, wasSeen }
}

/** What a promise came to; `failed` if it was rejected. */
export type Loaded<Value> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'ready'; readonly value: Value }

/** Loads a value for each key but null, and releases it when it is shown no more; then `gone` is aborted. */
export function useLoaded<Value>(
  key: string | null,
  load: (gone: AbortSignal) => Promise<Value>,
  release?: (value: Value) => void,
): Loaded<Value> {
  const [got, setGot] = useState<{ readonly of: string; readonly loaded: Loaded<Value> } | null>(null)
  const start = useEffectEvent(load)
  useEffect(() => {
    if (key === null) return undefined
    const gone = new AbortController()
    const show = (loaded: Loaded<Value>): void => {
      if (!gone.signal.aborted) setGot({ of: key, loaded })
    }
    const loading = start(gone.signal)
    loading.then(
      (value) => show({ kind: 'ready', value }),
      () => show({ kind: 'failed' }),
    )
    return () => {
      gone.abort()
      // A released value is not shown again if its key comes back.
      if (release) setGot(null)
      loading.then(
        (value) => release?.(value),
        () => undefined,
      )
    }
  }, [key, release])
  return got !== null && got.of === key ? got.loaded : { kind: 'loading' }
}

export function offerDownload(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = fileName
  anchor.click()
  // The browser has read the URL by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
