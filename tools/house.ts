/**
 * `npm run check`, step "house": file length, private helpers, folder size, totals and words.
 *
 * What is not clean yet is limited by `house-limits.json`, and of the English texts by `text-limits.json`: a figure may
 * fall and never rise. `--tighten` writes the figures of today into them, and refuses to raise one.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  crowdedFolders,
  englishLength,
  forbiddenUses,
  isSource,
  linesOf,
  privateHelpers,
  tooLong,
  type Finding,
  type ForbiddenTerm,
  type HouseFile,
} from './house-rules.ts'
import { projectFolder } from './step.ts'

const LIMITS = join(projectFolder, 'tools/house-limits.json')
const TEXT_LIMITS = join(projectFolder, 'tools/text-limits.json')
const READ = ['src-*/**', 'test/**', 'tools/**', 'docs/**', 'README.md']
/** The findings of one kind that a person can mend at a time. */
const SHOWN = 12

type Limits = Readonly<Record<string, number>>

/** One figure of the house with its findings; a total has none, and says what makes it smaller. */
type Figure = {
  readonly name: string
  readonly value: number
  readonly findings: readonly Finding[]
  readonly advice?: string
  readonly isOfTexts?: true
}

function readHouse(): HouseFile[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...READ],
    {
      cwd: projectFolder,
      encoding: 'utf8',
    },
  )
  return listed
    .split('\n')
    .filter(
      (path) =>
        /\.(?:tsx?|mjs|md)$|\/texts\/en\/.*\.json$/.test(path) && existsSync(join(projectFolder, path)),
    )
    .map((path) => ({ path, text: readFileSync(join(projectFolder, path), 'utf8') }))
}

function total(files: readonly HouseFile[]): number {
  return files.reduce((sum, file) => sum + linesOf(file), 0)
}

function figure(name: string, findings: readonly Finding[]): Figure {
  return { name, value: findings.length, findings }
}

function figuresOf(files: readonly HouseFile[], terms: readonly ForbiddenTerm[]): Figure[] {
  const sources = files.filter(isSource)
  const uses = forbiddenUses(files, terms)
  return [
    figure('files over 400 lines', tooLong(files)),
    figure('folders over 30 files', crowdedFolders(files)),
    figure('private helper files', privateHelpers(files)),
    {
      name: 'source files',
      value: sources.length,
      findings: [],
      advice: 'join files of one concept, and move a helper to its only caller',
    },
    {
      name: 'source lines',
      value: total(sources),
      findings: [],
      advice: 'say what is stated twice once, and cut what only passes on or repeats the code in words',
    },
    {
      name: 'test lines',
      advice: 'make tests of one shape a table, share their set-up, and cut what another test makes certain',
      value: total(files.filter(({ path }) => /^test\/.*\.tsx?$/.test(path))),
      findings: [],
    },
    {
      name: 'English words',
      advice: 'join texts of one meaning, and cut what a person needs neither to know nor to act',
      value: englishLength(files),
      findings: [],
      isOfTexts: true,
    },
    ...terms.flatMap((term): Figure[] => {
      const findings = uses.filter((use) => use.term === term.term).map((use) => use.finding)
      if (!term.in.includes('screens')) return [figure(`"${term.term}"`, findings)]
      return [...Map.groupBy(findings, ({ path }) => basename(path))].map(([file, ofFile]) => ({
        ...figure(`"${term.term}" in ${file}`, ofFile),
        isOfTexts: true,
      }))
    }),
  ]
}

function describe({ path, line, advice }: Finding): string {
  return `${path}${line === undefined ? '' : `:${line}`}: ${advice}`
}

const terms = JSON.parse(
  readFileSync(join(projectFolder, 'tools/forbidden-words.json'), 'utf8'),
) as ForbiddenTerm[]
const [houseLimits, textLimits] = [LIMITS, TEXT_LIMITS].map(
  (path) => JSON.parse(readFileSync(path, 'utf8')) as Limits,
)
const limits: Limits = { ...houseLimits, ...textLimits }
const figures = figuresOf(readHouse(), terms)
const over = figures.filter(({ name, value }) => value > (limits[name] ?? 0))

for (const { name, value, findings, advice } of over) {
  const most = `${value}, and ${limits[name] ?? 0} at most`
  console.log(advice === undefined ? `${name}: ${most}` : `${name}: ${most}: ${advice}`)
  for (const finding of findings.slice(0, SHOWN)) console.log(`  ${describe(finding)}`)
  if (findings.length > SHOWN) console.log(`  and ${findings.length - SHOWN} more`)
}
if (process.argv.includes('--all'))
  for (const { name, value, findings } of figures) {
    console.log(`${name}: ${value}`)
    for (const finding of findings) console.log(`  ${describe(finding)}`)
  }
if (process.argv.includes('--tighten') && over.length === 0)
  for (const [path, ofTexts] of [
    [LIMITS, undefined],
    [TEXT_LIMITS, true],
  ] as const) {
    const limited = figures.filter(({ value, isOfTexts }) => value > 0 && isOfTexts === ofTexts)
    const byName = Object.fromEntries(limited.map(({ name, value }) => [name, value]))
    writeFileSync(path, `${JSON.stringify(byName, null, 2)}\n`)
  }
const TOTALS = 7
const counts = figures.slice(0, TOTALS).map(({ name, value }) => `${value} ${name}`)
const forbidden = figures.slice(TOTALS).reduce((sum, { value }) => sum + value, 0)
console.log(`${counts.join(', ')}, ${forbidden} forbidden words`)
process.exitCode = over.length === 0 ? 0 : 1
