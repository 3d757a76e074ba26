/** `app`: paths, names, the lock, and the order of the end. */
import { EventEmitter } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { ownStart, takeLock } from './instance-lock.ts'
import { loud } from './loud.ts'
import { around, isReady, needsNotReady, needsReady, record, start } from './stage.ts'

type Package = { readonly name: string; readonly productName?: string; readonly version: string }
const about = JSON.parse(readFileSync(join(start.files.folder, 'package.json'), 'utf8')) as Package

const home = dirname(start.userData)
const paths: Record<string, string> = {
  home,
  appData: home,
  userData: start.userData,
  sessionData: start.userData,
  temp: tmpdir(),
  exe: process.execPath,
  module: process.execPath,
  desktop: join(home, 'Desktop'),
  documents: join(home, 'Documents'),
  downloads: join(home, 'Downloads'),
  pictures: join(home, 'Pictures'),
  logs: join(start.userData, 'logs'),
  crashDumps: join(start.userData, 'Crashpad'),
}
// A home that is not the tester's own: nothing of this machine is read or written.
if (home === homedir()) throw new Error('the folder for user data must not lie in the home of whoever tests')

export type Preventable = { preventDefault(): void; readonly defaultPrevented: boolean }
export function preventable(): Preventable {
  let isPrevented = false
  return {
    preventDefault: () => void (isPrevented = true),
    get defaultPrevented() {
      return isPrevented
    },
  }
}

/** Set by the windows: closes all, and says whether one was kept. */
export const windowsOfApp = {
  closeAll: (): boolean => true,
  destroyAll: (): void => undefined,
  count: (): number => 0,
}

const ready = Promise.withResolvers<void>()
const switches = new Map<string, string>()
let isFirst: boolean | null = null
let badgeCount = 0
let opensAtLogin: boolean | null = null
let isQuitting = false
let name = about.productName ?? about.name

const settings =
  (what: string, isEarly = false) =>
  (...parameters: unknown[]): void => {
    if (isEarly) needsNotReady(`app.${what}`)
    record('app', {
      what,
      parameters: parameters.map((word) => (typeof word === 'object' ? JSON.stringify(word) : word)),
    })
  }

function end(code: number): never {
  isQuitting = true
  windowsOfApp.destroyAll()
  theApp.emit('quit', preventable(), code)
  record('quit', { what: 'quit', isPrevented: false })
  record('exit', { code })
  process.disconnect()
  process.exit(code)
}

function goOnQuitting(): void {
  const last = preventable()
  theApp.emit('will-quit', last)
  record('quit', { what: 'will-quit', isPrevented: last.defaultPrevented })
  if (last.defaultPrevented) isQuitting = false
  else end(0)
}

/** The last window is gone. */
export function noWindowIsLeft(): void {
  if (isQuitting) return goOnQuitting()
  // Nobody listening means that the app quits, as in Electron.
  if (!theApp.emit('window-all-closed')) theApp.quit()
}

const theApp = Object.assign(new EventEmitter(), {
  isPackaged: start.files.isPackaged,
  name,
  applicationMenu: null,
  dock: undefined,
  runningUnderARM64Translation: false,
  commandLine: loud('app.commandLine', {
    appendSwitch(switchName: string, value?: string) {
      switches.set(switchName, value ?? '')
      record('commandLine', { name: switchName, value: value ?? null })
    },
    appendArgument: (value: string) => record('commandLine', { name: '', value }),
    hasSwitch: (switchName: string) => switches.has(switchName) || wordOf(switchName) !== null,
    getSwitchValue: (switchName: string) => switches.get(switchName) ?? wordOf(switchName) ?? '',
    removeSwitch: (switchName: string) => void switches.delete(switchName),
  }),
  isReady,
  whenReady: () => ready.promise,
  enableSandbox: settings('enableSandbox', true),
  disableHardwareAcceleration: settings('disableHardwareAcceleration', true),
  disableDomainBlockingFor3DAPIs: settings('disableDomainBlockingFor3DAPIs', true),
  isHardwareAccelerationEnabled: () => false,
  setAppUserModelId: settings('setAppUserModelId'),
  setDesktopName: settings('setDesktopName'),
  setAboutPanelOptions: settings('setAboutPanelOptions'),
  setUserTasks: settings('setUserTasks'),
  setJumpList: settings('setJumpList'),
  setAsDefaultProtocolClient: settings('setAsDefaultProtocolClient'),
  setActivationPolicy: settings('setActivationPolicy'),
  setAccessibilitySupportEnabled: settings('setAccessibilitySupportEnabled'),
  setProxy: (...parameters: unknown[]) => Promise.resolve(settings('setProxy')(...parameters)),
  getName: () => name,
  setName: (wanted: string) => void (name = wanted),
  getVersion: () => about.version,
  getAppPath: () => start.files.folder,
  getLocale: () => (isReady() ? around().locale : ''),
  getSystemLocale: () => around().locale,
  getPreferredSystemLanguages: () => [around().locale],
  getLocaleCountryCode: () => around().locale.split('-')[1] ?? '',
  getPath(wanted: string) {
    const path = paths[wanted]
    if (path === undefined) throw new Error(`Failed to get '${wanted}' path`)
    return path
  },
  setPath(wanted: string, path: string) {
    if (!isAbsolute(path)) throw new Error('Path must be absolute')
    paths[wanted] = path
    if (wanted === 'userData') paths['sessionData'] = path
    record('app', { what: 'setPath', parameters: [wanted, path] })
  },
  setAppLogsPath(path?: string) {
    paths['logs'] = path ?? join(paths['userData'] ?? '', 'logs')
    mkdirSync(paths['logs'], { recursive: true })
  },
  requestSingleInstanceLock(data?: unknown) {
    if (isFirst === true) return true
    isFirst = takeLock(paths['userData'] ?? '', ownStart(data), ({ parameters, folder, data: told }) =>
      theApp.emit('second-instance', preventable(), [...parameters], folder, told),
    )
    record('lock', { isFirst })
    return isFirst
  },
  hasSingleInstanceLock: () => isFirst === true,
  releaseSingleInstanceLock: () => void (isFirst = null),
  getLoginItemSettings: () => ({
    openAtLogin: opensAtLogin ?? around().opensAtLogin,
    wasOpenedAtLogin: false,
    executableWillLaunchAtLogin: opensAtLogin ?? around().opensAtLogin,
    launchItems: [],
    status: 'not-registered',
  }),
  setLoginItemSettings(wanted: { readonly openAtLogin?: boolean }) {
    // Linux has no such thing, and Electron does nothing there; the wish is recorded on every system.
    if (process.platform !== 'linux') opensAtLogin = wanted.openAtLogin ?? false
    record('loginItem', { ...wanted })
  },
  setBadgeCount(count = 0) {
    badgeCount = count
    record('badge', { count })
    return true
  },
  getBadgeCount: () => badgeCount,
  focus: () => undefined,
  show: () => undefined,
  hide: () => undefined,
  getGPUFeatureStatus: () => ({ gpu_compositing: 'disabled_software' }),
  getGPUInfo: () => Promise.resolve({}),
  getAppMetrics: () => [
    { pid: process.pid, type: 'Browser', memory: { workingSetSize: process.memoryUsage().rss / 1024 } },
  ],
  relaunch(options: { readonly args?: readonly string[]; readonly execPath?: string } = {}) {
    record('relaunch', { parameters: options.args ?? null, program: options.execPath ?? null })
  },
  quit() {
    record('quit', { what: 'asked', isPrevented: false })
    if (isQuitting) return
    const event = preventable()
    theApp.emit('before-quit', event)
    record('quit', { what: 'before-quit', isPrevented: event.defaultPrevented })
    if (event.defaultPrevented) return
    isQuitting = true
    if (windowsOfApp.count() === 0) return goOnQuitting()
    if (!windowsOfApp.closeAll()) isQuitting = false
  },
  exit: (code = 0) => end(code),
})

/** `--name=value` or `--name` on the app's own line, as Chromium reads it. */
function wordOf(switchName: string): string | null {
  const word = process.argv.find((one) => one === `--${switchName}` || one.startsWith(`--${switchName}=`))
  return word === undefined ? null : word.slice(switchName.length + 3)
}

export const app = loud('app', theApp)
export const emitOnApp = (event: string, ...parameters: unknown[]): boolean =>
  theApp.emit(event, ...parameters)

/** main.js has run to its end, and nothing waits for it. */
export function tellReady(): void {
  needsReady('whenReady')
  theApp.emit('will-finish-launching')
  ready.resolve()
  theApp.emit('ready', preventable(), {})
}
