/** A whole examination: clinics in turn, and those that measure what leaves unseen with an offered profile. */
import { allConventions } from './all-conventions.ts'
import { conventionOf, drawClinic, VISITS_PER_CLINIC } from './clinic.ts'
import type { Convention } from './convention.ts'
import { examineClinic, type OpenForReader } from './examine.ts'
import { addHandsFree, examineHandsFree, HANDS_FREE_VISITS, type HandsFreeRow } from './hands-free.ts'
import { Scores } from './score.ts'

const SHARE_OF_HANDS_FREE = 0.2
/** Visits of the hands-free clinics are numbered from here, so that no number means two visits. */
export const FIRST_HANDS_FREE_VISIT = 1_000_000_000

export type RunOptions = {
  readonly seed: number
  readonly visits: number
  readonly openFor: OpenForReader
  readonly isIncluded?: (convention: Convention) => boolean
}

export type RunResult = { readonly scores: Scores; readonly handsFree: readonly HandsFreeRow[] }

export async function runExamination({
  seed,
  visits: wanted,
  openFor,
  isIncluded = () => true,
}: RunOptions): Promise<RunResult> {
  const scores = new Scores(seed)
  const handsFree = new Map<string, HandsFreeRow>()
  const measured = allConventions.filter(
    (convention) => convention.handsFree === 'with profile' && isIncluded(convention),
  )
  const forHandsFree = measured.length === 0 ? 0 : wanted * SHARE_OF_HANDS_FREE
  const turns = Math.ceil(
    (wanted - forHandsFree) / VISITS_PER_CLINIC / Math.max(1, allConventions.filter(isIncluded).length),
  )
  for (let number = 0; number < turns * allConventions.length; number += 1) {
    const convention = conventionOf(allConventions, number)
    if (!isIncluded(convention)) continue
    const clinic = drawClinic(convention, seed, number)
    const visits = await examineClinic(clinic, await openFor(clinic))
    scores.add(convention, clinic, number * VISITS_PER_CLINIC, visits)
  }
  const clinics = Math.round(forHandsFree / HANDS_FREE_VISITS / Math.max(1, measured.length))
  for (const convention of measured)
    for (let turn = 0; turn < Math.max(1, clinics); turn += 1) {
      const number = turn * allConventions.length + allConventions.indexOf(convention)
      const examined = await examineHandsFree(convention, seed, number, openFor)
      addHandsFree(handsFree, convention.kind, examined)
      const firstVisit = FIRST_HANDS_FREE_VISIT + number * HANDS_FREE_VISITS
      scores.addUnseen(convention, examined.clinic, firstVisit, examined.visits)
    }
  return { scores, handsFree: [...handsFree.values()] }
}
