/** `npm run build`: main, preload and screens into `out/`. */
import { runStep } from './step.ts'
import { buildStep } from './steps.ts'

const outcome = await runStep(buildStep)
process.exitCode = outcome.isOk ? 0 : 1
