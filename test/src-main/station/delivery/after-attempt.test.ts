import { describe, expect, it } from 'vitest'
import { SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf } from '../../../../src-shared/failure.ts'
import { addWaiting, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, type TestDelivery } from './delivery-with.ts'
import type { PostPlan } from './scripted-service.ts'

/** One case of center 101; a new token comes when all of it was handed over and nothing has answered yet. */
async function withTokenBehindTheLastBytes(plan: PostPlan): Promise<{ test: TestDelivery; id: string }> {
  const test = deliveryWith({ centerId: '101' })
  const id = addWaiting(test, { centerId: '101' })
  test.service.plan = () => plan
  const { postCase } = test.service
  test.service.postCase = (options) =>
    postCase({
      ...options,
      onHandedOver: (bytes) => {
        options.onHandedOver(bytes)
        if (bytes === options.body.contentLength) test.service.renewToken()
      },
    })
  test.open()
  await test.clock.settle()
  return { test, id }
}

const notesOf = (test: TestDelivery, id: string): unknown =>
  test.outbox.submissions.details(id)?.evidence.filter(({ kind }) => kind === 'centerUnsure')

describe('a new token between the last bytes of a case and its answer, where the service marks no center', () => {
  it('is an alarm of a delivered case', async () => {
    const { test, id } = await withTokenBehindTheLastBytes({ kind: 'taken' })
    expect(stateOf(test, id)).toBe('sent')
    const caseIds = [test.outbox.submissions.row(id)?.case_id]
    expect(notesOf(test, id)).toMatchObject([{ caseIds }])
    expect(test.outbox.alarms.listOpen()).toMatchObject([
      { kind: 'centerSwitched', submissionId: id, caseIds },
    ])
    expect(test.alarms).toEqual([id])
  })

  it('is an alarm of a case that may have arrived', async () => {
    const { test, id } = await withTokenBehindTheLastBytes({ kind: 'taken', answers: false })
    expect(stateOf(test, id)).toBe('unconfirmed')
    expect(notesOf(test, id)).toMatchObject([{ caseIds: [] }])
    expect(test.alarms).toEqual([id])
  })

  it('is none of a case that was refused', async () => {
    const { test, id } = await withTokenBehindTheLastBytes({
      kind: 'answered',
      status: 422,
      body: { message: 'no' },
    })
    expect(stateOf(test, id)).toBe('refused')
    expect(test.outbox.alarms.listOpen()).toEqual([])
  })
})

it('a token that only the question behind a doubtful no has taken is no alarm', async () => {
  const test = deliveryWith({ centerId: '101' })
  const id = addWaiting(test, { centerId: '101' })
  test.service.plan = () => {
    test.service.listAnswer = () => fail(failureOf('offline'))
    return { kind: 'answered', status: 403 }
  }
  test.open()
  await test.clock.turn(SECOND)
  expect(test.service.asked).toContain('token')
  expect(stateOf(test, id)).toBe('unconfirmed')
  expect(test.outbox.alarms.listOpen()).toEqual([])
})
