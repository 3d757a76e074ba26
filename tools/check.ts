/** `npm run check`: everything that can be said about the source without running it. */
import { runSteps } from './step.ts'
import { sourceSteps } from './steps.ts'

const outcomes = await runSteps(sourceSteps)
const failed = outcomes.filter((outcome) => !outcome.isOk)
console.log(`${outcomes.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length === 0 ? 0 : 1
