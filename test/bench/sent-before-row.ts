/** What a delivered case costs a station that has sent many before, beside one that has sent none. */
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openOutbox } from '../../src-main/station/outbox/open-outbox.ts'
import type { Outbox } from '../../src-main/station/outbox/outbox.ts'
import { DAY, MINUTE, SECOND } from '../../src-shared/durations.ts'
import { openPracticeService, type PracticeService } from '../practice-service/practice-service.ts'
import { until } from '../station-process/start-station.ts'
import { endAttempt } from '../tools/outbox-with.ts'
import { type BenchOptions, type Figure, figuresOf, scaled } from './figures.ts'
import { startMeasured } from './measured-station.ts'
import { cpuSecondsOf } from './programs.ts'
import { addCameraCase, queueWaiting, writeWaiting } from './waiting-cases.ts'

const SENT = 100_000
const DELIVERED = 100
/** Delivered first and not measured: code is compiled, and the first case of all goes alone. */
const WARM_UP = 10
const AT_A_TIME = 1_000
const YEARS_MS = 3 * 365 * DAY
/** The backup begins within seconds of a start. */
const AWAY_MS = 10 * SECOND
const PATIENCE_MS = 10 * MINUTE
const REPORT_SIZE = 40_000

/** One case that was sent, read back and reported on long ago, through the operations of the outbox. */
function addSent(outbox: Outbox, service: PracticeService, number: number, at: number): void {
  const caseId = `old-${number}`
  const destination = { baseUrl: `${service.baseUrl}/`, clientId: service.clientId, centerId: null }
  const images = (['right', 'left'] as const).map((eye) => ({
    fileName: `old/${number}_${eye}.jpg`,
    eye,
    sizeBytes: 2_000_000,
    sha256: number.toString(16).padStart(64, eye === 'right' ? '0' : '1'),
    spoolName: `00/${number}-${eye}`,
  }))
  const fields = { history_number: `OLD-${number}`, visit_date: new Date(at).toISOString().slice(0, 10) }
  const id = addCameraCase(outbox, { groupKey: `old-${number}`, fields, centerId: null, images, at })
  outbox.moveSubmission(id, 'gatheredToSend', {}, { at })
  outbox.openAttempt({ submissionId: id, destination, requestBytes: 4_000_000, at })
  endAttempt({ outbox }, id, 'delivered', { caseId, at: at + SECOND })
  const attemptId = outbox.attemptsOf(id).at(-1)?.id ?? ''
  const message = { message: 'It was read back.' }
  outbox.appendEvidence({
    submissionId: id,
    attemptId,
    at,
    kind: 'readBack',
    caseIds: [caseId],
    by: null,
    ...message,
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
  outbox.setNextReportCheck(id, null, null, at + DAY)
  outbox.markReportRead(caseId, at + DAY, id)
}

function fillSent(dataFolder: string, service: PracticeService, count: number): void {
  const opened = openOutbox(dataFolder)
  const first = Date.now() - YEARS_MS
  for (let from = 0; from < count; from += AT_A_TIME)
    opened.outbox.write(() => {
      for (let number = from; number < Math.min(count, from + AT_A_TIME); number += 1)
        addSent(opened.outbox, service, number, Math.round(first + (YEARS_MS * number) / count))
    })
  // As if their manifests had been written.
  for (;;) {
    const due = opened.outbox.dueManifests(AT_A_TIME)
    if (due.length === 0) break
    opened.outbox.markManifestsWritten(due.map((id) => ({ id, revision: Number.MAX_SAFE_INTEGER })))
  }
  opened.close()
}

/** Waits until the thread that checks and copies the outbox has not been there for a while. */
async function endOfBackup(pid: number): Promise<void> {
  const isBackingUp = async (): Promise<boolean> => {
    const threads = await readdir(`/proc/${pid}/task`)
    const names = await Promise.all(
      threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/comm`, 'utf8').catch(() => '')),
    )
    return names.some((name) => name.trim() === 'outbox')
  }
  let awaySince = Date.now()
  await until(
    'the end of the backup',
    async () => {
      if (await isBackingUp()) awaySince = Date.now()
      return Date.now() - awaySince > AWAY_MS || undefined
    },
    PATIENCE_MS,
  )
}

/** Milliseconds of processor time for one delivered and confirmed case. */
async function costOfCase(options: BenchOptions, sent: number): Promise<number> {
  const root = await mkdtemp(join(options.folder, `sent-${sent}-`))
  const dataFolder = join(root, 'station')
  await mkdir(dataFolder, { recursive: true })
  const service = await openPracticeService({ answerDelayMs: 0, reportDelayMs: DAY })
  try {
    fillSent(dataFolder, service, sent)
    const shape = { cases: WARM_UP + DELIVERED, images: 2, imageBytes: 2_000 }
    queueWaiting(dataFolder, await writeWaiting(join(dataFolder, 'spool'), shape))
    const confirmed = new Set<string>()
    const { baseUrl, clientId, clientSecret } = service
    const measured = await startMeasured(
      root,
      { service: { baseUrl, clientId, clientSecret }, delivery: { concurrency: 1 } },
      ({ id, confirmedAt }) => {
        if (confirmedAt !== null) confirmed.add(id)
      },
    )
    const costUntil = async (
      count: number,
    ): Promise<{ readonly cases: number; readonly seconds: number }> => {
      await until(`${count} cases are confirmed`, () => confirmed.size >= count, PATIENCE_MS)
      return { cases: confirmed.size, seconds: await cpuSecondsOf(measured.station.pid) }
    }
    // The backup of the first start belongs to no case.
    await measured.station.value('station.pause')
    await endOfBackup(measured.station.pid)
    await measured.station.value('station.resume', {})
    const before = await costUntil(WARM_UP)
    const after = await costUntil(WARM_UP + DELIVERED)
    await measured.end()
    return ((after.seconds - before.seconds) * 1_000) / (after.cases - before.cases)
  } finally {
    await service.close()
  }
}

/** The row "sent-before". */
export async function measureSentBefore(options: BenchOptions): Promise<readonly Figure[]> {
  const sent = scaled(SENT, options)
  const measure = async (before: number): Promise<number> => {
    options.report(`delivers with ${before} sent before`)
    return costOfCase(options, before)
  }
  // The first station of a run pays for cold caches: the better of two is compared with.
  const first = await measure(0)
  const many = await measure(sent)
  const none = Math.min(first, await measure(0))
  const figure = figuresOf('sent-before', 'ms')
  return [
    figure('processor time for a delivered case, none sent before', none),
    figure(`the same with ${sent} sent before`, many, {
      beside: { program: 'none sent before', value: none, ratioAtMost: 1.2 },
    }),
  ]
}
