/** Power, screens, colours, the shell and the network: what the computer around the app says and takes. */
import { EventEmitter } from 'node:events'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { loud } from './loud.ts'
import { around, needsReady, order, record } from './stage.ts'

export const powerEvents = new EventEmitter()
export const powerMonitor = loud(
  'powerMonitor',
  Object.assign(powerEvents, {
    getSystemIdleTime: () => around().idleSeconds,
    getSystemIdleState: (seconds: number) =>
      around().isLocked ? 'locked' : around().idleSeconds >= seconds ? 'idle' : 'active',
    getCurrentThermalState: () => 'unknown',
    isOnBatteryPower: () => around().isOnBattery,
    get onBatteryPower() {
      return around().isOnBattery
    },
  }),
)

const blockers = new Map<number, string>()
let lastBlocker = 0
export const powerSaveBlocker = loud('powerSaveBlocker', {
  start(type: string) {
    const id = ++lastBlocker
    blockers.set(id, type)
    record('powerSave', { what: 'started', id, type })
    return id
  },
  stop(id: number) {
    record('powerSave', { what: 'stopped', id, type: blockers.get(id) ?? 'none' })
    return blockers.delete(id)
  },
  isStarted: (id: number) => blockers.has(id),
})

const display = (
  area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  index: number,
) => ({
  id: index + 1,
  bounds: area,
  workArea: area,
  size: { width: area.width, height: area.height },
  workAreaSize: { width: area.width, height: area.height },
  scaleFactor: 1,
  rotation: 0,
})
const displays = () => {
  needsReady('screen')
  return around().displays.map(display)
}
export const screenEvents = new EventEmitter()
export const screen = loud(
  'screen',
  Object.assign(screenEvents, {
    getAllDisplays: displays,
    getPrimaryDisplay: () => displays()[0],
    getDisplayMatching: () => displays()[0],
    getDisplayNearestPoint: () => displays()[0],
    getCursorScreenPoint: () => ({ x: 0, y: 0 }),
  }),
)

export const themeEvents = new EventEmitter()
export const nativeTheme = loud(
  'nativeTheme',
  Object.assign(themeEvents, {
    themeSource: 'system',
    shouldUseHighContrastColors: false,
    shouldUseInvertedColorScheme: false,
    inForcedColorsMode: false,
    prefersReducedTransparency: false,
    shouldUseDarkColors: false,
  }),
)
Object.defineProperty(themeEvents, 'shouldUseDarkColors', { get: () => around().isDark })
export function becomeDark(isDark: boolean): void {
  void order({ kind: 'dark', isDark }).catch(() => undefined)
  themeEvents.emit('updated')
}

export const shell = loud('shell', {
  openExternal(url: string) {
    record('openExternal', { url })
    return Promise.resolve()
  },
  openPath(path: string) {
    record('openExternal', { url: path })
    return Promise.resolve('')
  },
  showItemInFolder: (path: string) => record('openExternal', { url: path }),
  beep: () => undefined,
})

type NetOptions = {
  readonly url?: string
  readonly protocol?: string
  readonly session?: unknown
  readonly redirect?: string
}
export const net = loud('net', {
  fetch(url: string, init?: RequestInit) {
    needsReady('net.fetch')
    return fetch(url, init)
  },
  /** Node's own request: near enough for a program that streams a download. */
  request(given: string | NetOptions) {
    needsReady('net.request')
    const {
      session: _session,
      redirect: _redirect,
      url,
      ...rest
    } = typeof given === 'string' ? { url: given } : given
    const protocol = url === undefined ? (rest.protocol ?? 'https:') : new URL(url).protocol
    const send = protocol === 'http:' ? requestHttp : requestHttps
    return url === undefined ? send(rest) : send(url, rest)
  },
  isOnline: () => true,
  online: true,
})

let copied = ''
export const clipboard = loud('clipboard', {
  writeText: (text: string) => Promise.resolve(void (copied = text)),
  readText: () => Promise.resolve(copied),
})

export const autoUpdater = loud(
  'autoUpdater',
  Object.assign(new EventEmitter(), {
    setFeedURL: () => undefined,
    getFeedURL: () => '',
    checkForUpdates: () => undefined,
    quitAndInstall: () => undefined,
  }),
)

export const crashReporter = loud('crashReporter', {
  start: () => record('app', { what: 'crashReporter.start', parameters: [] }),
  getUploadToServer: () => false,
  setUploadToServer: () => undefined,
  addExtraParameter: () => undefined,
  getCrashesDirectory: () => '',
})

export const globalShortcut = loud('globalShortcut', {
  register: () => true,
  unregister: () => undefined,
  unregisterAll: () => undefined,
  isRegistered: () => false,
})
