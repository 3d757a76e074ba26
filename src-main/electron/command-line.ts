/** What of the command line must be obeyed before Electron is ready, and before the lock of the single instance. */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** The command line of the desktop app. Chromium reads the same line, so what is unknown here is left alone. */

export type CommandLine = {
  /** A file of settings, as `npm run serve -- --config` takes it. */
  readonly configPath: string | null
  /** Where the station keeps its cases, in place of the folder that is found otherwise. */
  readonly dataFolder: string | null
  /** Where Electron keeps what belongs to this account: secrets, the place of the window, its lock. */
  readonly userDataFolder: string | null
  /** A file that brings the service and its secret, beside the one that the policy may name. */
  readonly enrolmentPath: string | null
  /** The language of this start, such as `es`; Chromium obeys it by itself. */
  readonly language: string | null
  /** Start in the tray, as at login. */
  readonly isHidden: boolean
  /** Screens only: nothing is watched and nothing is sent. */
  readonly isSafeMode: boolean
  /** Drawn without the graphics card; Chromium obeys it by itself. */
  readonly isGpuDisabled: boolean
  /** Build a lost or damaged outbox anew before the start. */
  readonly isRecovering: boolean
  /** Something is said on the terminal, and nothing is started. */
  readonly isOnlyAsking: 'help' | 'version' | null
}

/** Every word that means something here, as `--help` prints it. */
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

type FlagName = Flag['name']

/** What the line says; where a word stands twice, the last one counts. A value that is missing is not there at all. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const options = parseOptions(args)
  const valueOf = (name: FlagName): string | null => options.get(name) ?? null
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
    isOnlyAsking: options.has('help') ? 'help' : options.has('version') ? 'version' : null,
  }
}

type Flag = (typeof FLAGS)[number]

function parseFlag(arg: string): {
  readonly flag: Flag | undefined
  readonly inlineValue: string | undefined
} {
  const [, name, inlineValue] = /^--([a-z-]+)(?:=(.*))?$/s.exec(arg) ?? []
  return { flag: FLAGS.find((flag) => flag.name === name), inlineValue }
}

/** By name: the value, or an empty text for a word that takes none. */
function parseOptions(args: readonly string[]): ReadonlyMap<string, string> {
  const options = new Map<string, string>()
  for (const [index, arg] of args.entries()) {
    const { flag, inlineValue } = parseFlag(arg)
    if (!flag) continue
    if (flag.value === null) {
      options.set(flag.name, '')
      continue
    }
    // The next word is the value unless it is a word of its own; `--config --hidden` names no file.
    const next = args[index + 1]
    const value = inlineValue ?? (next?.startsWith('-') === true ? undefined : next)
    if (value !== undefined && value !== '') options.set(flag.name, value)
  }
  return options
}

/** What `--help` prints. */
export function usageText(): string {
  const labels = FLAGS.map(({ name, value }) => `--${name}${value === null ? '' : `=${value}`}`)
  const width = Math.max(...labels.map(({ length }) => length))
  const lines = FLAGS.map(({ means }, index) => `  ${(labels[index] ?? '').padEnd(width)}  ${means}`)
  return ['Fundus Courier, the desktop station beside a retinal camera', '', ...lines, ''].join('\n')
}

/** The part of `app` that is needed. */
export type EarlyApp = {
  getVersion(): string
  setPath(name: 'userData', path: string): void
  readonly commandLine: {
    getSwitchValue(name: string): string
    appendSwitch(name: string, value?: string): void
  }
}

/** `said`: the question of the line is answered, and the app is to end at once. Synchronous, as all before `ready`. */
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
    // Electron refuses a folder that is not there.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    app.setPath('userData', folder)
  }
  // Chromium reads only `--lang=es`; `--lang es` is meant in the same way.
  if (commandLine.language !== null && app.commandLine.getSwitchValue('lang') !== commandLine.language)
    app.commandLine.appendSwitch('lang', commandLine.language)
  return 'start'
}
