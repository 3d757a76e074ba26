/**
 * Numbers as people write them and as the service expects them. A plain acuity is decimal, and a logMAR value always
 * carries that word: so a field's text can be parsed again with the same meaning.
 */
import type { Measurement } from '../../src-shared/fields.ts'
import { hardRangeOf, isInRange, type Range, type VaUnit } from '../../src-shared/measurement-ranges.ts'
import type { ClinicalSettings } from '../../src-shared/settings.ts'
import { languageNow } from '../i18n/i18n.ts'

/** The result of parsing a number. An empty text states nothing; zero is a statement. */
export type TypedNumber =
  | { readonly kind: 'empty' }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'notANumber' }

/** Refuses `1.250,5` and `1e3`, because guessing a thousands separator changes a value a thousandfold. */
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
function toThousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

/** Acuities below any chart; no number represents them. */
type LowVisionCode = 'CF' | 'HM' | 'LP' | 'NLP'

export type TypedAcuity =
  | { readonly kind: 'empty' }
  /** `value` is in the unit of the service; `wasConverted` if another unit was typed. */
  | { readonly kind: 'number'; readonly value: number; readonly wasConverted: boolean }
  | { readonly kind: 'code'; readonly code: LowVisionCode }
  | { readonly kind: 'notANumber' }
  /** It would convert to a plausible value; `range` is in the typed unit. */
  | { readonly kind: 'impossible'; readonly range: Range }

/** A quotient that rounds to zero would mean blindness. */
const SNELLEN_RANGE: Range = { min: 0.001, max: hardRangeOf('va', 'decimal').max }

/** English and Spanish: counting fingers, hand movements, light perception, no light perception. */
const CODE_PATTERNS: readonly (readonly [LowVisionCode, RegExp])[] = [
  ['CF', /^(cf|fc|cd|count(s|ing)? fingers|finger count(ing)?|cuenta dedos)$/],
  ['HM', /^(hm|mm|hand m(ovements?|otion)|movimientos? de manos?)$/],
  ['NLP', /^(nlp|npl|no (light perception|perception of light)|no percepci[oó]n (de luz|luminosa))$/],
  ['LP', /^(lp|pl|light perception|perception of light|percepci[oó]n (de luz|luminosa))$/],
]

/** Parses a visual acuity: `0.8`, `0,8`, `6/7.5`, `20/25`, `logMAR 0.1`, or a code below any chart. */
export function readTypedAcuity(text: string, unit: VaUnit): TypedAcuity {
  const plain = text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
  const code = CODE_PATTERNS.find(([, spelling]) => spelling.test(plain.replaceAll('.', '')))
  if (code) return { kind: 'code', code: code[0] }
  const logMar = /^log ?mar ?(.*)$/.exec(plain)
  if (logMar) {
    const typed = readTypedNumber(logMar[1] ?? '')
    if (typed.kind !== 'number') return { kind: 'notANumber' }
    if (unit === 'logMAR') return { ...typed, wasConverted: false }
    // A lost decimal point would become almost no vision.
    const range = hardRangeOf('va', 'logMAR')
    if (!isInRange(typed.value, range)) return { kind: 'impossible', range }
    return { kind: 'number', value: decimalOf(typed.value), wasConverted: true }
  }
  const snellen = /^([^/]+)\/([^/]+)$/.exec(plain)
  const decimal = snellen
    ? quotientOf(readTypedNumber(snellen[1] ?? ''), readTypedNumber(snellen[2] ?? ''))
    : readTypedNumber(plain)
  if (decimal.kind !== 'number') return decimal
  // Only the stored value is rounded: the logarithm of a rounded value is another line of the chart.
  const rounded = snellen ? toThousandths(decimal.value) : decimal.value
  if (snellen && rounded === 0) return { kind: 'impossible', range: SNELLEN_RANGE }
  if (unit === 'decimal') return { ...decimal, value: rounded, wasConverted: snellen !== null }
  // Zero has no logarithm, and a negative acuity is invalid.
  if (decimal.value <= 0) return { kind: 'notANumber' }
  return { kind: 'number', value: logMarOf(decimal.value), wasConverted: true }
}

function quotientOf(distance: TypedNumber, letter: TypedNumber): TypedNumber {
  if (distance.kind !== 'number' || letter.kind !== 'number' || distance.value <= 0 || letter.value <= 0)
    return { kind: 'notANumber' }
  return { kind: 'number', value: distance.value / letter.value }
}

/** -log10 of the decimal acuity, in thousandths: a letter of a chart is 0.02. A decimal of 1 gives 0 and not -0. */
export function logMarOf(decimal: number): number {
  return toThousandths(-Math.log10(decimal)) || 0
}

export function decimalOf(logMar: number): number {
  return toThousandths(10 ** -logMar)
}

export function formatAcuity(value: number, unit: VaUnit): string {
  return unit === 'logMAR' ? `logMAR ${value}` : String(value)
}

/** The base direction of a prism: people use directions, the service takes degrees. Only this file converts them. */
export const BASE_DIRECTIONS = ['up', 'down', 'in', 'out'] as const

export type BaseDirection = (typeof BASE_DIRECTIONS)[number]

type PrismCoding = ClinicalSettings['prismBase']

type StatedEye = 'right' | 'left'

/**
 * Seen from in front of the patient, 0 is to the examiner's right and degrees run counter-clockwise (ISO 8429). The
 * nose is there for the right eye, and the temple for the left. The patient's own view is the mirror image.
 */
export function degreesOfBase(eye: StatedEye, direction: BaseDirection, coding: PrismCoding): number {
  if (direction === 'up') return 90
  if (direction === 'down') return 270
  const isNoseAtZero = (eye === 'right') === (coding === 'examiner')
  return (direction === 'in') === isNoseAtZero ? 0 : 180
}

export function directionOfBase(eye: StatedEye, degrees: number, coding: PrismCoding): BaseDirection | null {
  const turned = degrees === 360 ? 0 : degrees
  return BASE_DIRECTIONS.find((direction) => degreesOfBase(eye, direction, coding) === turned) ?? null
}
