/** What of the command line must be obeyed before Electron is ready, and before the lock of the single instance. */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { usageText, type CommandLine } from './command-line.ts'

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
