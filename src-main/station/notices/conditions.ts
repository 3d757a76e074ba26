/** What is wrong for as long as the status says so, and from when on a person must know of it. Pure. */
import { HOUR, MINUTE } from '../../../src-shared/durations.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import type { Occasion } from './notices.ts'

/** A camera or a share that is switched on again within this time is no news. */
const FOLDER_AWAY_MS = 5 * MINUTE
/** A token may be refused once, and the next one be taken. */
const SIGNED_OUT_MS = MINUTE
/** A service comes back by itself; one that stays away for so long keeps a day's work here. */
const SERVICE_AWAY_MS = HOUR

export type ActiveCondition = Occasion & {
  /** When it is worth a notice, epoch milliseconds; null: at once. */
  readonly notifyAt: number | null
  /** Changes when the trouble was over in between: then it is told once more. */
  readonly spell: string
}

export type ConditionSource = Pick<
  StationStatus,
  'mode' | 'counts' | 'folders' | 'service' | 'storage' | 'alarms'
>

/** All that stands now, each with when it is to be told. */
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

/** Where nothing waits, nobody misses the service. */
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
