/** Where visits of one day are told apart by their times. */
import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE } from '../../../../../src-shared/durations.ts'
import { picture } from '../intake-with.ts'
import { Place } from './arrivals.ts'
import { whatBecame } from './what-became.ts'

const NINE = Date.UTC(2026, 10, 20, 9)

describe('a picture between two visits of a day', () => {
  it('joins them also where a table that names it names a picture of the later one, too', async () => {
    const [between, later] = ['loose_OD_3.png', 'H-00101_20261120_OS_2.png']
    const rows = [between, later].map((name) => `H-00101;2026-11-20;${name}`)
    const table = ['history_number;visit_date;file', ...rows, ''].join('\r\n')
    const files = [
      { path: 'H-00101_20261120_OD_1.png', bytes: await picture(), at: NINE },
      { path: later, bytes: await picture(), at: NINE + 40 * MINUTE },
      { path: between, bytes: await picture(), at: NINE + 20 * MINUTE },
      { path: 'list.csv', bytes: Buffer.from(table), at: NINE + HOUR },
    ]
    const place = new Place(files, { visitGapMinutes: 30 })
    try {
      await place.start()
      await place.take(files.map(({ path }) => path))
      expect(whatBecame(place.outbox).map(({ images }) => images.length)).toEqual([3])
      expect(place.logger.errors()).toEqual([])
    } finally {
      await place.leave()
    }
  }, 60_000)
})
