/**
 * Keeps the screens in sync with the station: a snapshot when the link opens, then events, and a new snapshot after
 * every gap. What arrives while a list is being read is applied again afterwards, because the list may be older.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { CallInput, CallName, CallOutput, StationEvent } from '../../src-shared/contract.ts'
import { SECOND } from '../../src-shared/durations.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Submission } from '../../src-shared/submission.ts'
import type { StationLink } from '../link/link.ts'
import {
  applyEvent,
  type Cursor,
  INITIAL_STATE,
  MAX_ROWS,
  PAGE_SIZE,
  type QueueView,
  readQueuePage,
  type StationState,
  withPage,
  withStatus,
  withSubmission,
} from './state.ts'

const SINGLE_EVENTS = 20

/** A thousand cases held together must not render the screens a thousand times. The order is preserved. */
const WINDOW_MS = 50

export function createEventBurst(
  apply: (events: readonly StationEvent[]) => void,
  later: (delayMs: number, run: () => void) => unknown,
) {
  let count = 0
  let isWindowOpen = false
  let waiting: StationEvent[] = []
  const endWindow = (): void => {
    const events = waiting
    waiting = []
    count = 0
    isWindowOpen = events.length > 0
    if (events.length === 0) return
    apply(events)
    count = SINGLE_EVENTS
    later(WINDOW_MS, endWindow)
  }
  return {
    /** Applies waiting events now, so that they do not overwrite a newer snapshot. */
    flush(): void {
      const events = waiting
      waiting = []
      if (events.length > 0) apply(events)
    },
    push(event: StationEvent): void {
      if (!isWindowOpen) {
        isWindowOpen = true
        later(WINDOW_MS, endWindow)
      }
      count += 1
      if (count > SINGLE_EVENTS) waiting.push(event)
      else apply([event])
    },
  }
}

/** An older revision is a duplicate, or of a previous run of the station, whose greeting has already reset it. */
function compareRevision(last: number | null, revision: number): 'next' | 'gap' | 'old' {
  if (last === null || revision === last + 1) return 'next'
  return revision > last + 1 ? 'gap' : 'old'
}

/** A failed snapshot is retried after this pause, as long as the link is open. */
const SNAPSHOT_RETRY_MS = 2 * SECOND

/** Bulk changes come in series: shown rows are read again at most this often. */
const BULK_REFRESH_MS = SECOND

/** The status contains the counts; a change of state that comes without one requests it, at most this often. */
const STATUS_REFRESH_MS = SECOND

export type StationSession = {
  readonly link: StationLink
  readonly store: StoreApi<StationState>
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>>>
  /** Changes filter or search; the previous rows stay until the new ones arrive. */
  readonly showQueue: (view: Partial<QueueView>) => void
  readonly loadMore: () => Promise<void>
  readonly refresh: () => void
  readonly close: () => void
}

export function openStationSession(link: StationLink, now: () => number = Date.now): StationSession {
  const store = createStore<StationState>(() => INITIAL_STATE)
  const update = (next: (state: StationState) => StationState): void => store.setState(next, true)

  let lastRevision: number | null = null
  let listsBeingRead = 0
  let missedMeanwhile: StationEvent[] = []
  let queueReading = 0
  /** The number of events so far: an answer requested before an event may be older than it. */
  const eventCounts = { stationChanged: 0, settingsChanged: 0 }
  let isSnapshotDue = false
  let isSnapshotRunning = false
  let isClosed = false
  const timers = new Set<ReturnType<typeof setTimeout>>()
  let statusTimer: ReturnType<typeof setTimeout> | undefined
  let manyTimer: ReturnType<typeof setTimeout> | undefined

  const schedule = (delayMs: number, run: () => void): ReturnType<typeof setTimeout> => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, delayMs)
    timers.add(timer)
    return timer
  }

  const readQueue = async (from: Cursor | null): Promise<boolean> => {
    queueReading += 1
    const mine = queueReading
    listsBeingRead += 1
    const { queue } = store.getState()
    // Keeps the number of rows already loaded: only a further page starts behind them.
    const limit = Math.min(Math.max(from === null ? queue.ids.length : 0, PAGE_SIZE), MAX_ROWS)
    const answer = await readQueuePage(link, queue, from, limit)
    listsBeingRead -= 1
    if (mine === queueReading)
      update((state) =>
        answer.ok
          ? withPage(state, answer.value, from === null)
          : { ...state, queue: { ...state.queue, phase: 'ready', failure: answer.failure } },
      )
    if (listsBeingRead === 0) {
      for (const event of missedMeanwhile) update((state) => applyEvent(state, event, now()))
      missedMeanwhile = []
    }
    return answer.ok
  }

  const takeSnapshot = async (): Promise<void> => {
    isSnapshotDue = true
    if (isSnapshotRunning) return
    isSnapshotRunning = true
    isSnapshotDue = false
    burst.flush()
    const before = { ...eventCounts }
    const [status, settings, hasQueue] = await Promise.all([
      link.call('station.status', {}),
      link.call('settings.get', {}),
      readQueue(null),
    ])
    if (status.ok) applyStatus(status.value, before.stationChanged)
    // A later change of the settings arrives as an event.
    if (settings.ok && before.settingsChanged === eventCounts.settingsChanged)
      update((state) => ({ ...state, settings: settings.value }))
    update((state) => ({ ...state, snapshots: state.snapshots + 1 }))
    isSnapshotRunning = false
    if (isClosed) return
    if (isSnapshotDue) await takeSnapshot()
    else if (!(status.ok && settings.ok && hasQueue))
      schedule(SNAPSHOT_RETRY_MS, () => {
        if (store.getState().connection.kind === 'open') void takeSnapshot()
      })
  }

  const readStatus = async (): Promise<void> => {
    statusTimer = undefined
    const before = eventCounts.stationChanged
    const answer = await link.call('station.status', {})
    if (answer.ok) applyStatus(answer.value, before)
  }
  const applyStatus = (status: StationStatus, countBefore: number): void => {
    if (countBefore === eventCounts.stationChanged) update((state) => withStatus(state, status, now()))
    else scheduleStatusRead()
  }
  const scheduleStatusRead = (): void => {
    statusTimer ??= schedule(STATUS_REFRESH_MS, () => void readStatus())
  }

  const scheduleSnapshot = (): void => {
    manyTimer ??= schedule(BULK_REFRESH_MS, () => {
      manyTimer = undefined
      if (store.getState().connection.kind === 'open') void takeSnapshot()
    })
  }

  const burst = createEventBurst(
    (events) => update((state) => events.reduce((before, event) => applyEvent(before, event, now()), state)),
    schedule,
  )
  const handleEvent = (event: StationEvent): void => {
    const step = compareRevision(lastRevision, event.revision)
    if (step === 'old') return
    lastRevision = event.revision
    // These belong to an older read: the new snapshot includes them.
    if (step === 'gap') missedMeanwhile = []
    if (listsBeingRead > 0 && event.name === 'submissionChanged') missedMeanwhile.push(event)
    if (event.name === 'stationChanged' || event.name === 'settingsChanged') eventCounts[event.name] += 1
    if (event.name === 'stationChanged' && statusTimer !== undefined) {
      clearTimeout(statusTimer)
      statusTimer = undefined
    }
    if (
      event.name === 'submissionChanged' &&
      store.getState().submissions[event.payload.id]?.state !== event.payload.state
    )
      scheduleStatusRead()
    burst.push(event)
    if (step === 'gap') void takeSnapshot()
    else if (event.name === 'submissionsChanged') scheduleSnapshot()
  }

  const stopMessages = link.onMessage((arrival) => {
    if (arrival.kind === 'event') return handleEvent(arrival.event)
    // The revision is unreadable too: the next event would only report the same gap later. The snapshot in progress
    // may be older than the missed event, so its queue stays.
    if (isSnapshotRunning) return
    missedMeanwhile = []
    void takeSnapshot()
  })
  const stopConnection = link.onConnection((connection) => {
    update((state) => ({ ...state, connection }))
    if (connection.kind !== 'open') return
    missedMeanwhile = []
    lastRevision = connection.revision
    void takeSnapshot()
  })

  return {
    link,
    store,
    call: async (name, input) => {
      const answer = await link.call(name, input)
      // What is shown is not what the station has: it is read again.
      if (!answer.ok && answer.failure.kind === 'changed') void takeSnapshot()
      return answer
    },
    showQueue(view) {
      update((state) => ({ ...state, queue: { ...state.queue, ...view, phase: 'loading' } }))
      void readQueue(null)
    },
    async loadMore() {
      const { next } = store.getState().queue
      if (next !== null) await readQueue(next)
    },
    refresh: () => void takeSnapshot(),
    close() {
      isClosed = true
      stopMessages()
      stopConnection()
      for (const timer of timers) clearTimeout(timer)
      link.close()
    },
  }
}

/** Applies a submission from an answer without waiting for its event, unless that or a later event came first. */
export function upsertSubmission(session: StationSession, submission: Submission): void {
  const existing = session.store.getState().submissions[submission.id]
  if (existing && existing.changedAt > submission.changedAt) return
  session.store.setState((state) => withSubmission(state, submission), true)
}
