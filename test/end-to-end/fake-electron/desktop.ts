/**
 * What a test sees of the desktop app on the fake `electron` in this folder.
 * Specs are written against these types; start-desktop.ts starts one.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { CallInput, CallName, CallOutput } from '../../../src-shared/contract.ts'
import type { Result } from '../../../src-shared/failure.ts'
import type { StationConfig } from '../../station-process/start-station.ts'

/** The files of an app: what `electron-vite build` leaves, or what a package holds. */
export type AppFiles = {
  /** Holds package.json, `out/` and `assets/`: the project itself, or an unpacked `app.asar`. */
  readonly folder: string
  /** `app.isPackaged`. */
  readonly isPackaged: boolean
  /** `process.resourcesPath`; by default the folder's parent. */
  readonly resourcesFolder?: string
}

/** The computer around the app. All may change while it runs: `act({ kind: 'surroundings', changes })`. */
export type Surroundings = {
  /** A text sealed with one `key` does not open with another. `isAvailable: false` is a locked or missing keyring. */
  readonly safe: {
    readonly backend: 'basic_text' | 'gnome_libsecret' | 'unknown'
    readonly isAvailable: boolean
    readonly key: string
  }
  /**
   * Answers of a person to the next dialogs: the number of a button. A dialog without one is answered with its `cancelId`.
   */
  readonly dialogAnswers: readonly number[]
  /** What a person chooses in each dialog for files and folders; empty if they close it. */
  readonly chosenPaths: readonly string[]
  /** What `resolveProxy` answers, by the beginning of the address: `{ "https://address": "PROXY p:8080" }`. */
  readonly proxies: Readonly<Record<string, string>>
  readonly hasNotifications: boolean
}

export type DesktopOptions = {
  /** `--data`; by default `station` in the folder for user data. */
  readonly dataFolder?: string
  /** Written to a file for `--config`. */
  readonly config?: StationConfig
  /** More parameters of the command line. */
  readonly parameters?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** `app.getPath('userData')`; by default a new folder. The one above it is `appData` and `home`. */
  readonly userData?: string
  readonly surroundings?: Partial<Surroundings>
  /** By default those of a current build. */
  readonly files?: AppFiles
  /**
   * One that the test has open already, by `openDesktopBrowser()`. With `'none'` windows have no page, for tests of the
   * main process alone; it answers at once then.
   */
  readonly browser?: Browser | 'none'
  /** Wait for the window's page before answering (default), or answer at once: for starts that end, ask or fail. */
  readonly waitFor?: 'page' | 'nothing'
}

export type MenuEntry = {
  readonly label: string
  readonly type: 'normal' | 'separator' | 'submenu' | 'checkbox' | 'radio'
  readonly entries: readonly MenuEntry[]
}

/** What the app did, by kind and in order. Pictures are recorded by their path. */
export type Records = {
  /** A built file was read as a module: its path below the folder of the app's files. */
  readonly module: { readonly path: string }
  /** `registerSchemesAsPrivileged`. */
  readonly scheme: { readonly scheme: string; readonly privileges: Readonly<Record<string, boolean>> }
  /** Calls on `app` that set something: `enableSandbox`, `setPath`, … */
  readonly app: { readonly what: string; readonly parameters: readonly unknown[] }
  readonly lock: { readonly isFirst: boolean }
  readonly window: {
    readonly id: number
    readonly what: 'created' | 'shown' | 'hidden' | 'focused' | 'closed' | 'loaded' | 'reloaded' | 'crashed'
    /** The options for `created`, the address for `loaded`. */
    readonly parameters: readonly unknown[]
  }
  readonly badge: { readonly count: number }
  /** The tray as it is after each change; `isThere: false` once it was taken away. */
  readonly tray: {
    readonly isThere: boolean
    readonly image: string
    readonly toolTip: string
    readonly menu: readonly MenuEntry[]
  }
  readonly applicationMenu: { readonly menu: readonly MenuEntry[] | null }
  readonly dialog: {
    readonly message: string
    readonly detail: string
    readonly buttons: readonly string[]
    readonly options: Readonly<Record<string, unknown>>
  }
  readonly notification: { readonly id: number; readonly title: string; readonly body: string }
  readonly powerSave: { readonly what: 'started' | 'stopped'; readonly id: number; readonly type: string }
  readonly loginItem: Readonly<Record<string, unknown>>
  readonly openExternal: { readonly url: string }
  /** A navigation that a page began. Addresses are the app's own: `app://…`. */
  readonly navigation: { readonly url: string; readonly isMainFrame: boolean; readonly isPrevented: boolean }
  readonly windowOpen: { readonly url: string; readonly action: string }
  /** The answer of the app's handlers, by Electron's name of the permission. */
  readonly permission: { readonly permission: string; readonly isGranted: boolean }
  /** An event that went to a page. */
  readonly sent: { readonly channel: string; readonly parameters: readonly unknown[] }
  readonly relaunch: { readonly parameters: readonly string[] | null }
}
export type RecordKind = keyof Records

/** What a person or the system does. */
export type Act =
  | { readonly kind: 'secondInstance' }
  /** The cross of the window. */
  | { readonly kind: 'closeWindow' }
  /** The system's way to quit (Cmd+Q, the dock, `app.quit()`). */
  | { readonly kind: 'quit' }
  | { readonly kind: 'suspend' | 'resume' | 'lock' | 'unlock' }
  /** Of `powerMonitor`: Linux and macOS. */
  | { readonly kind: 'shutdown' }
  /** Windows: `query-session-end`, then `session-end` on every window. */
  | { readonly kind: 'sessionEnd' }
  /** The page's process dies; ask for `page()` again after it. */
  | { readonly kind: 'rendererGone' }
  /** Something throws and nothing catches it; the message contains a patient's number. */
  | { readonly kind: 'bug' }
  /** An entry of the tray's menu; labels from the outside in. */
  | { readonly kind: 'menuClick'; readonly labels: readonly string[] }
  /** By default the last one. */
  | { readonly kind: 'notificationClick'; readonly id?: number }
  | { readonly kind: 'surroundings'; readonly changes: Partial<Surroundings> }

export type Desktop = {
  readonly pid: number
  /** `app.getPath('userData')`. */
  readonly userData: string
  readonly dataFolder: string
  /** The page of the window, in Chromium. Ask again after a crash. Rejects if no window comes. */
  page(): Promise<Page>
  /** Asks over IPC, from the main frame of the window. */
  call<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<Result<CallOutput<Name>>>
  /** Asks, and throws if the answer is a failure. */
  value<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<CallOutput<Name>>
  /** Raw IPC from a frame that the test describes; null is a frame that is gone. */
  invokeFrom(
    frame: { readonly url: string; readonly isMainFrame: boolean } | null,
    channel: string,
    ...parameters: unknown[]
  ): Promise<unknown>
  /** Asks the handler of a scheme as Chromium would, without a page: `app://station/…`. */
  fetch(
    address: string,
    init?: {
      readonly method?: string
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    },
  ): Promise<{
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly text: string
  }>
  /** All of a kind so far. */
  recorded<Kind extends RecordKind>(kind: Kind): readonly Records[Kind][]
  /** Resolves with the first wanted one of a kind, past or coming; rejects after a minute, with those there were. */
  waitFor<Kind extends RecordKind>(
    kind: Kind,
    isWanted?: (record: Records[Kind]) => boolean,
  ): Promise<Records[Kind]>
  /** Resolves once the app's listeners have run (not what they began). */
  act(act: Act): Promise<void>
  stderr(): string
  /** All that the app has written into its log so far. */
  log(): string
  /** Quits as a person would, and waits for the end. Safe after it has ended. Answers the exit code. */
  stop(): Promise<number | null>
  /** As when the machine is switched off at the wall. */
  kill(): Promise<void>
  /** Its exit code once it has ended; null if a signal ended it. */
  readonly exitCode: Promise<number | null>
}

/** What of it can be had on Electron itself, too. */
export type DesktopProcess = Pick<
  Desktop,
  'pid' | 'page' | 'call' | 'value' | 'stderr' | 'log' | 'stop' | 'kill' | 'exitCode'
>

export function valueOf<Value>(name: string, answer: Result<Value>): Value {
  if (!answer.ok) throw new Error(`${name}: ${answer.failure.kind}: ${answer.failure.message}`)
  return answer.value
}

/** All that the desktop app has written into its log: no window shows it, and it is not on stderr. */
export function logIn(dataFolder: string): string {
  const logs = join(dataFolder, 'logs')
  if (!existsSync(logs)) return ''
  return readdirSync(logs)
    .map((name) => readFileSync(join(logs, name), 'utf8'))
    .join('')
}
