/**
 * The licenses of everything that is shipped: of the packages that the station runs on, with all that those need, and
 * of the packages that were built into the screens. Only what is compiled into one of them is listed by hand.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { z } from 'zod'

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.union([z.string(), z.object({ type: z.string() })]).optional(),
  licenses: z.array(z.object({ type: z.string() })).optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
})
type Package = z.infer<typeof packageSchema>

export type ShippedPackage = {
  readonly name: string
  readonly version: string
  readonly license: string | null
  /** The index of its text; null if the package has none. */
  readonly text: number | null
}
/** Many packages have the very same text, so each stands once. */
export type Licenses = { readonly packages: readonly ShippedPackage[]; readonly texts: readonly string[] }

/** What carries the desktop app and is part of no bundle. */
const RUNTIMES = ['electron']

/** Programs inside of a package that does not carry their licences; the texts are in `assets/licenses`. */
const COMPILED_IN = [
  { into: '@cornerstonejs/codec-openjpeg', name: 'openjpeg', version: '2.5.4', license: 'BSD-2-Clause' },
  { into: '@cornerstonejs/codec-charls', name: 'charls', version: '2.4.4', license: 'BSD-3-Clause' },
]
const TEXT_NAME = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i

function readPackage(folder: string): Package | null {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) return null
  const reading = packageSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  // Folders inside of a package may hold a package.json without a name of their own.
  return reading.success ? reading.data : null
}

/** The folder of a package as another one finds it; null if it is not installed on this system. */
function findPackage(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
    if (folder === dirname(folder)) return null
  }
}

/** Adds the folder of a package and of all that it needs to run. */
function addWithNeeds(folder: string, found: Set<string>): void {
  if (found.has(folder)) return
  const read = readPackage(folder)
  if (read === null) return
  found.add(folder)
  for (const name of Object.keys({ ...read.dependencies, ...read.optionalDependencies })) {
    const needed = findPackage(name, folder)
    if (needed !== null) addWithNeeds(needed, found)
  }
}

/** The folder of the package that a built module comes from; null for our own. */
export function packageFolderOf(moduleId: string): string | null {
  const [path = ''] = moduleId.replace(/^\0+/, '').split('?')
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll('\\', '/'))?.[1] ?? null
}

function licenseOf({ license, licenses }: Package): string | null {
  if (typeof license === 'string') return license
  return license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? null
}

function textOf(folder: string): string | null {
  const names = readdirSync(folder).filter((name) => TEXT_NAME.test(name))
  const texts = names.toSorted().map((name) => readFileSync(join(folder, name), 'utf8').trim())
  return texts.length === 0 ? null : texts.join('\n\n')
}

/** Reads the licenses of the project's own needs and of these folders, each package once, by name. */
export function readLicenses(project: string, builtFolders: Iterable<string>): Licenses {
  const folders = new Set(builtFolders)
  const own = readPackage(project)
  const needed = Object.keys({ ...own?.dependencies, ...own?.optionalDependencies })
  for (const name of [...needed, ...RUNTIMES]) {
    const folder = findPackage(name, project)
    if (folder !== null && needed.includes(name)) addWithNeeds(folder, folders)
    else if (folder !== null) folders.add(folder)
  }
  const texts: string[] = []
  const packages = new Map<string, ShippedPackage>()
  const indexOf = (text: string | null): number | null => {
    if (text !== null && !texts.includes(text)) texts.push(text)
    return text === null ? null : texts.indexOf(text)
  }
  for (const folder of folders) {
    const read = readPackage(folder)
    if (read === null) continue
    const text = textOf(folder)
    packages.set(`${read.name} ${read.version}`, {
      name: read.name,
      version: read.version,
      license: licenseOf(read),
      text: indexOf(text),
    })
    for (const { into, ...program } of COMPILED_IN.filter((one) => one.into === read.name)) {
      const path = join(project, 'assets/licenses', `${program.name}.txt`)
      packages.set(into, { ...program, text: indexOf(readFileSync(path, 'utf8').trim()) })
    }
  }
  const sorted = [...packages.values()].toSorted((one, other) =>
    `${one.name} ${one.version}`.localeCompare(`${other.name} ${other.version}`, 'en'),
  )
  return { packages: sorted, texts }
}

/** What electron-builder.yml leaves out: the Node of the headless host, its sharp on Linux, and what better-sqlite3 is compiled with. */
const NOT_PACKED =
  /^(?:node(?:-addon-api|-bin-setup|-(?:linux|darwin|win)-.+)?|@img\/sharp-(?:libvips-)?linux(?:musl)?-.+)$/

export function packedOf(packages: readonly ShippedPackage[]): readonly ShippedPackage[] {
  return packages.filter(({ name }) => !NOT_PACKED.test(name))
}

/** One text file, for people: which package has which licence, then each text once with those that it is of. */
export function licensesAsText({ packages, texts }: Licenses): string {
  const packed = packedOf(packages)
  const list = packed.map(({ name, version, license }) => `${name} ${version}: ${license ?? 'not stated'}`)
  const full = texts.flatMap((text, index) => {
    const of = packed.filter((one) => one.text === index).map(({ name, version }) => `${name} ${version}`)
    return of.length === 0 ? [] : [`${'='.repeat(78)}\n${of.join(', ')}\n\n${text}`]
  })
  const head =
    'Fundus Courier is made with these packages. Electron and Chromium bring theirs in files of their own.'
  return `${[head, list.join('\n'), ...full].join('\n\n')}\n`
}

/** Writes the licenses beside the screens: `licenses.json` for the packages, and the text that the screens show on request. */
export function licensesBesideScreens(project: string): Plugin {
  return {
    name: 'licenses-beside-screens',
    apply: 'build',
    generateBundle() {
      const built = [...this.getModuleIds()].map(packageFolderOf).filter((folder) => folder !== null)
      const licenses = readLicenses(project, built)
      this.emitFile({ type: 'asset', fileName: 'licenses.json', source: JSON.stringify(licenses) })
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: licensesAsText(licenses) })
    },
  }
}
