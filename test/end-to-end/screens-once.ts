/** Before all tests of this room: the screens as they are now, built once where what lies in `out/` is older. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { screensAsTheyAre } from './screens-on-a-stand-in/open-screens.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- an interface is what can be added to
  interface ProvidedContext {
    readonly screensFolder: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'fundus-courier-built-'))
  project.provide('screensFolder', await screensAsTheyAre(folder))
  return () => rm(folder, { recursive: true, force: true })
}
