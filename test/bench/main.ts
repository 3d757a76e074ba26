/**
 * `npm run bench`: the budgets, measured on this machine, beside other programs with the same work in the same run.
 *
 * `--only ROW`   one row: intake, old-files, visible, data-files, outbox, screens, desk, delivery, sent-before,
 *                memory, health
 * `--scale 0.1`  a share of the work; figures are then of that much
 * `--quick`      the smallest run that still shows every row; its figures say nothing
 * `--out DIR`    where bench-results.json is written; by default the system's temporary folder
 * `--work DIR`   for the files of the bench; by default the system's temporary folder
 *
 * A missed target is shown and is no failure; the exit code is 1 only if something could not be measured.
 */
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { secondsSinceStart, print as report, printTable as reportTable } from '../demo/print.ts'
import {
  type BenchOptions,
  type BenchRow,
  type Figure,
  type RowName,
  ratioOf,
  tableOf,
  verdictOf,
} from './figures.ts'
import { measureHealth } from './health-row.ts'
import { measureIntake, measureVisible } from './intake-rows.ts'
import { endAll } from './measured-station.ts'
import { measureDataFiles } from './data-files-row.ts'
import { measureDelivery } from './delivery-row.ts'
import { measureDesk } from './desk-row.ts'
import { measureMemory } from './memory-row.ts'
import { describeMachine } from './programs.ts'
import { measureOldFiles } from './old-files-row.ts'
import { measureOutbox } from './outbox-row.ts'
import { measureSentBefore } from './sent-before-row.ts'
import { measureScreens } from './screens-row.ts'

const ROWS: Readonly<Record<RowName, BenchRow>> = {
  intake: measureIntake,
  'old-files': measureOldFiles,
  visible: measureVisible,
  outbox: measureOutbox,
  screens: measureScreens,
  desk: measureDesk,
  delivery: measureDelivery,
  'data-files': measureDataFiles,
  'sent-before': measureSentBefore,
  memory: measureMemory,
  health: measureHealth,
}
const QUICK_SCALE = 0.01
/** Originals, copies of them, and the spool: of the largest row. */
const FULL_NEEDS_BYTES = 3 * 8_000_000_000

/** Cannot be run as it was asked to; the message is a sentence. */
class UsageError extends Error {}

function isRowName(text: string): text is RowName {
  return Object.hasOwn(ROWS, text)
}

/** As much as was asked for, or as fits on the disk. */
async function scaleFor(wanted: number, folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  const most = (bavail * bsize) / FULL_NEEDS_BYTES
  if (wanted <= most) return wanted
  report(`bench      the disk has room for ${(most * 100).toFixed(0)} % only, so that much is measured`)
  return most
}

async function main(): Promise<void> {
  const { values: asked } = parseArgs({
    options: {
      only: { type: 'string' },
      scale: { type: 'string' },
      quick: { type: 'boolean', default: false },
      out: { type: 'string', default: tmpdir() },
      work: { type: 'string', default: tmpdir() },
    },
  })
  const wanted = Number(asked.scale ?? (asked.quick ? QUICK_SCALE : 1))
  if (!(wanted > 0 && wanted <= 1))
    throw new UsageError('--scale is a share of the work, above 0 and up to 1.')
  const { only } = asked
  if (only !== undefined && !isRowName(only))
    throw new UsageError(`--only is one of ${Object.keys(ROWS).join(', ')}.`)
  if (process.platform !== 'linux')
    throw new UsageError('The bench reads what Linux counts of processes, and runs there only.')

  const root = await mkdtemp(join(resolve(asked.work), 'fundus-courier-bench-'))
  const leave = async (): Promise<void> => {
    await endAll()
    await rm(root, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void leave().finally(() => process.exit(1)))
  const figures: Figure[] = []
  try {
    const machine = describeMachine()
    report(
      `bench      ${machine.processor}, ${machine.cores} cores, Node ${machine.node}, load ${machine.load[0]}`,
    )
    const scale = await scaleFor(wanted, root)
    const names = only === undefined ? Object.keys(ROWS).filter(isRowName) : [only]
    const loads: Partial<Record<RowName, number>> = {}
    for (const name of names) {
      const folder = join(root, name)
      await mkdir(folder)
      const options: BenchOptions = {
        folder,
        scale,
        effort: asked.quick ? 'smoke' : 'full',
        report: (line) => report(`${name.padEnd(10)} ${line}`),
      }
      figures.push(...(await ROWS[name](options)))
      loads[name] = loadavg()[0] ?? 0
      await rm(folder, { recursive: true, force: true })
    }
    console.log('')
    reportTable(tableOf(figures))
    console.log('')
    if (scale < 1) console.log(`  Measured with ${(scale * 100).toFixed(1)} % of the work.`)
    const path = join(resolve(asked.out), 'bench-results.json')
    const results = {
      at: new Date().toISOString(),
      seconds: Math.round(secondsSinceStart()),
      scale,
      effort: asked.quick ? 'smoke' : 'full',
      machine: { ...machine, loadAfterRow: loads },
      figures: figures.map((figure) => ({
        ...figure,
        ratio: ratioOf(figure),
        verdict: verdictOf(figure),
      })),
    }
    await mkdir(resolve(asked.out), { recursive: true })
    await writeFile(path, `${JSON.stringify(results, null, 2)}\n`)
    console.log(`  ${path}`)
  } finally {
    await leave()
  }
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
