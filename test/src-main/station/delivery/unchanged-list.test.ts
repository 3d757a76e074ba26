/**
 * A list with the same bytes as before is evidence again: what it is compared with may have changed on our side. And what it
 * costs to compare a long one.
 */
import { expect, it, vi } from 'vitest'
import { learnFromList } from '../../../../src-main/station/delivery/case-list.ts'
import type { DeliveryContext } from '../../../../src-main/station/delivery/context.ts'
import type { ServiceCase } from '../../../../src-shared/case.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { addWaiting, endAttempt, MORNING, openTestOutbox, stateOf } from '../../../tools/outbox-with.ts'
import { openService } from '../service/client-with.ts'
import { attempted, outcomesOf, referenceOf, sending } from './delivery-with.ts'
import { LOST } from './scripted-service.ts'

async function unchangedList(centerId: string | null = null) {
  const test = openTestOutbox()
  const id = addWaiting(test, { centerId })
  const padding = Array.from({ length: 600 }, (_, index) => ({ id: 1_000 + index, notes: 'x'.repeat(500) }))
  const json = [{ id: 9, state: 'pending', notes: `seen\n${referenceOf(test, id)}` }, ...padding]
  const { client, clock } = await openService(() => ({ json }))
  const { outbox } = test
  const context = {
    outbox,
    client,
    clock,
    health: { noteFound: () => undefined },
    onAlarm: () => undefined,
  } as unknown as DeliveryContext
  let known: readonly ServiceCase[] = []
  const read = async (at = centerId): Promise<void> => {
    const list = await client.listCases()
    if (!list.ok) throw new Error(list.failure.kind)
    // Or this tests nothing.
    if (known.length > 0) expect(list.value.cases[0]).toBe(known[0])
    known = list.value.cases
    await learnFromList(context, at, known)
  }
  return { test, id, clock, read, destination: { ...client.identity, centerId } }
}

it('the first list after an attempt shows that the case has arrived', async () => {
  const { test, id, read, destination } = await unchangedList()
  attempted(test, id, destination)
  // While it is being sent, its own answer counts.
  await read()
  expect(stateOf(test, id)).toBe('sending')
  endAttempt(test, id, 'unsent')
  await read()
  expect(test.outbox.rowOf(id)).toMatchObject({ state: 'sent', case_id: '9' })
})

it('a case that is ours only now has the state that the list shows, and a list read later is known to be later', async () => {
  const { test, id, clock, read, destination } = await unchangedList()
  const state = () => test.outbox.caseStateOf(destination, '9')
  attempted(test, id, destination)
  await read()
  expect(state()).toBeNull()
  endAttempt(test, id, 'delivered', { caseId: '9' })
  test.outbox.watchReport({ submissionId: id, caseId: '9', destination, at: MORNING })
  await read()
  expect(state()).toMatchObject({ state: 'pending', read_at: clock.now() })
  clock.advance(5 * MINUTE)
  await read()
  expect(state()).toMatchObject({ read_at: clock.now(), changed_at: clock.now() - 5 * MINUTE })
})

it('another center that shows the same bytes is another list', async () => {
  const { test, id, read, destination } = await unchangedList('101')
  attempted(test, id, { ...destination, centerId: '102' })
  await read('101')
  endAttempt(test, id, 'unsent')
  await read('101')
  // It went to 102: a person decides what its reference in the list of 101 means.
  expect(stateOf(test, id)).toBe('unconfirmed')
})

it('a long list is compared with lost cases without a question for each of its cases', async () => {
  let questions = (): number => 0
  const { test, ids } = await sending({ plan: LOST, cases: 3, turnMs: 10 * MINUTE }, (made) => {
    made.service.shows = 'nothing'
    for (let number = 0; number < 500; number += 1) made.service.addCase()
    const asked = [vi.spyOn(made.outbox, 'wasKnownBefore'), vi.spyOn(made.outbox, 'boundSubmission')]
    questions = () => asked.reduce((sum, one) => sum + one.mock.calls.length, 0)
  })
  for (const id of ids)
    expect([stateOf(test, id), outcomesOf(test, id)]).toEqual(['unconfirmed', ['unknown']])
  expect(questions()).toBeLessThan(500)
})

it('a case with a text in the field of an id that ends amid a letter stops no lookup and no attempt', async () => {
  const { test, ids } = await sending({ cases: 2, turnMs: 10 * MINUTE }, (made) => {
    made.service.addCase({ raw: { id: 7, caso: 'seen \ud83d' } })
  })
  expect(ids.map((id) => test.outbox.submissionOf(id)?.confirmedAt)).not.toContain(null)
  expect(test.logger.errors()).toEqual([])
})

it('a stop waits for the case that is looked up, and for no other', async () => {
  const { test, ids, delivery } = await sending({ plan: LOST, cases: 3, turnMs: 10 * MINUTE }, (made) => {
    made.service.shows = 'nothing'
  })
  const looks = () => ids.map((id) => test.outbox.rowOf(id)?.looks)
  const before = looks()
  const { getCase } = test.service
  const closing: Promise<void>[] = []
  test.service.getCase = (caseId) => {
    if (closing.length === 0) closing.push(delivery.close())
    return getCase(caseId)
  }
  delivery.retryNow()
  await test.clock.turn(MINUTE)
  await Promise.all(closing)
  const [first = 0, ...others] = before
  expect(looks()).toEqual([first + 1, ...others])
})
