import { describe, expect, it } from 'vitest'
import type { ShownSettings } from '../../../src-shared/settings.ts'
import type { FolderStatus, StationStatus } from '../../../src-shared/station-status.ts'
import { chooseBanner, type BannerInput } from '../../../src-renderer/shell/banner-choice.ts'
import { countsOf, failing, syntheticStatus } from '../synthetic-submission.ts'

const folder: FolderStatus = {
  path: '/camera',
  health: 'watching',
  since: 0,
  lastSweepAt: null,
  lastImageAt: null,
  guard: 'guarded',
  existingCount: 0,
  failure: null,
  notes: [],
}
const settings = { folders: [{ path: '/camera' }] } as unknown as ShownSettings
const trouble = (kind: Parameters<typeof failing>[0]): StationStatus['service'] => ({
  health: 'trouble',
  since: 0,
  failure: failing(kind),
  nextTryAt: 20_000,
  lastSuccessAt: null,
})

/** Each trouble with all that are less important: the first must be the one that is shown. */
const LADDER: readonly {
  readonly kind: string
  readonly change: Partial<BannerInput> | Partial<StationStatus>
}[] = [
  { kind: 'lost', change: { connection: { kind: 'lost', why: 'unreachable' } } },
  { kind: 'paused', change: { mode: { kind: 'paused', why: 'person', until: null } } },
  { kind: 'storage', change: { storage: failing('storage') } },
  { kind: 'folder', change: { folders: [{ ...folder, health: 'unreachable' }] } },
  { kind: 'asking', change: { folders: [{ ...folder, health: 'asking', existingCount: 3 }] } },
  { kind: 'diskLow', change: { storage: failing('diskLow') } },
  { kind: 'service', change: { service: trouble('offline') } },
  { kind: 'clock', change: { skewMs: 600_000 } },
  { kind: 'noFolder', change: { settings: { folders: [] } as unknown as ShownSettings } },
  { kind: 'needYou', change: { counts: countsOf({ review: 1 }) } },
  { kind: 'well', change: {} },
]

function inputOf(changes: readonly object[]): BannerInput {
  // The most important stands first, so it is merged last.
  const merged = Object.assign({}, ...changes.toReversed()) as Partial<BannerInput> & Partial<StationStatus>
  const {
    connection = { kind: 'open', revision: 0 },
    settings: given = settings,
    skewMs = 0,
    ...status
  } = merged
  return { connection, settings: given, skewMs, status: syntheticStatus({ folders: [folder], ...status }) }
}

describe('the one banner', () => {
  it.each(LADDER.map(({ kind }, index) => [kind, index] as const))(
    'is %s before all that matters less',
    (kind, index) => {
      expect(chooseBanner(inputOf(LADDER.slice(index).map(({ change }) => change))).kind).toBe(kind)
    },
  )

  it('tells a screen that is not signed in from a station that is away', () => {
    const connection = { kind: 'lost', why: 'notAuthorised' } as const
    expect(chooseBanner(inputOf([{ connection }])).kind).toBe('notAuthorised')
  })

  it('waits quietly before anything is known', () => {
    const { kind, tone } = chooseBanner({
      connection: { kind: 'connecting' },
      status: null,
      settings: null,
      skewMs: 0,
    })
    expect([kind, tone]).toEqual(['connecting', 'grey'])
  })

  it.each([
    [{ kind: 'starting' }, 'starting'],
    [{ kind: 'stopping' }, 'stopping'],
    [{ kind: 'stopped' }, 'stopped'],
    [{ kind: 'paused', why: 'signedOut', until: null }, 'signedOut'],
    [{ kind: 'paused', why: 'serviceNotSet', until: null }, 'serviceNotSet'],
  ] as const)('follows the mode %j', (mode, kind) => {
    expect(chooseBanner(inputOf([{ mode }])).kind).toBe(kind)
  })

  it('leads to the settings where a person must mend them, and to the next try where time does', () => {
    expect(chooseBanner(inputOf([{ service: trouble('wrongAddress') }])).action).toBe('openSettings')
    const offline = chooseBanner(inputOf([{ service: trouble('offline') }]))
    expect([offline.action, offline.nextTryAt]).toEqual([null, 20_000])
  })
})
