/** What all parts of the stand-in share inside the process of the app: its surroundings, its records, and the wire. */
import type { RecordKind, Records, Surroundings } from '../desktop.ts'
import {
  START_VARIABLE,
  type Answered,
  type FromApp,
  type Start,
  type ToApp,
  type WindowOrder,
} from './messages.ts'

export const start = JSON.parse(process.env[START_VARIABLE] ?? 'null') as Start
delete process.env[START_VARIABLE]

let surroundings: Surroundings = start.surroundings
export const around = (): Surroundings => surroundings
export function changeSurroundings(changes: Partial<Surroundings>): void {
  surroundings = { ...surroundings, ...changes }
}

export function tell(message: FromApp): void {
  if (process.connected) process.send?.(message)
}

export function record<Kind extends RecordKind>(of: Kind, entry: Records[Kind]): void {
  tell({ kind: 'record', of, record: toPlain(entry) as Readonly<Record<string, unknown>> })
}

/** Without functions and objects of electron, which no wire carries; a picture becomes its source. */
export function toPlain(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null) return value
  if ('source' in value && typeof value.source === 'string') return value.source
  if (Object.getPrototypeOf(value) !== Object.prototype) return `[${value.constructor?.name ?? 'object'}]`
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toPlain(part)]))
}

/** Before `ready` most of Electron throws; the parameters are near to its own. */
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

const asked = new Map<number, PromiseWithResolvers<unknown>>()
let lastNumber = 0

/** Asks something of the browser; rejects where there is no browser any more. */
export function order(what: WindowOrder): Promise<unknown> {
  const number = ++lastNumber
  const answer = Promise.withResolvers<unknown>()
  asked.set(number, answer)
  tell({ kind: 'order', number, order: what })
  return answer.promise
}

export function takeAnswer(message: Extract<ToApp, { kind: 'answer' }>): void {
  const answer = asked.get(message.number)
  asked.delete(message.number)
  if (message.answer.ok) answer?.resolve(message.answer.value)
  else answer?.reject(new Error(message.answer.error))
}

/** Answers with what comes of it; an error travels as its parameters. */
export async function outcomeOf(work: () => unknown): Promise<Answered> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }
}
