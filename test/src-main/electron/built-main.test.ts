/** The built main.js on the stand-in for Electron, its windows without pages: what the main process does by itself. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { crashHistorySchema } from '../../../src-main/electron/crash-history.ts'
import type { Desktop, DesktopOptions } from '../../end-to-end/fake-electron/desktop.ts'
import { startDesktop } from '../../end-to-end/fake-electron/start-desktop.ts'
import { buildApp, type BuiltApp } from './built-app.ts'
import { temporaryFolder } from './temporary-folder.ts'

let app: BuiltApp
beforeAll(async () => {
  app = await buildApp()
  return () => app.remove()
}, 120_000)

async function run(options: DesktopOptions): Promise<Desktop> {
  const desktop = await startDesktop({
    files: { folder: app.folder, isPackaged: true },
    browser: 'none',
    ...options,
  })
  onTestFinished(() => desktop.kill())
  return desktop
}

const accountFolder = async (): Promise<string> => join(await temporaryFolder(), 'account')
const isShown = ({ what }: { readonly what: string }): boolean => what === 'shown'
const read = (desktop: Desktop): readonly string[] => desktop.recorded('module').map(({ path }) => path)

// Each test starts the whole app, some of them more than once.
describe('the built main.js', { timeout: 60_000 }, () => {
  it('ends at once where another instance runs, without loading the station', async () => {
    const userData = await accountFolder()
    const first = await run({ userData })
    await first.waitFor('lock')
    const second = await run({ userData })
    expect(await second.exitCode).toBe(0)
    expect(second.said()).toContain('is running already')
    expect(read(second)).toEqual([
      'out/main/main.js',
      expect.stringMatching(/^out\/main\/chunks\/command-line-/),
      expect.stringMatching(/^out\/main\/chunks\/errors-/),
    ])
    expect(second.recorded('app').map(({ what }) => what)).toContain('enableSandbox')
    expect(second.recorded('scheme')).toMatchObject([{ scheme: 'app' }])
  })

  it('opens a station and its window, closes to the tray, and ends tidily', async () => {
    const desktop = await run({ userData: await accountFolder() })
    await desktop.waitFor('window', isShown)
    expect(await desktop.fetch('app://station/')).toMatchObject({ status: 200 })
    expect(await desktop.call('station.status')).toMatchObject({
      ok: true,
      value: { host: 'electron', mode: { kind: 'paused', why: 'serviceNotSet' } },
    })
    await desktop.waitFor('tray', ({ toolTip }) => toolTip === 'Fundus Courier: no service is set up')
    await desktop.act({ kind: 'closeWindow' })
    await desktop.waitFor('window', ({ what }) => what === 'hidden')
    await desktop.act({ kind: 'secondInstance' })
    expect(await desktop.stop()).toBe(0)
    expect(desktop.recorded('window').filter(isShown)).toHaveLength(2)
    expect(desktop.recorded('tray').at(-1)?.isThere).toBe(false)
  })

  it('ends by a bug and starts itself again, and after the third one with its screens only', async () => {
    const userData = await accountFolder()
    const runsPath = join(userData, 'runs.json')
    for (let count = 1; count <= 3; count += 1) {
      const failing = await run({ userData })
      await failing.waitFor('window', isShown)
      await failing.act({ kind: 'bug' })
      expect(await failing.exitCode).toBe(1)
      expect(failing.recorded('relaunch')).toHaveLength(1)
      // So that the test need not wait as long as the next start would.
      const runs = crashHistorySchema.parse(JSON.parse(await readFile(runsPath, 'utf8')))
      expect(runs.crashedAt).toHaveLength(count)
      const earlier = { ...runs, crashedAt: runs.crashedAt.map((at) => at - 20_000) }
      await writeFile(runsPath, JSON.stringify(earlier))
    }
    const safe = await run({ userData, words: ['--hidden'] })
    // Also where it starts hidden: somebody must see that nothing is sent.
    await safe.waitFor('window', isShown)
    expect(await safe.value('station.status')).toMatchObject({ mode: { why: 'safeMode' } })
    await safe.act({ kind: 'bug' })
    expect(await safe.exitCode).toBe(1)
    expect(safe.recorded('relaunch')).toEqual([])
    const logs = join(safe.dataFolder, 'logs')
    const [log = ''] = await readdir(logs)
    const lines = await readFile(join(logs, log), 'utf8')
    expect(lines).toContain('"kind":"TypeError"')
    expect(lines).not.toContain('H-00017')
  }, 120_000)

  it('shows that it is in safe mode also where it starts hidden, and once left it does not come back by itself', async () => {
    const safe = await run({ userData: await accountFolder(), words: ['--hidden', '--safe-mode'] })
    await safe.waitFor('window', isShown)
    expect(await safe.value('station.status')).toMatchObject({ mode: { why: 'safeMode' } })
    expect(await safe.value('station.startNormally', {})).toMatchObject({ mode: { why: 'serviceNotSet' } })
    await safe.waitFor('sent', ({ words }) => JSON.stringify(words).includes('"why":"serviceNotSet"'))
    await safe.act({ kind: 'bug' })
    expect(await safe.exitCode).toBe(1)
    const [relaunch] = safe.recorded('relaunch')
    expect(relaunch?.words).toContain(safe.dataFolder)
    expect(relaunch?.words).not.toContain('--safe-mode')
  })

  it('watches a folder with the built worker and serves what it finds', async () => {
    const userData = await accountFolder()
    const camera = await temporaryFolder()
    await mkdir(join(camera, 'H-00017_20261120'))
    const drawn = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#d9703a' } })
      .jpeg()
      .toBuffer()
    await writeFile(join(camera, 'H-00017_20261120', 'OD_1.jpg'), drawn)
    const folder = {
      path: camera,
      settleSeconds: 0,
      quietSeconds: 0,
      sweepSeconds: 1,
      existing: 'include' as const,
    }
    const config = { folders: [folder], desktop: { startAtLogin: 'on' as const } }
    const desktop = await run({ userData, config, words: ['--hidden'] })
    await desktop.waitFor('sent', ({ words }) => JSON.stringify(words).includes('submissionChanged'))
    expect(desktop.recorded('window').filter(isShown)).toEqual([])
    const { items } = await desktop.value('submissions.list')
    expect(items).toMatchObject([{ images: [{ fileName: 'H-00017_20261120/OD_1.jpg' }] }])
    const address = `app://station/bytes/image/${items[0]?.images[0]?.id}`
    expect(await desktop.fetch(address)).toMatchObject({ status: 200 })
    expect(await desktop.stop()).toBe(0)
    if (process.platform === 'linux')
      expect(await readFile(join(userData, '..', 'autostart', 'fundus-courier.desktop'), 'utf8')).toMatch(
        /"--hidden" "--config" ".*config\.json"/,
      )
    else expect(desktop.recorded('loginItem')).toMatchObject([{ openAtLogin: true }])
  })
})
