/** Notes on unusual measurements; they never block a case. */
import type { Measurement } from '../../src-shared/fields.ts'
import {
  type EyesDiffering,
  eyesDifferingIn,
  isInRange,
  usualRangeOf,
  type VaUnit,
} from '../../src-shared/measurement-ranges.ts'
import { missedStepOf } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import css from './measurements-block.module.css'

/** The measurements of one eye as typed. */
export type EyeValues = Readonly<Partial<Record<Measurement, number>>>

type MeasurementNote =
  | { readonly kind: 'unusual'; readonly min: number; readonly max: number }
  | { readonly kind: 'high' }
  | { readonly kind: 'offStep'; readonly step: number }
  | { readonly kind: 'axisMissing' | 'axisAlone' | 'baseMissing' | 'baseAlone' }
  | { readonly kind: 'differ'; readonly what: EyesDiffering }

/** From this pressure on, guidelines recommend referral (NICE NG81). */
const HIGH_PRESSURE = 24

/** The most important note on a field; null if there is none. */
export function noteOn(
  measurement: Measurement,
  own: EyeValues,
  other: EyeValues,
  vaUnit: VaUnit,
): MeasurementNote | null {
  const value = own[measurement]
  const half = missingHalf(measurement, own)
  if (half) return { kind: half }
  if (value === undefined) return null
  if (measurement === 'iop' && value >= HIGH_PRESSURE) return { kind: 'high' }
  const usual = usualRangeOf(measurement, vaUnit)
  if (!isInRange(value, usual)) return { kind: 'unusual', ...usual }
  const difference = differing(measurement, own, other)
  if (difference) return { kind: 'differ', what: difference }
  const step = missedStepOf(measurement, value)
  return step === null ? null : { kind: 'offStep', step }
}

/** An axis needs a cylinder, a base a prism, and each of these its second half. */
function missingHalf(measurement: Measurement, own: EyeValues) {
  if (measurement !== 'axis' && measurement !== 'prism_base') return null
  const isThere = own[measurement] !== undefined
  const isNeeded = (own[measurement === 'axis' ? 'cylinder' : 'prism'] ?? 0) !== 0
  if (isThere === isNeeded) return null
  return `${measurement === 'axis' ? 'axis' : 'base'}${isThere ? 'Alone' : 'Missing'}` as const
}

/** The difference between the eyes, whichever eye is which. */
function differing(measurement: Measurement, own: EyeValues, other: EyeValues): EyesDiffering | null {
  if (measurement !== 'sphere' && measurement !== 'iop') return null
  const values = { [`od_${measurement}`]: own[measurement], [`os_${measurement}`]: other[measurement] }
  return eyesDifferingIn(values)[0] ?? null
}

export function MeasurementNoteText({ note }: { readonly note: MeasurementNote }) {
  const isSubtle = note.kind === 'offStep' || note.kind === 'axisAlone' || note.kind === 'baseAlone'
  return (
    <span className={css.note} data-quiet={isSubtle}>
      {note.kind === 'differ' ? t(`measure:differ.${note.what}`) : t(`measure:${note.kind}`, note)}
    </span>
  )
}
