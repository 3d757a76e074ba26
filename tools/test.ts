/**
 * `npm test`: format, lint, types, boundaries, unused code, build, and every test. A step counts as a test; the
 * last line is the sum.
 */
import { findForTests, surroundings } from './electron-runtime.ts'
import { runVitest } from './run-vitest.ts'
import { projectFolder, runSteps } from './step.ts'
import { buildStep, sourceSteps } from './steps.ts'

const startedAt = performance.now()
const outcomes = await runSteps([...sourceSteps, buildStep])
const tests = await runVitest(projectFolder)
// A run that found no test proves nothing.
const hasTests = tests.passed + tests.failed > 0

const failedSteps = outcomes.filter((outcome) => !outcome.hasPassed)
const passed = outcomes.length - failedSteps.length + tests.passed
const failed = failedSteps.length + tests.failed + (hasTests ? 0 : 1)

for (const { test, reason } of tests.skipped) console.log(`skipped  ${test}: ${reason}`)
for (const { name } of failedSteps) console.log(`failed   the step "${name}", see above`)
if (!hasTests) console.log('failed   no test was run')
const electron = findForTests(surroundings)
console.log(
  electron.kind === 'found'
    ? 'the desktop app ran on the stand-in for Electron, and on Electron itself'
    : `the desktop app ran on the stand-in for Electron, and not on Electron itself: ${electron.why}`,
)
console.log(`in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
const skippedPart = tests.skipped.length > 0 ? `, ${tests.skipped.length} skipped` : ''
console.log(`${passed} passed, ${failed} failed${skippedPart}`)
process.exitCode = failed === 0 ? 0 : 1
// A test that left something running must not keep the run from ending.
setTimeout(() => process.exit(), 5_000).unref()
