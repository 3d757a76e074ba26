/** Chooses what goes next and keeps the agreed number of attempts going. */
import { failureOf } from '../../../src-shared/failure.ts'
import { fail, type Result } from '../../../src-shared/result.ts'
import { openLoop } from '../loop.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import { isTrouble, readCaseList } from './baseline.ts'
import type { DeliveryContext } from './delivery-context.ts'
import { sendSubmission } from './send-submission.ts'

export type Sender = {
  wake(): void
  /** Ends attempts whose body is not through at once, gives the others a moment for their answer, and stops. */
  close(): Promise<void>
}

/** How many waiting submissions are looked at to find one that may go. */
const CHOICE = 50
/** How long a stop waits for answers to requests that are wholly out: an answer now saves a look later. */
const ANSWER_GRACE_MS = 3_500

type InFlight = { readonly row: SubmissionRow; readonly abort: AbortController; readonly done: Promise<void> }

/** Two cases of one patient and visit are never under way together: the evidence for one would fit the other. */
function visitOf(row: SubmissionRow): string {
  const fields = JSON.parse(row.fields) as { history_number?: string; visit_date?: string }
  return JSON.stringify([fields.history_number ?? row.id, fields.visit_date ?? null])
}

export function openSender(context: DeliveryContext, mayRun: () => boolean): Sender {
  const { outbox, clock, health } = context
  const inFlight = new Map<string, InFlight>()
  const closing = new AbortController()

  const mayGo = (): boolean => !closing.signal.aborted && mayRun()

  /** Asks a small question; the breaker closes where it is answered. */
  const probe = async (): Promise<void> => {
    const centerId = context.settings().centerId
    const asked: Result<unknown> = await context.gate.within(centerId, async () => {
      const list = await readCaseList(context, centerId)
      if (list.ok || !(await isTrouble(context, list.failure))) return { ok: true, value: null }
      return fail(list.failure)
    })
    if (asked.ok) health.noteSuccess()
    else health.noteTrouble(asked.failure)
  }

  /** The next that may go: the head of the queue decides the center, and nobody of another center overtakes it. */
  const choose = (): SubmissionRow | null => {
    const visits = new Set([...inFlight.values()].map(({ row }) => visitOf(row)))
    const centers = new Set([...inFlight.values()].map(({ row }) => row.center_id))
    for (const row of outbox.dueSubmissions(clock.now(), CHOICE)) {
      if (inFlight.has(row.id) || visits.has(visitOf(row))) continue
      return centers.size === 0 || centers.has(row.center_id) ? row : null
    }
    return null
  }

  const attempt = async (row: SubmissionRow, signal: AbortSignal): Promise<void> => {
    try {
      await sendSubmission(context, row, signal)
    } catch (error) {
      context.logger.error('an attempt stopped unexpectedly', {
        error: error instanceof Error ? error.name : 'unknown',
      })
      health.noteTrouble(failureOf('internal'))
    } finally {
      inFlight.delete(row.id)
      loop.wake()
    }
  }

  const launch = (row: SubmissionRow): void => {
    const abort = new AbortController()
    const done = attempt(row, abort.signal)
    inFlight.set(row.id, { row, abort, done })
  }

  const run = async (): Promise<number | null> => {
    if (!mayGo()) return null
    const breaker = health.breaker()
    if (breaker.kind === 'open') {
      if (breaker.nextProbeAt > clock.now()) return breaker.nextProbeAt
      await probe()
      const after = health.breaker()
      if (after.kind === 'open') return after.nextProbeAt
    }
    while (inFlight.size < context.settings().delivery.concurrency && mayGo()) {
      const row = choose()
      if (!row) break
      launch(row)
      // A service that was in trouble, or was never asked yet, is tried with one case before it gets more.
      if (health.status().lastSuccessAt === null) break
    }
    if (inFlight.size > 0) return null
    return outbox.nextDueAt()
  }

  const loop = openLoop({ name: 'sending', clock, logger: context.logger, run })

  return {
    wake: () => loop.wake(),
    close: async () => {
      closing.abort()
      const ends = Promise.all([...inFlight.values()].map(({ done }) => done))
      for (const { row, abort } of inFlight.values()) {
        const open = outbox.attemptsOf(row.id).at(-1)
        if (open?.outcome !== null || open.phase !== 'handedOver') abort.abort()
      }
      await Promise.race([ends, new Promise<void>((resolve) => void clock.after(ANSWER_GRACE_MS, resolve))])
      for (const { abort } of inFlight.values()) abort.abort()
      await ends
      await loop.close()
    },
  }
}
