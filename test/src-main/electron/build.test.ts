import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { DesktopBridge } from '../../../src-renderer/link/link-over-ipc.ts'
import { calls } from '../../../src-shared/contract.ts'
import { runBookSchema } from '../../../src-main/electron/run-book.ts'
import { buildApp, type BuiltApp } from './built-app.ts'
import { readModuleSyntax } from './module-syntax.ts'
import { runBuiltApp } from './run-built-app.ts'
import { temporaryFolder } from './temporary-folder.ts'

const listSchema = z.object({ ok: z.literal(true), value: calls['submissions.list'].output })

let app: BuiltApp
beforeAll(async () => {
  app = await buildApp()
  return () => app.remove()
}, 120_000)

const mainFiles = (): readonly string[] => app.files.filter((file) => file.startsWith('main/'))

describe('the build', () => {
  it('leaves a main process, a worker, one preload and the screens', () => {
    expect(app.files).toEqual(
      expect.arrayContaining([
        'main/main.js',
        'main/outbox-worker.js',
        'main/photo-worker.js',
        'main/watch-worker.js',
        'preload/preload.cjs',
        'renderer/index.html',
      ]),
    )
    expect(app.files.filter((file) => file.startsWith('preload/'))).toEqual(['preload/preload.cjs'])
  })

  it('bundles no package into the main process', async () => {
    const imported = new Set<string>()
    for (const file of mainFiles()) {
      const code = await app.read(file)
      expect(code).not.toContain('node_modules/')
      for (const name of readModuleSyntax(code).staticImports) imported.add(name)
    }
    expect([...imported]).toEqual(expect.arrayContaining(['better-sqlite3', 'undici', 'chokidar', 'sharp']))
  })

  it('waits for nothing at the top of a module: Electron would never become ready', async () => {
    for (const file of mainFiles())
      expect([file, readModuleSyntax(await app.read(file)).topLevelAwaits]).toEqual([file, 0])
  })

  it('leaves no script in the page itself, which the policy would refuse', async () => {
    const page = await app.read('renderer/index.html')
    const scripts = [...page.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs)]
    expect(scripts.length).toBeGreaterThan(0)
    for (const [, attributes = '', body = ''] of scripts) {
      expect(attributes).toMatch(/\bsrc="\.\//)
      expect(body.trim()).toBe('')
    }
    expect(page).not.toMatch(/\son\w+="/)
  })
})

describe('the built main.js', () => {
  it('loads nothing but Electron, Node and the words of the scheme before Electron is ready', async () => {
    const { staticImports } = readModuleSyntax(await app.read('main/main.js'))
    const others = staticImports.filter((name) => name !== 'electron' && !name.startsWith('node:'))
    // What it shares with the rest: the words of the scheme, and those of the command line.
    expect(others).toEqual([expect.stringMatching(/^\.\/chunks\/command-line-/)])
    const chunk = await app.read(`main/${others[0]?.slice(2)}`)
    expect(readModuleSyntax(chunk).staticImports).toEqual([])
    expect(chunk.length).toBeLessThan(10_000)
  })

  it('ends at once where another instance runs, without loading the station', async () => {
    const second = runBuiltApp(app, { userData: await temporaryFolder(), isLockTaken: true })
    expect(await second.ended).toBe(0)
    expect(second.said()).toContain('is running already')
    expect(second.done).toEqual([
      'read main.js',
      'read chunks/command-line',
      'enable the sandbox',
      'register the scheme',
      'exit 0',
    ])
  })

  it('opens a station and its window, closes to the tray, and ends tidily', async () => {
    const userData = await temporaryFolder()
    const running = runBuiltApp(app, { userData })
    await running.hasDone('show')
    expect(running.done).toEqual(
      expect.arrayContaining([
        'close the network of the pages',
        'deny permissions',
        'open a window with out/preload/preload.cjs',
        'guard the window',
        'load app://station/index.html',
      ]),
    )
    expect(await running.fetch('app://station/')).toMatchObject({ status: 200 })
    expect(await running.call('station.status', {})).toMatchObject({
      ok: true,
      value: { host: 'electron', version: '1.2.3', mode: { kind: 'paused', why: 'serviceNotSet' } },
    })
    await running.hasDone('tray: Fundus Courier: no service is set up')
    running.say('closeWindow')
    await running.hasDone('hide')
    expect(running.done.filter((what) => what === 'show')).toHaveLength(1)
    running.say('startAgain')
    running.say('quit')
    expect(await running.ended).toBe(0)
    expect(running.done.filter((what) => what === 'show')).toHaveLength(2)
    expect(running.done.slice(-2)).toEqual(['remove the tray', 'exit 0'])
  })

  it('ends by a bug and starts itself again, and after the third one with its screens only', async () => {
    const userData = await temporaryFolder()
    const runsPath = join(userData, 'runs.json')
    for (let count = 1; count <= 3; count += 1) {
      const failing = runBuiltApp(app, { userData })
      await failing.hasDone('show')
      failing.say('fail')
      expect(await failing.ended).toBe(1)
      expect(failing.done).toContain('relaunch')
      // So that the test need not wait as long as the next start would.
      const runs = runBookSchema.parse(JSON.parse(await readFile(runsPath, 'utf8')))
      expect(runs.crashedAt).toHaveLength(count)
      const earlier = { ...runs, crashedAt: runs.crashedAt.map((at) => at - 20_000) }
      await writeFile(runsPath, JSON.stringify(earlier))
    }
    const safe = runBuiltApp(app, { userData, words: ['--hidden'] })
    // Also where it starts hidden: somebody must see that nothing is sent.
    await safe.hasDone('show')
    expect(await safe.call('station.status', {})).toMatchObject({ value: { mode: { why: 'safeMode' } } })
    safe.say('fail')
    expect(await safe.ended).toBe(1)
    expect(safe.done).not.toContain('relaunch')
    const logs = join(userData, 'station', 'logs')
    const [log = ''] = await readdir(logs)
    const lines = await readFile(join(logs, log), 'utf8')
    expect(lines).toContain('"kind":"TypeError"')
    expect(lines).not.toContain('H-00017')
  }, 60_000)

  it('watches a folder with the built worker and serves what it finds', async () => {
    const userData = await temporaryFolder()
    const camera = await temporaryFolder()
    await mkdir(join(camera, 'H-00017_20261120'))
    const drawn = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#d9703a' } })
      .jpeg()
      .toBuffer()
    await writeFile(join(camera, 'H-00017_20261120', 'OD_1.jpg'), drawn)
    const configPath = join(userData, 'config.json')
    const folder = { path: camera, settleSeconds: 0, quietSeconds: 0, sweepSeconds: 1, existing: 'include' }
    await writeFile(configPath, JSON.stringify({ folders: [folder], desktop: { startAtLogin: 'on' } }))
    const running = runBuiltApp(app, { userData, words: ['--config', configPath, '--hidden'] })
    await running.hasDone('send fundus-courier:event submissionChanged')
    expect(running.done).not.toContain('show')
    const listed = listSchema.parse(await running.call('submissions.list', {}))
    expect(listed.value.items).toMatchObject([{ images: [{ fileName: 'H-00017_20261120/OD_1.jpg' }] }])
    const address = `app://station/bytes/image/${listed.value.items[0]?.images[0]?.id}`
    expect(await running.fetch(address)).toMatchObject({ status: 200 })
    running.say('quit')
    expect(await running.ended).toBe(0)
    if (process.platform === 'linux')
      expect(await readFile(join(userData, 'autostart', 'fundus-courier.desktop'), 'utf8')).toContain(
        `"--hidden" "--config" "${configPath}"`,
      )
    else expect(running.done).toContain('start at login: true')
  })
})

describe('the built preload', () => {
  type Listener = (event: unknown, payload: unknown) => void

  /** Runs it as the sandbox does: a script that may require `electron` and little else. */
  async function runPreload() {
    const exposed = new Map<string, DesktopBridge>()
    const listeners = new Map<string, Set<Listener>>()
    const required: string[] = []
    const electron = {
      contextBridge: {
        exposeInMainWorld: (name: string, bridge: DesktopBridge) => exposed.set(name, bridge),
      },
      ipcRenderer: {
        invoke: (...words: unknown[]) => words,
        on: (channel: string, listener: Listener) =>
          listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener)),
        removeListener: (channel: string, listener: Listener) => listeners.get(channel)?.delete(listener),
      },
    }
    const context = createContext({
      exports: {},
      module: { exports: {} },
      require: (name: string) => {
        required.push(name)
        return electron
      },
    })
    runInContext(await app.read('preload/preload.cjs'), context)
    const tell = (channel: string, payload: unknown): void =>
      listeners.get(channel)?.forEach((listener) => listener({ sender: 'not for pages' }, payload))
    return { exposed, required, tell }
  }

  it('is one script that requires electron only', async () => {
    expect((await runPreload()).required).toEqual(['electron'])
  })

  it('exposes four functions under one name, and none of Electron’s own', async () => {
    const { exposed } = await runPreload()
    expect([...exposed.keys()]).toEqual(['fundusCourier'])
    const bridge = exposed.get('fundusCourier')
    expect(Object.entries(bridge ?? {}).map(([name, value]) => `${name}: ${typeof value}`)).toEqual([
      'call: function',
      'onEvent: function',
      'onPlace: function',
      'bytesUrl: function',
    ])
  })

  it('calls on one channel, passes events without their sender, and forgets a listener', async () => {
    const { exposed, tell } = await runPreload()
    const bridge = exposed.get('fundusCourier')!
    expect(bridge.call('station.status', { a: 1 })).toEqual([
      'fundus-courier:call',
      'station.status',
      { a: 1 },
    ])
    expect(bridge.bytesUrl('report', 'a/b c')).toBe('app://station/bytes/report/a%2Fb%20c')
    const heard: unknown[][] = []
    const stop = bridge.onEvent((...all: unknown[]) => heard.push(all))
    tell('fundus-courier:event', { revision: 1 })
    tell('another', { revision: 2 })
    stop()
    tell('fundus-courier:event', { revision: 3 })
    expect(heard).toEqual([[{ revision: 1 }]])
  })
})
