/**
 * The desktop app, built by the real configuration: a copy of `out/` if that is younger than the sources, as after
 * `npm run build`, else built from a copy of the sources, so that `out/` is not touched.
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { isBuildCurrent } from '../../../tools/build-age.ts'
import { programPath } from '../../../tools/step.ts'
import { buildStep } from '../../../tools/steps.ts'

const projectFolder = resolve(import.meta.dirname, '../../..')

const sources = [
  'package.json',
  'electron.vite.config.ts',
  'vite.renderer.config.ts',
  'tsconfig.json',
  'tsconfig.base.json',
  // The bundler follows every reference of tsconfig.json.
  'test/tsconfig.json',
  'tools/tsconfig.json',
  'tools/licenses.ts',
  // The app shows them by their paths.
  'assets',
  'src-shared',
  'src-main',
  'src-renderer',
]

export type BuiltApp = {
  readonly folder: string
  /** Paths below `out/`, with `/` between their parts. */
  readonly files: readonly string[]
  read(file: string): Promise<string>
  remove(): Promise<void>
}

export async function buildApp(): Promise<BuiltApp> {
  const folder = await mkdtemp(join(tmpdir(), 'fundus-courier-build-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await buildIn(folder)
  } catch (error) {
    await remove()
    throw error
  }
  const entries = await readdir(join(folder, 'out'), { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, 'out').length + 1))
    .map((path) => path.replaceAll('\\', '/'))
  return { folder, files, read: (file) => readFile(join(folder, 'out', file), 'utf8'), remove }
}

async function buildIn(folder: string): Promise<void> {
  for (const source of sources)
    await cp(join(projectFolder, source), join(folder, source), { recursive: true })
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction')
  if (isBuildCurrent(projectFolder))
    return await cp(join(projectFolder, 'out'), join(folder, 'out'), { recursive: true })
  await promisify(execFile)(process.execPath, [programPath(buildStep), ...buildStep.parameters], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
  })
}
