/** Anything at all as an answer to any of the seven calls: the delivery neither breaks nor believes it. */
import { fc, runs } from '../../../../tools/property.ts'
import { expect, it, onTestFinished } from 'vitest'
import type { Outbox } from '../../../../../src-main/station/outbox/outbox.ts'
import { addWaiting, openTestOutbox } from '../../../../tools/outbox-with.ts'
import { openRealDelivery, type RealDelivery } from '../real-delivery.ts'
import { CALLS, openFuzzedService, wildAnswer, type FuzzedCall, type WildAnswer } from './fuzzed-service.ts'

const RUNS = runs(400)
const PATIENCE_MS = 10_000

/** Waits until nothing more happens without the clock: the case is settled, or the service is in trouble. */
async function untilSettled({ delivery, clock }: RealDelivery, outbox: Outbox, id: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const row = outbox.submissions.row(id)
    const isSettled = row?.state !== 'sending' && (row?.state !== 'waiting' || row.failure !== null)
    if (isSettled || delivery.serviceStatus().health === 'trouble') return
    if (performance.now() > until)
      throw new Error(`stuck in ${row?.state ?? 'nothing'}, ${clock.timerCount} timers`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/** What comes near to a receipt and is none; tried first, whatever the seed is. */
const TEMPTING: [FuzzedCall, WildAnswer][] = (
  [
    [200, '{"id":1}', 'length'],
    [201, '{"id":901}', 'short'],
    [500, '{"id":901}', 'length'],
    [302, '{"id":901}', 'length'],
    [200, '{"success":false,"id":901}', 'length'],
    [200, '<html><body>case 901</body></html>', 'close'],
    [200, '{"id":901', 'chunked'],
  ] as const
).map(([status, text, framing]) => ['newCase', { status, headers: [], body: Buffer.from(text), framing }])

/** May this answer to the post be a receipt for the case? Said without the readers that are tried here. */
function mayBeReceipt({ status, framing, body, headers }: WildAnswer, caseId: string): boolean {
  const isWhole = framing === 'length' || framing === 'close' || framing === 'chunked'
  const text = Buffer.from(body).toString('utf8') + headers.map(([, value]) => value).join(' ')
  return isWhole && status >= 200 && status < 300 && text.includes(caseId)
}

function checkEnd(
  outbox: Outbox,
  id: string,
  isTrouble: boolean,
  whole: number,
  wild: [FuzzedCall, WildAnswer, string],
): void {
  const submission = outbox.submissions.get(id)
  const [call, answer, caseId] = wild
  switch (submission?.state) {
    case 'sent':
      expect(whole).toBe(1)
      expect(['1', '2']).not.toContain(submission.caseId)
      if (call === 'newCase') expect(mayBeReceipt(answer, submission.caseId ?? '-')).toBe(true)
      else expect(submission.caseId).toBe(caseId)
      return
    case 'waiting':
      return expect(submission.notBefore !== null || isTrouble).toBe(true)
    case 'unconfirmed':
      expect(whole).toBeLessThanOrEqual(1)
      return expect(submission.notBefore).not.toBeNull()
    case 'refused':
      return expect(submission.failure?.message).toMatch(/\w+/)
    default:
      expect(submission?.state).toBe('one with a next step')
  }
}

/** Takes the case out of the way of the next one. */
function putAway(outbox: Outbox, id: string): void {
  const at = Date.UTC(2026, 10, 20)
  if (outbox.submissions.row(id)?.state === 'sent') outbox.submissions.setConfirmed(id, at)
  else outbox.submissions.transition(id, 'discarded', {}, { at })
}

it(
  `believes none of ${RUNS} wild answers, and always knows a next step`,
  { timeout: 60_000 + RUNS * 500 },
  async () => {
    const test = openTestOutbox()
    const service = await openFuzzedService()
    onTestFinished(() => service.close())
    const rejections: unknown[] = []
    const note = (error: unknown): void => void rejections.push(error)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const ends: Record<string, number> = {}
    let number = 1_000
    const property = fc.asyncProperty(
      fc.constantFrom(...CALLS, 'newCase' as const),
      wildAnswer,
      async (call, answer) => {
        const caseId = String((number += 1))
        service.prepare(call, answer, caseId)
        const id = addWaiting(test, { centerId: '101' })
        const opening = { baseUrl: service.baseUrl, clientId: 'clinic', clientSecret: 'secret' }
        const opened = openRealDelivery(test, opening, '101')
        try {
          await untilSettled(opened, test.outbox, id)
          const { delivery } = opened
          const asked = await Promise.all([
            delivery.ask('101', (client) => client.getReport('7')),
            delivery.ask('101', (client) => client.getCase('7')),
            delivery.askAnywhere((client) => client.listCenters()),
          ])
          expect(asked.every((one) => typeof one.ok === 'boolean')).toBe(true)
          const isTrouble = delivery.serviceStatus().nextTryAt !== null
          checkEnd(test.outbox, id, isTrouble, service.wholeBodies(), [call, answer, caseId])
          expect(opened.logger.lines.filter(({ level }) => level === 'error')).toEqual([])
        } finally {
          await opened.delivery.close()
          const state = test.outbox.submissions.row(id)?.state ?? 'none'
          ends[state] = (ends[state] ?? 0) + 1
          putAway(test.outbox, id)
        }
      },
    )
    await fc.assert(property, { numRuns: RUNS, examples: TEMPTING })
    expect(rejections).toEqual([])
    // The trial is worth nothing if it reaches only one end.
    expect(Object.keys(ends)).toEqual(expect.arrayContaining(['sent', 'waiting', 'unconfirmed', 'refused']))
  },
)
