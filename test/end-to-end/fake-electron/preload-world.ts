import type { FromPreload, makeCrossing, WorldNames } from './crossing.ts'

/** Runs in the preload's world: gives it the little that a sandboxed preload may require, and runs it. */
export function inPreload(
  names: WorldNames,
  cross: typeof makeCrossing,
  preload: (require: (name: string) => unknown, module: object, exports: object, process: object) => void,
): void {
  type Listener = (event: object, ...parameters: unknown[]) => void
  const outside = globalThis as unknown as Record<string, (message: string) => void>
  const tell = (message: FromPreload): void => outside[names.tell]?.(JSON.stringify(message))
  let answer: unknown = null
  const toPage = (detail: object): void =>
    void document.dispatchEvent(new CustomEvent(names.toPage, { detail }))
  const crossing = cross(
    (message) => {
      toPage(message)
      const given = answer
      answer = null
      return given
    },
    (text) =>
      text.startsWith(`${names.origin}/`) ? location.origin + text.slice(names.origin.length) : text,
  )
  document.addEventListener(names.toPreload, (event) => {
    const { detail } = event as CustomEvent<{ kind: string; value: unknown }>
    if (detail.kind === 'answer') answer = detail.value
    else toPage({ kind: 'answer', value: crossing.take(detail as never) })
  })

  /** Over the wire go texts: what JSON has no word for is refused by name and not changed in silence. */
  const toText = (parameters: unknown[]): string => {
    structuredClone(parameters)
    return JSON.stringify(parameters, (_name, value: unknown) => {
      if (
        value instanceof Map ||
        value instanceof Set ||
        ArrayBuffer.isView(value) ||
        typeof value === 'bigint'
      )
        throw new Error('The stand-in for electron carries no such value from a page')
      return value
    })
  }
  const listeners = new Map<string, Listener[]>()
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0
  const clonable = (parameters: unknown[]): string => {
    try {
      return toText(parameters)
    } catch (error) {
      throw error instanceof DOMException ? new Error('An object could not be cloned.') : error
    }
  }
  const heard = {
    answer(number: number, ok: boolean, value: unknown, channel: string): void {
      const asked = waiting.get(number)
      waiting.delete(number)
      if (ok) asked?.resolve(value)
      else asked?.reject(new Error(`Error invoking remote method '${channel}': ${String(value)}`))
    },
    message(channel: string, parameters: unknown[]): void {
      for (const listener of listeners.get(channel) ?? []) listener({ sender: {}, ports: [] }, ...parameters)
    },
  }
  Object.assign(globalThis, { [names.hear]: heard })

  const loud = <Target extends object>(name: string, target: Target): Target =>
    new Proxy(target, {
      get(of, key, receiver) {
        if (typeof key === 'symbol' || key in of) return Reflect.get(of, key, receiver)
        tell({ kind: 'unknown', member: `${name}.${key}` })
        throw new Error(`The stand-in for electron has no ${name}.${key} in a preload`)
      },
    })
  const off = (channel: string, listener: Listener): void =>
    void listeners.set(
      channel,
      (listeners.get(channel) ?? []).filter((one) => one !== listener),
    )
  const on = (channel: string, listener: Listener): void =>
    void listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
  const ipcRenderer = loud('ipcRenderer', {
    invoke(channel: string, ...parameters: unknown[]): Promise<unknown> {
      const number = ++last
      const asked = Promise.withResolvers<unknown>()
      waiting.set(number, asked)
      tell({ kind: 'invoke', number, address: location.href, channel, parameters: clonable(parameters) })
      return asked.promise
    },
    send: (channel: string, ...parameters: unknown[]) =>
      tell({ kind: 'send', address: location.href, channel, parameters: clonable(parameters) }),
    on,
    addListener: on,
    once(channel: string, listener: Listener) {
      const once: Listener = (event, ...parameters) => {
        off(channel, once)
        listener(event, ...parameters)
      }
      on(channel, once)
    },
    off,
    removeListener: off,
    removeAllListeners: (channel: string) => void listeners.delete(channel),
  })
  const electron = loud('electron', {
    contextBridge: loud('contextBridge', {
      exposeInMainWorld: (key: string, value: unknown) =>
        toPage({ kind: 'expose', key, value: crossing.pack(value) }),
    }),
    ipcRenderer,
    // The path of a dropped file is known to the browser's own process only.
    webUtils: loud('webUtils', {}),
    webFrame: loud('webFrame', {
      setZoomFactor: () => undefined,
      getZoomFactor: () => 1,
      setZoomLevel: () => undefined,
    }),
    crashReporter: loud('crashReporter', {}),
  })
  const allowed: Record<string, unknown> = {
    electron,
    'electron/renderer': electron,
    events: loud('events', {}),
    timers: loud('timers', {}),
    url: loud('url', {}),
  }
  const require = (name: string): unknown => {
    const found = allowed[name.replace(/^node:/, '')]
    if (found === undefined) throw new Error(`module not found: ${name}`)
    return found
  }
  try {
    const module = { exports: {} }
    preload(require, module, module.exports, {
      sandboxed: true,
      contextIsolated: true,
      type: 'renderer',
      platform: navigator.platform,
      versions: {},
      env: {},
    })
  } catch (error) {
    tell({ kind: 'preloadFailed', reason: error instanceof Error ? error.message : String(error) })
    throw error
  }
}
