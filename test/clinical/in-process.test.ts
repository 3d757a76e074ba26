import { describe, expect, it } from 'vitest'
import { SUBMISSION_STATES } from '../../src-shared/states.ts'
import { endAttempt, openTestOutbox, startAttempt } from '../tools/outbox-with.ts'
import type { PlainOutbox } from '../tools/plain-outbox.ts'
import { isLongRun } from '../tools/long-run.ts'
import { propertySeed } from '../tools/property.ts'
import { allConventions, proofConventions } from './all-conventions.ts'
import { drawClinic } from './clinic.ts'
import { examineClinic } from './examine.ts'
import { openInProcess } from './in-process.ts'
import { demandsOf, exampleLines, examplesOf, isMet } from './report.ts'
import { runExamination } from './run.ts'
import { HARD } from './score.ts'
import type { ExaminedStation } from './station.ts'
import type { Clinic } from './world.ts'

it.each([0, 1, 2])(
  'the station gives no image to a wrong eye, patient or day, and loses none: each third convention from %i',
  { timeout: 300_000 },
  async (part) => {
    const { scores, handsFree } = await runExamination({
      seed: propertySeed,
      visits: isLongRun ? 33_334 : 100,
      // The long run, and `npm run clinical`, have proof under attack and every clinic of a hundred visits with a profile.
      isIncluded: (convention) => {
        const index = allConventions.indexOf(convention)
        const isShort = convention.handsFree !== 'with profile' || index % 72 < 3
        // The other half with the next seed.
        const isOfRun = isShort && !proofConventions.includes(convention) && (index + propertySeed) % 2 === 0
        return index % 3 === part && (isLongRun || isOfRun)
      },
      openFor: openInProcess,
    })
    const examples = examplesOf(scores, 3).filter(({ outcome }) => HARD.includes(outcome))
    expect(examples.flatMap(exampleLines)).toEqual([])
    const hard = demandsOf(scores, handsFree).filter(({ name }) => HARD.some((outcome) => outcome === name))
    expect(hard.filter((demand) => !isMet(demand))).toEqual([])
  },
)

/** Every so many conventions, from another one with each seed. */
const EACH = isLongRun ? 24 : 96

/** The real outbox, in the form of the plain one. */
function openSqlOutbox(): PlainOutbox {
  const test = openTestOutbox()
  const { outbox } = test
  return {
    outbox,
    get alarms() {
      return outbox.openAlarms()
    },
    cases: () =>
      SUBMISSION_STATES.flatMap((state) => outbox.submissionIdsIn(state))
        .flatMap((id) => outbox.rowOf(id) ?? [])
        .toSorted((one, other) => one.position - other.position)
        .map((row) => [row, outbox.imageRowsOf(row.id)]),
    deliver: () => {
      for (const id of outbox.submissionIdsIn('waiting')) {
        startAttempt(test, id, '101')
        endAttempt(test, id, 'delivered')
      }
    },
  }
}

/** What the screens show in the end, without ids and references, which every outbox draws. */
async function shownIn(clinic: Clinic, station: ExaminedStation) {
  await examineClinic(clinic, station)
  const withoutReference = (text: string): string => text.replaceAll(/FC\w+/g, 'FC')
  return {
    cases: station.cases().map(({ key: _key, verdicts: _verdicts, reasons, ...examined }) => ({
      ...examined,
      reasons: reasons.map((reason) => ({ ...reason, text: withoutReference(reason.text) })),
    })),
    notes: station.notes().map(({ text, path }) => ({ text: withoutReference(text), path })),
  }
}

describe('a station over an outbox of plain values', () => {
  const chosen = allConventions.flatMap((convention, index) =>
    index % EACH === propertySeed % EACH ? [[convention.name, convention, index] as const] : [],
  )
  it.each(chosen)('shows what one over the real outbox does: %s', async (_name, convention, index) => {
    const clinic = drawClinic(convention, propertySeed, index)
    const plain = await shownIn(clinic, await openInProcess(clinic))
    expect(plain).toEqual(await shownIn(clinic, await openInProcess(clinic, openSqlOutbox())))
  })
})
