/**
 * What a test sees of the desktop app, whatever carries it: the stand-in for `electron` in this folder, or Electron
 * itself where it is installed. Specs are written against these types; start-desktop.ts starts one.
 */
import type { Browser, Page } from 'playwright-core'
import type { CallInput, CallName, CallOutput } from '../../../src-shared/contract.ts'
import type { Result } from '../../../src-shared/failure.ts'
import type { StationConfig } from '../../station-process/start-station.ts'

/** The files of an app: what `electron-vite build` leaves, or what a package holds. */
export type AppFiles = {
  /** Holds package.json, `out/` and `assets/`: the project itself, or an unpacked `app.asar`. */
  readonly folder: string
  /** As `app.isPackaged` says it. */
  readonly isPackaged: boolean
  /** `process.resourcesPath`; the folder's parent unless told otherwise. */
  readonly resourcesFolder?: string
}

/** What the computer is like around the app. All may change while it runs: `act({ kind: 'surroundings', changes })`. */
export type Surroundings = {
  /**
   * The system's safe. `key` stands for the account and its keyring: what was sealed under one key does not open under
   * another. `isAvailable: false` is a locked or missing keyring.
   */
  readonly safe: {
    readonly backend: 'basic_text' | 'gnome_libsecret' | 'kwallet' | 'kwallet5' | 'kwallet6' | 'unknown'
    readonly isAvailable: boolean
    readonly key: string
    readonly shouldReEncrypt: boolean
  }
  /**
   * Answers of a person to the next dialogs, first come first served: the number of a button, or paths for a file
   * dialog. A dialog without one is answered with its `cancelId`, or with no path.
   */
  readonly dialogAnswers: readonly (number | readonly string[])[]
  /** What `resolveProxy` answers, as Chromium parameters it; `{ "https://address": "PROXY p:8080" }` by start of the address. */
  readonly proxies: Readonly<Record<string, string>>
  readonly isDark: boolean
  /** BCP 47, as `app.getLocale()` and `getPreferredSystemLanguages()` say it. */
  readonly locale: string
  readonly hasNotifications: boolean
  /** Seconds since a person last moved something. */
  readonly idleSeconds: number
  readonly isOnBattery: boolean
  readonly isLocked: boolean
  /** What the system has switched on at login already. */
  readonly opensAtLogin: boolean
  /** Work areas of the displays, in device-independent pixels. */
  readonly displays: readonly {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }[]
}

export type DesktopOptions = {
  /** `--data`; `station` in the folder for user data unless told otherwise. */
  readonly dataFolder?: string
  /** Written to a file and given as `--config`. */
  readonly config?: StationConfig
  /** More parameters for the command line. */
  readonly parameters?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** `app.getPath('userData')`; a new folder unless told otherwise. The one above it is `appData` and `home`. */
  readonly userData?: string
  readonly surroundings?: Partial<Surroundings>
  /** The files to run; those of a current build unless told otherwise. */
  readonly files?: AppFiles
  /**
   * One that the test has open already, by `openDesktopBrowser()`: saves a second of starting another. With `'none'` windows have no page, for
   * what is about the main process alone; it answers at once then.
   */
  readonly browser?: Browser | 'none'
  /** Run on this Electron instead; then neither `surroundings` nor `browser` mean anything, and it waits for the page. */
  readonly on?: { readonly program: string }
  /** Wait for the window's page before answering (default), or answer at once: for starts that end, ask or fail. */
  readonly waitFor?: 'page' | 'nothing'
  /** How long main.js may take to come to its end, before it is taken for one that waits for itself. */
  readonly mainWithinMs?: number
}

export type MenuEntry = {
  readonly label: string
  readonly type: 'normal' | 'separator' | 'submenu' | 'checkbox' | 'radio'
  readonly isEnabled: boolean
  readonly isChecked: boolean
  readonly role: string | null
  readonly accelerator: string | null
  readonly entries: readonly MenuEntry[]
}

/** What the app did, by kind, in the order in which it did it. Pictures are told by their path or their data address. */
export type Records = {
  /** A built file was read as a module: its path below the folder of the app's files. */
  readonly module: { readonly path: string }
  /** `registerSchemesAsPrivileged`. */
  readonly scheme: { readonly scheme: string; readonly privileges: Readonly<Record<string, boolean>> }
  /** Calls on `app` that set something: `enableSandbox`, `setAppUserModelId`, `setPath`, `disableHardwareAcceleration`, … */
  readonly app: { readonly what: string; readonly parameters: readonly unknown[] }
  /** A switch for Chromium. */
  readonly commandLine: { readonly name: string; readonly value: string | null }
  readonly lock: { readonly isFirst: boolean }
  /** A window was made, with its options as they came, and everything that happened to it. */
  readonly window: {
    readonly id: number
    readonly what:
      | 'created'
      | 'shown'
      | 'hidden'
      | 'focused'
      | 'minimized'
      | 'restored'
      | 'closed'
      | 'kept'
      | 'loaded'
      | 'reloaded'
      | 'flashed'
      | 'crashed'
    /** The options for `created`, the address for `loaded`. */
    readonly parameters: readonly unknown[]
  }
  readonly progress: {
    readonly value: number
    readonly mode: string | null
  }
  readonly overlay: { readonly image: string | null; readonly description: string }
  readonly badge: { readonly count: number }
  /** The tray as it looks after each change; `isThere: false` once it was taken away. */
  readonly tray: {
    readonly isThere: boolean
    readonly image: string
    readonly toolTip: string
    readonly menu: readonly MenuEntry[]
  }
  readonly applicationMenu: { readonly menu: readonly MenuEntry[] | null }
  readonly dialog: {
    readonly type: 'message' | 'error' | 'open' | 'save'
    readonly title: string
    readonly message: string
    readonly detail: string
    readonly buttons: readonly string[]
    readonly answer: number | readonly string[]
    /** All that was asked for. */
    readonly options: Readonly<Record<string, unknown>>
  }
  readonly notification: {
    readonly id: number
    readonly what: 'shown' | 'closed'
    readonly title: string
    readonly body: string
    readonly options: Readonly<Record<string, unknown>>
  }
  readonly powerSave: { readonly what: 'started' | 'stopped'; readonly id: number; readonly type: string }
  readonly loginItem: Readonly<Record<string, unknown>>
  readonly safe: { readonly what: 'sealed' | 'opened' | 'notOpened' }
  readonly proxy: { readonly url: string; readonly answer: string }
  readonly openExternal: { readonly url: string }
  /** A navigation that a page began, and whether the app let it. Addresses are the app's own: `app://…`. */
  readonly navigation: { readonly url: string; readonly isMainFrame: boolean; readonly isPrevented: boolean }
  /** What a page asked of the network, beyond the scheme of the app and before anything has left. */
  readonly request: { readonly url: string; readonly isCancelled: boolean }
  /** What a page wanted to save, and where a person let it; a path is the first of the answer to the save dialog. */
  readonly download: {
    readonly url: string
    readonly fileName: string
    readonly isPrevented: boolean
    readonly path: string | null
  }
  readonly windowOpen: { readonly url: string; readonly action: string }
  /** What the app's handlers said about a permission, under Electron's name for it. */
  readonly permission: { readonly permission: string; readonly isGranted: boolean }
  /** An event that went to a page. */
  readonly sent: { readonly channel: string; readonly parameters: readonly unknown[] }
  readonly quit: {
    readonly what: 'asked' | 'before-quit' | 'will-quit' | 'quit'
    readonly isPrevented: boolean
  }
  readonly relaunch: { readonly parameters: readonly string[] | null; readonly program: string | null }
  readonly exit: { readonly code: number }
}
export type RecordKind = keyof Records

/** What a person or the system does. */
export type Act =
  /** A second start; its parameters as `second-instance` tells them. */
  | { readonly kind: 'secondInstance'; readonly parameters?: readonly string[] }
  /** The cross of the window. */
  | { readonly kind: 'closeWindow' }
  /** The system's way to quit (Cmd+Q, the dock, `app.quit()`). */
  | { readonly kind: 'quit' }
  | { readonly kind: 'activate' }
  | { readonly kind: 'suspend' | 'resume' | 'lock' | 'unlock' }
  /** Of `powerMonitor`: Linux and macOS. */
  | { readonly kind: 'shutdown' }
  /** Windows: `query-session-end`, then `session-end` on every window. */
  | { readonly kind: 'sessionEnd' }
  /** The page's process dies; `reason` as Electron parameters it. After it `page()` is asked anew. */
  | { readonly kind: 'rendererGone'; readonly reason?: 'crashed' | 'oom' | 'killed' }
  | { readonly kind: 'childGone'; readonly type: 'GPU' | 'Utility'; readonly reason?: 'crashed' | 'oom' }
  | { readonly kind: 'unresponsive' | 'responsive' }
  /** Something throws where nobody catches it; the message looks like a patient's number. */
  | { readonly kind: 'bug' }
  | { readonly kind: 'trayClick' }
  /** An entry of the tray's menu; labels from the outside in where there are menus in menus. */
  | { readonly kind: 'menuClick'; readonly labels: readonly string[] }
  /** An entry of the application's menu. */
  | { readonly kind: 'applicationMenuClick'; readonly labels: readonly string[] }
  /** The notice with this id, or the last one. */
  | { readonly kind: 'notificationClick' | 'notificationClose'; readonly id?: number }
  | { readonly kind: 'surroundings'; readonly changes: Partial<Surroundings> }

export type Desktop = {
  readonly runsOn: 'stand-in' | 'electron'
  readonly pid: number
  /** `app.getPath('userData')`. */
  readonly userData: string
  readonly dataFolder: string
  /** The page of the window: a real page of Chromium. Ask anew after a crash. Rejects where no window comes. */
  page(): Promise<Page>
  /** Asks over IPC, from the main frame of the window. */
  call<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<Result<CallOutput<Name>>>
  /** Asks, and takes a failure for a defect of the test. */
  value<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<CallOutput<Name>>
  /** Raw IPC from a frame that the test describes; `url: null` is a frame that is gone. Stand-in only. */
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
  /** Is this kind recorded on this host? A spec that needs one that is not is skipped and says why. */
  records(kind: RecordKind): boolean
  /** All of a kind so far. Throws where this host does not record it. */
  recorded<Kind extends RecordKind>(kind: Kind): readonly Records[Kind][]
  /** Resolves with the first of a kind that is as wanted, past or coming; rejects after 20 s, with those there were. */
  waitFor<Kind extends RecordKind>(
    kind: Kind,
    isWanted?: (record: Records[Kind]) => boolean,
  ): Promise<Records[Kind]>
  /** Resolves once the app's listeners have run (not what they began). */
  act(act: Act): Promise<void>
  /** What it wrote to stderr. */
  stderr(): string
  /** Quits as a person would, and waits for the end; killed after 10 s. Safe after it has ended. Answers the exit code. */
  stop(): Promise<number | null>
  /** As when the machine is switched off at the wall. */
  kill(): Promise<void>
  /** Its exit code once it has ended, by whatever; null where a signal did it. */
  readonly exitCode: Promise<number | null>
}
