/** An outbox whose tables a test may change under it. */
import {
  addTestImage,
  MORNING,
  newSubmission,
  type openMemoryOutbox,
  someBytes,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'

export type TableTest = ReturnType<typeof openMemoryOutbox>

/** Stores this text as the verdict; null is what earlier versions left. */
export function storeVerdict({ sql }: TableTest, id: string, verdict: string | null): void {
  sql.prepare('UPDATE submissions SET verdict = ? WHERE id = ?').run(verdict, id)
}

/** A case that waits for a look, with the eye of its image read from the file name. */
export function inReview(test: TestOutbox): string {
  const id = test.outbox.createSubmission(newSubmission())
  addTestImage(test, id, { bytes: someBytes(), eyeSource: 'fileName' })
  test.outbox.moveSubmission(id, 'gatheredForReview', {}, { at: MORNING })
  return id
}
