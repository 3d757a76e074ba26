/**
 * `npm run chaos`: breaks a station on purpose, in every way that clinics are known for, and compares what the
 * service received with what the station says of it.
 *
 * `--seed N`      the same seed breaks the same things; the clock's unless told
 * `--only REGEX`  the classes of faults whose names match
 * `--runs N`      so many runs of each class
 * `--run-seed N --share X`  one run just so, as an earlier report names it; together with `--only`
 * `--short`       the runs that `npm test` makes
 * `--list`        the names of the classes
 *
 * The exit code is 1 where a case was lost, doubled, under a wrong center or falsely called sent, where something
 * did not come to rest, where the station did not say what it should, and where a fault did not strike.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { secondsSinceStart, tell, tellTable } from '../demo/tell.ts'
import { allFaults } from './all-faults.ts'
import { isBad, runClass, type Row } from './run-class.ts'
import { tableOf } from './table.ts'

const LANES = 2
const RESULTS = fileURLToPath(new URL('../../test-results/', import.meta.url))

const { values: given } = parseArgs({
  options: {
    seed: { type: 'string' },
    only: { type: 'string' },
    runs: { type: 'string' },
    'run-seed': { type: 'string' },
    share: { type: 'string' },
    short: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})
const seed = Number(given.seed ?? Date.now() % 2 ** 32)
const runSeed = given['run-seed'] === undefined ? undefined : Number(given['run-seed'])
const share = given.share === undefined ? undefined : Number(given.share)
const only = new RegExp(given.only ?? '', 'i')

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const rows: Row[] = []
if (given.list) {
  for (const { name } of allFaults) tell(name)
} else {
  tell(`chaos      seed ${seed}`)
  for (const fault of allFaults.filter(({ name }) => only.test(name))) {
    const steps = given.short || given.runs !== undefined ? null : await fault.steps?.()
    const planned =
      given.runs === undefined ? (steps ?? fault.runs[given.short ? 'short' : 'full']) : Number(given.runs)
    const runs = runSeed === undefined ? planned : 1
    if (runs === 0) continue
    const startedAt = performance.now()
    const row = await runClass(fault, { seed, runs, runSeed, share, lanes: LANES })
    rows.push(row)
    const verdict = row.notTried ?? (isBad(row) ? 'BAD' : 'good')
    const took = ((performance.now() - startedAt) / 1_000).toFixed(0)
    tell(`${fault.name}: ${row.runs} runs, struck ${row.struck} times, ${took} s: ${verdict}`)
    for (const text of [...row.faults, ...row.untold]) tell(`  ${text}`)
  }
  console.log('')
  tellTable(tableOf(rows))
  await mkdir(RESULTS, { recursive: true })
  const results = { at: new Date().toISOString(), seed, seconds: Math.round(secondsSinceStart()), rows }
  await writeFile(`${RESULTS}chaos.json`, `${JSON.stringify(results, null, 2)}\n`)
  const bad = rows.filter(isBad)
  console.log(`\n  seed ${seed}: ${rows.length} classes, ${bad.length} bad`)
  // Node frees all handles where a program ends by itself, and waits for ever for a connection that broke in a bad moment.
  process.exit(bad.length > 0 || rows.length === 0 ? 1 : 0)
}
