import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { expectedCases } from '../../../end-to-end/layouts/expected-cases.ts'
import { isLongRun } from '../../../tools/long-run.ts'
import { openLayoutTables, type LayoutTable } from './layout-tables.ts'

/** What version 0.1 made of the table. */
const recorded = JSON.parse(
  readFileSync(new URL('../../../fixtures/layouts-0.1.json', import.meta.url), 'utf8'),
) as readonly LayoutTable[]

type LayoutSubmission = LayoutTable['submissions'][number]

const NAMES: readonly unknown[] = ['fileName', 'folderName', 'fileTime']

/** Does nothing but names say whose it is, of which day, or which eye an image that is sent shows? */
function restsOnNames({ sources, images }: LayoutSubmission): boolean {
  const eyes = images.filter(({ twinOf }) => twinOf === null).map(({ eyeSource }) => eyeSource)
  return [sources['history_number'], sources['visit_date'], ...eyes].some((source) => NAMES.includes(source))
}

/** The one difference to 0.1: what rests on names waits for a person, and says why. */
function expectedNow(submission: LayoutSubmission): LayoutSubmission {
  const isComplete = submission.state === 'waiting' || submission.state === 'review'
  if (!isComplete || !restsOnNames(submission)) return submission
  return { ...submission, state: 'review', reasons: [...submission.reasons, 'readFromNames'] }
}

/** By their position: the name of a row is for people, and may be put better. */
const expected = recorded.map(({ submissions, notes }, index) => ({
  name: expectedCases[index]?.name,
  submissions: submissions.map(expectedNow),
  notes,
}))

/** Drawing and decoding all rows takes ten seconds of the processor: the quick run takes some of every sort. */
const EVERY = isLongRun ? 1 : 6

/** The station settles files in seconds; a busy machine takes its time to draw and to decode them. */
const WITHIN = { timeout: 90_000, interval: 250 }

it('makes the same groups, fields and eyes of every layout as version 0.1, and lets none leave by names alone', async () => {
  expect(expectedCases).toHaveLength(recorded.length)
  const isChosen = (_row: unknown, index: number): boolean => index % EVERY === 0
  const tables = await openLayoutTables(expectedCases.filter(isChosen))
  onTestFinished(() => tables.close())
  await expect.poll(() => tables.read(), WITHIN).toEqual(expected.filter(isChosen))
}, 240_000)
