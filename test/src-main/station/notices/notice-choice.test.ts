import { describe, expect, it } from 'vitest'
import { dueNotices, timeOfDay, type WaitingOccasion } from '../../../../src-main/station/notices/due.ts'
import { NOTICE_KINDS, type NoticeKind } from '../../../../src-main/station/ports.ts'
import { notificationSettingsSchema } from '../../../../src-shared/desktop-settings.ts'
import type { DesktopRoute } from '../../../../src-shared/desktop.ts'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'

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
  given: {
    readonly settings?: object
    readonly time?: string
    readonly toldAt?: [NoticeKind, number][]
  } = {},
) {
  return dueNotices({
    waiting,
    lastShownAt: new Map(given.toldAt),
    settings: notificationSettingsSchema.parse(given.settings ?? {}),
    at: NOW,
    time: given.time ?? '12:00',
  })
}

/** What is told of one of each kind, the first first. */
const toldOfAll = (settings: object, time = '12:00'): readonly NoticeKind[] =>
  due(
    NOTICE_KINDS.map((kind) => occasion(kind)),
    { settings, time },
  ).notices.map(({ kind }) => kind)

const ABOUT_CASES: readonly NoticeKind[] = ['alarm', 'needsAttention', 'waitsTooLong']
const ABOUT_STOPS: readonly NoticeKind[] = ['signedOut', 'serviceAway', 'diskLow', 'storage']
const all = (...without: readonly NoticeKind[]): readonly NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => !without.includes(kind))

describe('what is told', () => {
  it.each([
    [{}, all()],
    [{ needsPerson: 'off' }, all(...ABOUT_CASES)],
    [{ sendingStopped: 'off' }, all(...ABOUT_STOPS)],
    [{ folderUnreachable: 'off' }, all('folderUnreachable')],
    [{ reports: 'urgent' }, all('reportArrived')],
    [{ reports: 'off' }, all('reportArrived', 'urgentReport')],
  ])('with %o is %j, the most urgent first', (settings, kinds) => {
    expect(toldOfAll(settings)).toEqual(kinds)
  })

  it('leaves nothing waiting that nobody wants to hear', () => {
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

  it('are gathered for some seconds from the first of them on', () => {
    const first = occasion('needsAttention', 'a', NOW - 2 * SECOND)
    const second = occasion('needsAttention', 'b', NOW)
    expect(due([first, second])).toEqual({ notices: [], waiting: [first, second], nextCheckInMs: 3 * SECOND })
    const older = { ...first, since: NOW - 5 * SECOND }
    expect(due([older, second])).toMatchObject({ notices: [{ count: 2 }], waiting: [], nextCheckInMs: null })
  })

  it('that follow a notice of their kind wait for some minutes, and others do not', () => {
    const again = due([occasion('needsAttention', 'b'), occasion('diskLow')], {
      toldAt: [['needsAttention', NOW - MINUTE]],
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
  ])('from %s to %s: at %s a notice is told: %s', (from, to, time, isTold) => {
    const waiting = [occasion('needsAttention')]
    const { notices, waiting: left } = due(waiting, { settings: { quiet: { from, to } }, time })
    expect([notices.length, left.length]).toEqual(isTold ? [1, 0] : [0, 1])
  })

  const quiet = { from: '22:00', to: '07:00' }
  it.each([
    [{ quiet }, ['urgentReport']],
    [{ quiet, urgentInQuiet: 'on' }, ['urgentReport']],
    [{ quiet, urgentInQuiet: 'off' }, []],
    [{ quiet, urgentInQuiet: 'on', reports: 'off' }, []],
  ])('let only an urgent report through, where it is wanted: %o', (settings, kinds) => {
    expect(toldOfAll(settings, '23:00')).toEqual(kinds)
  })

  it('are looked out of every minute', () => {
    expect(due([occasion('alarm')], { settings: { quiet }, time: '23:00' }).nextCheckInMs).toBe(MINUTE)
  })

  it('go by the clock on the wall of this computer', () => {
    expect(timeOfDay(new Date(2026, 10, 21, 6, 5).getTime())).toBe('06:05')
    expect(timeOfDay(new Date(2026, 10, 21, 23, 59).getTime())).toBe('23:59')
  })
})
