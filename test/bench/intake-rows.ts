/** Intake of 1,000 cases of four images that lie there already, beside copying, hashing, flushing and decoding the same files. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type StationProcess, until } from '../station-process/start-station.ts'
import { type BenchOptions, type Figure, figuresOf, medianOf, quantileOf, scaled } from './figures.ts'
import { drawCase, nameOf, writeCases } from './camera-files.ts'
import { longestStall, startMeasured } from './measured-station.ts'
import { cpuSecondsOf, peakMegabytesOf, runShell } from './programs.ts'
import { withRemark } from '../camera/layouts/layout.ts'

const CASES = 1_000
const IMAGES_PER_CASE = 4
const RATIO_AT_MOST = 1.2
/** Below this a round takes seconds, and the middle of three says more than one. */
const SEVERAL_ROUNDS_BELOW = 0.06
/** A second for each file is far more than any disk needs. */
const SECONDS_PER_FILE = 1

type Copying = {
  readonly copySeconds: number
  readonly sumSeconds: number
  readonly syncSeconds: number
  /** Null without djpeg. */
  readonly decodeSeconds: number | null
}

/** What the tools of the system take on all cores: copy, hash the copies, make sure that the disk has them, and decode them. */
async function copyAndSum(camera: string, target: string): Promise<Copying> {
  const copy = await runShell('cp -r "$1" "$2"', camera, target)
  const each = `find "$1" -type f -print0 | xargs -0 -n 8 -P ${availableParallelism()}`
  const sum = await runShell(`${each} sha256sum > /dev/null`, target)
  const sync = await runShell('find "$1" -type f -print0 | xargs -0 sync', target)
  const canDecode = (await runShell('command -v djpeg || true')).output !== ''
  const decode = canDecode
    ? await runShell(
        `find "$1" -type f -print0 | xargs -0 -n 1 -P ${availableParallelism()} djpeg -outfile /dev/null`,
        target,
      )
    : null
  await rm(target, { recursive: true })
  return {
    copySeconds: copy.seconds,
    sumSeconds: sum.seconds,
    syncSeconds: sync.seconds,
    decodeSeconds: decode?.seconds ?? null,
  }
}

type IngestRun = {
  /** From the first image in the outbox to the last. */
  readonly seconds: number
  readonly fromStartSeconds: number
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

async function ingestAll(root: string, camera: string, files: number): Promise<IngestRun> {
  const imagesOf = new Map<string, number>()
  let images = 0
  let firstAt = 0
  const measured = await startMeasured(
    root,
    { folders: [{ path: camera, existing: 'include', settleSeconds: 0.2, quietSeconds: 2 }] },
    (submission) => {
      if (firstAt === 0) firstAt = Date.now()
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
  return {
    seconds: (doneAt - firstAt) / 1_000,
    fromStartSeconds: (doneAt - measured.startedAt) / 1_000,
    cpuSeconds,
    peakMegabytes,
    stallMs: longest.ms,
    ownStallMs: longest.ownMs,
  }
}

/** The row "intake". */
export async function measureIntake(options: BenchOptions): Promise<readonly Figure[]> {
  const { folder, effort, report } = options
  const camera = join(folder, 'camera')
  const cases = scaled(CASES, options)
  report(`draws and writes ${cases} cases`)
  const drawn = await drawCase(effort === 'smoke' ? 'small' : 'large')
  const { files, bytes } = await writeCases(camera, cases, drawn)
  await runShell('find "$1" -type f -print0 | xargs -0 sync', camera)

  const copies: Copying[] = []
  const rounds: IngestRun[] = []
  const wanted = effort === 'full' && options.scale < SEVERAL_ROUNDS_BELOW ? 3 : 1
  for (let round = 1; round <= wanted; round += 1) {
    report(`copies and hashes ${files} files, ${(bytes / 1_000_000).toFixed(0)} MB`)
    copies.push(await copyAndSum(camera, join(folder, 'copies')))
    report('ingests them')
    const root = join(folder, `round-${round}`)
    await mkdir(root)
    rounds.push(await ingestAll(root, camera, files))
    await rm(root, { recursive: true })
  }
  const middle = (key: keyof IngestRun): number | null => medianOf(rounds.map((round) => round[key]))
  const plain = ({ copySeconds, sumSeconds, syncSeconds }: Copying): number =>
    copySeconds + sumSeconds + syncSeconds
  const copied = medianOf(copies.map(plain)) ?? 0
  const decoded = medianOf(
    copies.flatMap((one) => (one.decodeSeconds === null ? [] : plain(one) + one.decodeSeconds)),
  )
  const figure = figuresOf('intake', 's')
  const seconds = middle('seconds')
  const name = `${cases} cases of ${IMAGES_PER_CASE} x ${(bytes / files / 1e6).toFixed(1)} MB, first to last image`
  return [
    decoded === null
      ? figure(`${name} (not compared, there is no djpeg)`, seconds)
      : figure(name, seconds, {
          beside: { program: 'cp, sha256sum, sync, djpeg', value: decoded, ratioAtMost: RATIO_AT_MOST },
        }),
    figure('the same, held against copies alone', seconds, {
      beside: { program: 'cp, sha256sum, sync', value: copied },
    }),
    figure('from the start of the station', middle('fromStartSeconds')),
    figure('processor time', middle('cpuSeconds')),
    figure('peak memory', middle('peakMegabytes'), { unit: 'MB' }),
    figure('main thread blocked', middle('stallMs'), { unit: 'ms', atMost: 50 }),
    figure('the same without waiting for a processor', middle('ownStallMs'), { unit: 'ms' }),
  ]
}

const TIMES = 50
const TIMES_IN_SMOKE = 3
const SETTLE_SECONDS = 1
const VISIBLE_WITHIN_MS = 60_000
/** So that no rhythm of the station's own is met every time. */
const PAUSES_MS = [0, 70, 150, 240, 330]

/** The row "visible". */
export async function measureVisible(options: BenchOptions): Promise<readonly Figure[]> {
  const { folder, effort, report } = options
  const camera = join(folder, 'camera')
  await mkdir(camera)
  const [picture] = await drawCase(effort === 'smoke' ? 'small' : 'large')
  if (picture === undefined) throw new Error('Nothing was drawn.')
  const seenAt = new Map<string, number>()
  const measured = await startMeasured(
    folder,
    { folders: [{ path: camera, settleSeconds: SETTLE_SECONDS }] },
    (submission) => {
      for (const { fileName } of submission.images)
        if (!seenAt.has(fileName)) seenAt.set(fileName, performance.now())
    },
  )
  const { station } = measured
  await until('the first sweep', async () => (await station.value('station.status')).folders[0]?.lastSweepAt)
  const times = effort === 'smoke' ? TIMES_IN_SMOKE : TIMES
  report(`writes ${times} files, one after the other`)
  const delays: number[] = []
  for (let number = 1; number <= times; number += 1) {
    const name = nameOf(number, 0)
    await mkdir(join(camera, name, '..'), { recursive: true })
    await writeFile(join(camera, name), withRemark(picture, String(number)))
    const writtenAt = performance.now()
    const shownAt = await until(`file ${number} is visible`, () => seenAt.get(name), VISIBLE_WITHIN_MS)
    delays.push(shownAt - writtenAt - SETTLE_SECONDS * 1_000)
    await sleep(PAUSES_MS[number % PAUSES_MS.length])
  }
  await measured.end()
  const figure = figuresOf('visible', 'ms')
  return [
    figure(`settled to visible, p50 of ${times}`, quantileOf(delays, 0.5)),
    figure(`settled to visible, p95 of ${times}`, quantileOf(delays, 0.95), { atMost: 300 }),
    figure('settled to visible, longest', quantileOf(delays, 1)),
  ]
}
