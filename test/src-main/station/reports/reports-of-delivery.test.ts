import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Delivery } from '../../../../src-main/station/delivery/delivery.ts'
import { openReports, reportSource } from '../../../../src-main/station/reports/reports.ts'
import { HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { addWaiting } from '../../../tools/outbox-with.ts'
import { deliveryWith, type TestDelivery } from '../delivery/delivery-with.ts'

/** Two cases that are sent, and the asking for their reports by the delivery that sent them. */
async function twoSent(): Promise<{ test: TestDelivery; delivery: Delivery; ids: string[] }> {
  const test = deliveryWith()
  const ids = [addWaiting(test), addWaiting(test)]
  const delivery = test.open()
  await test.clock.turn(MINUTE)
  expect(test.outbox.submissions.idsIn('sent')).toHaveLength(2)
  const reports = openReports({
    outbox: test.outbox,
    clock: test.clock,
    logger: test.logger,
    settings: () => test.settings,
    folder: join(test.folder, 'reports'),
    source: () => reportSource(delivery),
  })
  onTestFinished(() => reports.close())
  return { test, delivery, ids }
}

it('compares the list that is read for reports with ours, as every list', async () => {
  const { test, ids } = await twoSent()
  await test.clock.turn(MINUTE)
  const reference = test.outbox.submissions.row(ids[0] ?? '')?.reference ?? ''
  test.service.addCase({ caseId: '900', raw: { id: '900', notes: reference } })
  await test.clock.turn(HOUR)
  expect(test.outbox.alarms.listOpen()).toMatchObject([
    { kind: 'twoCasesOneReference', submissionId: ids[0] },
  ])
  expect(test.alarms).toEqual([ids[0]])
})

it('asks for no report while the delivery meets trouble, and asks again after it', async () => {
  const { test, delivery } = await twoSent()
  await test.clock.turn(MINUTE)
  const questions = (): number => test.service.asked.filter((what) => what.startsWith('report')).length
  const before = questions()
  expect(before).toBe(2)
  const until = test.clock.now() + HOUR
  delivery.noteTrouble({ ...failureOf('throttled'), notBefore: until })
  await test.clock.turn(HOUR - MINUTE)
  expect(questions()).toBe(before)
  await test.clock.turn(3 * MINUTE)
  expect(delivery.serviceStatus().health).toBe('reachable')
  expect(questions()).toBeGreaterThan(before)
})
