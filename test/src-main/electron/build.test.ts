/** Static checks of the app as it is built: what Electron would only show at run time. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import { SCREEN_POLICY } from '../../../src-main/station/storage/served-bytes.ts'
import type { DesktopBridge } from '../../../src-renderer/link/transports.ts'
import { dicomFile } from '../../camera/write-dicom.ts'
import { ENGLISH, SPANISH } from '../../src-renderer/i18n/text-tables.ts'
import { buildApp, type BuiltApp } from './built-app.ts'
import {
  callsIn,
  type CodePart,
  findForbidden,
  parseCode,
  readModuleSyntax,
  type Syntax,
} from './code-rules.ts'

/**
 * What a library brings and cannot be left out. zod would write its parsers as code: `z.config({ jitless: true })` in
 * src-renderer/main.tsx prevents that, and the policy of the page refuses it.
 */
const KNOWN = [{ part: 'renderer', mark: 'jitless', line: 'code from a text: Function' }]

type Code = { readonly file: string; readonly text: string; readonly syntax: Syntax }

let app: BuiltApp
let code: readonly Code[]
beforeAll(async () => {
  app = await buildApp()
  const files = app.files.filter((file) => /^(main|preload|renderer)\/.*\.[cm]?js$/.test(file))
  code = await Promise.all(
    files.map(async (file) => {
      const text = await app.read(file)
      return { file, text, syntax: parseCode(text) }
    }),
  )
  return () => app.remove()
}, 180_000)

function codeOf(part: CodePart): readonly Code[] {
  const found = code.filter(({ file }) => file.startsWith(`${part}/`))
  expect(found.length).toBeGreaterThan(0)
  return found
}

/** The code that is loaded with a file before anything is awaited, the file itself first. */
function loadedWith(file: string): readonly Code[] {
  const loaded = code.filter((one) => one.file === file)
  for (const { file: from, syntax } of loaded)
    for (const name of readModuleSyntax(syntax).staticImports) {
      const path = posix.join(posix.dirname(from), name)
      if (name.startsWith('.') && !loaded.some((one) => one.file === path))
        loaded.push(...code.filter((one) => one.file === path))
    }
  return loaded
}

describe('the build', () => {
  it('leaves a main process, a worker, one preload and the screens', () => {
    const workers = ['outbox', 'pictures', 'data', 'watch'].map((name) => `main/${name}-worker.js`)
    expect(app.files).toEqual(expect.arrayContaining(['main/main.js', ...workers, 'renderer/index.html']))
    expect(app.files.filter((file) => file.startsWith('preload/'))).toEqual(['preload/preload.cjs'])
  })

  // i18next has no native files and no state to share; beside the app it would bring its peer TypeScript with it.
  it('bundles no package into the main process but i18next', () => {
    const main = codeOf('main')
    expect(main.filter(({ text }) => /node_modules\/(?!i18next\/)/.test(text))).toEqual([])
    const imported = main.flatMap(({ syntax }) => readModuleSyntax(syntax).staticImports)
    expect(imported).toEqual(expect.arrayContaining(['better-sqlite3', 'undici', 'chokidar']))
  })

  it.each(['jpeg2000', 'jpegLs'] as const)(
    'has a reader that finds its decoder of %s',
    async (transferSyntax) => {
      const path = join(app.folder, transferSyntax)
      const rgb = Uint8Array.from({ length: 60 * 45 * 3 }, (_, index) => (index * 7) % 251)
      await writeFile(path, await dicomFile({ transferSyntax, image: { width: 60, height: 45, rgb } }))
      const reader = fork(join(app.folder, 'out/main/pictures-worker.js'), { serialization: 'advanced' })
      const answer = once(reader, 'message')
      const how = { contentType: 'application/dicom', pictureFolder: app.folder }
      reader.send({ kind: 'inspect', path, ...how })
      expect((await answer)[0]).toMatchObject({ reading: { kind: 'whole', oddities: [] } })
      reader.kill()
    },
  )

  it('waits for nothing at the top of a module: Electron would never become ready', () => {
    const waiting = codeOf('main').filter(({ syntax }) => readModuleSyntax(syntax).topLevelAwaits > 0)
    expect(waiting.map(({ file }) => file)).toEqual([])
  })

  it('has the texts of other languages and screens in files of their own', async () => {
    const texts = [
      ...SPANISH.values(),
      ...[...ENGLISH].filter(([key]) => key.startsWith('settings:')).map(([, text]) => text),
    ]
    const sentences = texts.filter((text) => text.length > 60 && /^[\p{L} ,.]+$/u.test(text))
    expect(sentences.length).toBeGreaterThan(50)
    const [, entry = ''] = /<script [^>]*src="\.\/([^"]+)"/.exec(await app.read('renderer/index.html')) ?? []
    const first = loadedWith(`renderer/${entry}`)
    expect(first.length).toBeGreaterThan(0)
    expect(sentences.filter((text) => first.some((one) => one.text.includes(text)))).toEqual([])
  })

  it('loads nothing but Electron, Node and the words of the scheme before Electron is ready', () => {
    const [main, ...others] = loadedWith('main/main.js')
    // Shared with the rest: the scheme and the command line, and how an error's code is read.
    expect(others.map(({ file }) => file)).toEqual([
      expect.stringMatching(/^main\/chunks\/command-line-/),
      expect.stringMatching(/^main\/chunks\/errors-/),
    ])
    for (const { text, syntax } of [main, ...others].filter((one) => one !== undefined)) {
      const packages = readModuleSyntax(syntax).staticImports.filter((name) => !/^(\.|node:)/.test(name))
      expect(packages.filter((name) => name !== 'electron')).toEqual([])
      expect(text.length).toBeLessThan(10_000)
    }
  })
})

describe('the built code', () => {
  it.each(['main', 'preload', 'renderer'] as const)('of %s opens nothing that is closed', (part) => {
    const isKnown = (text: string, line: string): boolean =>
      KNOWN.some((known) => known.part === part && known.line === line && text.includes(known.mark))
    const found = codeOf(part).flatMap(({ text, syntax }) =>
      findForbidden(syntax, part).filter((line) => !isKnown(text, line)),
    )
    expect(found).toEqual([])
  })

  it('gives addresses to the system in one place only, and takes calls on one channel of one bridge', () => {
    const calls = codeOf('main').flatMap(({ syntax }) => callsIn(syntax))
    expect(calls.filter((one) => one.startsWith('shell.'))).toEqual(['shell.openExternal'])
    // The receiver goes to one file; a second way in would be a call on ipcMain itself.
    expect(calls.filter((one) => /^(ipcMain|receiver)\./.test(one))).toEqual(['receiver.handle'])
    const exposed = codeOf('preload').flatMap(({ syntax }) => callsIn(syntax))
    expect(exposed.filter((one) => one.endsWith('.exposeInMainWorld'))).toHaveLength(1)
  })
})

describe('the rules for built code', () => {
  it.each<[CodePart, string, string]>([
    ['main', 'eval("1")', 'code from a text: eval'],
    ['renderer', 'new Function("return 1")()', 'code from a text: Function'],
    ['main', 'connect({ "rejectUnauthorized": !1 })', 'rejectUnauthorized: false'],
    ['main', 'const env = { x: `ELECTRON_RUN_AS_NODE=1` }', 'the text ELECTRON_RUN_AS_NODE'],
    ['main', 'open({ webPreferences: { nodeIntegration: !0 } })', 'nodeIntegration: true'],
    ['main', 'import { fork } from "node:child_process"; fork("x")', 'the name fork'],
    ['main', 'import * as children from "node:child_process"; children.fork("x")', 'the name fork'],
    ['main', 'dialog.showSaveDialogSync(w, {})', 'showSaveDialogSync without defaultPath'],
    ['main', 'open({ webPreferences: { partition: "persist:x" } })', 'a session of its own: partition'],
    ['preload', 'import { ipcRenderer } from "electron"', 'a module: ImportDeclaration'],
    ['preload', 'require("node:fs")', 'require(node:fs)'],
    ['preload', 'require(name)', 'require(of something)'],
    ['renderer', 'require("electron")', 'require(electron)'],
  ])('find in %s: %s', (part, text, found) => {
    expect(findForbidden(parseCode(text), part)).toContain(found)
  })
})

describe('the built page', () => {
  it('loads its own files only, and has no script of its own, which the policy would refuse', async () => {
    const page = await app.read('renderer/index.html')
    const addresses = [...page.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address)
    expect(addresses.length).toBeGreaterThan(2)
    expect(addresses.filter((address) => !address.startsWith('./'))).toEqual([])
    const scripts = [...page.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs)]
    expect(scripts.length).toBeGreaterThan(0)
    for (const [, attributes = '', body = ''] of scripts)
      expect([/\bsrc="\.\//.test(attributes), body.trim()]).toEqual([true, ''])
    expect(page).not.toMatch(/\son\w+="/)
  })

  it('states the policy itself, too, for when the header does not come along', async () => {
    const page = await app.read('renderer/index.html')
    const stated = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? ''
    const directives = stated.replaceAll('&#39;', "'").split('; ')
    // A page cannot say of itself who may frame it.
    const wanted = SCREEN_POLICY.split('; ').filter((one) => !one.startsWith('frame-ancestors'))
    expect(directives.toSorted()).toEqual(wanted.toSorted())
    expect(page.indexOf(stated)).toBeLessThan(page.indexOf('<script'))
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
        invoke: (...parameters: unknown[]) => parameters,
        on: (channel: string, listener: Listener) =>
          listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener)),
        removeListener: (channel: string, listener: Listener) => listeners.get(channel)?.delete(listener),
      },
    }
    const require = (name: string): unknown => {
      required.push(name)
      return electron
    }
    const text = await app.read('preload/preload.cjs')
    runInContext(text, createContext({ exports: {}, module: { exports: {} }, require }))
    const send = (channel: string, payload: unknown): void =>
      listeners.get(channel)?.forEach((listener) => listener({ sender: 'not for pages' }, payload))
    return { exposed, required, send }
  }

  it('is one script that requires electron only', async () => {
    expect((await runPreload()).required).toEqual(['electron'])
  })

  it('exposes four functions under one name, and none of Electron’s own', async () => {
    const { exposed } = await runPreload()
    expect([...exposed.keys()]).toEqual(['fundusCourier'])
    const bridge = Object.entries(exposed.get('fundusCourier') ?? {})
    expect(bridge.map(([name, value]) => `${name}: ${typeof value}`)).toEqual(
      ['call', 'onEvent', 'onRoute', 'bytesUrl'].map((name) => `${name}: function`),
    )
  })

  it('calls on one channel, passes events without their sender, and forgets a listener', async () => {
    const { exposed, send } = await runPreload()
    const bridge = exposed.get('fundusCourier')!
    expect(bridge.call('station.status', { a: 1 })).toEqual([
      'fundus-courier:call',
      'station.status',
      { a: 1 },
    ])
    expect(bridge.bytesUrl('report', 'a/b c')).toBe('app://station/bytes/report/a%2Fb%20c')
    const received: unknown[][] = []
    const stop = bridge.onEvent((...all: unknown[]) => received.push(all))
    send('fundus-courier:event', { revision: 1 })
    send('another', { revision: 2 })
    stop()
    send('fundus-courier:event', { revision: 3 })
    expect(received).toEqual([[{ revision: 1 }]])
  })
})
