import { expect, it } from 'vitest'
import { isLongRun } from '../tools/long-run.ts'
import { propertySeed } from '../tools/property.ts'
import { allConventions, proofConventions } from './all-conventions.ts'
import { openExamined } from './examined.ts'
import { demandsOf, exampleLines, examplesOf, isMet } from './report.ts'
import { runExamination } from './run.ts'
import { HARD } from './score.ts'

const VISITS = isLongRun ? 100_000 : 1_500

it.each(['first', 'second'])(
  'the station gives no image to a wrong eye, patient or day, and loses none: %s half of the conventions',
  { timeout: 300_000 },
  async (half) => {
    const { scores, handsFree } = await runExamination({
      seed: propertySeed,
      visits: VISITS / 2,
      // Proof under attack is examined by `npm run clinical -- --proof`.
      isIncluded: (convention) =>
        !proofConventions.includes(convention) &&
        (allConventions.indexOf(convention) % 2 === 0) === (half === 'first'),
      openFor: openExamined,
    })
    const examples = examplesOf(scores, 3).filter(({ outcome }) => HARD.includes(outcome))
    expect(examples.flatMap(exampleLines)).toEqual([])
    const hard = demandsOf(scores, handsFree).filter(({ name }) => HARD.some((outcome) => outcome === name))
    expect(hard.filter((demand) => !isMet(demand))).toEqual([])
  },
)
