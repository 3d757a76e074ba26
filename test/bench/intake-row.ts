/** Intake of 1,000 cases of four images that lie there already, beside copying and hashing the same files. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { until, type StationProcess } from '../station-process/start-station.ts'
import { scaled, type BenchOptions } from './bench-row.ts'
import { drawCase, writeCases } from './camera-files.ts'
import { medianOf, type Figure } from './figure.ts'
import { measureSteps } from './intake-steps.ts'
import { startMeasured } from './measured-station.ts'
import { cpuSecondsOf, peakMegabytesOf } from './process-figures.ts'
import { runShell } from './run-program.ts'
import { longestStall } from './stalls.ts'

const CASES = 1_000
const IMAGES_PER_CASE = 4
/** Below this a round takes seconds, and the middle of three says more than one. */
const SEVERAL_ROUNDS_BELOW = 0.06
/** A second for each file is far more than any disk needs. */
const SECONDS_PER_FILE = 1

type Copying = {
  readonly copySeconds: number
  readonly sumSeconds: number
  readonly syncSeconds: number
}

/** What the tools of the system take: copy, hash the copies, and then make sure that the disk has them. */
async function copyAndSum(camera: string, target: string): Promise<Copying> {
  const copy = await runShell('cp -r "$1" "$2"', camera, target)
  const sum = await runShell('find "$1" -type f -print0 | xargs -0 sha256sum > /dev/null', target)
  const sync = await runShell('find "$1" -type f -print0 | xargs -0 sync', target)
  await rm(target, { recursive: true })
  return { copySeconds: copy.seconds, sumSeconds: sum.seconds, syncSeconds: sync.seconds }
}

type TakingIn = {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly peakMegabytes: number
  readonly stallMs: number
  readonly ownStallMs: number
}

async function countImages(station: StationProcess): Promise<number> {
  let images = 0
  let after: string | undefined
  for (;;) {
    const { items } = await station.value('submissions.list', { limit: 1_000, after })
    images += items.reduce((sum, item) => sum + item.images.length, 0)
    after = items.at(-1)?.id
    if (after === undefined) return images
  }
}

async function takeIn(root: string, camera: string, files: number): Promise<TakingIn> {
  const imagesOf = new Map<string, number>()
  let images = 0
  const measured = await startMeasured(
    root,
    { path: camera, existing: 'include', settleSeconds: 0.2, quietSeconds: 2 },
    (submission) => {
      images += submission.images.length - (imagesOf.get(submission.id) ?? 0)
      imagesOf.set(submission.id, submission.images.length)
    },
  )
  const { station } = measured
  await until(
    'every image is in the outbox',
    () => images === files,
    60_000 + files * SECONDS_PER_FILE * 1_000,
  )
  const doneAt = Date.now()
  const cpuSeconds = await cpuSecondsOf(station.pid)
  const peakMegabytes = await peakMegabytesOf(station.pid)
  const counted = await countImages(station)
  if (counted !== files) throw new Error(`The outbox holds ${counted} images of ${files}.`)
  const longest = longestStall(await measured.end(), measured.listeningAt, doneAt)
  const seconds = (doneAt - measured.startedAt) / 1_000
  return { seconds, cpuSeconds, peakMegabytes, stallMs: longest.ms, ownStallMs: longest.ownMs }
}

/** The row "intake". */
export async function measureIntake(options: BenchOptions): Promise<readonly Figure[]> {
  const { folder, effort, tell } = options
  const camera = join(folder, 'camera')
  const cases = scaled(CASES, options)
  tell(`draws and writes ${cases} cases`)
  const drawn = await drawCase(effort === 'smoke' ? 'small' : 'large')
  const { files, bytes } = await writeCases(camera, cases, drawn)
  await runShell('find "$1" -type f -print0 | xargs -0 sync', camera)

  const copies: Copying[] = []
  const rounds: TakingIn[] = []
  const wanted = effort === 'full' && options.scale < SEVERAL_ROUNDS_BELOW ? 3 : 1
  for (let round = 1; round <= wanted; round += 1) {
    tell(`copies and hashes ${files} files, ${(bytes / 1_000_000).toFixed(0)} MB`)
    copies.push(await copyAndSum(camera, join(folder, 'copies')))
    tell('takes them in')
    const root = join(folder, `round-${round}`)
    await mkdir(root)
    rounds.push(await takeIn(root, camera, files))
    await rm(root, { recursive: true })
  }
  tell('measures each step by itself')
  const steps = await measureSteps(join(folder, 'steps'), camera, effort === 'smoke' ? 2 : 25)
  const middle = (read: (round: TakingIn) => number): number | null => medianOf(rounds.map(read))
  const copying = (read: (copy: Copying) => number): number => medianOf(copies.map(read)) ?? 0
  const figure = (what: string, value: number | null, rest: Partial<Figure> = {}): Figure => ({
    row: 'intake',
    what,
    value,
    unit: 's',
    ...rest,
  })
  const plain = copying(({ copySeconds, sumSeconds }) => copySeconds + sumSeconds)
  const synced = copying(({ copySeconds, sumSeconds, syncSeconds }) => copySeconds + sumSeconds + syncSeconds)
  const seconds = middle((round) => round.seconds)
  return [
    figure(
      `wall time, ${cases} cases of ${IMAGES_PER_CASE} x ${(bytes / files / 1e6).toFixed(1)} MB`,
      seconds,
      {
        beside: { program: 'cp, sha256sum', value: plain, ratioAtMost: 2 },
      },
    ),
    figure('the same, held against copies on the disk', seconds, {
      beside: { program: 'cp, sha256sum, sync', value: synced },
    }),
    figure(
      'processor time',
      middle((round) => round.cpuSeconds),
    ),
    figure(
      'peak memory',
      middle((round) => round.peakMegabytes),
      { unit: 'MB' },
    ),
    figure(
      'main thread blocked',
      middle((round) => round.stallMs),
      { unit: 'ms', atMost: 50 },
    ),
    figure(
      'the same without waiting for a processor',
      middle((round) => round.ownStallMs),
      { unit: 'ms' },
    ),
    ...steps.map(({ what, milliseconds }) => figure(`of one image: ${what}`, milliseconds, { unit: 'ms' })),
  ]
}
