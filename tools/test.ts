/**
 * `npm test`: format, lint, types, boundaries, unused code, build, and the tests that are quick. `npm run test:long`
 * (the parameter `long`): the build and every test. A step counts as a test; the last line is the sum.
 */
import { randomInt } from 'node:crypto'
import { startVitest, type TestUserConfig } from 'vitest/node'
import { findForTests, surroundings } from './electron-runtime.ts'
import { RunReport } from './run-report.ts'
import { projectFolder, runSteps } from './step.ts'
import { buildStep, sourceSteps } from './steps.ts'
import { projectsOf, type TestProject } from './test-projects.ts'

const run: TestProject['run'] = process.argv[2] === 'long' ? 'long' : 'default'
// The specs read it, too: hosts, property counts and seeds depend on the run.
process.env['TEST_RUN'] = run
// Below 2^31 - 1, which the generators of hostile input need.
if (run === 'long') process.env['PROPERTY_SEED'] ??= String(randomInt(1, 2_147_483_647))

const startedAt = performance.now()
const LIMITS = { fileMs: 8_000, testMs: 3_000, journeyMs: 10_000, usualMs: 250_000 }
const report = new RunReport(projectFolder, run === 'default' ? LIMITS : null)
// For the linter's types, which are read by a program in Go: it holds to the one core that a step has.
process.env['GOMAXPROCS'] ??= '1'
// Two at a time: steps on one core; on the other the units, then steps, too. What uses the build comes after it.
const steps = (run === 'long' ? [buildStep] : [buildStep, ...sourceSteps]).values()
const outcomes = (
  await Promise.all([
    runSteps(steps),
    runProjects(projectsOf(run, ['unit']), { fileParallelism: false }).then(() => runSteps(steps)),
  ])
).flat()
await runProjects(projectsOf(run, ['station', 'processes']))
// A run that found no test proves nothing.
const hasTests = report.succeeded + report.failed > 0

const failedSteps = outcomes.filter((outcome) => !outcome.isOk)
const succeeded = outcomes.length - failedSteps.length + report.succeeded
const failed = failedSteps.length + report.failed + report.overLimit.length + (hasTests ? 0 : 1)

console.log('the slowest files')
for (const line of report.slowestFiles()) console.log(line)
for (const line of report.overLimit) console.log(`failed   too slow: ${line}`)
for (const { test, reason } of report.skipped) console.log(`skipped  ${test}: ${reason}`)
for (const { name } of failedSteps) console.log(`failed   the step "${name}", see above`)
if (!hasTests) console.log('failed   no test was run')
const electron = findForTests(surroundings)
console.log(
  electron.kind === 'found'
    ? 'the desktop app ran on the fake Electron, and on Electron itself'
    : `the desktop app ran on the fake Electron, and not on Electron itself: ${electron.why}`,
)
if (run === 'long') {
  const seed = process.env['PROPERTY_SEED'] ?? ''
  console.log(`the seed of properties was ${seed}; PROPERTY_SEED=${seed} draws the same examples`)
}
console.log(`${(report.processorMs / 1_000).toFixed(0)} s of processor time in the files of tests`)
console.log(`in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
const skippedPart = report.skipped.length > 0 ? `, ${report.skipped.length} skipped` : ''
console.log(`${succeeded} passed, ${failed} failed${skippedPart}`)
process.exitCode = failed === 0 ? 0 : 1

async function runProjects(project: string[], options: TestUserConfig = {}): Promise<void> {
  const vitest = await startVitest('test', [], {
    root: projectFolder,
    watch: false,
    project,
    reporters: ['default', report],
    ...options,
  })
  await vitest.close()
}

// A test that left something running must not keep the run from ending.
setTimeout(() => process.exit(), 5_000).unref()
