import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import {
  type Connection,
  createBroadcast,
  type LinkMessage,
  type StationLink,
} from '../../../src-renderer/link/link.ts'
import {
  createEventBurst,
  openStationSession,
  type StationSession,
  upsertSubmission,
} from '../../../src-renderer/store/store.ts'
import { deferUpdates } from '../../../src-renderer/store/use-station.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import type { CallInput, CallName, EventPayload, StationEvent } from '../../../src-shared/contract.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { countsOf, failing, syntheticStatus, syntheticSubmission } from '../synthetic-submission.ts'

/** A link whose answers the test gives, one by one if it wants to. */
function handLink() {
  const arrivals = createBroadcast<LinkMessage>()
  const connections = createBroadcast<Connection>()
  const asked: { name: CallName; input: unknown }[] = []
  let items: Submission[] = []
  let gate: Promise<void> = Promise.resolve()
  let isBroken = false
  const answers: Partial<Record<CallName, (input: unknown) => unknown>> = {
    'station.status': () => syntheticStatus(),
    'settings.get': () => ({ folders: [] }),
    'submissions.list': (input) => {
      const { state = [] } = input as CallInput<'submissions.list'>
      const fitting = items.filter((one) => state.includes(one.state))
      return { items: fitting, total: fitting.length, counts: countsOf() }
    },
  }
  const link: StationLink = {
    call: async (name, input) => {
      asked.push({ name, input })
      const value = answers[name]?.(input)
      await gate
      if (name === 'submissions.separate') return { ok: false, failure: failing('changed') }
      return isBroken ? { ok: false, failure: failing('internal') } : { ok: true, value: value as never }
    },
    onMessage: arrivals.subscribe,
    onConnection: connections.subscribe,
    readBytes: () => Promise.reject(new Error('no bytes here')),
    createBytesUrl: () => Promise.reject(new Error('no bytes here')),
    uploadFile: () => Promise.reject(new Error('no files here')),
    close: () => undefined,
  }
  return {
    link,
    asked,
    connect: (revision: number | null) => connections.emit({ kind: 'open', revision }),
    lose: () => connections.emit({ kind: 'lost', why: 'unreachable' }),
    emit: (event: StationEvent) => arrivals.emit({ kind: 'event', event }),
    emitNonsense: () => arrivals.emit({ kind: 'unreadable' }),
    list: (...listed: Submission[]) => {
      items = listed
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    break: (broken: boolean) => {
      isBroken = broken
    },
  }
}

const changed = (revision: number, submission: Submission): StationEvent => ({
  name: 'submissionChanged',
  revision,
  payload: submission,
})

describe('a session', () => {
  let hand: ReturnType<typeof handLink>
  let session: StationSession
  const settled = () => vi.advanceTimersByTimeAsync(0)
  const connected = (revision: number) => {
    hand.connect(revision)
    return settled()
  }
  const snapshots = () => hand.asked.filter(({ name }) => name === 'settings.get').length

  beforeEach(() => {
    vi.useFakeTimers()
    hand = handLink()
    session = openStationSession(hand.link)
  })
  afterEach(() => {
    session.close()
    vi.useRealTimers()
  })

  it('asks nothing before the link is open, takes a snapshot then, and events in their order after it', async () => {
    expect(hand.asked).toEqual([])
    hand.list(syntheticSubmission('a'))
    await connected(4)
    const { queue, status } = session.store.getState()
    expect([queue.ids, status?.version, snapshots()]).toEqual([['a'], '0.1.0', 1])
    hand.emit(changed(4, syntheticSubmission('shown before')))
    hand.emit(changed(5, syntheticSubmission('b')))
    hand.emit(changed(6, syntheticSubmission('b', { state: 'held', changedAt: 2_000 })))
    const { submissions } = session.store.getState()
    expect([Object.keys(submissions), submissions['b']?.state, snapshots()]).toEqual([['a', 'b'], 'held', 1])
  })

  it.each([
    ['a revision is missing', () => hand.emit(changed(6, syntheticSubmission('a')))],
    ['something came that is no event', () => hand.emitNonsense()],
    [
      'a case is refused because it has changed since it was shown',
      () => void session.call('submissions.separate', { id: 'a', groups: [['x'], ['y']] }),
    ],
  ])('takes a new snapshot when %s', async (_what, showGap) => {
    await connected(4)
    hand.list(syntheticSubmission('a'), syntheticSubmission('missed'))
    showGap()
    await settled()
    expect(session.store.getState().queue.ids).toEqual(['a', 'missed'])
    expect([snapshots(), session.store.getState().snapshots]).toEqual([2, 2])
  })

  it('reads once what is shown, as far as it is shown, after many changes that come as ids', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => syntheticSubmission(`row-${index}`))
    await connected(4)
    rows.forEach((row, index) => hand.emit(changed(5 + index, row)))
    hand.emit(changed(65, syntheticSubmission('elsewhere', { state: 'discarded' })))
    await vi.advanceTimersByTimeAsync(100)
    expect(session.store.getState().queue.ids).toHaveLength(60)
    hand.asked.splice(0)
    hand.list(...rows.map(({ id }) => syntheticSubmission(id, { state: 'held', changedAt: 2_000 })))
    const ids = [...rows.map(({ id }) => id), 'elsewhere']
    hand.emit({ name: 'submissionsChanged', revision: 66, payload: { ids } })
    hand.emit({ name: 'callProgressed', revision: 67, payload: { done: 61, total: 200 } })
    hand.emit({ name: 'submissionsChanged', revision: 68, payload: { ids } })
    await vi.advanceTimersByTimeAsync(2_000)
    const { submissions, queue } = session.store.getState()
    expect(new Set(queue.ids.map((id) => submissions[id]?.state))).toEqual(new Set(['held']))
    expect(queue.ids).toHaveLength(60)
    // What is not shown is not kept as it was.
    expect(submissions['elsewhere']).toBeUndefined()
    expect(hand.asked.filter(({ name }) => name === 'submissions.list')).toMatchObject([
      { input: { limit: 60 } },
    ])
  })

  it('reads everything again after the link was lost, also from a station that was started again', async () => {
    await connected(400)
    hand.lose()
    expect(session.store.getState().connection.kind).toBe('lost')
    hand.list(syntheticSubmission('b'))
    await connected(1)
    hand.emit(changed(2, syntheticSubmission('c')))
    expect(session.store.getState().queue.ids).toEqual(['b', 'c'])
  })

  it('keeps an event that came while an older list was on its way', async () => {
    const answer = hand.hold()
    hand.connect(4)
    hand.emit(changed(5, syntheticSubmission('new')))
    answer()
    await settled()
    expect(session.store.getState().queue.ids).toEqual(['new'])
  })

  it.each([
    ['can be read', () => undefined],
    ['cannot be read', () => hand.emitNonsense()],
  ])(
    'keeps what an event said while an older list was on its way, where all that follows %s',
    async (_what, follow) => {
      hand.list(syntheticSubmission('a'))
      const answer = hand.hold()
      await connected(4)
      hand.emit(changed(5, syntheticSubmission('a', { state: 'held', changedAt: 2_000 })))
      follow()
      answer()
      await settled()
      expect(session.store.getState().submissions['a']?.state).toBe('held')
    },
  )

  it.each([
    ['is lost', () => hand.emit(changed(7, syntheticSubmission('b')))],
    ['cannot be read', () => hand.emitNonsense()],
  ])('states nothing twice that a newer snapshot knows better, if an event %s', async (_what, showGap) => {
    hand.list(syntheticSubmission('a'))
    await connected(4)
    const slow = hand.hold()
    session.showQueue({ filter: 'open' })
    hand.emit(changed(5, syntheticSubmission('a', { state: 'sending', changedAt: 2_000 })))
    // That it was held is lost.
    const quick = hand.hold()
    hand.list(syntheticSubmission('a', { state: 'held', changedAt: 3_000 }))
    showGap()
    quick()
    await settled()
    slow()
    await settled()
    expect(session.store.getState().submissions['a']?.state).toBe('held')
  })

  it('does not take an answer that an event has overtaken', async () => {
    await connected(4)
    hand.emit(changed(5, syntheticSubmission('a', { state: 'sent', changedAt: 2_000 })))
    upsertSubmission(session, syntheticSubmission('a', { state: 'waiting', changedAt: 1_000 }))
    expect(session.store.getState().submissions['a']?.state).toBe('sent')
    upsertSubmission(session, syntheticSubmission('a', { state: 'held', changedAt: 3_000 }))
    expect(session.store.getState().submissions['a']?.state).toBe('held')
  })

  it('hides nothing that the station reported while an older status and older settings were on their way', async () => {
    const answer = hand.hold()
    await connected(4)
    hand.emit({
      name: 'stationChanged',
      revision: 5,
      payload: syntheticStatus({ lastSentAt: 77 }),
    })
    const settings = { folders: [], centerId: '102' } as unknown as EventPayload<'settingsChanged'>
    hand.emit({ name: 'settingsChanged', revision: 6, payload: settings })
    answer()
    await settled()
    expect(session.store.getState()).toMatchObject({
      status: { lastSentAt: 77 },
      settings: { centerId: '102' },
    })
    // It may have been the newer one, so it is asked for once more.
    await vi.advanceTimersByTimeAsync(1_000)
    expect(hand.asked.filter(({ name }) => name === 'station.status')).toHaveLength(2)
    expect(session.store.getState().status?.lastSentAt).toBe(syntheticStatus().lastSentAt)
  })

  it('keeps what is shown when a snapshot fails, and tries again', async () => {
    hand.list(syntheticSubmission('a'))
    await connected(4)
    hand.break(true)
    session.refresh()
    await settled()
    expect(session.store.getState().queue.ids).toEqual(['a'])
    expect(session.store.getState().queue.failure?.kind).toBe('internal')
    hand.break(false)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(session.store.getState().queue.failure).toBeNull()
  })

  it('asks for the counts once after many changes that came without them', async () => {
    await connected(0)
    const before = hand.asked.length
    for (let revision = 1; revision <= 20; revision += 1)
      hand.emit(changed(revision, syntheticSubmission(`s${revision}`)))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(hand.asked.slice(before).map(({ name }) => name)).toEqual(['station.status'])
  })

  it('shows the answer to the last question if an earlier one is late', async () => {
    await connected(0)
    const answerFirst = hand.hold()
    hand.list(syntheticSubmission('wrong', { fields: { last_name: 'first' } }))
    session.showQueue({ search: 'first' })
    const answerSecond = hand.hold()
    hand.list(syntheticSubmission('right'))
    session.showQueue({ search: '' })
    answerSecond()
    await settled()
    answerFirst()
    await settled()
    expect(session.store.getState().queue.ids).toEqual(['right'])
  })
})

const event = (revision: number): StationEvent => ({
  name: 'reportArrived',
  revision,
  payload: { caseId: '7', submissionId: 'a' },
})

function openBurst() {
  const applied: number[][] = []
  let due: (() => void)[] = []
  const burst = createEventBurst(
    (events) => applied.push(events.map(({ revision }) => revision)),
    (_ms, run) => due.push(run),
  )
  const turn = (): void => {
    const runs = due
    due = []
    for (const run of runs) run()
  }
  return { burst, applied, turn }
}

it('applies single events at once, each alone', () => {
  const { burst, applied, turn } = openBurst()
  for (const revision of [1, 2, 3]) burst.push(event(revision))
  turn()
  burst.push(event(4))
  expect(applied).toEqual([[1], [2], [3], [4]])
})

it('collects the events of a burst, in their order, as long as it lasts, and loses none', () => {
  const { burst, applied, turn } = openBurst()
  for (let revision = 1; revision <= 500; revision += 1) burst.push(event(revision))
  expect(applied).toHaveLength(20)
  turn()
  for (let revision = 501; revision <= 600; revision += 1) burst.push(event(revision))
  expect(applied).toHaveLength(21)
  turn()
  turn()
  burst.push(event(601))
  expect(applied).toHaveLength(23)
  expect(applied.flat()).toEqual(Array.from({ length: 601 }, (_nothing, index) => index + 1))
})

it('puts nothing that waited over what is read after it', () => {
  const { burst, applied, turn } = openBurst()
  for (let revision = 1; revision <= 25; revision += 1) burst.push(event(revision))
  burst.flush()
  expect(applied.at(-1)).toEqual([21, 22, 23, 24, 25])
  turn()
  expect(applied.flat()).toHaveLength(25)
})

type Host = 'electron' | 'headless'

function sessionOf(host: Host | null) {
  const asked: unknown[] = []
  const store = createStore<{ status: { host: Host } | null }>(() => ({
    status: host === null ? null : { host },
  }))
  const made = {
    store,
    call: (name: string, input: unknown) => {
      asked.push([name, input])
      return Promise.resolve({ ok: true, value: {} })
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a session as holding off needs
  return { asked, store, session: made as unknown as Pick<StationSession, 'call' | 'store'> }
}

describe('updates', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('holds updates off for as long as something stands here that is kept nowhere else', () => {
    const { asked, session: one } = sessionOf('electron')
    let isHeld = true
    deferUpdates(one, 'a case', () => isHeld)
    deferUpdates(one, 'a case', () => isHeld)
    // Longer than a page out of sight may be late to ask again.
    expect(asked).toEqual([['updates.holdOff', { seconds: 300 }]])
    vi.advanceTimersByTime(5 * MINUTE)
    expect(asked).toHaveLength(6)
    isHeld = false
    vi.advanceTimersByTime(5 * MINUTE)
    expect(asked).toHaveLength(6)
    isHeld = true
    deferUpdates(one, 'a case', () => isHeld)
    expect(asked).toHaveLength(7)
  })

  it('has nothing to hold off if a browser shows the screens', () => {
    const { asked, session: one } = sessionOf('headless')
    deferUpdates(one, 'another case', () => true)
    vi.advanceTimersByTime(5 * MINUTE)
    expect(asked).toEqual([])
  })

  it('holds them off even before the station has stated what it is', () => {
    const { asked, store, session: one } = sessionOf(null)
    let isHeld = true
    deferUpdates(one, 'an early case', () => isHeld)
    expect(asked).toHaveLength(1)
    store.setState({ status: { host: 'electron' } })
    vi.advanceTimersByTime(MINUTE)
    expect(asked).toHaveLength(2)
    isHeld = false
    vi.advanceTimersByTime(5 * MINUTE)
    expect(asked).toHaveLength(2)
  })
})
