/**
 * `npm run clinical`: draws visits in many naming conventions with a known truth, lets the station's decisions read
 * them, and counts what went to a wrong eye, patient or day, what was asked, and what left unseen.
 *
 * `--visits N`   how many visits, 20,000 by default; a fifth of them measure what leaves unseen with an offered profile
 * `--seed S`     the same seed draws the same visits; by default the clock's
 * `--only REGEX` the conventions whose names match
 * `--proof`      only the conventions about proof, under attack or plainly holding
 * `--visit N`    one clinic only, in full: that of the visit with this number, as an example names it; with
 *                `--via-station` those of several, such as 84,2124
 * `--examples N` how many examples of each outcome, 3 by default
 * `--via-station` real files in the folders of a headless station, and what arrived at the practice service; 200 visits
 * `--list`       the names of the conventions, with the source of the real ones
 *
 * The exit code is 1 if a demand is not met.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { print, printTable } from '../demo/print.ts'
import { allConventions, proofConventions } from './all-conventions.ts'
import { VISITS_PER_CLINIC } from './clinic.ts'
import type { Convention } from './convention.ts'
import { openInProcess } from './in-process.ts'
import {
  conventionCells,
  type Demand,
  demandRows,
  demandsOf,
  exampleLines,
  examplesOf,
  HANDS_FREE_HEADINGS,
  handsFreeCells,
  HEADINGS,
  isMet,
} from './report.ts'
import { HANDS_FREE_VISITS, type HandsFreeRow } from './hands-free.ts'
import { runExamination } from './run.ts'
import type { Scores } from './score.ts'
import { showVisit } from './show-visit.ts'
import { runViaStation } from './via-station.ts'

const RESULTS = fileURLToPath(new URL('../../test-results/', import.meta.url))

const { values: options } = parseArgs({
  options: {
    visits: { type: 'string' },
    'via-station': { type: 'boolean', default: false },
    seed: { type: 'string' },
    only: { type: 'string' },
    visit: { type: 'string' },
    examples: { type: 'string', default: '3' },
    proof: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})
const seed = Number(options.seed ?? Date.now() % 2 ** 31)
const only = new RegExp(options.only ?? '', 'i')
const isIncluded = (convention: Convention): boolean =>
  only.test(convention.name) && (!options.proof || proofConventions.includes(convention))

if (options.list) {
  for (const { name, kind, source } of allConventions)
    console.log(`${kind.padEnd(6)} ${name}${source === null ? '' : `  [${source}]`}`)
} else if (options.visit !== undefined && !options['via-station']) {
  for (const line of await showVisit(Number(options.visit), seed, openInProcess)) console.log(line)
} else if (options['via-station']) {
  print(`clinical   seed ${seed}, via a station`)
  const { scores, arrived, otherwise, restless } = await runViaStation({
    seed,
    visits: Number(options.visits ?? 200),
    isIncluded,
    clinics: options.visit?.split(',').map((visit) => Math.floor(Number(visit) / VISITS_PER_CLINIC)),
    onRound: print,
  })
  const demands = [
    ...demandsOf(scores, []),
    { name: 'arrived otherwise than shown', value: otherwise.length, of: arrived, bound: { most: 0 } },
    { name: 'did not come to rest', value: restless, of: arrived, bound: { most: 0 } },
  ]
  for (const line of otherwise) console.log(line)
  await report(scores, [], demands)
} else {
  print(`clinical   seed ${seed}`)
  const startedAt = process.cpuUsage()
  const { scores, handsFree } = await runExamination({
    seed,
    visits: Number(options.visits ?? 20_000),
    isIncluded,
    openFor: openInProcess,
  })
  const { user, system } = process.cpuUsage(startedAt)
  const seconds = (user + system) / 1e6
  const taught = handsFree.reduce((sum, { clinics }) => sum + clinics * HANDS_FREE_VISITS, 0)
  const visits = scores.total().visits + taught
  await report(scores, handsFree, demandsOf(scores, handsFree))
  console.log(
    `  ${visits} visits in ${seconds.toFixed(1)} s of processor time, ${Math.round(visits / seconds)} a second`,
  )
}

/** Prints and stores what was found, and sets the exit code. */
async function report(
  scores: Scores,
  handsFree: readonly HandsFreeRow[],
  demands: readonly Demand[],
): Promise<void> {
  const rows = [...scores.rows.values()]
  console.log('')
  printTable([[...HEADINGS], ...rows.map(conventionCells)])
  console.log('')
  if (handsFree.length > 0) printTable([HANDS_FREE_HEADINGS, ...handsFree.map(handsFreeCells)])
  console.log('')
  for (const example of examplesOf(scores, Number(options.examples)))
    for (const line of exampleLines(example)) console.log(line)
  console.log('')
  printTable([['demand', 'visits', 'share', 'wanted', ''], ...demandRows(demands)])
  console.log(`\n  seed ${seed}: ${rows.length} conventions`)
  await mkdir(RESULTS, { recursive: true })
  const examples = examplesOf(scores, Number.POSITIVE_INFINITY)
  await writeFile(
    `${RESULTS}clinical.json`,
    `${JSON.stringify({ at: new Date().toISOString(), seed, demands, handsFree, examples }, null, 2)}\n`,
  )
  process.exitCode = demands.every(isMet) ? 0 : 1
}
