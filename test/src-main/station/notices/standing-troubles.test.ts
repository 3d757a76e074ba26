import { describe, expect, it } from 'vitest'
import { activeConditions } from '../../../../src-main/station/notices/due.ts'
import { HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { ALARM, folder, NINE, paused, statusWith, TROUBLE } from '../../electron/status-with.ts'

const told = (changes: Parameters<typeof statusWith>[0]): readonly unknown[] =>
  activeConditions(statusWith(changes)).map(({ kind, about, notifyAt: tellAt }) => [
    kind,
    about,
    tellAt === null ? 0 : (tellAt - NINE) / MINUTE,
  ])

describe('a trouble that stands', () => {
  it.each<[string, Parameters<typeof statusWith>[0], readonly unknown[]]>([
    ['none', {}, []],
    [
      'an alarm',
      { alarms: [ALARM, { ...ALARM, id: 'a2' }] },
      [
        ['alarm', 'a1', 0],
        ['alarm', 'a2', 0],
      ],
    ],
    ['a full disk', { storage: failureOf('diskLow') }, [['diskLow', 'diskLow', 0]]],
    ['a failing disk', { storage: failureOf('storage') }, [['storage', 'storage', 0]]],
    ['signed out', { mode: paused('signedOut'), service: TROUBLE }, [['signedOut', 'signedOut', 1]]],
    ['a folder away', { folders: [folder('unreachable')] }, [['folderUnreachable', '/camera', 5]]],
    [
      'a service away that cases wait for',
      { service: TROUBLE, counts: { waiting: 1 } },
      [['serviceAway', 'serviceAway', 60]],
    ],
    [
      'a service away that is looked in for a case',
      { service: TROUBLE, counts: { unconfirmed: 1 } },
      [['serviceAway', 'serviceAway', 60]],
    ],
    ['a service away that nobody misses', { service: TROUBLE, counts: { review: 3 } }, []],
    ['a service away in a pause', { service: TROUBLE, mode: paused('person'), counts: { waiting: 1 } }, []],
    ['a pause', { mode: paused('person'), counts: { waiting: 9 } }, []],
    ['a folder that another station takes', { folders: [folder('taken'), folder('paused')] }, []],
    ['cases for a person', { counts: { review: 2, incomplete: 3 } }, []],
  ])('%s', (_name, changes, expected) => {
    expect(told(changes)).toEqual(expected)
  })

  it('leads to where it is mended', () => {
    const places = activeConditions(
      statusWith({
        alarms: [ALARM, { ...ALARM, id: 'a2', submissionId: null }],
        storage: failureOf('diskLow'),
        mode: paused('signedOut'),
        folders: [folder('unreachable')],
      }),
    ).map(({ route: place }) => place)
    expect(places).toEqual([
      { screen: 'submission', id: 's1' },
      { screen: 'queue' },
      { screen: 'settings', section: 'storage' },
      { screen: 'settings', section: 'service' },
      { screen: 'settings', section: 'folders' },
    ])
  })

  it('has another spell when it was over in between', () => {
    const spellAt = (since: number) =>
      activeConditions(statusWith({ service: { ...TROUBLE, since }, counts: { waiting: 1 } }))[0]?.spell
    expect(spellAt(NINE)).not.toBe(spellAt(NINE + HOUR))
  })
})
