import type { CallHandlers, ServedBytes, Station } from '../../../src-main/station/api.ts'
import type { CallName, StationEvent } from '../../../src-shared/contract.ts'
import { succeed } from '../../../src-shared/failure.ts'

export type FakeStation = Station & {
  /** Every call that reached a handler. */
  readonly called: (readonly [name: CallName, input: unknown])[]
  readonly bytesAsked: string[]
  served: ServedBytes | null
  /** Every uploaded file, and how much of it came. */
  readonly uploads: { readonly name: string; readonly sizeBytes: number | null; readonly length: number }[]
  listenerCount(): number
  emit(caseId: string): void
}

/** A station that notes what reaches it, answers every call with its own input, and emits what a test says. */
export function createFakeStation(): FakeStation {
  const listeners = new Set<(event: StationEvent) => void>()
  const called: [CallName, unknown][] = []
  const bytesAsked: string[] = []
  let revision = 41
  const handlers = new Proxy({} as CallHandlers, {
    get: (_target, name) => (input: unknown) => {
      called.push([name as CallName, input])
      return name === 'settings.get' ? Promise.reject(new Error('a bug')) : Promise.resolve(succeed(input))
    },
  })
  const station: FakeStation = {
    handlers,
    called,
    bytesAsked,
    served: null,
    uploads: [],
    listenerCount: () => listeners.size,
    on: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    revision: () => revision,
    wakeUp: () => undefined,
    bytes: (kind, id) => {
      bytesAsked.push(`${kind} ${id}`)
      return Promise.resolve(station.served)
    },
    saveUpload: async ({ name, sizeBytes, bytes }) => {
      let length = 0
      for await (const chunk of bytes) length += chunk.length
      station.uploads.push({ name, sizeBytes, length })
      return succeed({ path: '/uploads', sizeBytes: length, sha256: '0'.repeat(64) })
    },
    emit: (caseId) => {
      revision += 1
      for (const listener of listeners)
        listener({ name: 'reportArrived', revision, payload: { caseId, submissionId: 's' } })
    },
    metrics: () => Promise.resolve('# EOF\n'),
    backUp: () => Promise.resolve(succeed('/copy')),
    stop: () => Promise.resolve(),
  }
  return station
}
