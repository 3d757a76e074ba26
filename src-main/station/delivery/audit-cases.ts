/** Every list of cases that is read is also an audit: does one of our references stand there where it must not? */
import type { ServiceCase } from '../../../src-shared/case.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import { eachSlice } from '../each-slice.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import { destinationOf, type DeliveryContext } from './delivery-context.ts'
import {
  carriedReferences,
  noteReferences,
  type CarriedReference,
  type FoundReferences,
} from './find-doubles.ts'

const TWICE =
  'The service holds more than one case with the reference of this one: it may have been read twice. Look at them at the service, keep one, and have the other removed.'
const SWAPPED =
  'A case at the service carries the reference of this one, but the station has noted it for another case. Compare both at the service, and have it put right there.'
const SENT_BEFORE =
  'The service holds this case already, although nothing here says that it was sent: this outbox is older than what happened. It is on hold and is not sent again; compare it with the case at the service.'
const FOUND = 'A case with this reference is at the service, so it is not sent again.'

/** In these it would be sent some day, although it is there. */
const WOULD_BE_SENT: readonly SubmissionState[] = [
  'collecting',
  'incomplete',
  'review',
  'waiting',
  'held',
  'refused',
]

/** Compares a list that was read under a center with what is bound here; raises alarms, each once. */
export async function auditCases(
  context: DeliveryContext,
  centerId: string | null,
  cases: readonly ServiceCase[],
): Promise<void> {
  const { outbox, client } = context
  const known = {
    ofReference: (reference: string) => outbox.submissionByReference(reference, client.identity),
    ofCase: (caseId: string) => outbox.boundSubmission(caseId, client.identity),
  }
  const found: FoundReferences = new Map()
  await eachSlice(cases, (slice) => noteReferences(found, slice, known))
  for (const one of carriedReferences(found)) {
    const isDouble = one.caseIds.length > 1 || one.boundToOthers.length > 0
    if (isDouble) alarm(context, one)
    else takeFound(context, one, centerId)
  }
}

function alarm(context: DeliveryContext, { submissionId, caseIds, boundToOthers }: CarriedReference): void {
  const { outbox, clock } = context
  const others = boundToOthers.map((other) => other.id)
  const isKnown = outbox
    .detailsOf(submissionId)
    ?.evidence.some(({ kind, caseIds: told }) => kind === 'twice' && caseIds.every((id) => told.includes(id)))
  if (isKnown === true) return
  const at = clock.now()
  const message = caseIds.length > 1 ? TWICE : SWAPPED
  const isNew = outbox.write(() => {
    const isRaised = outbox.raiseAlarm({ kind: 'twoCasesOneReference', submissionId, caseIds, message, at })
    if (!isRaised) return false
    for (const id of [submissionId, ...others]) {
      const attempt = outbox.attemptsOf(id).at(-1)
      if (!attempt) continue
      const evidence = { submissionId: id, attemptId: attempt.id, at, message, by: null }
      outbox.appendEvidence({ ...evidence, kind: 'twice', caseIds: [...caseIds] })
    }
    return true
  })
  if (isNew) context.onAlarm(submissionId)
}

/** What would be sent and is there already has arrived after all: it is taken as sent, or held where nothing is known of it. */
function takeFound(
  context: DeliveryContext,
  { submissionId, caseIds }: CarriedReference,
  centerId: string | null,
): void {
  const { outbox, clock } = context
  const row = outbox.rowOf(submissionId)
  const [caseId] = caseIds
  if (!row || caseId === undefined || row.case_id !== null || !WOULD_BE_SENT.includes(row.state)) return
  const attempt = outbox.attemptsOf(submissionId).at(-1)
  const at = clock.now()
  if (!attempt) return holdUnexplained(context, row, caseId)
  outbox.write(() => {
    const details = { caseId, why: 'foundAtTheService' }
    const failure = failureOf('outcomeUnknown')
    outbox.appendEvidence({
      submissionId,
      attemptId: attempt.id,
      at,
      kind: 'echoedReference',
      caseIds: [caseId],
      message: FOUND,
      by: null,
    })
    outbox.moveSubmission(submissionId, 'wasRestored', { failure, notBefore: at, looks: 0 }, { at, details })
    const found = { caseId, sentAt: at, failure: null, notBefore: at }
    outbox.moveSubmission(submissionId, 'foundDelivered', found, { at, details })
    outbox.watchReport({ submissionId, caseId, destination: destinationOf(context, centerId), at })
    outbox.writeFact('lastSentAt', String(at))
  })
}

/** Never attempted as far as this outbox knows, and there: somebody must look before anything goes. */
function holdUnexplained(context: DeliveryContext, row: SubmissionRow, caseId: string): void {
  const { outbox, clock } = context
  const at = clock.now()
  const isNew = outbox.write(() => {
    const alarmed = { kind: 'outboxRestored' as const, submissionId: row.id, caseIds: [caseId], at }
    if (!outbox.raiseAlarm({ ...alarmed, message: SENT_BEFORE })) return false
    if (row.state === 'waiting' || row.state === 'review' || row.state === 'incomplete')
      outbox.moveSubmission(row.id, 'held', {}, { at, details: { why: 'foundAtTheService', caseId } })
    return true
  })
  if (isNew) context.onAlarm(row.id)
}
