import { expect, it, onTestFinished } from 'vitest'
import * as faults from '../../../practice-service/faults.ts'
import { jsonAnswer } from '../../../practice-service/answers.ts'
import { openPracticeService } from '../../../practice-service/practice-service.ts'
import { addWaiting, openTestOutbox } from '../../../tools/outbox-with.ts'
import { openRealDelivery } from './real-delivery.ts'

const MARKER = 'MARKER-7741'

it.each([
  ['a refusal', 400],
  ['a defect', 500],
  ['a success without an id', 200],
])('what the service says in %s is kept for people and stands in no log', async (_name, status) => {
  const service = await openPracticeService({ answerDelayMs: 0 })
  onTestFinished(() => service.close())
  const answer = jsonAnswer(status, { message: `${MARKER} Muster, Maria`, detail: MARKER })
  service.faults.add('POST /cases', { name: 'marked', moment: 'read', act: { kind: 'answer', answer } })
  service.faults.add('GET /cases/{id}', faults.failInEnvelope(MARKER), { times: 'always' })
  const test = openTestOutbox()
  const id = addWaiting(test)
  const { delivery, logger } = openRealDelivery(test, service)
  onTestFinished(() => delivery.close())
  await expect
    .poll(() => test.outbox.attempts.of(id).at(-1)?.outcome ?? null, { timeout: 10_000 })
    .not.toBeNull()
  const attemptId = test.outbox.attempts.of(id).at(-1)?.id ?? ''
  expect(test.outbox.attempts.answerOf(attemptId)).toMatchObject({
    status,
    text: expect.stringContaining(MARKER) as string,
  })
  expect(logger.lines.length).toBeGreaterThan(0)
  expect(JSON.stringify(logger.lines)).not.toContain(MARKER)
  expect(JSON.stringify(test.outbox.audit.list({ limit: 100 }))).not.toContain(MARKER)
})
