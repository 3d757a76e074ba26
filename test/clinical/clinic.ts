/** The clinics of a run: which convention each has, and its seed. */
import { type Convention, drawVisits, type VisitsOptions } from './convention.ts'
import { Draw, seedOf } from './draw.ts'
import type { Attendance, Clinic } from './world.ts'

/** Every clinic of the first examination has so many visits, so that a visit's number leads to its clinic. */
export const VISITS_PER_CLINIC = 6

/** Half of the clinics have a person at the screen; some of those only fill in what is asked. */
const ATTENDANCES: readonly Attendance[] = ['absent', 'absent', 'approves', 'answers']

/** The clinic in which the visit with this number takes place. */
export function drawClinic(
  convention: Convention,
  runSeed: number,
  number: number,
  { count = VISITS_PER_CLINIC, today }: Partial<VisitsOptions> = {},
): Clinic {
  const seed = seedOf(runSeed, number)
  const attendance = new Draw(seedOf(seed, 1)).pick(ATTENDANCES)
  return {
    convention: convention.name,
    seed,
    attendance,
    ...drawVisits(convention, seed, { count, today }),
  }
}

/** Conventions take turns, so that each has the same number of clinics. */
export function conventionOf(conventions: readonly Convention[], number: number): Convention {
  return conventions[number % conventions.length]!
}
