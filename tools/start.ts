/** `npm start`: the desktop app; where Electron's runtime cannot be had, the same screens in a browser. */
import { spawn } from 'node:child_process'
import { isBuildCurrent } from './build-age.ts'
import { findRuntime, surroundings } from './electron-runtime.ts'
import { serveScreens } from './serve-screens.ts'
import { projectFolder, runStep } from './step.ts'
import { buildStep } from './steps.ts'

const parameters = process.argv.slice(2)

type End = { readonly code: number; readonly signal: NodeJS.Signals | null }

function runElectron(program: string): Promise<End> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [projectFolder, ...parameters], { stdio: 'inherit' })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: code ?? 0, signal }))
  })
}

/** The exit code; or why there was no window, where Chromium gave up by a crash of its own making, as it does for root. */
async function runUnlessCrashed(program: string): Promise<number | string> {
  const { code, signal } = await runElectron(program)
  if (signal === null || signal === 'SIGINT' || signal === 'SIGTERM') return code
  return `Electron ended by ${signal}, see above`
}

async function start(): Promise<number> {
  if (!isBuildCurrent(projectFolder)) {
    console.log('Building the screens …')
    if (!(await runStep(buildStep)).isOk) return 1
  }
  const runtime = await findRuntime(surroundings)
  const why = runtime.kind === 'found' ? await runUnlessCrashed(runtime.path) : runtime.why
  if (typeof why === 'number') return why
  console.log(`The desktop window cannot be opened: ${why}.`)
  console.log('The same station runs without it, and a browser shows the same screens.')
  return serveScreens(parameters)
}

process.exitCode = await start()
