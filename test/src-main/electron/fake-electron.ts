/**
 * Loaded with `--import` before a built main.js: gives it an `electron` that shows nothing. It tells the parent
 * process what main.js does, and does what the parent says a person or the system did.
 */
import { EventEmitter } from 'node:events'
import { registerHooks } from 'node:module'
import type { CallEvent } from '../../../src-main/electron/ipc-host.ts'
import type { FromApp, ToApp } from './run-built-app.ts'

const tell = (message: FromApp): void => void process.send?.(message)
const did = (what: string): void => tell({ kind: 'did', what })

let answerCall: (event: CallEvent, name: string, input: unknown) => Promise<unknown>
let serve: (request: Request) => Promise<Response>
const windows: EventEmitter[] = []

class FakeContents extends EventEmitter {
  setWindowOpenHandler(): void {
    did('guard the window')
  }
  send(channel: string, event: { readonly name: string }): void {
    did(`send ${channel} ${structuredClone(event).name}`)
  }
  isDestroyed = (): boolean => false
  isLoading = (): boolean => false
  getURL = (): string => 'app://station/index.html'
  reload = (): void => did('reload')
}

class FakeWindow extends EventEmitter {
  readonly webContents = new FakeContents()
  constructor({ webPreferences }: { readonly webPreferences: { readonly preload: string } }) {
    super()
    did(`open a window with ${webPreferences.preload.split(/[\\/]/).slice(-3).join('/')}`)
    windows.push(this)
    app.emit('web-contents-created', {}, this.webContents)
  }
  loadURL(address: string): Promise<void> {
    did(`load ${address}`)
    setImmediate(() => this.emit('ready-to-show'))
    return Promise.resolve()
  }
  show = (): void => did('show')
  hide = (): void => did('hide')
  focus = (): void => undefined
  isMinimized = (): boolean => false
  isVisible = (): boolean => true
  isDestroyed = (): boolean => false
  setProgressBar = (): void => undefined
  setOverlayIcon = (): void => undefined
  getNormalBounds = () => ({ x: 10, y: 20, width: 900, height: 700 })
}

class FakeTray extends EventEmitter {
  setToolTip = (words: string): void => did(`tray: ${words}`)
  setContextMenu = (): void => undefined
  setImage = (): void => undefined
  setTitle = (): void => undefined
  isDestroyed = (): boolean => false
  destroy = (): void => did('remove the tray')
}

const app = Object.assign(new EventEmitter(), {
  isPackaged: true,
  enableSandbox: () => did('enable the sandbox'),
  setAppUserModelId: () => undefined,
  setBadgeCount: () => true,
  commandLine: { hasSwitch: () => false },
  getPath: () => process.env['USER_DATA'],
  getAppPath: () => process.env['APP_PATH'],
  getVersion: () => '1.2.3',
  getPreferredSystemLanguages: () => ['en-GB'],
  requestSingleInstanceLock: () => process.env['LOCK'] !== 'taken',
  whenReady: () => Promise.resolve(),
  getLoginItemSettings: () => ({ openAtLogin: false }),
  setLoginItemSettings: ({ openAtLogin }: { readonly openAtLogin: boolean }) =>
    did(`start at login: ${openAtLogin}`),
  relaunch: () => did('relaunch'),
  exit: (code: number) => {
    app.emit('quit')
    did(`exit ${code}`)
    process.disconnect()
    process.exit(code)
  },
})

const defaultSession = Object.assign(new EventEmitter(), {
  setPermissionRequestHandler: () => did('deny permissions'),
  setPermissionCheckHandler: () => undefined,
  setDevicePermissionHandler: () => undefined,
  setSpellCheckerEnabled: () => undefined,
  webRequest: { onBeforeRequest: () => did('close the network of the pages') },
  resolveProxy: () => Promise.resolve('DIRECT'),
})

const electron: Readonly<Record<string, unknown>> = {
  app,
  BrowserWindow: FakeWindow,
  dialog: {
    showErrorBox: (_title: string, message: string) => did(`say: ${message}`),
    showMessageBox: ({ message }: { readonly message: string }) => {
      did(`say: ${message}`)
      return Promise.resolve({ response: 0 })
    },
  },
  ipcMain: { handle: (_channel: string, listener: typeof answerCall) => (answerCall = listener) },
  Menu: { setApplicationMenu: () => undefined, buildFromTemplate: () => ({}) },
  nativeImage: { createFromPath: (path: string) => path },
  nativeTheme: { shouldUseDarkColors: true },
  net: {},
  Notification: class extends EventEmitter {
    static isSupported = (): boolean => false
  },
  powerMonitor: new EventEmitter(),
  powerSaveBlocker: { start: () => 1, stop: () => true },
  protocol: {
    registerSchemesAsPrivileged: () => did('register the scheme'),
    handle: (_scheme: string, handler: typeof serve) => (serve = handler),
  },
  safeStorage: {
    getSelectedStorageBackend: () => 'basic_text',
    isAsyncEncryptionAvailable: () => Promise.resolve(false),
  },
  screen: {
    getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1_920, height: 1_040 } }],
    getPrimaryDisplay: () => ({ scaleFactor: 1 }),
  },
  session: { defaultSession },
  shell: { openExternal: () => Promise.resolve() },
  Tray: FakeTray,
}
Object.assign(globalThis, { fakeElectron: electron })
const source = Object.keys(electron).map((name) => `export const ${name} = globalThis.fakeElectron.${name}`)

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: 'fake:electron', shortCircuit: true } : next(specifier, context),
  load: (url, context, next) => {
    if (url === 'fake:electron') return { format: 'module', source: source.join('\n'), shortCircuit: true }
    const built = url.split('/out/main/')[1]
    if (built !== undefined) did(`read ${built.replace(/-[\w-]{8}\.js$/, '')}`)
    return next(url, context)
  },
})

process.on('message', (message: ToApp) => void obey(message))

async function obey(message: ToApp): Promise<void> {
  switch (message.kind) {
    case 'call': {
      const event = { senderFrame: { url: 'app://station/index.html', parent: null } }
      return tell({ kind: 'answer', answer: await answerCall(event, message.name, message.input) })
    }
    case 'fetch': {
      const response = await serve(new Request(message.address))
      return tell({ kind: 'answer', answer: { status: response.status, text: await response.text() } })
    }
    case 'closeWindow':
      return void windows[0]?.emit('close', { preventDefault: () => did('keep the window') })
    case 'fail':
      // Outside of every promise, as a bug in a listener is.
      return void setImmediate(() => {
        throw new TypeError('H-00017')
      })
    case 'startAgain':
      return void app.emit('second-instance', {}, [])
    case 'quit':
      return void app.emit('before-quit', { preventDefault: () => did('put off the end') })
  }
}
