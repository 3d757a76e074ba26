import { describe, expect, it } from 'vitest'
import {
  activeConditions,
  dueNotices,
  type WaitingOccasion,
} from '../../../../src-main/station/notices/notices.ts'
import { NOTICE_KINDS, type NoticeKind } from '../../../../src-main/station/ports.ts'
import { notificationSettingsSchema } from '../../../../src-shared/desktop-settings.ts'
import type { DesktopRoute } from '../../../../src-shared/desktop.ts'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { ALARM, folder, NINE, paused, statusWith, TROUBLE } from '../../electron/status-with.ts'

/** On a clock that has run for an hour. */
const NOW = HOUR
const at = (id: string): DesktopRoute => ({ screen: 'submission', id })
const occasion = (kind: NoticeKind, about: string = kind, since = NOW - MINUTE): WaitingOccasion => ({
  kind,
  about,
  route: at(about),
  since,
})

function due(
  waiting: readonly WaitingOccasion[],
  options: {
    readonly settings?: object
    readonly time?: string
    readonly shownAt?: [NoticeKind, number][]
  } = {},
) {
  return dueNotices({
    waiting,
    lastShownAt: new Map(options.shownAt),
    settings: notificationSettingsSchema.parse(options.settings ?? {}),
    at: NOW,
    now: new Date(`2026-11-21T${options.time ?? '12:00'}:59`).getTime(),
  })
}

/** The notices of one of each kind, the first first. */
const shownOfAll = (settings: object, time = '12:00'): readonly NoticeKind[] =>
  due(
    NOTICE_KINDS.map((kind) => occasion(kind)),
    { settings, time },
  ).notices.map(({ kind }) => kind)

const ABOUT_CASES: readonly NoticeKind[] = ['alarm', 'needsAttention', 'waitsTooLong']
const ABOUT_STOPS: readonly NoticeKind[] = ['signedOut', 'serviceAway', 'diskLow', 'storage']
const all = (...without: readonly NoticeKind[]): readonly NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => !without.includes(kind))

describe('what is shown', () => {
  it.each([
    [{}, all()],
    [{ needsPerson: 'off' }, all(...ABOUT_CASES)],
    [{ sendingStopped: 'off' }, all(...ABOUT_STOPS)],
    [{ folderUnreachable: 'off' }, all('folderUnreachable')],
    [{ reports: 'urgent' }, all('reportArrived')],
    [{ reports: 'off' }, all('reportArrived', 'urgentReport')],
  ])('with %o is %j, the most urgent first', (settings, kinds) => {
    expect(shownOfAll(settings)).toEqual(kinds)
  })

  it('leaves nothing waiting that the settings switch off', () => {
    expect(due([occasion('reportArrived')], { settings: { reports: 'off' } })).toEqual({
      notices: [],
      waiting: [],
      nextCheckInMs: null,
    })
  })
})

describe('several at once', () => {
  it('are one notice with their number, which leads to where all are seen', () => {
    const cases = ['a', 'b', 'c'].map((id) => occasion('needsAttention', id))
    expect(due(cases).notices).toEqual([{ kind: 'needsAttention', count: 3, route: { screen: 'queue' } }])
    expect(due([occasion('needsAttention', 'a')]).notices).toEqual([
      { kind: 'needsAttention', count: 1, route: at('a') },
    ])
    expect(due([occasion('urgentReport', 'a'), occasion('urgentReport', 'b')]).notices).toEqual([
      { kind: 'urgentReport', count: 2, route: { screen: 'reports', of: null } },
    ])
  })

  it('are collected for some seconds from the first of them on', () => {
    const first = occasion('needsAttention', 'a', NOW - 2 * SECOND)
    const second = occasion('needsAttention', 'b', NOW)
    expect(due([first, second])).toEqual({ notices: [], waiting: [first, second], nextCheckInMs: 3 * SECOND })
    const older = { ...first, since: NOW - 5 * SECOND }
    expect(due([older, second])).toMatchObject({ notices: [{ count: 2 }], waiting: [], nextCheckInMs: null })
  })

  it('that follow a notice of their kind wait for some minutes, and others do not', () => {
    const again = due([occasion('needsAttention', 'b'), occasion('diskLow')], {
      shownAt: [['needsAttention', NOW - MINUTE]],
    })
    expect(again.notices.map(({ kind }) => kind)).toEqual(['diskLow'])
    expect(again.waiting.map(({ about }) => about)).toEqual(['b'])
    expect(again.nextCheckInMs).toBe(MINUTE)
  })
})

describe('quiet hours', () => {
  it.each([
    ['22:00', '07:00', '21:59', true],
    ['22:00', '07:00', '22:00', false],
    ['22:00', '07:00', '00:00', false],
    ['22:00', '07:00', '06:59', false],
    ['22:00', '07:00', '07:00', true],
    ['12:30', '13:30', '12:29', true],
    ['12:30', '13:30', '12:30', false],
    ['12:30', '13:30', '13:29', false],
    ['12:30', '13:30', '13:30', true],
    ['00:00', '00:00', '00:00', true],
  ])('from %s to %s: at %s a notice is shown: %s', (from, to, time, isShown) => {
    const waiting = [occasion('needsAttention')]
    const { notices, waiting: left } = due(waiting, { settings: { quiet: { from, to } }, time })
    expect([notices.length, left.length]).toEqual(isShown ? [1, 0] : [0, 1])
  })

  const quiet = { from: '22:00', to: '07:00' }
  it.each([
    [{ quiet }, ['urgentReport']],
    [{ quiet, urgentInQuiet: 'on' }, ['urgentReport']],
    [{ quiet, urgentInQuiet: 'off' }, []],
    [{ quiet, urgentInQuiet: 'on', reports: 'off' }, []],
  ])('let only an urgent report through, where it is wanted: %o', (settings, kinds) => {
    expect(shownOfAll(settings, '23:00')).toEqual(kinds)
  })

  it('are checked every minute', () => {
    expect(due([occasion('alarm')], { settings: { quiet }, time: '23:00' }).nextCheckInMs).toBe(MINUTE)
  })
})

const conditions = (changes: Parameters<typeof statusWith>[0]): readonly unknown[] =>
  activeConditions(statusWith(changes)).map(({ kind, about, notifyAt }) => [
    kind,
    about,
    notifyAt === null ? 0 : (notifyAt - NINE) / MINUTE,
  ])

describe('an active condition', () => {
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
      'a service away that is asked for a case',
      { service: TROUBLE, counts: { unconfirmed: 1 } },
      [['serviceAway', 'serviceAway', 60]],
    ],
    ['a service away that no case waits for', { service: TROUBLE, counts: { review: 3 } }, []],
    ['a service away in a pause', { service: TROUBLE, mode: paused('person'), counts: { waiting: 1 } }, []],
    ['a pause', { mode: paused('person'), counts: { waiting: 9 } }, []],
    ['a folder that another station takes', { folders: [folder('taken'), folder('paused')] }, []],
    ['cases for a person', { counts: { review: 2, incomplete: 3 } }, []],
  ])('%s', (_name, changes, expected) => {
    expect(conditions(changes)).toEqual(expected)
  })

  it('leads to where it is mended', () => {
    const routes = activeConditions(
      statusWith({
        alarms: [ALARM, { ...ALARM, id: 'a2', submissionId: null }],
        storage: failureOf('diskLow'),
        mode: paused('signedOut'),
        folders: [folder('unreachable')],
      }),
    ).map(({ route }) => route)
    expect(routes).toEqual([
      { screen: 'submission', id: 's1' },
      { screen: 'queue' },
      { screen: 'settings', section: 'storage' },
      { screen: 'settings', section: 'service' },
      { screen: 'settings', section: 'folders' },
    ])
  })
})
