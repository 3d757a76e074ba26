/** What is wrong for as long as the status says so, and from when on a person must know of it. Pure. */
import { HOUR, MINUTE } from '../../src-shared/durations.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Occasion } from './notice-choice.ts'

/** A camera or a share that is switched on again within this time is no news. */
const FOLDER_AWAY_MS = 5 * MINUTE
/** A token may be refused once, and the next one be taken. */
const SIGNED_OUT_MS = MINUTE
/** A service comes back by itself; one that stays away for so long keeps a day's work here. */
const SERVICE_AWAY_MS = HOUR

export type StandingTrouble = Occasion & {
  /** When it is worth a notice, epoch milliseconds; null: at once. */
  readonly tellAt: number | null
  /** Changes when the trouble was over in between: then it is told once more. */
  readonly spell: string
}

export type TroubleSource = Pick<
  StationStatus,
  'mode' | 'counts' | 'folders' | 'service' | 'storage' | 'alarms'
>

/** All that stands now, each with when it is to be told. */
export function standingTroubles(status: TroubleSource): readonly StandingTrouble[] {
  return [
    ...alarms(status),
    ...storage(status),
    ...signedOut(status),
    ...foldersAway(status),
    ...serviceAway(status),
  ]
}

function alarms({ alarms: open }: TroubleSource): readonly StandingTrouble[] {
  return open.map(({ id, submissionId }) => ({
    kind: 'alarm',
    about: id,
    place: submissionId === null ? { screen: 'queue' } : { screen: 'submission', id: submissionId },
    tellAt: null,
    spell: id,
  }))
}

function storage({ storage: failure }: TroubleSource): readonly StandingTrouble[] {
  if (failure === null) return []
  const kind = failure.kind === 'diskLow' ? 'diskLow' : 'storage'
  return [{ kind, about: kind, place: { screen: 'settings', section: 'storage' }, tellAt: null, spell: kind }]
}

function signedOut({ mode, service }: TroubleSource): readonly StandingTrouble[] {
  if (mode.kind !== 'paused' || mode.why !== 'signedOut') return []
  return [
    {
      kind: 'signedOut',
      about: 'signedOut',
      place: { screen: 'settings', section: 'service' },
      tellAt: service.since + SIGNED_OUT_MS,
      spell: String(service.since),
    },
  ]
}

function foldersAway({ folders }: TroubleSource): readonly StandingTrouble[] {
  return folders
    .filter(({ health }) => health === 'unreachable')
    .map(({ path, since }) => ({
      kind: 'folderUnreachable',
      about: path,
      place: { screen: 'settings', section: 'folders' },
      tellAt: since + FOLDER_AWAY_MS,
      spell: String(since),
    }))
}

/** Where nothing waits, nobody misses the service. */
function serviceAway({ mode, service, counts }: TroubleSource): readonly StandingTrouble[] {
  const isMissed = (counts.waiting ?? 0) + (counts.sending ?? 0) + (counts.unconfirmed ?? 0) > 0
  if (mode.kind !== 'running' || service.health !== 'trouble' || !isMissed) return []
  return [
    {
      kind: 'serviceAway',
      about: 'serviceAway',
      place: { screen: 'queue' },
      tellAt: service.since + SERVICE_AWAY_MS,
      spell: String(service.since),
    },
  ]
}
