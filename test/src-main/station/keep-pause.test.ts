import { expect, it } from 'vitest'
import { openSendingPause } from '../../../src-main/station/status.ts'
import { HOUR, MINUTE } from '../../../src-shared/durations.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import { openTestOutbox } from '../../tools/outbox-with.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

function open() {
  const clock = new ManualClock()
  const { outbox } = openTestOutbox(temporaryFolder())
  const pause = openSendingPause({ outbox, clock })
  return { clock, outbox, pause }
}

it('a pause ends by itself at its time, and is not found by the next start', async () => {
  const { clock, outbox, pause } = open()
  pause.set(clock.now() + 15 * MINUTE)
  await clock.turn(14 * MINUTE)
  expect(pause.current()).not.toBeNull()
  await clock.turn(MINUTE)
  expect([pause.current(), outbox.facts.read('pause')]).toEqual([null, ''])
})

it('a pause that was over before the computer woke up ends with the look that follows', () => {
  const { clock, outbox, pause } = open()
  pause.set(clock.now() + 15 * MINUTE)
  clock.set(HOUR)
  pause.recheck()
  expect([pause.current(), outbox.facts.read('pause')]).toEqual([null, ''])
})

it('a pause that is not over yet ends at its time on the wall, whatever a sleep has taken off its timer', async () => {
  const { clock, pause } = open()
  pause.set(clock.now() + 15 * MINUTE)
  clock.set(10 * MINUTE)
  pause.recheck()
  expect(pause.current()).not.toBeNull()
  await clock.turn(5 * MINUTE)
  expect(pause.current()).toBeNull()
})

it('a pause until somebody resumes is ended by no look', () => {
  const { clock, pause } = open()
  pause.set('untilResumed')
  clock.set(48 * HOUR)
  pause.recheck()
  expect(pause.current()).toBe('untilResumed')
})
