/** The stand-in itself: what goes wrong in Electron goes wrong on it, too, and what it does not have it says. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Desktop, DesktopOptions } from './desktop.ts'
import { smallApp, type SmallApp } from './small-app.ts'
import { openDesktopBrowser, startDesktop } from './start-desktop.ts'

type Bridge = {
  invoke(channel: string, ...words: unknown[]): Promise<unknown>
  address(name: string): string
  twice(call: (number: number) => number): number
  later(): Promise<never>
  readonly nothing: { at: { all: string } }
}
type WithBridge = { bridge: Bridge }

const opened = await openDesktopBrowser()
if (opened.kind === 'absent' && process.platform === 'linux') throw new Error(opened.why)

describe.skipIf(opened.kind === 'absent')('the stand-in for electron', () => {
  let browser: Browser
  beforeAll(() => {
    if (opened.kind === 'open') browser = opened.browser
  })
  afterAll(() => browser.close())

  async function run(app: SmallApp, options: DesktopOptions = {}): Promise<Desktop> {
    const desktop = await startDesktop({ files: await smallApp(app), browser, ...options })
    onTestFinished(() => desktop.kill())
    return desktop
  }
  const main = (code: string): SmallApp => ({
    main: `import { app, BrowserWindow, protocol, safeStorage, session, Tray } from 'electron'\n${code}`,
  })
  const runMain = (code: string): Promise<Desktop> => run(main(code), { waitFor: 'nothing' })
  const tried = (page: Page, work: string): Promise<unknown> =>
    page.evaluate(`(async () => { try { return await (${work}) } catch (error) { return String(error) } })()`)

  describe('before it is ready', () => {
    it('becomes ready only after main.js has run to its end, and says where main.js waits for that', async () => {
      const desktop = await run(main('await app.whenReady()'), { waitFor: 'nothing', mainWithinMs: 1_500 })
      expect(await desktop.exitCode).toBe(70)
      expect(desktop.said()).toContain('main.js does not come to its end')
    })

    it('refuses what Electron refuses before, and after', async () => {
      const desktop = await runMain(`
        const refused = (...works) => { for (const work of works) try { work(); process.stderr.write('done\\n') } catch (error) { process.stderr.write(error.message + '\\n') } }
        refused(
          () => safeStorage.isEncryptionAvailable(),
          () => new BrowserWindow(),
          () => new Tray(''),
          () => session.defaultSession,
          () => protocol.handle('app', () => 0),
        )
        app.whenReady().then(() => {
          refused(() => protocol.registerSchemesAsPrivileged([]), () => app.enableSandbox())
          app.exit(0)
        })`)
      expect(await desktop.exitCode).toBe(0)
      expect(desktop.said().trim().split('\n')).toEqual([
        'safeStorage cannot be used before the app is ready',
        'BrowserWindow cannot be used before the app is ready',
        'Tray cannot be used before the app is ready',
        'Session can only be received when app is ready',
        'protocol.handle cannot be used before the app is ready',
        'protocol.registerSchemesAsPrivileged must be called before the app is ready',
        'app.enableSandbox must be called before the app is ready',
      ])
    })
  })

  it('names what it does not have, even where the app catches it', async () => {
    const desktop = await runMain(`
      import { createRequire } from 'node:module'
      try { app.doWhatNobodyKnows() } catch {}
      try { createRequire(import.meta.url)('electron').whatNobodyHas } catch {}`)
    // An end that is asked for could come before main.js has touched anything.
    await expect.poll(() => desktop.said()).toContain('whatNobodyHas')
    await expect(desktop.stop()).rejects.toThrow('has no app.doWhatNobodyKnows, electron.whatNobodyHas')
  })

  it('quits with the last window where nobody listens, and asks the windows first', async () => {
    const desktop = await run({})
    await desktop.act({ kind: 'closeWindow' })
    expect(await desktop.exitCode).toBe(0)
    expect(desktop.recorded('quit').map(({ what }) => what)).toEqual([
      'asked',
      'before-quit',
      'will-quit',
      'quit',
    ])
  })

  it('has one instance for a folder, tells it of the second, and forgets one that was killed', async () => {
    const root = await mkdtemp(join(tmpdir(), 'fundus-courier-lock-'))
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    const code = main(`
      import { mkdirSync } from 'node:fs'
      mkdirSync(app.getPath('userData'), { recursive: true })
      if (app.requestSingleInstanceLock()) app.on('second-instance', (_event, words) => app.setBadgeCount(words.length))
      else app.exit(7)`)
    const userData = join(root, 'user-data')
    const options: DesktopOptions = { userData, waitFor: 'nothing' }
    const first = await run(code, options)
    expect(await first.waitFor('lock')).toEqual({ isFirst: true })
    const second = await run(code, options)
    expect(await second.exitCode).toBe(7)
    await first.waitFor('badge', ({ count }) => count > 2)
    await first.kill()
    const third = await run(code, options)
    expect(await third.waitFor('lock')).toEqual({ isFirst: true })
  })

  describe('a page', () => {
    it('speaks over the bridge in copies', async () => {
      const desktop = await run({})
      const page = await desktop.page()
      expect(await tried(page, 'bridge.invoke("echo", { a: [1, null] })')).toEqual({
        word: { a: [1, null] },
        from: ['app:', '', 'station', 'index.html'],
      })
      expect(await tried(page, 'bridge.twice((number) => number + 1)')).toBe(6)
      expect(await tried(page, 'bridge.later()')).toBe('Error: words')
      expect(await tried(page, 'bridge.later().catch((error) => error.code)')).toBeUndefined()
      expect(await tried(page, 'bridge.invoke("echo", () => 1)')).toMatch(/could not be cloned/)
      expect(await tried(page, 'bridge.invoke("function")')).toBe(
        "Error: Error invoking remote method 'function': Error: An object could not be cloned.",
      )
      expect(await tried(page, 'bridge.invoke("nobody")')).toMatch(/No handler registered for 'nobody'/)
    })

    it('cannot change the bridge, nor see what the preload sees', async () => {
      const page = await (await run({})).page()
      await tried(page, '(bridge.nothing.at.all = "changed")')
      expect(await page.evaluate(() => (window as unknown as WithBridge).bridge.nothing.at.all)).toBe('deep')
      await tried(page, '(window.bridge = null)')
      expect(await page.evaluate(() => typeof (window as unknown as WithBridge).bridge)).toBe('object')
      expect(
        await page.evaluate(() =>
          ['require', 'process', 'ipcRenderer', 'module'].filter((name) => name in window),
        ),
      ).toEqual([])
    })

    it('loads what the bridge names by the scheme of the app', async () => {
      const page = await (await run({})).page()
      expect(
        await tried(page, 'fetch(bridge.address("other.html")).then((answer) => answer.text())'),
      ).toContain('Other')
    })

    it('runs what the content policy of the scheme lets it run', async () => {
      const free = await (await run({})).page()
      expect(await free.evaluate(() => 'ranInline' in window)).toBe(true)
      const strict = await (
        await run({ headers: `{ 'Content-Security-Policy': "default-src 'self'" }` })
      ).page()
      expect(await strict.evaluate(() => 'ranInline' in window)).toBe(false)
    })

    it('goes where it wants unless the app prevents it', async () => {
      const free = await run({})
      const page = await free.page()
      await page.evaluate(() => window.location.assign('/other.html'))
      await page.getByText('Other').waitFor()
      const guarded = await run({
        guards: `window.webContents.on('will-frame-navigate', (event) => event.preventDefault())`,
      })
      const kept = await guarded.page()
      await kept.evaluate(() => window.location.assign('/other.html'))
      expect(await guarded.waitFor('navigation')).toEqual({
        url: 'app://station/other.html',
        isMainFrame: true,
        isPrevented: true,
      })
      expect(await kept.getByText('First').count()).toBe(1)
      // What the app or the system begins is not asked for.
      await kept.reload()
      expect(guarded.recorded('navigation')).toHaveLength(1)
    })

    it('asks the network for what the app lets it ask for', async () => {
      const guarded = await run({
        guards: `session.defaultSession.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: url.includes('example') }))`,
      })
      const page = await guarded.page()
      expect(await tried(page, 'fetch("https://no.example/picture")')).toMatch(/Failed to fetch/)
      expect(guarded.recorded('request')).toEqual([{ url: 'https://no.example/picture', isCancelled: true }])
    })

    it('saves a file where the app and a person let it', async () => {
      const save = `(() => {
        const link = document.createElement('a')
        link.href = URL.createObjectURL(new Blob(['words']))
        link.download = 'words.txt'
        link.click()
      })()`
      const free = await run({})
      const path = join(free.userData, 'saved.txt')
      await free.act({ kind: 'surroundings', changes: { dialogAnswers: [[path]] } })
      await tried(await free.page(), save)
      expect(await free.waitFor('download')).toMatchObject({
        url: expect.stringMatching(/^blob:app:\/\/station\//),
        fileName: 'words.txt',
        path,
      })
      await expect.poll(() => readFile(path, 'utf8').catch(() => null)).toBe('words')
      const guarded = await run({
        guards: `session.defaultSession.on('will-download', (event) => event.preventDefault())`,
      })
      await tried(await guarded.page(), save)
      expect(await guarded.waitFor('download')).toMatchObject({ isPrevented: true, path: null })
      expect(guarded.recorded('dialog')).toEqual([])
    })

    it('opens no window where the app denies it', async () => {
      const desktop = await run({
        guards: `window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }))`,
      })
      const page = await desktop.page()
      await page.evaluate(() => void window.open('https://example.org/'))
      expect(await desktop.waitFor('windowOpen')).toEqual({ url: 'https://example.org/', action: 'deny' })
      expect(page.context().pages()).toHaveLength(1)
    })

    it('has the permissions that the app’s handlers give, and all where there are none', async () => {
      const state = 'navigator.permissions.query({ name: "notifications" }).then(({ state }) => state)'
      const set = (isGranted: boolean): string =>
        `session.defaultSession.setPermissionRequestHandler((_contents, _name, answer) => answer(${isGranted}));`
      const granted = await run({ guards: set(true) })
      expect(await tried(await granted.page(), state)).toBe('granted')
      const denied = await run({ guards: set(false) })
      expect(await tried(await denied.page(), state)).toBe('denied')
    })

    it('dies, is told of as Electron tells it, and comes back by a reload', async () => {
      const desktop = await run({
        guards: `window.webContents.on('render-process-gone', (_event, { reason }) => { app.setBadgeCount(reason.length); window.webContents.reload() })`,
      })
      await desktop.page()
      await desktop.act({ kind: 'rendererGone' })
      await desktop.waitFor('window', ({ what }) => what === 'reloaded')
      await (await desktop.page()).getByText('First').waitFor()
      expect(desktop.recorded('badge')).toEqual([{ count: 'crashed'.length }])
    })
  })
})
