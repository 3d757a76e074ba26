/** A nearly empty project under our own configuration, in a temporary folder, and what the tools refuse in it. */
import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { programPath, projectFolder, type Step } from '../../tools/step.ts'
import { sourceSteps } from '../../tools/steps.ts'
import { HARMLESS, type PlantedFile, type Refusal } from './planted.ts'

const configuration = [
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
  '.oxlintrc.json',
  '.dependency-cruiser.cjs',
  'src-shared/tsconfig.json',
  'src-main/reader/tsconfig.json',
  'src-main/station/lib/tsconfig.json',
  'src-main/station/tsconfig.json',
  'src-main/headless/tsconfig.json',
  'src-main/electron/tsconfig.json',
  'src-main/electron/preload/tsconfig.json',
  'src-renderer/tsconfig.json',
  'tools/tsconfig.json',
  'test/tsconfig.json',
]

export type PlantedHouse = { readonly folder: string; remove(): Promise<void> }

/** Builds the project with these files in it. */
export async function buildHouse(planted: readonly PlantedFile[]): Promise<PlantedHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'fundus-courier-house-'))
  for (const { file, code } of [...HARMLESS, ...planted]) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), code)
  }
  for (const file of configuration) await cp(join(projectFolder, file), join(folder, file))
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** A refusal and the file that it names. */
export type Found = Refusal & { readonly file: string }

function stepCalled(name: string): Step {
  const step = sourceSteps.find((candidate) => candidate.name === name)
  if (!step) throw new Error(`npm run check has no step ${name}`)
  return step
}

/** The output of a program. Its exit code does not matter: it is to refuse. */
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

async function refusedByOxlint(folder: string): Promise<readonly Found[]> {
  const report: { readonly diagnostics: readonly { readonly code: string; readonly filename: string }[] } =
    JSON.parse(await outputOf(stepCalled('lint'), folder, ['--format', 'json']))
  return report.diagnostics.map(({ code, filename }) => ({ by: 'oxlint', rule: code, file: filename }))
}

async function refusedByDepcruise(folder: string): Promise<readonly Found[]> {
  type Violation = { readonly from: string; readonly rule: { readonly name: string } }
  const { summary }: { readonly summary: { readonly violations: readonly Violation[] } } = JSON.parse(
    await outputOf(stepCalled('boundaries'), folder, ['--output-type', 'json']),
  )
  return summary.violations.map(({ from, rule }) => ({ by: 'depcruise', rule: rule.name, file: from }))
}

/** Everything that the three tools refuse in a folder. */
export async function findRefusals(folder: string): Promise<readonly Found[]> {
  const found = await Promise.all([refusedByTsc(folder), refusedByOxlint(folder), refusedByDepcruise(folder)])
  return found.flat()
}
