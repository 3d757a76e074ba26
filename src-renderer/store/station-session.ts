/**
 * Keeps the screens' picture of the station true: a snapshot when the link opens, events from then on, and a new
 * snapshot whenever something was missed. What arrives while a list is being read is applied once more after it,
 * because the list may be older.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { CallInput, CallName, CallOutput, StationEvent } from '../../src-shared/contract.ts'
import { SECOND } from '../../src-shared/durations.ts'
import type { Result } from '../../src-shared/result.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Submission } from '../../src-shared/submission.ts'
import type { Arrival, StationLink } from '../link/station-link.ts'
import type { Cursor, QueueView } from './queue-view.ts'
import { PAGE_SIZE, readQueuePage } from './read-queue-page.ts'
import { createEventBurst } from './event-burst.ts'
import { stepTo } from './revisions.ts'
import {
  applyEvent,
  FIRST_STATE,
  withPage,
  withStatus,
  withSubmission,
  type StationState,
} from './station-state.ts'

/** A snapshot that could not be read is read again after this pause, as long as the link is open. */
const SNAPSHOT_AGAIN_MS = 2 * SECOND
/** Changes of many cases come one after another: what is shown is read again at most so often. */
const MANY_AGAIN_MS = SECOND
/** As many rows as one call of the contract gives. */
const MOST_ROWS = 1_000
/** Counts stand in the status; a change of state that comes without one asks for it, at most so often. */
const STATUS_AGAIN_MS = SECOND

export type StationSession = {
  readonly link: StationLink
  readonly store: StoreApi<StationState>
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Result<CallOutput<Name>>>
  /** Shows other rows; what was there stays until they have come. */
  readonly showQueue: (view: Partial<QueueView>) => void
  readonly loadMore: () => Promise<void>
  /** Reads everything anew. */
  readonly refresh: () => void
  readonly close: () => void
}

export function openStationSession(link: StationLink, now: () => number = Date.now): StationSession {
  const store = createStore<StationState>(() => FIRST_STATE)
  const change = (next: (state: StationState) => StationState): void => store.setState(next, true)

  let lastRevision: number | null = null
  let listsBeingRead = 0
  let missedMeanwhile: StationEvent[] = []
  let queueReading = 0
  /** So many were told by events. An answer that was asked for before one may be older than it. */
  const told = { stationChanged: 0, settingsChanged: 0 }
  let isSnapshotDue = false
  let isSnapshotRunning = false
  let isClosed = false
  const timers = new Set<ReturnType<typeof setTimeout>>()
  let statusTimer: ReturnType<typeof setTimeout> | undefined
  let manyTimer: ReturnType<typeof setTimeout> | undefined

  const later = (delayMs: number, run: () => void): ReturnType<typeof setTimeout> => {
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
    // Whoever has read on keeps the rows: only a further page begins behind what is shown.
    const limit = Math.min(Math.max(from === null ? queue.ids.length : 0, PAGE_SIZE), MOST_ROWS)
    const answer = await readQueuePage(link, queue, from, limit)
    listsBeingRead -= 1
    if (mine === queueReading)
      change((state) =>
        answer.ok
          ? withPage(state, answer.value, from === null)
          : { ...state, queue: { ...state.queue, phase: 'ready', failure: answer.failure } },
      )
    if (listsBeingRead === 0) {
      for (const event of missedMeanwhile) change((state) => applyEvent(state, event, now()))
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
    const before = { ...told }
    const [status, settings, hasQueue] = await Promise.all([
      link.call('station.status', {}),
      link.call('settings.get', {}),
      readQueue(null),
    ])
    if (status.ok) takeStatus(status.value, before.stationChanged)
    // A later change of the settings is told by an event of its own.
    if (settings.ok && before.settingsChanged === told.settingsChanged)
      change((state) => ({ ...state, settings: settings.value }))
    change((state) => ({ ...state, snapshots: state.snapshots + 1 }))
    isSnapshotRunning = false
    if (isClosed) return
    if (isSnapshotDue) await takeSnapshot()
    else if (!(status.ok && settings.ok && hasQueue))
      later(SNAPSHOT_AGAIN_MS, () => {
        if (store.getState().connection.kind === 'open') void takeSnapshot()
      })
  }

  const readStatus = async (): Promise<void> => {
    statusTimer = undefined
    const before = told.stationChanged
    const answer = await link.call('station.status', {})
    if (answer.ok) takeStatus(answer.value, before)
  }
  const takeStatus = (status: StationStatus, toldBefore: number): void => {
    if (toldBefore === told.stationChanged) change((state) => withStatus(state, status, now()))
    else askForCountsSoon()
  }
  const askForCountsSoon = (): void => {
    statusTimer ??= later(STATUS_AGAIN_MS, () => void readStatus())
  }

  const readManySoon = (): void => {
    manyTimer ??= later(MANY_AGAIN_MS, () => {
      manyTimer = undefined
      if (store.getState().connection.kind === 'open') void takeSnapshot()
    })
  }

  const burst = createEventBurst(
    (events) => change((state) => events.reduce((before, event) => applyEvent(before, event, now()), state)),
    later,
  )
  const takeEvent = (event: StationEvent): void => {
    const step = stepTo(lastRevision, event.revision)
    if (step === 'old') return
    lastRevision = event.revision
    // Of an older reading: what it lacked is in the snapshot that is taken now.
    if (step === 'gap') missedMeanwhile = []
    if (listsBeingRead > 0 && event.name === 'submissionChanged') missedMeanwhile.push(event)
    if (event.name === 'stationChanged' || event.name === 'settingsChanged') told[event.name] += 1
    if (event.name === 'stationChanged' && statusTimer !== undefined) {
      clearTimeout(statusTimer)
      statusTimer = undefined
    }
    if (
      event.name === 'submissionChanged' &&
      store.getState().submissions[event.payload.id]?.state !== event.payload.state
    )
      askForCountsSoon()
    burst.take(event)
    if (step === 'gap') void takeSnapshot()
    else if (event.name === 'submissionsChanged') readManySoon()
  }

  const takeArrival = (arrival: Arrival): void => {
    if (arrival.kind === 'event') takeEvent(arrival.event)
    else takeUnreadable()
  }

  /** Its revision could not be read either; the next event would only tell the same gap later. */
  const takeUnreadable = (): void => {
    // The snapshot under way may be older than what was missed, so that stays.
    if (isSnapshotRunning) return
    missedMeanwhile = []
    void takeSnapshot()
  }

  const stopArrivals = link.onArrival(takeArrival)
  const stopConnection = link.onConnection((connection) => {
    change((state) => ({ ...state, connection }))
    if (connection.kind !== 'open') return
    missedMeanwhile = []
    lastRevision = connection.revision
    void takeSnapshot()
  })

  return {
    link,
    store,
    call: (name, input) => link.call(name, input),
    showQueue(view) {
      change((state) => ({ ...state, queue: { ...state.queue, ...view, phase: 'loading' } }))
      void readQueue(null)
    },
    async loadMore() {
      const { next } = store.getState().queue
      if (next !== null) await readQueue(next)
    },
    refresh: () => void takeSnapshot(),
    close() {
      isClosed = true
      stopArrivals()
      stopConnection()
      for (const timer of timers) clearTimeout(timer)
      link.close()
    },
  }
}

/**
 * Takes a submission that an answer carried into the picture, without waiting for its event: unless that, or a later one,
 * has overtaken the answer. Where the station's clock was set back between them, the event brings it all the same.
 */
export function takeIn(session: StationSession, submission: Submission): void {
  const known = session.store.getState().submissions[submission.id]
  if (known && known.changedAt > submission.changedAt) return
  session.store.setState((state) => withSubmission(state, submission), true)
}
