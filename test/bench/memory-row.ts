/** What the built station and its processes hold, in proportional set size, and what they cost at a start and at rest. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildHeadless } from '../../tools/headless-build.ts'
import { projectFolder } from '../../tools/step.ts'
import { exportSmallVisit } from '../end-to-end/station-fixture.ts'
import { openPracticeService, type PracticeService } from '../practice-service/practice-service.ts'
import { startStation, type StationProcess, until } from '../station-process/start-station.ts'
import { childrenOf, memoryOf } from '../tools/process-table.ts'
import { type BenchOptions, type Figure, figuresOf, medianOf, scaled } from './figures.ts'
import { cpuSecondsOf } from './programs.ts'
import { fillSent } from './sent-cases.ts'

const SENT = 20_000
const VISITS = 600
const FOLDERS = 20
const STARTS = 3
/** What was loaded for a start or a burst is given back by then. */
const CALM_MS = 15_000
const IDLE_MS = 60_000
const INTAKE_WITHIN_MS = 1_200_000

type Setting = { readonly root: string; readonly service: PracticeService; readonly program: string }

async function startOver({ root, service, program }: Setting, folders: number): Promise<StationProcess> {
  const paths = Array.from({ length: folders }, (_, index) => join(root, `camera-${index + 1}`))
  for (const path of paths) await mkdir(path, { recursive: true })
  return startStation({
    program,
    dataFolder: join(root, 'station'),
    config: {
      service: service.account,
      centerId: '101',
      folders: paths.map((path) => ({
        path,
        existing: 'include' as const,
        sendWithoutReview: true,
        settleSeconds: 0.2,
        quietSeconds: 2,
      })),
      storage: { lowWaterBytes: 0, ballastBytes: 0 },
    },
  })
}

async function sweptAll(station: StationProcess): Promise<void> {
  await until('every folder was swept', async () =>
    (await station.value('station.status')).folders.every(({ lastSweepAt }) => lastSweepAt !== null),
  )
}

/** Of the station and its processes. */
async function cpuSecondsOfAll(pid: number): Promise<number> {
  const each = await Promise.all([pid, ...childrenOf(pid)].map((one) => cpuSecondsOf(one).catch(() => 0)))
  return each.reduce((sum, one) => sum + one, 0)
}

/** The row "memory". */
export async function measureMemory(options: BenchOptions): Promise<readonly Figure[]> {
  const { folder: root, effort, report } = options
  const isSmoke = effort === 'smoke'
  const service = await openPracticeService({ answerDelayMs: 0, reportDelayMs: 60_000 })
  const running = new Set<StationProcess>()
  const start = async (folders: number): Promise<StationProcess> => {
    const station = await startOver(setting, folders)
    running.add(station)
    return station
  }
  const setting = { root, service, program: await buildHeadless(join(projectFolder, 'test-results')) }
  const calmMs = isSmoke ? 200 : CALM_MS
  const idleMs = isSmoke ? 500 : IDLE_MS
  try {
    const dataFolder = join(root, 'station')
    await mkdir(dataFolder, { recursive: true })
    report('fills an outbox')
    fillSent(dataFolder, { ...service, count: scaled(SENT, options) })

    const starts: number[] = []
    for (let time = 0; time <= STARTS; time += 1) {
      const station = await start(1)
      // The first one compiles for those after it.
      if (time > 0) starts.push((await cpuSecondsOf(station.pid)) * 1_000)
      await station.stop()
      running.delete(station)
    }

    const visits = scaled(VISITS, options)
    report(`takes in and delivers ${visits} visits`)
    const one = await start(1)
    await sweptAll(one)
    await sleep(calmMs)
    const fresh = await memoryOf(one.pid)
    for (let seed = 1; seed <= visits; seed += 1) await exportSmallVisit(join(root, 'camera-1'), seed)
    await until(
      'all visits were delivered',
      () => service.cases().length >= visits || undefined,
      INTAKE_WITHIN_MS,
    )
    const atWork = await memoryOf(one.pid)
    await sleep(calmMs)
    const after = await memoryOf(one.pid)
    report('rests')
    const before = await cpuSecondsOfAll(one.pid)
    await sleep(idleMs)
    const idle = (((await cpuSecondsOfAll(one.pid)) - before) / idleMs) * 1_000 * 100
    await one.stop()
    running.delete(one)

    const folders = isSmoke ? 2 : FOLDERS
    report(`watches ${folders} folders`)
    const many = await start(folders)
    await sweptAll(many)
    await sleep(calmMs)
    const ofMany = await memoryOf(many.pid)

    const figure = figuresOf('memory', 'MB')
    return [
      figure('main process, one folder, at its start', fresh.mainMegabytes),
      figure(`main process after ${visits} visits`, after.mainMegabytes, { atMost: 200 }),
      figure('with all its processes, one folder, at its start', fresh.allMegabytes),
      figure('with all its processes at the last delivery', atWork.allMegabytes),
      figure(`with all its processes after ${visits} visits`, after.allMegabytes, { atMost: 330 }),
      figure('each further folder', (ofMany.allMegabytes - fresh.allMegabytes) / (folders - 1), {
        atMost: 25,
      }),
      figure(`with all its processes, ${folders} folders`, ofMany.allMegabytes, { atMost: 750 }),
      figure(`idle processor time over ${idleMs / 1_000} s, all processes`, idle, { unit: '%', atMost: 0.5 }),
      figure('processor time until it listens', medianOf(starts), { unit: 'ms', atMost: 300 }),
    ]
  } finally {
    for (const station of running) await station.kill()
    await service.close()
  }
}
