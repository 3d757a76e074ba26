import { describe, expect, it } from 'vitest'
import {
  applyEvent,
  cursorAfter,
  INITIAL_STATE,
  type StationState,
  withPage,
  withSubmission,
} from '../../../src-renderer/store/state.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import { syntheticStatus, syntheticSubmission } from '../synthetic-submission.ts'

function showing(...submissions: ReturnType<typeof syntheticSubmission>[]): StationState {
  const page = { items: submissions, total: submissions.length, next: null }
  return Object.freeze(withPage(INITIAL_STATE, page, true))
}

describe('a page of the queue', () => {
  it('replaces the rows when it is the first, and adds to them when it is a further one', () => {
    const first = showing(syntheticSubmission('a'), syntheticSubmission('b'))
    const further = [syntheticSubmission('b'), syntheticSubmission('c')]
    const more = withPage(first, { items: further, total: 3, next: null }, false)
    expect(more.queue.ids).toEqual(['a', 'b', 'c'])
    expect(withPage(more, { items: [], total: 0, next: null }, true).queue.ids).toEqual([])
  })

  it('says how its cases are, also after the clock of the station was set back', () => {
    const before = showing(syntheticSubmission('a', { changedAt: 2_000 }))
    const held = syntheticSubmission('a', { state: 'held', changedAt: 1_000 })
    const after = withPage(before, { items: [held], total: 1, next: null }, true)
    expect(after.submissions['a']).toBe(held)
  })
})

describe('a changed submission', () => {
  it('takes a row where it belongs and leaves every other row as it was', () => {
    const before = showing(syntheticSubmission('a'), syntheticSubmission('b'))
    const after = withSubmission(before, syntheticSubmission('b', { state: 'held', changedAt: 2_000 }))
    expect(after.submissions['b']?.state).toBe('held')
    expect(after.submissions['a']).toBe(before.submissions['a'])
    expect(after.queue).toBe(before.queue)
  })

  it('comes in as a new row, and goes when it is discarded', () => {
    const one = withSubmission(showing(), syntheticSubmission('a'))
    expect([one.queue.ids, one.queue.total]).toEqual([['a'], 1])
    const none = withSubmission(one, syntheticSubmission('a', { state: 'discarded', changedAt: 2_000 }))
    expect([none.queue.ids, none.queue.total]).toEqual([[], 0])
  })

  it('stays in sight once it is sent, so that somebody sees that it went', () => {
    const sending = showing(syntheticSubmission('a', { state: 'sending' }))
    const sent = withSubmission(sending, syntheticSubmission('a', { state: 'sent', changedAt: 2_000 }))
    expect(sent.queue.ids).toEqual(['a'])
    expect(withSubmission(showing(), syntheticSubmission('b', { state: 'sent' })).queue.ids).toEqual([])
  })

  it('is not taken in where a search is shown that it does not fit', () => {
    const searched = { ...INITIAL_STATE, queue: { ...INITIAL_STATE.queue, search: 'h-7 demo' } }
    const fits = { fields: { history_number: 'H-7', last_name: 'Demoson' } }
    expect(withSubmission(searched, syntheticSubmission('a')).queue.ids).toEqual([])
    expect(withSubmission(searched, syntheticSubmission('b', fits)).queue.ids).toEqual(['b'])
  })

  it('is taken as it comes, also after the clock of the station was set back', () => {
    const before = showing(syntheticSubmission('a', { changedAt: 2_000 }))
    const held = syntheticSubmission('a', { state: 'held', changedAt: 1_000 })
    expect(withSubmission(before, held).submissions['a']).toBe(held)
  })
})

describe('a row of a page that was not read yet', () => {
  const boundary = syntheticSubmission('z', { state: 'waiting', addedAt: 500 })
  const shown = withPage(
    INITIAL_STATE,
    { items: [boundary], total: 9_000, next: cursorAfter(boundary) },
    true,
  )

  it('stays out of sight when it changes, and comes in once it stands among those that are shown', () => {
    const later = syntheticSubmission('a', { state: 'waiting', addedAt: 900 })
    expect(withSubmission(shown, later).queue.ids).toEqual(['z'])
    const refused = withSubmission(shown, { ...later, state: 'refused', changedAt: 2_000 })
    expect(refused.queue.ids).toEqual(['z', 'a'])
    expect(withSubmission(shown, { ...later, urgent: true }).queue.ids).toEqual(['z', 'a'])
  })

  it('stays in sight where it was shown before', () => {
    const review = syntheticSubmission('a', { state: 'review', addedAt: 900 })
    const both = withSubmission(shown, review)
    const approved = withSubmission(both, { ...review, state: 'waiting', changedAt: 2_000 })
    expect(approved.queue.ids).toEqual(['z', 'a'])
  })
})

describe('an event', () => {
  const progressed = (handedOverBytes: number, stalledSince: number | null = null): StationEvent => ({
    name: 'deliveryProgressed',
    revision: 1,
    payload: { id: 'a', handedOverBytes, requestBytes: 100, stalledSince },
  })

  it('of progress tells how far it is and since when nothing more is taken', () => {
    const moved = applyEvent(INITIAL_STATE, progressed(40), 5_000)
    expect(moved.progress['a']).toEqual({ handedOverBytes: 40, requestBytes: 100, stalledSince: null })
    const stood = applyEvent(moved, progressed(40, 4_000), 9_000)
    expect(stood.progress['a']?.stalledSince).toBe(4_000)
    expect(applyEvent(stood, progressed(60), 9_500).progress['a']?.stalledSince).toBeNull()
  })

  it('of another state ends the progress of a transfer', () => {
    const moved = applyEvent(showing(syntheticSubmission('a', { state: 'sending' })), progressed(40), 5_000)
    expect(
      withSubmission(moved, syntheticSubmission('a', { state: 'waiting', changedAt: 2_000 })).progress,
    ).toEqual({})
  })

  it('of the station sets the clock by which countdowns run', () => {
    const state = applyEvent(
      INITIAL_STATE,
      { name: 'stationChanged', revision: 1, payload: syntheticStatus({ now: 70_000 }) },
      10_000,
    )
    expect(state.skewMs).toBe(60_000)
  })

  it('of a report makes the inbox read anew', () => {
    const event: StationEvent = {
      name: 'reportArrived',
      revision: 1,
      payload: { caseId: '7', submissionId: 'a' },
    }
    expect(applyEvent(INITIAL_STATE, event, 0).reportArrivals).toBe(1)
  })
})
