/** Static checks of the app as it is built: what Electron would only show at run time. */
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { SCREEN_POLICY } from '../../../src-main/electron/app-address.ts'
import { startDesktop } from '../../end-to-end/fake-electron/start-desktop.ts'
import { buildApp, type BuiltApp } from './built-app.ts'
import { countCalls, findForbidden } from './code-rules.ts'
import { temporaryFolder } from './temporary-folder.ts'

/**
 * What a library brings and cannot be left out. zod would write its parsers as code: `z.config({ jitless: true })` in
 * src-renderer/main.tsx keeps it from that, and the policy of the page refuses it.
 */
const KNOWN = [{ place: 'renderer', mark: 'jitless', line: 'code from a text: Function' }]

let app: BuiltApp
beforeAll(async () => {
  app = await buildApp()
  return () => app.remove()
}, 180_000)

async function codeOf(folder: 'main' | 'preload' | 'renderer'): Promise<ReadonlyMap<string, string>> {
  const files = app.files.filter((file) => file.startsWith(`${folder}/`) && /\.[cm]?js$/.test(file))
  expect(files.length).toBeGreaterThan(0)
  return new Map(await Promise.all(files.map(async (file) => [file, await app.read(file)] as const)))
}

describe('the built code', { timeout: 60_000 }, () => {
  it.each(['main', 'preload', 'renderer'] as const)('of %s opens nothing that is closed', async (place) => {
    const isKnown = (code: string, line: string): boolean =>
      KNOWN.some((known) => known.place === place && known.line === line && code.includes(known.mark))
    const found = [...(await codeOf(place))].map(
      ([file, code]) => [file, findForbidden(code, place).filter((line) => !isKnown(code, line))] as const,
    )
    expect(found.filter(([, lines]) => lines.length > 0)).toEqual([])
  })

  it('gives addresses to the system in one place only, and no file', async () => {
    const main = [...(await codeOf('main')).values()]
    const sum = (name: string): number =>
      main.reduce((count, code) => count + countCalls(code, 'shell', name), 0)
    expect([sum('openExternal'), sum('openPath')]).toEqual([1, 0])
  })

  it('takes calls on one channel and exposes one bridge', async () => {
    const main = [...(await codeOf('main')).values()]
    const calls = (object: string, name: string): number =>
      main.reduce((count, code) => count + countCalls(code, object, name), 0)
    // The receiver is handed to one file; a second way in would be a call on ipcMain itself.
    expect([calls('ipcMain', 'on'), calls('ipcMain', 'handle'), calls('ipcMain', 'handleOnce')]).toEqual([
      0, 0, 0,
    ])
    expect(calls('receiver', 'handle')).toBe(1)
    const preload = [...(await codeOf('preload')).values()].join('\n')
    expect(preload.match(/exposeInMainWorld\(/g)).toHaveLength(1)
  })

  it('has a page that loads its own files only', async () => {
    const page = await app.read('renderer/index.html')
    const addresses = [...page.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address)
    expect(addresses.length).toBeGreaterThan(2)
    expect(addresses.filter((address) => !address.startsWith('./'))).toEqual([])
  })

  it('has the policy in its page, too, where the header does not come along', async () => {
    const page = await app.read('renderer/index.html')
    const stated = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? ''
    const directives = stated.replaceAll('&#39;', "'").split('; ')
    // A page cannot say of itself who may frame it.
    const wanted = SCREEN_POLICY.split('; ').filter((one) => !one.startsWith('frame-ancestors'))
    expect(directives.toSorted()).toEqual(wanted.toSorted())
    expect(page.indexOf(stated)).toBeLessThan(page.indexOf('<script'))
  })

  it('takes its screens from the package, whatever the environment names for a developer', async () => {
    vi.stubEnv('ELECTRON_RENDERER_URL', 'http://127.0.0.1:9/')
    onTestFinished(() => void vi.unstubAllEnvs())
    const userData = join(await temporaryFolder(), 'account')
    const running = await startDesktop({
      files: { folder: app.folder, isPackaged: true },
      browser: 'none',
      userData,
    })
    onTestFinished(() => running.kill())
    await running.waitFor('window', ({ what }) => what === 'shown')
    expect(running.recorded('app').map(({ what }) => what)).toContain('onBeforeRequest')
    expect(await running.fetch('app://station/')).toMatchObject({
      status: 200,
      text: await app.read('renderer/index.html'),
    })
  })
})
