/** The security of the window, asked of the built app while it runs. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WINDOW_PREFERENCES } from '../../../src-main/electron/window.ts'
import type { Desktop } from '../fake-electron/desktop.ts'
import { describeDesktop, startDesktop } from '../fake-electron/start-desktop.ts'
import { type Beacon, openBeacon } from './hardening-fixture.ts'

const CALL = 'fundus-courier:call'
const OURS = { url: 'app://station/index.html', isMainFrame: true }
type Options = { readonly webPreferences: Readonly<Record<string, unknown>> }

await describeDesktop('the window of the desktop app', (browser) => {
  let desktop: Desktop
  let page: Page
  let beacon: Beacon

  beforeAll(async () => {
    beacon = await openBeacon()
    desktop = await startDesktop({ browser: browser() })
    page = await desktop.page()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  })
  afterAll(async () => {
    await desktop?.kill()
    await beacon.close()
  })

  it('is made in a sandbox, apart from Node, and without a session of its own', () => {
    const made = desktop.recorded('window').filter(({ what }) => what === 'created')
    expect(made).toHaveLength(1)
    const [options] = made.flatMap(({ parameters }) => parameters as readonly Options[])
    const { preload, ...preferences } = options?.webPreferences ?? {}
    // As of an installed app.
    expect(preferences).toEqual({ ...WINDOW_PREFERENCES, devTools: false })
    expect(preload).toMatch(/[\\/]out[\\/]preload[\\/]preload\.cjs$/)
    expect(desktop.recorded('app').map(({ what }) => what)).toContain('enableSandbox')
  })

  it('has a scheme like https, which no policy is bypassed for', () => {
    expect(desktop.recorded('scheme')).toEqual([
      {
        scheme: 'app',
        privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
      },
    ])
  })

  it('gives its page one bridge that cannot be changed, and nothing of Electron or Node', async () => {
    const seen = await page.evaluate(() => {
      const bridge = (window as unknown as { fundusCourier: Record<string, unknown> }).fundusCourier
      const tried = (work: () => unknown): string => {
        try {
          work()
          return 'done'
        } catch (error) {
          return error instanceof Error ? error.name : 'thrown'
        }
      }
      return {
        types: Object.entries(bridge).map(([, value]) => typeof value),
        isFrozen: Object.isFrozen(bridge),
        change: tried(() => Object.defineProperty(bridge, 'call', { value: null })),
        replace: tried(() => {
          Object.defineProperty(window, 'fundusCourier', { value: {} })
        }),
        leaked: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron', 'global'].filter(
          (name) => name in window,
        ),
      }
    })
    expect(seen.types.every((type) => type === 'function')).toBe(true)
    expect(seen).toMatchObject({ isFrozen: true, change: 'TypeError', replace: 'TypeError', leaked: [] })
  })

  it('runs no script that was not built, and reaches no network', async () => {
    const wanted =
      `base-uri connect-src form-action frame-src img-src media-src object-src script-src-elem style-src-elem
      worker-src`.split(/\s+/)
    const tryAll = async ([elsewhere, expected]: readonly [string, readonly string[]]) => {
      const violations: string[] = []
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        violations.push(effectiveDirective),
      )
      const append = (name: string, properties: object): void => {
        document.body.append(Object.assign(document.createElement(name), properties))
      }
      append('script', { textContent: 'window.hacked = 1' })
      append('script', { src: `${elsewhere}/script.js` })
      append('img', { src: `${elsewhere}/pixel.png` })
      append('link', { rel: 'stylesheet', href: `${elsewhere}/style.css` })
      append('iframe', { src: `${elsewhere}/frame.html` })
      append('object', { data: `${elsewhere}/object` })
      append('audio', { src: `${elsewhere}/sound` })
      append('base', { href: elsewhere })
      const tried = async (work: () => unknown): Promise<string> => {
        // What the tool itself evaluates is under no policy; what a timer runs is the page's own.
        await new Promise((later) => setTimeout(later, 0))
        try {
          await work()
          return 'done'
        } catch {
          return 'refused'
        }
      }
      const works = {
        // oxlint-disable-next-line no-eval -- the policy is there to refuse it
        eval: await tried(() => (0, eval)('window.hacked = 1')),
        // oxlint-disable-next-line typescript/no-implied-eval -- the policy is there to refuse it
        function: await tried(() => new Function('window.hacked = 1')()),
        fetch: await tried(() => fetch(`${elsewhere}/fetch`)),
        worker: await tried(
          () =>
            new Promise((done, failed) => {
              const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])))
              worker.addEventListener('message', done)
              worker.addEventListener('error', failed)
            }),
        ),
      }
      const form = Object.assign(document.createElement('form'), {
        action: `${elsewhere}/form`,
        method: 'post',
      })
      document.body.append(form)
      form.submit()
      navigator.sendBeacon(`${elsewhere}/beacon`)
      const socket = new WebSocket(elsewhere.replace('http', 'ws'))
      await new Promise((settled) => socket.addEventListener('error', settled))
      const end = performance.now() + 10_000
      while (!expected.every((one) => violations.includes(one)) && performance.now() < end)
        await new Promise((later) => setTimeout(later, 50))
      // What should not come has its time, too.
      await new Promise((settled) => setTimeout(settled, 300))
      return { works, hacked: 'hacked' in window, violations: [...new Set(violations)].toSorted() }
    }
    const refused = await page.evaluate(tryAll, [beacon.origin, wanted] as const)
    expect(refused.works).toEqual({
      eval: 'refused',
      function: 'refused',
      fetch: 'refused',
      worker: 'refused',
    })
    expect(refused.hacked).toBe(false)
    expect(refused.violations).toEqual(expect.arrayContaining(wanted))
    expect(beacon.touched).toEqual([])
  })

  it('answers on one channel, to the main frame of its own page only', async () => {
    const ask = (frame: Parameters<Desktop['invokeFrom']>[0], channel = CALL): Promise<unknown> =>
      desktop.invokeFrom(frame, channel, 'station.about', {})
    expect(await ask(OURS)).toMatchObject({ ok: true })
    for (const frame of [
      null,
      { ...OURS, isMainFrame: false },
      { ...OURS, url: 'https://station/index.html' },
    ])
      expect([frame, await ask(frame)]).toMatchObject([frame, { ok: false, failure: { kind: 'notAllowed' } }])
    await expect(ask(OURS, 'fundus-courier:other')).rejects.toThrow(/handler/)
    expect(await desktop.invokeFrom(OURS, CALL, 'no.such.call', {})).toMatchObject({ ok: false })
    expect(await desktop.invokeFrom(OURS, CALL, 'submissions.get', { id: 17 })).toMatchObject({
      ok: false,
      failure: { kind: 'badRequest' },
    })
  })

  it.each([
    [
      'folder that a person chooses in the system dialog',
      'folder',
      'openDirectory',
      ['D:\\Export'],
      'D:\\Export',
    ],
    ['folder that is none if they close it', 'folder', 'openDirectory', [], null],
    ['file that a person chooses', 'file', 'openFile', ['D:\\patients.csv'], 'D:\\patients.csv'],
  ])('gives its page a %s', async (_, what, property, chosenPaths, path) => {
    await desktop.act({ kind: 'surroundings', changes: { chosenPaths } })
    const answer = await desktop.invokeFrom(OURS, CALL, 'desktop.choose', what)
    expect(answer).toEqual({ ok: true, value: { path } })
    const { options } = desktop.recorded('dialog').at(-1) ?? {}
    expect(options).toMatchObject({ properties: [property, 'dontAddToRecent'] })
  })

  it('is granted the full screen and a write to the clipboard, and nothing else', () => {
    const last = new Map(
      desktop.recorded('permission').map(({ permission, isGranted }) => [permission, isGranted]),
    )
    expect(last.size).toBeGreaterThan(8)
    const granted = [...last].filter(([, isGranted]) => isGranted).map(([permission]) => permission)
    expect(granted.toSorted()).toEqual(['clipboard-sanitized-write', 'fullscreen'])
  })
})
