import { costly, fc, runs } from '../../../../tools/property.ts'
import { describe, expect, it } from 'vitest'
import { type TestCases, watchingCases } from '../cases-with.ts'
import { filesOf, visits, type PlannedFile, type Visit } from './scenarios.ts'
import { type CaseForm, whatBecame, wrongs } from './what-became.ts'

/** How files come, if not all at once: in which order, which are reported twice, and when the station is closed and opened again. */
type Arrival = {
  readonly order: readonly number[]
  readonly again: readonly number[]
  readonly restarts: readonly { readonly before: number; readonly onTheirWay: number }[]
}

/** Numbers that any number of files can be put in order by. */
const arrival: fc.Arbitrary<Arrival> = fc.record({
  order: fc.array(fc.nat(10_000), { minLength: 48, maxLength: 48 }),
  again: fc.array(fc.nat(47), { maxLength: 3 }),
  restarts: fc.array(fc.record({ before: fc.nat(20), onTheirWay: fc.nat(3) }), { maxLength: 2 }),
})

type FolderOptions = { readonly sendWithoutReview: boolean }

const options: fc.Arbitrary<FolderOptions> = fc.record({ sendWithoutReview: fc.boolean() })

async function arrive(station: TestCases, files: readonly PlannedFile[], how: Arrival | null): Promise<void> {
  const paths = files.map((file) => file.path)
  if (how === null) return station.see(...paths)
  const rank = new Map(paths.map((path, index) => [path, how.order[index % how.order.length] ?? 0]))
  const ordered = paths.toSorted((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0))
  for (const [index, path] of ordered.entries()) {
    for (const { before, onTheirWay } of how.restarts) {
      if (before !== index) continue
      station.emit(...ordered.slice(index, index + onTheirWay))
      await station.restart()
      // A sweep reports again everything that was not acknowledged to this station.
      await station.take(ordered.slice(0, index))
    }
    await station.take([path])
    if (how.again.includes(index)) await station.take([ordered[index >> 1] ?? path])
  }
}

async function becomes(
  files: readonly PlannedFile[],
  options: FolderOptions,
  how: Arrival | null,
): Promise<{ readonly open: readonly CaseForm[]; readonly afterwards: readonly CaseForm[] }> {
  const station = await watchingCases(options, files)
  await arrive(station, files, how)
  const open = whatBecame(station.test.outbox)
  await station.quiet()
  expect(wrongs(station.test.outbox, files)).toEqual([])
  const afterwards = whatBecame(station.test.outbox)
  await station.leave()
  return { open, afterwards }
}

async function isAlike(planned: readonly Visit[], how: Arrival, options: FolderOptions): Promise<void> {
  const files = await filesOf(planned)
  const plain = await becomes(files, options, null)
  expect(await becomes(files, options, how)).toEqual(plain)
}

describe('files of any visits', () => {
  it('become the same cases all at once and one by one in any order, seen twice, and whenever the station was started again', async () => {
    await fc.assert(fc.asyncProperty(visits, arrival, options, isAlike), {
      numRuns: runs(50),
      ...costly,
      interruptAfterTimeLimit: 240_000,
    })
  }, 300_000)
})
