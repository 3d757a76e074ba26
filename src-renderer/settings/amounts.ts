/** Amounts of bytes as people write them in settings. Pure. */
import { readTypedNumber } from '../format/numbers.ts'
import { readSetting, type NumberLimits } from './read-setting.ts'

const GIGABYTE = 1_024 ** 3
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
export type RateUnit = (typeof RATE_UNITS)[number]
const BYTES_OF_UNIT: Readonly<Record<RateUnit, number>> = { kilobytes: 1_000, megabytes: 1_000_000 }
/** With less, not even the head of a request gets through in time. */
const MIN_RATE = 4_096

/** A limit as it is written; no limit is an empty text. */
export type RateInput = { readonly text: string; readonly unit: RateUnit }

export function rateText(bytesPerSecond: number | null): RateInput {
  if (bytesPerSecond === null) return { text: '', unit: 'kilobytes' }
  const unit = bytesPerSecond >= BYTES_OF_UNIT.megabytes ? 'megabytes' : 'kilobytes'
  return { text: shortNumber(bytesPerSecond / BYTES_OF_UNIT[unit]), unit }
}

export type ParsedRate =
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
