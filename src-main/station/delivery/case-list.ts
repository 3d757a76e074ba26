/** Reads the service's list of cases, which is the baseline of later attempts and an audit of earlier ones. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import type { ALARM_KINDS } from '../../../src-shared/alarms.ts'
import type { Evidence } from '../../../src-shared/submission.ts'
import { type Wording, worded, type WordingKey } from '../../../src-shared/wording.ts'
import { idsOf, unambiguousIdsOf } from '../lib/service-case.ts'
import { eachSlice } from '../lib/schedule.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { CaseList } from '../service/client.ts'
import { isMoved, isQueueWide } from './breaker.ts'
import { type CenterLease, destinationOf, wasSwitched } from './center-lease.ts'
import type { DeliveryContext } from './context.ts'
import {
  type CarriedReference,
  caseIdsOf,
  classifyFound,
  mayBeAdopted,
  noteReferences,
} from './match-cases.ts'

/** An older list says too little about which cases are new. */
const BASELINE_MAX_AGE_MS = 10 * MINUTE

/**
 * Reads the list under the held center and saves its ids; null if the service has no readable list: then absence proves
 * nothing. After a new token it may be another center's: it is discarded, and the call fails with `centerNotChanged`.
 */
export async function readList(
  context: DeliveryContext,
  centerId: string | null,
  lease: CenterLease,
): Promise<Result<CaseList | null>> {
  const { health } = context
  const { troubles } = health.breaker()
  const list = await context.client.listCases(context.stopSignal)
  if (!list.ok) return (await isServiceTrouble(context, list.failure)) ? list : succeed(null)
  // An answer to a request from before the newest trouble does not end that trouble.
  if (health.breaker().troubles <= troubles) health.noteSuccess()
  if (!lease.isValid() || (await wasSwitched(context, centerId))) return fail(failureOf('centerNotChanged'))
  context.outbox.saveCaseList(destinationOf(context, centerId), {
    readAt: context.clock.now(),
    caseIds: list.value.cases.flatMap((one) => unambiguousIdsOf(one)),
    isComplete: list.value.isComplete,
  })
  await learnFromList(context, centerId, list.value.cases)
  return list
}

/** Learns the states of our cases from any list that was read, and whether one of them is there twice. */
export async function learnFromList(
  context: DeliveryContext,
  centerId: string | null,
  cases: readonly ServiceCase[],
): Promise<void> {
  await eachSlice(cases, (slice) =>
    context.outbox.saveCaseStates(destinationOf(context, centerId), slice, context.clock.now()),
  )
  await auditCases(context, centerId, cases)
}

/** Ensures that the list of known ids is recent before an attempt. Doubles as the probe before a big body. */
export async function refreshBaseline(
  context: DeliveryContext,
  centerId: string | null,
  lease: CenterLease,
): Promise<Result<null>> {
  const { outbox, clock } = context
  const readAt = outbox.caseListReadAt(destinationOf(context, centerId))
  // A list from the future was read before the clock was set back: its age is unknown.
  const ageMs = readAt === null ? Infinity : clock.now() - readAt
  if (ageMs >= 0 && ageMs < BASELINE_MAX_AGE_MS) return succeed(null)
  const list = await readList(context, centerId, lease)
  return list.ok ? succeed(null) : list
}

/**
 * Is a failed list trouble of the service, or has it none? An address that cannot list the centers either is wrong, and one
 * that is sent on elsewhere takes no case.
 */
export async function isServiceTrouble(context: DeliveryContext, failure: Failure): Promise<boolean> {
  if (isMoved(failure)) return true
  if (failure.kind === 'wrongAddress' || failure.kind === 'signedOut') {
    const centers = await context.client.listCenters(context.stopSignal)
    return !centers.ok
  }
  return isQueueWide(failure)
}

/** A finding about a submission: what was seen, in which cases, and how a person reads it. */
export type Finding = {
  readonly kind: Evidence['kind']
  readonly caseIds: readonly string[]
  readonly key: WordingKey
  readonly values?: Wording['values']
  /** Epoch milliseconds; now by default. */
  readonly at?: number
}

/** Records a finding as evidence of an attempt. */
export function appendEvidence(
  { outbox, clock }: Pick<DeliveryContext, 'outbox' | 'clock'>,
  submissionId: string,
  attemptId: string,
  { kind, caseIds, key, values, at = clock.now() }: Finding,
): void {
  outbox.appendEvidence({
    submissionId,
    attemptId,
    at,
    kind,
    caseIds: [...caseIds],
    ...worded(key, values),
    by: null,
  })
}

/** Raises an alarm, once for the same cases; `andThen` runs in the same commit if it is new. */
export function raiseAlarm(
  context: DeliveryContext,
  submissionId: string,
  {
    kind,
    caseIds,
    key,
    values,
  }: Omit<Finding, 'kind' | 'at'> & { readonly kind: (typeof ALARM_KINDS)[number] },
  andThen: () => void,
): void {
  const { outbox, clock } = context
  const isNew = outbox.write(() => {
    const alarm = { kind, submissionId, caseIds, ...worded(key, values), at: clock.now() }
    if (!outbox.raiseAlarm(alarm)) return false
    andThen()
    return true
  })
  if (isNew) context.onAlarm(submissionId)
}

/** Compares a list read under a center with the cases bound here, and raises each alarm once. */
async function auditCases(
  context: DeliveryContext,
  centerId: string | null,
  cases: readonly ServiceCase[],
): Promise<void> {
  const { outbox, client } = context
  const lookup = {
    ofReference: (reference: string) => outbox.submissionByReference(reference, client.identity),
    ofCase: (caseId: string) => outbox.boundSubmission(caseId, destinationOf(context, centerId)),
  }
  const found = new Map<string, CarriedReference>()
  await eachSlice(cases, (slice) => noteReferences(found, slice, lookup))
  await eachSlice([...found.values()], (slice) => {
    for (const one of slice) {
      if (caseIdsOf(one).length > 1 || one.boundToOthers.size > 0) raiseDuplicateAlarm(context, one)
      // Nothing is to be found out about one that is bound there.
      if (one.ours.caseId === null) resolveFound(context, one, centerId)
    }
  })
}

function raiseDuplicateAlarm(context: DeliveryContext, carried: CarriedReference): void {
  const { outbox } = context
  const submissionId = carried.ours.id
  const caseIds = caseIdsOf(carried)
  const isAlreadyRaised = outbox
    .detailsOf(submissionId)
    ?.evidence.some(
      ({ kind, caseIds: alarmedIds }) => kind === 'twice' && caseIds.every((id) => alarmedIds.includes(id)),
    )
  if (isAlreadyRaised === true) return
  const key = caseIds.length > 1 ? 'sending:found.duplicate' : 'sending:found.otherSubmission'
  raiseAlarm(context, submissionId, { kind: 'twoCasesOneReference', caseIds, key }, () => {
    for (const id of [submissionId, ...carried.boundToOthers]) {
      // The alarm stands without evidence on a case that cannot be read.
      const attempt = outbox.isReadable(id) ? outbox.attemptsOf(id).at(-1) : undefined
      if (attempt) appendEvidence(context, id, attempt.id, { kind: 'twice', caseIds, key })
    }
  })
}

/** A case that seems to be there is not sent automatically: it is adopted, marked unconfirmed, or held. */
function resolveFound(context: DeliveryContext, carried: CarriedReference, centerId: string | null): void {
  const { outbox, clock } = context
  const row = outbox.rowOf(carried.ours.id)
  const caseIds = caseIdsOf(carried)
  const [one] = carried.cases.values()
  if (!row || !one || row.case_id !== null) return
  const attempts = outbox.attemptsOf(row.id)
  const [first] = attempts
  const last = attempts.at(-1)
  const destination = destinationOf(context, centerId)
  const isSameDestination =
    last?.base_url === destination.baseUrl &&
    last.client_id === destination.clientId &&
    last.center_id === centerId
  const verdict = classifyFound({
    state: row.state,
    hasAttempt: last !== undefined,
    isSettledByPerson: isSettledByPerson(context, row.id, caseIds),
    isUnchangedSinceAttempt:
      last !== undefined && outbox.matchesClearance(row.id) && (row.passed_at ?? 0) <= last.started_at,
    isSameDestination: isSameDestination && row.center_id === centerId,
    mayBeAdopted:
      caseIds.length === 1 &&
      mayBeAdopted(one, {
        fields: outbox.submissionOf(row.id)?.fields ?? {},
        wasKnownAtFirst: (caseId) => first !== undefined && outbox.wasKnownBefore(first, caseId),
        isBound: (caseId) => outbox.boundSubmission(caseId, destination) !== null,
      }),
  })
  if (verdict === 'hold') return holdUnexplained(context, row, caseIds)
  if (verdict === 'nothing' || !last) return
  const at = clock.now()
  const details = { caseIds, attempt: last.number }
  const found =
    verdict === 'take'
      ? { kind: 'echoedReference' as const, key: 'sending:found.arrived' as const }
      : { kind: 'unclear' as const, key: 'sending:found.unclear' as const }
  outbox.write(() => {
    appendEvidence(context, row.id, last.id, { ...found, caseIds, at })
    const failure = failureOf('outcomeUnknown')
    outbox.moveSubmission(row.id, 'foundAtService', { failure, notBefore: null, looks: 0 }, { at, details })
    if (verdict === 'take') adoptCase(context, row, one.caseId, at)
  })
}

/** Was it seen before, and has a person decided since? Then it is known to be another case. */
function isSettledByPerson(
  { outbox }: DeliveryContext,
  submissionId: string,
  seen: readonly string[],
): boolean {
  const evidence = outbox.detailsOf(submissionId)?.evidence ?? []
  const seenAt = evidence.findIndex(({ caseIds }) => seen.every((caseId) => caseIds.includes(caseId)))
  return seenAt >= 0 && evidence.findLastIndex(({ kind }) => kind === 'decision') > seenAt
}

/** Holds a case that is there and was never sent from here, once: a release by a person settles it. */
function holdUnexplained(context: DeliveryContext, row: SubmissionRow, caseIds: readonly string[]): void {
  const { outbox, clock } = context
  raiseAlarm(context, row.id, { kind: 'foundUnsent', caseIds, key: 'sending:found.sentBefore' }, () => {
    if (row.state !== 'waiting' && row.state !== 'review' && row.state !== 'incomplete') return
    const details = { why: 'foundAtTheService', caseIds }
    outbox.moveSubmission(row.id, 'held', {}, { at: clock.now(), details })
  })
}

/** The submission bound to the case under any of its ids; null if there is none. */
export function submissionWithCase(
  { outbox, client }: Pick<DeliveryContext, 'outbox' | 'client'>,
  one: ServiceCase,
  centerId: string | null,
): string | null {
  const destination = { ...client.identity, centerId }
  const holders = idsOf(one).map((id) => outbox.boundSubmission(id, destination))
  return holders.find((holder) => holder !== null)?.id ?? null
}

/** Moves the submission to `sent`. Call it in the write that found no other submission with the case. */
export function adoptCase(context: DeliveryContext, row: SubmissionRow, caseId: string, at: number): void {
  const { outbox } = context
  outbox.moveSubmission(
    row.id,
    'foundDelivered',
    { caseId, sentAt: at, failure: null, notBefore: at },
    { at, details: { caseId } },
  )
  outbox.watchReport({
    submissionId: row.id,
    caseId,
    destination: destinationOf(context, row.center_id),
    at,
  })
  outbox.writeFact('lastSentAt', String(at))
  outbox.afterCommit(() => context.health.noteFound())
}
