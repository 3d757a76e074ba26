import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE } from '../../../src-shared/durations.ts'
import { notificationSettingsSchema, type NotificationSettings } from '../../../src-shared/settings.ts'
import { keepNotices } from '../../../src-main/station/keep-notices.ts'
import { ManualClock } from '../../tools/manual-clock.ts'

const NINE = new Date(2026, 10, 21, 9).getTime()

function notices(changes: object = {}) {
  const clock = new ManualClock({ now: NINE })
  const told: string[] = []
  const settings: NotificationSettings = notificationSettingsSchema.parse(changes)
  const keeper = keepNotices({
    clock,
    settings: () => settings,
    notifier: { notify: ({ kind }) => void told.push(kind) },
  })
  const away = (since: number) => ({ path: '/camera', health: 'unreachable' as const, since })
  return { clock, told, keeper, away, there: { path: '/camera', health: 'watching' as const, since: NINE } }
}

describe('a folder that is out of reach', () => {
  it('is told of after five minutes, once', async () => {
    const { clock, told, keeper, away } = notices()
    keeper.lookAtFolders([away(NINE)])
    await clock.turn(4 * MINUTE)
    expect(told).toEqual([])
    await clock.turn(MINUTE)
    expect(told).toEqual(['folderUnreachable'])
    keeper.lookAtFolders([away(NINE)])
    await clock.turn(HOUR)
    expect(told).toHaveLength(1)
  })

  it('is not told of after the end, whatever is still seen of it', async () => {
    const { clock, told, keeper, away } = notices()
    keeper.close()
    keeper.lookAtFolders([away(NINE)])
    await clock.turn(HOUR)
    expect(told).toEqual([])
  })

  it('is not told of where it comes back before, and told of again when it goes once more', async () => {
    const { clock, told, keeper, away, there } = notices()
    keeper.lookAtFolders([away(NINE)])
    await clock.turn(3 * MINUTE)
    keeper.lookAtFolders([there])
    await clock.turn(10 * MINUTE)
    expect(told).toEqual([])
    keeper.lookAtFolders([away(clock.now())])
    await clock.turn(5 * MINUTE)
    keeper.lookAtFolders([there])
    keeper.lookAtFolders([away(clock.now())])
    await clock.turn(5 * MINUTE)
    expect(told).toHaveLength(2)
  })

  it('is told of after the quiet hours where it is still away', async () => {
    const { clock, told, keeper, away } = notices({ quiet: { from: '08:00', to: '10:00' } })
    keeper.lookAtFolders([away(NINE)])
    await clock.turn(59 * MINUTE)
    expect(told).toEqual([])
    await clock.turn(6 * MINUTE)
    expect(told).toEqual(['folderUnreachable'])
  })

  it('is told of no more after the end', async () => {
    const { clock, told, keeper, away } = notices()
    keeper.lookAtFolders([away(NINE)])
    keeper.close()
    await clock.turn(HOUR)
    expect(told).toEqual([])
  })
})

describe('what the parts tell', () => {
  it('passes where the clinic wants to hear it', () => {
    const { told, keeper } = notices({ reports: 'urgent' })
    keeper.notify({ kind: 'reportArrived', submissionId: 's1', isUrgent: false })
    keeper.notify({ kind: 'needsAttention', submissionId: 's1' })
    expect(told).toEqual(['needsAttention'])
  })
})
