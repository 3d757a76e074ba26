import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { Caution } from '../components/notices.tsx'
import { readTypedNumber } from '../format/numbers.ts'
import { chooseLanguage, LANGUAGES, useLanguageChoice } from '../i18n/i18n.ts'
import { t } from '../i18n/said.ts'
import { useAnswer, useStation } from '../store/use-station.ts'
import { ManagedGroup } from './settings-form.tsx'

export type NumberLimits = { readonly min: number; readonly max: number; readonly isWhole?: boolean }

/** The number that a text stands for within its limits, or null. Pure. */
export function readSetting(text: string, { min, max, isWhole = false }: NumberLimits): number | null {
  const typed = readTypedNumber(text)
  if (typed.kind !== 'number' || typed.value < min || typed.value > max) return null
  return isWhole && !Number.isInteger(typed.value) ? null : typed.value
}

type NumberSettingProps = {
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

const GIGABYTE = 1_024 ** 3

/** Amounts of bytes as people write them in settings. Pure. */
export const SPACE_LIMITS: NumberLimits = { min: 0, max: 100_000 }

/** At most two decimals, and none that say nothing: `1`, `0.25`. */
function shortNumber(value: number): string {
  return String(Math.round(value * 100) / 100)
}

export function gigabytesText(bytes: number): string {
  return shortNumber(bytes / GIGABYTE)
}

/** The bytes that a text stands for, or null. What was not touched stays exactly as it was. */
export function readGigabytes(text: string, before: number): number | null {
  if (text === gigabytesText(before)) return before
  const value = readSetting(text, SPACE_LIMITS)
  return value === null ? null : Math.round(value * GIGABYTE)
}

export const RATE_UNITS = ['kilobytes', 'megabytes'] as const

type RateUnit = (typeof RATE_UNITS)[number]

const BYTES_OF_UNIT: Readonly<Record<RateUnit, number>> = { kilobytes: 1_000, megabytes: 1_000_000 }

/** With less, not even the head of a request gets through in time. */
const MIN_RATE = 4_096

/** A limit as it is written; no limit is an empty text. */
type RateInput = { readonly text: string; readonly unit: RateUnit }

export function rateText(bytesPerSecond: number | null): RateInput {
  if (bytesPerSecond === null) return { text: '', unit: 'kilobytes' }
  const unit = bytesPerSecond >= BYTES_OF_UNIT.megabytes ? 'megabytes' : 'kilobytes'
  return { text: shortNumber(bytesPerSecond / BYTES_OF_UNIT[unit]), unit }
}

type ParsedRate =
  | { readonly kind: 'rate'; readonly bytesPerSecond: number | null }
  | { readonly kind: 'wrong' }

/** The limit that was written: null where the field is empty, and never one that stops everything. */
export function readRate(written: RateInput, before: number | null): ParsedRate {
  const current = rateText(before)
  if (written.text === current.text && written.unit === current.unit)
    return { kind: 'rate', bytesPerSecond: before }
  const typed = readTypedNumber(written.text)
  if (typed.kind === 'empty') return { kind: 'rate', bytesPerSecond: null }
  if (typed.kind === 'notANumber') return { kind: 'wrong' }
  const bytesPerSecond = Math.round(typed.value * BYTES_OF_UNIT[written.unit])
  return bytesPerSecond < MIN_RATE || !Number.isSafeInteger(bytesPerSecond)
    ? { kind: 'wrong' }
    : { kind: 'rate', bytesPerSecond }
}

const CHOICES = ['auto', ...LANGUAGES] as const

/** The language of this screen; it changes at once. */
export function LanguageSelect() {
  const choice = useLanguageChoice()
  return (
    <NativeSelect
      label={t('shell:language.label')}
      description={t('settings:general.languageHint')}
      value={choice}
      data={CHOICES.map((value) => ({ value, label: t(`shell:language.${value}`) }))}
      onChange={(event) => {
        const wanted = CHOICES.find((one) => one === event.currentTarget.value)
        if (wanted) void chooseLanguage(wanted, window)
      }}
    />
  )
}

type StartAtLoginProps = { readonly isOn: boolean; readonly onWrite: (isOn: boolean) => void }

/** Whether the desktop app is started at login; elsewhere it says whose matter that is. */
export function StartAtLogin({ isOn, onWrite }: StartAtLoginProps) {
  const host = useStation((state) => state.status?.host ?? 'headless')
  // Read anew with each snapshot; what the system says does not change while somebody looks at this.
  const { value: about } = useAnswer('station.about', host === 'electron' ? {} : null)
  if (host !== 'electron') return <p className="dim">{t('settings:general.startElsewhere')}</p>
  return (
    <ManagedGroup keys={['desktop']}>
      <Switch
        label={t('settings:general.startAtLogin')}
        description={t('settings:general.startAtLoginHint')}
        checked={isOn}
        onChange={(event) => onWrite(event.currentTarget.checked)}
      />
      {about?.startAtLogin === 'refused' && <Caution>{t('settings:general.startRefused')}</Caution>}
    </ManagedGroup>
  )
}
