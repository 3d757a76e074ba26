/**
 * `npm run chaos`: breaks a station on purpose, in every way that clinics are known for, and compares what the
 * service received with what the station says of it.
 *
 * `--seed N`      the same seed breaks the same things; by default the clock's
 * `--only REGEX`  the classes of faults whose names match
 * `--runs N`      so many runs of each class
 * `--every-step`  a class that breaks at each write or fsync breaks at all of some 600, which takes hours; by default at
 *                 one of each 160th part, drawn by the seed
 * `--run-seed N --share X`  one run only, as an earlier report names it; together with `--only`
 * `--short`       the short run, as in the tests
 * `--list`        the names of the classes
 * `--soak MINUTES`  instead of classes one station for so long, which must hold no more from the tenth minute on
 *
 * The exit code is 1 if a case was lost, doubled, sent under a wrong center or falsely called sent, if something did
 * not come to rest, if the station did not report what it should, and if a fault did not strike.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { secondsSinceStart, print, printTable } from '../demo/print.ts'
import { allFaults, isBad, type Row, runClass } from './run-class.ts'
import { soak } from './soak.ts'

const LANES = 2
/** So many steps of a class that has more, one from each equal part of the whole way. */
const MOST_STEPS = 160
const RESULTS = fileURLToPath(new URL('../../test-results/', import.meta.url))

const HEADINGS =
  'fault, runs, struck, lost, doubled, wrong center, false "sent", longest recovery, notes'.split(', ')

/** The row of the table for a class. */
function cellsOf(row: Row): string[] {
  const { fault, runs, struck, lost, doubled, wrongCenter, falseSent, longestRecoverySeconds } = row
  if (row.notTried !== null) return [fault, ...HEADINGS.slice(2).map(() => '-'), `not tried: ${row.notTried}`]
  const bad = [
    ...(row.wrongBytes > 0 ? [`${row.wrongBytes} WRONG BYTES OR EYES`] : []),
    ...(row.notFound > 0 ? [`${row.notFound} NOT FOUND`] : []),
    ...(row.restless > 0 ? [`${row.restless} RUNS WITHOUT REST`] : []),
    ...(row.struck === 0 ? ['DID NOT STRIKE'] : []),
    ...row.unreported.map((text) => `NOT REPORTED: ${text}`),
  ]
  return [
    fault,
    ...[runs, struck, lost, doubled, wrongCenter, falseSent].map(String),
    longestRecoverySeconds === null ? '-' : `${longestRecoverySeconds.toFixed(1)} s`,
    [...bad, ...row.notes].join(', '),
  ]
}

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string' },
    only: { type: 'string' },
    runs: { type: 'string' },
    'every-step': { type: 'boolean', default: false },
    'run-seed': { type: 'string' },
    share: { type: 'string' },
    short: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    soak: { type: 'string' },
  },
})
const seed = Number(options.seed ?? Date.now() % 2 ** 32)
const runSeed = options['run-seed'] === undefined ? undefined : Number(options['run-seed'])
const share = options.share === undefined ? undefined : Number(options.share)
const only = new RegExp(options.only ?? '', 'i')

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const rows: Row[] = []
if (options.list) {
  for (const { name } of allFaults) print(name)
} else if (options.soak !== undefined) {
  const minutes = Number(options.soak)
  print(`chaos      soaks for ${minutes} minutes, seed ${seed}`)
  const soaked = await soak({ seed, minutes, fromMinute: minutes / 3 })
  await mkdir(RESULTS, { recursive: true })
  await writeFile(`${RESULTS}soak.json`, `${JSON.stringify({ seed, ...soaked }, null, 2)}\n`)
  print(`soak       ${soaked.visits} visits, struck ${JSON.stringify(soaked.struck)}`)
  for (const text of soaked.faults) print(`  ${text}`)
  console.log(`\n  seed ${seed}: ${soaked.faults.length === 0 ? 'level, and all arrived' : 'BAD'}`)
  process.exit(soaked.faults.length > 0 ? 1 : 0)
} else {
  print(`chaos      seed ${seed}`)
  for (const fault of allFaults.filter(({ name }) => only.test(name))) {
    const allSteps = options.short || options.runs !== undefined ? null : ((await fault.steps?.()) ?? null)
    const steps = allSteps && (options['every-step'] ? allSteps : Math.min(allSteps, MOST_STEPS))
    const planned =
      options.runs === undefined
        ? (steps ?? fault.runs[options.short ? 'short' : 'full'])
        : Number(options.runs)
    const runs = runSeed === undefined ? planned : 1
    if (runs === 0) continue
    const startedAt = performance.now()
    const row = await runClass(fault, { seed, runs, runSeed, share, lanes: LANES })
    rows.push(row)
    const verdict = row.notTried ?? (isBad(row) ? 'BAD' : 'good')
    const took = ((performance.now() - startedAt) / 1_000).toFixed(0)
    const of = allSteps === null ? '' : ` of ${allSteps} steps`
    print(`${fault.name}: ${row.runs} runs${of}, struck ${row.struck} times, ${took} s: ${verdict}`)
    for (const text of [...row.faults, ...row.unreported]) print(`  ${text}`)
  }
  console.log('')
  printTable([HEADINGS, ...rows.map(cellsOf)])
  await mkdir(RESULTS, { recursive: true })
  const results = { at: new Date().toISOString(), seed, seconds: Math.round(secondsSinceStart()), rows }
  await writeFile(`${RESULTS}chaos.json`, `${JSON.stringify(results, null, 2)}\n`)
  const bad = rows.filter(isBad)
  console.log(`\n  seed ${seed}: ${rows.length} classes, ${bad.length} bad`)
  // Without this, Node waits for ever for a connection that broke at a bad moment.
  process.exit(bad.length > 0 || rows.length === 0 ? 1 : 0)
}
