/**
 * `npm run package`: the installers of this system, or of those that `--linux --win --mac` name; `--dir` for the app in
 * a folder. What cannot be built here is said with its reason, and the rest is built. Ends with 0 if all was built.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { build, Platform } from 'electron-builder'
import { SCHEMA_VERSION } from '../src-main/station/outbox/migrations/migrate.ts'
import { builderOptions, emptyNames, isSigned, updateFeed } from './builder-options.ts'
import { type PlannedPackage, planPackages, readWishes } from './package-plan.ts'
import { type PackageTrouble, packageTroubleOf } from './package-trouble.ts'
import { projectFolder, runStep } from './step.ts'
import { buildStep } from './steps.ts'
import { lackOf, readUpdateList, updateListName } from './update-list.ts'
import { writeNotices } from './write-notices.ts'

const PLATFORMS = { linux: Platform.LINUX, win: Platform.WINDOWS, mac: Platform.MAC } as const

type Outcome =
  | { readonly kind: 'made'; readonly files: readonly string[] }
  | { readonly kind: 'notMade'; readonly because: string }

async function make(planned: PlannedPackage): Promise<Outcome | PackageTrouble> {
  let hasRuntime = false
  const options = builderOptions({ environment: process.env, outboxSchema: SCHEMA_VERSION })
  try {
    const files = await build({
      projectDir: projectFolder,
      targets: PLATFORMS[planned.system].createTarget(planned.target),
      config: {
        ...options,
        afterExtract: () => {
          hasRuntime = true
        },
      },
      publish: 'never',
    })
    return { kind: 'made', files }
  } catch (error) {
    return packageTroubleOf(error, hasRuntime)
  }
}

/** One after the other; without Electron's runtime none of the later ones can be built, and that is not tried again. */
async function makeAll(plan: readonly PlannedPackage[]): Promise<ReadonlyMap<PlannedPackage, Outcome>> {
  const outcomes = new Map<PlannedPackage, Outcome>()
  let missing: string | null = null
  for (const planned of plan) {
    const obstacle = planned.obstacle ?? missing
    if (obstacle !== null) {
      outcomes.set(planned, { kind: 'notMade', because: obstacle })
      continue
    }
    console.log(`\n${planned.title} …`)
    const outcome = await make(planned)
    if (outcome.kind === 'runtime') missing = outcome.because
    outcomes.set(
      planned,
      outcome.kind === 'made' || outcome.kind === 'notMade'
        ? outcome
        : { kind: 'notMade', because: outcome.because },
    )
  }
  return outcomes
}

function writeChecksums(files: readonly string[]): void {
  // The list of updates is made again with each of them.
  const lines = [...new Set(files)].map(
    (file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}`,
  )
  writeFileSync(join(projectFolder, 'dist', 'SHA256SUMS'), `${lines.toSorted().join('\n')}\n`)
}

function printOutcomes(outcomes: ReadonlyMap<PlannedPackage, Outcome>, form: 'installers' | 'folder'): void {
  console.log('')
  for (const [{ title }, outcome] of outcomes) {
    if (outcome.kind === 'notMade') console.log(`not made  ${title}, because ${outcome.because}`)
    else if (form === 'folder') console.log(`made      ${title}, below dist/`)
    else
      for (const file of outcome.files)
        console.log(
          `made      ${relative(projectFolder, file)}  ${(statSync(file).size / 1_048_576).toFixed(1)} MiB`,
        )
  }
}

/** The list that is left after all of them; says what stations would miss in it. */
function lacksOfLists(outcomes: ReadonlyMap<PlannedPackage, Outcome>): readonly string[] {
  const made = [...outcomes].flatMap(([{ system }, { kind }]) => (kind === 'made' ? [system] : []))
  return [...new Set(made)].flatMap((system) => {
    const name = updateListName(system)
    if (name === null) return []
    const path = join(projectFolder, 'dist', name)
    if (!existsSync(path)) return [`${name} was not made: no station would be updated.`]
    return lackOf(name, readUpdateList(readFileSync(path, 'utf8'))) ?? []
  })
}

function printWhatFollows(plan: readonly PlannedPackage[]): void {
  const systems = new Set(plan.map(({ system }) => system))
  if (systems.has('win') && !isSigned('win', process.env))
    console.log(
      'The installer is not signed, because no certificate is set (docs/packaging.md, "Signing"). Windows warns who starts it.',
    )
  if (systems.has('mac') && !isSigned('mac', process.env))
    console.log(
      'The app may be unsigned, because no certificate is set (docs/packaging.md, "Signing"). macOS then refuses it until it is allowed by hand.',
    )
  if (updateFeed(process.env) === null)
    console.log(
      'It looks for no updates unless its administrator says where: FUNDUS_COURIER_UPDATES was not set.',
    )
}

async function run(parameters: readonly string[]): Promise<number> {
  const wishes = readWishes(parameters, process.platform)
  if (wishes.kind === 'unknown') {
    console.log(`${wishes.parameter} means nothing here. Known: --dir --linux --win --mac.`)
    return 2
  }
  const plan = planPackages({
    ...wishes,
    platform: process.platform,
    arch: process.arch,
    isInstalled: (name) => existsSync(join(projectFolder, 'node_modules', name)),
  })
  if (!(await runStep(buildStep)).isOk) return 1
  console.log(
    `ok      notices      what is in it and under which licences: ${relative(projectFolder, writeNotices(projectFolder))}`,
  )
  const outcomes = await makeAll(plan)
  printOutcomes(outcomes, wishes.form)
  const made = [...outcomes.values()].flatMap((outcome) => (outcome.kind === 'made' ? outcome.files : []))
  if (made.length > 0 && wishes.form === 'installers') writeChecksums(made)
  const lacks = wishes.form === 'installers' ? lacksOfLists(outcomes) : []
  for (const lack of lacks) console.log(lack)
  const isAllMade =
    outcomes.size > 0 && lacks.length === 0 && [...outcomes.values()].every(({ kind }) => kind === 'made')
  if (isAllMade) printWhatFollows(plan)
  return isAllMade ? 0 : 1
}

for (const name of emptyNames(process.env)) delete process.env[name]
process.exitCode = await run(process.argv.slice(2))
