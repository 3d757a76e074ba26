import { expect, it } from 'vitest'
import { compareUrgency, shownStateOf } from '../../../src-renderer/store/state.ts'
import { failing, syntheticSubmission } from '../synthetic-submission.ts'

it('calls a waiting submission retrying once something went wrong', () => {
  expect(shownStateOf(syntheticSubmission('a', { state: 'waiting' }))).toBe('waiting')
  expect(shownStateOf(syntheticSubmission('a', { state: 'waiting', attempts: 1 }))).toBe('retrying')
  expect(shownStateOf(syntheticSubmission('a', { state: 'waiting', failure: failing('offline') }))).toBe(
    'retrying',
  )
  expect(shownStateOf(syntheticSubmission('a', { state: 'held', attempts: 3 }))).toBe('held')
})

it('puts first what a person must mend, then what is urgent, then what is old', () => {
  const rows = [
    syntheticSubmission('sentOld', { state: 'sent', addedAt: 1 }),
    syntheticSubmission('sentNew', { state: 'sent', addedAt: 9 }),
    syntheticSubmission('collecting', { state: 'collecting' }),
    syntheticSubmission('held', { state: 'held' }),
    syntheticSubmission('waitingOld', { state: 'waiting', addedAt: 1 }),
    syntheticSubmission('waitingUrgent', { state: 'waiting', addedAt: 5, urgent: true }),
    syntheticSubmission('retrying', { state: 'waiting', attempts: 1, addedAt: 7 }),
    syntheticSubmission('sending', { state: 'sending' }),
    syntheticSubmission('review', { state: 'review' }),
    syntheticSubmission('reviewUrgent', { state: 'review', urgent: true }),
    syntheticSubmission('incomplete', { state: 'incomplete' }),
    syntheticSubmission('unconfirmed', { state: 'unconfirmed' }),
    syntheticSubmission('refused', { state: 'refused' }),
  ]
  expect(rows.sort(compareUrgency).map(({ id }) => id)).toEqual([
    'refused',
    'unconfirmed',
    'incomplete',
    'review',
    'reviewUrgent',
    'sending',
    'waitingUrgent',
    'waitingOld',
    'retrying',
    'held',
    'collecting',
    'sentNew',
    'sentOld',
  ])
})
