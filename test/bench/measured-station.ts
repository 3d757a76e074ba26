/** A station in a process of its own, with a probe in it and a listener at its events. */
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { stationEventSchema } from '../../src-shared/contract.ts'
import type { Submission } from '../../src-shared/submission.ts'
import { type StationConfig, type StationProcess, startStation } from '../station-process/start-station.ts'
import type { Stall } from './thread-probe.ts'

export type MeasuredStation = {
  readonly station: StationProcess
  /** When its process was started, epoch milliseconds, and when it printed its address. */
  readonly startedAt: number
  readonly listeningAt: number
  /** Takes no more notes of its main thread: what is measured from now on is its own doing only. */
  stopProbe(): void
  /** Ends it, and answers with when its main thread stood still. */
  end(): Promise<readonly Stall[]>
}

const running = new Set<StationProcess>()

/** Ends whatever stations still run, as when the machine is switched off: the bench itself is being ended. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map((station) => station.kill()))
}

/** Starts a station with its data in `root`. `onSubmission` hears of every change of a submission. */
export async function startMeasured(
  root: string,
  config: StationConfig,
  onSubmission: ((submission: Submission) => void) | null = null,
): Promise<MeasuredStation> {
  const dataFolder = join(root, 'station')
  await mkdir(dataFolder, { recursive: true })
  const stalls = openStalls(root)
  const startedAt = Date.now()
  const station = await startStation({
    dataFolder,
    config,
    environment: stalls.environment,
  })
  const listeningAt = Date.now()
  running.add(station)
  const socket = onSubmission === null ? null : await listen(station, onSubmission)
  return {
    station,
    startedAt,
    listeningAt,
    stopProbe: () => void process.kill(station.pid, 'SIGUSR2'),
    end: async () => {
      socket?.close()
      const code = await station.stop()
      running.delete(station)
      if (code !== 0) throw new Error(`The station ended with ${String(code)}: ${station.log()}`)
      return stalls.read()
    },
  }
}

async function listen(
  station: StationProcess,
  onSubmission: (submission: Submission) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(`${station.url.replace('http', 'ws')}/events`, {
    headers: { authorization: `Bearer ${station.token}` },
  })
  socket.on('message', (data: Buffer) => {
    const event = stationEventSchema.safeParse(JSON.parse(data.toString('utf8')))
    if (event.success && event.data.name === 'submissionChanged') onSubmission(event.data.payload)
  })
  await once(socket, 'open')
  return socket
}

export type Stalls = {
  /** What to give the program in its environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Once the program has ended. */
  read(): Promise<readonly Stall[]>
}

let probes = 0

/** A probe for one program that is about to start; its notes lie in `folder`. */
export function openStalls(folder: string): Stalls {
  probes += 1
  const path = join(folder, `stalls-${probes}.json`)
  const probe = new URL('./thread-probe.ts', import.meta.url).href
  return {
    environment: { NODE_OPTIONS: `--import ${probe}`, FUNDUS_COURIER_BENCH_PROBE: path },
    read: async () => JSON.parse(await readFile(path, 'utf8')) as Stall[],
  }
}

export type LongestStall = {
  /** As a person at the screen feels it. */
  readonly ms: number
  /** Without what other programs of this machine took of it. */
  readonly ownMs: number
  /** Of processor time alone: less than its own if the disk is slow. */
  readonly ranMs: number
}

function stallsWithin(stalls: readonly Stall[], from: number, until: number): readonly Stall[] {
  return stalls.filter((stall) => stall.at >= from && stall.at - stall.ms <= until)
}

/** The longest of those between two instants, epoch milliseconds. */
export function longestStall(stalls: readonly Stall[], from: number, until: number): LongestStall {
  const within = stallsWithin(stalls, from, until)
  return {
    ms: Math.max(0, ...within.map(({ ms }) => ms)),
    ownMs: Math.max(0, ...ownStalls(stalls, from, until)),
    ranMs: Math.max(0, ...within.map(({ ranMs }) => ranMs)),
  }
}

/** The milliseconds of each of them without what other programs of this machine took. */
export function ownStalls(stalls: readonly Stall[], from: number, until: number): readonly number[] {
  return stallsWithin(stalls, from, until).map(({ ms, waitedMs }) => ms - waitedMs)
}
