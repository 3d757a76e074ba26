/**
 * Runs a built main.js as Electron would: provides an `electron`, lets it run to its end, and only then is ready. Loaded
 * by the test in a process of its own; workers of the app inherit nothing of it.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Act } from '../desktop.ts'
import { app, emitOnApp, emitReady } from './app.ts'
import { dialog } from './dialogs.ts'
import {
  becomeReady,
  changeSurroundings,
  order,
  preventable,
  record,
  send,
  start,
  strict,
  takeAnswer,
} from './link.ts'
import { outcomeOf, type Question, type ToApp } from './messages.ts'
import { fetchByHandler, mayRequest, protocol, session } from './sessions.ts'
import { clickInTray, clickNotification, Menu, nativeImage, Notification, Tray } from './signs.ts'
import { nativeTheme, net, powerMonitor, powerSaveBlocker, safeStorage, screen, shell } from './system.ts'
import { utilityProcess } from './utility.ts'
import { allWindows, answerInvoke, BrowserWindow, ipcMain, windowOf } from './windows.ts'

const electron = {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
}
Object.assign(globalThis, { fakeElectron: strict('electron', electron) })
const source = [
  'const { fakeElectron } = globalThis',
  ...Object.keys(electron).map((name) => `export const ${name} = globalThis.fakeElectron.${name}`),
  'export default globalThis.fakeElectron',
  // What `require` gives to packages that are no modules.
  "export { fakeElectron as 'module.exports' }",
].join('\n')

const FOLDER = start.files.folder
const MODULE = 'fake:electron'
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url: MODULE, format: 'module', shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) => {
    if (url === MODULE) return { format: 'module', source, shortCircuit: true }
    if (url.startsWith('file:')) {
      const path = relative(FOLDER, fileURLToPath(url)).replaceAll(sep, '/')
      if (path.startsWith('out/')) record('module', { path })
    }
    return next(url, context)
  },
})

function answer(question: Question): unknown {
  switch (question.kind) {
    case 'invoke':
      return answerInvoke(question)
    case 'mayNavigate': {
      const { window, url, isMainFrame, isRedirect } = question
      const contents = windowOf(window)?.webContents
      const event = Object.assign(preventable(), { url, isMainFrame })
      contents?.emit(isRedirect ? 'will-redirect' : 'will-frame-navigate', event, url, false, isMainFrame)
      record('navigation', { url, isMainFrame, isPrevented: event.defaultPrevented })
      return !event.defaultPrevented
    }
    case 'mayOpen':
      return windowOf(question.window)?.webContents.mayOpen(question.url)
    case 'mayRequest':
      return mayRequest(question.url)
    case 'fetch':
      return fetchByHandler(question)
    case 'act':
      return perform(question.act)
  }
}

const POWER_EVENTS = { suspend: 'suspend', resume: 'resume', lock: 'lock-screen', unlock: 'unlock-screen' }

/** What a person or the system does to the app. */
async function perform(act: Act): Promise<void> {
  switch (act.kind) {
    case 'secondInstance':
      return void emitOnApp('second-instance', preventable(), [process.argv[0]], FOLDER, null)
    case 'closeWindow':
      return allWindows().forEach((window) => window.close())
    case 'quit':
      return app.quit()
    case 'suspend':
    case 'resume':
    case 'lock':
    case 'unlock':
      return void powerMonitor.emit(POWER_EVENTS[act.kind])
    case 'shutdown':
      return void powerMonitor.emit('shutdown', preventable())
    case 'sessionEnd':
      for (const event of ['query-session-end', 'session-end'])
        for (const window of allWindows()) window.emit(event, { ...preventable(), reasons: ['shutdown'] })
      return
    case 'rendererGone':
      for (const { id } of allWindows()) await order({ kind: 'crash', window: id })
      return
    case 'bug':
      setImmediate(() => {
        throw new TypeError('H-00017 stumbled')
      })
      return
    case 'menuClick':
      return clickInTray(act.labels)
    case 'notificationClick':
      return clickNotification(act.id)
    case 'surroundings':
      return changeSurroundings(act.changes)
  }
}

process.on('message', (message: ToApp) => {
  switch (message.kind) {
    case 'question':
      return void outcomeOf(() => answer(message.question)).then((outcome) =>
        send({ kind: 'answer', number: message.number, answer: outcome }),
      )
    case 'answer':
      return takeAnswer(message)
    case 'pageEvent':
      return windowOf(message.window)?.take(message.event)
  }
})
// Without its test no one ends the app.
process.on('disconnect', () => process.exit(1))

Object.defineProperty(process.versions, 'electron', { value: start.electronVersion, enumerable: true })
Object.assign(process, {
  type: 'browser',
  resourcesPath: start.files.resourcesFolder ?? join(FOLDER, '..'),
  ...(!start.files.isPackaged && { defaultApp: true }),
})
process.argv = [process.execPath, ...(start.files.isPackaged ? [] : [FOLDER]), ...process.argv.slice(2)]

const tooLate = setTimeout(() => {
  process.stderr.write(
    'main.js does not come to its end: what it awaits at its top would never come in Electron\n',
  )
  process.exit(70)
}, 30_000)
const { main } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as { readonly main: string }
await import(pathToFileURL(join(FOLDER, main)).href)
clearTimeout(tooLate)
becomeReady()
emitReady()
