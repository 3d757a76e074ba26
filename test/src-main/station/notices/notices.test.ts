import { describe, expect, it, onTestFinished } from 'vitest'
import {
  activeConditions,
  createNotificationScheduler,
  dueNotices,
  openOverdueNotices,
  type WaitingOccasion,
} from '../../../../src-main/station/notices/notices.ts'
import { NOTICE_KINDS, type NoticeKind } from '../../../../src-main/station/ports.ts'
import { type NotificationSettings, notificationSettingsSchema } from '../../../../src-shared/settings.ts'
import type { DesktopRoute } from '../../../../src-shared/desktop.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { addWaiting, MORNING, openTestOutbox } from '../../../tools/outbox-with.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ALARM, folder, NINE, paused, statusWith, TROUBLE } from '../../electron/status-with.ts'

function notices(changes: object = {}) {
  const clock = new ManualClock({ now: NINE })
  const shown: string[] = []
  let settings: NotificationSettings = notificationSettingsSchema.parse(changes)
  const scheduler = createNotificationScheduler({
    clock,
    settings: () => settings,
    notifier: { notify: ({ kind, count }) => void shown.push(`${kind} ${count}`) },
  })
  const away = (since: number) => statusWith({ folders: [{ ...folder('unreachable'), since }] })
  const set = (next: object): void => void (settings = notificationSettingsSchema.parse(next))
  return { clock, shown, scheduler, away, there: statusWith({ folders: [folder('watching')] }), set }
}

/** Until a notice that is due has collected what belongs to it. */
const COLLECTED = 5 * SECOND

describe('a folder that is out of reach', () => {
  it('is shown after five minutes, once', async () => {
    const { clock, shown, scheduler, away } = notices()
    scheduler.observeStatus(away(NINE))
    await clock.turn(5 * MINUTE - SECOND)
    expect(shown).toEqual([])
    await clock.turn(SECOND + COLLECTED)
    expect(shown).toEqual(['folderUnreachable 1'])
    scheduler.observeStatus(away(NINE))
    await clock.turn(HOUR)
    expect(shown).toHaveLength(1)
  })

  it('is shown at the end of its time though the clock was set in between', async () => {
    const { clock, shown, scheduler, away } = notices()
    scheduler.observeStatus(away(NINE))
    clock.set(HOUR)
    await clock.turn(MINUTE + COLLECTED)
    expect(shown).toEqual(['folderUnreachable 1'])
  })

  it('is not shown if it comes back before, and shown again when it goes once more', async () => {
    const { clock, shown, scheduler, away, there } = notices()
    scheduler.observeStatus(away(NINE))
    await clock.turn(3 * MINUTE)
    scheduler.observeStatus(there)
    await clock.turn(10 * MINUTE)
    expect(shown).toEqual([])
    scheduler.observeStatus(away(clock.now()))
    await clock.turn(5 * MINUTE + COLLECTED)
    scheduler.observeStatus(there)
    scheduler.observeStatus(away(clock.now()))
    await clock.turn(5 * MINUTE + COLLECTED)
    expect(shown).toHaveLength(2)
  })
})

describe('quiet hours', () => {
  const quiet = { from: '08:00', to: '10:00' }

  it('put off what is still so when they end', async () => {
    const { clock, shown, scheduler, away } = notices({ quiet })
    scheduler.observeStatus(away(NINE))
    scheduler.observeCase({ id: 's1', state: 'refused' })
    scheduler.observeCase({ id: 's2', state: 'refused' })
    await clock.turn(59 * MINUTE)
    expect(shown).toEqual([])
    await clock.turn(2 * MINUTE)
    expect(shown).toEqual(['needsAttention 2', 'folderUnreachable 1'])
  })

  it('swallow what was over before they ended', async () => {
    const { clock, shown, scheduler, away, there } = notices({ quiet })
    scheduler.observeStatus(away(NINE))
    scheduler.observeCase({ id: 's1', state: 'refused' })
    await clock.turn(30 * MINUTE)
    scheduler.observeStatus(there)
    scheduler.observeCase({ id: 's1', state: 'waiting' })
    await clock.turn(HOUR)
    expect(shown).toEqual([])
  })

  it('end when the setting says so', async () => {
    const { clock, shown, scheduler, set } = notices({ quiet })
    scheduler.observeCase({ id: 's1', state: 'refused' })
    await clock.turn(MINUTE)
    set({ quiet: null })
    await clock.turn(MINUTE)
    expect(shown).toEqual(['needsAttention 1'])
  })
})

describe('cases', () => {
  it('that are refused in a short time are one notice, and those that follow are another', async () => {
    const { clock, shown, scheduler } = notices()
    for (const id of ['s1', 's2', 's1', 's3']) scheduler.observeCase({ id, state: 'refused' })
    await clock.turn(COLLECTED)
    expect(shown).toEqual(['needsAttention 3'])
    scheduler.observeCase({ id: 's4', state: 'refused' })
    await clock.turn(MINUTE)
    scheduler.observeCase({ id: 's5', state: 'refused' })
    await clock.turn(5 * MINUTE)
    expect(shown).toEqual(['needsAttention 3', 'needsAttention 2'])
  })

  it('are shown once for each time that they are refused, however often they are observed', async () => {
    const { clock, shown, scheduler } = notices()
    const is = async (state: 'refused' | 'waiting'): Promise<void> => {
      scheduler.observeCase({ id: 's1', state })
      await clock.turn(10 * MINUTE)
    }
    await is('refused')
    await is('refused')
    expect(shown).toHaveLength(1)
    await is('waiting')
    await is('refused')
    expect(shown).toHaveLength(2)
  })

  it('in their daily states are no news', async () => {
    const { clock, shown, scheduler } = notices()
    for (const state of ['collecting', 'incomplete', 'review', 'waiting', 'sending', 'sent'] as const)
      scheduler.observeCase({ id: state, state })
    scheduler.observeStatus(statusWith({ counts: { incomplete: 1, review: 1 } }))
    await clock.turn(HOUR)
    expect(shown).toEqual([])
  })
})

it('shows nothing after the end', async () => {
  const { clock, shown, scheduler, away } = notices()
  scheduler.observeStatus(away(NINE))
  scheduler.observeCase({ id: 's1', state: 'refused' })
  scheduler.close()
  scheduler.observeStatus(away(NINE))
  await clock.turn(HOUR)
  expect(shown).toEqual([])
})

function overdueNotices(now: number) {
  const test = openTestOutbox()
  const clock = new ManualClock({ now })
  const shown: string[] = []
  const begin = (): void => {
    const loop = openOverdueNotices({
      outbox: test.outbox,
      clock,
      logger: createRecordingLogger(),
      notify: ({ kind, about, route }) => {
        expect([kind, route]).toEqual(['waitsTooLong', { screen: 'submission', id: about }])
        shown.push(about)
      },
    })
    onTestFinished(() => loop.close())
  }
  return { test, clock, shown, begin }
}

it('shows a case that was captured a day ago and is not sent, once', async () => {
  const { test, clock, shown, begin } = overdueNotices(MORNING + DAY - 30 * MINUTE)
  const old = addWaiting(test, { at: MORNING })
  addWaiting(test, { at: MORNING + 12 * HOUR })
  begin()
  await clock.turn(30 * MINUTE)
  expect(shown).toEqual([])
  await clock.turn(HOUR)
  expect(shown).toEqual([old])
  await clock.turn(5 * HOUR)
  expect(shown).toHaveLength(1)
})

it('lets a start go first', async () => {
  const { test, clock, shown, begin } = overdueNotices(MORNING + 2 * DAY)
  const old = addWaiting(test, { at: MORNING })
  begin()
  await clock.turn(MINUTE)
  expect(shown).toEqual([])
  await clock.turn(2 * MINUTE)
  expect(shown).toEqual([old])
})

it('shows nothing of one that a person has discarded', async () => {
  const { test, clock, shown, begin } = overdueNotices(MORNING + 2 * DAY)
  const id = addWaiting(test, { at: MORNING })
  test.outbox.moveSubmission(id, 'discarded', {}, { at: MORNING })
  begin()
  await clock.turn(2 * HOUR)
  expect(shown).toEqual([])
})

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

describe('the quiet hours', () => {
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
  ])('let only an urgent report through, if it is wanted: %o', (settings, kinds) => {
    expect(shownOfAll(settings, '23:00')).toEqual(kinds)
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

  it('leads to the place of the mend', () => {
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
