import { describe, expect, it } from 'vitest'
import {
  INITIAL_STATE,
  sortedIds,
  totalOf,
  withPage,
  withStatus,
  withSubmission,
} from '../../../src-renderer/store/state.ts'
import { countsOf, syntheticStatus, syntheticSubmission } from '../synthetic-submission.ts'

const rows = [
  syntheticSubmission('waiting', { state: 'waiting' }),
  syntheticSubmission('refused', { state: 'refused' }),
]
const shown = withPage(INITIAL_STATE, { items: rows, total: 7, next: null }, true)

describe('the rows in their order', () => {
  it('are by urgency, and follow a change', () => {
    expect(sortedIds(shown)).toEqual(['refused', 'waiting'])
    const approved = syntheticSubmission('refused', { state: 'held', changedAt: 2_000 })
    expect(sortedIds(withSubmission(shown, approved))).toEqual(['waiting', 'refused'])
  })

  it('are the very same while no row changes', () => {
    expect(sortedIds({ ...shown, snapshots: 3 })).toBe(sortedIds(shown))
  })
})

describe('how many there are in all', () => {
  const counted = withStatus(
    shown,
    syntheticStatus({ counts: countsOf({ waiting: 90, refused: 2, sent: 5 }) }),
    0,
  )
  it('is what the station counts, which is newer than the page', () => expect(totalOf(counted)).toBe(92))
  it('is what the page said where a search narrows it', () =>
    expect(totalOf({ ...counted, queue: { ...counted.queue, search: 'x' } })).toBe(7))
  it('is never less than what is shown', () =>
    expect(totalOf(withStatus(shown, syntheticStatus(), 0))).toBe(2))
})
