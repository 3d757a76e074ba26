/** The transfer of one case: its pace, its progress, "Try now" in its middle, and a person who stops it. */
import { describe, expect, it } from 'vitest'
import { createProgressReporter, createThrottle } from '../../../../src-main/station/delivery/transfer.ts'
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

describe('the throttle', () => {
  /** On a clock that only its own rests turn. */
  const throttled = (limit: number | null) => {
    const clock = { now: 9_000, rests: [] as number[] }
    const after = (ms: number, run: () => void): (() => void) => {
      clock.rests.push(ms)
      clock.now += ms
      run()
      return () => undefined
    }
    return { clock, throttle: createThrottle({ monotonicMs: () => clock.now, after }, () => limit) }
  }

  it.each<[limit: number | null, piece: number | null, owed: number, laterMs: number, rests: number[]]>([
    [null, null, 1_000_000, 0, []],
    [4_096, 1_024, 0, 0, []],
    [4_096, 1_024, 1, 0, [1]],
    [4_096, 1_024, 512, 0, [125]],
    [4_096, 1_024, 512, 100, [25]],
    [4_096, 1_024, 512, 60_000, []],
    [4_096, 1_024, 512, -8_000, [125]],
    [1_000_000, 250_000, 9_000_000, 0, [250]],
    [100, 1_024, 0, 0, []],
  ])('at %s a second goes in pieces of %s, and rests for %i bytes %i ms later: %j', (...row) => {
    const [limit, piece, owed, laterMs, rests] = row
    const { clock, throttle } = throttled(limit)
    expect([throttle.pieceBytes(), throttle.delay()]).toEqual([piece, null])
    throttle.consume(owed)
    clock.now += laterMs
    void throttle.delay()
    expect(clock.rests).toEqual(rests)
  })

  it.each([4_096, 50_000, 3_000_000])('stays at %i bytes a second over any ten seconds', (limit) => {
    const { clock, throttle } = throttled(limit)
    const sent: { at: number; bytes: number }[] = []
    const bytes = throttle.pieceBytes() ?? 0
    while (clock.now < 40_000) {
      if (throttle.delay() !== null) continue
      sent.push({ at: clock.now, bytes })
      throttle.consume(bytes)
    }
    for (const from of [9_000, 14_000, 26_321]) {
      const inside = sent.filter(({ at }) => at >= from && at < from + 10_000)
      const rate = inside.reduce((sum, piece) => sum + piece.bytes, 0) / 10
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
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'sending', caseId: null, sentAt: null })
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
  expect(test.outbox.openAlarms()).toEqual([])
})

it('one break at the offset at which the center was lost twice is no sign that the size is refused', async () => {
  let requestBytes = 0
  const { test, id } = await sending({ centerId: '101', waiting: LARGE, turnMs: 20 * MINUTE }, (made) => {
    onEachPiece(made, (bytes, whole, number) => {
      requestBytes = whole
      if (bytes > 600_000 && number <= 2) made.service.renewToken()
    })
    made.service.plan = (number) => (number === 3 ? broken(requestBytes - 10) : { kind: 'taken' })
  })
  expect(outcomesOf(test, id)).toEqual(['unsent', 'unsent', 'unsent', 'delivered'])
  const kinds = test.outbox.detailsOf(id)?.attemptList.map(({ failure }) => failure?.kind)
  expect(kinds).toEqual(['centerNotChanged', 'centerNotChanged', 'interrupted', undefined])
})

describe('a person who stops a case', () => {
  it('amid a body that hangs: unsent, on hold, with who and why in the trail', async () => {
    const { test, id, delivery } = await sending({ plan: STALLED, waiting: LARGE })
    expect(stateOf(test, id)).toBe('sending')
    expect(delivery.cancel(id, { by: 'AB', why: 'wrong patient' })).toBe('stopping')
    await test.clock.settle()
    expect(outcomesOf(test, id)).toEqual(['unsent'])
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'held', failure: null, notBefore: null })
    expect(test.outbox.listAudit({ submissionId: id, limit: 2 })).toMatchObject([
      { what: 'held', by: 'AB', details: { decision: 'transferStopped', why: 'wrong patient' } },
      { what: 'stayedUnsent' },
    ])
    expect(delivery.serviceStatus().health).not.toBe('trouble')
    await test.clock.turn(60 * MINUTE)
    expect(test.service.handedOver).toHaveLength(1)
  })

  it('after the last bytes were released is too late, and changes nothing', async () => {
    const { test, id, delivery } = await sending({ plan: UNANSWERED, waiting: LARGE })
    expect(test.outbox.attemptsOf(id).at(-1)?.phase).toBe('handedOver')
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
    test.outbox.moveSubmission(id, 'releasedToSend', {}, { at: test.clock.now() })
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
