/** Inputs that several settings share: numbers, sizes, rates, language and start at login. */
import type { Ref } from 'react'
import { NativeSelect, Radio, Switch, TextInput, type TextInputProps } from '@mantine/core'
import { Caution } from '../components/notices.tsx'
import { readTypedNumber } from '../format/numbers.ts'
import { chooseLanguage, t, useLanguageChoice } from '../i18n/i18n.ts'
import { LANGUAGES } from '../../src-shared/texts/texts.ts'
import { useAnswer, useStation } from '../store/use-station.ts'
import { ManagedGroup } from './settings-form.tsx'

export type NumberLimits = { readonly min: number; readonly max: number; readonly isWhole?: boolean }

/** The number in a text if it is within the limits, or null. Pure. */
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
  /** Is the number in use? An unused one is disabled and never invalid. */
  readonly isUsed?: boolean
  readonly onWrite: (text: string) => void
}

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

type CodeInputProps = Omit<TextInputProps, 'onChange'> & {
  readonly ref?: Ref<HTMLInputElement>
  readonly onWrite: (text: string) => void
}

/** A text that a browser must neither complete nor correct, such as a path or an id. */
export function CodeInput({ onWrite, ...rest }: CodeInputProps) {
  return (
    <TextInput
      autoComplete="off"
      spellCheck={false}
      {...rest}
      onChange={(event) => onWrite(event.currentTarget.value)}
    />
  )
}

type ChoiceProps<Choice extends string> = {
  readonly label: string
  readonly description?: string
  readonly choices: readonly Choice[]
  readonly value: Choice
  readonly labelOf: (choice: Choice) => string
  readonly onChoose: (choice: Choice) => void
}

export function ChoiceSelect<Choice extends string>(props: ChoiceProps<Choice>) {
  const { choices, labelOf, onChoose, ...rest } = props
  return (
    <NativeSelect
      {...rest}
      data={choices.map((value) => ({ value, label: labelOf(value) }))}
      onChange={(event) => {
        const chosen = choices.find((choice) => choice === event.currentTarget.value)
        if (chosen !== undefined) onChoose(chosen)
      }}
    />
  )
}

type RadioChoiceProps<Choice extends string> = ChoiceProps<Choice> & {
  readonly hintOf?: (choice: Choice) => string
  readonly className: string | undefined
}

export function RadioChoice<Choice extends string>(props: RadioChoiceProps<Choice>) {
  const { choices, labelOf, hintOf, onChoose, className, ...rest } = props
  return (
    <Radio.Group
      {...rest}
      onChange={(value) => {
        const chosen = choices.find((choice) => choice === value)
        if (chosen !== undefined) onChoose(chosen)
      }}
    >
      <div className={className}>
        {choices.map((choice) => (
          <Radio key={choice} value={choice} label={labelOf(choice)} description={hintOf?.(choice)} />
        ))}
      </div>
    </Radio.Group>
  )
}

const GIGABYTE = 1_024 ** 3
export const SPACE_LIMITS: NumberLimits = { min: 0, max: 100_000 }

/** At most two decimals, without trailing zeros: `1`, `0.25`. */
function shortNumber(value: number): string {
  return String(Math.round(value * 100) / 100)
}

export function gigabytesText(bytes: number): string {
  return shortNumber(bytes / GIGABYTE)
}

/** The bytes in a text, or null. An unchanged text preserves the exact value. */
export function readGigabytes(text: string, before: number): number | null {
  if (text === gigabytesText(before)) return before
  const value = readSetting(text, SPACE_LIMITS)
  return value === null ? null : Math.round(value * GIGABYTE)
}

export const RATE_UNITS = ['kilobytes', 'megabytes'] as const

type RateUnit = (typeof RATE_UNITS)[number]

const BYTES_OF_UNIT: Readonly<Record<RateUnit, number>> = { kilobytes: 1_000, megabytes: 1_000_000 }

/** With less, not even the headers of a request arrive in time. */
const MIN_RATE = 4_096

/** A limit as typed; an empty text means no limit. */
type RateInput = { readonly text: string; readonly unit: RateUnit }

export function rateText(bytesPerSecond: number | null): RateInput {
  if (bytesPerSecond === null) return { text: '', unit: 'kilobytes' }
  const unit = bytesPerSecond >= BYTES_OF_UNIT.megabytes ? 'megabytes' : 'kilobytes'
  return { text: shortNumber(bytesPerSecond / BYTES_OF_UNIT[unit]), unit }
}

type ParsedRate =
  | { readonly kind: 'rate'; readonly bytesPerSecond: number | null }
  | { readonly kind: 'wrong' }

/** The typed limit: null for an empty field, and never one that blocks everything. */
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

export function LanguageSelect() {
  const choice = useLanguageChoice()
  return (
    <ChoiceSelect
      label={t('shell:language.label')}
      description={t('settings:general.languageHint')}
      choices={CHOICES}
      value={choice}
      labelOf={(value) => t(`shell:language.${value}`)}
      onChoose={(wanted) => void chooseLanguage(wanted, window)}
    />
  )
}

type StartAtLoginProps = { readonly isOn: boolean; readonly onWrite: (isOn: boolean) => void }

/** Start of the desktop app at login; on other hosts, who is responsible for it. */
export function StartAtLogin({ isOn, onWrite }: StartAtLoginProps) {
  const host = useStation((state) => state.status?.host ?? 'headless')
  // Read with each snapshot; the system's answer does not change while this is open.
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
