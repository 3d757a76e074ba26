/** Small adapters to the browser: dialogs and focus, clock, downloads and clipboard. */
import { CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { SECOND } from '../../src-shared/durations.ts'
import { localDay } from '../format/dates.ts'
import { t } from '../i18n/i18n.ts'
import { useStation } from '../store/use-station.ts'
import { IconAction } from './controls.tsx'

/** Shortcuts of a screen must not act behind a dialog: they would approve a case that is not visible. */
const IN_DIALOG = '[role="dialog"], [role="alertdialog"]'
const MODAL = '[aria-modal="true"], dialog[open]'

export function unlessBehindDialog(act: () => void): (event: KeyboardEvent) => void {
  return ({ target }) => {
    const isInside = target instanceof Element && target.closest(IN_DIALOG) !== null
    if (!isInside && document.querySelector(MODAL) === null) act()
  }
}

/** A faded dialog is removed with the next frame, and the focus it held is lost with it. */
const GONE_MS = 50

/** Restores the focus after a dialog has faded out: to its opener, or to the screen if that is gone. */
export function restoreFocus(cameFrom: HTMLElement | null): void {
  setTimeout(() => {
    // Something else has taken the focus.
    if (document.activeElement !== document.body) return
    const target = cameFrom?.isConnected ? cameFrom : document.getElementById('main')
    target?.focus({ preventScroll: true })
  }, GONE_MS)
}

/** One clock for all countdowns; it ticks only while it has subscribers. */
const listeners = new Set<() => void>()

let timer: ReturnType<typeof setInterval> | undefined

let now = Date.now()

function subscribeToClock(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const notify of listeners) notify()
  }, SECOND)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function readNow(): number {
  // The clock has been stopped without subscribers.
  if (timer === undefined) now = Date.now()
  return now
}

export function useStationNow(): number {
  const skewMs = useStation((state) => state.skewMs)
  return useSyncExternalStore(subscribeToClock, readNow) + skewMs
}

/** The local date as `YYYY-MM-DD`, updated at midnight. */
export function useToday(): string {
  return useSyncExternalStore(subscribeToClock, () => localDay(Date.now()))
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

type CopyActionProps = { readonly text: string; readonly label?: string }

export function CopyAction({ text, label = t('shell:copy') }: CopyActionProps) {
  return (
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <IconAction
          label={copied ? t('shell:copied') : label}
          size={28}
          icon={copied ? IconCheck : IconCopy}
          iconSize={15}
          onClick={copy}
        />
      )}
    </CopyButton>
  )
}
