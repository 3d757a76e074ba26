import { describe, expect, it } from 'vitest'
import { createNotificationScheduler } from '../../../../src-main/station/notices/notices.ts'
import {
  type NotificationSettings,
  notificationSettingsSchema,
} from '../../../../src-shared/desktop-settings.ts'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { ALARM, folder, NINE, statusWith, TROUBLE } from '../../electron/status-with.ts'

function notices(changes: object = {}) {
  const clock = new ManualClock({ now: NINE })
  const told: string[] = []
  let settings: NotificationSettings = notificationSettingsSchema.parse(changes)
  const keeper = createNotificationScheduler({
    clock,
    settings: () => settings,
    notifier: { notify: ({ kind, count }) => void told.push(`${kind} ${count}`) },
  })
  const away = (since: number) => statusWith({ folders: [{ ...folder('unreachable'), since }] })
  const set = (next: object): void => void (settings = notificationSettingsSchema.parse(next))
  return { clock, told, keeper, away, there: statusWith({ folders: [folder('watching')] }), set }
}

/** Until a notice that is due has gathered what belongs to it. */
const GATHERED = 5 * SECOND

describe('a folder that is out of reach', () => {
  it('is told of after five minutes, once', async () => {
    const { clock, told, keeper, away } = notices()
    keeper.observeStatus(away(NINE))
    await clock.turn(5 * MINUTE - SECOND)
    expect(told).toEqual([])
    await clock.turn(SECOND + GATHERED)
    expect(told).toEqual(['folderUnreachable 1'])
    keeper.observeStatus(away(NINE))
    await clock.turn(HOUR)
    expect(told).toHaveLength(1)
  })

  it('is told of at the end of its time though the clock was set in between', async () => {
    const { clock, told, keeper, away } = notices()
    keeper.observeStatus(away(NINE))
    clock.set(HOUR)
    await clock.turn(MINUTE + GATHERED)
    expect(told).toEqual(['folderUnreachable 1'])
  })

  it('is not told of where it comes back before, and told of again when it goes once more', async () => {
    const { clock, told, keeper, away, there } = notices()
    keeper.observeStatus(away(NINE))
    await clock.turn(3 * MINUTE)
    keeper.observeStatus(there)
    await clock.turn(10 * MINUTE)
    expect(told).toEqual([])
    keeper.observeStatus(away(clock.now()))
    await clock.turn(5 * MINUTE + GATHERED)
    keeper.observeStatus(there)
    keeper.observeStatus(away(clock.now()))
    await clock.turn(5 * MINUTE + GATHERED)
    expect(told).toHaveLength(2)
  })
})

describe('quiet hours', () => {
  const quiet = { from: '08:00', to: '10:00' }

  it('put off what is still so when they end', async () => {
    const { clock, told, keeper, away } = notices({ quiet })
    keeper.observeStatus(away(NINE))
    keeper.observeCase({ id: 's1', state: 'refused' })
    keeper.observeCase({ id: 's2', state: 'refused' })
    await clock.turn(59 * MINUTE)
    expect(told).toEqual([])
    await clock.turn(2 * MINUTE)
    expect(told).toEqual(['needsAttention 2', 'folderUnreachable 1'])
  })

  it('swallow what was over before they ended', async () => {
    const { clock, told, keeper, away, there } = notices({ quiet })
    keeper.observeStatus(away(NINE))
    keeper.observeCase({ id: 's1', state: 'refused' })
    await clock.turn(30 * MINUTE)
    keeper.observeStatus(there)
    keeper.observeCase({ id: 's1', state: 'waiting' })
    await clock.turn(HOUR)
    expect(told).toEqual([])
  })

  it('let an urgent report through at once', async () => {
    const { clock, told, keeper } = notices({ quiet })
    const place = { screen: 'reports', of: null } as const
    keeper.notify({ kind: 'reportArrived', about: 's1', route: place })
    keeper.notify({ kind: 'urgentReport', about: 's2', route: place })
    await clock.turn(GATHERED)
    expect(told).toEqual(['urgentReport 1'])
  })

  it('end when the setting says so', async () => {
    const { clock, told, keeper, set } = notices({ quiet })
    keeper.observeCase({ id: 's1', state: 'refused' })
    await clock.turn(MINUTE)
    set({ quiet: null })
    await clock.turn(MINUTE)
    expect(told).toEqual(['needsAttention 1'])
  })
})

describe('cases', () => {
  it('that are refused in a short time are one notice, and those that follow are another', async () => {
    const { clock, told, keeper } = notices()
    for (const id of ['s1', 's2', 's1', 's3']) keeper.observeCase({ id, state: 'refused' })
    await clock.turn(GATHERED)
    expect(told).toEqual(['needsAttention 3'])
    keeper.observeCase({ id: 's4', state: 'refused' })
    await clock.turn(MINUTE)
    keeper.observeCase({ id: 's5', state: 'refused' })
    await clock.turn(5 * MINUTE)
    expect(told).toEqual(['needsAttention 3', 'needsAttention 2'])
  })

  it('are told of once for each time that they are refused, however often they are looked at', async () => {
    const { clock, told, keeper } = notices()
    const is = async (state: 'refused' | 'waiting'): Promise<void> => {
      keeper.observeCase({ id: 's1', state })
      await clock.turn(10 * MINUTE)
    }
    await is('refused')
    await is('refused')
    expect(told).toHaveLength(1)
    await is('waiting')
    await is('refused')
    expect(told).toHaveLength(2)
  })

  it('in their daily states are no news', async () => {
    const { clock, told, keeper } = notices()
    for (const state of ['collecting', 'incomplete', 'review', 'waiting', 'sending', 'sent'] as const)
      keeper.observeCase({ id: state, state })
    keeper.observeStatus(statusWith({ counts: { incomplete: 1, review: 1 } }))
    await clock.turn(HOUR)
    expect(told).toEqual([])
  })
})

describe('a night with everything', () => {
  it('is told in the order of its urgency', async () => {
    const { clock, told, keeper } = notices({ quiet: { from: '08:00', to: '10:00' }, urgentInQuiet: 'off' })
    const place = { screen: 'queue' } as const
    for (const [kind, about] of [
      ['reportArrived', 's1'],
      ['waitsTooLong', 's2'],
      ['urgentReport', 's3'],
      ['waitsTooLong', 's4'],
    ] as const)
      keeper.notify({ kind, about, route: place })
    keeper.observeStatus(
      statusWith({
        alarms: [ALARM],
        storage: failureOf('diskLow'),
        service: { ...TROUBLE, since: NINE - HOUR },
        counts: { waiting: 2 },
      }),
    )
    await clock.turn(HOUR + MINUTE)
    expect(told).toEqual([
      'alarm 1',
      'urgentReport 1',
      'diskLow 1',
      'serviceAway 1',
      'waitsTooLong 2',
      'reportArrived 1',
    ])
  })

  it('is told of no more after the end', async () => {
    const { clock, told, keeper, away } = notices()
    keeper.observeStatus(away(NINE))
    keeper.observeCase({ id: 's1', state: 'refused' })
    keeper.close()
    keeper.observeStatus(away(NINE))
    await clock.turn(HOUR)
    expect(told).toEqual([])
  })
})
