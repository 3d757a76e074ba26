/** Starts the desktop app for a test, on the fake `electron` or, if it is installed, on Electron itself. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { START_ADDRESS } from '../../../src-main/electron/preload/bridge.ts'
import { CALL_CHANNEL } from '../../../src-main/electron/preload/bridge.ts'
import { type CallName, calls } from '../../../src-shared/contract.ts'
import type { Result } from '../../../src-shared/failure.ts'
import { openTestBrowser, type TestBrowser } from '../browser.ts'
import { builtFiles } from './app-files.ts'
import { type AppProcess, startAppProcess } from './app-process.ts'
import {
  type AppFiles,
  type Desktop,
  type DesktopOptions,
  type DesktopProcess,
  logIn,
  type RecordKind,
  type Records,
  type Surroundings,
  valueOf,
} from './desktop.ts'
import { startOnElectron } from './on-electron.ts'

const QUIET: Surroundings = {
  safe: { backend: 'gnome_libsecret', isAvailable: true, key: 'this account' },
  dialogAnswers: [],
  chosenPaths: [],
  proxies: {},
  hasNotifications: true,
}

/** For pages, records and ends, on a busy machine. */
const PATIENCE_MS = 60_000

/** Windows that pages open are never made, as with a handler that denies; the app's handler is asked all the same. */
const NO_NEW_WINDOWS = ['--block-new-web-contents']

/** A browser for windows of the fake, to be shared by the tests of one file; the caller closes it. */
export function openDesktopBrowser(): Promise<TestBrowser> {
  return openTestBrowser(NO_NEW_WINDOWS)
}

/**
 * A `describe` with a browser for the windows of the desktop app. The packaged browser runs on every Linux; elsewhere one
 * may be missing, and the summary says so.
 */
export async function describeDesktop(name: string, specs: (browser: () => Browser) => void): Promise<void> {
  const opened = await openDesktopBrowser()
  if (opened.kind === 'absent' && process.platform === 'linux') throw new Error(opened.why)
  describe.skipIf(opened.kind === 'absent')(`${name}, on the fake Electron`, () => {
    let browser: Browser | null = null
    beforeAll(() => {
      if (opened.kind === 'open') browser = opened.browser
    })
    afterAll(() => browser?.close())
    specs(() => {
      if (browser === null) throw new Error('there is no browser')
      return browser
    })
  })
}

type Prepared = {
  readonly files: AppFiles
  readonly userData: string
  readonly dataFolder: string
  readonly parameters: readonly string[]
}

/** The folders of a start, and its command line. */
async function prepareStart(options: DesktopOptions, userData: string): Promise<Prepared> {
  const dataFolder = options.dataFolder ?? join(userData, 'station')
  await mkdir(dirname(dataFolder), { recursive: true })
  const parameters = [...(options.parameters ?? []), '--data', dataFolder]
  if (options.config) {
    const path = join(dirname(dataFolder), 'config.json')
    await writeFile(path, JSON.stringify(options.config))
    parameters.push('--config', path)
  }
  return { files: options.files ?? builtFiles(), userData, dataFolder, parameters }
}

/** Starts the app on Electron itself. */
export async function startOn(
  program: string,
  options: DesktopOptions & { readonly userData: string },
): Promise<DesktopProcess> {
  const { files, userData, dataFolder, parameters } = await prepareStart(options, options.userData)
  return startOnElectron({
    program,
    dataFolder,
    parameters: [files.folder, `--user-data-dir=${userData}`, ...parameters],
  })
}

/** Starts the app and waits for its page. Rejects, with its stderr, if it ends before. The caller stops it. */
export async function startDesktop(options: DesktopOptions = {}): Promise<Desktop> {
  const ownFolder =
    options.userData === undefined ? mkdtempSync(join(tmpdir(), 'fundus-courier-desktop-')) : null
  const { files, userData, dataFolder, parameters } = await prepareStart(
    options,
    options.userData ?? join(ownFolder ?? '', 'user-data'),
  )
  const opened = options.browser === undefined ? await openDesktopBrowser() : null
  if (opened?.kind === 'absent') throw new Error(opened.why)
  const running = await startAppProcess({
    start: {
      files,
      userData,
      surroundings: { ...QUIET, ...options.surroundings },
      electronVersion: electronVersion(),
    },
    parameters,
    environment: options.environment ?? {},
    browser: options.browser === 'none' ? null : (options.browser ?? opened?.browser ?? null),
  })
  const ended = running.ended.then(async (code) => {
    await opened?.browser.close()
    if (ownFolder !== null) await rm(ownFolder, { recursive: true, force: true })
    return code
  })
  const desktop = desktopOn(running, { userData, dataFolder, ended })
  if (options.waitFor === 'nothing' || options.browser === 'none') return desktop
  try {
    await desktop.page()
  } catch (error) {
    await desktop.kill()
    throw error
  }
  return desktop
}

function desktopOn(
  running: AppProcess,
  {
    userData,
    dataFolder,
    ended,
  }: { readonly userData: string; readonly dataFolder: string; readonly ended: Promise<number | null> },
): Desktop {
  const ownFrame = { url: START_ADDRESS, isMainFrame: true }
  const recorded = <Kind extends RecordKind>(kind: Kind): Records[Kind][] =>
    running.records.filter(({ of }) => of === kind).map(({ record }) => record as Records[Kind])
  /** Resolves with the first answer that is not null; asks again after each change. */
  const findOrWait = async <Value>(find: () => Value | null, what: () => string): Promise<Value> => {
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    const check = (): void => {
      const found = find()
      if (found !== null) resolve(found)
      else if (running.hasEnded()) reject(new Error(`it ended without ${what()}\n${running.stderr()}`))
    }
    const timer = setTimeout(
      () => reject(new Error(`there came no ${what()}\n${running.stderr()}`)),
      PATIENCE_MS,
    )
    const forget = running.onChange(check)
    check()
    try {
      return await promise
    } finally {
      forget()
      clearTimeout(timer)
    }
  }
  const invokeFrom: Desktop['invokeFrom'] = (frame, channel, ...parameters) =>
    running.ask({ kind: 'invoke', window: 1, frame, channel, parameters })
  const ask = async (name: CallName, input: unknown): Promise<Result<never>> => {
    const answer = (await invokeFrom(ownFrame, CALL_CHANNEL, name, input)) as Result<never>
    return answer.ok ? { ok: true, value: calls[name].output.parse(answer.value) as never } : answer
  }
  const act: Desktop['act'] = async (one) => {
    await running.ask({ kind: 'act', act: one }).catch((error: unknown) => {
      // An act may be what ends it.
      const hasEnded = error instanceof Error && error.message.startsWith('the app has ended')
      if (!running.hasEnded() && !hasEnded) throw error
    })
  }
  const kill = async (): Promise<void> => {
    running.kill()
    await ended
  }
  return {
    pid: running.pid,
    userData,
    dataFolder,
    page: () =>
      findOrWait(
        () => running.firstPage(),
        () => 'window',
      ),
    call: (name, input) => ask(name, input ?? {}),
    value: async (name, input) => valueOf(name, await ask(name, input ?? {})),
    invokeFrom,
    fetch: (address, { method = 'GET', headers = {}, body = null }: FetchInit = {}) =>
      running.ask({ kind: 'fetch', address, method, headers, body }) as ReturnType<Desktop['fetch']>,
    recorded,
    waitFor: (kind, isWanted = () => true) =>
      findOrWait(
        () => recorded(kind).find(isWanted) ?? null,
        () => `${kind} among ${JSON.stringify(recorded(kind))}`,
      ),
    act,
    stderr: () => running.stderr(),
    log: () => logIn(dataFolder),
    async stop() {
      if (!running.hasEnded()) {
        // If cases wait the app asks whether to; its second button says so.
        await act({ kind: 'surroundings', changes: { dialogAnswers: [1] } })
        await act({ kind: 'quit' })
      }
      const timer = setTimeout(() => running.kill(), PATIENCE_MS)
      const code = await ended
      clearTimeout(timer)
      if (running.unknown.length > 0)
        throw new Error(`The fake electron has no ${running.unknown.join(', ')}`)
      return code
    },
    kill,
    exitCode: ended,
  }
}

type FetchInit = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | null
}

function electronVersion(): string {
  const manifest = createRequire(import.meta.url).resolve('electron/package.json')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version
}
