/** Parses and formats numbers as clinics write them. */
import type { Measurement } from '../../src-shared/fields.ts'
import { hardRangeOf, type VaUnit } from '../../src-shared/measurement-ranges.ts'
import { languageNow } from '../i18n/i18n.ts'

/** The result of parsing a number. An empty text states nothing; zero is a statement. */
export type TypedNumber =
  | { readonly kind: 'empty' }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'notANumber' }

/**
 * Parses a number with a decimal point or comma and an optional sign. `1.250,5` and `1e3` are refused, because
 * guessing a thousands separator changes a value a thousandfold.
 */
export function readTypedNumber(text: string): TypedNumber {
  const plain = text.trim().replaceAll('\u2212', '-')
  if (plain === '') return { kind: 'empty' }
  if (!/^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/.test(plain)) return { kind: 'notANumber' }
  return { kind: 'number', value: Number(plain.replace(',', '.')) }
}

/** Units that people append, if they are unambiguous. */
const UNIT_SUFFIXES: Readonly<Partial<Record<Measurement, RegExp>>> = {
  iop: /\s*mm\s*hg$/i,
  sphere: /\s*(d|ds|dpt|dsph)$/i,
  cylinder: /\s*(d|dc|dpt|dcyl)$/i,
  add: /\s*(d|dpt)$/i,
  axis: /\s*\u00b0$/,
  prism: /\s*(\u0394|pd)$/i,
  prism_base: /\s*\u00b0$/,
}

/** `pl` and `plano` mean a sphere of zero; the axis 0 is the meridian called 180. */
export function readTypedMeasurement(measurement: Exclude<Measurement, 'va'>, text: string): TypedNumber {
  if (measurement === 'sphere' && /^\s*pl(ano)?\s*$/i.test(text)) return { kind: 'number', value: 0 }
  const unit = UNIT_SUFFIXES[measurement]
  const typed = readTypedNumber(unit === undefined ? text : text.trim().replace(unit, ''))
  if (typed.kind !== 'number') return typed
  // A negative zero is never measured.
  return { kind: 'number', value: (measurement === 'axis' && typed.value === 0 ? 180 : typed.value) || 0 }
}

/** Formats a measurement without rounding, so that the shown value is the sent one. The axis 0 is written 180. */
export function formatMeasurement(measurement: Exclude<Measurement, 'va'>, value: number): string {
  if (measurement === 'axis') return axis(value === 0 ? 180 : value)
  if (measurement !== 'sphere' && measurement !== 'cylinder' && measurement !== 'add') return String(value)
  const fixed = value.toFixed(2)
  return (value > 0 ? '+' : '') + (Number(fixed) === value ? fixed : String(value))
}

/** A negative axis is invalid, but a sidecar may contain one, and a person must be able to read it. */
function axis(value: number): string {
  const [whole = '', decimals] = String(Math.abs(value)).split('.')
  return (value < 0 ? '-' : '') + whole.padStart(3, '0') + (decimals === undefined ? '' : `.${decimals}`)
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A size in decimal units, as file managers show it: `812 B`, `4.2 MB`, in Spanish `4,2 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let index = 0
  while (value >= 999.5 && index < UNITS.length - 1) {
    value /= 1_000
    index += 1
  }
  const digits = index === 0 || value >= 99.5 ? 0 : 1
  const form = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }
  return `${value.toLocaleString(languageNow(), form)} ${UNITS[index] ?? ''}`
}

/** A count with the separators of the language: `12,480`, in Spanish `12.480`. */
export function formatCount(count: number): string {
  return count.toLocaleString(languageNow())
}

const ARROW_STEPS: Readonly<Record<Exclude<Measurement, 'va'>, number>> = {
  iop: 1,
  sphere: 0.25,
  cylinder: 0.25,
  axis: 1,
  add: 0.25,
  prism: 0.25,
  prism_base: 1,
}
const VA_STEPS: Readonly<Record<VaUnit, number>> = { decimal: 0.05, logMAR: 0.1 }

/** The next value on the grid of steps, within the possible range. An axis wraps around: after 180 comes 1. */
export function addStep(measurement: Measurement, value: number, by: 1 | -1, vaUnit: VaUnit): number {
  const step = measurement === 'va' ? VA_STEPS[vaUnit] : ARROW_STEPS[measurement]
  const position = toThousandths(value / step)
  const next = toThousandths((by === 1 ? Math.floor(position) + 1 : Math.ceil(position) - 1) * step)
  if (measurement === 'axis') return next > 180 ? 1 : next < 1 ? 180 : next
  const { min, max } = hardRangeOf(measurement, vaUnit)
  return Math.min(max, Math.max(min, next)) || 0
}

const DEFAULT_STEPS: Readonly<Partial<Record<Measurement, number>>> = {
  iop: 0.5,
  sphere: 0.25,
  cylinder: 0.25,
  axis: 1,
  add: 0.25,
  prism: 0.25,
}

/** The usual step that a value is not a multiple of; null if it is. Some autorefractors print such values. */
export function missedStepOf(measurement: Measurement, value: number): number | null {
  const step = DEFAULT_STEPS[measurement]
  return step === undefined || Number.isInteger(toThousandths(value / step)) ? null : step
}

/** Sums of quarters are exact; this is for the tenths and hundredths that autorefractors print. */
export function toThousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
