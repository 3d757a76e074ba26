import { describe, expect, it } from 'vitest'
import { actionsFor, actionsForMany, type SubmissionAction } from '../../../src-renderer/queue/selection.ts'
import { SUBMISSION_STATES, type SubmissionEvent, transition } from '../../../src-shared/states.ts'
import { failing, syntheticSubmission } from '../synthetic-submission.ts'

/** The events of the machine behind each action; one of them must be possible if the action is offered. */
const EVENTS: Readonly<Partial<Record<SubmissionAction, readonly SubmissionEvent[]>>> = {
  approve: ['approved'],
  hold: ['held'],
  release: ['releasedToReview', 'releasedToSend'],
  discard: ['discarded'],
  cancel: ['stayedUnsent'],
  restore: ['restoredToReview', 'restoredToUnconfirmed'],
  closeNow: ['gatheredForReview', 'gatheredIncomplete', 'gatheredToSend'],
}

describe('what is offered', () => {
  it.each(SUBMISSION_STATES)('for %s is possible in the machine of states', (state) => {
    const impossible = actionsFor(syntheticSubmission('a', { state, attempts: 1 })).filter(
      (action) => EVENTS[action]?.every((event) => transition(state, event) === null) ?? false,
    )
    expect(impossible).toEqual([])
  })

  it('never sends again what may have arrived', () => {
    expect(actionsFor(syntheticSubmission('a', { state: 'unconfirmed' }))).toEqual(['discard'])
    expect(actionsFor(syntheticSubmission('a', { state: 'sending' }))).toEqual(['cancel'])
    expect(actionsFor(syntheticSubmission('a', { state: 'sent' }))).toEqual([])
  })

  it('does nothing to a case that cannot be read, whatever its state', () => {
    for (const state of SUBMISSION_STATES)
      expect(actionsFor(syntheticSubmission('a', { state, unreadable: 'images.eye' }))).toEqual([])
  })

  it('moves to another center only what was not sent and cannot have arrived', () => {
    const states = SUBMISSION_STATES.filter((state) =>
      actionsFor(syntheticSubmission('a', { state, centerId: '101' })).includes('moveToCenter'),
    )
    expect(states).toEqual(['collecting', 'incomplete', 'review', 'waiting', 'held', 'refused'])
  })

  it('moves nothing where this station never switches, unless the center is what is missing', () => {
    const offers = (rest: object) =>
      actionsFor(syntheticSubmission('a', { state: 'incomplete', ...rest })).includes('moveToCenter')
    expect(offers({ centerId: null })).toBe(false)
    expect(offers({ centerId: null, reasons: [{ kind: 'centerUnknown', message: '' }] })).toBe(true)
  })

  it('says "try again" only where something was tried or waits for its time', () => {
    const offers = (rest: object) =>
      actionsFor(syntheticSubmission('a', { state: 'waiting', ...rest })).includes('retry')
    expect(offers({})).toBe(false)
    expect(offers({ attempts: 1 })).toBe(true)
    expect(offers({ notBefore: 5 })).toBe(true)
    expect(offers({ failure: failing('offline') })).toBe(true)
  })

  it('for several names those that each action fits', () => {
    const offered = actionsForMany([
      syntheticSubmission('a', { state: 'review' }),
      syntheticSubmission('b', { state: 'held' }),
      syntheticSubmission('c', { state: 'sent' }),
    ])
    expect(offered).toEqual([
      { action: 'approve', ids: ['a'] },
      { action: 'release', ids: ['b'] },
      { action: 'hold', ids: ['a'] },
      { action: 'discard', ids: ['a', 'b'] },
    ])
  })
})
