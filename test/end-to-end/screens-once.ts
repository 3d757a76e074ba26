/** Before all tests of a project: one browser for them, and the app as it is now, built once where what lies in `out/` is older. */
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { shareTestBrowser, unpackTestBrowser } from './browser.ts'
import { readStationOnce } from '../station-process/start-station.ts'
import { provideBuiltApp } from './fake-electron/app-files.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- an interface is what can be added to
  interface ProvidedContext {
    readonly screensFolder: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await unpackTestBrowser()
  const endBrowser = await shareTestBrowser()
  const built = await provideBuiltApp()
  await readStationOnce()
  project.provide('screensFolder', join(built.folder, 'out', 'renderer'))
  return async () => {
    await endBrowser()
    await built.remove()
  }
}
