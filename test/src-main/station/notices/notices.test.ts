import { describe, expect, it, onTestFinished } from 'vitest'
import { openNotices } from '../../../../src-main/station/notices/notices.ts'
import { type Notice, NOTICE_KINDS, type NoticeKind } from '../../../../src-main/station/ports.ts'
import { type NotificationSettings, notificationSettingsSchema } from '../../../../src-shared/settings.ts'
import type { StationEvent } from '../../../../src-shared/contract.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import type { StationStatus } from '../../../../src-shared/station-status.ts'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { addWaiting, MORNING, openTestOutbox } from '../../../tools/outbox-with.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ALARM, folder, NINE, paused, statusWith, TROUBLE } from '../../electron/status-with.ts'

function notices(changes: object = {}, { now = NINE, test = openTestOutbox() } = {}) {
  const clock = new ManualClock({ now })
  const noticed: (Notice & { readonly at: number })[] = []
  const shown: string[] = []
  let settings: NotificationSettings = notificationSettingsSchema.parse(changes)
  let listener: (event: StationEvent) => void = () => undefined
  const opened = openNotices({
    events: {
      on: (next) => {
        listener = next
        return () => void (listener = () => undefined)
      },
    },
    outbox: test.outbox,
    ports: {
      clock,
      logger: createRecordingLogger(),
      notifier: {
        notify: (notice) => {
          noticed.push({ ...notice, at: clock.now() })
          shown.push(`${notice.kind} ${notice.count}`)
        },
      },
    },
    settings: () => settings,
  })
  onTestFinished(() => opened.close())
  const emit = (name: string, payload: object): void =>
    listener({ name, revision: 1, payload } as StationEvent)
  const scheduler = {
    observeStatus: (status: StationStatus) => emit('stationChanged', status),
    observeCase: (one: { readonly id: string; readonly state: SubmissionState }) =>
      emit('submissionChanged', one),
    reportArrived: opened.reportArrived,
    close: opened.close,
  }
  const away = (since: number) => statusWith({ folders: [{ ...folder('unreachable'), since }] })
  const set = (next: object): void => void (settings = notificationSettingsSchema.parse(next))
  const there = statusWith({ folders: [folder('watching')] })
  return { clock, noticed, shown, scheduler, away, there, set }
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
  await scheduler.close()
  scheduler.observeStatus(away(NINE))
  await clock.turn(HOUR)
  expect(shown).toEqual([])
})

function overdueNotices(now: number) {
  const test = openTestOutbox()
  const begin = () => notices({}, { now, test })
  return { test, begin }
}
const TOO_LONG = 'waitsTooLong 1'

it('shows a case that was captured a day ago and is not sent, once', async () => {
  const { test, begin } = overdueNotices(MORNING + DAY - 30 * MINUTE)
  const old = addWaiting(test, { at: MORNING })
  addWaiting(test, { at: MORNING + 12 * HOUR })
  const { clock, noticed, shown } = begin()
  await clock.turn(30 * MINUTE)
  expect(shown).toEqual([])
  await clock.turn(HOUR)
  expect(noticed).toMatchObject([{ kind: 'waitsTooLong', route: { screen: 'submission', id: old } }])
  await clock.turn(5 * HOUR)
  expect(shown).toEqual([TOO_LONG])
})

it('lets a start go first', async () => {
  const { test, begin } = overdueNotices(MORNING + 2 * DAY)
  addWaiting(test, { at: MORNING })
  const { clock, shown } = begin()
  await clock.turn(MINUTE)
  expect(shown).toEqual([])
  await clock.turn(2 * MINUTE)
  expect(shown).toEqual([TOO_LONG])
})

it('shows nothing of one that a person has discarded, before it is looked for or before it is shown', async () => {
  const { test, begin } = overdueNotices(MORNING + 2 * DAY)
  const id = addWaiting(test, { at: MORNING })
  const sent = addWaiting(test, { at: MORNING })
  test.outbox.moveSubmission(id, 'discarded', {}, { at: MORNING })
  const { clock, shown, scheduler } = begin()
  await clock.turn(2 * MINUTE)
  scheduler.observeCase({ id: sent, state: 'sent' })
  await clock.turn(2 * HOUR)
  expect(shown).toEqual([])
})

/** Every kind once, as the events of a station bring it; the kinds that were shown, in order. */
async function shownOfAll(settings: object, now = NINE): Promise<readonly NoticeKind[]> {
  const test = openTestOutbox()
  addWaiting(test, { at: now - 2 * DAY })
  const { clock, noticed, scheduler } = notices(settings, { now, test })
  const service = { ...TROUBLE, since: now - 2 * HOUR }
  const away = { folders: [{ ...folder('unreachable'), since: now - HOUR }], service }
  const waiting = { counts: { waiting: 1 } }
  const minutes = 4 * MINUTE
  await clock.turn(MINUTE)
  scheduler.observeCase({ id: 's2', state: 'refused' })
  scheduler.observeStatus(statusWith({ ...away, ...waiting, storage: failureOf('diskLow'), alarms: [ALARM] }))
  for (const isUrgent of [true, false]) scheduler.reportArrived({ caseId: '1', submissionId: 's1', isUrgent })
  await clock.turn(minutes)
  const first = noticed.splice(0).map(({ kind }) => kind)
  scheduler.observeStatus(
    statusWith({ ...away, mode: paused('signedOut'), storage: failureOf('storage'), alarms: [ALARM] }),
  )
  await clock.turn(minutes)
  const kinds = [...first, ...noticed.map(({ kind }) => kind)]
  return NOTICE_KINDS.filter((kind) => kinds.includes(kind))
}

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
  ])('with %o is %j', async (settings, kinds) => {
    expect(await shownOfAll(settings)).toEqual(kinds)
  })

  it('is the most urgent first', async () => {
    const { clock, noticed, scheduler } = notices()
    scheduler.reportArrived({ caseId: '1', submissionId: 's1', isUrgent: false })
    scheduler.observeCase({ id: 's2', state: 'refused' })
    scheduler.observeStatus(statusWith({ alarms: [ALARM], storage: failureOf('diskLow') }))
    await clock.turn(COLLECTED)
    expect(noticed.map(({ kind }) => kind)).toEqual(['alarm', 'needsAttention', 'diskLow', 'reportArrived'])
  })

  it('is not what the settings switched off when it came', async () => {
    const { clock, shown, scheduler, set } = notices({ reports: 'off', needsPerson: 'off' })
    scheduler.reportArrived({ caseId: '1', submissionId: 's1', isUrgent: false })
    scheduler.observeCase({ id: 's2', state: 'refused' })
    set({})
    scheduler.observeCase({ id: 's2', state: 'refused' })
    await clock.turn(HOUR)
    expect(shown).toEqual([])
  })
})

describe('several at once', () => {
  it('are one notice with their number, which leads to where all are seen', async () => {
    const { clock, noticed, scheduler } = notices()
    for (const id of ['a', 'b', 'c']) scheduler.observeCase({ id, state: 'refused' })
    for (const caseId of ['1', '2']) scheduler.reportArrived({ caseId, submissionId: caseId, isUrgent: true })
    scheduler.reportArrived({ caseId: '3', submissionId: 'c', isUrgent: false })
    await clock.turn(COLLECTED)
    expect(noticed).toMatchObject([
      { kind: 'urgentReport', count: 2, route: { screen: 'reports', of: null } },
      { kind: 'needsAttention', count: 3, route: { screen: 'queue' } },
      {
        kind: 'reportArrived',
        count: 1,
        route: { screen: 'reports', of: { caseId: '3', submissionId: 'c' } },
      },
    ])
  })

  it('are collected for some seconds from the first of them on', async () => {
    const { clock, noticed, scheduler } = notices()
    scheduler.observeCase({ id: 'a', state: 'refused' })
    await clock.turn(3 * SECOND)
    scheduler.observeCase({ id: 'b', state: 'refused' })
    await clock.turn(COLLECTED)
    expect(noticed).toMatchObject([{ count: 2, at: NINE + COLLECTED }])
  })

  it('that follow a notice of their kind wait for some minutes, and others do not', async () => {
    const { clock, noticed, scheduler } = notices()
    const report = { caseId: '1', submissionId: 's1', isUrgent: false }
    scheduler.reportArrived(report)
    await clock.turn(COLLECTED)
    scheduler.reportArrived(report)
    scheduler.observeCase({ id: 'a', state: 'refused' })
    await clock.turn(10 * MINUTE)
    expect(noticed.map(({ kind, at }) => [kind, at - NINE])).toEqual([
      ['reportArrived', COLLECTED],
      ['needsAttention', 2 * COLLECTED],
      ['reportArrived', COLLECTED + 2 * MINUTE],
    ])
  })
})

/** That instant of the day, and some seconds. */
const on = (time: string): number => new Date(`2026-11-21T${time}:50`).getTime()

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
  ])('from %s to %s: at %s a notice is shown: %s', async (from, to, time, isShown) => {
    const { clock, shown, scheduler } = notices({ quiet: { from, to } }, { now: on(time) })
    scheduler.observeCase({ id: 's1', state: 'refused' })
    await clock.turn(COLLECTED)
    expect(shown).toHaveLength(isShown ? 1 : 0)
  })

  const quiet = { from: '22:00', to: '07:00' }
  it.each([
    [{ quiet }, ['urgentReport']],
    [{ quiet, urgentInQuiet: 'on' }, ['urgentReport']],
    [{ quiet, urgentInQuiet: 'off' }, []],
    [{ quiet, urgentInQuiet: 'on', reports: 'off' }, []],
  ])('let only an urgent report through, if it is wanted: %o', async (settings, kinds) => {
    expect(await shownOfAll(settings, on('23:00'))).toEqual(kinds)
  })
})

describe('a condition', () => {
  it.each<[string, Parameters<typeof statusWith>[0], readonly (readonly [string, number])[]]>([
    ['none', {}, []],
    ['an alarm', { alarms: [ALARM, { ...ALARM, id: 'a2' }] }, [['alarm 2', 0]]],
    ['a full disk', { storage: failureOf('diskLow') }, [['diskLow 1', 0]]],
    ['a failing disk', { storage: failureOf('storage') }, [['storage 1', 0]]],
    ['signed out', { mode: paused('signedOut'), service: TROUBLE }, [['signedOut 1', 1]]],
    ['a folder away', { folders: [folder('unreachable')] }, [['folderUnreachable 1', 5]]],
    [
      'a service away that cases wait for',
      { service: TROUBLE, counts: { waiting: 1 } },
      [['serviceAway 1', 60]],
    ],
    [
      'a service away that is asked for a case',
      { service: TROUBLE, counts: { unconfirmed: 1 } },
      [['serviceAway 1', 60]],
    ],
    ['a service away that no case waits for', { service: TROUBLE, counts: { review: 3 } }, []],
    ['a service away in a pause', { service: TROUBLE, mode: paused('person'), counts: { waiting: 1 } }, []],
    ['a pause', { mode: paused('person'), counts: { waiting: 9 } }, []],
    ['a folder that another station takes', { folders: [folder('taken'), folder('paused')] }, []],
    ['cases for a person', { counts: { review: 2, incomplete: 3 } }, []],
  ])('of %s is shown after its minutes', async (_name, changes, expected) => {
    const { clock, noticed, scheduler } = notices()
    scheduler.observeStatus(statusWith(changes))
    await clock.turn(2 * HOUR)
    const minutes = (at: number): number => (at - COLLECTED - NINE) / MINUTE
    expect(noticed.map(({ kind, count, at }) => [`${kind} ${count}`, minutes(at)])).toEqual(expected)
  })

  it.each<[Parameters<typeof statusWith>[0], object]>([
    [{ alarms: [ALARM] }, { screen: 'submission', id: 's1' }],
    [{ alarms: [{ ...ALARM, submissionId: null }] }, { screen: 'queue' }],
    [{ storage: failureOf('diskLow') }, { screen: 'settings', section: 'it' }],
    [{ mode: paused('signedOut') }, { screen: 'settings', section: 'service' }],
    [{ folders: [folder('unreachable')] }, { screen: 'settings', section: 'folders' }],
  ])('leads to the place of the mend: %#', async (changes, route) => {
    const { clock, noticed, scheduler } = notices()
    scheduler.observeStatus(statusWith(changes))
    await clock.turn(HOUR)
    expect(noticed).toMatchObject([{ route }])
  })
})
