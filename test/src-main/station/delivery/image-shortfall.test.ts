/** A service that keeps fewer images than it was sent, and one that only shows them otherwise. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { classifyShownImages } from '../../../../src-main/station/delivery/image-shortfall.ts'
import type { ServiceCase } from '../../../../src-shared/case.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf, succeed } from '../../../../src-shared/failure.ts'
import { openPracticeService } from '../../../practice-service/practice-service.ts'
import { addWaiting, openTestOutbox, someBytes } from '../../../tools/outbox-with.ts'
import { askedCount, sending, type TestDelivery } from './delivery-with.ts'
import { openRealDelivery } from './real-delivery.ts'

const NONE = { answer: null, list: null, case: null }
const NEVER_RIGHT = { answer: 0, list: 0, case: 0 }
const RIGHT_BEFORE = { answer: 2, list: 2, case: 2 }

describe('what a read-back shows of three images', () => {
  it.each<[string, Partial<typeof RIGHT_BEFORE>, Partial<typeof RIGHT_BEFORE>, string]>([
    ['two in the list', { list: 2 }, RIGHT_BEFORE, 'again'],
    ['two in the case', { case: 2 }, RIGHT_BEFORE, 'again'],
    ['two in the case, although the list has three', { list: 3, case: 2 }, RIGHT_BEFORE, 'again'],
    ['two in the answer and nothing elsewhere', { answer: 2 }, RIGHT_BEFORE, 'again'],
    ['two in the answer and an empty list', { answer: 2, list: 0 }, RIGHT_BEFORE, 'again'],
    ['two in the answer, three read back', { answer: 2, case: 3 }, RIGHT_BEFORE, 'complete'],
    ['two, if one was right before', { list: 2 }, { list: 1 }, 'again'],
    ['one, as always: a cover', { list: 1 }, { list: 1 }, 'odd'],
    ['two, if nothing was right before', { list: 2 }, {}, 'odd'],
    ['two in the list, if only the case was right', { list: 2 }, { case: 3 }, 'odd'],
    ['none', { list: 0 }, RIGHT_BEFORE, 'odd'],
    ['four', { case: 4 }, RIGHT_BEFORE, 'odd'],
    ['three', { list: 3, case: 3 }, RIGHT_BEFORE, 'complete'],
    ['no number', {}, RIGHT_BEFORE, 'complete'],
  ])('%s', (_name, shown, right, kind) => {
    const times = { firstFewerAt: null, now: 0 }
    expect(classifyShownImages(3, { ...NONE, ...shown }, { ...NEVER_RIGHT, ...right }, times).kind).toBe(kind)
  })

  it.each([
    ['at once', 1_000, 1_000, 'again'],
    ['a minute less a moment later', 1_000, 1_000 + MINUTE - 1, 'again'],
    ['a minute later', 1_000, 1_000 + MINUTE, 'fewer'],
    ['before, by a clock that was set back', 1_000, 0, 'again'],
  ])('counts if it lasts: again %s', (_name, firstFewerAt, now, kind) => {
    const shown = { ...NONE, list: 2 }
    expect(classifyShownImages(3, shown, RIGHT_BEFORE, { firstFewerAt, now })).toEqual({
      kind,
      shown: 2,
      sent: 3,
    })
  })
})

const images = (count: number) => Array.from({ length: count }, () => ({ bytes: someBytes(64) }))

/** Shows each case with a number of images: of the first with as many as were sent, of the others as `later` says. */
function show(test: TestDelivery, later: () => number, source: 'list' | 'case' = 'list'): void {
  const { listCases, getCase } = test.service
  const shown = (one: ServiceCase): ServiceCase => {
    const count = one.caseId === '100' ? 2 : later()
    return { ...one, raw: { ...one.raw, images: Array.from({ length: count }, (_, at) => `${at}.jpg`) } }
  }
  if (source === 'list')
    test.service.listCases = async (signal) => {
      const list = await listCases(signal)
      return list.ok ? succeed({ ...list.value, cases: list.value.cases.map(shown) }) : list
    }
  else
    test.service.getCase = async (caseId, signal) => {
      const found = await getCase(caseId, signal)
      return found.ok ? succeed(shown(found.value)) : found
    }
}

/** A case of two images that the service shows rightly, and then one of three. */
async function second(later: () => number, source: 'list' | 'case' = 'list') {
  const { test } = await sending({ waiting: { images: images(2) }, turnMs: 10 * SECOND }, (made) =>
    show(made, later, source),
  )
  const id = addWaiting(test, { images: images(3), at: test.clock.now() })
  await test.clock.turn(10 * SECOND)
  const get = () => test.outbox.submissionOf(id)
  const evidence = () => test.outbox.detailsOf(id)?.evidence.map((one) => one.wording?.key.split('.')[1])
  return { test, id, get, evidence }
}

describe('a case of which the service shows too few images', () => {
  it.each(['list', 'case'] as const)(
    'in the %s is read again in a minute, then raises an alarm',
    async (source) => {
      const { test, id, get, evidence } = await second(() => 2, source)
      expect([evidence(), test.alarms]).toEqual([['fewerOnce'], []])
      expect(get()).toMatchObject({ state: 'sent', confirmedAt: null, imageShortfall: null })
      await test.clock.turn(70 * SECOND)
      expect(get()).toMatchObject({ state: 'sent', confirmedAt: null, imageShortfall: { shown: 2, sent: 3 } })
      expect([evidence(), test.alarms]).toEqual([['fewerOnce', 'fewer'], [id]])
      const [alarm] = test.outbox.openAlarms()
      expect(alarm).toMatchObject({ kind: 'imagesMissing', submissionId: id, caseIds: ['101'] })
      expect(alarm?.message).toContain('shows 2 of the 3 images')
      expect(test.outbox.countImagesMissing()).toBe(1)
      // It is not sent again, not confirmed, and asked for ever more rarely.
      const asked = askedCount(test, 'list')
      await test.clock.turn(2 * DAY)
      expect(test.service.posts).toHaveLength(2)
      expect(askedCount(test, 'list') - asked).toBeLessThan(30)
      expect([get()?.confirmedAt, test.outbox.openAlarms()]).toEqual([null, [alarm]])
    },
  )

  it('and then all of them is confirmed, without an alarm', async () => {
    let shown = 2
    const { test, get, evidence } = await second(() => shown)
    shown = 3
    await test.clock.turn(2 * MINUTE)
    expect([evidence(), test.alarms]).toEqual([['fewerOnce', 'readBack'], []])
    expect(get()).toMatchObject({ imageShortfall: null, confirmedAt: expect.any(Number) as number })
  })

  it('for hours, and all of them at last, is confirmed and no longer called short', async () => {
    let shown = 1
    const { test, get } = await second(() => shown)
    await test.clock.turn(HOUR)
    expect(get()?.imageShortfall).toEqual({ shown: 1, sent: 3 })
    shown = 3
    await test.clock.turn(DAY)
    expect(get()).toMatchObject({ imageShortfall: null, confirmedAt: expect.any(Number) as number })
    expect(test.outbox.countImagesMissing()).toBe(0)
  })

  it.each([
    ['none', 0],
    ['more than were sent', 5],
  ])('%s is confirmed with a note', async (_name, count) => {
    const { test, get, evidence } = await second(() => count)
    await test.clock.turn(3 * MINUTE)
    expect([evidence(), test.alarms]).toEqual([['otherNumber'], []])
    expect(get()).toMatchObject({ imageShortfall: null, confirmedAt: expect.any(Number) as number })
  })

  it('is none if the service never showed the right number', async () => {
    const { test, ids } = await sending(
      { waiting: { images: images(3) }, cases: 3, turnMs: 5 * MINUTE },
      (made) => show(made, () => 1),
    )
    expect(test.alarms).toEqual([])
    for (const id of ids) expect(test.outbox.submissionOf(id)?.confirmedAt).not.toBeNull()
  })

  it.each(['offline', 'notAnswering'] as const)(
    'that could not be read by its id (%s) is not confirmed, if that shows the number, by the list alone',
    async (kind) => {
      let isReadable = true
      const { test } = await sending({ waiting: { images: images(2) }, turnMs: 10 * SECOND }, (made) => {
        show(made, () => 2, 'case')
        const { getCase } = made.service
        made.service.getCase = (...asked) =>
          isReadable ? getCase(...asked) : Promise.resolve(fail(failureOf(kind)))
      })
      isReadable = false
      const id = addWaiting(test, { images: images(3), at: test.clock.now() })
      await test.clock.turn(10 * SECOND)
      const get = () => test.outbox.submissionOf(id)
      expect(get()).toMatchObject({ state: 'sent', confirmedAt: null })
      isReadable = true
      await test.clock.turn(10 * MINUTE)
      expect(get()).toMatchObject({ confirmedAt: null, imageShortfall: { shown: 2, sent: 3 } })
    },
  )

  it('is asked for by its id, however often that stated no number since it last did', async () => {
    let isStated = true
    const { test } = await sending({ waiting: { images: images(2) }, turnMs: 10 * SECOND }, (made) => {
      show(made, () => 2, 'case')
      const { getCase } = made.service
      made.service.getCase = async (caseId, signal) => {
        const found = await getCase(caseId, signal)
        if (!found.ok || isStated) return found
        const { images: _images, ...raw } = found.value.raw
        return succeed({ ...found.value, raw })
      }
    })
    isStated = false
    for (let count = 0; count < 4; count += 1) {
      addWaiting(test, { images: images(2), at: test.clock.now() })
      await test.clock.turn(10 * SECOND)
    }
    isStated = true
    const id = addWaiting(test, { images: images(3), at: test.clock.now() })
    await test.clock.turn(2 * MINUTE)
    expect(test.outbox.submissionOf(id)?.imageShortfall).toEqual({ shown: 2, sent: 3 })
  })
})

it('finds that a service drops what is beyond its limit of files', async () => {
  const dialect = { caseFields: 'everything' } as const
  const service = await openPracticeService({ answerDelayMs: 0, maxImages: 2, dialect })
  onTestFinished(() => service.close())
  const test = openTestOutbox()
  const whole = addWaiting(test, { images: images(2) })
  const { delivery, clock } = openRealDelivery(test, service)
  onTestFinished(() => delivery.close())
  const get = (id: string) => test.outbox.detailsOf(id)
  const until = async (isSo: () => unknown): Promise<void> =>
    await expect.poll(isSo, { timeout: 20_000 }).toBeTruthy()
  await until(() => get(whole)?.state === 'sent')
  clock.advance(2 * SECOND)
  delivery.wake()
  await until(() => get(whole)?.confirmedAt)
  const short = addWaiting(test, { images: images(3) })
  delivery.wake()
  await until(() => get(short)?.state === 'sent')
  clock.advance(2 * SECOND)
  delivery.wake()
  await until(() => get(short)?.evidence.length === 1)
  expect(get(short)?.imageShortfall).toBeNull()
  clock.advance(MINUTE)
  delivery.wake()
  await until(() => get(short)?.imageShortfall)
  expect(get(short)).toMatchObject({
    state: 'sent',
    confirmedAt: null,
    imageShortfall: { shown: 2, sent: 3 },
  })
  expect(test.outbox.openAlarms()).toMatchObject([{ kind: 'imagesMissing', submissionId: short }])
}, 60_000)
