/** The built app in a process of its own on the stand-in for `electron`, with its windows in Chromium. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import {
  START_VARIABLE,
  type Answered,
  type FromApp,
  type Question,
  type Start,
  type ToApp,
} from './app/messages.ts'
import { appWindows, windowsUnseen } from './app-windows.ts'
import type { RecordKind } from './desktop.ts'

export type KeptRecord = { readonly of: RecordKind; readonly record: Readonly<Record<string, unknown>> }

export type AppProcess = {
  readonly pid: number
  readonly records: readonly KeptRecord[]
  /** Members of electron that the app touched and the stand-in does not have. */
  readonly unknown: readonly string[]
  /** Calls after each record, and when the process has ended. */
  onChange(listener: () => void): () => void
  ask(question: Question): Promise<unknown>
  /** The page of the first window, once it has loaded; null where the app has ended. */
  page(): Promise<Page | null>
  stderr(): string
  kill(): void
  readonly ended: Promise<number | null>
  hasEnded(): boolean
}

export async function startFakeElectron(given: {
  readonly start: Start
  readonly parameters: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Without one, windows have no page. */
  readonly browser: Browser | null
}): Promise<AppProcess> {
  const { start, browser } = given
  const colorScheme = start.surroundings.isDark ? 'dark' : 'light'
  const context = (await browser?.newContext({ colorScheme, locale: 'en-US' })) ?? null
  const child = fork(join(import.meta.dirname, 'app', 'host.ts'), [...given.parameters], {
    execArgv: ['--no-warnings'],
    cwd: start.files.folder,
    env: { ...process.env, ...given.environment, [START_VARIABLE]: JSON.stringify(start) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  const records: KeptRecord[] = []
  const unknown: string[] = []
  const listeners = new Set<() => void>()
  const asked = new Map<number, PromiseWithResolvers<unknown>>()
  let lastNumber = 0
  let stderr = ''
  let isOver = false
  const changed = (): void => listeners.forEach((listener) => listener())
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))

  const tell = (message: ToApp): void => {
    // It may have ended a moment ago; whoever asked is answered when that is known.
    if (child.connected) child.send(message, () => undefined)
  }
  const ask = (question: Question): Promise<unknown> => {
    if (isOver) return Promise.reject(new Error(`the app has ended\n${stderr}`))
    const number = ++lastNumber
    const answer = Promise.withResolvers<unknown>()
    asked.set(number, answer)
    tell({ kind: 'question', number, question })
    return answer.promise
  }
  const noteUnknown = (member: string): void => {
    unknown.push(member)
    changed()
  }
  const wire = { ask, tell, unknown: noteUnknown, onOpened: changed }
  const windows = context === null ? windowsUnseen(wire) : appWindows(context, wire)

  child.on('message', (message: FromApp) => {
    switch (message.kind) {
      case 'record':
        records.push({ of: message.of, record: message.record })
        return changed()
      case 'unknown':
        return noteUnknown(message.member)
      case 'scheme':
        return windows.setScheme(message.scheme, message.port)
      case 'answer': {
        const answer = asked.get(message.number)
        asked.delete(message.number)
        if (message.answer.ok) answer?.resolve(message.answer.value)
        else answer?.reject(new Error(message.answer.error))
        return
      }
      case 'order':
        void outcomeOf(() => windows.obey(message.order)).then((answer) =>
          tell({ kind: 'answer', number: message.number, answer }),
        )
    }
  })
  // `close` and not `exit`: what it wrote last has arrived by then.
  const ended = once(child, 'close').then(async () => {
    isOver = true
    for (const answer of asked.values()) answer.reject(new Error(`the app has ended\n${stderr}`))
    changed()
    // The windows of a program that is gone are gone.
    await context?.close().catch(() => undefined)
    return child.exitCode
  })
  return {
    pid: child.pid ?? 0,
    records,
    unknown,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ask,
    page: async () => {
      const { promise, resolve } = Promise.withResolvers<Page | null>()
      const look = (): void => {
        const page = windows.firstPage()
        if (page || isOver) resolve(page)
      }
      listeners.add(look)
      look()
      const page = await promise
      listeners.delete(look)
      return page
    },
    stderr: () => stderr,
    kill: () => void child.kill('SIGKILL'),
    ended,
    hasEnded: () => isOver,
  }
}

async function outcomeOf(work: () => Promise<unknown>): Promise<Answered> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  }
}
