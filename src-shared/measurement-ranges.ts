/** Eyes, measurement ranges and image limits that the station and the screens share. */
import { z } from 'zod'
import { type FieldName, type Fields, type Measurement, measurementOf } from './fields.ts'
import type { ClinicalSettings } from './settings.ts'

/**
 * `right` is OD, `left` is OS. An eye that nothing states is `unknown`; it is never inferred from the order of images.
 */
export const EYES = ['right', 'left', 'unknown'] as const

export const eyeSchema = z.enum(EYES)

export type Eye = z.infer<typeof eyeSchema>

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

/**
 * Possible and usual ranges of the measurements: the station blocks impossible values, and the screens warn while a
 * person types. Units as clinics write them; visual acuity in the unit that the service expects.
 */
export type Range = { readonly min: number; readonly max: number }

export type VaUnit = ClinicalSettings['vaUnit']

type Ranges = Readonly<Record<Exclude<Measurement, 'va'>, Range> & { readonly va: Record<VaUnit, Range> }>

/** Values outside these are impossible. */
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

/** Values outside these are unusual: they are shown and never block a case. */
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

export function hardRangeOf(measurement: Measurement, vaUnit: VaUnit): Range {
  return measurement === 'va' ? HARD_RANGES.va[vaUnit] : HARD_RANGES[measurement]
}

export function usualRangeOf(measurement: Measurement, vaUnit: VaUnit): Range {
  return measurement === 'va' ? USUAL_RANGES.va[vaUnit] : USUAL_RANGES[measurement]
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

/** The file types, by content, that become images of a case. */
export const IMAGE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/bmp',
  'application/dicom',
] as const

/** Larger than any fundus photograph; a larger file never becomes part of a case. */
export const MAX_IMAGE_BYTES = 512 * 1_024 * 1_024

export type ImageType = (typeof IMAGE_TYPES)[number]

/**
 * `Example, Ana`, or the part that is known; null if neither is. The only place that formats names, so that one person
 * reads the same everywhere. Screens display it through `useNames`, which may hide it.
 */
export function patientNameOf(fields: Fields): string | null {
  return [fields.last_name, fields.first_name].filter(Boolean).join(', ') || null
}
