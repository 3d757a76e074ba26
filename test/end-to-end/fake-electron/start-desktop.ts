/** Starts the desktop app for a test, on the stand-in for `electron` or, where it is installed, on Electron itself. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { START_ADDRESS } from '../../../src-main/electron/app-scheme.ts'
import { CALL_CHANNEL } from '../../../src-main/electron/preload/bridge.ts'
import { type CallName, calls } from '../../../src-shared/contract.ts'
import type { Result } from '../../../src-shared/failure.ts'
import { openTestBrowser, type TestBrowser } from '../browser.ts'
import { builtFiles } from './app-files.ts'
import type { Act, Desktop, DesktopOptions, RecordKind, Records, Surroundings } from './desktop.ts'
import { startOnElectron } from './on-electron.ts'
import { type AppProcess, startFakeElectron } from './app-process.ts'

const QUIET: Surroundings = {
  safe: { backend: 'gnome_libsecret', isAvailable: true, key: 'this account', shouldReEncrypt: false },
  dialogAnswers: [],
  proxies: {},
  isDark: false,
  locale: 'en-US',
  hasNotifications: true,
  idleSeconds: 0,
  isOnBattery: false,
  isLocked: false,
  opensAtLogin: false,
  displays: [{ x: 0, y: 0, width: 1_920, height: 1_040 }],
}

/** Long enough for a busy machine; main.js only registers and returns. */
const MAIN_WITHIN_MS = 30_000
const PAGE_WITHIN_MS = 60_000
const RECORD_WITHIN_MS = 60_000
const STOP_WITHIN_MS = 60_000

/** Windows that pages open are never made, as with a handler that denies; the app's handler is asked all the same. */
const NO_NEW_WINDOWS = ['--block-new-web-contents']

/** What carries a desktop app that is started without `on`, for the names of tests. */
export function desktopHost(): string {
  return 'the stand-in for Electron'
}

/** A browser for windows of the stand-in, to be shared by the tests of one file; whoever opens it closes it. */
export function openDesktopBrowser(): Promise<TestBrowser> {
  return openTestBrowser(NO_NEW_WINDOWS)
}

/**
 * Starts the app and waits for its page. Rejects, with its stderr, where it ends before.
 * Whoever starts it stops it.
 */
export async function startDesktop(options: DesktopOptions = {}): Promise<Desktop> {
  const ownFolder =
    options.userData === undefined ? mkdtempSync(join(tmpdir(), 'fundus-courier-desktop-')) : null
  const userData = options.userData ?? join(ownFolder ?? '', 'user-data')
  const dataFolder = options.dataFolder ?? join(userData, 'station')
  await mkdir(dirname(dataFolder), { recursive: true })
  const parameters = [...(options.parameters ?? []), '--data', dataFolder]
  if (options.config) {
    const path = join(dirname(dataFolder), 'config.json')
    await writeFile(path, JSON.stringify(options.config))
    parameters.push('--config', path)
  }
  const files = options.files ?? builtFiles()
  if (options.on !== undefined) {
    const { program } = options.on
    const environment = options.environment ?? {}
    return startOnElectron({ program, files, userData, dataFolder, parameters, environment })
  }
  const isUnseen = options.browser === 'none'
  const opened = options.browser === undefined ? await openDesktopBrowser() : null
  if (opened?.kind === 'absent') throw new Error(opened.why)
  const browser = options.browser === 'none' ? null : (options.browser ?? opened?.browser ?? null)
  const running = await startFakeElectron({
    start: {
      files,
      userData,
      surroundings: { ...QUIET, ...options.surroundings },
      electronVersion: electronVersion(),
      mainWithinMs: options.mainWithinMs ?? MAIN_WITHIN_MS,
    },
    parameters,
    environment: options.environment ?? {},
    browser,
  })
  const ended = running.ended.then(async (code) => {
    await opened?.browser.close()
    if (ownFolder !== null) await rm(ownFolder, { recursive: true, force: true })
    return code
  })
  const desktop = desktopOn(running, { userData, dataFolder, ended })
  if (options.waitFor !== 'nothing' && !isUnseen) {
    try {
      await desktop.page()
    } catch (error) {
      running.kill()
      await ended
      throw error
    }
  }
  return desktop
}

function desktopOn(
  running: AppProcess,
  given: { readonly userData: string; readonly dataFolder: string; readonly ended: Promise<number | null> },
): Desktop {
  const ownFrame = { url: START_ADDRESS, isMainFrame: true }
  const recorded = <Kind extends RecordKind>(kind: Kind): Records[Kind][] =>
    running.records.filter(({ of }) => of === kind).map(({ record }) => record as Records[Kind])
  const ask = async (name: CallName, input: unknown): Promise<Result<never>> => {
    const answer = (await running.ask({
      kind: 'invoke',
      window: 1,
      frame: ownFrame,
      channel: CALL_CHANNEL,
      parameters: [name, input],
    })) as Result<never>
    return answer.ok ? { ok: true, value: calls[name].output.parse(answer.value) as never } : answer
  }
  const quit = async (): Promise<void> => {
    if (running.hasEnded()) return
    const act = (wanted: Act): Promise<unknown> => running.ask({ kind: 'act', act: wanted })
    // Where cases wait the app asks whether to; its second button says so.
    await act({ kind: 'surroundings', changes: { dialogAnswers: [1] } }).catch(() => undefined)
    await act({ kind: 'quit' }).catch(() => undefined)
  }
  const desktop: Desktop = {
    runsOn: 'stand-in',
    pid: running.pid,
    userData: given.userData,
    dataFolder: given.dataFolder,
    page: async () => {
      const page = await within(PAGE_WITHIN_MS, running.page(), () => `no window came\n${running.stderr()}`)
      if (page) return page
      throw new Error(`the app has ended without a window\n${running.stderr()}`)
    },
    call: (name, input) => ask(name, input ?? {}),
    value: async (name, input) => {
      const answer = await ask(name, input ?? {})
      if (!answer.ok) throw new Error(`${name}: ${answer.failure.kind}: ${answer.failure.message}`)
      return answer.value
    },
    invokeFrom: (frame, channel, ...parameters) =>
      running.ask({ kind: 'invoke', window: 1, frame, channel, parameters }),
    fetch: (address, init = {}) =>
      running.ask({
        kind: 'fetch',
        address,
        method: init.method ?? 'GET',
        headers: init.headers ?? {},
        body: init.body ?? null,
      }) as ReturnType<Desktop['fetch']>,
    records: () => true,
    recorded,
    async waitFor(kind, isWanted = () => true) {
      const { promise, resolve, reject } = Promise.withResolvers<Records[typeof kind]>()
      const look = (): void => {
        const found = recorded(kind).find(isWanted)
        if (found) resolve(found)
        else if (running.hasEnded()) reject(new Error(`it ended without ${kind}\n${running.stderr()}`))
      }
      const forget = running.onChange(look)
      look()
      try {
        return await within(
          RECORD_WITHIN_MS,
          promise,
          () => `no such ${kind}; there were ${JSON.stringify(recorded(kind))}\n${running.stderr()}`,
        )
      } finally {
        forget()
      }
    },
    act: async (act) => {
      await running.ask({ kind: 'act', act }).catch((error: unknown) => {
        // An act may be what ends it.
        if (!running.hasEnded() && !wasEnd(error)) throw error
      })
    },
    stderr: () => running.stderr(),
    async stop() {
      await Promise.race([quit(), given.ended])
      const code = await within(
        STOP_WITHIN_MS,
        given.ended,
        () => `it does not end\n${running.stderr()}`,
      ).catch(async (error: unknown) => {
        running.kill()
        await given.ended
        throw error
      })
      if (running.unknown.length > 0)
        throw new Error(`The stand-in for electron has no ${running.unknown.join(', ')}`)
      return code
    },
    async kill() {
      running.kill()
      await given.ended
    },
    exitCode: given.ended,
  }
  return desktop
}

const wasEnd = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('the app has ended')

async function within<Value>(ms: number, work: Promise<Value>, why: () => string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(why())), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function electronVersion(): string {
  const about = createRequire(import.meta.url).resolve('electron/package.json')
  return (JSON.parse(readFileSync(about, 'utf8')) as { readonly version: string }).version
}
