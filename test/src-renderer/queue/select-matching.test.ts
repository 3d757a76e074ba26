import { describe, expect, it } from 'vitest'
import type { StationLink } from '../../../src-renderer/link/link.ts'
import { BATCH_SIZE, readMatching } from '../../../src-renderer/queue/selection.ts'
import type { CallInput } from '../../../src-shared/contract.ts'
import { countsOf, failing, syntheticSubmission } from '../synthetic-submission.ts'

const VIEW = { filter: 'waiting', search: 'demo' } as const

/** A station with so many cases in line; each page begins `overlap` rows before the one before it ended. */
function stationWith(count: number, overlap = 0) {
  const all = Array.from({ length: count }, (_nothing, index) =>
    syntheticSubmission(`w${index}`, { state: 'waiting', images: [] }),
  )
  const asked: CallInput<'submissions.list'>[] = []
  const link: Pick<StationLink, 'call'> = {
    call: async (_name, input) => {
      const query = input as CallInput<'submissions.list'>
      asked.push(query)
      const from = query.after === undefined ? 0 : all.findIndex(({ id }) => id === query.after) + 1 - overlap
      const items = all.slice(from, from + (query.limit ?? 100))
      return { ok: true, value: { items, total: count, counts: countsOf() } as never }
    },
  }
  return { link, asked }
}

describe('all that matches a view', () => {
  it('is read a thousand at a time, under the filter and the search that are shown', async () => {
    const { link, asked } = stationWith(2_300)
    const found = await readMatching(link, VIEW)
    expect(found.ok && [found.value.length, found.value[0]?.id, found.value.at(-1)?.id]).toEqual([
      2_300,
      'w0',
      'w2299',
    ])
    expect(asked.map(({ limit, search, after }) => [limit, search, after])).toEqual([
      [BATCH_SIZE, 'demo', undefined],
      [BATCH_SIZE, 'demo', 'w999'],
      [BATCH_SIZE, 'demo', 'w1999'],
    ])
    expect(found.ok && Object.keys(found.value[0] ?? {})).not.toContain('fields')
  })

  it('ends where no more can be selected', async () => {
    const { link, asked } = stationWith(5_000)
    const found = await readMatching(link, VIEW, 1_500)
    expect([found.ok && found.value.length, asked.length]).toEqual([1_500, 2])
  })

  it('has a case once that came on two pages', async () => {
    const found = await readMatching(stationWith(1_500, 10).link, VIEW)
    expect(found.ok && found.value.length).toBe(1_500)
  })

  it('fails as the station fails', async () => {
    const failure = failing('stationStopping')
    const away: Pick<StationLink, 'call'> = { call: async () => ({ ok: false, failure }) }
    expect(await readMatching(away, VIEW)).toEqual({ ok: false, failure })
  })
})
