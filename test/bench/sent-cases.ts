/** Cases that were sent long ago: read back, reported on, and the report read. */
import { openOutbox } from '../../src-main/station/outbox/open-outbox.ts'
import type { Outbox } from '../../src-main/station/outbox/outbox.ts'
import type { Destination } from '../../src-main/station/outbox/rows.ts'
import { DAY, SECOND } from '../../src-shared/durations.ts'
import { endAttempt } from '../tools/outbox-with.ts'
import { addCameraCase } from './waiting-cases.ts'

const REPORT_SIZE = 40_000
const AT_A_TIME = 1_000
const YEARS_MS = 3 * 365 * DAY

/** Adds one through the operations of the outbox; `at` is when it was sent. Its id. */
export function addSent(
  outbox: Outbox,
  options: {
    readonly folderPath: string
    readonly destination: Destination
    readonly number: number
    readonly at: number
  },
): string {
  const { folderPath, destination, number, at } = options
  const caseId = `old-${number}`
  const images = (['right', 'left'] as const).map((eye) => ({
    fileName: `old/${number}_${eye}.jpg`,
    eye,
    sizeBytes: 2_000_000,
    sha256: number.toString(16).padStart(64, eye === 'right' ? '0' : '1'),
    spoolName: `00/${number}-${eye}`,
  }))
  const fields = { history_number: `OLD-${number}`, visit_date: new Date(at).toISOString().slice(0, 10) }
  const id = addCameraCase(outbox, {
    folderPath,
    groupKey: `old-${number}`,
    fields,
    centerId: null,
    images,
    at,
  })
  for (const { fileName, sizeBytes, sha256 } of images)
    outbox.markSeen({ folderPath, relativePath: fileName, sizeBytes, mtimeMs: at, sha256 }, 'image', at, {
      submissionId: id,
    })
  outbox.moveSubmission(id, 'gatheredToSend', {}, { at })
  outbox.openAttempt({ submissionId: id, destination, requestBytes: 4_000_000, at })
  endAttempt({ outbox }, id, 'delivered', { caseId, at: at + SECOND })
  const attemptId = outbox.attemptsOf(id).at(-1)?.id ?? ''
  outbox.appendEvidence({
    submissionId: id,
    attemptId,
    at,
    kind: 'readBack',
    caseIds: [caseId],
    by: null,
    message: 'It was read back.',
  })
  outbox.setConfirmed(id, at + 5 * SECOND)
  outbox.setNotBefore(id, null)
  outbox.watchReport({ submissionId: id, caseId, destination, at })
  outbox.saveReportVersion({
    submission_id: id,
    case_id: caseId,
    kind: 'pdf',
    content_type: 'application/pdf',
    size_bytes: REPORT_SIZE,
    sha256: number.toString(16).padStart(64, '2'),
    file_name: `report-${number}.pdf`,
    fetched_at: at + DAY,
  })
  outbox.setNextReportCheck(id, null, at + DAY)
  outbox.markReportRead(caseId, at + DAY, id)
  return id
}

/** As if the manifests of all cases had been written. */
export function pretendManifests(outbox: Outbox): void {
  for (;;) {
    const due = outbox.dueManifests(AT_A_TIME)
    if (due.length === 0) return
    outbox.markManifestsWritten(due.map((id) => ({ id, revision: Number.MAX_SAFE_INTEGER })))
  }
}

/** Fills an outbox with so many cases, sent to this service over the last years. */
export function fillSent(
  dataFolder: string,
  {
    baseUrl,
    clientId,
    count,
  }: { readonly baseUrl: string; readonly clientId: string; readonly count: number },
): void {
  const opened = openOutbox(dataFolder)
  const first = Date.now() - YEARS_MS
  const destination = { baseUrl: `${baseUrl}/`, clientId, centerId: null }
  for (let from = 0; from < count; from += AT_A_TIME)
    opened.outbox.write(() => {
      for (let number = from; number < Math.min(count, from + AT_A_TIME); number += 1)
        addSent(opened.outbox, {
          folderPath: '/exports',
          destination,
          number,
          at: Math.round(first + (YEARS_MS * number) / count),
        })
    })
  pretendManifests(opened.outbox)
  opened.close()
}
