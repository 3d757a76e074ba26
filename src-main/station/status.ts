/** The status of a station, read from its parts, and the events that announce what has changed. */
import { errorName } from './lib/errors.ts'
import type { EventName, EventPayload, StationEvent } from '../../src-shared/contract.ts'
import type { Mode, ServiceStatus, StationStatus } from '../../src-shared/station-status.ts'
import type { Delivery } from './delivery/delivery.ts'
import type { Cases } from './cases/cases.ts'
import type { PatientListMonitor } from './cases/patient-list.ts'
import { ignoringStorageErrors, storageFailureOf } from './lib/storage-faults.ts'
import { createSignal } from './lib/part.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Clock, Logger, Ports } from './ports.ts'
import type { StorageMonitor } from './storage/disk.ts'

// The mode of the station, from its single causes: one value, so that two can never contradict each other.

/** Until when a person has paused sending: an instant, until resumed, or not at all. */
type Pause = number | 'untilResumed' | null

/** `safe`: screens only. Nothing is watched and nothing goes to the service until a person starts it normally. */
export type StationPhase = 'starting' | 'safe' | 'running' | 'stopping' | 'stopped'

export function modeOf(phase: StationPhase, pause: Pause, service: ServiceStatus | null): Mode {
  if (phase === 'safe') return { kind: 'paused', why: 'safeMode', until: null }
  if (phase !== 'running') return { kind: phase }
  if (pause !== null) return { kind: 'paused', why: 'person', until: pause === 'untilResumed' ? null : pause }
  if (service === null) return { kind: 'paused', why: 'serviceNotSet', until: null }
  if (service.failure?.kind === 'signedOut')
    return { kind: 'paused', why: 'signedOut', until: service.nextTryAt }
  return { kind: 'running' }
}

/** Reads a stored pause; an unreadable one is a pause until a person resumes, the safer of the two. */
export function parsePause(text: string | null, now: number): Pause {
  if (text === null || text === '') return null
  const until = Number(text)
  if (!Number.isFinite(until)) return 'untilResumed'
  return until > now ? until : null
}

type StatusSources = {
  readonly ports: Ports
  readonly outbox: Outbox
  readonly cases: Cases
  readonly patientList: PatientListMonitor
  /** Null while no service is set, and in safe mode. */
  readonly delivery: Delivery | null
  readonly isServiceSet: boolean
  readonly phase: StationPhase
  readonly pause: Pause
  readonly centerId: string | null
  readonly storage: StationStatus['storage']
}

export function readStatus(parts: StatusSources): StationStatus {
  const { ports, outbox, cases, patientList, delivery } = parts
  const now = ports.clock.now()
  const service = delivery?.serviceStatus() ?? null
  const lastSentAt = outbox.readFact('lastSentAt')
  return {
    version: ports.version,
    host: ports.host,
    mode: modeOf(parts.phase, parts.pause, service),
    counts: outbox.countSubmissions(),
    folders: cases.folders.status(),
    service: service ?? {
      // Safe mode does not ask it.
      health: parts.isServiceSet ? 'unknown' : 'unset',
      since: now,
      failure: null,
      nextTryAt: null,
      lastSuccessAt: null,
    },
    centerId: parts.centerId,
    patientList: patientList.status(),
    reportsUnread: outbox.countReports().unread,
    lastSentAt: lastSentAt === null ? null : Number(lastSentAt),
    imagesMissing: outbox.countImagesMissing(),
    storage: parts.storage,
    clock: delivery?.clockTrouble() ?? null,
    alarms: outbox.openAlarms(),
    names: [...cases.names.status()],
    now,
  }
}

/** The status now; of an outbox that cannot be read any more, what was last known of it, with the trouble. */
export function cachedStatus(
  read: () => StationStatus,
  storage: Pick<StorageMonitor, 'failure'>,
  now: () => number,
): () => StationStatus {
  let last: StationStatus | null = null
  return () => {
    try {
      last = read()
      return last
    } catch (error) {
      if (last === null || storageFailureOf(error) === null) throw error
      return { ...last, storage: storage.failure(last.storage), now: now() }
    }
  }
}

/** The pause of sending that a person has set; it outlives a restart. */
export function openSendingPause(options: { readonly outbox: Outbox; readonly clock: Clock }) {
  const { outbox, clock } = options
  const changed = createSignal()
  let pause: Pause = null
  let cancelEnd: (() => void) | null = null

  const apply = (next: Pause): void => {
    cancelEnd?.()
    pause = next
    cancelEnd = typeof next === 'number' ? clock.after(next - clock.now(), end) : null
    changed.emit()
  }
  const set = (next: Pause): void => {
    apply(next)
    // Last: a full disk must not prevent a pause.
    outbox.writeFact('pause', next === null ? '' : String(next))
  }
  /** If the end cannot be stored, the next start finds it by the clock. */
  const end = (): void => ignoringStorageErrors(() => set(null))

  const recheck = (): void => {
    if (typeof pause !== 'number') return
    if (pause <= clock.now()) end()
    else apply(pause)
  }

  apply(parsePause(outbox.readFact('pause'), clock.now()))
  return {
    current: (): Pause => pause,
    /** Throws if it cannot be stored; it holds until the next start nevertheless. */
    set,
    /** Time may have passed that no timer counted, as in a sleep: is the pause over? */
    recheck,
    onChange: changed.subscribe,
    /** Lets an end that is to come be found by the next start. */
    close: (): void => cancelEnd?.(),
  }
}

export type StationEvents = ReturnType<typeof createStationEvents>

/** More cases than these in one commit are announced by their ids: to read and send each would hold up the others. */
const MAX_SINGLE_EVENTS = 20

/** Announces submissions that have changed. Throws what reading them throws. */
export function emitSubmissions(
  events: Pick<StationEvents, 'emit'>,
  ids: readonly string[],
  { outbox, cases }: Pick<StatusSources, 'outbox' | 'cases'>,
): void {
  if (ids.length > MAX_SINGLE_EVENTS) return events.emit('submissionsChanged', { ids: [...ids] })
  for (const id of ids) {
    const submission = outbox.submissionOf(id)
    if (submission) events.emit('submissionChanged', cases.undo.shown(submission))
  }
}

/** As fast as an eye follows a bar, and slow enough for a thousand bars. */
const THROTTLE_MS = 200

export function createStationEvents(clock: Clock, logger: Logger) {
  const listeners = new Set<(event: StationEvent) => void>()
  const waiting = new Map<string, () => void>()
  let revision = 0

  const emit = <Name extends EventName>(name: Name, payload: EventPayload<Name>): void => {
    revision += 1
    const event = { name, revision, payload } as StationEvent
    for (const listener of listeners)
      try {
        listener(event)
      } catch (error) {
        // A listener that fails must not keep the event from the others, nor undo what the event reports.
        logger.error('a listener failed', { event: name, kind: errorName(error) })
      }
  }

  return {
    on: (listener: (event: StationEvent) => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    emit,
    /** Emits the latest payload of a busy source at a limited rate; the last one always arrives. */
    emitThrottled: <Name extends EventName>(
      name: Name,
      key: string,
      payload: () => EventPayload<Name> | null,
    ): void => {
      const id = `${name} ${key}`
      const isFirst = !waiting.has(id)
      waiting.set(id, () => {
        const current = payload()
        if (current !== null) emit(name, current)
      })
      if (!isFirst) return
      clock.after(THROTTLE_MS, () => {
        const emitNow = waiting.get(id)
        waiting.delete(id)
        emitNow?.()
      })
    },
    revision: (): number => revision,
    close: (): void => {
      waiting.clear()
      listeners.clear()
    },
  }
}
