/** An approval that is taken back about when its time ends: the service receives all of the case, or nothing. */
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openDelivery } from '../../../../src-main/station/delivery/delivery.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { randomFrom } from '../../../camera/random.ts'
import { isLongRun } from '../../../tools/long-run.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { stateOf } from '../../../tools/outbox-with.ts'
import type { AttemptGuard } from '../../../../src-main/station/outbox/recovery/manifest-writer.ts'
import { addCase, partsWith, type TestParts } from '../calls/parts-with.ts'
import { NO_GUARD } from './delivery-with.ts'

const UNDO_MS = 1_000
const TRIES = isLongRun ? 1_000 : 100
const AT_ONCE = 50

/** The calls and a delivery on one outbox; what is committed wakes it, as in the station. */
async function station(guard: AttemptGuard = NO_GUARD) {
  const test = await partsWith()
  const settings = settingsSchema.parse({
    service: test.service.identity,
    delivery: { concurrency: 4 },
  })
  const logger = createRecordingLogger()
  const delivery = openDelivery({
    outbox: test.outbox,
    client: test.service,
    guard,
    clock: test.clock,
    logger,
    random: () => 0.5,
    settings: () => settings,
    spoolPath: (name) => test.spoolPath(name),
    reread: (id) => test.parts.cases.reread([id]),
    maySend: () => true,
    onProgress: () => undefined,
    onHealthChanged: () => undefined,
    onAlarm: () => undefined,
  })
  test.onCommitted(() => delivery.wake())
  onTestFinished(() => delivery.close())
  return { test, logger }
}

it(`is undone, or sent once, in each of ${TRIES} tries`, { timeout: 300_000 }, async () => {
  const { test } = await station()
  const random = randomFrom(20_261_120)
  const draw = (below: number): number => Math.floor(random() * below)
  /** A moment of the promises and of the event loop. */
  const pause = async (): Promise<void> => {
    for (let turns = draw(30); turns > 0; turns -= 1) await Promise.resolve()
    for (let rounds = draw(3); rounds > 0; rounds -= 1) await setImmediate()
  }
  const { postCase, listCases } = test.service
  test.service.listCases = async (signal) => {
    await pause()
    return listCases(signal)
  }
  test.service.postCase = async (options) => {
    await pause()
    return postCase(options)
  }
  const answers = new Map<string, 'undone' | 'tooLate'>()
  const undo = async (id: string): Promise<void> => {
    await pause()
    const answer = await test.call('submissions.undoApproval', { ids: [id] })
    if (!answer.ok) throw new Error(answer.failure.message)
    answers.set(id, answer.value.changed.length === 1 ? 'undone' : 'tooLate')
  }
  for (let tried = 0; tried < TRIES; tried += AT_ONCE) {
    const ids = Array.from({ length: AT_ONCE }, (_, index) =>
      addCase(test, 'review', {
        fields: { history_number: `H-${tried + index}`, visit_date: '2026-11-20' },
      }),
    )
    const seen = Object.fromEntries(ids.map((id) => [id, test.outbox.shownDigest(id)]))
    await test.call('submissions.approve', { ids, seen, undoSeconds: UNDO_MS / 1_000 })
    const pending: Promise<void>[] = []
    for (const id of ids) test.clock.after(UNDO_MS - 2 + draw(5), () => void pending.push(undo(id)))
    await test.clock.turn(10 * UNDO_MS)
    await Promise.all(pending)
  }
  await test.clock.turn(60_000)
  const received = test.service.posts.map(
    (post) => /FC[0-9A-Z]{9}/.exec(post.field('other_relevant_info') ?? '')?.[0],
  )
  const count = { undone: 0, tooLate: 0 }
  for (const [id, answer] of answers) {
    count[answer] += 1
    const reference = test.outbox.submissionOf(id)?.reference
    const posts = received.filter((one) => one === reference).length
    expect({ answer, posts, state: stateOf(test, id) }).toEqual(
      answer === 'undone' ? { answer, posts: 0, state: 'review' } : { answer, posts: 1, state: 'sent' },
    )
  }
  expect(count.undone + count.tooLate).toBe(TRIES)
  expect(Math.min(count.undone, count.tooLate)).toBeGreaterThan(TRIES / 10)
  expect(test.service.handedOver).toHaveLength(count.tooLate)
})

/** A person takes a case back that was just chosen to be sent, and approves it again for a while. */
async function approveOnceMore(test: TestParts, id: string): Promise<void> {
  await test.call('submissions.discard', { ids: [id] })
  await test.call('submissions.restore', { ids: [id] })
  await test.call('submissions.approve', { ids: [id], undoSeconds: UNDO_MS / 1_000 })
  expect(test.outbox.rowOf(id)).toMatchObject({ state: 'waiting', undo_ms: UNDO_MS })
}

it('holds for a case that had been chosen to be sent before', async () => {
  const { test, logger } = await station()
  const id = addCase(test, 'review')
  const { listCases } = test.service
  let isFirst = true
  test.service.listCases = async (signal) => {
    if (isFirst) await approveOnceMore(test, id)
    isFirst = false
    return listCases(signal)
  }
  await test.call('submissions.approve', { ids: [id] })
  await test.clock.turn(UNDO_MS - 1)
  expect([isFirst, test.service.posts]).toEqual([false, []])
  await test.clock.turn(UNDO_MS)
  expect(test.service.posts).toHaveLength(1)
  expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([])
})

it('is not touched by an attempt that could not begin', async () => {
  const announced: string[] = []
  const { test, logger } = await station({
    announce: async (id) => {
      announced.push(id)
      if (announced.length === 1) await approveOnceMore(test, id)
      return announced.length === 1
        ? { kind: 'failed', failure: failureOf('storage') }
        : { kind: 'announced' }
    },
    settle: () => undefined,
  })
  const id = addCase(test, 'review')
  await test.call('submissions.approve', { ids: [id] })
  await test.clock.turn(UNDO_MS - 1)
  expect(test.outbox.rowOf(id)).toMatchObject({ undo_ms: UNDO_MS, not_before: null, failure: null })
  await test.clock.turn(600_000)
  expect(test.service.posts).toHaveLength(1)
  expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([])
})
