/** Patients' names on the screens: every name is shown through this file, so that it can be hidden. */
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { SECOND } from '../../src-shared/durations.ts'
import type { Fields } from '../../src-shared/fields.ts'
import { patientNameOf } from '../../src-shared/measurement-ranges.ts'
import type { Submission } from '../../src-shared/submission.ts'
import { IconAction } from '../components/controls.tsx'
import { foldText, t } from '../i18n/i18n.ts'
import { useStation } from '../store/use-station.ts'

export type Names = ReturnType<typeof namesFor>

function namesFor(shown: NameVisibility) {
  const areHidden = shown !== 'shown'
  const name = (text: string): string => (areHidden ? maskName(text) : text)
  const nameOf = (fields: Fields): string | null => {
    const patientName = patientNameOf(fields)
    return patientName === null ? null : name(patientName)
  }
  const fileName = (path: string): string => (areHidden ? maskFileName(path) : path)
  return {
    areHidden,
    name,
    /** `Example, Ana`; null if no name is known. */
    nameOf,
    /** For questions and screen readers: the history number, then the name. */
    patientLabel: (fields: Fields): string =>
      [fields.history_number ?? t('queue:noHistoryNumber'), nameOf(fields)].filter(Boolean).join(', '),
    fileName,
    /** The patient's name; of a case without number and name its first file, by which it can be recognised. */
    titleOf: ({ fields, images: [first] }: Pick<Submission, 'fields' | 'images'>): string =>
      nameOf(fields) ??
      (fields.history_number === undefined && first ? fileName(first.fileName) : t('queue:noName')),
    /** A text that may contain the patient's name. */
    text: (text: string, fields: Fields): string => (areHidden ? maskNameIn(text, fields) : text),
  }
}

export function useNames(): Names {
  const shown = useStore(privacy, visibilityOf)
  return useMemo(() => namesFor(shown), [shown])
}

export function namesNow(): Names {
  return namesFor(visibilityOf(privacy.getState()))
}

/** Keys that leave a field or do not change it. */
const NAVIGATION_KEYS = /^(Tab|Shift|Control|Alt|AltGraph|Meta|Escape|F\d+)$/

/** Masks an input that holds a name while names are hidden, until a person focuses or edits it. */
export function useMaskedInput(text: string) {
  const { areHidden, name } = useNames()
  const [isTouched, setTouched] = useState(false)
  // If names were visible, earlier focus does not count.
  if (isTouched && !areHidden) setTouched(false)
  const isCovered = areHidden && !isTouched && text !== ''
  return {
    value: isCovered ? name(text) : text,
    readOnly: isCovered,
    title: isCovered ? t('privacy:covered') : undefined,
    onKeyDown: ({ key }: KeyboardEvent) => setTouched((before) => before || !NAVIGATION_KEYS.test(key)),
    onPointerDown: () => setTouched(true),
    onBlur: () => setTouched(false),
  }
}

export function NamesControl() {
  const shown = useStore(privacy, visibilityOf)
  useHiddenWhileIdle()
  const isHiddenByHand = shown === 'hiddenByHand'
  return (
    <IconAction
      variant={isHiddenByHand ? 'light' : 'default'}
      label={t(`privacy:${shown}`)}
      aria-label={t('privacy:label')}
      aria-pressed={isHiddenByHand}
      icon={shown === 'shown' ? IconEye : IconEyeOff}
      iconSize={18}
      onClick={() => privacy.setState({ isHiddenByHand: !isHiddenByHand })}
    />
  )
}

const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/** Hides names once there was no input for the time that is set; what the input is does not matter. */
function useHiddenWhileIdle(): void {
  const seconds = useStation((state) => state.settings?.screens.hideNamesAfterSeconds ?? null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const restart = (): void => {
      clearTimeout(timer)
      if (seconds !== null) timer = setTimeout(() => privacy.setState({ isIdle: true }), seconds * SECOND)
    }
    const touch = (): void => {
      if (privacy.getState().isIdle) privacy.setState({ isIdle: false })
      restart()
    }
    let [x, y] = [-1, -1]
    // Browsers also report moves if the page moves below a resting pointer.
    const move = (event: PointerEvent): void => {
      if (event.screenX === x && event.screenY === y) return
      ;[x, y] = [event.screenX, event.screenY]
      touch()
    }
    const gone = new AbortController()
    const options = { capture: true, passive: true, signal: gone.signal }
    window.addEventListener('pointermove', move, options)
    for (const name of INPUTS) window.addEventListener(name, touch, options)
    // Names that are hidden stay so if another time is set, unless it is none.
    if (seconds === null) privacy.setState({ isIdle: false })
    else restart()
    return () => {
      gone.abort()
      clearTimeout(timer)
    }
  }, [seconds])
}

const KEY = 'fundus-courier.names'

/** Tests have no window. */
const saved = typeof window === 'undefined' ? null : window.sessionStorage

/** Whether names are hidden in this window: until a person shows them again, or until the next input. */
export const privacy = createStore(() => ({
  isHiddenByHand: saved?.getItem(KEY) === 'hide',
  isIdle: false,
}))
privacy.subscribe(({ isHiddenByHand }) => saved?.setItem(KEY, isHiddenByHand ? 'hide' : 'show'))

type NameVisibility = 'shown' | 'hiddenByHand' | 'hiddenWhileIdle'

function visibilityOf({ isHiddenByHand, isIdle }: ReturnType<typeof privacy.getState>): NameVisibility {
  if (isHiddenByHand) return 'hiddenByHand'
  return isIdle ? 'hiddenWhileIdle' : 'shown'
}

const DOTS = '\u2022\u2022\u2022'

/** `Example, Ana` as `E•••, A•••`: two rows remain distinguishable, and it is equally long for every name. */
export function maskName(name: string): string {
  return name.replace(/([\p{L}\p{N}]\p{M}*)[^\s,]*/gu, `$1${DOTS}`)
}

/** Shorter names occur by chance inside other words: they match only as whole words. */
const MIN_LENGTH = 3

/** Masks the patient's own names in a text, such as a file name; every other word stays. */
export function maskNameIn(text: string, { first_name, last_name }: Fields): string {
  const whole = foldText([first_name, last_name].join(' '))
  const names = whole.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length >= MIN_LENGTH)
  const shortNames = whole.split(/[\s,]+/).filter((part) => part !== '' && part.length < MIN_LENGTH)
  if (names.length + shortNames.length === 0) return text
  const isName = (token: string): boolean =>
    shortNames.includes(token) || names.some((name) => token.includes(name))
  return text
    .normalize('NFC')
    .replace(/\p{L}[\p{L}\p{M}]*/gu, (token) =>
      isName(foldText(token)) ? `${token.slice(0, 1)}${DOTS}` : token,
    )
}

const FILE_NAME_TERMS: ReadonlySet<string> = new Set(
  'od os oi ou img image dsc dcim fundus macula disc left right jpg jpeg png tif tiff bmp dcm'.split(' '),
)

/** Masks every word except known terms: for texts that may contain anyone's name. */
function maskText(text: string, allowed: ReadonlySet<string> = new Set()): string {
  return text
    .normalize('NFC')
    .replace(/\p{L}[\p{L}\p{M}]+/gu, (token) =>
      allowed.has(token.toLowerCase()) ? token : `${token.slice(0, 1)}${DOTS}`,
    )
}

/** Files are often named after the patient, in varying spellings. Numbers and eyes stay. */
export function maskFileName(fileName: string): string {
  return maskText(fileName, FILE_NAME_TERMS)
}

const NAMED = /name|nombre|apellido|patient/i

/** A patient record holds more than names; its names have keys of their own. */
const RECORD = /patient/i

/** Masks the values of name keys, and applies `mask` to everything else. */
export function maskRaw(value: unknown, mask: (text: string) => string, isName = false): unknown {
  if (typeof value === 'string') return isName ? maskText(value) : mask(value)
  if (Array.isArray(value)) return value.map((item: unknown) => maskRaw(item, mask, isName))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [
      key,
      maskRaw(inner, mask, isNamed(key, inner) || isName),
    ]),
  )
}

function isNamed(key: string, inner: unknown): boolean {
  if (!NAMED.test(key)) return false
  if (typeof inner !== 'object' || inner === null || !RECORD.test(key)) return true
  return Array.isArray(inner) && inner.every((item) => typeof item === 'string')
}
