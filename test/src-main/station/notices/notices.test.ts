import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createNotificationScheduler,
  openOverdueNotices,
} from '../../../../src-main/station/notices/notices.ts'
import {
  type NotificationSettings,
  notificationSettingsSchema,
} from '../../../../src-shared/desktop-settings.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { addWaiting, MORNING, openTestOutbox } from '../../../tools/outbox-with.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ALARM, folder, NINE, statusWith, TROUBLE } from '../../electron/status-with.ts'

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

  it('is not shown where it comes back before, and shown again when it goes once more', async () => {
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

describe('a night with everything', () => {
  it('is shown in the order of its urgency', async () => {
    const { clock, shown, scheduler } = notices({
      quiet: { from: '08:00', to: '10:00' },
      urgentInQuiet: 'off',
    })
    const route = { screen: 'queue' } as const
    for (const [kind, about] of [
      ['reportArrived', 's1'],
      ['waitsTooLong', 's2'],
      ['urgentReport', 's3'],
      ['waitsTooLong', 's4'],
    ] as const)
      scheduler.notify({ kind, about, route })
    scheduler.observeStatus(
      statusWith({
        alarms: [ALARM],
        storage: failureOf('diskLow'),
        service: { ...TROUBLE, since: NINE - HOUR },
        counts: { waiting: 2 },
      }),
    )
    await clock.turn(HOUR + MINUTE)
    expect(shown).toEqual([
      'alarm 1',
      'urgentReport 1',
      'diskLow 1',
      'serviceAway 1',
      'waitsTooLong 2',
      'reportArrived 1',
    ])
  })

  it('is shown no more after the end', async () => {
    const { clock, shown, scheduler, away } = notices()
    scheduler.observeStatus(away(NINE))
    scheduler.observeCase({ id: 's1', state: 'refused' })
    scheduler.close()
    scheduler.observeStatus(away(NINE))
    await clock.turn(HOUR)
    expect(shown).toEqual([])
  })
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
  test.outbox.submissions.transition(id, 'discarded', {}, { at: MORNING })
  begin()
  await clock.turn(2 * HOUR)
  expect(shown).toEqual([])
})
