import { useState, type KeyboardEvent } from 'react'
import { t } from '../words/t.ts'
import { useNames } from './use-names.ts'

/** Keys that lead past a field, or do nothing to it. */
const NAVIGATION_KEYS = /^(Tab|Shift|Control|Alt|AltGraph|Meta|Escape|F\d+)$/

export type MaskedInput = {
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
