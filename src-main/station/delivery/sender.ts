/** Chooses the next submissions and keeps the configured number of attempts running. */
import { SECOND } from '../../../src-shared/durations.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { Fields } from '../../../src-shared/fields.ts'
import type { Reason } from '../../../src-shared/submission.ts'
import { worded } from '../../../src-shared/wording.ts'
import { fieldsColumn } from '../json-columns.ts'
import { openLoop, waitAtMost } from '../lib/schedule.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import { postpone, sendSubmission } from './attempt.ts'
import { isProbeDue } from './breaker.ts'
import { type CancelRequest, type CancelResult, cancelTransfer } from './transfer.ts'
import { readList } from './case-list.ts'
import { destinationOf } from './center-lease.ts'
import type { DeliveryContext } from './context.ts'

/**
 * Ends attempts (or that of one case, after a defect) that a kill or power cut left open. Before `handedOver` the
 * request was incomplete: unsent. From then on it may have arrived: unknown, and looked up at once.
 */
export function recoverAttempts(
  { outbox, clock, logger }: Pick<DeliveryContext, 'outbox' | 'clock' | 'logger'>,
  submissionId?: string,
): { readonly unsent: number; readonly unknown: number } {
  const count = { unsent: 0, unknown: 0 }
  for (const attempt of outbox.openAttemptRows()) {
    if (submissionId !== undefined && attempt.submission_id !== submissionId) continue
    const at = clock.now()
    const wasIncomplete = attempt.phase === 'prepared' || attempt.phase === 'sending'
    const failure = failureOf(wasIncomplete ? 'interrupted' : 'outcomeUnknown', {
      requestBytes: attempt.request_bytes,
    })
    const outcome = wasIncomplete ? 'unsent' : 'unknown'
    const handedOverBytes = wasIncomplete ? 0 : attempt.request_bytes
    const end = { outcome, handedOverBytes, failure, answer: null, at } as const
    try {
      if (wasIncomplete) outbox.endAttempt(attempt.id, end, 'stayedUnsent', { failure, notBefore: at })
      else outbox.endAttempt(attempt.id, end, 'becameUnknown', { failure, notBefore: at + SECOND, looks: 0 })
    } catch (error) {
      if (!outbox.isMoveRefused(error) && !outbox.isCaseUnreadable(error)) throw error
      // An open attempt of a case that is not being sent: nothing says which of the two is right.
      outbox.quarantine(attempt.submission_id, 'submissions.state')
      logger.error('an open attempt contradicts its case, which is set aside', {
        submission: attempt.submission_id,
      })
      continue
    }
    count[outcome] += 1
  }
  if (submissionId === undefined) setAsideWithoutAttempt(outbox, logger)
  return count
}

/** Every open attempt has been ended: a case that is still being sent says what no attempt confirms. */
function setAsideWithoutAttempt(outbox: DeliveryContext['outbox'], logger: DeliveryContext['logger']): void {
  for (const id of outbox.submissionIdsIn('sending')) {
    if (outbox.quarantinedOf(id) !== null) continue
    outbox.quarantine(id, 'submissions.state')
    logger.error('a case is being sent without an open attempt, and is set aside', { submission: id })
  }
}

/** Waiting submissions to check for one that may go. */
const MAX_CANDIDATES = 50

/** A stop waits this long for answers to complete requests: an answer now saves a lookup later. */
const ANSWER_GRACE_MS = 3_500

type InFlight = { readonly row: SubmissionRow; readonly abort: AbortController; readonly done: Promise<void> }

export function openSender(context: DeliveryContext) {
  const { outbox, clock, health } = context
  const inFlight = new Map<string, InFlight>()
  const abandoned = new Set<string>()
  const closing = new AbortController()
  /** One at a time until a case has arrived: a failing service then leaves one to check and not several. */
  let isProven = false
  /** Our own disk refuses writes, so no attempt may begin before this instant. */
  let heldBackUntil: number | null = null

  const mayGo = (): boolean => !closing.signal.aborted && context.maySend()

  /** Sends a probe; an answer closes the breaker. */
  const probe = async (): Promise<void> => {
    const centerId = context.settings().centerId
    const asked = await context.gate.runIn(centerId, (lease) => readList(context, centerId, lease))
    if (asked.ok || asked.failure.kind === 'centerNotChanged') health.noteSuccess()
    else health.noteTrouble(asked.failure)
  }

  /** Made while this station had no center; now that it has one, the case could land anywhere. */
  const askForCenter = (row: SubmissionRow): void => {
    const { fields, sources } = outbox.submissionOf(row.id) ?? { fields: {}, sources: {} }
    const mayBeThere = outbox.attemptsOf(row.id).some(({ outcome }) => outcome === 'unknown')
    // The person who approves it must know that it was sent once already, to an unknown center.
    const message = worded(mayBeThere ? 'sending:center.unsetWhenSent' : 'sending:center.unsetWhenMade')
    const reasons: Reason[] = [{ kind: 'centerUnknown', ...message }]
    outbox.write(() => {
      outbox.setContent(row.id, { fields, sources, reasons }, clock.now())
      const how = { at: clock.now(), details: { reasons: ['centerUnknown'] } }
      outbox.moveSubmission(row.id, 'gatheredIncomplete', {}, how)
    })
  }

  /** The head of the queue decides the center, and no case of another center overtakes it. */
  const choose = (now: number): SubmissionRow | null => {
    const visits = new Set([
      ...[...inFlight.values()].map(({ row }) => visitOf(row)),
      // A case that can no longer be read may still have an open attempt.
      ...outbox.quarantinedVisits().map(visitIn),
    ])
    const centers = new Set([...inFlight.values()].map(({ row }) => row.center_id))
    for (const row of outbox.dueSubmissions(now, MAX_CANDIDATES)) {
      if (row.center_id === null && context.settings().centerId !== null) {
        askForCenter(row)
        continue
      }
      if (outbox.reviewIfUncleared(row.id, clock.now())) continue
      if (inFlight.has(row.id) || visits.has(visitOf(row))) continue
      return centers.size === 0 || centers.has(row.center_id) ? row : null
    }
    return null
  }

  const attempt = async (row: SubmissionRow, signal: AbortSignal): Promise<void> => {
    try {
      // Outside the outbox, so that an older copy of the outbox can be recognised.
      const announced = await context.guard.announce(row.id, destinationOf(context, row.center_id))
      heldBackUntil = announced.kind === 'failed' ? postpone(context, row, announced.failure) : null
      if (announced.kind !== 'announced') return
      const sent = await sendSubmission(context, row, signal)
      if (sent.ok && (sent.value === 'delivered' || sent.value === 'refused')) isProven = true
    } catch (error) {
      abandoned.add(row.id)
      noteDefect('an attempt stopped unexpectedly', error)
      health.noteTrouble(failureOf('internal'))
    } finally {
      try {
        context.guard.settle(row.id)
      } finally {
        inFlight.delete(row.id)
        loop.wake()
      }
    }
  }

  const noteDefect = (what: string, error: unknown): void =>
    context.logger.error(what, { error: error instanceof Error ? error.name : 'unknown' })

  const launch = (row: SubmissionRow): void => {
    const abort = new AbortController()
    // An error at the end of an attempt is logged; it must not end the process.
    const done = attempt(row, abort.signal).catch((error: unknown) =>
      noteDefect('the end of an attempt stopped unexpectedly', error),
    )
    inFlight.set(row.id, { row, abort, done })
  }

  /** Is only its answer missing? Of a case that cannot be read nothing is known: its transfer ends at once. */
  const awaitsAnswer = (submissionId: string): boolean => {
    try {
      const open = outbox.attemptsOf(submissionId).at(-1)
      return open?.outcome === null && open.phase === 'handedOver'
    } catch (error) {
      noteDefect('an attempt could not be read at the end', error)
      return false
    }
  }

  /** Ends attempts that a defect or a full disk left open, as after a crash. */
  const endAbandoned = (): void => {
    for (const id of abandoned) {
      recoverAttempts(context, id)
      abandoned.delete(id)
    }
  }

  const run = async (): Promise<number | null> => {
    if (closing.signal.aborted) return null
    endAbandoned()
    // Any trouble since the last arrival counts, even if a probe succeeded in between.
    if (health.breaker().troubles > 0) isProven = false
    const probedAgainAt = await probeIfOpen()
    if (probedAgainAt !== null) return probedAgainAt
    if (heldBackUntil !== null && heldBackUntil > clock.now()) return heldBackUntil
    // Read once: a case that fell due between two readings would be neither due now nor due later.
    const now = clock.now()
    while (mayGo() && inFlight.size < (isProven ? context.settings().delivery.concurrency : 1)) {
      const row = choose(now)
      if (!row) break
      launch(row)
    }
    return mayGo() ? outbox.nextDueAfter(now) : null
  }

  /** When the next probe is due. Also during a pause, because lookups and reports wait for it. */
  const probeIfOpen = async (): Promise<number | null> => {
    const before = health.breaker()
    if (before.kind === 'closed') return null
    if (isProbeDue(before, clock.now())) await probe()
    const after = health.breaker()
    return after.kind === 'open' ? after.nextProbeAt : null
  }

  const loop = openLoop({ name: 'sending', clock, logger: context.logger, run })

  return {
    wake: (): void => loop.wake(),
    probe,
    /** Stops the transfer of a submission for a person, unless its last bytes were released. */
    cancel: (submissionId: string, who: CancelRequest): CancelResult =>
      cancelTransfer(context, submissionId, who, inFlight.get(submissionId)?.abort),
    /** Ends attempts with incomplete bodies at once, gives the others a moment for their answers, and stops. */
    close: async (): Promise<void> => {
      closing.abort()
      const ends = Promise.all([...inFlight.values()].map(({ done }) => done))
      for (const { row, abort } of inFlight.values()) if (!awaitsAnswer(row.id)) abort.abort()
      await waitAtMost(clock, ANSWER_GRACE_MS, ends)
      for (const { abort } of inFlight.values()) abort.abort()
      await ends
      await loop.close()
      // The next delivery must find no open attempt of this one.
      try {
        endAbandoned()
      } catch (error) {
        noteDefect('an attempt that stopped could not be ended', error)
      }
    },
  }
}

/** Two cases of one visit never go at once: evidence for one would fit the other. Similar numbers count as equal. */
function visitIn({ id, fields }: { readonly id: string; readonly fields: Fields }): string {
  const historyNumber = fields.history_number?.normalize('NFKC').replaceAll(/\s/g, '').toLowerCase()
  return JSON.stringify([historyNumber ?? id, fields.visit_date ?? null])
}

function visitOf({ id, fields }: SubmissionRow): string {
  return visitIn({ id, fields: fieldsColumn.read(fields) })
}
