import { describe, expect, it } from 'vitest'
import type { StationLink } from '../../../src-renderer/link/link.ts'
import { compareUrgency, type Cursor, PAGE_SIZE, readQueuePage } from '../../../src-renderer/store/state.ts'
import type { CallInput } from '../../../src-shared/contract.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { countsOf, failing, syntheticSubmission } from '../synthetic-submission.ts'

/** A station that pages as the contract says, and what it was asked. */
function stationWith(all: readonly Submission[]) {
  const asked: CallInput<'submissions.list'>[] = []
  const link: Pick<StationLink, 'call'> = {
    call: async (_name, input) => {
      const query = input as CallInput<'submissions.list'>
      asked.push(query)
      const { state, limit = 100, after, order } = query
      const fitting = all.filter((one) => !state || state.includes(one.state))
      if (order === 'urgency') fitting.sort(compareUrgency)
      const start = after === undefined ? 0 : fitting.findIndex(({ id }) => id === after) + 1
      const value = { items: fitting.slice(start, start + limit), total: fitting.length, counts: countsOf() }
      return { ok: true, value: value as never }
    },
  }
  return { ...link, asked }
}

const many = (count: number, state: Submission['state'], name: string): Submission[] =>
  Array.from({ length: count }, (_nothing, index) => syntheticSubmission(`${name}${index}`, { state }))
const OPEN = { filter: 'open', search: '' } as const

describe('a page of the queue', () => {
  it('brings what needs a person before hundreds that need nobody', async () => {
    const station = stationWith([...many(300, 'waiting', 'w'), ...many(3, 'refused', 'r')])
    const page = await readQueuePage(station, OPEN, null)
    expect(page.ok && page.value.items.slice(0, 4).map(({ id }) => id)).toEqual(['r0', 'r1', 'r2', 'w0'])
    expect(page.ok && [page.value.items.length, page.value.total]).toEqual([PAGE_SIZE, 303])
  })

  it('is followed by others until each submission was read once, and tells how its last row stood', async () => {
    const station = stationWith([
      ...many(150, 'waiting', 'w'),
      ...many(120, 'review', 'r'),
      ...many(9, 'sent', 's'),
    ])
    const read: string[] = []
    let next: Cursor | null = null
    do {
      const page = await readQueuePage(station, OPEN, next)
      if (!page.ok) throw new Error('The page failed')
      read.push(...page.value.items.map(({ id }) => id))
      expect(page.value.total).toBe(270)
      next = page.value.next
    } while (next !== null)
    expect([read.length, new Set(read).size]).toEqual([270, 270])
    expect(station.asked.map(({ after, afterWas }) => [after, afterWas])).toEqual([
      [undefined, undefined],
      ['r49', { state: 'review', urgent: false }],
      ['r99', { state: 'review', urgent: false }],
      ['w29', { state: 'waiting', urgent: false }],
      ['w79', { state: 'waiting', urgent: false }],
      ['w129', { state: 'waiting', urgent: false }],
    ])
  })

  it('is the last one where everything fits', async () => {
    const page = await readQueuePage(stationWith(many(5, 'held', 'h')), OPEN, null)
    expect(page.ok && [page.value.items.length, page.value.total, page.value.next]).toEqual([5, 5, null])
  })

  it('asks for what is searched, and as many as are wanted', async () => {
    const station = stationWith([])
    await readQueuePage(station, { filter: 'sent', search: 'demo' }, null, 500)
    expect(station.asked).toEqual([{ state: ['sent'], order: 'urgency', limit: 500, search: 'demo' }])
  })

  it('fails as the station fails', async () => {
    const failure = failing('stationStopping')
    const away: Pick<StationLink, 'call'> = { call: async () => ({ ok: false, failure }) }
    expect(await readQueuePage(away, OPEN, null)).toEqual({ ok: false, failure })
  })
})
