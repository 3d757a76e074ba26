/** The command line of the desktop app, and what of it must take effect before Electron is ready. */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** Every supported option, as `--help` prints it. Chromium reads the same line, also `lang` and `disable-gpu`. */
const FLAGS = [
  { name: 'hidden', value: null, means: 'start in the tray, without a window' },
  { name: 'config', value: 'FILE', means: 'settings from this file, over those of the policy' },
  { name: 'enrol', value: 'FILE', means: 'take the service and its secret from this file, once' },
  { name: 'data', value: 'FOLDER', means: 'keep cases, images and reports in this folder' },
  { name: 'user-data-dir', value: 'FOLDER', means: 'keep what belongs to this account in this folder' },
  { name: 'lang', value: 'LANGUAGE', means: 'the language of this start: en or es' },
  { name: 'disable-gpu', value: null, means: 'draw without the graphics card' },
  { name: 'safe-mode', value: null, means: 'screens only: nothing is watched, nothing is sent' },
  { name: 'recover', value: null, means: 'rebuild a lost or damaged outbox, then start' },
  { name: 'version', value: null, means: 'say the version and end' },
  { name: 'help', value: null, means: 'say this and end' },
] as const

const QUESTIONS = ['help', 'version'] as const

/** Parses the command line; unknown options are ignored, and the last of repeated options wins. An option without its value counts as absent. */
export function readCommandLine(args: readonly string[]) {
  const options = parseOptions(args)
  const valueOf = (name: (typeof FLAGS)[number]['name']): string | null => options.get(name) ?? null
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
    /** Print a text to the terminal and start nothing. */
    isOnlyAsking: QUESTIONS.find((name) => options.has(name)) ?? null,
  }
}

export type CommandLine = Readonly<ReturnType<typeof readCommandLine>>

/** Values by option name; the empty text for an option without a value. */
function parseOptions(args: readonly string[]): ReadonlyMap<string, string> {
  const options = new Map<string, string>()
  for (const [index, arg] of args.entries()) {
    const [, name, inlineValue] = /^--([a-z-]+)(?:=(.*))?$/s.exec(arg) ?? []
    const flag = FLAGS.find((one) => one.name === name)
    if (!flag) continue
    if (flag.value === null) {
      options.set(flag.name, '')
      continue
    }
    // The next argument is the value unless it is an option itself; `--config --hidden` names no file.
    const next = args[index + 1]
    const value = inlineValue ?? (next?.startsWith('-') === true ? undefined : next)
    if (value !== undefined && value !== '') options.set(flag.name, value)
  }
  return options
}

export function usageText(): string {
  const labels = FLAGS.map(({ name, value }) => `--${name}${value === null ? '' : `=${value}`}`)
  const width = Math.max(...labels.map(({ length }) => length))
  const lines = FLAGS.map(({ means }, index) => `  ${labels[index]?.padEnd(width)}  ${means}`)
  return ['Fundus Courier, the desktop station beside a retinal camera', '', ...lines, ''].join('\n')
}

export type EarlyApp = {
  getVersion(): string
  setPath(name: 'userData', path: string): void
  readonly commandLine: {
    getSwitchValue(name: string): string
    appendSwitch(name: string, value?: string): void
  }
}

/** Applies the options that must precede `ready`. `said`: the answer was printed, and the app must exit at once. */
export function runCommand(
  app: EarlyApp,
  commandLine: CommandLine,
  print: (text: string) => void,
): 'start' | 'said' {
  if (commandLine.isOnlyAsking !== null) {
    print(commandLine.isOnlyAsking === 'help' ? usageText() : `Fundus Courier ${app.getVersion()}\n`)
    return 'said'
  }
  if (commandLine.userDataFolder !== null) {
    const folder = resolve(commandLine.userDataFolder)
    // Electron refuses a folder that does not exist.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    app.setPath('userData', folder)
  }
  // Chromium only understands `--lang=es`; `--lang es` means the same.
  if (commandLine.language !== null && app.commandLine.getSwitchValue('lang') !== commandLine.language)
    app.commandLine.appendSwitch('lang', commandLine.language)
  return 'start'
}

/**
 * The next start recovers nothing, is safe only if this run still is (else nothing would be sent after the next bug,
 * unseen), and leaves a hidden window hidden. Pure.
 */
export function relaunchArguments(
  args: readonly string[],
  { isHidden, isSafe = false, add = [] }: { isHidden: boolean; isSafe?: boolean; add?: readonly string[] },
): string[] {
  const dropped = ['--recover', '--hidden', ...(isSafe ? [] : ['--safe-mode']), ...add]
  return [...args.filter((arg) => !dropped.includes(arg)), ...(isHidden ? ['--hidden'] : []), ...add]
}
