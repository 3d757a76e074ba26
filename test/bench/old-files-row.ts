/** 100,000 old files in 20,000 folders, beside a plain listing. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { until, type StationProcess } from '../station-process/start-station.ts'
import { type BenchOptions, type Figure, figuresOf, scaled } from './figures.ts'
import { longestStall, startMeasured } from './measured-station.ts'
import { cpuSecondsOf, peakMegabytesOf, runShell } from './programs.ts'

const FOLDERS = 20_000
export const FILES_PER_FOLDER = 5
const READY_WITHIN_MS = 600_000
/** A station that has come to rest uses less than this of one core with the probe in it, over two seconds. */
const CALM_CORES = 0.04
const CALM_POLL_MS = 2_000
const CALM_WITHIN_MS = 45_000

/** How folders lie in a camera's folder: a watcher may find the one easy and the other not. */
const SHAPES = ['side by side', 'by year'] as const
type Shape = (typeof SHAPES)[number]

/** A whole picture, as small as one can be: opening it is what counts. */
export async function tinyPicture(): Promise<Buffer> {
  return sharp({ create: { width: 16, height: 16, channels: 3, background: '#c40' } })
    .jpeg()
    .toBuffer()
}

export function writeOldFiles(root: string, shape: Shape, folders: number, picture: Buffer): void {
  for (let folder = 0; folder < folders; folder += 1) {
    const above = shape === 'by year' ? `${root}/${2_011 + (folder % 10)}` : root
    const path = join(above, `H-${String(folder).padStart(5, '0')}_20200102`)
    mkdirSync(path, { recursive: true })
    for (let file = 0; file < FILES_PER_FOLDER; file += 1)
      writeFileSync(join(path, `IMG_${file}.jpg`), picture)
  }
}

type Start = {
  readonly readySeconds: number
  readonly peakMegabytes: number
  readonly stallMs: number
  readonly ownStallMs: number
  /** Null if it had not come to rest in time. */
  readonly calmSeconds: number | null
  /** Share of one core after that; 0 if it was not measured. */
  readonly idleCores: number
}

async function coresOver(station: StationProcess, ms: number): Promise<number> {
  const before = await cpuSecondsOf(station.pid)
  const startedAt = performance.now()
  await sleep(ms)
  return (((await cpuSecondsOf(station.pid)) - before) / (performance.now() - startedAt)) * 1_000
}

/** Null if it did not come to rest. */
async function calmAt(station: StationProcess, withinMs: number): Promise<number | null> {
  const end = performance.now() + withinMs
  while (performance.now() < end)
    if ((await coresOver(station, CALM_POLL_MS)) < CALM_CORES) return Date.now() - CALM_POLL_MS
  return null
}

/** Starts a station on the folder; `root` holds its data, from an earlier start or none. */
type Waits = { readonly calmMs: number; readonly idleMs: number }

async function startOn(root: string, camera: string, { calmMs, idleMs }: Waits): Promise<Start> {
  await mkdir(root, { recursive: true })
  const measured = await startMeasured(root, { folders: [{ path: camera, existing: 'ignore' }] })
  const { station, startedAt, listeningAt } = measured
  const sweptAt = await until(
    'the first sweep',
    async () => (await station.value('station.status')).folders[0]?.lastSweepAt,
    READY_WITHIN_MS,
  )
  // What settles is opened and asked about after the first sweep: the probe stays until that is over.
  const calm = await calmAt(station, calmMs)
  measured.stopProbe()
  const idleCores = idleMs === 0 ? 0 : await coresOver(station, idleMs)
  const peakMegabytes = await peakMegabytesOf(station.pid)
  const longest = longestStall(await measured.end(), listeningAt, Infinity)
  return {
    readySeconds: (sweptAt - startedAt) / 1_000,
    peakMegabytes,
    stallMs: longest.ms,
    ownStallMs: longest.ownMs,
    calmSeconds: calm === null ? null : (calm - startedAt) / 1_000,
    idleCores,
  }
}

/** The row "old-files". */
export async function measureOldFiles(options: BenchOptions): Promise<readonly Figure[]> {
  const { folder, effort, report } = options
  const empty = join(folder, 'empty')
  await mkdir(empty)
  const calmMs = effort === 'smoke' ? 0 : CALM_WITHIN_MS
  report('starts a station on an empty folder')
  const without = await startOn(join(folder, 'without'), empty, { calmMs: 0, idleMs: 0 })
  const figures: Figure[] = [
    figuresOf('old-files', 'MB')('peak memory of a station without files', without.peakMegabytes),
  ]
  for (const shape of effort === 'smoke' ? SHAPES.slice(0, 1) : SHAPES) {
    const root = join(folder, shape)
    figures.push(...(await measureShape({ ...options, folder: root }, shape, { without, calmMs })))
    await rm(root, { recursive: true })
  }
  return figures
}

async function measureShape(
  options: BenchOptions,
  shape: Shape,
  { without, calmMs }: { readonly without: Start; readonly calmMs: number },
): Promise<readonly Figure[]> {
  const { folder, effort, report } = options
  const camera = join(folder, 'camera')
  const folders = scaled(FOLDERS, options)
  const idleMs = effort === 'smoke' ? 500 : 60_000
  report(`writes ${folders * FILES_PER_FOLDER} files in ${folders} folders ${shape}`)
  writeOldFiles(camera, shape, folders, await tinyPicture())
  const find = await runShell('find "$1" -type f | wc -l', camera)
  report('starts a station on them for the first time')
  const first = await startOn(join(folder, 'with'), camera, { calmMs, idleMs: 0 })
  report('starts it again, and then waits while it has nothing to do')
  const again = await startOn(join(folder, 'with'), camera, { calmMs, idleMs })

  const inRow = figuresOf('old-files', 's')
  const figure: typeof inRow = (what, value, rest) => inRow(`${shape}: ${what}`, value, rest)
  const ofStart = (which: string, start: Start): readonly Figure[] => [
    figure(`ready, ${which} start`, start.readySeconds, {
      atMost: 10,
      beside: { program: 'find', value: find.seconds },
    }),
    figure(`memory grown at its peak, ${which} start`, start.peakMegabytes - without.peakMegabytes, {
      unit: 'MB',
      atMost: 150,
    }),
    figure(`main thread blocked, ${which} start`, start.stallMs, {
      unit: 'ms',
      atMost: 50,
    }),
    figure(`without waiting for a processor, ${which} start`, start.ownStallMs, { unit: 'ms' }),
    figure(`at rest, ${which} start`, start.calmSeconds),
  ]
  return [
    ...ofStart('first', first),
    ...ofStart('second', again),
    figure(`idle processor time over ${idleMs / 1_000} s`, again.idleCores * 100, { unit: '%', atMost: 1 }),
  ]
}
