/** Emits events to listeners, each with the next revision. */
import type { EventName, EventPayload, StationEvent } from '../../src-shared/contract.ts'
import type { Clock, Logger } from './ports.ts'

export type StationEvents = {
  on(listener: (event: StationEvent) => void): () => void
  emit<Name extends EventName>(name: Name, payload: EventPayload<Name>): void
  /** Emits the latest payload of a busy source at a limited rate; the last one always arrives. */
  emitThrottled<Name extends EventName>(
    name: Name,
    key: string,
    payload: () => EventPayload<Name> | null,
  ): void
  revision(): number
  close(): void
}

/** More cases than these in one commit are announced by their ids: to read and send each would hold up the others. */
const MAX_SINGLE_EVENTS = 20

/** Announces submissions that have changed. Throws what reading them throws. */
export function emitSubmissions(
  events: Pick<StationEvents, 'emit'>,
  ids: readonly string[],
  read: (id: string) => EventPayload<'submissionChanged'> | null,
): void {
  if (ids.length > MAX_SINGLE_EVENTS) return events.emit('submissionsChanged', { ids: [...ids] })
  for (const id of ids) {
    const submission = read(id)
    if (submission) events.emit('submissionChanged', submission)
  }
}

/** As fast as an eye follows a bar, and slow enough for a thousand bars. */
const THROTTLE_MS = 200

export function createStationEvents(clock: Clock, logger: Logger): StationEvents {
  const listeners = new Set<(event: StationEvent) => void>()
  const pending = new Map<string, { emitNow: () => void; readonly cancel: () => void }>()
  let revision = 0

  const emit = <Name extends EventName>(name: Name, payload: EventPayload<Name>): void => {
    revision += 1
    const event = { name, revision, payload } as StationEvent
    for (const listener of listeners)
      try {
        listener(event)
      } catch (error) {
        // A listener that fails must not keep the event from the others, nor undo what the event reports.
        logger.error('a listener failed', {
          event: name,
          kind: error instanceof Error ? error.name : typeof error,
        })
      }
  }

  return {
    on: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    emit,
    emitThrottled: (name, key, payload) => {
      const id = `${name} ${key}`
      const emitNow = (): void => {
        const current = payload()
        if (current !== null) emit(name, current)
      }
      const waiting = pending.get(id)
      if (waiting) {
        waiting.emitNow = emitNow
        return
      }
      const entry = { emitNow, cancel: (): void => undefined }
      pending.set(id, entry)
      entry.cancel = clock.after(THROTTLE_MS, () => {
        pending.delete(id)
        entry.emitNow()
      })
    },
    revision: () => revision,
    close: () => {
      for (const { cancel } of pending.values()) cancel()
      pending.clear()
      listeners.clear()
    },
  }
}
