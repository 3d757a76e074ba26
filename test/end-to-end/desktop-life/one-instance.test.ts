/** One instance an account, its window, and the way back to it. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Desktop } from '../fake-electron/desktop.ts'
import { logOf } from '../fake-electron/log-of.ts'
import { desktopHost, openDesktopBrowser } from '../fake-electron/start-desktop.ts'
import { messagesOf, movesOf, setLifeScene, type LifeScene } from './life-scene.ts'

const opened = await openDesktopBrowser()
// The packaged browser runs on every Linux; only elsewhere may one be missing, and then the summary says so.
if (opened.kind === 'absent' && process.platform === 'linux') throw new Error(opened.why)

/** What it tells a tool that watches it, or null before it has. */
async function heartbeatOf({ dataFolder }: Desktop): Promise<unknown> {
  const text = await readFile(join(dataFolder, 'heartbeat.json'), 'utf8').catch(() => 'null')
  return JSON.parse(text) as unknown
}

const EXPLAINED = 'Fundus Courier goes on in the background'

describe.skipIf(opened.kind === 'absent')(`the life of the desktop app on ${desktopHost()}`, () => {
  let browser: Browser
  let scene: LifeScene
  beforeAll(() => {
    if (opened.kind === 'open') browser = opened.browser
  })
  afterEach(() => scene.close())
  afterAll(() => browser.close())

  it('started hidden stays out of sight until a second start, which ends at once and says why', async () => {
    scene = await setLifeScene(browser)
    const first = await scene.run({ parameters: ['--hidden'] })
    expect(movesOf(first)).toEqual([])
    const atLogin = await scene.run({ parameters: ['--hidden'], waitFor: 'nothing' })
    expect(await atLogin.exitCode).toBe(0)
    const second = await scene.run({ waitFor: 'nothing' })
    expect(await second.exitCode).toBe(0)
    expect(second.stderr()).toContain('is running already; its window is shown')
    await first.waitFor('window', ({ what }) => what === 'shown')
    // The one at login came first, and nobody had asked for the window then.
    expect(movesOf(first)).toEqual(['shown'])
    // A second process that went on would have read the rest of the app.
    const read = second.recorded('module').map(({ path }) => path)
    expect(read.filter((path) => path.includes('boot'))).toEqual([])
  })

  it('tells a person, in the language of the screens, where the first one does not answer any more', async () => {
    scene = await setLifeScene(browser)
    const first = await scene.run({ parameters: ['--hidden', '--lang=es'] })
    // Its own first beat would be laid over what is written here.
    await expect.poll(() => heartbeatOf(first)).toMatchObject({ pid: first.pid })
    const longAgo = Date.now() - 600_000
    const { pid, dataFolder } = first
    const current = { pid, dataFolder, startedAt: longAgo }
    await writeFile(join(first.userData, 'runs.json'), JSON.stringify({ current, crashedAt: [] }))
    const at = new Date(longAgo).toISOString()
    await writeFile(join(dataFolder, 'heartbeat.json'), JSON.stringify({ pid, at }))
    const second = await scene.run({ parameters: ['--lang=es'], waitFor: 'nothing' })
    expect(await second.exitCode).toBe(1)
    expect(messagesOf(second)).toEqual([expect.stringContaining(`ya está funcionando (proceso ${pid})`)])
    // Nothing of the station was loaded for that.
    const read = second.recorded('module').map(({ path }) => path)
    expect(read.filter((path) => path.includes('boot'))).toEqual([])
  })

  it('explains once that closing the window ends nothing, and shows it again at a second start', async () => {
    scene = await setLifeScene(browser)
    const desktop = await scene.run()
    await desktop.waitFor('window', ({ what }) => what === 'shown')
    await desktop.act({ kind: 'closeWindow' })
    await desktop.waitFor('dialog')
    await desktop.act({ kind: 'secondInstance' })
    await desktop.act({ kind: 'closeWindow' })
    expect(movesOf(desktop)).toEqual(['shown', 'hidden', 'shown', 'hidden'])
    expect(messagesOf(desktop)).toEqual([EXPLAINED])
    expect(await desktop.value('station.status')).toMatchObject({ mode: { kind: 'running' } })
    expect(await desktop.stop()).toBe(0)

    const again = await scene.run()
    await again.act({ kind: 'closeWindow' })
    await scene.exportOne()
    // By then the question whether it was told before is long answered.
    await expect.poll(() => scene.service.cases().length, { timeout: 20_000 }).toBe(1)
    expect(messagesOf(again)).toEqual([])
  })

  it('tells a tool that watches it that it lives, and at a clean end that it has stopped', async () => {
    scene = await setLifeScene(browser)
    const desktop = await scene.run()
    // The window does not wait for the first beat.
    const running = { pid: desktop.pid, host: 'electron', mode: 'running' }
    await expect.poll(() => heartbeatOf(desktop)).toMatchObject(running)
    await desktop.stop()
    // An end that takes too long is none that is told as clean.
    if (!logOf(desktop).includes('did not stop in time'))
      expect(await heartbeatOf(desktop)).toMatchObject({ pid: desktop.pid, mode: 'stopped' })
  })
})
