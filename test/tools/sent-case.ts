import { addWaiting, startAttempt, MORNING, SERVICE, type TestOutbox } from './outbox-with.ts'

/** A submission that the service took as this case, and whose report is looked for at this instant; its id. */
export function sentCase(
  test: TestOutbox,
  caseId: string,
  centerId: string | null = null,
  reportAt = MORNING + 9_000,
): string {
  const id = addWaiting(test, { centerId })
  startAttempt(test, id, centerId)
  test.outbox.moveSubmission(id, 'deliveredNow', { caseId, sentAt: MORNING }, { at: MORNING })
  test.outbox.watchReport({
    submissionId: id,
    caseId,
    destination: { ...SERVICE, centerId },
    at: reportAt,
  })
  return id
}
