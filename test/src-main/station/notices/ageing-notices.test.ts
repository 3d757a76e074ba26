import { expect, it, onTestFinished } from 'vitest'
import { openOverdueNotices } from '../../../../src-main/station/notices/notices.ts'
import { DAY, HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { addWaiting, MORNING, openTestOutbox } from '../../../tools/outbox-with.ts'

function looking(now: number) {
  const test = openTestOutbox()
  const clock = new ManualClock({ now })
  const told: string[] = []
  const begin = (): void => {
    const loop = openOverdueNotices({
      outbox: test.outbox,
      clock,
      logger: createRecordingLogger(),
      notify: ({ kind, about, route: place }) => {
        expect([kind, place]).toEqual(['waitsTooLong', { screen: 'submission', id: about }])
        told.push(about)
      },
    })
    onTestFinished(() => loop.close())
  }
  return { test, clock, told, begin }
}

it('tells of a case that was captured a day ago and is not sent, once', async () => {
  const { test, clock, told, begin } = looking(MORNING + DAY - 30 * MINUTE)
  const old = addWaiting(test, { at: MORNING })
  addWaiting(test, { at: MORNING + 12 * HOUR })
  begin()
  await clock.turn(30 * MINUTE)
  expect(told).toEqual([])
  await clock.turn(HOUR)
  expect(told).toEqual([old])
  await clock.turn(5 * HOUR)
  expect(told).toHaveLength(1)
})

it('lets a start go first', async () => {
  const { test, clock, told, begin } = looking(MORNING + 2 * DAY)
  const old = addWaiting(test, { at: MORNING })
  begin()
  await clock.turn(MINUTE)
  expect(told).toEqual([])
  await clock.turn(2 * MINUTE)
  expect(told).toEqual([old])
})

it('says nothing of one that a person has discarded', async () => {
  const { test, clock, told, begin } = looking(MORNING + 2 * DAY)
  const id = addWaiting(test, { at: MORNING })
  test.outbox.submissions.transition(id, 'discarded', {}, { at: MORNING })
  begin()
  await clock.turn(2 * HOUR)
  expect(told).toEqual([])
})
