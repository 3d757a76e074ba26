/** The command line of the desktop app, and what of it must take effect before Electron is ready. */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * Every supported option, and whether it takes a value; the administrator's guide says what each does. Chromium reads the
 * same line, also `lang` and `disable-gpu`.
 */
const OPTIONS = {
  hidden: 'alone',
  config: 'withValue',
  enrol: 'withValue',
  data: 'withValue',
  'user-data-dir': 'withValue',
  lang: 'withValue',
  'disable-gpu': 'alone',
  'safe-mode': 'alone',
  recover: 'alone',
} as const

type OptionName = keyof typeof OPTIONS

/** Parses the command line; unknown options are ignored, and the last of repeated options wins. An option without its value counts as absent. */
export function readCommandLine(args: readonly string[]) {
  const options = parseOptions(args)
  const valueOf = (name: OptionName): string | null => options.get(name) ?? null
  return {
    configPath: valueOf('config'),
    dataFolder: valueOf('data'),
    userDataFolder: valueOf('user-data-dir'),
    enrolmentPath: valueOf('enrol'),
    language: valueOf('lang'),
    isHidden: options.has('hidden'),
    isSafeMode: options.has('safe-mode'),
    isGpuDisabled: options.has('disable-gpu'),
    isRecovering: options.has('recover'),
  }
}

export type CommandLine = Readonly<ReturnType<typeof readCommandLine>>

/** Values by option name; the empty text for an option without a value. */
function parseOptions(args: readonly string[]): ReadonlyMap<OptionName, string> {
  const options = new Map<OptionName, string>()
  for (const [index, arg] of args.entries()) {
    const [, name = '', inlineValue] = /^--([a-z-]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (!isOption(name)) continue
    if (OPTIONS[name] === 'alone') {
      options.set(name, '')
      continue
    }
    // The next argument is the value unless it is an option itself; `--config --hidden` names no file.
    const next = args[index + 1]
    const value = inlineValue ?? (next?.startsWith('-') === true ? undefined : next)
    if (value !== undefined && value !== '') options.set(name, value)
  }
  return options
}

function isOption(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name)
}

export type EarlyApp = {
  setPath(name: 'userData', path: string): void
  readonly commandLine: {
    getSwitchValue(name: string): string
    appendSwitch(name: string, value?: string): void
  }
}

/** Applies the options that must precede `ready`. */
export function applyEarlyOptions(app: EarlyApp, { userDataFolder, language }: CommandLine): void {
  if (userDataFolder !== null) {
    const folder = resolve(userDataFolder)
    // Electron refuses a folder that does not exist.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    app.setPath('userData', folder)
  }
  // Chromium only understands `--lang=es`; `--lang es` means the same.
  if (language !== null && app.commandLine.getSwitchValue('lang') !== language)
    app.commandLine.appendSwitch('lang', language)
}

/**
 * The next start recovers nothing, is safe only if this run still is (else nothing would be sent after the next bug,
 * unseen), and leaves a hidden window hidden. Pure.
 */
export function relaunchArguments(
  args: readonly string[],
  { isHidden, isSafe }: { readonly isHidden: boolean; readonly isSafe: boolean },
): string[] {
  const dropped = ['--recover', '--hidden', ...(isSafe ? [] : ['--safe-mode'])]
  return [...args.filter((arg) => !dropped.includes(arg)), ...(isHidden ? ['--hidden'] : [])]
}
