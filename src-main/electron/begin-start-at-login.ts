import { app } from 'electron'
import type { Logger } from '../station/ports.ts'
import type { Station } from '../station/station-api.ts'
import type { CommandLine } from './command-line.ts'
import { followStartAtLogin, setStartAtLogin, wordsAtLogin } from './start-at-login.ts'

/** Keeps the system's entry as the settings say. The program of a developer is Electron itself, and nothing to be started at login. */
export function beginStartAtLogin(station: Station, logger: Logger, commandLine: CommandLine): void {
  if (!app.isPackaged) return
  void followStartAtLogin({
    station,
    logger,
    set: (wanted) =>
      setStartAtLogin(wanted, {
        app,
        platform: process.platform,
        program: process.env['APPIMAGE'] ?? process.execPath,
        words: wordsAtLogin(commandLine),
        // On Linux this is where desktops look.
        configHome: app.getPath('appData'),
      }),
  })
}
