import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { MINUTE, SECOND } from '../../src-shared/durations.ts'
import { localDay } from '../format/dates.ts'
import { t } from '../i18n/said.ts'
import { useStation } from '../store/use-station.ts'

/** Keys of a screen must not act on what a dialog covers: there they would approve a case that nobody sees. */

const IN_DIALOG = '[role="dialog"], [role="alertdialog"]'

const MODAL = '[aria-modal="true"], dialog[open]'

/** Was this pressed in a dialog, or while one covers the screen? */
function isBehindDialog({ target }: Event, page: ParentNode = document): boolean {
  const isInside = target instanceof Element && target.closest(IN_DIALOG) !== null
  return isInside || page.querySelector(MODAL) !== null
}

/** A key of the screen that rests while a dialog is open. */
export function unlessBehindDialog(act: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (!isBehindDialog(event)) act()
  }
}

/** The faded dialog leaves the page with the next drawing, and with it the focus that it held. */
const GONE_MS = 50

/** Where the keyboard goes on once a dialog has faded out: where it came from, or the screen where that is gone. */
export function restoreFocus(cameFrom: HTMLElement | null): void {
  setTimeout(() => {
    // Somebody has taken it already.
    if (document.activeElement !== document.body) return
    const target = cameFrom?.isConnected ? cameFrom : document.getElementById('main')
    target?.focus({ preventScroll: true })
  }, GONE_MS)
}

/** One clock for all that counts: it ticks while somebody looks at it. */
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
  // Nobody looked for a while: the clock stood still meanwhile.
  if (timer === undefined) now = Date.now()
  return now
}

/** The station's time, which moves each second while it is shown. */
export function useStationNow(): number {
  const skewMs = useStation((state) => state.skewMs)
  return useSyncExternalStore(subscribeToClock, readNow) + skewMs
}

function subscribeToDay(onChange: () => void): () => void {
  const timer = setInterval(onChange, MINUTE / 2)
  return () => clearInterval(timer)
}

function readToday(): string {
  return localDay(Date.now())
}

/** Today as `YYYY-MM-DD` on this computer's calendar, also where a screen stays open over midnight. */
export function useToday(): string {
  return useSyncExternalStore(subscribeToDay, readToday)
}

/** Hands bytes to the person as a file under this name. */
export function offerDownload(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = fileName
  anchor.click()
  // The browser has taken the bytes by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}

type CopyActionProps = { readonly text: string; readonly label?: string }

/** Puts a text on the clipboard and says so. */
export function CopyAction({ text, label = t('shell:copy') }: CopyActionProps) {
  return (
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('shell:copied') : label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={copied ? t('shell:copied') : label}
            onClick={copy}
          >
            {copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
