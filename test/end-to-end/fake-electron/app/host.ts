/**
 * Runs a built main.js as Electron would: gives it an `electron`, lets it run to its end, and only then is ready. Loaded
 * by the test in a process of its own; workers of the app inherit nothing of it.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { perform } from './acts.ts'
import { dialog } from './dialogs.ts'
import { offerDownload } from './downloads.ts'
import { loud } from './loud.ts'
import { answerInvoke, ipcMain, takeMessage } from './main-ipc.ts'
import type { Question, ToApp } from './messages.ts'
import { Menu, MenuItem, nativeImage } from './pictures-and-menus.ts'
import { safeStorage } from './safe-storage.ts'
import { handlerOf, mayRequest, protocol, session } from './sessions.ts'
import { becomeReady, outcomeOf, record, start, takeAnswer, tell } from './stage.ts'
import {
  autoUpdater,
  clipboard,
  crashReporter,
  globalShortcut,
  nativeTheme,
  net,
  powerMonitor,
  powerSaveBlocker,
  screen,
  shell,
} from './system.ts'
import { app, preventable, tellReady } from './the-app.ts'
import { Notification, Tray } from './tray-and-notices.ts'
import { BrowserWindow, windowOf } from './windows.ts'

const electron = {
  app,
  autoUpdater,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  MenuItem,
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
}
Object.assign(globalThis, { standInForElectron: loud('electron', electron) })
const names = Object.keys(electron)
const source = [
  'const { standInForElectron } = globalThis',
  ...names.map((name) => `export const ${name} = globalThis.standInForElectron.${name}`),
  'export default globalThis.standInForElectron',
  // What `require` gives to packages that are no modules.
  "export { standInForElectron as 'module.exports' }",
].join('\n')

const FOLDER = start.files.folder
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url: 'stand-in:electron', format: 'module', shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) => {
    if (url === 'stand-in:electron') return { format: 'module', source, shortCircuit: true }
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
      return answerInvoke(question.window, question.frame, question.channel, question.parameters)
    case 'mayNavigate': {
      const { window, url, isMainFrame, isRedirect } = question
      const contents = windowOf(window)?.webContents
      const event = Object.assign(preventable(), { url, isMainFrame, isSameDocument: false })
      if (isRedirect) contents?.emit('will-redirect', event, url, false, isMainFrame)
      else contents?.emit('will-frame-navigate', event)
      if (isMainFrame && !isRedirect) contents?.emit('will-navigate', event, url)
      record('navigation', { url, isMainFrame, isPrevented: event.defaultPrevented })
      return !event.defaultPrevented
    }
    case 'mayOpen':
      return windowOf(question.window)?.webContents.mayOpen(question)
    case 'download':
      return offerDownload(question)
    case 'mayRequest':
      return mayRequest(question.url, question.method, question.resourceType)
    case 'fetch':
      return fetchByHandler(question)
    case 'act':
      return perform(question.act)
  }
}

async function fetchByHandler({
  address,
  method,
  headers,
  body,
}: Extract<Question, { kind: 'fetch' }>): Promise<unknown> {
  const handler = handlerOf(address.split(':')[0] ?? '')
  if (!handler) throw new Error(`nothing handles ${address}`)
  const response = await handler(new Request(address, { method, headers, ...(body !== null && { body }) }))
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  }
}

process.on('message', (message: ToApp) => {
  switch (message.kind) {
    case 'question':
      return void outcomeOf(() => answer(message.question)).then((outcome) =>
        tell({ kind: 'answer', number: message.number, answer: outcome }),
      )
    case 'answer':
      return takeAnswer(message)
    case 'pageEvent':
      return windowOf(message.window)?.hear(message.event)
    case 'message':
      return takeMessage(message.window, message.frame, message.channel, message.parameters)
  }
})
// An app without its test has nobody to end it.
process.on('disconnect', () => process.exit(1))

Object.defineProperty(process.versions, 'electron', { value: start.electronVersion, enumerable: true })
Object.defineProperty(process.versions, 'chrome', { value: 'stand-in', enumerable: true })
Object.assign(process, {
  type: 'browser',
  resourcesPath: start.files.resourcesFolder ?? join(FOLDER, '..'),
  ...(!start.files.isPackaged && { defaultApp: true }),
})
const parameters = process.argv.slice(2)
process.argv = [process.execPath, ...(start.files.isPackaged ? [] : [FOLDER]), ...parameters]

const tooLate = setTimeout(() => {
  process.stderr.write(
    'main.js does not come to its end: what it awaits at its top would never come in Electron\n',
  )
  process.exit(70)
}, start.mainWithinMs)
const { main } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as { readonly main: string }
await import(pathToFileURL(join(FOLDER, main)).href)
clearTimeout(tooLate)
becomeReady()
tellReady()
