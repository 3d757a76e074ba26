/** Every way by which a page could leave the window or load something else into it, tried in the running app. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Desktop } from '../fake-electron/desktop.ts'
import { describeDesktop, startDesktop } from '../fake-electron/start-desktop.ts'
import { setFixture, type StationFixture } from '../station-fixture.ts'
import { type Beacon, configOf, openBeacon } from './hardening-fixture.ts'

await describeDesktop('a page that wants to leave', (browser) => {
  let fixture: StationFixture
  let desktop: Desktop
  let page: Page
  let beacon: Beacon

  beforeAll(async () => {
    beacon = await openBeacon()
    fixture = await setFixture()
    desktop = await startDesktop({ browser: browser(), config: configOf(fixture) })
    page = await desktop.page()
  })
  afterAll(async () => {
    await desktop?.kill()
    await fixture.close()
    await beacon.close()
  })
  beforeEach(() => page.getByRole('navigation').first().waitFor())

  const isTheSame = (): Promise<boolean> => page.evaluate(() => 'isTheSamePage' in window)
  const mark = (): Promise<unknown> =>
    page.evaluate(() => Object.assign(window, { isTheSamePage: true }) && undefined)
  const reload = async (): Promise<void> => {
    await mark()
    await page.evaluate(() => window.location.reload()).catch(() => undefined)
    await expect.poll(() => isTheSame().catch(() => true)).toBe(false)
    await page.getByRole('navigation').first().waitFor()
  }
  const expectToStay = async (): Promise<void> => {
    await page.waitForTimeout(300)
    expect(await isTheSame()).toBe(true)
    expect(beacon.touched).toEqual([])
  }

  it.each(['location.href', 'location.assign', 'a link', 'a link in the middle', 'the top'])(
    'by %s does not move',
    async (how) => {
      await mark()
      await page.evaluate(
        ([way, to]) => {
          const link = (target = ''): HTMLElement => {
            const element = Object.assign(document.createElement('a'), { href: to, target })
            document.body.append(element)
            return element
          }
          if (way === 'location.href') window.location.href = to
          if (way === 'location.assign') window.location.assign(to)
          if (way === 'a link') link().click()
          if (way === 'a link in the middle')
            link().dispatchEvent(new MouseEvent('click', { button: 1, ctrlKey: true }))
          if (way === 'the top') link('_top').click()
        },
        [how, `${beacon.origin}/${how.replaceAll(' ', '-')}`] as const,
      )
      await expectToStay()
    },
  )

  it('is refused each time, before anything is asked of the network', async () => {
    const wanted = () => desktop.recorded('navigation').filter(({ url }) => url.startsWith(beacon.origin))
    await expect.poll(() => wanted().length).toBeGreaterThan(2)
    expect(wanted().filter(({ isPrevented }) => !isPrevented)).toEqual([])
  })

  it('may load itself again, which is all that it may', reload)

  it('opens no window, and nothing in the browser that was not shown', async () => {
    await page.evaluate((to) => {
      window.open(`${to}/window`)
      window.open('file:///etc/passwd')
      window.open('https://viewer.example/never-shown', '_blank', 'noopener')
    }, beacon.origin)
    await desktop.waitFor('windowOpen', ({ url }) => url.includes('never-shown'))
    expect(desktop.recorded('windowOpen').filter(({ action }) => action !== 'deny')).toEqual([])
    expect(desktop.recorded('openExternal')).toEqual([])
    expect(page.context().pages()).toHaveLength(1)
    expect(beacon.touched).toEqual([])
  })

  it('takes no file and no address that is dropped on it', async () => {
    await mark()
    const cdp = await page.context().newCDPSession(page)
    const items = [{ mimeType: 'text/uri-list', data: `${beacon.origin}/dropped` }]
    const data = { items, files: [], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await cdp.send('Input.dispatchDragEvent', { type, x: 640, y: 400, data })
    await expectToStay()
  })

  it('reaches no network where its policy does not hold, either', async () => {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Page.setBypassCSP', { enabled: true })
    await reload()
    const result = await page.evaluate(async (elsewhere) => {
      document.body.append(
        Object.assign(document.createElement('script'), { textContent: 'window.isWithoutPolicy = true' }),
        Object.assign(document.createElement('img'), { src: `${elsewhere}/past-the-policy.png` }),
        Object.assign(document.createElement('iframe'), { src: `${elsewhere}/past-the-policy.html` }),
      )
      const fetched = await fetch(`${elsewhere}/past-the-policy`).then(
        () => 'fetched',
        () => 'refused',
      )
      return { fetched, isWithoutPolicy: 'isWithoutPolicy' in window }
    }, beacon.origin)
    expect(result).toEqual({ fetched: 'refused', isWithoutPolicy: true })
    await page.waitForTimeout(300)
    expect(beacon.touched).toEqual([])
  })
})
