import { TextInput } from '@mantine/core'
import { readSetting, type NumberLimits } from './read-setting.ts'
import { t } from '../words/t.ts'

export type NumberSettingProps = {
  readonly label: string
  readonly description?: string
  readonly unit?: string
  readonly text: string
  readonly limits: NumberLimits
  /** Does the number count now? Else it cannot be written, and is never wrong. */
  readonly isUsed?: boolean
  readonly onWrite: (text: string) => void
}

/** A number as text: it says itself when it is outside of its limits. */
export function NumberSetting({
  label,
  description,
  unit,
  text,
  limits,
  isUsed = true,
  onWrite,
}: NumberSettingProps) {
  return (
    <TextInput
      label={label}
      description={description}
      value={text}
      disabled={!isUsed}
      inputMode="decimal"
      autoComplete="off"
      rightSection={unit !== undefined && <span className="dim">{unit}</span>}
      rightSectionWidth={86}
      rightSectionPointerEvents="none"
      error={
        isUsed &&
        readSetting(text, limits) === null &&
        t('settings:between', { min: limits.min, max: limits.max })
      }
      onChange={(event) => onWrite(event.currentTarget.value)}
    />
  )
}
