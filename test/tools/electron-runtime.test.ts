import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findForTests, findProgram, findRuntime, whyNoWindow } from '../../tools/electron-runtime.ts'
import { temporaryFolder } from './temporary-folder.ts'

let packageFolder: string
beforeEach(() => {
  packageFolder = temporaryFolder()
  vi.spyOn(console, 'log').mockReturnValue()
})
afterEach(() => vi.restoreAllMocks())

const here = (environment: Readonly<Record<string, string>> = {}) => ({
  packageFolder,
  platform: 'win32' as const,
  environment,
})

/** The package as it is once its downloader has done its work. */
async function putProgram(): Promise<string> {
  await mkdir(join(packageFolder, 'dist'))
  await writeFile(join(packageFolder, 'dist', 'electron.exe'), '')
  await writeFile(join(packageFolder, 'path.txt'), 'electron.exe')
  return join(packageFolder, 'dist', 'electron.exe')
}

describe('Electron’s runtime', () => {
  it('is found where its downloader left it, also in a folder of someone’s choice', async () => {
    expect(findProgram(here())).toBeNull()
    const program = await putProgram()
    expect(findProgram(here())).toBe(program)
    expect(await findRuntime(here())).toEqual({ kind: 'found', path: program })
    const elsewhere = join(packageFolder, 'elsewhere')
    expect(findProgram(here({ ELECTRON_OVERRIDE_DIST_PATH: elsewhere }))).toBeNull()
    expect(findProgram(here({ ELECTRON_OVERRIDE_DIST_PATH: join(packageFolder, 'dist') }))).toBe(program)
    // Only the note of it is left.
    await rm(program)
    expect(findProgram(here())).toBeNull()
  })

  it('is taken for tests from the place that the environment names it, or was put, and never fetched', async () => {
    expect(findForTests(here())).toEqual({ kind: 'missing', why: 'it was never downloaded' })
    const program = await putProgram()
    expect(findForTests(here())).toEqual({ kind: 'found', path: program })
    const own = join(packageFolder, 'own.exe')
    expect(findForTests(here({ FUNDUS_COURIER_ELECTRON: own })).kind).toBe('missing')
    await writeFile(own, '')
    expect(findForTests(here({ FUNDUS_COURIER_ELECTRON: own }))).toEqual({ kind: 'found', path: own })
  })

  it('is fetched once if it is not there', async () => {
    const script = `const fs = require('fs'); process.chdir(__dirname); fs.mkdirSync('dist');
      fs.writeFileSync('dist/electron.exe', ''); fs.writeFileSync('path.txt', 'electron.exe')`
    await writeFile(join(packageFolder, 'install.js'), script)
    const path = join(packageFolder, 'dist', 'electron.exe')
    expect(await findRuntime(here())).toEqual({ kind: 'found', path })
  })

  it('is missing for a reason that is shown if it cannot be fetched', async () => {
    const script = `console.error(new Error('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND github.com') })); process.exit(1)`
    await writeFile(join(packageFolder, 'install.js'), script)
    const why = 'it could not be downloaded (getaddrinfo ENOTFOUND github.com)'
    expect(await findRuntime(here())).toEqual({ kind: 'missing', why })
  })

  it('is not fetched if no window could be shown', async () => {
    await writeFile(join(packageFolder, 'install.js'), `throw new Error('no one asked')`)
    const why = 'there is no graphical desktop on this computer'
    expect(await findRuntime({ ...here(), platform: 'linux' })).toEqual({ kind: 'missing', why })
    for (const environment of [{ DISPLAY: ':0' }, { WAYLAND_DISPLAY: 'wayland-0' }])
      expect(whyNoWindow({ packageFolder, platform: 'linux', environment })).toBeNull()
    expect(whyNoWindow({ ...here(), platform: 'darwin' })).toBeNull()
  })
})
