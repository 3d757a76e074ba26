import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { addWaiting, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, outcomesOf, type TestDelivery } from './delivery-with.ts'

function imageOf(test: TestDelivery, id: string): string {
  return test.spoolPath(test.outbox.images.rows(id)[0]?.spool_name ?? '')
}

it('an image that the disk fails to read is tried three times, and then a person is asked', async () => {
  const test = deliveryWith()
  const bytes = someBytes()
  const id = addWaiting(test, { images: [{ bytes }] })
  // It opens and fails at the first read, as on a disk with bad sectors.
  rmSync(imageOf(test, id))
  mkdirSync(imageOf(test, id))
  const delivery = test.open()
  await test.clock.turn(6 * HOUR)
  expect(outcomesOf(test, id)).toEqual(['unsent', 'unsent', 'refused'])
  expect(test.outbox.submissions.get(id)).toMatchObject({
    state: 'refused',
    failure: { kind: 'imageDamaged', message: expect.stringContaining('three times') as string },
  })
  expect(delivery.serviceStatus().health).not.toBe('trouble')
  // The disk is well again, and a person sends it once more.
  rmSync(imageOf(test, id), { recursive: true })
  writeFileSync(imageOf(test, id), bytes)
  test.outbox.submissions.transition(
    id,
    'retriedRefused',
    { failure: null, notBefore: null },
    { at: test.clock.now() },
  )
  await test.clock.turn(MINUTE)
  expect(stateOf(test, id)).toBe('sent')
})

it('an id that came before a damaged image is no proof that nothing was taken', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  truncateSync(imageOf(test, id), 10)
  const { postCase } = test.service
  test.service.postCase = async (options) => {
    const evidence = await postCase(options)
    const answer = { status: 201, headers: {}, body: Buffer.from('{"id":"900"}'), isComplete: true }
    return { ...evidence, answer, caseId: '900', failure: null }
  }
  test.open()
  await test.clock.settle()
  expect(outcomesOf(test, id)).toEqual(['unknown'])
  expect(stateOf(test, id)).toBe('unconfirmed')
})

it('what our own disk ended is marked, and so never taken for a stop of the line', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  rmSync(imageOf(test, id))
  mkdirSync(imageOf(test, id))
  test.open()
  await test.clock.settle()
  const [attempt] = test.outbox.submissions.details(id)?.attemptList ?? []
  expect(attempt?.failure).toMatchObject({ kind: 'imageDamaged', endedBy: 'station' })
})
