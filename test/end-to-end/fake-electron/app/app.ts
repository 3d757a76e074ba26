/** `app`: paths, names, the lock, and the order of the end. */
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { takeLock } from './instance-lock.ts'
import { isReady, needsNotReady, needsReady, preventable, record, start, strict } from './link.ts'

type Package = { readonly name: string; readonly productName?: string; readonly version: string }
const manifest = JSON.parse(readFileSync(join(start.files.folder, 'package.json'), 'utf8')) as Package

const home = dirname(start.userData)
// Nothing of the tester's own home is read or written.
if (home === homedir()) throw new Error('the folder for user data must not lie in the home of the tester')
const paths: Record<string, string> = {
  home,
  appData: home,
  userData: start.userData,
  temp: tmpdir(),
  exe: process.execPath,
  documents: join(home, 'Documents'),
  logs: join(start.userData, 'logs'),
}

/** Set by the windows. `closeAll` is true if none was left open. */
export const windowsOfApp = {
  closeAll: (): boolean => true,
  destroyAll: (): void => undefined,
  count: (): number => 0,
}

const LOCALE = 'en-US'
const ready = Promise.withResolvers<void>()
const switches = new Map<string, string>()
let isFirst: boolean | null = null
let opensAtLogin = false
let isQuitting = false

const recorded =
  (what: string, isEarly = false) =>
  (...parameters: unknown[]): void => {
    if (isEarly) needsNotReady(`app.${what}`)
    record('app', { what, parameters })
  }

function end(code: number): never {
  isQuitting = true
  windowsOfApp.destroyAll()
  theApp.emit('quit', preventable(), code)
  process.disconnect()
  process.exit(code)
}

function continueQuitting(): void {
  const last = preventable()
  theApp.emit('will-quit', last)
  if (last.defaultPrevented) isQuitting = false
  else end(0)
}

/** Called when the last window is gone. */
export function noWindowIsLeft(): void {
  if (isQuitting) return continueQuitting()
  // Without a listener the app quits, as in Electron.
  if (!theApp.emit('window-all-closed')) theApp.quit()
}

/** `--name=value` or `--name` on the app's own line, as Chromium reads it. */
function switchOf(name: string): string | null {
  const found = process.argv.find((one) => one === `--${name}` || one.startsWith(`--${name}=`))
  return found === undefined ? null : found.slice(name.length + 3)
}

const theApp = Object.assign(new EventEmitter(), {
  isPackaged: start.files.isPackaged,
  dock: undefined,
  commandLine: strict('app.commandLine', {
    appendSwitch: (name: string, value = '') => void switches.set(name, value),
    hasSwitch: (name: string) => switches.has(name) || switchOf(name) !== null,
    getSwitchValue: (name: string) => switches.get(name) ?? switchOf(name) ?? '',
  }),
  whenReady: () => ready.promise,
  enableSandbox: recorded('enableSandbox', true),
  setAppUserModelId: recorded('setAppUserModelId'),
  getName: () => manifest.productName ?? manifest.name,
  getVersion: () => manifest.version,
  getAppPath: () => start.files.folder,
  getLocale: () => (isReady() ? LOCALE : ''),
  getPreferredSystemLanguages: () => [LOCALE],
  getPath(name: string) {
    const path = paths[name]
    if (path === undefined) throw new Error(`Failed to get '${name}' path`)
    return path
  },
  setPath(name: string, path: string) {
    if (!isAbsolute(path)) throw new Error('Path must be absolute')
    paths[name] = path
    recorded('setPath')(name, path)
  },
  requestSingleInstanceLock() {
    if (isFirst === true) return true
    isFirst = takeLock(paths['userData'] ?? '', (parameters) =>
      theApp.emit('second-instance', preventable(), [...parameters], start.files.folder, null),
    )
    record('lock', { isFirst })
    return isFirst
  },
  getLoginItemSettings: () => ({
    openAtLogin: opensAtLogin,
    wasOpenedAtLogin: false,
    executableWillLaunchAtLogin: opensAtLogin,
  }),
  setLoginItemSettings(settings: { readonly openAtLogin?: boolean }) {
    // Linux has no such thing, and Electron does nothing there; the request is recorded on every system.
    if (process.platform !== 'linux') opensAtLogin = settings.openAtLogin ?? false
    record('loginItem', { ...settings })
  },
  setBadgeCount(count = 0) {
    record('badge', { count })
    return true
  },
  relaunch: (options: { readonly args?: readonly string[] } = {}) =>
    record('relaunch', { parameters: options.args ?? null }),
  quit() {
    if (isQuitting) return
    const event = preventable()
    theApp.emit('before-quit', event)
    if (event.defaultPrevented) return
    isQuitting = true
    if (windowsOfApp.count() === 0) return continueQuitting()
    if (!windowsOfApp.closeAll()) isQuitting = false
  },
  exit: (code = 0) => end(code),
})

export const app = strict('app', theApp)
export const emitOnApp = (event: string, ...parameters: unknown[]): boolean =>
  theApp.emit(event, ...parameters)

/** main.js has run to its end, and nothing waits for it. */
export function emitReady(): void {
  needsReady('whenReady')
  ready.resolve()
  theApp.emit('ready', preventable(), {})
}
