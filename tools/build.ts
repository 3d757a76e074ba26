/** `npm run build`: main, preload and screens of the desktop app, and the headless host, into `out/`. */
import { join } from 'node:path'
import { buildHeadless } from './headless-build.ts'
import { projectFolder, runStep } from './step.ts'
import { buildStep } from './steps.ts'

const outcome = await runStep(buildStep)
if (outcome.isOk) await buildHeadless(join(projectFolder, 'out'))
process.exitCode = outcome.isOk ? 0 : 1
