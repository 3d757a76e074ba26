import { between, pick, randomFrom, type Random } from './random.ts'

/** The fields of a case, under the interface's names, as a sidecar states them. */
export type SyntheticPatient = {
  readonly history_number: string
  readonly first_name: string
  readonly last_name: string
  readonly gender: 0 | 1
  readonly age: number
  readonly diabetes: 0 | 1
  readonly visit_reason: string
  readonly ophthalmic_antecedents: string
  readonly other_relevant_info: string
} & Readonly<Record<`${'od' | 'os'}_${'iop' | 'va' | 'sphere' | 'cylinder' | 'axis'}`, number>> &
  Readonly<Partial<Record<'od_add' | 'os_add', number>>>

// Nobody is called so; accents and an apostrophe are there because real names have them.
const FIRST_NAMES = [
  ['Synthia', 'Testina', 'Fictoria', 'Mockéline', 'Demodora', 'Placeba'],
  ['Testopher', 'Mockbert', 'Fictor', 'Samplón', 'Dummund', 'Placebo'],
] as const
const LAST_NAMES = [
  'Testcase',
  "O'Mocksey",
  'Sampleton',
  'Nobodyová',
  'Demoson',
  'van Fiktief',
  'Trialgado',
] as const
const REASONS = ['Diabetes screening', 'Yearly check', 'Blurred vision', 'Control after new glasses'] as const
const ANTECEDENTS = ['None', 'Cataract surgery 2019', 'Dry eye', 'Mother with glaucoma'] as const
const REMARKS = ['', 'Small pupils', 'HbA1c 7.2 %', 'Synthetic patient'] as const

/** An obviously invented patient with plausible measurements; the same seed is the same patient. */
export function syntheticPatient(seed: number): SyntheticPatient {
  const random = randomFrom(seed * 31 + 5)
  const gender = random() < 0.5 ? 0 : 1
  const age = Math.round(between(random, 19, 86))
  const sphere = between(random, -4, 3)
  return {
    history_number: `H-${String(seed).padStart(5, '0')}`,
    first_name: pick(random, gender === 1 ? FIRST_NAMES[0] : FIRST_NAMES[1]),
    last_name: pick(random, LAST_NAMES),
    gender,
    age,
    diabetes: random() < 0.6 ? 1 : 0,
    visit_reason: pick(random, REASONS),
    ophthalmic_antecedents: pick(random, ANTECEDENTS),
    other_relevant_info: pick(random, REMARKS),
    od_iop: inSteps(random, 10, 21, 0.5),
    os_iop: inSteps(random, 10, 21, 0.5),
    od_va: inSteps(random, 0.4, 1.2, 0.1),
    os_va: inSteps(random, 0.4, 1.2, 0.1),
    // Two eyes of one person are seldom far apart.
    od_sphere: rounded(sphere, 0.25),
    os_sphere: rounded(sphere + between(random, -0.6, 0.6), 0.25),
    od_cylinder: inSteps(random, -2, 0, 0.25),
    os_cylinder: inSteps(random, -2, 0, 0.25),
    od_axis: inSteps(random, 0, 180, 5),
    os_axis: inSteps(random, 0, 180, 5),
    ...(age > 45 ? { od_add: 2, os_add: 2 } : {}),
  }
}

function inSteps(random: Random, low: number, high: number, step: number): number {
  return rounded(between(random, low, high), step)
}

/** To the step, without the tail of binary fractions and without a negative zero. */
function rounded(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toFixed(2)) + 0
}
