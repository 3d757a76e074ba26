/**
 * Where the base of a prism points: people say a direction, the service takes degrees. This is the one place that
 * turns one into the other.
 */
import type { ClinicalSettings } from '../../src-shared/settings.ts'

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
