/**
 * Which files a test runs: those of the build in the project, where it is as young as its sources, or those that
 * screens-once.ts built for the run and named in the environment. Who changes sources all the time and knows that the
 * build is good enough names it there, too: `FUNDUS_COURIER_BUILT_APP=$PWD`.
 */
import { fileURLToPath } from 'node:url'
import { isBuildCurrent } from '../../../tools/build-age.ts'
import { buildApp } from '../../src-main/electron/built-app.ts'
import type { AppFiles } from './desktop.ts'

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '')
const VARIABLE = 'FUNDUS_COURIER_BUILT_APP'

export function builtFiles(): AppFiles {
  const named = process.env[VARIABLE]
  if (named === undefined && !isBuildCurrent(PROJECT))
    throw new Error(
      `What lies in out/ is older than its sources: npm run build, or name a folder in ${VARIABLE}`,
    )
  return { folder: named ?? PROJECT, isPackaged: true }
}

/** Sees to it that there are files for all tests of a run; the answer takes away what was made for it. */
export async function provideBuiltApp(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const named = process.env[VARIABLE]
  if (named !== undefined) return { folder: named, remove: () => Promise.resolve() }
  if (isBuildCurrent(PROJECT)) return { folder: PROJECT, remove: () => Promise.resolve() }
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
