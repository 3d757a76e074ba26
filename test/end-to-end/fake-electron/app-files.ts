/** The built app that the tests of a run use. */
import { fileURLToPath } from 'node:url'
import { isBuildCurrent } from '../../../tools/build-age.ts'
import { buildApp } from '../../src-main/electron/built-app.ts'
import type { AppFiles } from './desktop.ts'

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '')
/** Names the folder of a build that screens-once.ts made for the run, or that a developer knows to be good enough. */
const VARIABLE = 'FUNDUS_COURIER_BUILT_APP'

export function builtFiles(): AppFiles {
  const folder = process.env[VARIABLE]
  if (folder === undefined && !isBuildCurrent(PROJECT))
    throw new Error(`out/ is older than its sources: npm run build, or name a folder in ${VARIABLE}`)
  return { folder: folder ?? PROJECT, isPackaged: true }
}

/** Provides the files for all tests of a run; `remove` takes away what was made for it. */
export async function provideBuiltApp(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = process.env[VARIABLE] ?? (isBuildCurrent(PROJECT) ? PROJECT : undefined)
  if (folder !== undefined) return { folder, remove: () => Promise.resolve() }
  const built = await buildApp()
  process.env[VARIABLE] = built.folder
  return {
    folder: built.folder,
    async remove() {
      delete process.env[VARIABLE]
      await built.remove()
    },
  }
}
