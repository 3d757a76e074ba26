/** The built app in a process of its own on the fake `electron`, with its windows in Chromium. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import {
  type FromApp,
  outcomeOf,
  type Question,
  type Start,
  START_VARIABLE,
  type ToApp,
} from './app/messages.ts'
import { chromiumWindows, windowsWithoutPages } from './chromium-windows.ts'
import type { RecordKind } from './desktop.ts'

export type AppProcess = {
  readonly pid: number
  readonly records: readonly { readonly of: RecordKind; readonly record: Readonly<Record<string, unknown>> }[]
  /** Members of electron that the app touched and the fake does not have. */
  readonly unknown: readonly string[]
  /** Calls after each record, and when the process has ended. */
  onChange(listener: () => void): () => void
  ask(question: Question): Promise<unknown>
  /** The page of the first window, once it has loaded; null if the app has ended. */
  firstPage(): Page | null
  stderr(): string
  kill(): void
  readonly ended: Promise<number | null>
  hasEnded(): boolean
}

export async function startAppProcess(options: {
  readonly start: Start
  readonly parameters: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Without one, windows have no page. */
  readonly browser: Browser | null
}): Promise<AppProcess> {
  const { start, browser } = options
  const context = (await browser?.newContext({ colorScheme: 'light', locale: 'en-US' })) ?? null
  const child = fork(join(import.meta.dirname, 'app', 'host.ts'), [...options.parameters], {
    execArgv: ['--no-warnings'],
    cwd: start.files.folder,
    env: { ...process.env, ...options.environment, [START_VARIABLE]: JSON.stringify(start) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  const records: AppProcess['records'][number][] = []
  const unknown: string[] = []
  const listeners = new Set<() => void>()
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let lastNumber = 0
  let stderr = ''
  let hasEnded = false
  const changed = (): void => listeners.forEach((listener) => listener())
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))

  const send = (message: ToApp): void => {
    // It may have ended a moment ago; pending questions are answered when that is known.
    if (child.connected) child.send(message, () => undefined)
  }
  const ask = (question: Question): Promise<unknown> => {
    if (hasEnded) return Promise.reject(new Error(`the app has ended\n${stderr}`))
    const number = ++lastNumber
    const answer = Promise.withResolvers<unknown>()
    pending.set(number, answer)
    send({ kind: 'question', number, question })
    return answer.promise
  }
  const link = {
    ask,
    emit: (window: number, event: Extract<ToApp, { kind: 'pageEvent' }>['event']) =>
      send({ kind: 'pageEvent', window, event }),
    unknown: (member: string): void => {
      unknown.push(member)
      changed()
    },
    onOpened: changed,
  }
  const windows = context === null ? windowsWithoutPages(link) : chromiumWindows(context, link)

  child.on('message', (message: FromApp) => {
    switch (message.kind) {
      case 'record':
        records.push({ of: message.of, record: message.record })
        return changed()
      case 'unknown':
        return link.unknown(message.member)
      case 'scheme':
        return windows.setScheme(message.port)
      case 'answer': {
        const asked = pending.get(message.number)
        pending.delete(message.number)
        if (message.answer.ok) asked?.resolve(message.answer.value)
        else asked?.reject(new Error(message.answer.error))
        return
      }
      case 'order':
        void outcomeOf(() => windows.run(message.order)).then((answer) =>
          send({ kind: 'answer', number: message.number, answer }),
        )
    }
  })
  // `close` and not `exit`: its last output has arrived by then.
  const ended = once(child, 'close').then(async () => {
    hasEnded = true
    for (const answer of pending.values()) answer.reject(new Error(`the app has ended\n${stderr}`))
    changed()
    await windows.settled()
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
    firstPage: () => windows.firstPage(),
    stderr: () => stderr,
    kill: () => void child.kill('SIGKILL'),
    ended,
    hasEnded: () => hasEnded,
  }
}
