/**
 * What `electron` is in the specs of its host: nothing. A spec tests decisions, or replaces what it needs by `vi.mock`;
 * whatever else is touched is named.
 */
function missing(name: string): never {
  throw new Error(`this spec uses Electron's ${name} and does not replace it`)
}

// A function, because the sources may call, create and extend it.
const without = (name: string): unknown =>
  new Proxy(function electron() {}, {
    get: () => missing(name),
    apply: () => missing(name),
    construct: () => missing(name),
  })

export const app = without('app')
export const BrowserWindow = without('BrowserWindow')
export const contextBridge = without('contextBridge')
export const dialog = without('dialog')
export const ipcMain = without('ipcMain')
export const ipcRenderer = without('ipcRenderer')
export const Menu = without('Menu')
export const nativeImage = without('nativeImage')
export const nativeTheme = without('nativeTheme')
export const net = without('net')
export const Notification = without('Notification')
export const powerMonitor = without('powerMonitor')
export const powerSaveBlocker = without('powerSaveBlocker')
export const protocol = without('protocol')
export const safeStorage = without('safeStorage')
export const screen = without('screen')
export const session = without('session')
export const shell = without('shell')
export const Tray = without('Tray')
export const utilityProcess = without('utilityProcess')
