import { describe, expect, it } from 'vitest'
import type { CallInput } from '../../../src-shared/contract.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import type { StationLink } from '../../../src-renderer/link/station-link.ts'
import { PAGE_SIZE, readQueuePage } from '../../../src-renderer/store/read-queue-page.ts'
import { countsOf, failing, syntheticSubmission } from '../synthetic-submission.ts'

/** A station that pages by age alone, as the contract says. */
function stationWith(all: readonly Submission[]): Pick<StationLink, 'call'> {
  return {
    call: async (_name, input) => {
      const { state, limit = 100, after } = input as CallInput<'submissions.list'>
      const fitting = all.filter((one) => !state || state.includes(one.state))
      const start = after === undefined ? 0 : fitting.findIndex(({ id }) => id === after) + 1
      const value = { items: fitting.slice(start, start + limit), total: fitting.length, counts: countsOf() }
      return { ok: true, value: value as never }
    },
  }
}

const many = (count: number, state: Submission['state'], name: string): Submission[] =>
  Array.from({ length: count }, (_nothing, index) => syntheticSubmission(`${name}${index}`, { state }))
const START = { part: 0, after: null }
const OPEN = { filter: 'open', search: '' } as const

describe('a page of the queue', () => {
  it('brings what needs a person before hundreds that need nobody', async () => {
    const station = stationWith([...many(300, 'waiting', 'w'), ...many(3, 'refused', 'r')])
    const page = await readQueuePage(station, OPEN, START)
    expect(page.ok && page.value.items.slice(0, 4).map(({ id }) => id)).toEqual(['r0', 'r1', 'r2', 'w0'])
    expect(page.ok && [page.value.items.length, page.value.total]).toEqual([PAGE_SIZE, 303])
  })

  it('is followed by others until each submission was read once', async () => {
    const station = stationWith([
      ...many(150, 'waiting', 'w'),
      ...many(120, 'review', 'r'),
      ...many(9, 'sent', 's'),
    ])
    const read: string[] = []
    let next: Parameters<typeof readQueuePage>[2] | null = START
    while (next !== null) {
      const page = await readQueuePage(station, OPEN, next)
      if (!page.ok) throw new Error('The page failed')
      read.push(...page.value.items.map(({ id }) => id))
      expect(page.value.total).toBe(270)
      next = page.value.next
    }
    expect([read.length, new Set(read).size]).toEqual([270, 270])
  })

  it('is the last one where everything fits', async () => {
    const page = await readQueuePage(stationWith(many(5, 'held', 'h')), OPEN, START)
    expect(page.ok && [page.value.items.length, page.value.total, page.value.next]).toEqual([5, 5, null])
  })

  it('fails as the station fails', async () => {
    const failure = failing('stationStopping')
    const away: Pick<StationLink, 'call'> = { call: async () => ({ ok: false, failure }) }
    expect(await readQueuePage(away, OPEN, START)).toEqual({ ok: false, failure })
  })
})
