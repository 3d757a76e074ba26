import { readTypedNumber } from '../format/numbers.ts'

export type NumberLimits = { readonly min: number; readonly max: number; readonly isWhole?: boolean }

/** The number that a text stands for within its limits, or null. Pure. */
export function readSetting(text: string, { min, max, isWhole = false }: NumberLimits): number | null {
  const typed = readTypedNumber(text)
  if (typed.kind !== 'number' || typed.value < min || typed.value > max) return null
  return isWhole && !Number.isInteger(typed.value) ? null : typed.value
}
