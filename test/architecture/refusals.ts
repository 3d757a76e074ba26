/** Runs the tools as `npm run check` does, in another folder, and reads what they refuse. */
import { spawn } from 'node:child_process'
import { programPath, type Step } from '../../tools/step.ts'
import { sourceSteps } from '../../tools/steps.ts'
import type { Refusal } from './planted.ts'

/** A refusal and the file that it names. */
export type Found = Refusal & { readonly file: string }

function stepCalled(name: string): Step {
  const step = sourceSteps.find((candidate) => candidate.name === name)
  if (!step) throw new Error(`npm run check has no step ${name}`)
  return step
}

/** What a program says on stdout; which exit code it has is not asked, because what it refuses is. */
function outputOf(step: Step, folder: string, more: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [programPath(step), ...step.parameters, ...more], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })
}

async function refusedByTsc(folder: string): Promise<readonly Found[]> {
  const output = await outputOf(stepCalled('types'), folder, ['--pretty', 'false'])
  return [...output.matchAll(/^(\S+?)\(\d+,\d+\): error TS(\d+):/gm)].map(([, file = '', code]) => ({
    by: 'tsc',
    rule: `TS${Number(code)}`,
    file,
  }))
}

type OxlintReport = { readonly diagnostics: readonly { readonly code: string; readonly filename: string }[] }

async function refusedByOxlint(folder: string): Promise<readonly Found[]> {
  const report: OxlintReport = JSON.parse(await outputOf(stepCalled('lint'), folder, ['--format', 'json']))
  return report.diagnostics.map(({ code, filename }) => ({ by: 'oxlint', rule: code, file: filename }))
}

type DepcruiseReport = {
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[]
  }
}

async function refusedByDepcruise(folder: string): Promise<readonly Found[]> {
  const output = await outputOf(stepCalled('boundaries'), folder, ['--output-type', 'json'])
  const report: DepcruiseReport = JSON.parse(output)
  return report.summary.violations.map(({ from, rule }) => ({ by: 'depcruise', rule: rule.name, file: from }))
}

/** Everything that the three tools refuse in a folder. */
export async function findRefusals(folder: string): Promise<readonly Found[]> {
  const found = await Promise.all([refusedByTsc(folder), refusedByOxlint(folder), refusedByDepcruise(folder)])
  return found.flat()
}
