/** Looks up one unconfirmed submission at the service, and acts on the result. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { DAY, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { Evidence } from '../../../src-shared/submission.ts'
import { worded, type WordingKey } from '../../../src-shared/wording.ts'
import { failureColumn } from '../json-columns.ts'
import { hasId, idsOf, unambiguousIdsOf } from '../lib/service-case.ts'
import type { Calibration } from '../outbox/cases-and-centers.ts'
import type { AttemptRow, Destination, SubmissionRow } from '../outbox/rows.ts'
import type { CaseList } from '../service/client.ts'
import { adoptCase, appendEvidence, type Finding, submissionWithCase } from './case-list.ts'
import { type CenterLease, destinationOf, wasSwitched } from './center-lease.ts'
import type { DeliveryContext } from './context.ts'
import { type BoundIds, isOtherVisit, matchCases } from './match-cases.ts'
import { isAnsweredInstead } from './outcome.ts'

/** New cases requested one by one if the list shows too little of them. */
const MAX_DETAILS = 10

type LookupContext = {
  /** Read under the center of the submission; null if the service has no readable list. */
  readonly list: CaseList | null
  /** Ids bound to a submission already; adopted ones are added. */
  readonly bound: BoundIds
  readonly known: KnownIds
  readonly lease: CenterLease
}

/** As `wasKnownBefore` of the outbox, which a round asks about each case of a list for each of ours. */
export type KnownIds = (
  attempt: Pick<AttemptRow, 'base_url' | 'client_id' | 'center_id' | 'known_position'>,
  caseId: string,
) => boolean

/**
 * Adopts the case that carries the reference, proposes one that only resembles it, and sends again only if absence is
 * proven and the clinic allows it.
 */
export async function reconcile(
  context: DeliveryContext,
  row: SubmissionRow,
  lookup: LookupContext,
): Promise<void> {
  const { outbox, clock } = context
  const submission = outbox.submissionOf(row.id)
  const attempts = outbox.attemptsOf(row.id)
  const attempt = attempts.findLast(({ outcome }) => outcome === 'unknown')
  // A person may have decided since the list was asked for, or another attempt was made: the list may be older than that.
  const current = outbox.rowOf(row.id)
  if (!submission || current?.state !== 'unconfirmed' || current.attempts !== row.attempts) return
  // Unconfirmed without an attempt, or seen at the service although nothing was in doubt: only a person can decide, so
  // no lookup is due.
  if (!attempt || attempts.at(-1)?.found_at !== null) return outbox.setNotBefore(row.id, null)
  const at = clock.now()
  const settings = context.settings()
  const note = (kind: Evidence['kind'], caseIds: readonly string[], key: WordingKey): void =>
    noteOnce(context, row.id, attempt.id, { kind, caseIds, key, at })
  const scheduleNext = (): void => {
    const { lookSeconds } = settings.delivery
    outbox.setNotBefore(row.id, nextLookupAt(attempt.ended_at ?? at, at, lookSeconds, row.looks), {
      plannedAt: at,
      looks: row.looks + 1,
    })
  }
  const noteFailure = (why: WordingKey): void => {
    note('lookFailed', [], why)
    scheduleNext()
  }

  const { list } = lookup
  const whyNot =
    whyNoLookup(attempt, row, destinationOf(context, settings.centerId)) ??
    (list === null ? 'sending:lookup.noList' : null)
  if (whyNot !== null || !list) return noteFailure(whyNot ?? 'sending:lookup.noList')
  const isKnown = (caseId: string): boolean => lookup.known(attempt, caseId)
  const isNew = (one: ServiceCase): boolean =>
    !unambiguousIdsOf(one).some((id) => isKnown(id) || lookup.bound.has(id))
  const { cases, wasAsked } = await withDetails(context, list.cases, {
    number: row.looks,
    mightMatch: (one) => isNew(one) && !isOtherVisit(one, submission.fields),
  })
  // Another client may have switched the center while single cases were read: then they may be another center's.
  const isElsewhere = wasAsked && (await wasSwitched(context, row.center_id))
  const [first] = attempts
  const result = matchCases(cases, {
    reference: submission.reference,
    fields: submission.fields,
    isKnown,
    wasKnownAtFirst: (caseId) => first !== undefined && lookup.known(first, caseId),
    bound: lookup.bound,
  })
  if (outbox.rowOf(row.id)?.state !== 'unconfirmed') return
  // A person may have decided meanwhile, or another attempt was made: this lookup does not concern it.
  if (outbox.attemptsOf(row.id).at(-1)?.id !== attempts.at(-1)?.id) return
  // After a new token in between, the answers may be another center's.
  if (isElsewhere || !lookup.lease.isValid()) return scheduleNext()

  switch (result.kind) {
    case 'echoedReference':
      outbox.write(() => {
        const one = cases.find(({ caseId }) => caseId === result.caseIds[0])
        // Another submission may have taken it since the list was read.
        if (!one || submissionWithCase(context, one, row.center_id) !== null) {
          note('unclear', result.caseIds, 'sending:lookup.marked')
          return scheduleNext()
        }
        note('echoedReference', result.caseIds, 'sending:lookup.echoedReference')
        adoptCase(context, row, one.caseId, at)
        outbox.afterCommit(() => lookup.bound.add(one.caseId))
      })
      return
    case 'marked':
    case 'sameIdentity':
    case 'several':
    case 'unclear':
      note(
        result.kind === 'marked' ? 'unclear' : result.kind,
        result.caseIds,
        `sending:lookup.${result.kind}`,
      )
      return scheduleNext()
    case 'absent': {
      const why = list.isComplete
        ? whyNeverAbsent(attempts, outbox.detailsOf(row.id)?.evidence ?? [])
        : 'sending:lookup.notWhole'
      if (why !== null) return noteFailure(why)
      if (!checkProvenAbsent(context, row, attempt, at)) return scheduleNext()
      outbox.moveSubmission(
        row.id,
        'provenAbsent',
        { failure: null, notBefore: at },
        { at, details: { looks: row.looks + 1, attempt: attempt.number } },
      )
    }
  }
}

/** Every absence is recorded: their number and span are the proof. */
function checkProvenAbsent(
  context: DeliveryContext,
  row: SubmissionRow,
  attempt: AttemptRow,
  at: number,
): boolean {
  const { outbox } = context
  appendEvidence(context, row.id, attempt.id, {
    kind: 'absent',
    caseIds: [],
    key: 'sending:lookup.absent',
    at,
  })
  const calibration = outbox.calibrationOf(destinationOf(context, row.center_id))
  const missedAt = [...(context.missedAt.get(attempt.id) ?? []), context.clock.monotonicMs()]
  context.missedAt.set(attempt.id, missedAt)
  // By both clocks: one set ahead between two lookups would prove absence within a minute.
  const observations = [outbox.absentLookupsOf(attempt.id), missedAt]
  const isProven = observations.every((absentAt) => isProvenAbsent(absentAt, calibration))
  return isProven && context.settings().delivery.resendWhenProvenAbsent
}

/** A finding that repeats with every lookup is recorded only once. */
function noteOnce(context: DeliveryContext, submissionId: string, attemptId: string, noted: Finding): void {
  const last = context.outbox.detailsOf(submissionId)?.evidence.at(-1)
  const isSame =
    last?.kind === noted.kind &&
    last.message === worded(noted.key).message &&
    last.caseIds.join() === noted.caseIds.join()
  if (!isSame) appendEvidence(context, submissionId, attemptId, noted)
}

/** Why a list read now can say nothing about this attempt, as the key of a message; null if it can. */
function whyNoLookup(
  attempt: Pick<AttemptRow, 'base_url' | 'client_id' | 'center_id'>,
  row: Pick<SubmissionRow, 'center_id'>,
  now: Destination,
): WordingKey | null {
  if (attempt.base_url !== now.baseUrl || attempt.client_id !== now.clientId)
    return 'sending:lookup.anotherService'
  if (row.center_id === null && now.centerId !== null) return 'sending:lookup.noCenter'
  return attempt.center_id === row.center_id ? null : 'sending:lookup.anotherCenter'
}

/** Why absence cannot be proven at all, as the key of a message; null if it can. */
function whyNeverAbsent(
  attempts: readonly Pick<AttemptRow, 'outcome' | 'answer_status' | 'failure'>[],
  evidence: readonly Pick<Evidence, 'kind'>[],
): WordingKey | null {
  if (evidence.some(({ kind }) => kind === 'centerUnsure')) return 'sending:lookup.centerUnsure'
  const accepted = attempts.filter(
    ({ outcome, answer_status: status }) =>
      outcome === 'unknown' && status !== null && status >= 200 && status < 300,
  )
  if (accepted.length === 0) return null
  const areOthers = accepted.every(
    ({ failure }) => failure !== null && isAnsweredInstead(failureColumn.read(failure)),
  )
  return areOthers ? 'sending:lookup.answeredInstead' : 'sending:lookup.serviceAccepted'
}

/**
 * Lists are often terse: reads new cases that could be ours in full, so that a reference can be seen. If there are
 * many, each lookup, counted by `number`, reads different ones.
 */
async function withDetails(
  context: Pick<DeliveryContext, 'client' | 'stopSignal'>,
  listed: readonly ServiceCase[],
  lookup: { readonly number: number; readonly mightMatch: (one: ServiceCase) => boolean },
): Promise<{ readonly cases: readonly ServiceCase[]; readonly wasAsked: boolean }> {
  const candidates = listed.filter((one) => lookup.mightMatch(one))
  const wholes = new Map<ServiceCase, ServiceCase>()
  for (let index = 0; index < Math.min(MAX_DETAILS, candidates.length); index += 1) {
    const one = candidates[(lookup.number * MAX_DETAILS + index) % candidates.length]
    if (!one) continue
    const whole = await context.client.getCase(one.caseId, context.stopSignal)
    // The answer must be the requested case.
    if (whole.ok && idsOf(one).some((id) => hasId(whole.value, id)))
      wholes.set(one, { ...mergeDetails(one, whole.value), caseId: one.caseId })
  }
  const cases = wholes.size === 0 ? listed : listed.map((one) => wholes.get(one) ?? one)
  return { cases, wasAsked: candidates.length > 0 }
}

function mergeDetails(listed: ServiceCase, whole: ServiceCase): ServiceCase {
  const stated = Object.entries(whole).filter(([, value]) => value !== null)
  return { ...listed, ...Object.fromEntries(stated), raw: { ...listed.raw, ...whole.raw } }
}

/**
 * When to look next, epoch ms; null after a day, when only a start, a reconnection or a person does. Missed looks are
 * not made up for, and the last interval repeats. They are counted (`looks`) and not timed: a clock set ahead by days
 * must not end them after two.
 */
export function nextLookupAt(
  endedAt: number,
  now: number,
  lookSeconds: readonly number[],
  lookups: number = Infinity,
): number | null {
  const last = lookSeconds.at(-1) ?? 3_600
  if (now < endedAt) return Math.round(now + (lookSeconds[lookups + 1] ?? last) * SECOND)
  const planned = lookSeconds.map((seconds) => Math.round(endedAt + seconds * SECOND)).find((at) => at > now)
  const at = planned ?? Math.round(now + last * SECOND)
  const isDayOver = at - endedAt > DAY
  return isDayOver && lookups >= Math.min(lookSeconds.length, MIN_LOOKUPS) ? null : at
}

/** Made at the least, however late the clock says it is. */
const MIN_LOOKUPS = 8

/** Spread over a quarter of an hour. */
const LOOKUPS_FOR_PROOF = 3
const PROOF_SPAN_MS = 15 * MINUTE

/** A single listed case may be chance. */
const CASES_FOR_CALIBRATION = 3

/**
 * Absence proves something only if the list showed every confirmed case, and the lookups span more than the slowest.
 */
export function isProvenAbsent(absentAt: readonly number[], calibration: Calibration): boolean {
  const [first] = absentAt
  const last = absentAt.at(-1)
  if (first === undefined || last === undefined || absentAt.length < LOOKUPS_FOR_PROOF) return false
  const isCalibrated = calibration.missed === 0 && calibration.seen >= CASES_FOR_CALIBRATION
  return isCalibrated && last - first >= Math.max(PROOF_SPAN_MS, 2 * calibration.slowestMs)
}
