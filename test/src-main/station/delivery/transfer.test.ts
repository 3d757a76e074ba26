/** The transfer of one case: its pace, its progress, "Try now" in its middle, and a person who stops it. */
import { describe, expect, it } from 'vitest'
import {
  addDebt,
  createProgressReporter,
  payOff,
  pieceBytes,
  UNPACED,
  waitMs,
} from '../../../../src-main/station/delivery/transfer.ts'
import type { AttemptGuard } from '../../../../src-main/station/outbox/recovery/manifest-writer.ts'
import { MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { addWaiting, SERVICE, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { NO_GUARD, onEachList, onEachPiece, outcomesOf, sending, type TestDelivery } from './delivery-with.ts'
import { broken, type PostPlan } from './scripted-service.ts'

const LARGE = { images: [{ bytes: someBytes(600_000) }] }
const addLarge = (test: TestDelivery): string =>
  addWaiting(test, { ...LARGE, centerId: test.settings.centerId })
const STALLED: PostPlan = { kind: 'stalled', afterBytes: 300_000 }
const UNANSWERED: PostPlan = { kind: 'silent', isTaken: true }

describe('the pace', () => {
  it.each<[name: string, owed: number, at: number, limit: number | null, now: number, left: number]>([
    ['pays off with time', 10_000, 0, 4_096, 1_000, 5_904],
    ['never pays more than is owed', 100, 0, 4_096, 60_000, 0],
    ['owes nothing without a limit', 1_000_000, 0, null, 1, 0],
    ['pays nothing while a clock stands', 5_000, 9, 4_096, 9, 5_000],
    ['takes no debt from a clock that goes back', 5_000, 9_000, 4_096, 0, 5_000],
  ])('%s', (_name, owed, at, limit, now, left) => {
    expect(payOff({ owed, at }, limit, now)).toEqual({ owed: left, at: now })
  })

  it.each<[owed: number, limit: number | null, ms: number]>([
    [0, 4_096, 0],
    [1, 4_096, 1],
    [512, 4_096, 125],
    [1_000_000, 4_096, 250],
    [1_000_000, null, 0],
  ])('rests for %i bytes at %s a second: %i ms', (owed, limit, ms) => {
    expect(waitMs(addDebt(UNPACED, owed), limit)).toBe(ms)
  })

  it.each<[limit: number | null, bytes: number | null]>([
    [null, null],
    [4_096, 1_024],
    [1_000_000, 250_000],
    [100, 1_024],
  ])('lets at %s a second pieces of %s bytes go', (limit, bytes) => expect(pieceBytes(limit)).toBe(bytes))

  it.each([4_096, 50_000, 3_000_000])('stays at %i bytes a second over any ten seconds', (limit) => {
    let pace = UNPACED
    let now = 0
    const sent: { at: number; bytes: number }[] = []
    while (now < 30_000) {
      pace = payOff(pace, limit, now)
      const rest = waitMs(pace, limit)
      if (rest > 0) now += rest
      else {
        const bytes = pieceBytes(limit) ?? 0
        sent.push({ at: now, bytes })
        pace = addDebt(pace, bytes)
      }
    }
    for (const from of [0, 5_000, 17_321]) {
      const inside = sent.filter(({ at }) => at >= from && at < from + 10_000)
      const rate = inside.reduce((sum, { bytes }) => sum + bytes, 0) / 10
      expect(Math.abs(rate / limit - 1)).toBeLessThan(0.05)
    }
  })
})

describe('the progress', () => {
  const reporter = () => {
    const clock = new ManualClock({ now: 1_000_000 })
    const reports: unknown[] = []
    const progress = createProgressReporter({
      clock,
      id: 'one',
      requestBytes: 100,
      emit: ({ handedOverBytes, stalledSince }) => void reports.push([handedOverBytes, stalledSince]),
    })
    return { clock, reports, progress }
  }

  it('reports a stall after fifteen seconds, since when it lasts, and that it goes on', async () => {
    const { clock, reports, progress } = reporter()
    progress.handedOver(10)
    await clock.turn(14 * SECOND)
    expect(reports).toEqual([[10, null]])
    await clock.turn(2 * SECOND)
    progress.accepted()
    const whole = [
      [10, null],
      [10, 1_000_000],
      [10, null],
    ]
    expect(reports).toEqual(whole)
    progress.handedOver(20)
    progress.accepted()
    await clock.turn(MINUTE)
    expect(reports).toEqual([...whole, [20, null]])
  })

  it('calls waiting for an answer no stall, and reports nothing after the end', async () => {
    const { clock, reports, progress } = reporter()
    progress.handedOver(100)
    progress.accepted()
    await clock.turn(MINUTE)
    progress.handedOver(100)
    progress.end()
    await clock.turn(MINUTE)
    expect(reports).toEqual([
      [100, null],
      [100, null],
    ])
  })

  it('never reports more than was handed over, and calls nothing sent that has no answer', async () => {
    const { test, id } = await sending({ plan: UNANSWERED, waiting: LARGE })
    const counts = test.progress.map(([, handedOver]) => handedOver)
    expect(counts).toEqual(counts.toSorted((left, right) => left - right))
    expect(test.progress.at(-1)).toEqual([id, counts.at(-1), counts.at(-1)])
    expect(test.service.handedOver[0]).toBe(counts.at(-1))
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'sending', caseId: null, sentAt: null })
  })
})

it('"Try now" throws no running transfer away', async () => {
  const { test, delivery } = await sending({ centerId: '101', cases: 0 })
  onEachPiece(test, (bytes) => {
    if (bytes > 400_000) delivery.retryNow()
  })
  const id = addLarge(test)
  await test.clock.turn(MINUTE)
  expect(outcomesOf(test, id)).toEqual(['delivered'])
  expect(test.outbox.alarms.listOpen()).toEqual([])
})

it('one break at the offset where the center was lost twice is no sign that the size is refused', async () => {
  let requestBytes = 0
  const { test, id } = await sending({ centerId: '101', waiting: LARGE, turnMs: 20 * MINUTE }, (made) => {
    onEachPiece(made, (bytes, whole, number) => {
      requestBytes = whole
      if (bytes > 600_000 && number <= 2) made.service.renewToken()
    })
    made.service.plan = (number) => (number === 3 ? broken(requestBytes - 10) : { kind: 'taken' })
  })
  expect(outcomesOf(test, id)).toEqual(['unsent', 'unsent', 'unsent', 'delivered'])
  const kinds = test.outbox.submissions.details(id)?.attemptList.map(({ failure }) => failure?.kind)
  expect(kinds).toEqual(['centerNotChanged', 'centerNotChanged', 'interrupted', undefined])
})

describe('a person who stops a case', () => {
  it('amid a body that hangs: unsent, on hold, with who and why in the trail', async () => {
    const { test, id, delivery } = await sending({ plan: STALLED, waiting: LARGE })
    expect(stateOf(test, id)).toBe('sending')
    expect(delivery.cancel(id, { by: 'AB', why: 'wrong patient' })).toBe('stopping')
    await test.clock.settle()
    expect(outcomesOf(test, id)).toEqual(['unsent'])
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'held', failure: null, notBefore: null })
    expect(test.outbox.audit.list({ submissionId: id, limit: 2 })).toMatchObject([
      { what: 'held', by: 'AB', details: { decision: 'transferStopped', why: 'wrong patient' } },
      { what: 'stayedUnsent' },
    ])
    expect(delivery.serviceStatus().health).not.toBe('trouble')
    await test.clock.turn(60 * MINUTE)
    expect(test.service.handedOver).toHaveLength(1)
  })

  it('after the last bytes were released is too late, and changes nothing', async () => {
    const { test, id, delivery } = await sending({ plan: UNANSWERED, waiting: LARGE })
    expect(test.outbox.attempts.of(id).at(-1)?.phase).toBe('handedOver')
    expect(delivery.cancel(id)).toBe('tooLate')
    await test.clock.settle()
    expect(stateOf(test, id)).toBe('sending')
  })

  it('while the disk is read has no last byte released', async () => {
    const { test, delivery } = await sending({ cases: 0 })
    let answer: string | null = null
    // The scripted service notices an abort only between pieces, as the connection does: here before the last one.
    onEachPiece(test, (bytes) => {
      if (bytes > 600_000) answer ??= delivery.cancel(id)
    })
    const { postCase } = test.service
    test.service.postCase = (options) => postCase({ ...options, signal: new AbortController().signal })
    const id = addLarge(test)
    await test.clock.settle()
    expect([answer, stateOf(test, id), test.service.posts]).toEqual(['stopping', 'held', []])
    expect(outcomesOf(test, id)).toEqual(['unsent'])
  })

  it('before its attempt, while the list is read, holds it without an attempt', async () => {
    const { test, id, delivery } = await sending({}, (made) => {
      made.service.listAnswer = () => new Promise<never>(() => undefined)
    })
    expect(stateOf(test, id)).toBe('waiting')
    expect(delivery.cancel(id)).toBe('stopping')
    expect([stateOf(test, id), outcomesOf(test, id)]).toEqual(['held', []])
  })

  it('has nothing to stop if nothing is being sent', async () => {
    const { test, id, delivery } = await sending({}, (made) => (made.maySend = false))
    expect(['notSending', 'notSending']).toEqual([delivery.cancel(id), delivery.cancel('no such case')])
    expect(stateOf(test, id)).toBe('waiting')
  })

  it('does not count among three stops at one offset', async () => {
    const plan = [broken(300_000), STALLED, broken(300_000)]
    const { test, id, delivery } = await sending({ plan, waiting: LARGE, turnMs: 30 * SECOND })
    expect(delivery.cancel(id)).toBe('stopping')
    await test.clock.settle()
    test.outbox.submissions.transition(id, 'releasedToSend', {}, { at: test.clock.now() })
    await test.clock.settle()
    expect(stateOf(test, id)).toBe('waiting')
    expect(outcomesOf(test, id)).toEqual(['unsent', 'unsent', 'unsent'])
  })

  it.each(['before its attempt', 'amid the body'] as const)(
    '%s, in a write that is rolled back, stops nothing',
    async (when) => {
      const begun: string[] = []
      const announce: AttemptGuard['announce'] = (id) => {
        begun.push(id)
        return NO_GUARD.announce(id, { ...SERVICE, centerId: null })
      }
      const { test, delivery } = await sending({ guard: { ...NO_GUARD, announce }, cases: 0 })
      let answer: string | null = null
      const cancelAndFail = (): void => {
        if (answer !== null) return
        const write = (): never =>
          test.outbox.write(() => {
            answer = delivery.cancel(id)
            throw new Error('rolled back')
          })
        expect(write).toThrow('rolled back')
      }
      if (when === 'before its attempt') onEachList(test, cancelAndFail)
      else
        onEachPiece(test, (bytes) => {
          if (bytes > 300_000) cancelAndFail()
        })
      const id = addLarge(test)
      await test.clock.settle()
      expect([answer, outcomesOf(test, id), begun]).toEqual(['stopping', ['delivered'], [id]])
    },
  )
})
