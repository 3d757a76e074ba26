import { describe, expect, it } from 'vitest'
import { type BannerInput, chooseBanner } from '../../../src-renderer/shell/banner.tsx'
import type { Alarm } from '../../../src-shared/alarms.ts'
import { HOUR, MINUTE } from '../../../src-shared/durations.ts'
import type { ShownSettings } from '../../../src-shared/settings.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import { countsOf, failing, syntheticStatus, WATCHED_FOLDER } from '../synthetic-submission.ts'

const settings = { folders: [{ path: '/camera' }] } as unknown as ShownSettings
const trouble = (kind: Parameters<typeof failing>[0]): StationStatus['service'] => ({
  health: 'trouble',
  since: 0,
  failure: failing(kind),
  nextTryAt: 20_000,
  lastSuccessAt: null,
})

const alarm = (kind: Alarm['kind']): Alarm => ({
  id: kind,
  kind,
  submissionId: null,
  reference: null,
  caseIds: [],
  message: '',
  raisedAt: 0,
})

/** Each trouble with all that are less important: the first must be the one that is shown. */
const LADDER: readonly {
  readonly kind: string
  readonly change: Partial<BannerInput> | Partial<StationStatus>
}[] = [
  { kind: 'lost', change: { connection: { kind: 'lost', why: 'unreachable' } } },
  { kind: 'alarm', change: { alarms: [alarm('twoCasesOneReference')] } },
  { kind: 'storage', change: { storage: failing('storage') } },
  { kind: 'paused', change: { mode: { kind: 'paused', why: 'person', until: null } } },
  { kind: 'folder', change: { folders: [{ ...WATCHED_FOLDER, health: 'unreachable' }] } },
  { kind: 'asking', change: { folders: [{ ...WATCHED_FOLDER, health: 'asking', existingCount: 3 }] } },
  { kind: 'diskLow', change: { storage: failing('diskLow') } },
  { kind: 'service', change: { service: trouble('offline') } },
  { kind: 'clock', change: { clock: failing('clockWrong') } },
  { kind: 'clock', change: { skewMs: 600_000 } },
  { kind: 'noFolder', change: { settings: { folders: [] } as unknown as ShownSettings } },
  { kind: 'needYou', change: { counts: countsOf({ review: 1 }) } },
  { kind: 'unanswered', change: { service: { ...trouble('offline'), health: 'unknown', failure: null } } },
  { kind: 'well', change: {} },
]

function inputOf(changes: readonly object[]): BannerInput {
  // The most important stands first, so it is merged last.
  const merged = Object.assign({}, ...changes.toReversed()) as Partial<BannerInput> & Partial<StationStatus>
  const {
    connection = { kind: 'open', revision: 0 },
    settings: shownSettings = settings,
    skewMs = 0,
    ...status
  } = merged
  return {
    connection,
    settings: shownSettings,
    skewMs,
    status: syntheticStatus({ folders: [WATCHED_FOLDER], ...status }),
  }
}

describe('the one banner', () => {
  it.each(LADDER.map(({ kind }, index) => [kind, index] as const))(
    'is %s before all that matters less',
    (kind, index) => {
      expect(chooseBanner(inputOf(LADDER.slice(index).map(({ change }) => change))).kind).toBe(kind)
    },
  )

  it('distinguishes a screen that is not signed in from a station that is away, and waits quietly before it knows', () => {
    const connection = { kind: 'lost', why: 'notAuthorised' } as const
    expect(chooseBanner(inputOf([{ connection }])).kind).toBe('notAuthorised')
    const waiting = chooseBanner(inputOf([{ connection: { kind: 'connecting' } }]))
    expect([waiting.kind, waiting.tone]).toEqual(['connecting', 'grey'])
  })

  it.each([
    [{ kind: 'starting' }, 'starting'],
    [{ kind: 'stopping' }, 'stopping'],
    [{ kind: 'stopped' }, 'stopped'],
    [{ kind: 'paused', why: 'signedOut', until: null }, 'signedOut'],
    [{ kind: 'paused', why: 'serviceNotSet', until: null }, 'serviceNotSet'],
    [{ kind: 'paused', why: 'safeMode', until: null }, 'safeMode'],
  ] as const)('follows the mode %j', (mode, kind) => {
    expect(chooseBanner(inputOf([{ mode }])).kind).toBe(kind)
  })

  it('leads to the settings if a person must mend them, and to the next try if time mends it', () => {
    expect(chooseBanner(inputOf([{ service: trouble('wrongAddress') }])).action).toBe('openSettings')
    const offline = chooseBanner(inputOf([{ service: trouble('offline') }]))
    expect([offline.action, offline.nextTryAt]).toEqual([null, 20_000])
  })

  it('names an alarm that is alone, counts several, and leads to them', () => {
    const one = chooseBanner(inputOf([{ alarms: [alarm('otherPatient')] }]))
    expect([one.title, one.tone, one.action]).toEqual([
      'The service shows another patient under this case',
      'red',
      'showAlarms',
    ])
    const two = chooseBanner(inputOf([{ alarms: [alarm('centerSwitched'), alarm('otherPatient')] }]))
    expect(two.title).toBe('Alarms: 2')
    expect(two.body).toMatch(/^A case may have gone to another center\./)
  })

  it('names the sent case that is contradicted, and whom to call', () => {
    const message = 'FC7K3M9QXAW may be of another patient. Call the reading service.'
    const one = chooseBanner(inputOf([{ alarms: [{ ...alarm('contradicted'), message }] }]))
    expect([one.title, one.tone, one.action]).toEqual([message, 'red', 'showAlarms'])
    const two = chooseBanner(inputOf([{ alarms: [alarm('contradicted'), alarm('otherPatient')] }]))
    expect(two.title).toBe('Alarms: 2')
  })

  it('shows the clock of this computer against the service before the clock of this window', () => {
    const both = inputOf([{ clock: failing('clockWrong') }, { skewMs: 600_000 }])
    expect(chooseBanner(both).title).toBe('This computer’s clock is wrong')
  })

  it.each([
    ['a short pause is kept to without a word', 20 * MINUTE, 'The service asks to slow down'],
    ['a pause of an hour is no longer than an hour', HOUR, 'The service asks to slow down'],
    ['a longer one is questioned', 5 * HOUR, 'The service asks to wait until'],
  ] as const)('when throttled: %s', (_name, waits, title) => {
    const now = 10_000
    const throttled = { ...trouble('throttled'), nextTryAt: now + waits }
    const shown = chooseBanner(inputOf([{ service: throttled, now }]))
    expect(shown.title.startsWith(title)).toBe(true)
    expect([shown.kind, shown.nextTryAt, shown.action]).toEqual(['service', now + waits, null])
    // Without a next question, the end is the one in the answer.
    const failure = { ...failing('throttled'), notBefore: now + waits }
    const answered = inputOf([{ service: { ...throttled, failure, nextTryAt: null }, now }])
    expect(chooseBanner(answered).nextTryAt).toBe(now + waits)
  })
})
