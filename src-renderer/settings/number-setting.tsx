import { TextInput } from '@mantine/core'
import { readTypedNumber } from '../format/numbers.ts'
import { SETTINGS_WORDS } from '../words/settings-words.ts'

export type NumberLimits = { readonly min: number; readonly max: number; readonly isWhole?: boolean }

/** The number that a text stands for within its limits, or null. Pure. */
export function readSetting(text: string, { min, max, isWhole = false }: NumberLimits): number | null {
  const typed = readTypedNumber(text)
  if (typed.kind !== 'number' || typed.value < min || typed.value > max) return null
  return isWhole && !Number.isInteger(typed.value) ? null : typed.value
}

export type NumberSettingProps = {
  readonly label: string
  readonly description?: string
  readonly unit?: string
  readonly text: string
  readonly limits: NumberLimits
  readonly onWrite: (text: string) => void
}

/** A number as text: it says itself when it is outside of its limits. */
export function NumberSetting({ label, description, unit, text, limits, onWrite }: NumberSettingProps) {
  return (
    <TextInput
      label={label}
      description={description}
      value={text}
      inputMode="decimal"
      autoComplete="off"
      rightSection={unit !== undefined && <span className="dim">{unit}</span>}
      rightSectionWidth={70}
      rightSectionPointerEvents="none"
      error={readSetting(text, limits) === null && SETTINGS_WORDS.between(limits.min, limits.max)}
      onChange={(event) => onWrite(event.currentTarget.value)}
    />
  )
}
