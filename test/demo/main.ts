/**
 * `npm run demo`: the whole way of some cases on this machine, with a practice service and a synthetic camera.
 *
 * One more case is announced: only file names say whose it is, so it waits for a person. `-- --once` ends when every
 * other case has arrived and has its report: 0 if all is there, 1 if anything is missing.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runStep } from '../../tools/step.ts'
import { buildStep } from '../../tools/steps.ts'
import { type ExportedVisit, exportVisit, type Layout } from '../camera/export-visit.ts'
import { openPracticeService, type PracticeService } from '../practice-service/practice-service.ts'
import { startStation, type StationProcess, until } from '../station-process/start-station.ts'
import { secondsSinceStart, print, printTable } from './print.ts'

type Arrival = {
  readonly historyNumber: string
  readonly reference: string
  readonly images: number
  readonly bytes: number
  readonly hasReport: boolean
  /** What is wrong or missing; null where all is there. */
  readonly finding: string | null
}

function sorted(hashes: readonly string[]): string {
  return [...hashes].sort().join()
}

/** Does the case of a visit wait until a person has checked it, because only names say whose it is? */
async function waitsForPerson(visit: ExportedVisit, station: StationProcess): Promise<boolean> {
  const { items } = await station.value('submissions.list', { state: ['review'], limit: 1_000 })
  return items.some(
    ({ fields, reasons, attempts }) =>
      fields.history_number === visit.patient.history_number &&
      attempts === 0 &&
      reasons.some(({ kind }) => kind === 'readFromNames'),
  )
}

/** One line for every visit that the camera wrote. */
async function compare(
  visits: readonly ExportedVisit[],
  station: StationProcess,
  service: PracticeService,
): Promise<Arrival[]> {
  const { items } = await station.value('submissions.list', { limit: 1_000 })
  const posts = service.journal.of('POST /cases').filter((entry) => entry.caseId !== null)
  return visits.map((visit): Arrival => {
    const historyNumber = visit.patient.history_number
    const found = posts.filter((entry) =>
      entry.fields.some((field) => field.name === 'history_number' && field.value === historyNumber),
    )
    const [post] = found
    const submission = items.find((item) => item.fields.history_number === historyNumber)
    const arrival = {
      historyNumber,
      reference: submission?.reference ?? '-',
      images: post?.images.length ?? 0,
      bytes: post?.images.reduce((sum, image) => sum + image.sizeBytes, 0) ?? 0,
      hasReport: submission?.hasReport ?? false,
    }
    const finding = ((): string | null => {
      if (!submission) return 'not seen yet'
      if (!post) return 'not delivered'
      if (found.length > 1) return 'delivered twice'
      if (
        sorted(post.images.map((image) => image.sha256)) !== sorted(visit.images.map((image) => image.sha256))
      )
        return 'images differ'
      if (submission.state !== 'sent' || submission.caseId !== post.caseId) return 'not known as sent'
      return submission.hasReport ? null : 'no report'
    })()
    return { ...arrival, finding }
  })
}

const { values: options } = parseArgs({
  options: { once: { type: 'boolean', default: false }, visits: { type: 'string', default: '4' } },
})
const GIVE_UP_AFTER_MS = 120_000
/** So often the camera brings another visit while a person watches. */
const NEXT_VISIT_MS = 45_000
/** Longer than the camera needs for one visit. */
const CAMERA_ENDS_MS = 3_000

/** Ctrl+C at any moment ends the demo in order: what it made is removed. */
const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<void>()
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true
    interrupt()
  })
}

/** Local, as the station and a camera have it. */
function dayAgo(days: number): string {
  const date = new Date()
  date.setDate(date.getDate() - days)
  return date.toLocaleDateString('sv-SE')
}

/** So many visits by names, of two days, make the station offer to read such names once a person has approved them. */
const VISITS_FOR_OFFER = 8

/** Visits with a data file, which are sent without a review. */
const WITH_SIDECAR = ['folderPerVisit', 'nested', 'folderPerVisit', 'folderPerVisit', 'nested'] as const

/** `flat` has no data file: names alone say whose it is. */
async function exportOne(
  folder: string,
  seed: number,
  layout: Layout = WITH_SIDECAR[seed % WITH_SIDECAR.length] ?? 'nested',
  visitDate = dayAgo(0),
): Promise<ExportedVisit> {
  const visit = await exportVisit({
    folder,
    seed,
    visitDate,
    layout,
    sidecar: layout === 'flat' ? 'none' : seed % 2 === 0 ? 'first' : 'last',
    pace: { chunkBytes: 65_536, pauseMs: 5 },
    width: 1_200,
    height: 1_000,
  })
  print(
    `camera     wrote ${visit.images.length} photographs of synthetic patient ${visit.patient.history_number}`,
  )
  return visit
}

/** Follows the station and says what changes, in the words of its screens. */
async function report(station: StationProcess, printed: Map<string, string>): Promise<void> {
  const { items } = await station.value('submissions.list', { limit: 200 })
  for (const item of items.toReversed()) {
    const line = item.hasReport
      ? 'report is here'
      : item.confirmedAt
        ? `read back, the service calls it ${item.caseId}`
        : [item.state, ...item.reasons.map(({ message }) => message)].join(': ')
    if (printed.get(item.id) === line) continue
    printed.set(item.id, line)
    print(
      `station    ${item.reference} (${item.fields.history_number ?? 'patient not known'}, ${item.images.length} images): ${line}`,
    )
  }
}

function summarise(arrivals: readonly Arrival[]): boolean {
  const sum = (of: (arrival: Arrival) => number): number =>
    arrivals.reduce((total, arrival) => total + of(arrival), 0)
  console.log('')
  printTable([
    ['patient', 'reference', 'images', 'bytes', 'report', 'finding'],
    ...arrivals.map((one) => [
      one.historyNumber,
      one.reference,
      String(one.images),
      String(one.bytes),
      one.hasReport ? 'yes' : 'no',
      one.finding ?? 'all there',
    ]),
  ])
  console.log('')
  printTable([
    ['cases', 'images', 'bytes', 'reports', 'seconds'],
    [
      String(arrivals.filter((one) => one.finding === null).length),
      String(sum((one) => one.images)),
      String(sum((one) => one.bytes)),
      String(sum((one) => (one.hasReport ? 1 : 0))),
      secondsSinceStart().toFixed(1),
    ],
  ])
  return arrivals.every((one) => one.finding === null)
}

async function run(folder: string, service: PracticeService): Promise<boolean> {
  const exports = join(folder, 'camera')
  const dataFolder = join(folder, 'station')
  await mkdir(exports, { recursive: true })
  const station = await startStation({
    dataFolder,
    config: {
      service: service.account,
      centerId: '101',
      folders: [
        { path: exports, settleSeconds: 1, quietSeconds: 3, sweepSeconds: 5, sendWithoutReview: true },
      ],
      reports: { checkSeconds: 2 },
    },
  })
  try {
    print(`station    watches ${exports}`)
    print(`screens    ${station.screens}`)
    const printed = new Map<string, string>()
    const visits: ExportedVisit[] = []
    const watching = setInterval(() => void report(station, printed).catch(() => undefined), 300)
    const work = async (): Promise<boolean> => {
      for (let seed = 1; seed <= Number(options.visits); seed += 1) {
        if (isInterrupted) return false
        visits.push(await exportOne(exports, seed))
      }
      if (isInterrupted) return false
      const named = await exportOne(exports, Number(options.visits) + 1, 'flat')
      print('camera     wrote no data file for the last patient: the case waits for a person, who checks it')
      const isThrough = async (): Promise<boolean> =>
        (await compare(visits, station, service)).every((one) => one.finding === null) &&
        (await waitsForPerson(named, station))
      await until('every other case is delivered and has its report', isThrough, GIVE_UP_AFTER_MS).catch(
        () => undefined,
      )
      await report(station, printed)
      const areDelivered = summarise(await compare(visits, station, service))
      const isWaiting = await waitsForPerson(named, station)
      print(
        isWaiting
          ? `demo       the case of ${named.patient.history_number} waits under "Ready to check": approve it there, and it is sent`
          : `demo       the case of ${named.patient.history_number} should wait for a person, and does not`,
      )
      const isComplete = areDelivered && isWaiting
      if (options.once) return isComplete
      await exportMore(exports, visits.length + 1)
      return isComplete
    }
    const working = work()
    try {
      return await Promise.race([working, interrupted.then(() => !options.once)])
    } finally {
      clearInterval(watching)
      // The camera finishes the visit that it is writing, so that nothing is written after all is removed.
      await Promise.race([working.catch(() => undefined), sleep(CAMERA_ENDS_MS)])
    }
  } finally {
    await station.stop()
  }
}

/** Until Ctrl+C, the camera brings a visit now and then; some of them ask for a person. */
async function exportMore(exports: string, count: number): Promise<void> {
  console.log('')
  print('demo       goes on with a visit now and then; Ctrl+C ends it and removes its folder')
  let seed = count
  for (let index = 0; index < VISITS_FOR_OFFER; index += 1) {
    if (isInterrupted) return
    seed += 1
    await exportOne(exports, seed, 'flat', dayAgo(index % 2))
  }
  print('demo       approve these cases one by one: the station then offers to read such names on its own,')
  print(
    'demo       under "Settings", "Folders and names"; once you confirm that, the next ones need no check',
  )
  const timer = setInterval(() => {
    seed += 1
    const layout = seed % 2 === 1 ? ('flat' as const) : undefined
    void exportOne(exports, seed, layout).catch(() => undefined)
  }, NEXT_VISIT_MS)
  await interrupted
  clearInterval(timer)
}

async function main(): Promise<boolean> {
  print('demo       everything happens on this machine; all patients are synthetic')
  if (!existsSync('out/renderer/index.html')) {
    print('demo       builds the screens once, this takes some seconds')
    if (!(await runStep(buildStep)).isOk) return false
  }
  const folder = await mkdtemp(join(tmpdir(), 'fundus-courier-demo-'))
  const service = await openPracticeService()
  print(`service    practises at ${service.baseUrl}`)
  service.journal.onEnded((entry) => {
    if (entry.caseId !== null)
      print(
        `service    took case ${entry.caseId}: ${entry.images.length} images, center ${entry.centerId ?? '-'}`,
      )
  })
  try {
    return await run(folder, service)
  } finally {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  }
}

process.exitCode = (await main()) ? 0 : 1
