/** The mode of the station, from its single causes: one value, so that two can never contradict each other. */
import type { Mode, ServiceStatus } from '../../src-shared/station-status.ts'

/** Until when a person has paused sending: an instant, until resumed, or not at all. */
export type Pause = number | 'untilResumed' | null

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

/** Reads a pause as it was kept; what cannot be read is a pause until somebody resumes, the safer of the two. */
export function parsePause(text: string | null, now: number): Pause {
  if (text === null || text === '') return null
  const until = Number(text)
  if (!Number.isFinite(until)) return 'untilResumed'
  return until > now ? until : null
}
