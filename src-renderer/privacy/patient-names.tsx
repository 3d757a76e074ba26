import { ActionIcon, Tooltip } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { SECOND } from '../../src-shared/durations.ts'
import type { Fields } from '../../src-shared/fields.ts'
import { patientNameOf } from '../../src-shared/measurement-ranges.ts'
import { t } from '../i18n/said.ts'
import { patientLabel } from '../queue/run-action.ts'
import { useStation } from '../store/use-station.ts'
import { maskFileName, maskName, maskNameIn, type NameVisibility, privacy } from './privacy.ts'

/** Patients' names as they may be read just now. Whatever a screen shows or says of a name goes through this. */
export type Names = {
  readonly areHidden: boolean
  /** `Example, Ana`; null where no name is known. */
  readonly nameOf: (fields: Fields) => string | null
  /** For questions and screen readers: the history number, then the name. */
  readonly patientLabel: (fields: Fields) => string
  /** A name that stands by itself, as in a list of the service. */
  readonly name: (text: string) => string
  /** The name of a file, with or without its folder. */
  readonly fileName: (fileName: string) => string
  /** A text in which the patient's name may stand. */
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

/** For what is drawn: follows the privacy of the window. */
export function useNames(): Names {
  const shown = useSyncExternalStore(privacy.onChange, privacy.shown)
  return useMemo(() => namesFor(shown), [shown])
}

/** For what is told once, such as a message. */
export function namesNow(): Names {
  return namesFor(privacy.shown())
}

/** Keys that lead past a field, or do nothing to it. */
const NAVIGATION_KEYS = /^(Tab|Shift|Control|Alt|AltGraph|Meta|Escape|F\d+)$/

type MaskedInput = {
  readonly value: string
  readonly readOnly: boolean
  readonly title: string | undefined
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onPointerDown: () => void
  readonly onBlur: () => void
}

/** An input with a name in it: covered while names are hidden, until somebody touches it or types into it. */
export function useMaskedInput(text: string): MaskedInput {
  const { areHidden, name } = useNames()
  const [isTouched, setTouched] = useState(false)
  // What was touched while names were shown is covered with all others.
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
