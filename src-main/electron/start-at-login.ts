/**
 * Starts the desktop app, hidden, when somebody signs in. Windows and macOS keep such entries themselves; Linux
 * desktops read a file, and Electron's own call does nothing there. macOS keeps no words: it says at the start that it was
 * one at login.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { app } from 'electron'
import type { Station } from '../station/api.ts'
import { errorCode } from '../station/lib/errors.ts'
import type { Logger } from '../station/ports.ts'
import type { CommandLine } from './command-line.ts'

/** The part of `app` that is needed. */
export type LoginItems = {
  getLoginItemSettings(options: { readonly path: string; readonly args: string[] }): {
    readonly openAtLogin: boolean
    /** Windows: false where the entry is there and somebody has switched it off in the system's own list. */
    readonly executableWillLaunchAtLogin?: boolean
  }
  setLoginItemSettings(settings: {
    readonly openAtLogin: boolean
    readonly path: string
    readonly args: string[]
  }): void
}

type StartAtLoginOptions = {
  readonly app: LoginItems
  readonly platform: NodeJS.Platform
  /** The program that is started, and with what beside `--hidden`: the same files as now. */
  readonly program: string
  readonly args: readonly string[]
  /** Where Linux desktops look: `$XDG_CONFIG_HOME`, or `.config` in the home. */
  readonly configHome: string
}

/** What a start at login is given of this start's own line, so that it takes the same station. */
export function loginArguments(commandLine: {
  readonly configPath: string | null
  readonly dataFolder: string | null
  readonly userDataFolder?: string | null
  readonly language?: string | null
  readonly isGpuDisabled?: boolean
}): string[] {
  const {
    configPath,
    dataFolder,
    userDataFolder = null,
    language = null,
    isGpuDisabled = false,
  } = commandLine
  return [
    '--hidden',
    ...(configPath === null ? [] : ['--config', resolve(configPath)]),
    ...(dataFolder === null ? [] : ['--data', resolve(dataFolder)]),
    ...(userDataFolder === null ? [] : ['--user-data-dir', resolve(userDataFolder)]),
    ...(language === null ? [] : [`--lang=${language}`]),
    ...(isGpuDisabled ? ['--disable-gpu'] : []),
  ]
}

/** Words that lead to other cases than a start without them. */
const STATION_OPTIONS = ['--config', '--data', '--user-data-dir']

/** Was this start the system's own, at login? Only macOS says so; elsewhere the entry says `--hidden`. */
export function wasOpenedAtLogin(
  app: { getLoginItemSettings(): { readonly wasOpenedAtLogin?: boolean } },
  platform: NodeJS.Platform,
): boolean {
  return platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin === true
}

/**
 * Makes the system's entry as it is wanted. One that is right already is left alone: whoever switched it off in the
 * system's own list would find it switched on again. Answers what the system says afterwards: an entry that waits for
 * approval, or that somebody has forbidden, is refused without an error. So is one that would start another station.
 */
export async function setStartAtLogin(
  desired: 'on' | 'off',
  options: StartAtLoginOptions,
): Promise<'asWanted' | 'refused'> {
  if (options.platform === 'linux') return await writeAutostart(desired, options)
  if (desired === 'on' && options.platform === 'darwin' && needsArguments(options.args)) return 'refused'
  const item = {
    // Electron enters the path as it is given, and reads it back as the first word of a line (electron 32657, 53911).
    path: options.platform === 'win32' ? `"${options.program}"` : options.program,
    args: options.args.map((arg) => quoteArgument(arg, options.platform)),
  }
  // An entry that was switched off in the system's own list reads as none, and would come back one day: it goes anyway.
  const exists = (): boolean => options.app.getLoginItemSettings(item).openAtLogin
  if (desired === 'off') options.app.setLoginItemSettings({ ...item, openAtLogin: false })
  else if (!exists()) options.app.setLoginItemSettings({ ...item, openAtLogin: true })
  const { executableWillLaunchAtLogin = true } = options.app.getLoginItemSettings(item)
  // Elsewhere than on Windows nothing is said of it, or nothing that means anything.
  const isEffective = options.platform !== 'win32' || executableWillLaunchAtLogin
  return (exists() && isEffective) === (desired === 'on') ? 'asWanted' : 'refused'
}

function needsArguments(args: readonly string[]): boolean {
  return args.some((arg) => STATION_OPTIONS.includes(arg))
}

/** Windows gets one line of text, in which a space would end a word. */
function quoteArgument(arg: string, platform: NodeJS.Platform): string {
  return platform === 'win32' && /\s/.test(arg) ? `"${arg}"` : arg
}

/** How a desktop's own list of autostart programs switches one off: in the file itself. */
const SWITCHED_OFF = /^(?:Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m

async function writeAutostart(
  desired: 'on' | 'off',
  { program, args, configHome }: StartAtLoginOptions,
): Promise<'asWanted' | 'refused'> {
  const folder = join(configHome, 'autostart')
  const path = join(folder, 'fundus-courier.desktop')
  if (desired === 'off') {
    await rm(path, { force: true })
    return 'asWanted'
  }
  const content = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Fundus Courier',
    `Exec=${[program, ...args].map(quoteDesktopArgument).join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
  const current = await readIfExists(path)
  if (current !== null && SWITCHED_OFF.test(current)) return 'refused'
  if (current === content) return 'asWanted'
  await mkdir(folder, { recursive: true })
  await writeFile(path, content)
  return 'asWanted'
}

/** One word of an `Exec` line: quoted, and its own rules for what would mean something in it. */
function quoteDesktopArgument(arg: string): string {
  // The value is unescaped once as a string and once as a command line, so each backslash is doubled.
  const quoted = arg
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
  return `"${quoted}"`
}

async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Makes the entry as the settings say, now and whenever they change; the station works as well without one. */
export async function followStartAtLogin(options: {
  readonly station: Pick<Station, 'on' | 'handlers'>
  readonly logger: Logger
  readonly set: (wanted: 'on' | 'off') => Promise<'asWanted' | 'refused'>
  /** What the system says after each of them. */
  readonly onResult?: (found: 'asWanted' | 'refused') => void
}): Promise<void> {
  const setAndCheck = async (desired: 'on' | 'off'): Promise<void> => {
    const result = await options.set(desired)
    options.onResult?.(result)
    if (result === 'refused')
      options.logger.warn('the system does not start this app at login as it is set', { wanted: desired })
  }
  let last = Promise.resolve()
  const follow = (desired: 'on' | 'off'): Promise<void> => {
    last = last
      .then(() => setAndCheck(desired))
      .catch((error: unknown) =>
        options.logger.warn('the start at login could not be set', {
          error: error instanceof Error ? error.name : 'unknown',
        }),
      )
    return last
  }
  options.station.on((event) => {
    if (event.name === 'settingsChanged') void follow(event.payload.desktop.startAtLogin)
  })
  const settings = await options.station.handlers['settings.get']({})
  if (settings.ok) await follow(settings.value.desktop.startAtLogin)
}

type StartAtLogin = {
  /** Does the system do as the settings say? Null before it was asked, and where nothing is to be started. */
  result(): 'asWanted' | 'refused' | null
  /** Keeps the system's entry as the settings say from here on. */
  follow(station: Station): void
}

/** The program of a developer is Electron itself, and nothing to be started at login. */
export function createStartAtLogin(logger: Logger, commandLine: CommandLine): StartAtLogin {
  let result: 'asWanted' | 'refused' | null = null
  return {
    result: () => result,
    follow: (station) => {
      if (!app.isPackaged) return
      void followStartAtLogin({
        station,
        logger,
        onResult: (now) => (result = now),
        set: (desired) =>
          setStartAtLogin(desired, {
            app,
            platform: process.platform,
            program: process.execPath,
            args: loginArguments(commandLine),
            // On Linux this is where desktops look.
            configHome: app.getPath('appData'),
          }),
      })
    },
  }
}
