import { ActionIcon, Tooltip } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import { SECOND } from '../../src-shared/durations.ts'
import { useStation } from '../store/use-station.ts'
import { t } from '../words/t.ts'
import { privacy } from './privacy-state.ts'

/** Hides patients' names on all screens at once, and by themselves where nobody is there. */
export function NamesControl() {
  const shown = useSyncExternalStore(privacy.onChange, privacy.shown)
  useHiddenWhileIdle()
  const isHiddenByHand = shown === 'hiddenByHand'
  const Sign = shown === 'shown' ? IconEye : IconEyeOff
  return (
    <Tooltip label={t(`privacy:${shown}`)} multiline maw={260}>
      <ActionIcon
        variant={isHiddenByHand ? 'light' : 'default'}
        size={36}
        aria-label={t('privacy:label')}
        aria-pressed={isHiddenByHand}
        onClick={() => privacy.wish(isHiddenByHand ? 'show' : 'hide')}
      >
        <Sign size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/** Watches for whoever is there; what they do is not looked at. */
function useHiddenWhileIdle(): void {
  const seconds = useStation((state) => state.settings?.screens.hideNamesAfterSeconds ?? null)
  useEffect(() => privacy.hideAfter(seconds === null ? null : seconds * SECOND), [seconds])
  useEffect(() => {
    let [x, y] = [-1, -1]
    // A browser tells of moves where only the page moved below a pointer that lies still.
    const move = (event: PointerEvent): void => {
      if (event.screenX === x && event.screenY === y) return
      ;[x, y] = [event.screenX, event.screenY]
      privacy.touch()
    }
    const options = { capture: true, passive: true }
    window.addEventListener('pointermove', move, options)
    for (const name of INPUTS) window.addEventListener(name, privacy.touch, options)
    return () => {
      window.removeEventListener('pointermove', move, options)
      for (const name of INPUTS) window.removeEventListener(name, privacy.touch, options)
    }
  }, [])
}
