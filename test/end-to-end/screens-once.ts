/** Before all tests of this room: the browser, and the app as it is now, built once where what lies in `out/` is older. */
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { unpackTestBrowser } from './browser.ts'
import { provideBuiltApp } from './electron-stand-in/app-files.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- an interface is what can be added to
  interface ProvidedContext {
    readonly screensFolder: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await unpackTestBrowser()
  const built = await provideBuiltApp()
  project.provide('screensFolder', join(built.folder, 'out', 'renderer'))
  return () => built.remove()
}
