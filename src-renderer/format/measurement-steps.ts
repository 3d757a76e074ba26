/** The steps in which a measurement is entered and by which the arrow keys change it. Pure. */
import type { Measurement } from '../../src-shared/fields.ts'
import { hardRangeOf, type VaUnit } from '../../src-shared/measurement-ranges.ts'

/** By how much an arrow key changes a value. */
export function arrowStepOf(measurement: Measurement, vaUnit: VaUnit): number {
  switch (measurement) {
    case 'iop':
    case 'axis':
    case 'prism_base':
      return 1
    case 'va':
      return vaUnit === 'decimal' ? 0.05 : 0.1
    case 'sphere':
    case 'cylinder':
    case 'add':
    case 'prism':
      return 0.25
  }
}

/** The next value up or down on the grid of steps, inside what is possible. An axis goes round: after 180 comes 1. */
export function addStep(measurement: Measurement, value: number, by: 1 | -1, vaUnit: VaUnit): number {
  const step = arrowStepOf(measurement, vaUnit)
  const position = toThousandths(value / step)
  const next = toThousandths((by === 1 ? Math.floor(position) + 1 : Math.ceil(position) - 1) * step)
  if (measurement === 'axis') return next > 180 ? 1 : next < 1 ? 180 : next
  const { min, max } = hardRangeOf(measurement, vaUnit)
  return Math.min(max, Math.max(min, next)) || 0
}

/** The step that readings come in, where there is one. */
const DEFAULT_STEPS: Readonly<Partial<Record<Measurement, number>>> = {
  iop: 0.5,
  sphere: 0.25,
  cylinder: 0.25,
  axis: 1,
  add: 0.25,
  prism: 0.25,
}

/** The usual step that a value does not stand on; null where it does. Autorefractors print such values, too. */
export function missedStepOf(measurement: Measurement, value: number): number | null {
  const step = DEFAULT_STEPS[measurement]
  return step === undefined || Number.isInteger(toThousandths(value / step)) ? null : step
}

function toThousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
