/** Small adapters to the browser: dialogs and focus, clock, downloads and clipboard. */
import { CopyButton } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
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
