/** `npm run clinical -- --beside N`: what two stations make of the same clinics, visit by visit: those that differ. */
import { allConventions } from './all-conventions.ts'
import { conventionOf, drawClinic, VISITS_PER_CLINIC } from './clinic.ts'
import { examineClinic, type OpenForReader } from './examine.ts'
import type { VisitScore } from './score.ts'

/** Each line names a visit, its convention, and the outcomes that only the one, or only the other, has. */
export async function differencesBeside(
  seed: number,
  clinics: number,
  one: OpenForReader,
  other: OpenForReader,
): Promise<string[]> {
  const lines: string[] = []
  for (let number = 0; number < clinics; number += 1) {
    const clinic = drawClinic(conventionOf(allConventions, number), seed, number)
    const before = await examineClinic(clinic, await one(clinic))
    const after = await examineClinic(clinic, await other(clinic))
    for (const [index, visit] of after.entries()) {
      const [was, is] = [outcomesOf(before[index]), outcomesOf(visit)]
      const gone = [...was].filter((outcome) => !is.has(outcome)).map((outcome) => `- ${outcome}`)
      const added = [...is].filter((outcome) => !was.has(outcome)).map((outcome) => `+ ${outcome}`)
      if (gone.length + added.length > 0)
        lines.push(
          `${number * VISITS_PER_CLINIC + index}  ${clinic.convention}: ${[...gone, ...added].join(', ')}`,
        )
    }
  }
  return lines
}

function outcomesOf(visit: VisitScore | undefined): ReadonlySet<string> {
  return visit?.outcomes ?? new Set()
}
