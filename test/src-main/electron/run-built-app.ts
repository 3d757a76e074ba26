/** Runs a built main.js in plain Node on an `electron` that shows nothing (fake-electron.ts). */
import { fork } from 'node:child_process'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import type { BuiltApp } from './built-app.ts'

export type ToApp =
  | { readonly kind: 'call'; readonly name: string; readonly input: unknown }
  | { readonly kind: 'fetch'; readonly address: string }
  | { readonly kind: 'closeWindow' | 'startAgain' | 'quit' | 'fail' }

export type FromApp =
  | { readonly kind: 'did'; readonly what: string }
  | { readonly kind: 'answer'; readonly answer: unknown }

export type RunningApp = {
  /** What it has done so far, in order. */
  readonly done: readonly string[]
  /** Resolves once it has done that; rejects, with what it said, where it ended without. */
  hasDone(what: string): Promise<void>
  call(name: string, input: unknown): Promise<unknown>
  fetch(address: string): Promise<unknown>
  say(kind: 'closeWindow' | 'startAgain' | 'quit' | 'fail'): void
  /** What it wrote to stderr. */
  said(): string
  /** The exit code. */
  readonly ended: Promise<number | null>
}

export function runBuiltApp(
  built: BuiltApp,
  options: { readonly userData: string; readonly isLockTaken?: boolean; readonly words?: readonly string[] },
): RunningApp {
  const done: string[] = []
  const waiting: {
    readonly what: string
    readonly found: () => void
    readonly lost: (error: Error) => void
  }[] = []
  const asked: ((answer: unknown) => void)[] = []
  const child = fork(join(built.folder, 'out/main/main.js'), [...(options.words ?? [])], {
    execArgv: ['--import', resolve(import.meta.dirname, 'fake-electron.ts')],
    env: {
      ...process.env,
      APP_PATH: built.folder,
      USER_DATA: options.userData,
      LOCK: options.isLockTaken ? 'taken' : 'free',
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.on('message', (message: FromApp) => {
    if (message.kind === 'answer') return asked.shift()?.(message.answer)
    done.push(message.what)
    for (const { what, found } of waiting) if (what === message.what) found()
  })
  child.on('close', () => {
    for (const { what, lost } of waiting) lost(new Error(`it ended before it did this: ${what}\n${said}`))
  })
  const ask = (message: ToApp): Promise<unknown> => {
    const { promise, resolve: answered } = Promise.withResolvers<unknown>()
    asked.push(answered)
    child.send(message)
    return promise
  }
  return {
    done,
    hasDone: (what) => {
      if (done.includes(what)) return Promise.resolve()
      const { promise, resolve: found, reject: lost } = Promise.withResolvers<void>()
      waiting.push({ what, found, lost })
      return promise
    },
    call: (name, input) => ask({ kind: 'call', name, input }),
    fetch: (address) => ask({ kind: 'fetch', address }),
    said: () => said,
    say: (kind) => void child.send({ kind } satisfies ToApp),
    ended: new Promise((end) => child.on('close', end)),
  }
}
