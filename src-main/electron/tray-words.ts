import { STATES_THAT_NEED_A_PERSON } from '../../src-shared/states.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'

const PAUSES = {
  person: 'sending is paused',
  signedOut: 'signed out',
  serviceNotSet: 'no service is set up',
}

/** One line for the tray: what needs a person first, then what goes on. Short, because Windows cuts it at 127 characters. */
export function trayWords({
  mode,
  counts,
  service,
}: Pick<StationStatus, 'mode' | 'counts' | 'service'>): string {
  const attention = STATES_THAT_NEED_A_PERSON.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
  const onTheWay = (counts.waiting ?? 0) + (counts.sending ?? 0)
  const parts = [
    attention > 0 ? `${attention} ${attention === 1 ? 'case needs' : 'cases need'} attention` : null,
    stateWords(mode, service.health, onTheWay),
  ]
  return `Fundus Courier: ${parts.filter((part) => part !== null).join(', ')}`
}

function stateWords(
  mode: StationStatus['mode'],
  health: StationStatus['service']['health'],
  onTheWay: number,
): string {
  if (mode.kind === 'paused') return PAUSES[mode.why]
  if (mode.kind === 'starting') return 'starting'
  if (mode.kind !== 'running') return 'stopping'
  if (health === 'trouble') return `no connection, ${onTheWay} waiting`
  return onTheWay > 0 ? `${onTheWay} on the way` : 'everything is sent'
}
