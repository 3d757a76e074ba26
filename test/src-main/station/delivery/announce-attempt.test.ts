import { describe, expect, it } from 'vitest'
import type {
  Announcement,
  AttemptGuard,
} from '../../../../src-main/station/outbox/recovery/manifest-writer.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { addWaiting, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, outcomesOf } from './delivery-with.ts'

/** A guard that answers as told, and tells what stood in the outbox when it was asked. */
function guardWith(answer: { now: Announcement }) {
  const asked: string[] = []
  const settled: string[] = []
  const guard: AttemptGuard = {
    announce: (id) => {
      asked.push(id)
      return Promise.resolve(answer.now)
    },
    settle: (id) => void settled.push(id),
  }
  return { guard, asked, settled }
}

describe('an attempt', () => {
  it('is announced before it is opened, and settled when it has ended', async () => {
    const { guard, asked, settled } = guardWith({ now: { kind: 'announced' } })
    const seen: number[] = []
    const test = deliveryWith({
      guard: {
        ...guard,
        announce: (id, to) => {
          seen.push(test.outbox.attempts.of(id).length)
          return guard.announce(id, to)
        },
      },
    })
    const id = addWaiting(test)
    test.open()
    await test.clock.turn(MINUTE)
    expect(stateOf(test, id)).toBe('sent')
    expect([asked, settled, seen]).toEqual([[id], [id], [0]])
  })

  it('does not begin where the outbox is older than what is known elsewhere', async () => {
    const test = deliveryWith({
      guard: {
        announce: (id) => {
          test.outbox.submissions.transition(id, 'wasRestored', {}, { at: test.clock.now() })
          return Promise.resolve({ kind: 'notWaiting' })
        },
        settle: () => undefined,
      },
    })
    const id = addWaiting(test)
    test.open()
    await test.clock.turn(MINUTE)
    expect(stateOf(test, id)).toBe('unconfirmed')
    expect(test.service.posts).toEqual([])
  })

  it('waits, and says why, where our own disk refuses; then it goes', async () => {
    const answer: { now: Announcement } = { now: { kind: 'failed', failure: failureOf('diskLow') } }
    const { guard, asked } = guardWith(answer)
    const test = deliveryWith({ guard })
    const ids = [addWaiting(test), addWaiting(test), addWaiting(test)]
    test.open()
    await test.clock.settle()
    const [first = ''] = ids
    expect(test.outbox.submissions.get(first)).toMatchObject({
      state: 'waiting',
      failure: { kind: 'diskLow' },
      attempts: 0,
    })
    // One that was refused speaks for all: the others need no refusal of their own.
    expect(asked).toEqual([first])
    expect(test.service.posts).toEqual([])
    answer.now = { kind: 'announced' }
    await test.clock.turn(20 * MINUTE)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'sent', 'sent'])
    expect(outcomesOf(test, first)).toEqual(['delivered'])
  })
})
