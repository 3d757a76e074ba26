/**
 * `npm run chaos -- --soak MINUTES`: one station for a long time, while visits arrive without end and everything around it
 * breaks: the network, the service, its own processes, the camera's folder, and what lies in it. What it holds must not
 * grow, and in the end the service has what the camera wrote.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { medianOf } from '../bench/figures.ts'
import { pick, type Random, randomFrom } from '../camera/random.ts'
import { print } from '../demo/print.ts'
import { quickFolder } from '../end-to-end/station-fixture.ts'
import { openPracticeService, type PracticeService } from '../practice-service/practice-service.ts'
import { hostileInputs } from '../src-main/station/cases/hostile/hostile-inputs.ts'
import { startStation, type StationProcess } from '../station-process/start-station.ts'
import { buildHeadless } from '../../tools/headless-build.ts'
import { projectFolder } from '../../tools/step.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { childrenOf, memoryOf, signal } from '../tools/process-table.ts'
import { compare, type ExpectedVisit, isQuiet, receivedBy } from './compare.ts'
import { anyProxyFault, type ChaosProxy, openChaosProxy } from './proxy.ts'
import { type Visit, visitOf, writeVisit } from './visits.ts'

const VISIT_EVERY_MS = 2_000
const FAULT_EVERY_MS = 4_000
const SAMPLE_EVERY_MS = 15_000
const CENTER = '101'
/** A process that has died so often is started again after up to five minutes. */
const QUIET_WITHIN_MS = 420_000
/** Of the station's own process, at any time. */
const MOST_MEGABYTES = 200

/** What the station and its processes hold at one moment. */
export type Sample = {
  readonly minute: number
  /** Proportional set size of all of them, and of the station's own process; megabytes. */
  readonly allMegabytes: number
  readonly mainMegabytes: number
  /** Of the station's own process. */
  readonly handles: number
  readonly threads: number
  readonly processes: number
}

/** How much the middle of the last third may exceed that of the first third after ten minutes. */
const GROWTH: Readonly<
  Record<Exclude<keyof Sample, 'minute'>, { readonly share: number; readonly more: number }>
> = {
  allMegabytes: { share: 0.1, more: 10 },
  mainMegabytes: { share: 0.1, more: 10 },
  handles: { share: 0.1, more: 6 },
  threads: { share: 0, more: 1 },
  processes: { share: 0, more: 1 },
}

/** What is too much, or has grown from the settled first part to the last, in words; empty if all is level. Pure. */
export function grown(samples: readonly Sample[], fromMinute: number): readonly string[] {
  const settled = samples.filter(({ minute }) => minute >= fromMinute)
  const third = Math.floor(settled.length / 3)
  if (third < 3) return ['too few samples to compare']
  const most = Math.max(...samples.map(({ mainMegabytes }) => mainMegabytes))
  const growth = (Object.keys(GROWTH) as (keyof typeof GROWTH)[]).flatMap((what) => {
    const middle = (part: readonly Sample[]): number => medianOf(part.map((sample) => sample[what])) ?? 0
    const [before, after] = [middle(settled.slice(0, third)), middle(settled.slice(-third))]
    const { share, more } = GROWTH[what]
    return after <= before * (1 + share) + more
      ? []
      : [`${what} grew from ${before.toFixed(0)} to ${after.toFixed(0)}`]
  })
  return most > MOST_MEGABYTES ? [...growth, `mainMegabytes were ${most.toFixed(0)}`] : growth
}

async function sampleOf(pid: number, minute: number): Promise<Sample> {
  return {
    minute,
    ...(await memoryOf(pid)),
    handles: (await readdir(`/proc/${pid}/fd`)).length,
    threads: (await readdir(`/proc/${pid}/task`)).length,
    processes: childrenOf(pid).length,
  }
}

type Surroundings = {
  readonly random: Random
  readonly camera: string
  readonly service: PracticeService
  readonly proxy: ChaosProxy
  readonly station: StationProcess
  readonly writing: ReturnType<typeof openTurns>
}

/** One side works in turns, and the other may ask it to pause between two. */
function openTurns() {
  let turn = Promise.resolve()
  let resume = (): void => undefined
  return {
    next: async (work: () => Promise<void>): Promise<void> => {
      await turn
      await (turn = work())
    },
    pause: async (): Promise<void> => {
      await turn
      const { promise, resolve } = Promise.withResolvers<void>()
      turn = promise
      resume = resolve
    },
    resume: () => resume(),
  }
}

/** Each strikes once, and heals what does not heal on its own. */
const FAULTS: Readonly<Record<string, (around: Surroundings) => Promise<void>>> = {
  network: async ({ proxy, random }) => {
    proxy.setFaults(() => (random() < 0.3 ? anyProxyFault(random) : { kind: 'pass' }))
    await pause(2_500)
    await proxy.heal()
  },
  'no network': async ({ proxy }) => {
    await proxy.goAway()
    await pause(2_000)
    await proxy.comeBack()
  },
  token: async ({ service }) => service.expireTokens(),
  crash: async (around) => void signalOneOf(around, pick(around.random, ['SIGSEGV', 'SIGKILL'] as const)),
  stop: async (around) => {
    const stopped = signalOneOf(around, 'SIGSTOP')
    await pause(1_000)
    if (stopped !== null) signal(stopped, 'SIGCONT')
  },
  'folder away': async ({ camera, writing }) => {
    // The camera writes into the folder, or not at all.
    await writing.pause()
    await rename(camera, `${camera}-away`)
    await pause(1_500)
    await rename(`${camera}-away`, camera)
    writing.resume()
  },
  'hostile files': async ({ camera, random }) => {
    for (const { path, bytes } of await hostileInputs(4, Math.floor(random() * 1e6))) {
      const whole = join(camera, `hostile-${randomUUID()}`, path)
      await mkdir(dirname(whole), { recursive: true }).catch(() => undefined)
      await writeFile(whole, bytes).catch(() => undefined)
    }
  },
  screens: async ({ station }) => {
    const socket = new WebSocket(`${station.url.replace('http', 'ws')}/events`, {
      headers: { authorization: `Bearer ${station.token}` },
    })
    socket.on('error', () => undefined)
    for (let times = 0; times < 5; times += 1) {
      await station.value('submissions.list', { limit: 50 })
      await station.value('station.status')
      await pause(100)
    }
    socket.terminate()
  },
}

const NAMES = Object.keys(FAULTS)

function signalOneOf({ station, random }: Surroundings, name: NodeJS.Signals): number | null {
  const children = childrenOf(station.pid)
  const chosen = children[Math.floor(random() * children.length)]
  return chosen !== undefined && signal(chosen, name) ? chosen : null
}

export type Soaked = {
  readonly samples: readonly Sample[]
  readonly visits: number
  readonly struck: Readonly<Record<string, number>>
  /** What is wrong, in words. */
  readonly faults: readonly string[]
}

async function allOf(station: StationProcess): Promise<readonly SubmissionDetails[]> {
  const all: SubmissionDetails[] = []
  let after: string | undefined
  for (;;) {
    const { items } = await station.value('submissions.list', { limit: 500, after })
    for (const { id } of items) all.push(await station.value('submissions.get', { id }))
    after = items.at(-1)?.id
    if (after === undefined) return all
  }
}

/** Runs for so many minutes; what is held is compared from `fromMinute` on. */
export async function soak(options: {
  readonly seed: number
  readonly minutes: number
  readonly fromMinute: number
}): Promise<Soaked> {
  const { seed, minutes, fromMinute } = options
  const random = randomFrom(seed)
  const root = await mkdtemp(join(tmpdir(), 'fundus-courier-soak-'))
  const camera = join(root, 'camera')
  const dataFolder = join(root, 'one', 'station')
  await mkdir(camera)
  await mkdir(dataFolder, { recursive: true })
  const service = await openPracticeService({
    answerDelayMs: 10,
    reportDelayMs: 5_000,
    dialect: { caseFields: 'everything', marksCurrentCenter: true },
  })
  const proxy = await openChaosProxy(Number(new URL(service.baseUrl).port))
  const { clientId, clientSecret } = service
  const station = await startStation({
    program: await buildHeadless(join(projectFolder, 'test-results')),
    dataFolder,
    config: {
      service: { baseUrl: `http://127.0.0.1:${proxy.port}`, clientId, clientSecret },
      centerId: CENTER,
      folders: [quickFolder(camera)],
      delivery: { retryBaseSeconds: 0.1, lookSeconds: [0.2, 0.5, 1], resendWhenProvenAbsent: true },
      reports: { checkSeconds: 2 },
      storage: { lowWaterBytes: 0, ballastBytes: 0 },
    },
  })
  const around: Surroundings = { random, camera, service, proxy, station, writing: openTurns() }
  const visits: Visit[] = []
  const samples: Sample[] = []
  const struck: Record<string, number> = {}
  try {
    const begunMs = performance.now()
    const isOver = (): boolean => performance.now() - begunMs > minutes * 60_000
    const writing = (async () => {
      while (!isOver()) {
        const visit = await visitOf(visits.length + 1, 'small')
        visits.push(visit)
        await around.writing.next(() => writeVisit(camera, visit))
        await pause(VISIT_EVERY_MS)
      }
    })()
    const sampling = (async () => {
      while (!isOver()) {
        await pause(SAMPLE_EVERY_MS)
        const sample = await sampleOf(station.pid, (performance.now() - begunMs) / 60_000)
        samples.push(sample)
        const rounded = Object.entries(sample).map(([what, value]) => `${what} ${value.toFixed(1)}`)
        print(`soak       ${rounded.join(', ')}`)
      }
    })()
    while (!isOver()) {
      const name = NAMES[Math.floor(random() * NAMES.length)] ?? 'network'
      await FAULTS[name]?.(around)
      struck[name] = (struck[name] ?? 0) + 1
      await pause(random() * FAULT_EVERY_MS)
    }
    await Promise.all([writing, sampling])
    await proxy.heal()
    const faults = [...grown(samples, fromMinute), ...(await wrongAtRest(around, visits))]
    return { samples, visits: visits.length, struck, faults }
  } finally {
    await station.kill()
    await proxy.close()
    await service.close()
    await rm(root, { recursive: true, force: true })
  }
}

/** Waits until all is quiet, and compares what the service has with what the camera wrote. */
async function wrongAtRest(around: Surroundings, visits: readonly Visit[]): Promise<readonly string[]> {
  const { service, station } = around
  const expected: readonly ExpectedVisit[] = visits.map((visit) => ({ ...visit, centerId: CENTER }))
  const known = { isEchoing: true, isSpooled: () => false }
  const end = performance.now() + QUIET_WITHIN_MS
  for (;;) {
    const submissions = await allOf(station)
    // Read last: what arrives while the station is asked is not called missing.
    const received = receivedBy(service)
    const { alarms } = await station.value('station.status')
    const restless = isQuiet({ visits: expected, received, submissions, ...known })
    if (restless.length > 0 && performance.now() < end) {
      await pause(1_000)
      continue
    }
    const found = compare({ visits: expected, received, submissions, alarms, ...known })
    const { lost, doubled, wrongCenter, falseSent, wrongBytes, notFound } = found
    return [...lost, ...doubled, ...wrongCenter, ...falseSent, ...wrongBytes, ...notFound, ...restless]
  }
}
