import { claim, addWaiting, MORNING, PLACE, type TestOutbox } from '../../../tools/outbox-with.ts'

/** A submission that the service took as this case, and whose report is waited for; its id. */
export function sentCase(test: TestOutbox, caseId: string, centerId: string | null = null): string {
  const id = addWaiting(test, { centerId })
  claim(test, id, centerId)
  test.outbox.moveSubmission(id, 'deliveredNow', { caseId, sentAt: MORNING }, { at: MORNING })
  test.outbox.watchReport({
    submissionId: id,
    caseId,
    destination: { ...PLACE, centerId },
    at: MORNING + 9_000,
  })
  return id
}
