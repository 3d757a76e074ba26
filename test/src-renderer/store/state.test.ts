import { describe, expect, it } from 'vitest'
import {
  applyEvent,
  compareUrgency,
  type Cursor,
  cursorAfter,
  INITIAL_STATE,
  PAGE_SIZE,
  readQueuePage,
  shownStateOf,
  sortedIds,
  type StationState,
  totalOf,
  withPage,
  withStatus,
  withSubmission,
} from '../../../src-renderer/store/state.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import {
  countsOf,
  failing,
  pagingStation,
  syntheticStatus,
  syntheticSubmission,
} from '../synthetic-submission.ts'

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
})

describe('a changed submission', () => {
  it('takes a row to its place and leaves every other row as it was', () => {
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

  it('stays in sight once it is sent, so that someone sees that it went', () => {
    const sending = showing(syntheticSubmission('a', { state: 'sending' }))
    const sent = withSubmission(sending, syntheticSubmission('a', { state: 'sent', changedAt: 2_000 }))
    expect(sent.queue.ids).toEqual(['a'])
    expect(withSubmission(showing(), syntheticSubmission('b', { state: 'sent' })).queue.ids).toEqual([])
  })

  it('stays in sight as long as its approval can be taken back', () => {
    const needsYou = { ...INITIAL_STATE, queue: { ...INITIAL_STATE.queue, filter: 'needsYou' as const } }
    const review = withSubmission(needsYou, syntheticSubmission('a', { state: 'review' }))
    const approved = withSubmission(review, syntheticSubmission('a', { state: 'waiting', undoUntil: 9_000 }))
    expect(approved.queue.ids).toEqual(['a'])
    expect(withSubmission(approved, syntheticSubmission('a', { state: 'waiting' })).queue.ids).toEqual([])
  })

  it('is not taken in if a search is shown that it does not fit', () => {
    const searched = { ...INITIAL_STATE, queue: { ...INITIAL_STATE.queue, search: 'h-7 demo' } }
    const fits = { fields: { history_number: 'H-7', last_name: 'Demoson' } }
    expect(withSubmission(searched, syntheticSubmission('a')).queue.ids).toEqual([])
    expect(withSubmission(searched, syntheticSubmission('b', fits)).queue.ids).toEqual(['b'])
  })

  it('is taken as it comes, alone and with a page, also after the clock of the station was set back', () => {
    const before = showing(syntheticSubmission('a', { changedAt: 2_000 }))
    const held = syntheticSubmission('a', { state: 'held', changedAt: 1_000 })
    expect(withSubmission(before, held).submissions['a']).toBe(held)
    const page = { items: [held], total: 1, next: null }
    expect(withPage(before, page, true).submissions['a']).toBe(held)
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

  it('stays in sight if it was shown before', () => {
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

  it('of progress states how far it is and since when nothing more is taken', () => {
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

  it('of the station sets the clock of countdowns, and one of a report makes the inbox read again', () => {
    const status = { name: 'stationChanged', revision: 1, payload: syntheticStatus({ now: 70_000 }) } as const
    expect(applyEvent(INITIAL_STATE, status, 10_000).skewMs).toBe(60_000)
    const payload = { caseId: '7', submissionId: 'a' }
    const report = { name: 'reportArrived', revision: 1, payload } as const
    expect(applyEvent(INITIAL_STATE, report, 0).reportArrivals).toBe(1)
  })
})

const rows = [
  syntheticSubmission('waiting', { state: 'waiting' }),
  syntheticSubmission('refused', { state: 'refused' }),
]
const shown = withPage(INITIAL_STATE, { items: rows, total: 7, next: null }, true)

it('sorts the rows by urgency, follows a change, and gives the very same while no row changes', () => {
  expect(sortedIds(shown)).toEqual(['refused', 'waiting'])
  const approved = syntheticSubmission('refused', { state: 'held', changedAt: 2_000 })
  expect(sortedIds(withSubmission(shown, approved))).toEqual(['waiting', 'refused'])
  expect(sortedIds({ ...shown, snapshots: 3 })).toBe(sortedIds(shown))
})

it('counts as the station does, which is newer than the page, but for a search, and never less than is shown', () => {
  const counts = countsOf({ waiting: 90, refused: 2, sent: 5 })
  const counted = withStatus(shown, syntheticStatus({ counts }), 0)
  expect(totalOf(counted)).toBe(92)
  expect(totalOf({ ...counted, queue: { ...counted.queue, search: 'x' } })).toBe(7)
  expect(totalOf(withStatus(shown, syntheticStatus(), 0))).toBe(2)
})

it.each([
  ['waiting', { state: 'waiting' }],
  ['retrying', { state: 'waiting', attempts: 1 }],
  ['retrying', { state: 'waiting', failure: failing('offline') }],
  ['held', { state: 'held', attempts: 3 }],
] as const)('shows as %s what is %o', (state, rest) => {
  expect(shownStateOf(syntheticSubmission('a', rest))).toBe(state)
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

const many = (count: number, state: Submission['state'], name: string): Submission[] =>
  Array.from({ length: count }, (_nothing, index) => syntheticSubmission(`${name}${index}`, { state }))
const OPEN = { filter: 'open', search: '' } as const

describe('a page of the queue', () => {
  it('brings what needs a person before hundreds that need no one', async () => {
    const station = pagingStation([...many(300, 'waiting', 'w'), ...many(3, 'refused', 'r')])
    const page = await readQueuePage(station, OPEN, null)
    expect(page.ok && page.value.items.slice(0, 4).map(({ id }) => id)).toEqual(['r0', 'r1', 'r2', 'w0'])
    expect(page.ok && [page.value.items.length, page.value.total]).toEqual([PAGE_SIZE, 303])
  })

  it('is followed by others until each submission was read once, and states how its last row stood', async () => {
    const station = pagingStation([
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

  it('asks for what is searched, and as many as are wanted', async () => {
    const station = pagingStation([])
    await readQueuePage(station, { filter: 'sent', search: 'demo' }, null, 500)
    expect(station.asked).toEqual([{ state: ['sent'], order: 'urgency', limit: 500, search: 'demo' }])
  })
})
