/** Eyes, measurement ranges and image limits that the station and the screens share. */
import { z } from 'zod'
import { FIELD_NAMES, type FieldName, type Fields, type Measurement, measurementOf } from './fields.ts'
import type { ClinicalSettings } from './settings.ts'

/** `right` is OD, `left` is OS. An eye that nothing states is `unknown`, whatever the order of images is. */
export const EYES = ['right', 'left', 'unknown'] as const

export const eyeSchema = z.enum(EYES)

export type Eye = z.infer<typeof eyeSchema>

export type StatedEye = Exclude<Eye, 'unknown'>

/** The clinic's abbreviations, used on screens and in the names of sent files. */
export const EYE_CODES = { right: 'OD', left: 'OS', unknown: 'XX' } as const satisfies Record<Eye, string>

const WRITTEN_OUT: Readonly<Record<string, string>> = { iop: 'IOP', va: 'visual acuity', add: 'addition' }

/** A field's name as clinics write it. */
export function labelOf(name: FieldName): string {
  const measured = measurementOf(name)
  if (!measured) return name.replaceAll('_', ' ')
  const { eye, measurement } = measured
  return `${EYE_CODES[eye]} ${WRITTEN_OUT[measurement] ?? measurement.replaceAll('_', ' ')}`
}

/** In the units of clinics; visual acuity in the unit that the service expects. */
export type Range = { readonly min: number; readonly max: number }

export type VaUnit = ClinicalSettings['vaUnit']

type Ranges = { readonly possible: Range; readonly usual: Range }

const range = (min: number, max: number): Range => ({ min, max })

/** Values outside the possible ones block a case; unusual ones are shown and never block it. */
const RANGES: Readonly<Record<Exclude<Measurement, 'va'> | VaUnit, Ranges>> = {
  iop: { possible: range(0, 99), usual: range(6, 21) },
  decimal: { possible: range(0, 3), usual: range(0.02, 2) },
  logMAR: { possible: range(-0.8, 3), usual: range(-0.3, 1.6) },
  sphere: { possible: range(-45, 45), usual: range(-20, 20) },
  cylinder: { possible: range(-25, 25), usual: range(-8, 8) },
  axis: { possible: range(0, 180), usual: range(0, 180) },
  add: { possible: range(0, 10), usual: range(0.5, 3.5) },
  prism: { possible: range(0, 90), usual: range(0, 20) },
  prism_base: { possible: range(0, 360), usual: range(0, 360) },
}

export function hardRangeOf(measurement: Measurement, vaUnit: VaUnit): Range {
  return RANGES[measurement === 'va' ? vaUnit : measurement].possible
}

export function usualRangeOf(measurement: Measurement, vaUnit: VaUnit): Range {
  return RANGES[measurement === 'va' ? vaUnit : measurement].usual
}

export function isInRange(value: number, { min, max }: Range): boolean {
  return value >= min && value <= max
}

/** Differences between the eyes, in dioptres and mmHg, above which a typing error is likely. */
const SPHERE_DIFFERENCE = 6

const IOP_DIFFERENCE = 8

export type EyesDiffering = 'sphereSigns' | 'spheres' | 'pressures'

/** The measurements whose difference between the eyes is unusual. */
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

/** `Example, Ana`, or the part that is known. The only place that formats names; screens use `useNames`. */
export function patientNameOf(fields: Fields): string | null {
  return [fields.last_name, fields.first_name].filter(Boolean).join(', ') || null
}

type Outside = { readonly field: FieldName; readonly value: number; readonly range: Range }

/** The measurements outside of their range, in the order of the fields. */
export function measurementsOutside(fields: Fields, rangeOf: (measurement: Measurement) => Range): Outside[] {
  return FIELD_NAMES.flatMap((field) => {
    const measured = measurementOf(field)
    const value = fields[field]
    if (!measured || typeof value !== 'number') return []
    const range = rangeOf(measured.measurement)
    return isInRange(value, range) ? [] : [{ field, value, range }]
  })
}
