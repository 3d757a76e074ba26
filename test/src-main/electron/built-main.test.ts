/** The built main.js on the fake Electron, its windows without pages: what the main process does on its own. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { crashHistorySchema } from '../../../src-main/electron/crashes.ts'
import type { Desktop, DesktopOptions } from '../../end-to-end/fake-electron/desktop.ts'
import { startDesktop } from '../../end-to-end/fake-electron/start-desktop.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { buildApp, type BuiltApp } from './built-app.ts'

let app: BuiltApp
beforeAll(async () => {
  app = await buildApp()
  return () => app.remove()
}, 120_000)

async function run(options: DesktopOptions): Promise<Desktop> {
  const files = { folder: app.folder, isPackaged: true }
  const desktop = await startDesktop({ files, browser: 'none', ...options })
  onTestFinished(() => desktop.kill())
  return desktop
}

const accountFolder = (): string => join(temporaryFolder(), 'account')
const isShown = ({ what }: { readonly what: string }): boolean => what === 'shown'

describe('the built main.js', { timeout: 60_000 }, () => {
  it('ends at once where another instance runs, without loading the station', async () => {
    const userData = accountFolder()
    const first = await run({ userData })
    await first.waitFor('lock')
    const second = await run({ userData })
    expect(await second.exitCode).toBe(0)
    expect(second.stderr()).toContain('is running already')
    expect(second.recorded('module').map(({ path }) => path)).toEqual([
      'out/main/main.js',
      expect.stringMatching(/^out\/main\/chunks\/command-line-/),
      expect.stringMatching(/^out\/main\/chunks\/errors-/),
    ])
    expect(second.recorded('app').map(({ what }) => what)).toContain('enableSandbox')
    expect(second.recorded('scheme')).toMatchObject([{ scheme: 'app' }])
  })

  it('opens a station and its window from the package only, closes to the tray, and ends cleanly', async () => {
    // electron-vite's development server, which a packaged app must not use.
    const environment = { ELECTRON_RENDERER_URL: 'http://127.0.0.1:9/' }
    const desktop = await run({ userData: accountFolder(), environment })
    await desktop.waitFor('window', isShown)
    expect(desktop.recorded('app').map(({ what }) => what)).toContain('onBeforeRequest')
    expect(await desktop.fetch('app://station/')).toMatchObject({
      status: 200,
      text: await app.read('renderer/index.html'),
    })
    expect(await desktop.call('station.status')).toMatchObject({
      ok: true,
      value: { host: 'electron', mode: { kind: 'paused', why: 'serviceNotSet' } },
    })
    await desktop.waitFor('tray', ({ toolTip }) => toolTip === 'Fundus Courier: service not set up')
    await desktop.act({ kind: 'closeWindow' })
    await desktop.waitFor('window', ({ what }) => what === 'hidden')
    await desktop.act({ kind: 'secondInstance' })
    expect(await desktop.stop()).toBe(0)
    expect(desktop.recorded('window').filter(isShown)).toHaveLength(2)
    expect(desktop.recorded('tray').at(-1)?.isThere).toBe(false)
  })

  it('ends by a bug and starts itself again, and after the third one with its screens only', async () => {
    const userData = accountFolder()
    const runsPath = join(userData, 'runs.json')
    const now = Date.now()
    mkdirSync(userData)
    // Long enough ago that this start does not wait.
    const earlier = { current: null, crashedAt: [now - 300_000, now - 200_000] }
    writeFileSync(runsPath, JSON.stringify(earlier))
    const failing = await run({ userData })
    await failing.waitFor('window', isShown)
    await failing.act({ kind: 'bug' })
    expect(await failing.exitCode).toBe(1)
    expect(failing.recorded('relaunch')).toHaveLength(1)
    const runs = crashHistorySchema.parse(JSON.parse(readFileSync(runsPath, 'utf8')))
    expect(runs.crashedAt).toHaveLength(3)

    const safe = await run({ userData, parameters: ['--hidden'] })
    // A hidden start shows its window, too: a person must see that nothing is sent.
    await safe.waitFor('window', isShown)
    expect(await safe.value('station.status')).toMatchObject({ mode: { why: 'safeMode' } })
    await safe.act({ kind: 'bug' })
    expect(await safe.exitCode).toBe(1)
    expect(safe.recorded('relaunch')).toEqual([])
    const logs = join(safe.dataFolder, 'logs')
    const lines = readFileSync(join(logs, readdirSync(logs)[0] ?? ''), 'utf8')
    expect(lines).toContain('"kind":"TypeError"')
    expect(lines).not.toContain('H-00017')
  })

  it('leaves safe mode once a person starts it normally, and does not come back to it after a bug', async () => {
    const safe = await run({ userData: accountFolder(), parameters: ['--hidden', '--safe-mode'] })
    await safe.waitFor('window', isShown)
    expect(await safe.value('station.startNormally', {})).toMatchObject({ mode: { why: 'serviceNotSet' } })
    await safe.waitFor('sent', ({ parameters }) =>
      JSON.stringify(parameters).includes('"why":"serviceNotSet"'),
    )
    await safe.act({ kind: 'bug' })
    expect(await safe.exitCode).toBe(1)
    const [relaunch] = safe.recorded('relaunch')
    expect(relaunch?.parameters).toContain(safe.dataFolder)
    expect(relaunch?.parameters).not.toContain('--safe-mode')
  })

  it('watches a folder with the built worker and serves what it finds', async () => {
    const userData = accountFolder()
    const camera = temporaryFolder()
    mkdirSync(join(camera, 'H-00017_20261120'))
    const create = { width: 64, height: 48, channels: 3, background: '#d9703a' } as const
    writeFileSync(join(camera, 'H-00017_20261120', 'OD_1.jpg'), await sharp({ create }).jpeg().toBuffer())
    const folder = {
      path: camera,
      settleSeconds: 0,
      quietSeconds: 0,
      sweepSeconds: 1,
      existing: 'include' as const,
    }
    const config = { folders: [folder], desktop: { startAtLogin: 'on' as const } }
    const desktop = await run({ userData, config, parameters: ['--hidden'] })
    await desktop.waitFor('sent', ({ parameters }) =>
      JSON.stringify(parameters).includes('submissionChanged'),
    )
    expect(desktop.recorded('window').filter(isShown)).toEqual([])
    const { items } = await desktop.value('submissions.list')
    expect(items).toMatchObject([{ images: [{ fileName: 'H-00017_20261120/OD_1.jpg' }] }])
    const address = `app://station/bytes/image/${items[0]?.images[0]?.id}`
    expect(await desktop.fetch(address)).toMatchObject({ status: 200 })
    expect(await desktop.stop()).toBe(0)
    if (process.platform === 'linux')
      expect(readFileSync(join(userData, '..', 'autostart', 'fundus-courier.desktop'), 'utf8')).toMatch(
        /"--hidden" "--config" ".*config\.json"/,
      )
    else expect(desktop.recorded('loginItem')).toMatchObject([{ openAtLogin: true }])
  })
})
