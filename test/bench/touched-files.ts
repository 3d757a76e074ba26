/**
 * How many files of `src-main` one event touches, for `docs/architecture.md`: run it with
 * `node tools/run.mjs test/bench/touched-files.ts`.
 *
 * A headless station runs with V8's coverage, once without the event and once with it. A file counts if a function of
 * it ran only because of the event.
 */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportVisit } from '../camera/export-visit.ts'
import { openPracticeService } from '../practice-service/practice-service.ts'
import { startStation, until, type StationProcess } from '../station-process/start-station.ts'

type Coverage = {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
    }[]
  }[]
}

type Bench = { readonly station: StationProcess; readonly camera: string }

/** How often each function of `src-main` ran in one station, by `file#name@offset`. */
type Counts = ReadonlyMap<string, number>

async function countsIn(folder: string): Promise<Counts> {
  const counts = new Map<string, number>()
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8')) as Coverage
    for (const { url, functions } of result) {
      const file = /src-main\/.*$/.exec(url)?.[0]
      if (file === undefined) continue
      for (const { functionName, ranges } of functions) {
        const [whole] = ranges
        if (whole === undefined || whole.count === 0) continue
        const name = `${file}#${functionName}@${whole.startOffset}`
        counts.set(name, (counts.get(name) ?? 0) + whole.count)
      }
    }
  }
  return counts
}

/** Runs a station to its end and answers with the functions that ran in it. */
async function traced(act: (bench: Bench) => Promise<void>, sendWithoutReview: boolean): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'fundus-courier-touched-'))
  const coverage = join(folder, 'coverage')
  const camera = join(folder, 'camera')
  await Promise.all([mkdir(coverage), mkdir(camera), mkdir(join(folder, 'data'))])
  const service = await openPracticeService({ reportDelayMs: 500, listDelayMs: 0 })
  const station = await startStation({
    dataFolder: join(folder, 'data'),
    config: {
      service: service.account,
      centerId: service.currentCenterId(),
      folders: [{ path: camera, settleSeconds: 1, quietSeconds: 1, sweepSeconds: 2, sendWithoutReview }],
      reports: { checkSeconds: 1 },
    },
    environment: { NODE_V8_COVERAGE: coverage },
  })
  await until('the first sweep', async () => (await station.value('station.status')).folders[0]?.lastSweepAt)
  await act({ station, camera })
  await station.stop()
  await service.close()
  const counts = await countsIn(coverage)
  await rm(folder, { recursive: true })
  return counts
}

async function writeOne({ camera }: Bench): Promise<void> {
  await exportVisit({
    folder: camera,
    seed: 1,
    visitDate: new Date().toISOString().slice(0, 10),
    imagesPerEye: 1,
    eyes: ['right'],
    width: 450,
    height: 375,
    sidecar: 'first',
  })
}

async function idOf({ station }: Bench, state: 'review' | 'sent'): Promise<string> {
  return until(`a case is ${state}`, async () => {
    const { items } = await station.value('submissions.list', {})
    return items.find((item) => item.state === state)?.id
  })
}

/** What ran more often after the event than before it, and never in an idle station. */
function report(what: string, idle: Counts, before: Counts, after: Counts): void {
  const only = [...after.keys()].filter(
    (name) => !idle.has(name) && (after.get(name) ?? 0) > (before.get(name) ?? 0),
  )
  const files = new Set(only.map((name) => name.slice(0, name.indexOf('#'))))
  console.log(`${what}: ${files.size} files, ${only.length} functions`)
  if (process.argv.includes('--list')) for (const file of [...files].toSorted()) console.log(`  ${file}`)
}

const idle = await traced(() => Promise.resolve(), true)
const sent = await traced(async (bench) => {
  await writeOne(bench)
  await idOf(bench, 'sent')
  await until('its report', async () => {
    const [item] = (await bench.station.value('submissions.list', {})).items
    return item?.hasReport
  })
}, true)
report('one JPEG with its record, to its report', idle, idle, sent)

// Sending is paused in both: what is counted is the decision, up to the case that waits.
const waiting = await traced(async (bench) => {
  await writeOne(bench)
  await idOf(bench, 'review')
  await bench.station.value('station.pause', { seconds: null })
}, false)
const approved = await traced(async (bench) => {
  await writeOne(bench)
  const id = await idOf(bench, 'review')
  await bench.station.value('station.pause', { seconds: null })
  await bench.station.value('submissions.approve', { ids: [id] })
}, false)
report('one approval', idle, waiting, approved)
