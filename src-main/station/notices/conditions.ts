/** The conditions in a status that a person must know of, and when each becomes worth a notice. Pure. */
import { HOUR, MINUTE } from '../../../src-shared/durations.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import type { Occasion } from './due.ts'

/** A camera or share that comes back within this time is no news. */
const FOLDER_AWAY_MS = 5 * MINUTE
/** One refused token may be followed by an accepted one. */
const SIGNED_OUT_MS = MINUTE
/** A service usually recovers; after this time, a day's work is waiting here. */
const SERVICE_AWAY_MS = HOUR

export type ActiveCondition = Occasion & {
  /** When it is worth a notice, epoch milliseconds; null for at once. */
  readonly notifyAt: number | null
  /** Changes if the condition ended in between: then it is announced again. */
  readonly spell: string
}

export type ConditionSource = Pick<
  StationStatus,
  'mode' | 'counts' | 'folders' | 'service' | 'storage' | 'alarms'
>

/** All active conditions, each with the time of its notice. */
export function activeConditions(status: ConditionSource): readonly ActiveCondition[] {
  return [
    ...alarms(status),
    ...storage(status),
    ...signedOut(status),
    ...foldersAway(status),
    ...serviceAway(status),
  ]
}

function alarms({ alarms: open }: ConditionSource): readonly ActiveCondition[] {
  return open.map(({ id, submissionId }) => ({
    kind: 'alarm',
    about: id,
    route: submissionId === null ? { screen: 'queue' } : { screen: 'submission', id: submissionId },
    notifyAt: null,
    spell: id,
  }))
}

function storage({ storage: failure }: ConditionSource): readonly ActiveCondition[] {
  if (failure === null) return []
  const kind = failure.kind === 'diskLow' ? 'diskLow' : 'storage'
  return [
    { kind, about: kind, route: { screen: 'settings', section: 'storage' }, notifyAt: null, spell: kind },
  ]
}

function signedOut({ mode, service }: ConditionSource): readonly ActiveCondition[] {
  if (mode.kind !== 'paused' || mode.why !== 'signedOut') return []
  return [
    {
      kind: 'signedOut',
      about: 'signedOut',
      route: { screen: 'settings', section: 'service' },
      notifyAt: service.since + SIGNED_OUT_MS,
      spell: String(service.since),
    },
  ]
}

function foldersAway({ folders }: ConditionSource): readonly ActiveCondition[] {
  return folders
    .filter(({ health }) => health === 'unreachable')
    .map(({ path, since }) => ({
      kind: 'folderUnreachable',
      about: path,
      route: { screen: 'settings', section: 'folders' },
      notifyAt: since + FOLDER_AWAY_MS,
      spell: String(since),
    }))
}

/** Without waiting cases, an unreachable service does not matter. */
function serviceAway({ mode, service, counts }: ConditionSource): readonly ActiveCondition[] {
  const isMissed = (counts.waiting ?? 0) + (counts.sending ?? 0) + (counts.unconfirmed ?? 0) > 0
  if (mode.kind !== 'running' || service.health !== 'trouble' || !isMissed) return []
  return [
    {
      kind: 'serviceAway',
      about: 'serviceAway',
      route: { screen: 'queue' },
      notifyAt: service.since + SERVICE_AWAY_MS,
      spell: String(service.since),
    },
  ]
}
