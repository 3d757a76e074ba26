import { costly, fc, runs } from '../../../../tools/property.ts'
import { describe, expect, it } from 'vitest'
import { Place, type PlaceOptions } from './arrivals.ts'
import { filesOf, visits, type PlannedFile, type Visit } from './scenarios.ts'
import { type CaseForm, whatBecame, wrongs } from './what-became.ts'

/** How files come: in which order, which are told twice, and where the station is closed and opened anew. */
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

const options: fc.Arbitrary<PlaceOptions> = fc.record({
  sendWithoutReview: fc.boolean(),
  visitGapMinutes: fc.constantFrom(null, null, 30),
})

async function arrive(place: Place, files: readonly PlannedFile[], how: Arrival | null): Promise<void> {
  await place.start()
  const paths = files.map((file) => file.path)
  if (how === null) return place.take(paths)
  const rank = new Map(paths.map((path, index) => [path, how.order[index % how.order.length] ?? 0]))
  const ordered = paths.toSorted((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0))
  for (const [index, path] of ordered.entries()) {
    for (const { before, onTheirWay } of how.restarts) {
      if (before !== index) continue
      place.tell(ordered.slice(index, index + onTheirWay))
      await place.restart()
      // A sweep tells everything that was not acknowledged to this station anew.
      await place.take(ordered.slice(0, index))
    }
    await place.take([path])
    if (how.again.includes(index)) await place.take([ordered[index >> 1] ?? path])
  }
}

async function becomes(
  files: readonly PlannedFile[],
  options: PlaceOptions,
  how: Arrival | null,
): Promise<{ readonly open: readonly CaseForm[]; readonly afterwards: readonly CaseForm[] }> {
  const place = new Place(files, options)
  try {
    await arrive(place, files, how)
    const open = whatBecame(place.outbox)
    await place.quiet()
    expect(wrongs(place.outbox, files)).toEqual([])
    return { open, afterwards: whatBecame(place.outbox) }
  } finally {
    await place.leave()
  }
}

async function isAlike(planned: readonly Visit[], how: Arrival, given: PlaceOptions): Promise<void> {
  const files = await filesOf(planned)
  const plain = await becomes(files, given, null)
  expect(await becomes(files, given, how)).toEqual(plain)
}

describe('files of any visits', () => {
  it('become the same cases in any order, told twice, and whenever the station was started anew', async () => {
    await fc.assert(fc.asyncProperty(visits, arrival, options, isAlike), {
      numRuns: runs(50),
      ...costly,
      interruptAfterTimeLimit: 240_000,
    })
  }, 300_000)
})
