/**
 * Starts the desktop app, hidden, at login. Windows and macOS store such entries themselves; on Linux, where
 * Electron's call does nothing, desktops read a file. macOS stores no arguments: it reports at startup that the login
 * started the app.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { app } from 'electron'
import type { Station } from '../station/api.ts'
import { errorCode, errorName } from '../station/lib/errors.ts'
import { serially } from '../station/lib/schedule.ts'
import type { Logger } from '../station/ports.ts'
import type { CommandLine } from './command-line.ts'

export type LoginItems = {
  getLoginItemSettings(options: { readonly path: string; readonly args: string[] }): {
    readonly openAtLogin: boolean
    /** Windows: false if the entry exists but a person disabled it in the system's own list. */
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
  /** The program and its arguments apart from `--hidden`: the same as in this run. */
  readonly program: string
  readonly args: readonly string[]
  /** Where Linux desktops read: `$XDG_CONFIG_HOME`, or `.config` in the home folder. */
  readonly configHome: string
}

/** The arguments of this run that a start at login needs to open the same station. */
export function loginArguments(commandLine: CommandLine): string[] {
  const { configPath, dataFolder, userDataFolder, language, isGpuDisabled } = commandLine
  return [
    '--hidden',
    ...(configPath === null ? [] : ['--config', resolve(configPath)]),
    ...(dataFolder === null ? [] : ['--data', resolve(dataFolder)]),
    ...(userDataFolder === null ? [] : ['--user-data-dir', resolve(userDataFolder)]),
    ...(language === null ? [] : [`--lang=${language}`]),
    ...(isGpuDisabled ? ['--disable-gpu'] : []),
  ]
}

const STATION_OPTIONS = ['--config', '--data', '--user-data-dir']

/** Did the system start this run at login? Only macOS says so; elsewhere the entry passes `--hidden`. */
export function wasOpenedAtLogin(
  app: { getLoginItemSettings(): { readonly wasOpenedAtLogin?: boolean } },
  platform: NodeJS.Platform,
): boolean {
  return platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin === true
}

/**
 * Updates the system's entry. A correct one stays, because writing would re-enable what a person disabled in the
 * system's list. `refused`, without an error, if it awaits approval, is disabled, or would start another station.
 */
export async function setStartAtLogin(
  desired: 'on' | 'off',
  options: StartAtLoginOptions,
): Promise<'asWanted' | 'refused'> {
  if (options.platform === 'linux') return await writeAutostart(desired, options)
  if (desired === 'on' && options.platform === 'darwin' && needsArguments(options.args)) return 'refused'
  const item = {
    // Electron writes the path unquoted and reads it back as the first word of a line (electron 32657, 53911).
    path: options.platform === 'win32' ? `"${options.program}"` : options.program,
    args: options.args.map((arg) => quoteArgument(arg, options.platform)),
  }
  // An entry disabled in the system's own list reads as absent but could be re-enabled later, so it is removed
  // anyway.
  const exists = (): boolean => options.app.getLoginItemSettings(item).openAtLogin
  if (desired === 'off') options.app.setLoginItemSettings({ ...item, openAtLogin: false })
  else if (!exists()) options.app.setLoginItemSettings({ ...item, openAtLogin: true })
  const { executableWillLaunchAtLogin = true } = options.app.getLoginItemSettings(item)
  // On other systems the value is missing or meaningless.
  const isEffective = options.platform !== 'win32' || executableWillLaunchAtLogin
  return (exists() && isEffective) === (desired === 'on') ? 'asWanted' : 'refused'
}

function needsArguments(args: readonly string[]): boolean {
  return args.some((arg) => STATION_OPTIONS.includes(arg))
}

/** Windows stores one line of text, in which a space would end an argument. */
function quoteArgument(arg: string, platform: NodeJS.Platform): string {
  return platform === 'win32' && /\s/.test(arg) ? `"${arg}"` : arg
}

/** How a desktop's own list of autostart programs disables one: in the file itself. */
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
  const current = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
  if (current !== null && SWITCHED_OFF.test(current)) return 'refused'
  if (current === content) return 'asWanted'
  await mkdir(folder, { recursive: true })
  await writeFile(path, content)
  return 'asWanted'
}

/** One argument of an `Exec` line, quoted and escaped by its rules. */
function quoteDesktopArgument(arg: string): string {
  // The value is unescaped twice, as a string and as a command line, so each backslash is doubled.
  const quoted = arg
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
  return `"${quoted}"`
}

/**
 * Keeps the entry in line with the settings, now and after each change; a failure does not affect the station. Not for
 * unpackaged apps: their program is Electron itself.
 */
export function createStartAtLogin(
  logger: Logger,
  commandLine: CommandLine,
  set = (wanted: 'on' | 'off'): Promise<'asWanted' | 'refused'> =>
    setStartAtLogin(wanted, {
      app,
      platform: process.platform,
      program: process.execPath,
      args: loginArguments(commandLine),
      configHome: app.getPath('appData'),
    }),
) {
  let result: 'asWanted' | 'refused' | null = null
  const inTurn = serially()
  const follow = async (wanted: 'on' | 'off'): Promise<void> => {
    try {
      result = await inTurn(() => set(wanted))
      if (result === 'refused')
        logger.warn('the system does not start this app at login as it is set', { wanted })
    } catch (error) {
      logger.warn('the start at login could not be set', { error: errorName(error) })
    }
  }
  return {
    /** The effective state; null before the first check. */
    result: () => result,
    follow: async (station: Pick<Station, 'on' | 'handlers'>): Promise<void> => {
      station.on((event) => {
        if (event.name === 'settingsChanged') void follow(event.payload.desktop.startAtLogin)
      })
      const settings = await station.handlers['settings.get']({})
      if (settings.ok) await follow(settings.value.desktop.startAtLogin)
    },
  }
}
