/** Three synthetic cases, one sent and two that wait, as the bytes of an outbox that tests damage. */
import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import {
  casesWithDanglingRows,
  checkRowsAtStart,
  isIntact,
} from '../../../../src-main/station/outbox/check-rows.ts'
import { migrate } from '../../../../src-main/station/outbox/migrations/migrate.ts'
import { bindOutbox, type Outbox } from '../../../../src-main/station/outbox/outbox.ts'
import { writeManifest } from '../../../../src-main/station/outbox/recovery/manifests.ts'
import { createStore } from '../../../../src-main/station/outbox/database.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import {
  endAttempt,
  updateVerdict,
  startAttempt,
  MORNING,
  newSubmission,
  SERVICE,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'

type Case = {
  readonly id: string
  readonly reference: string
  readonly sha256: string
  readonly sopUid: string
}
const FACTS = {
  fields: {},
  birthDate: null,
  eye: null,
  capturedAt: null,
  view: null,
  device: null,
  rejected: [],
}

/** A case with two images of which one has another name as well, in the folder and visit of its own. */
function addCase(test: Pick<TestOutbox, 'outbox'>, number: number): Case {
  const { outbox } = test
  const id = outbox.createSubmission(
    newSubmission({
      groupKey: `visit-${number}`,
      fields: { history_number: `H-${number}`, visit_date: '2026-11-20' },
    }),
  )
  const sopUid = `1.2.${number}`
  const sha256 = createHash('sha256').update(`image ${number}`).digest('hex')
  const fileName = `v${number}/a.dcm`
  const imageId = outbox.addImage({
    submissionId: id,
    folderPath: '/exports',
    fileName,
    stemKey: `v${number}/a`,
    eye: 'right',
    eyeSource: 'dicom',
    sizeBytes: 9,
    sha256,
    spoolName: `${sha256.slice(0, 2)}/${sha256}`,
    contentType: 'application/dicom',
    facts: JSON.stringify({ ...FACTS, sopUid }),
    sopUid,
    at: MORNING,
  })
  const mark = { folderPath: '/exports', relativePath: fileName, sizeBytes: 9, mtimeMs: MORNING }
  outbox.markSeen(mark, 'image', MORNING, { imageId, submissionId: id })
  const copy = { imageId, stemKey: `v${number}/b`, facts: JSON.stringify({ ...FACTS, sopUid }) }
  outbox.markSeen({ ...mark, relativePath: `v${number}/b.dcm` }, 'copy', MORNING, copy)
  updateVerdict(test, id)
  outbox.moveSubmission(id, 'gatheredToSend', {}, { at: MORNING })
  startAttempt(test, id)
  const [attempt] = outbox.attemptsOf(id)
  if (!attempt) throw new Error('There is no attempt.')
  endAttempt(test, id, 'unsent')
  const note = { submissionId: id, attemptId: attempt.id, at: MORNING, message: '', by: null, caseIds: [] }
  outbox.appendEvidence({ ...note, kind: 'lookFailed' })
  outbox.raiseAlarm({ kind: 'foundUnsent', submissionId: id, caseIds: ['1'], message: '', at: MORNING })
  return { id, reference: outbox.submissionOf(id)?.reference ?? '', sha256, sopUid }
}

/** Made once for a file of tests; its folder of manifests is the caller's to remove. */
export async function makeThreeCases() {
  const sql = new Database(':memory:')
  migrate(sql, ':memory:')
  const test = { outbox: bindOutbox(createStore(sql, () => undefined)) }
  const cases = { sent: addCase(test, 1), waiting: addCase(test, 2), other: addCase(test, 3) }
  startAttempt(test, cases.sent.id)
  endAttempt(test, cases.sent.id, 'delivered', { caseId: '4711' })
  test.outbox.setConfirmed(cases.sent.id, MORNING)
  test.outbox.watchReport({
    submissionId: cases.sent.id,
    caseId: '4711',
    destination: { ...SERVICE, centerId: null },
    at: MORNING,
  })
  test.outbox.saveCaseList({ ...SERVICE, centerId: null }, { readAt: MORNING, caseIds: ['4711'] })
  const manifestsFolder = mkdtempSync(join(tmpdir(), 'fundus-courier-'))
  for (const { id } of Object.values(cases)) {
    const manifest = test.outbox.manifestOf(id)
    if (manifest) await writeManifest(manifestsFolder, manifest)
  }
  const three = { bytes: sql.serialize(), manifestsFolder, cases }
  sql.close()
  return three
}

export type ThreeCases = Awaited<ReturnType<typeof makeThreeCases>>

/** Opens a damaged copy as a start does. */
export async function opened(sql: Database.Database, manifestsFolder: string): Promise<Outbox> {
  expect(isIntact(sql, 'quick_check')).toBe(true)
  const outbox = bindOutbox(createStore(sql, () => undefined))
  await checkRowsAtStart({
    outbox,
    manifestsFolder,
    dangling: casesWithDanglingRows(sql),
    service: null,
    clock: new ManualClock(),
    logger: createRecordingLogger(),
  })
  return outbox
}
