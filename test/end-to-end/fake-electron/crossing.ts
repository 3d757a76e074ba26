/**
 * The two worlds of a page, as Electron makes them: the preload runs in one that the page cannot reach into, and
 * `contextBridge` lets copies through. What is written here and in the files of the two worlds runs inside Chromium
 * and knows nothing from outside of itself.
 *
 * Values cross by the browser's own structured clone (the detail of an event is cloned between worlds), functions and
 * promises as numbers that stand for them. What cannot be cloned throws, with Electron's parameters.
 */

/** Said by the preload's world to the test. */
export type FromPreload =
  | {
      readonly kind: 'invoke'
      readonly number: number
      readonly address: string
      readonly channel: string
      readonly parameters: string
    }
  | { readonly kind: 'send'; readonly address: string; readonly channel: string; readonly parameters: string }
  | { readonly kind: 'unknown'; readonly member: string }
  | { readonly kind: 'preloadFailed'; readonly reason: string }

export type WorldNames = {
  /** Event names that a page does not know. */
  readonly toPage: string
  readonly toPreload: string
  /** The function that Chromium puts into the preload's world, and the one that it calls there. */
  readonly tell: string
  readonly hear: string
  /** Of the app's own pages, as the app names it. */
  readonly origin: string
}

/** Shared by both worlds: packs what may cross, and calls what lies on the other side. */
type Crossing = {
  pack(value: unknown): unknown
  unpack(packed: unknown): unknown
}

/** What both worlds run first. Its result is a function, so that each world makes its own. */
export function makeCrossing(
  send: (message: object) => unknown,
  /** Addresses of the app's scheme have another name in the browser. */
  translate: (text: string) => string,
): Crossing & { take(message: never): unknown } {
  type Packed = {
    readonly as: string
    readonly value?: unknown
    readonly number?: number
    readonly entries?: unknown
  }
  type Message =
    | { readonly kind: 'call'; readonly number: number; readonly parameters: unknown[] }
    | { readonly kind: 'settle'; readonly number: number; readonly ok: boolean; readonly value: unknown }
  const kept = new Map<number, (...parameters: unknown[]) => unknown>()
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0
  const cannot = (): never => {
    throw new Error('An object could not be cloned.')
  }
  const settle = async (number: number, work: Promise<unknown>): Promise<void> => {
    try {
      send({ kind: 'settle', number, ok: true, value: pack(await work) })
    } catch (error) {
      send({ kind: 'settle', number, ok: false, value: pack(error) })
    }
  }
  const pack = (value: unknown): Packed => {
    if (typeof value === 'function') {
      kept.set(++last, value as (...parameters: unknown[]) => unknown)
      return { as: 'function', number: last }
    }
    if (typeof value === 'symbol') return cannot()
    if (typeof value === 'string') return { as: 'value', value: translate(value) }
    if (typeof value !== 'object' || value === null) return { as: 'value', value }
    if (value instanceof Promise) {
      const number = ++last
      void settle(number, value)
      return { as: 'promise', number }
    }
    // Only its parameters survive, as over Electron's bridge.
    if (value instanceof Error) return { as: 'error', value: value.message }
    if (Array.isArray(value)) return { as: 'array', entries: value.map(pack) }
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype || prototype === null)
      return { as: 'object', entries: Object.entries(value).map(([name, part]) => [name, pack(part)]) }
    try {
      return { as: 'value', value: structuredClone(value) }
    } catch {
      return cannot()
    }
  }
  const unpack = (given: unknown): unknown => {
    const packed = given as Packed
    switch (packed.as) {
      case 'function': {
        const { number } = packed
        return (...parameters: unknown[]) =>
          unpack(send({ kind: 'call', number, parameters: parameters.map(pack) }))
      }
      case 'promise': {
        const answer = Promise.withResolvers<unknown>()
        waiting.set(packed.number ?? 0, answer)
        return answer.promise
      }
      case 'error':
        return new Error(String(packed.value))
      case 'array':
        return (packed.entries as unknown[]).map(unpack)
      case 'object':
        return Object.fromEntries(
          (packed.entries as [string, unknown][]).map(([name, part]) => [name, unpack(part)]),
        )
      case 'thrown':
        throw unpack(packed.value)
      default:
        return packed.value
    }
  }
  const take = (message: Message): unknown => {
    if (message.kind === 'settle') {
      const answer = waiting.get(message.number)
      waiting.delete(message.number)
      if (message.ok) answer?.resolve(unpack(message.value))
      else answer?.reject(unpack(message.value))
      return { as: 'value', value: undefined }
    }
    try {
      const called = kept.get(message.number)
      if (!called) throw new Error('a function that is not known here')
      return pack(called(...message.parameters.map(unpack)))
    } catch (error) {
      return { as: 'thrown', value: pack(error instanceof Error ? error : new Error(String(error))) }
    }
  }
  return { pack, unpack, take }
}
