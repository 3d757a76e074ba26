/** Patients' names on the screens: every name is shown through this file, so that it can be hidden. */
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { SECOND } from '../../src-shared/durations.ts'
import type { Fields } from '../../src-shared/fields.ts'
import { patientNameOf } from '../../src-shared/measurement-ranges.ts'
import { t } from '../i18n/i18n.ts'
import { patientLabel } from '../queue/run-action.ts'
import { useStation } from '../store/use-station.ts'
import { maskFileName, maskName, maskNameIn, type NameVisibility, privacy } from './privacy.ts'

export type Names = {
  readonly areHidden: boolean
  /** `Example, Ana`; null if no name is known. */
  readonly nameOf: (fields: Fields) => string | null
  /** For questions and screen readers: the history number, then the name. */
  readonly patientLabel: (fields: Fields) => string
  readonly name: (text: string) => string
  readonly fileName: (fileName: string) => string
  /** A text that may contain the patient's name. */
  readonly text: (text: string, fields: Fields) => string
}

function namesFor(shown: NameVisibility): Names {
  const areHidden = shown !== 'shown'
  const name = (text: string): string => (areHidden ? maskName(text) : text)
  return {
    areHidden,
    name,
    nameOf(fields) {
      const patientName = patientNameOf(fields)
      return patientName === null ? null : name(patientName)
    },
    patientLabel: (fields) => patientLabel(fields, name),
    fileName: (fileName) => (areHidden ? maskFileName(fileName) : fileName),
    text: (text, fields) => (areHidden ? maskNameIn(text, fields) : text),
  }
}

export function useNames(): Names {
  const shown = useSyncExternalStore(privacy.onChange, privacy.shown)
  return useMemo(() => namesFor(shown), [shown])
}

export function namesNow(): Names {
  return namesFor(privacy.shown())
}

/** Keys that leave a field or do not change it. */
const NAVIGATION_KEYS = /^(Tab|Shift|Control|Alt|AltGraph|Meta|Escape|F\d+)$/

type MaskedInput = {
  readonly value: string
  readonly readOnly: boolean
  readonly title: string | undefined
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onPointerDown: () => void
  readonly onBlur: () => void
}

/** Masks an input that holds a name while names are hidden, until a person focuses or edits it. */
export function useMaskedInput(text: string): MaskedInput {
  const { areHidden, name } = useNames()
  const [isTouched, setTouched] = useState(false)
  // If names were visible, earlier focus does not count.
  if (isTouched && !areHidden) setTouched(false)
  const isCovered = areHidden && !isTouched && text !== ''
  return {
    value: isCovered ? name(text) : text,
    readOnly: isCovered,
    title: isCovered ? t('privacy:covered') : undefined,
    onKeyDown: ({ key }) => setTouched((before) => before || !NAVIGATION_KEYS.test(key)),
    onPointerDown: () => setTouched(true),
    onBlur: () => setTouched(false),
  }
}

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

/** Watches for input; its content is ignored. */
function useHiddenWhileIdle(): void {
  const seconds = useStation((state) => state.settings?.screens.hideNamesAfterSeconds ?? null)
  useEffect(() => privacy.hideAfter(seconds === null ? null : seconds * SECOND), [seconds])
  useEffect(() => {
    let [x, y] = [-1, -1]
    // Browsers also report moves if the page moves below a resting pointer.
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
