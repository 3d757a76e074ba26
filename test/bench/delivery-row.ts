/** Delivery of many small and of few huge cases, beside the least that it can cost in Node, and `curl -F`, of the same files to the same sink. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BenchOptions, type Figure, medianOf, scaled, figuresOf } from './figures.ts'
import { buildProgram, runOwn, slowFlushes } from './programs.ts'
import type { Roofline, Sent } from './roofline-process.ts'
import { curlCases, curlVersion } from './curl-lanes.ts'
import { type Sink, startSink } from './sink.ts'
import { type WaitingCase, queueWaiting, writeWaiting } from './waiting-cases.ts'
import type { Delivered, Delivering } from './delivering-process.ts'

const MEGABYTE = 1_000_000
const SMALL_CASES = 200
const HUGE_IMAGES = 20
/** Huge cases at once: as many as lanes. */
const LANES = 4
const TINY_CASES = 200
/** An old disk needs so long for a flush. */
const SLOW_FLUSH_MS = 12
const TINY_CASE_MS_AT_MOST = 30
const ROUNDS = 3
const RATIO_AT_MOST = 2
const MEGABYTES_AT_MOST = 200

type Named = { readonly name: string; readonly load: Load & { readonly roofline: string } }

async function writeLoads(options: BenchOptions): Promise<readonly Named[]> {
  const { folder, effort, report } = options
  const spoolFolder = join(folder, 'spool')
  await mkdir(spoolFolder)
  const small = { cases: scaled(SMALL_CASES, options), images: 4, imageBytes: 2 * MEGABYTE }
  const huge = {
    cases: LANES,
    images: scaled(HUGE_IMAGES, options),
    imageBytes: (effort === 'smoke' ? 2 : 50) * MEGABYTE,
  }
  const sizeOf = ({ images, imageBytes }: typeof small): string => `${images} x ${imageBytes / MEGABYTE} MB`
  report(`writes ${small.cases} cases of ${sizeOf(small)} and ${huge.cases} of ${sizeOf(huge)}`)
  const smallCases = await writeWaiting(spoolFolder, small)
  const hugeCases = await writeWaiting(spoolFolder, huge)
  const program = await buildProgram('delivering-process')
  const roofline = await buildProgram('roofline-process')
  const load = (cases: Load['cases'], concurrency: number): Load & { readonly roofline: string } => ({
    program,
    roofline,
    folder,
    spoolFolder,
    cases,
    concurrency,
  })
  return [
    { name: `${small.cases} cases of ${sizeOf(small)}, one at a time`, load: load(smallCases, 1) },
    { name: `${small.cases} cases of ${sizeOf(small)}, ${LANES} at a time`, load: load(smallCases, LANES) },
    { name: `1 case of ${sizeOf(huge)}`, load: load(hugeCases.slice(0, 1), 1) },
    { name: `${LANES} cases of ${sizeOf(huge)} at a time`, load: load(hugeCases, LANES) },
  ]
}

const figure = figuresOf('delivery', 's')

function describeRounds(name: string, rounds: readonly Round[]): readonly Figure[] {
  const middle = (read: (one: Round) => number): number | null => medianOf(rounds.map(read))
  const seconds = middle(({ delivered }) => delivered.seconds)
  const cpuSeconds = middle(({ delivered }) => delivered.cpuSeconds)
  const program = 'read, SHA-256, undici'
  const curled = medianOf(rounds.flatMap(({ curlSeconds }) => curlSeconds ?? []))
  return [
    figure(name, seconds, {
      beside: { program, value: middle(({ roofline }) => roofline.seconds) ?? 0, ratioAtMost: RATIO_AT_MOST },
    }),
    figure(`${name}: processor time`, cpuSeconds, {
      beside: { program, value: middle(({ roofline }) => roofline.cpuSeconds) ?? 0 },
    }),
    ...(curled === null
      ? []
      : [figure(`${name}, held against curl`, seconds, { beside: { program: 'curl -F', value: curled } })]),
    figure(`${name}: peak memory`, Math.max(...rounds.map(({ delivered }) => delivered.peakMegabytes)), {
      unit: 'MB',
      atMost: MEGABYTES_AT_MOST,
    }),
  ]
}

async function measureAll(
  sink: Sink,
  loads: readonly Named[],
  rounds: number,
  hasCurl: boolean,
): Promise<ReadonlyMap<string, readonly Round[]>> {
  const taken = new Map<string, Round[]>(loads.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const { name, load } of loads) taken.get(name)?.push(await roundOf(sink, load, hasCurl))
  return taken
}

/** Tiny cases cost what the outbox costs; beside them the same on a disk that turns. */
async function measureTiny(sink: Sink, options: BenchOptions): Promise<readonly Figure[]> {
  const spoolFolder = join(options.folder, 'spool')
  const cases = await writeWaiting(spoolFolder, {
    cases: scaled(TINY_CASES, options),
    images: 2,
    imageBytes: 5_000,
  })
  const program = await buildProgram('delivering-process')
  const load = { program, folder: options.folder, spoolFolder, cases, concurrency: LANES }
  const startedBy = slowFlushes(SLOW_FLUSH_MS)
  const perCase = ({ seconds }: Delivered): number => (seconds * 1_000) / cases.length
  const fast = await deliver(sink, load)
  const slow = startedBy === null ? null : await deliver(sink, { ...load, startedBy })
  const name = `a tiny case of ${cases.length}, ${LANES} at a time`
  return [
    figure(name, perCase(fast), { unit: 'ms' }),
    figure(`${name}: processor time`, (fast.cpuSeconds * 1_000) / cases.length, { unit: 'ms' }),
    figure(
      `${name}, each flush delayed by ${SLOW_FLUSH_MS} ms${slow === null ? ' (not measured, there is no strace)' : ''}`,
      slow === null ? null : perCase(slow),
      { unit: 'ms', atMost: TINY_CASE_MS_AT_MOST },
    ),
  ]
}

/** The row "delivery". */
export async function measureDelivery(options: BenchOptions): Promise<readonly Figure[]> {
  const { effort, report } = options
  const curl = await curlVersion()
  report(curl ?? 'there is no curl on this machine: the times are not compared with it')
  const loads = await writeLoads(options)
  const sink = await startSink()
  try {
    const rounds = effort === 'smoke' ? 1 : ROUNDS
    report(`delivers, by turns with the others, ${rounds} times`)
    const taken = await measureAll(sink, loads, rounds, curl !== null)
    const peaks = [...taken.values()].map((one) =>
      Math.max(...one.map(({ delivered }) => delivered.peakMegabytes)),
    )
    const [smallPeak = 0, , hugePeak = 0] = peaks
    return [
      ...[...taken].flatMap(([name, one]) => describeRounds(name, one)),
      ...(await measureTiny(sink, options)),
      figure('peak memory of the huge case above that of the small ones', hugePeak - smallPeak, {
        unit: 'MB',
      }),
    ]
  } finally {
    await sink.end()
  }
}

type Load = {
  /** The built `delivering-process`. */
  readonly program: string
  readonly folder: string
  readonly spoolFolder: string
  readonly cases: readonly WaitingCase[]
  readonly concurrency: number
  /** A program that starts the delivery. */
  readonly startedBy?: readonly string[]
}
type Round = {
  readonly delivered: Delivered
  readonly roofline: Sent
  readonly curlSeconds: number | null
}

const SMALL = { cases: 1, images: 1, imageBytes: 1_000 }

/** Throws where anything else has come than the cases: what is measured is that they arrive. */
async function hold(sink: Sink, cases: readonly WaitingCase[], what: string): Promise<void> {
  const { posts, bodyBytes, faults } = await sink.tally()
  const least = cases.flatMap(({ files }) => files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (faults.length > 0) throw new Error(`${what}: ${faults.slice(0, 3).join('; ')}`)
  if (posts !== cases.length) throw new Error(`${what}: ${posts} cases came of ${cases.length}.`)
  if (bodyBytes < least) throw new Error(`${what}: ${bodyBytes} bytes came, and the files have ${least}.`)
}

async function deliver(sink: Sink, load: Load): Promise<Delivered> {
  const dataFolder = join(load.folder, 'data')
  await mkdir(dataFolder, { recursive: true })
  // The first of all goes alone, until it has arrived; a small one is that, so that the others go side by side.
  const first = await writeWaiting(load.spoolFolder, SMALL)
  const all = [...first, ...load.cases].map((one, index) => ({
    ...one,
    fields: { ...one.fields, history_number: `H-${index}` },
  }))
  queueWaiting(dataFolder, all)
  const { spoolFolder, concurrency, startedBy = [] } = load
  const options: Delivering = {
    dataFolder,
    spoolFolder,
    url: sink.url,
    concurrency,
    cases: load.cases.length,
  }
  const delivered = await runOwn<Delivered>(load.program, [JSON.stringify(options)], { startedBy })
  await hold(sink, all, 'the delivery')
  await rm(dataFolder, { recursive: true })
  return delivered
}

/** One round; with curl only if it is installed. */
async function roundOf(sink: Sink, load: Named['load'], hasCurl: boolean): Promise<Round> {
  const delivered = await deliver(sink, load)
  const { spoolFolder, cases, concurrency } = load
  const least: Roofline = { url: sink.url, spoolFolder, cases, concurrency }
  const roofline = await runOwn<Sent>(load.roofline, [JSON.stringify(least)])
  await hold(sink, cases, 'the least')
  if (!hasCurl) return { delivered, roofline, curlSeconds: null }
  const curlSeconds = await curlCases({ ...load, url: sink.url })
  await hold(sink, cases, 'curl')
  return { delivered, roofline, curlSeconds }
}
