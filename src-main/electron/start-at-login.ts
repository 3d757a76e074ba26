/**
 * Starts the desktop app, hidden, when somebody signs in. Windows and macOS keep such entries themselves; Linux
 * desktops read a file, and Electron's own call does nothing there. macOS keeps no words: it says at the start that it was
 * one at login.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from '../station/ports.ts'
import type { Station } from '../station/station-api.ts'
import { errorCode } from '../station/lib/errors.ts'

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

export type StartAtLoginOptions = {
  readonly app: LoginItems
  readonly platform: NodeJS.Platform
  /** The program that is started, and with what beside `--hidden`: the same files as now. */
  readonly program: string
  readonly words: readonly string[]
  /** Where Linux desktops look: `$XDG_CONFIG_HOME`, or `.config` in the home. */
  readonly configHome: string
}

/** What a start at login is given of this start's own line, so that it takes the same station. */
export function wordsAtLogin(commandLine: {
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
const WORDS_OF_ANOTHER_STATION = ['--config', '--data', '--user-data-dir']

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
  wanted: 'on' | 'off',
  options: StartAtLoginOptions,
): Promise<'asWanted' | 'refused'> {
  if (options.platform === 'linux') return await writeAutostart(wanted, options)
  if (wanted === 'on' && options.platform === 'darwin' && needsWords(options.words)) return 'refused'
  const item = {
    // Electron enters the path as it is given, and reads it back as the first word of a line (electron 32657, 53911).
    path: options.platform === 'win32' ? `"${options.program}"` : options.program,
    args: options.words.map((word) => argument(word, options.platform)),
  }
  // An entry that was switched off in the system's own list reads as none, and would come back one day: it goes anyway.
  const isThere = (): boolean => options.app.getLoginItemSettings(item).openAtLogin
  if (wanted === 'off') options.app.setLoginItemSettings({ ...item, openAtLogin: false })
  else if (!isThere()) options.app.setLoginItemSettings({ ...item, openAtLogin: true })
  const { executableWillLaunchAtLogin = true } = options.app.getLoginItemSettings(item)
  // Elsewhere than on Windows nothing is said of it, or nothing that means anything.
  const isObeyed = options.platform !== 'win32' || executableWillLaunchAtLogin
  return (isThere() && isObeyed) === (wanted === 'on') ? 'asWanted' : 'refused'
}

function needsWords(words: readonly string[]): boolean {
  return words.some((word) => WORDS_OF_ANOTHER_STATION.includes(word))
}

/** Windows gets one line of text, in which a space would end a word. */
function argument(word: string, platform: NodeJS.Platform): string {
  return platform === 'win32' && /\s/.test(word) ? `"${word}"` : word
}

/** How a desktop's own list of autostart programs switches one off: in the file itself. */
const SWITCHED_OFF = /^(?:Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m

async function writeAutostart(
  wanted: 'on' | 'off',
  { program, words, configHome }: StartAtLoginOptions,
): Promise<'asWanted' | 'refused'> {
  const folder = join(configHome, 'autostart')
  const path = join(folder, 'fundus-courier.desktop')
  if (wanted === 'off') {
    await rm(path, { force: true })
    return 'asWanted'
  }
  const content = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Fundus Courier',
    `Exec=${[program, ...words].map(desktopWord).join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
  const there = await readWhereThere(path)
  if (there !== null && SWITCHED_OFF.test(there)) return 'refused'
  if (there === content) return 'asWanted'
  await mkdir(folder, { recursive: true })
  await writeFile(path, content)
  return 'asWanted'
}

/** One word of an `Exec` line: quoted, and its own rules for what would mean something in it. */
function desktopWord(word: string): string {
  // The value is unescaped once as a string and once as a command line, so each backslash is doubled.
  const quoted = word
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
  return `"${quoted}"`
}

async function readWhereThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Makes the entry as the settings say, now and whenever they change; the station works as well without one. */
export async function followStartAtLogin(given: {
  readonly station: Pick<Station, 'on' | 'handlers'>
  readonly logger: Logger
  readonly set: (wanted: 'on' | 'off') => Promise<'asWanted' | 'refused'>
  /** What the system says after each of them. */
  readonly onLooked?: (found: 'asWanted' | 'refused') => void
}): Promise<void> {
  const setAndLook = async (wanted: 'on' | 'off'): Promise<void> => {
    const found = await given.set(wanted)
    given.onLooked?.(found)
    if (found === 'refused')
      given.logger.warn('the system does not start this app at login as it is set', { wanted })
  }
  let last = Promise.resolve()
  const follow = (wanted: 'on' | 'off'): Promise<void> => {
    last = last
      .then(() => setAndLook(wanted))
      .catch((error: unknown) =>
        given.logger.warn('the start at login could not be set', {
          error: error instanceof Error ? error.name : 'unknown',
        }),
      )
    return last
  }
  given.station.on((event) => {
    if (event.name === 'settingsChanged') void follow(event.payload.desktop.startAtLogin)
  })
  const settings = await given.station.handlers['settings.get']({})
  if (settings.ok) await follow(settings.value.desktop.startAtLogin)
}
