/** `session` and `protocol`: the one session, its permissions, proxies and schemes. */
import { EventEmitter } from 'node:events'
import { loud, unknownMember } from './loud.ts'
import { serveScheme, type Handler } from './serve-scheme.ts'
import { around, isReady, needsNotReady, needsReady, order, record, tell } from './stage.ts'

/** What Electron asks for, as far as a page can ask for it in a browser without devices. */
const PERMISSIONS = [
  'clipboard-read',
  'clipboard-sanitized-write',
  'display-capture',
  'fullscreen',
  'geolocation',
  'idle-detection',
  'media',
  'midi',
  'notifications',
  'pointerLock',
  'storage-access',
]

type RequestHandler = (
  contents: unknown,
  permission: string,
  answer: (isGranted: boolean) => void,
  details: object,
) => void
type CheckHandler = (contents: unknown, permission: string, origin: string, details: object) => boolean

let onRequest: RequestHandler | null = null
let onCheck: CheckHandler | null = null

/** Electron grants what nobody forbids. The browser is told anew whenever a handler is set. */
function tellPermissions(): void {
  const details = { isMainFrame: true, requestingUrl: 'app://station/index.html' }
  const granted = PERMISSIONS.filter((permission) => {
    let isGranted = onRequest === null
    onRequest?.(null, permission, (answer) => void (isGranted = answer), details)
    const isChecked = onCheck?.(null, permission, 'app://station', details) ?? true
    record('permission', { permission, isGranted: isGranted && isChecked })
    return isGranted && isChecked
  })
  void order({ kind: 'permissions', granted }).catch(() => undefined)
}

const handlers = new Map<string, { readonly handler: Handler; readonly close: () => void }>()
const privileged = new Set<string>()

const protocolOfSession = loud('protocol', {
  registerSchemesAsPrivileged(
    schemes: readonly { readonly scheme: string; readonly privileges?: Record<string, boolean> }[],
  ) {
    needsNotReady('protocol.registerSchemesAsPrivileged')
    for (const { scheme, privileges = {} } of schemes) {
      privileged.add(scheme)
      record('scheme', { scheme, privileges })
    }
  },
  handle(scheme: string, handler: Handler) {
    needsReady('protocol.handle')
    if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`)
    if (!privileged.has(scheme))
      throw new Error(
        `The stand-in for electron plays standard schemes only, and ${scheme} was not registered as one`,
      )
    handlers.set(scheme, {
      handler,
      close: serveScheme(scheme, handler, (port) => tell({ kind: 'scheme', scheme, port })),
    })
  },
  unhandle(scheme: string) {
    handlers.get(scheme)?.close()
    handlers.delete(scheme)
  },
  isProtocolHandled: (scheme: string) => handlers.has(scheme),
})

export function handlerOf(scheme: string): Handler | undefined {
  return handlers.get(scheme)?.handler
}

type RequestListener = (
  details: { readonly url: string; readonly method: string; readonly resourceType: string },
  answer: (response: { readonly cancel?: boolean }) => void,
) => void
let onBeforeRequest: RequestListener | null = null

/** Whether a page may load this; asked for what is not of the app's own scheme. */
export function mayRequest(url: string, method: string, resourceType: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  if (onBeforeRequest === null) resolve(true)
  else onBeforeRequest({ url, method, resourceType }, ({ cancel }) => resolve(cancel !== true))
  return promise.then((isAllowed) => {
    record('request', { url, isCancelled: !isAllowed })
    return isAllowed
  })
}

const webRequest = loud('webRequest', {
  onBeforeRequest(listener: RequestListener | null, ...more: readonly unknown[]) {
    if (more.length > 0) unknownMember('webRequest.onBeforeRequest with a filter')
    onBeforeRequest = listener
    record('app', { what: 'onBeforeRequest', parameters: [] })
  },
})

export const defaultSession = loud(
  'session',
  Object.assign(new EventEmitter(), {
    protocol: protocolOfSession,
    webRequest,
    setPermissionRequestHandler(handler: RequestHandler | null) {
      onRequest = handler
      tellPermissions()
    },
    setPermissionCheckHandler(handler: CheckHandler | null) {
      onCheck = handler
      tellPermissions()
    },
    setDevicePermissionHandler: () => undefined,
    setDisplayMediaRequestHandler: () => undefined,
    setBluetoothPairingHandler: () => undefined,
    setUSBProtectedClassesHandler: () => undefined,
    setCertificateVerifyProc: () => undefined,
    setSpellCheckerEnabled: () => undefined,
    setUserAgent: () => undefined,
    setSSLConfig: () => undefined,
    clearCache: () => Promise.resolve(),
    clearStorageData: () => Promise.resolve(),
    closeAllConnections: () => Promise.resolve(),
    forceReloadProxyConfig: () => Promise.resolve(),
    setProxy: () => Promise.resolve(),
    resolveProxy(url: string) {
      const found = Object.entries(around().proxies).find(([start]) => url.startsWith(start))
      const answer = found?.[1] ?? 'DIRECT'
      record('proxy', { url, answer })
      return Promise.resolve(answer)
    },
    fetch: (url: string, init?: RequestInit) => fetch(url, init),
    getStoragePath: () => null,
  }),
)

/** The same as the session's, except that before `ready` only the registering is there. */
export const protocol = protocolOfSession

export const session = loud('session module', {
  get defaultSession() {
    if (!isReady()) throw new Error('Session can only be received when app is ready')
    return defaultSession
  },
  // electron-updater keeps its downloads apart; nothing of ours is registered there.
  fromPartition: () => {
    needsReady('session.fromPartition')
    return defaultSession
  },
})
