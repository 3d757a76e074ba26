/** Does the station answer while it works? What a request to /health waits for, under one load after the other. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backupsFolderIn, backupsIn } from '../../src-main/station/outbox/recovery/backups.ts'
import { DAY, MINUTE, SECOND } from '../../src-shared/durations.ts'
import { TODAY } from '../camera/today.ts'
import { withRemark } from '../camera/layouts/layout.ts'
import { openPracticeService, type PracticeService } from '../practice-service/practice-service.ts'
import { until } from '../station-process/start-station.ts'
import { drawCase } from './camera-files.ts'
import { type BenchOptions, type Figure, figuresOf, quantileOf, scaled, waitQuantileOf } from './figures.ts'
import { longestStall, ownStalls, startMeasured } from './measured-station.ts'
import { FILES_PER_FOLDER, tinyPicture, writeOldFiles } from './old-files-row.ts'
import { fillSent } from './sent-cases.ts'
import { queueWaiting, writeWaiting } from './waiting-cases.ts'

const SENT = 5_000
const APPROVED = 1_000
const RECORDS = 19_500
/** So long a remark makes fifteen megabytes of them. */
const REMARK = 'Nothing that was found. '.repeat(30)
const LISTED = 10_000
const OLD_FOLDERS = 20_000
const PATIENCE_MS = 3 * MINUTE
const ASK_EVERY_MS = 20
/** A station leaves the disk to its start first. */
const BACKUP_AFTER_MS = MINUTE - SECOND
/** What follows a start once it listens. */
const START_MS = 8 * SECOND
/** What follows a call after its answer. */
const AFTERMATH_MS = SECOND

/** A load, and when it was there, epoch milliseconds. `asked`: how long each request to /health took, milliseconds. */
type Load = {
  readonly name: string
  readonly from: number
  readonly until: number
  readonly asked: readonly number[]
}

function listOf(records: number): string {
  const rows = Array.from({ length: records }, (_, index) =>
    [
      `HEALTH${index}`,
      TODAY,
      `Sample${index}`,
      `HEALTH${index}_1.jpg`,
      index % 2 === 0 ? 'OD' : 'OS',
      REMARK,
    ].join(';'),
  )
  return ['patient_id;visit_date;last_name;file;eye;remarks', ...rows, ''].join('\n')
}

/** Cases of others, so that a list of ten thousand has about three megabytes. */
function addForeign(service: PracticeService, count: number): void {
  for (let index = 0; index < count; index += 1)
    service.addForeignCase({
      history_number: `FOREIGN-${index}`,
      visit_date: '2026-11-20',
      first_name: 'Mock',
      last_name: `Sample${index}`,
      other_relevant_info: 'Seen by another workstation of the same clinic.',
    })
}

/** The row "health". */
export async function measureHealth(options: BenchOptions): Promise<readonly Figure[]> {
  const service = await openPracticeService({
    answerDelayMs: 0,
    reportDelayMs: DAY,
    dialect: { caseFields: 'everything' },
  })
  try {
    return await measureWith(options, service)
  } finally {
    await service.close()
  }
}

async function measureWith(options: BenchOptions, service: PracticeService): Promise<readonly Figure[]> {
  const { folder, report } = options
  const [camera, old, dataFolder] = ['camera', 'old', 'station'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await mkdir(camera)
  await mkdir(dataFolder)
  report('writes an outbox, a list of the service and old files')
  fillSent(dataFolder, { ...service, count: scaled(SENT, options) })
  const shape = { cases: scaled(APPROVED, options), images: 2, imageBytes: 2_000 }
  const ids = queueWaiting(
    dataFolder,
    await writeWaiting(join(dataFolder, 'spool'), shape),
    'gatheredForReview',
  )
  addForeign(service, scaled(LISTED, options))
  const oldFolders = scaled(OLD_FOLDERS, options)
  writeOldFiles(old, 'by year', oldFolders, await tinyPicture())
  const [picture = Buffer.alloc(0)] = await drawCase('small')
  const records = scaled(RECORDS, options)
  const last = { image: `HEALTH${records - 1}_1.jpg`, name: `Sample${records - 1}` }
  await writeFile(join(camera, last.image), withRemark(picture, 'health'))

  const names = new Set<string>()
  const images = new Set<string>()
  const watched = { path: camera, settleSeconds: 0.2, quietSeconds: 600, sweepSeconds: 2 }
  const measured = await startMeasured(
    folder,
    { folders: [watched], service: service.account },
    (submission) => {
      if (submission.fields.last_name !== undefined) names.add(submission.fields.last_name)
      for (const { fileName } of submission.images) images.add(fileName)
    },
  )
  const { station } = measured
  const loads: Load[] = []
  /** Asks /health while it works. */
  const load = async (name: string, work: () => Promise<void>): Promise<void> => {
    report(name)
    const from = Date.now()
    const asked: number[] = []
    const over = new AbortController()
    const working = work().finally(() => over.abort())
    while (!over.signal.aborted) {
      const before = performance.now()
      await (await fetch(`${station.url}/health`)).arrayBuffer()
      asked.push(performance.now() - before)
      await sleep(ASK_EVERY_MS)
    }
    await working
    loads.push({ name, from, until: Date.now(), asked })
  }
  // What is approved is not sent: that would be another load, as a start is.
  await station.value('station.pause')
  await sleep(START_MS)
  await load(`${ids.length} approvals in one call`, async () => {
    const { refused } = await station.value('submissions.approve', { ids: [...ids] })
    if (refused.length > 0) throw new Error(`${refused.length} were refused: ${refused[0]?.failure.message}`)
    await sleep(AFTERMATH_MS)
  })
  await load(`a list of ${service.cases().length} cases, twice, and with one more`, async () => {
    for (const more of [0, 0, 1]) {
      addForeign(service, more)
      await station.value('cases.list', { refresh: true, search: 'no one is called this' })
    }
    await sleep(AFTERMATH_MS)
  })
  const backups = backupsFolderIn(dataFolder)
  const beginsAt = measured.listeningAt + BACKUP_AFTER_MS
  if (Date.now() > beginsAt) throw new Error('The backup was made under another load.')
  await sleep(beginsAt - Date.now())
  await load(`a backup of ${scaled(SENT, options)} sent cases`, async () => {
    await until('a backup', async () => (await backupsIn(backups)).length > 0, PATIENCE_MS)
  })
  await until('the image of the last record', () => images.has(last.image), PATIENCE_MS)
  const list = listOf(records)
  await load(`a CSV of ${(list.length / 1e6).toFixed(1)} MB`, async () => {
    await writeFile(join(folder, 'half'), list)
    await rename(join(folder, 'half'), join(camera, 'list.csv'))
    await until('the last record', () => names.has(last.name), PATIENCE_MS)
  })
  await load(`a first sweep of ${oldFolders * FILES_PER_FOLDER} files`, async () => {
    await station.value('settings.update', { folders: [watched, { path: old, existing: 'ignore' }] })
    const swept = async () => (await station.value('station.status')).folders.find(({ path }) => path === old)
    await until('the sweep', async () => (await swept())?.lastSweepAt, PATIENCE_MS)
  })
  const stalls = await measured.end()
  const figure = figuresOf('health', 'ms')
  return loads.flatMap(({ name, from, until: to, asked }) => {
    const longest = longestStall(stalls, from, to)
    return [
      figure(
        `${name}: what /health waits for, p99, of the station's own`,
        waitQuantileOf(ownStalls(stalls, from, to), to - from, 0.99),
        { atMost: 100 },
      ),
      figure(`${name}: longest stall of the main thread, its own`, longest.ownMs, { atMost: 50 }),
      figure(`${name}: the longest by processor time`, longest.ranMs),
      figure(`${name}: /health as it was answered here, p99`, quantileOf(asked, 0.99)),
    ]
  })
}
