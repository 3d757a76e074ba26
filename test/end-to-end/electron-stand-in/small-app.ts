/** An app of a few lines for the tests of the stand-in itself: what the product does right must be seen to go wrong, too. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { AppFiles } from './desktop.ts'

/** What a page may do where nobody forbids it; each part can be replaced. */
const OPEN_WINDOW = `
import { app, BrowserWindow, ipcMain, protocol, session } from 'electron'
import { join } from 'node:path'
protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
app.whenReady().then(async () => {
  const pages = { '/index.html': '<h1>First</h1><script>window.ranInline = true</script>', '/other.html': '<h1>Other</h1>' }
  protocol.handle('app', (request) => new Response(pages[new URL(request.url).pathname], { headers: { 'Content-Type': 'text/html', ...HEADERS } }))
  ipcMain.handle('echo', (event, word) => ({ word, from: event.senderFrame.url.split('/') }))
  ipcMain.handle('function', () => ({ no: () => 1 }))
  const window = new BrowserWindow({ webPreferences: { preload: join(import.meta.dirname, 'preload.cjs') } })
  GUARDS
  await window.loadURL('app://station/index.html')
})
`
const PRELOAD = `
const { contextBridge, ipcRenderer } = require('electron')
contextBridge.exposeInMainWorld('bridge', {
  invoke: (...words) => ipcRenderer.invoke(...words),
  address: (name) => 'app://station/' + name,
  twice: (call) => call(2) * 2,
  later: () => new Promise((_resolve, reject) => setTimeout(() => reject(Object.assign(new Error('words'), { code: 'lost' })), 10)),
  nothing: { at: { all: 'deep' } },
})
`

export type SmallApp = { readonly main?: string; readonly guards?: string; readonly headers?: string }

/** Writes the app into a folder that goes with the test. */
export async function smallApp({
  main = OPEN_WINDOW,
  guards = '',
  headers = '{}',
}: SmallApp = {}): Promise<AppFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'fundus-courier-small-app-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'out'))
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'small', version: '3.2.1', type: 'module', main: 'out/main.js' }),
  )
  await writeFile(join(folder, 'out', 'main.js'), main.replace('GUARDS', guards).replace('HEADERS', headers))
  await writeFile(join(folder, 'out', 'preload.cjs'), PRELOAD)
  return { folder, isPackaged: true }
}
