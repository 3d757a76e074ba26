/** A house of the same rooms as ours, nearly empty, under our own configuration files, in a temporary folder. */
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const projectFolder = resolve(import.meta.dirname, '../..')

const configuration = [
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
  '.oxlintrc.json',
  '.dependency-cruiser.cjs',
  'src-shared/tsconfig.json',
  'src-main/station/tsconfig.json',
  'src-main/headless/tsconfig.json',
  'src-main/electron/tsconfig.json',
  'src-main/electron/preload/tsconfig.json',
  'src-renderer/tsconfig.json',
  'tools/tsconfig.json',
  'test/tsconfig.json',
]

/** One harmless file in each room. Together they use every kind of import that is allowed. */
const furniture = {
  'src-shared/shared.ts':
    "import { z } from 'zod'\nexport const shared = z.string()\nexport type Shared = z.infer<typeof shared>\n",
  'src-main/station/station.ts':
    "import { intakeOf } from './intake/intake.ts'\nimport { watchFolder } from './watch/watch-folder.ts'\nexport const openStation = (path: string): string => intakeOf(watchFolder(path))\n",
  'src-main/station/watch/watch-folder.ts':
    "import { basename } from 'node:path'\nexport type Watched = { readonly name: string }\nexport const watchFolder = (path: string): Watched => ({ name: basename(path) })\n",
  'src-main/station/lib/names.ts': 'export const trimmed = (name: string): string => name.trim()\n',
  'src-main/station/intake/intake.ts':
    "import { trimmed } from '../lib/names.ts'\nimport type { Watched } from '../watch/watch-folder.ts'\nexport const intakeOf = (watched: Watched): string => trimmed(watched.name)\n",
  'src-main/headless/main.ts': "import { headlessHost } from './host.ts'\n\nvoid headlessHost\n",
  'src-main/headless/host.ts':
    "import { openStation } from '../station/station.ts'\nexport const headlessHost = openStation\n",
  'src-main/electron/host.ts':
    "import { app } from 'electron'\nimport { openStation } from '../station/station.ts'\nexport const electronHost = (): string => openStation(app.getName())\n",
  'src-main/electron/preload/preload.ts':
    "import { contextBridge } from 'electron'\nimport type { Shared } from '../../../src-shared/shared.ts'\nconst name: Shared = 'courier'\ncontextBridge.exposeInMainWorld(name, {})\n",
  'src-renderer/screen.ts':
    "import { shared } from '../src-shared/shared.ts'\nexport const screen = (): string => shared.parse(document.title)\n",
  'tools/tool.ts': "import { join } from 'node:path'\nexport const tool = join('a', 'b')\n",
  'test/fixture.ts':
    "import { openStation } from '../src-main/station/station.ts'\nexport const fixture = openStation\n",
} as const

export type Skeleton = {
  readonly folder: string
  plant(file: string, code: string): Promise<void>
  remove(): Promise<void>
}

export async function buildSkeleton(): Promise<Skeleton> {
  const folder = await mkdtemp(join(tmpdir(), 'fundus-courier-house-'))
  const plant = async (file: string, code: string): Promise<void> => {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), code)
  }
  for (const file of configuration) await cp(join(projectFolder, file), join(folder, file))
  for (const [file, code] of Object.entries(furniture)) await plant(file, code)
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return { folder, plant, remove: () => rm(folder, { recursive: true, force: true }) }
}
