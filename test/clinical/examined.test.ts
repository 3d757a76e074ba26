import { expect, it } from 'vitest'
import { isLongRun } from '../tools/long-run.ts'
import { propertySeed } from '../tools/property.ts'
import { allConventions, proofConventions } from './all-conventions.ts'
import { openExamined } from './examined.ts'
import { demandsOf, exampleLines, examplesOf, isMet } from './report.ts'
import { runExamination } from './run.ts'
import { HARD } from './score.ts'

it.each([0, 1, 2])(
  'the station gives no image to a wrong eye, patient or day, and loses none: each third convention from %i',
  { timeout: 300_000 },
  async (part) => {
    const { scores, handsFree } = await runExamination({
      seed: propertySeed,
      visits: isLongRun ? 33_334 : 150,
      // The long run, and `npm run clinical`, have proof under attack and every clinic of a hundred visits with a profile.
      isIncluded: (convention) => {
        const index = allConventions.indexOf(convention)
        const isShort = convention.handsFree !== 'with profile' || index % 9 < 3
        return index % 3 === part && (isLongRun || (isShort && !proofConventions.includes(convention)))
      },
      openFor: openExamined,
    })
    const examples = examplesOf(scores, 3).filter(({ outcome }) => HARD.includes(outcome))
    expect(examples.flatMap(exampleLines)).toEqual([])
    const hard = demandsOf(scores, handsFree).filter(({ name }) => HARD.some((outcome) => outcome === name))
    expect(hard.filter((demand) => !isMet(demand))).toEqual([])
  },
)
