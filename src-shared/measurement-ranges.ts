/**
 * What a measurement can be, and what it usually is: one table for the station, which keeps a case back, and for the
 * screens, which say so while a person types. Units as clinics write them; a visual acuity in the unit that the
 * service expects.
 */
import type { Fields, Measurement } from './fields.ts'
import type { ClinicalSettings } from './settings.ts'

export type Range = { readonly min: number; readonly max: number }
export type VaUnit = ClinicalSettings['vaUnit']

type Ranges = Readonly<Record<Exclude<Measurement, 'va'>, Range> & { readonly va: Record<VaUnit, Range> }>

/** Beyond these a value cannot be true. */
const HARD_RANGES: Ranges = {
  iop: { min: 0, max: 99 },
  va: { decimal: { min: 0, max: 3 }, logMAR: { min: -0.8, max: 3 } },
  sphere: { min: -45, max: 45 },
  cylinder: { min: -25, max: 25 },
  axis: { min: 0, max: 180 },
  add: { min: 0, max: 10 },
  prism: { min: 0, max: 90 },
  prism_base: { min: 0, max: 360 },
}

/** Beyond these a value is unusual and possible: it is shown, and never stops a case. */
const USUAL_RANGES: Ranges = {
  iop: { min: 6, max: 21 },
  va: { decimal: { min: 0.02, max: 2 }, logMAR: { min: -0.3, max: 1.6 } },
  sphere: { min: -20, max: 20 },
  cylinder: { min: -8, max: 8 },
  axis: { min: 0, max: 180 },
  add: { min: 0.5, max: 3.5 },
  prism: { min: 0, max: 20 },
  prism_base: { min: 0, max: 360 },
}

/** The outer bounds of a measurement. */
export function hardRangeOf(measurement: Measurement, vaUnit: VaUnit): Range {
  return measurement === 'va' ? HARD_RANGES.va[vaUnit] : HARD_RANGES[measurement]
}

/** The bounds beyond which a measurement is unusual. */
export function usualRangeOf(measurement: Measurement, vaUnit: VaUnit): Range {
  return measurement === 'va' ? USUAL_RANGES.va[vaUnit] : USUAL_RANGES[measurement]
}

export function isInRange(value: number, { min, max }: Range): boolean {
  return value >= min && value <= max
}

/** Dioptres and mmHg between the eyes above which somebody may have mistyped. */
const SPHERE_DIFFERENCE = 6
const IOP_DIFFERENCE = 8

export type EyesDiffering = 'sphereSigns' | 'spheres' | 'pressures'

/** In what the two eyes differ more than they usually do. */
export function eyesDifferingIn(
  fields: Pick<Fields, 'od_sphere' | 'os_sphere' | 'od_iop' | 'os_iop'>,
): EyesDiffering[] {
  const { od_sphere: od, os_sphere: os, od_iop: odIop, os_iop: osIop } = fields
  const found: EyesDiffering[] = []
  if (od !== undefined && os !== undefined) {
    if (od * os < 0) found.push('sphereSigns')
    else if (Math.abs(od - os) > SPHERE_DIFFERENCE) found.push('spheres')
  }
  if (odIop !== undefined && osIop !== undefined && Math.abs(odIop - osIop) > IOP_DIFFERENCE)
    found.push('pressures')
  return found
}
