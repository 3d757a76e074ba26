/** Delivery of many small and of few huge cases, beside `curl -F` of the same files to the same sink. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { scaled, type BenchOptions } from './bench-row.ts'
import { buildProgram } from './build-program.ts'
import { curlVersion } from './curl-lanes.ts'
import { checkOf, roundOf, type Load, type Round } from './delivery-rounds.ts'
import { medianOf, type Figure } from './figure.ts'
import { startSink, type Sink } from './sink.ts'
import { writeWaiting } from './waiting-cases.ts'

const MEGABYTE = 1_000_000
const SMALL_CASES = 200
const HUGE_IMAGES = 20
/** Huge cases at once: as many as lanes. */
const LANES = 4
const ROUNDS = 3
const RATIO_AT_MOST = 2
const MEGABYTES_AT_MOST = 200

type Named = { readonly name: string; readonly load: Load }

async function writeLoads(options: BenchOptions): Promise<readonly Named[]> {
  const { folder, effort, tell } = options
  const spoolFolder = join(folder, 'spool')
  await mkdir(spoolFolder)
  const small = { cases: scaled(SMALL_CASES, options), images: 4, imageBytes: 2 * MEGABYTE }
  const huge = {
    cases: LANES,
    images: scaled(HUGE_IMAGES, options),
    imageBytes: (effort === 'smoke' ? 2 : 50) * MEGABYTE,
  }
  const sizeOf = ({ images, imageBytes }: typeof small): string => `${images} x ${imageBytes / MEGABYTE} MB`
  tell(`writes ${small.cases} cases of ${sizeOf(small)} and ${huge.cases} of ${sizeOf(huge)}`)
  const smallCases = await writeWaiting(spoolFolder, small)
  const hugeCases = await writeWaiting(spoolFolder, huge)
  const program = await buildProgram('delivering-process')
  const load = (cases: Load['cases'], concurrency: number): Load => ({
    program,
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

function figure(what: string, value: number | null, rest: Partial<Figure> = {}): Figure {
  return { row: 'delivery', what, value, unit: 's', ...rest }
}

/** Without curl there is nothing to hold the times against: they are then "not measured". */
function figuresOf(name: string, rounds: readonly Round[]): readonly Figure[] {
  type Read = (one: Round['delivered']) => number
  const ours = (read: Read): number | null => medianOf(rounds.map(({ delivered }) => read(delivered)))
  const besideOf = (read: Read): number | null =>
    medianOf(rounds.flatMap(({ curled }) => (curled === null ? [] : [read(curled)])))
  const compared = (read: Read, ratioAtMost?: number): Partial<Figure> => ({
    beside: {
      program: besideOf(read) === null ? 'not compared, there is no curl' : 'curl -F',
      value: besideOf(read) ?? 0,
      ...(ratioAtMost === undefined ? {} : { ratioAtMost }),
    },
  })
  const seconds: Read = (one) => one.seconds
  const cpu: Read = (one) => one.cpuSeconds
  const peak: Read = (one) => one.peakMegabytes
  return [
    figure(name, ours(seconds), compared(seconds, RATIO_AT_MOST)),
    figure(`${name}: processor time`, ours(cpu), compared(cpu)),
    figure(`${name}: peak memory`, Math.max(...rounds.map(({ delivered }) => peak(delivered))), {
      unit: 'MB',
      atMost: MEGABYTES_AT_MOST,
      ...compared(peak),
    }),
  ]
}

async function checkAll(loads: readonly Named[], hasCurl: boolean): Promise<void> {
  const sink = await startSink('check')
  try {
    for (const { load } of loads) await checkOf(sink, load, hasCurl)
  } finally {
    await sink.end()
  }
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

/** The row "delivery". */
export async function measureDelivery(options: BenchOptions): Promise<readonly Figure[]> {
  const { effort, tell } = options
  const curl = await curlVersion()
  tell(curl ?? 'there is no curl on this machine: the times are not compared')
  const loads = await writeLoads(options)
  tell('checks that every file arrives as it was written')
  await checkAll(loads, curl !== null)
  const sink = await startSink('count')
  try {
    const rounds = effort === 'smoke' ? 1 : ROUNDS
    tell(`delivers, by turns with curl, ${rounds} times`)
    const taken = await measureAll(sink, loads, rounds, curl !== null)
    const peaks = [...taken.values()].map((one) =>
      Math.max(...one.map(({ delivered }) => delivered.peakMegabytes)),
    )
    const [smallPeak = 0, , hugePeak = 0] = peaks
    return [
      ...[...taken].flatMap(([name, one]) => figuresOf(name, one)),
      figure('peak memory of the huge case above that of the small ones', hugePeak - smallPeak, {
        unit: 'MB',
      }),
    ]
  } finally {
    await sink.end()
  }
}
