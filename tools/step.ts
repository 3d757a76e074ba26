/** A step of `npm test` and `npm run check`: one program, run to its end, its output shown if it failed. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)))

export type Step = {
  readonly name: string
  readonly parameters: readonly string[]
} & (
  | {
      /** The npm package that holds the program. */
      readonly packageName: string
      /** The program's name in the package's `bin`. */
      readonly program: string
    }
  /** A script of our own, from the folder of the project. */
  | { readonly script: string }
)

export type StepOutcome = { readonly name: string; readonly isOk: boolean }

/**
 * The script that a step runs. Started with our own Node: the links in `node_modules/.bin` are shell scripts on
 * Windows, and may find another Node.
 */
export function programPath(step: Step): string {
  if ('script' in step) return join(projectFolder, step.script)
  const folder = join(projectFolder, 'node_modules', step.packageName)
  const manifest: { bin?: string | Record<string, string> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const path = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin?.[step.program]
  if (path === undefined) throw new Error(`${step.packageName} has no program ${step.program}`)
  return join(folder, path)
}

type ProgramEnd = { readonly exitCode: number; readonly output: string }

function runProgram(step: Step): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [programPath(step), ...step.parameters],
      // FORCE_COLOR off: the output is kept and may end in a file.
      { cwd: projectFolder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } },
    )
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({ exitCode: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }),
    )
  })
}

/** Runs a step, prints a line with its seconds and, if it failed, its output. */
export async function runStep(step: Step): Promise<StepOutcome> {
  const startedAt = performance.now()
  const { exitCode, output } = await runProgram(step)
  const isOk = exitCode === 0
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  console.log(`${isOk ? 'ok    ' : 'FAILED'}  ${step.name.padEnd(12)} ${seconds.padStart(6)} s`)
  if (!isOk) console.log(indent(output.trim()))
  return { name: step.name, isOk }
}

/**
 * One after the other, each to its end: a failing step does not hide the later ones. Several calls may share an
 * iterator; then each takes the next step that no other has.
 */
export async function runSteps(steps: Iterable<Step>): Promise<readonly StepOutcome[]> {
  const outcomes: StepOutcome[] = []
  for (const step of steps) outcomes.push(await runStep(step))
  return outcomes
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '        ')
}
