/**
 * Visual acuity as people write it and as the service expects it.
 *
 * A plain number is decimal, whatever the service expects, and a logMAR value is always written with that word: so
 * what stands in a field can be read again and means the same.
 */
import { hardRangeOf, isInRange, type Range, type VaUnit } from '../../src-shared/measurement-ranges.ts'
import type { ClinicalSettings } from '../../src-shared/settings.ts'
import { readTypedNumber } from './numbers.ts'

/** What was measured where no letter could be read; no number stands for them. */
const LOW_VISION_CODES = ['CF', 'HM', 'LP', 'NLP'] as const

export type LowVisionCode = (typeof LOW_VISION_CODES)[number]

export type TypedAcuity =
  | { readonly kind: 'empty' }
  /** `value` is in the unit of the service; `wasConverted` where that is not what was typed. */
  | { readonly kind: 'number'; readonly value: number; readonly wasConverted: boolean }
  | { readonly kind: 'word'; readonly word: LowVisionCode }
  | { readonly kind: 'notANumber' }
  /** It would convert to something that looks possible; `range` is in the unit that was typed. */
  | { readonly kind: 'impossible'; readonly range: Range }

/** A quotient that rounds to nothing would state that somebody sees nothing. */
const SNELLEN_RANGE: Range = { min: 0.001, max: hardRangeOf('va', 'decimal').max }

/** English and Spanish: counts fingers, hand movements, light perception, none. */
const CODE_PATTERNS: readonly (readonly [LowVisionCode, RegExp])[] = [
  ['CF', /^(cf|fc|cd|count(s|ing)? fingers|finger count(ing)?|cuenta dedos)$/],
  ['HM', /^(hm|mm|hand m(ovements?|otion)|movimientos? de manos?)$/],
  ['NLP', /^(nlp|npl|no (light perception|perception of light)|no percepci[oó]n (de luz|luminosa))$/],
  ['LP', /^(lp|pl|light perception|perception of light|percepci[oó]n (de luz|luminosa))$/],
]

/** Reads a typed visual acuity: `0.8`, `0,8`, `6/7.5`, `20/25`, `logMAR 0.1`, or a word for what no chart measures. */
export function readTypedAcuity(text: string, unit: VaUnit): TypedAcuity {
  const plain = text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
  const code = CODE_PATTERNS.find(([, spelling]) => spelling.test(plain.replaceAll('.', '')))
  if (code) return { kind: 'word', word: code[0] }
  const logMar = /^log ?mar ?(.*)$/.exec(plain)
  if (logMar) {
    const typed = readTypedNumber(logMar[1] ?? '')
    if (typed.kind !== 'number') return { kind: 'notANumber' }
    if (unit === 'logMAR') return { ...typed, wasConverted: false }
    // A lost decimal point would become a vision of almost nothing.
    const range = hardRangeOf('va', 'logMAR')
    if (!isInRange(typed.value, range)) return { kind: 'impossible', range }
    return { kind: 'number', value: decimalOf(typed.value), wasConverted: true }
  }
  const snellen = /^([^/]+)\/([^/]+)$/.exec(plain)
  const decimal = snellen
    ? quotientOf(readTypedNumber(snellen[1] ?? ''), readTypedNumber(snellen[2] ?? ''))
    : readTypedNumber(plain)
  if (decimal.kind !== 'number') return decimal
  // Rounded only as it is stored: a logarithm of what was rounded is another line of the chart.
  const rounded = snellen ? toThousandths(decimal.value) : decimal.value
  if (snellen && rounded === 0) return { kind: 'impossible', range: SNELLEN_RANGE }
  if (unit === 'decimal') return { ...decimal, value: rounded, wasConverted: snellen !== null }
  // Nothing is log of nothing, and what is below it is no acuity.
  if (decimal.value <= 0) return { kind: 'notANumber' }
  return { kind: 'number', value: logMarOf(decimal.value), wasConverted: true }
}

function quotientOf(
  distance: ReturnType<typeof readTypedNumber>,
  letter: ReturnType<typeof readTypedNumber>,
): { readonly kind: 'number'; readonly value: number } | { readonly kind: 'notANumber' } {
  if (distance.kind !== 'number' || letter.kind !== 'number' || distance.value <= 0 || letter.value <= 0)
    return { kind: 'notANumber' }
  return { kind: 'number', value: distance.value / letter.value }
}

/** Charts are read to a letter, which is 0.02 logMAR; thousandths lose nothing of that. */
function toThousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

/** -log10 of the decimal acuity; a decimal of 1 is plainly 0 and not -0. */
export function logMarOf(decimal: number): number {
  return toThousandths(-Math.log10(decimal)) || 0
}

export function decimalOf(logMar: number): number {
  return toThousandths(10 ** -logMar)
}

/** A stored visual acuity as it stands in its field. */
export function formatAcuity(value: number, unit: VaUnit): string {
  return unit === 'logMAR' ? `logMAR ${value}` : String(value)
}

/**
 * Where the base of a prism points: people say a direction, the service takes degrees. This is the one place that
 * turns one into the other.
 */
export const BASE_DIRECTIONS = ['up', 'down', 'in', 'out'] as const

export type BaseDirection = (typeof BASE_DIRECTIONS)[number]

export type PrismCoding = ClinicalSettings['prismBase']

type StatedEye = 'right' | 'left'

/**
 * As seen from before the patient, 0 is to the examiner's right and degrees run counter-clockwise (ISO 8429): there
 * lies the nose from the right eye, and the temple from the left. The patient's own view is its mirror image.
 */
export function degreesOfBase(eye: StatedEye, direction: BaseDirection, coding: PrismCoding): number {
  if (direction === 'up') return 90
  if (direction === 'down') return 270
  const isNoseAtZero = (eye === 'right') === (coding === 'examiner')
  return (direction === 'in') === isNoseAtZero ? 0 : 180
}

/** The direction that these degrees are; null for every angle between. */
export function directionOfBase(eye: StatedEye, degrees: number, coding: PrismCoding): BaseDirection | null {
  const turned = degrees === 360 ? 0 : degrees
  return BASE_DIRECTIONS.find((direction) => degreesOfBase(eye, direction, coding) === turned) ?? null
}

/** The base of the other eye's prism that people call the same: in stays in. An angle between stays as it is written. */
export function sameBaseOfOtherEye(from: StatedEye, degrees: number, coding: PrismCoding): number {
  const direction = directionOfBase(from, degrees, coding)
  return direction === null ? degrees : degreesOfBase(from === 'right' ? 'left' : 'right', direction, coding)
}

/** The same lens written with the other sign of its cylinder. Pure. */

type Refraction = { readonly sphere: number; readonly cylinder: number; readonly axis: number }

/** Sphere and cylinder are added, the sign of the cylinder turns, and the axis goes a quarter on; 0 is written 180. */
export function transposed({ sphere, cylinder, axis }: Refraction): Refraction {
  return {
    sphere: roundPower(sphere + cylinder),
    cylinder: -cylinder || 0,
    axis: axis > 90 ? axis - 90 : axis + 90,
  }
}

/** Sums of quarters are exact; this is for the tenths and hundredths that autorefractors print. */
function roundPower(value: number): number {
  return Math.round(value * 1_000) / 1_000 || 0
}
