/** What all parts of the fake share inside the process of the app: its surroundings, its records, and the link to the test. */
import type { RecordKind, Records, Surroundings } from '../desktop.ts'
import { type Answered, type FromApp, type Start, START_VARIABLE, type WindowOrder } from './messages.ts'

export const start = JSON.parse(process.env[START_VARIABLE] ?? 'null') as Start
delete process.env[START_VARIABLE]

let surroundings: Surroundings = start.surroundings
export const around = (): Surroundings => surroundings
export function changeSurroundings(changes: Partial<Surroundings>): void {
  surroundings = { ...surroundings, ...changes }
}

export function send(message: FromApp): void {
  if (process.connected) process.send?.(message)
}

export function record<Kind extends RecordKind>(of: Kind, entry: Records[Kind]): void {
  send({ kind: 'record', of, record: toPlain(entry) as Readonly<Record<string, unknown>> })
}

/** Without functions and objects of electron, which cannot be sent; a picture becomes its source. */
export function toPlain(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null) return value
  if ('source' in value && typeof value.source === 'string') return value.source
  if (Object.getPrototypeOf(value) !== Object.prototype) return `[${value.constructor?.name ?? 'object'}]`
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toPlain(part)]))
}

/** Before `ready` most of Electron throws, in nearly these words. */
let isReadyNow = false
export const isReady = (): boolean => isReadyNow
export function becomeReady(): void {
  isReadyNow = true
}
export function needsReady(what: string): void {
  if (!isReadyNow) throw new Error(`${what} cannot be used before the app is ready`)
}
export function needsNotReady(what: string): void {
  if (isReadyNow) throw new Error(`${what} must be called before the app is ready`)
}

const pending = new Map<number, PromiseWithResolvers<unknown>>()
let lastNumber = 0

/** Asks something of the browser; rejects if there is no browser any more. */
export function order(what: WindowOrder): Promise<unknown> {
  const number = ++lastNumber
  const answer = Promise.withResolvers<unknown>()
  pending.set(number, answer)
  send({ kind: 'order', number, order: what })
  return answer.promise
}

export function takeAnswer({ number, answer }: { readonly number: number; readonly answer: Answered }): void {
  const asked = pending.get(number)
  pending.delete(number)
  if (answer.ok) asked?.resolve(answer.value)
  else asked?.reject(new Error(answer.error))
}

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

/** Asked of any object by `await`, JSON and the like. */
const ASKED_OF_EVERYTHING = ['then', 'toJSON', 'constructor', 'domain', 'inspect', 'nodeType']

export function unknownMember(member: string): never {
  send({ kind: 'unknown', member })
  process.stderr.write(`The fake electron has no ${member}\n`)
  throw new Error(`The fake electron has no ${member}`)
}

/**
 * The same object, of which only what is there can be read or set: an absent member would be a silent difference to
 * Electron, so it is reported by its name.
 */
export function strict<Target extends object>(name: string, target: Target): Target {
  const isThere = (of: object, key: string | symbol): boolean =>
    typeof key === 'symbol' || key in of || key.startsWith('_')
  return new Proxy(target, {
    get(of, key, receiver) {
      if (isThere(of, key) || ASKED_OF_EVERYTHING.includes(String(key))) return Reflect.get(of, key, receiver)
      return unknownMember(`${name}.${String(key)}`)
    },
    set(of, key, value, receiver) {
      return isThere(of, key)
        ? Reflect.set(of, key, value, receiver)
        : unknownMember(`${name}.${String(key)}`)
    },
  })
}
