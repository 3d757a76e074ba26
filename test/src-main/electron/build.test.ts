import { createContext, runInContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DesktopBridge } from '../../../src-renderer/link/ipc.ts'
import { ENGLISH, SPANISH } from '../../src-renderer/i18n/rooms.ts'
import { buildApp, type BuiltApp } from './built-app.ts'
import { readModuleSyntax } from './module-syntax.ts'

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

  // i18next has no native files and no state to share; beside the app it would bring its peer TypeScript with it.
  it('bundles no package into the main process but i18next', async () => {
    const imported = new Set<string>()
    for (const file of mainFiles()) {
      const code = await app.read(file)
      expect(code).not.toMatch(/node_modules\/(?!i18next\/)/)
      for (const name of readModuleSyntax(code).staticImports) imported.add(name)
    }
    expect([...imported]).toEqual(expect.arrayContaining(['better-sqlite3', 'undici', 'chokidar', 'sharp']))
  })

  it('waits for nothing at the top of a module: Electron would never become ready', async () => {
    for (const file of mainFiles())
      expect([file, readModuleSyntax(await app.read(file)).topLevelAwaits]).toEqual([file, 0])
  })

  it('brings the texts of other languages and screens in files of their own', async () => {
    const texts = [
      ...SPANISH.values(),
      ...[...ENGLISH].filter(([key]) => key.startsWith('settings:')).map(([, text]) => text),
    ]
    const sentences = texts.filter((text) => text.length > 60 && /^[\p{L} ,.]+$/u.test(text))
    expect(sentences.length).toBeGreaterThan(50)
    const [first = ''] = app.files.filter(
      (file) => /^renderer\/assets\/first-[^/]*\.js$/.test(file) && !file.includes('first-page'),
    )
    const code = await app.read(first)
    expect(sentences.filter((text) => code.includes(text))).toEqual([])
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
    // What it shares with the rest: the words of the scheme and of the command line, and how an error's code is read.
    expect(others).toEqual([
      expect.stringMatching(/^\.\/chunks\/command-line-/),
      expect.stringMatching(/^\.\/chunks\/errors-/),
    ])
    for (const name of others) {
      const chunk = await app.read(`main/${name.slice(2)}`)
      const ofChunk = readModuleSyntax(chunk).staticImports
      expect(ofChunk.filter((imported) => !imported.startsWith('node:'))).toEqual([])
      expect(chunk.length).toBeLessThan(10_000)
    }
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
      'onRoute: function',
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
