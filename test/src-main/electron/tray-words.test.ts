import { expect, it } from 'vitest'
import { trayWords } from '../../../src-main/electron/tray-words.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import { SUBMISSION_STATES } from '../../../src-shared/states.ts'

type Mode = StationStatus['mode']
type Health = StationStatus['service']['health']

const none = Object.fromEntries(SUBMISSION_STATES.map((state) => [state, 0])) as StationStatus['counts']
const paused = (why: 'person' | 'signedOut' | 'serviceNotSet'): Mode => ({ kind: 'paused', why, until: null })

it.each([
  [{ kind: 'starting' }, {}, 'unknown', 'Fundus Courier: starting'],
  [{ kind: 'running' }, {}, 'reachable', 'Fundus Courier: everything is sent'],
  [{ kind: 'running' }, { waiting: 2, sending: 1 }, 'reachable', 'Fundus Courier: 3 on the way'],
  [{ kind: 'running' }, { waiting: 4 }, 'trouble', 'Fundus Courier: no connection, 4 waiting'],
  [
    { kind: 'running' },
    { unconfirmed: 1 },
    'reachable',
    'Fundus Courier: 1 case needs attention, everything is sent',
  ],
  [
    { kind: 'running' },
    { incomplete: 1, refused: 1, review: 1, waiting: 1 },
    'reachable',
    'Fundus Courier: 3 cases need attention, 1 on the way',
  ],
  [paused('person'), { waiting: 1 }, 'reachable', 'Fundus Courier: sending is paused'],
  [paused('signedOut'), {}, 'trouble', 'Fundus Courier: signed out'],
  [paused('serviceNotSet'), {}, 'unset', 'Fundus Courier: no service is set up'],
  [{ kind: 'stopping' }, {}, 'reachable', 'Fundus Courier: stopping'],
] satisfies [Mode, Partial<StationStatus['counts']>, Health, string][])(
  '%j with %j and the service %s reads %j',
  (mode, counts, health, words) => {
    const service = { health, since: 0, failure: null, nextTryAt: null, lastSuccessAt: null }
    expect(trayWords({ mode, counts: { ...none, ...counts }, service })).toBe(words)
  },
)
