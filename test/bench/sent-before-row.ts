/** What a delivered case costs a station that has sent many before, beside one that has sent none. */
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY, MINUTE, SECOND } from '../../src-shared/durations.ts'
import { openPracticeService } from '../practice-service/practice-service.ts'
import { until } from '../station-process/start-station.ts'
import { type BenchOptions, type Figure, figuresOf, scaled } from './figures.ts'
import { startMeasured } from './measured-station.ts'
import { cpuSecondsOf } from './programs.ts'
import { fillSent } from './sent-cases.ts'
import { queueWaiting, writeWaiting } from './waiting-cases.ts'

const SENT = 100_000
/** Delivered in parts; the least of them counts: a machine's processor is not equally fast in every minute. */
const PART = 25
const PARTS = 8
/** Delivered first and not measured: code is compiled, and the first case of all goes alone. */
const WARM_UP = 10
/** The backup begins within seconds of a start. */
const AWAY_MS = 10 * SECOND
const PATIENCE_MS = 10 * MINUTE

/** Waits until the thread that checks and copies the outbox has not been there for a while. */
async function endOfBackup(pid: number): Promise<void> {
  const isBackingUp = async (): Promise<boolean> => {
    const threads = await readdir(`/proc/${pid}/task`)
    const names = await Promise.all(
      threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/comm`, 'utf8').catch(() => '')),
    )
    return names.some((name) => name.trim() === 'outbox')
  }
  let awaySince = Date.now()
  await until(
    'the end of the backup',
    async () => {
      if (await isBackingUp()) awaySince = Date.now()
      return Date.now() - awaySince > AWAY_MS || undefined
    },
    PATIENCE_MS,
  )
}

/** Milliseconds of processor time for one delivered and confirmed case, in the cheapest part of so many. */
async function costOfCase(options: BenchOptions, sent: number, parts: number): Promise<number> {
  const root = await mkdtemp(join(options.folder, `sent-${sent}-`))
  const dataFolder = join(root, 'station')
  await mkdir(dataFolder, { recursive: true })
  const service = await openPracticeService({ answerDelayMs: 0, reportDelayMs: DAY })
  try {
    fillSent(dataFolder, { ...service, count: sent })
    const shape = { cases: WARM_UP + parts * PART, images: 2, imageBytes: 2_000 }
    queueWaiting(dataFolder, await writeWaiting(join(dataFolder, 'spool'), shape))
    const confirmed = new Set<string>()
    const measured = await startMeasured(
      root,
      { service: service.account, delivery: { concurrency: 1 } },
      ({ id, confirmedAt }) => {
        if (confirmedAt !== null) confirmed.add(id)
      },
    )
    const costUntil = async (
      count: number,
    ): Promise<{ readonly cases: number; readonly seconds: number }> => {
      await until(`${count} cases are confirmed`, () => confirmed.size >= count, PATIENCE_MS)
      return { cases: confirmed.size, seconds: await cpuSecondsOf(measured.station.pid) }
    }
    // The backup of the first start belongs to no case.
    await measured.station.value('station.pause')
    await endOfBackup(measured.station.pid)
    await measured.station.value('station.resume', {})
    const costs: number[] = []
    let before = await costUntil(WARM_UP)
    while (costs.length < parts) {
      const after = await costUntil(WARM_UP + (costs.length + 1) * PART)
      costs.push(((after.seconds - before.seconds) * 1_000) / (after.cases - before.cases))
      before = after
    }
    await measured.end()
    return Math.min(...costs)
  } finally {
    await service.close()
  }
}

/** The row "sent-before". */
export async function measureSentBefore(options: BenchOptions): Promise<readonly Figure[]> {
  const sent = scaled(SENT, options)
  const measure = async (before: number, parts: number): Promise<number> => {
    options.report(`delivers with ${before} sent before`)
    return costOfCase(options, before, parts)
  }
  // As many parts of each, one half before and one half after.
  const first = await measure(0, PARTS / 2)
  const many = await measure(sent, PARTS)
  const none = Math.min(first, await measure(0, PARTS / 2))
  const figure = figuresOf('sent-before', 'ms')
  return [
    figure('processor time for a delivered case, none sent before', none),
    figure(`the same with ${sent} sent before`, many, {
      beside: { program: 'none sent before', value: none, ratioAtMost: 1.2 },
    }),
  ]
}
