/** What ends by itself: the page, the graphics process, and the app again and again. */
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Desktop } from '../fake-electron/desktop.ts'
import { desktopHost, openDesktopBrowser } from '../fake-electron/start-desktop.ts'
import { setLifeScene, type LifeScene } from './life-scene.ts'

const opened = await openDesktopBrowser()
// The packaged browser runs on every Linux; only elsewhere may one be missing, and then the summary says so.
if (opened.kind === 'absent' && process.platform === 'linux') throw new Error(opened.why)

describe.skipIf(opened.kind === 'absent')(`the life of the desktop app on ${desktopHost()}`, () => {
  let browser: Browser
  let scene: LifeScene
  beforeAll(() => {
    if (opened.kind === 'open') browser = opened.browser
  })
  afterEach(() => scene.close())
  afterAll(() => browser.close())

  const reloads = (desktop: Desktop): number =>
    desktop.recorded('window').filter(({ what }) => what === 'reloaded').length

  it('loads screens that die three times, then shows a page that says what goes on and leads back', async () => {
    scene = await setLifeScene(browser)
    const desktop = await scene.run()
    for (let count = 1; count <= 3; count += 1) {
      await desktop.act({ kind: 'rendererGone' })
      await expect.poll(() => reloads(desktop), { timeout: 20_000 }).toBe(count)
      await (await desktop.page()).getByRole('heading', { level: 1 }).first().waitFor()
    }
    await desktop.act({ kind: 'rendererGone' })
    await desktop.waitFor(
      'window',
      ({ what, parameters }) => what === 'loaded' && parameters[0] === 'app://station/recovery',
    )
    const page = await desktop.page()
    await page.getByRole('heading', { name: 'The screens stopped several times' }).waitFor()
    expect(await page.locator('main').innerText()).toContain(desktop.dataFolder)
    // The station is not touched by any of it.
    await scene.exportOne()
    await expect.poll(() => scene.service.cases().length, { timeout: 20_000 }).toBe(1)
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByTestId('banner').waitFor()
    expect(reloads(desktop)).toBe(3)
  })

  it('starts again without the graphics card where its process dies three times', async () => {
    scene = await setLifeScene(browser)
    const desktop = await scene.run()
    for (let count = 0; count < 3; count += 1) await desktop.act({ kind: 'childGone', type: 'GPU' })
    expect(await desktop.exitCode).toBe(0)
    const [relaunch] = desktop.recorded('relaunch')
    expect(relaunch?.parameters).toContain('--disable-gpu')
    expect(relaunch?.parameters).toContain(desktop.dataFolder)
  })

  it('starts with its screens only after three kills, and goes on when a person starts it normally', async () => {
    scene = await setLifeScene(browser)
    for (let count = 0; count < 3; count += 1) {
      const desktop = await scene.run()
      await desktop.kill()
    }
    const safe = await scene.run()
    await scene.exportOne()
    const page = await safe.page()
    const banner = page.getByTestId('banner')
    await banner.getByText('Safe mode: nothing is taken in and nothing is sent').waitFor()
    expect(await safe.value('station.status')).toMatchObject({
      mode: { kind: 'paused', why: 'safeMode' },
      folders: [],
    })
    expect(scene.service.cases()).toEqual([])
    await banner.getByRole('button', { name: 'Start normally' }).click()
    await expect.poll(() => scene.service.cases().length, { timeout: 20_000 }).toBe(1)
    expect(await safe.value('station.status')).toMatchObject({ mode: { kind: 'running' } })
  })

  it('starts with its screens only where the command line says so', async () => {
    scene = await setLifeScene(browser)
    const desktop = await scene.run({ parameters: ['--safe-mode'] })
    expect(await desktop.value('station.status')).toMatchObject({ mode: { why: 'safeMode' } })
  })
})
