import { app } from 'electron'
import type { Logger } from '../station/ports.ts'
import type { Station } from '../station/station-api.ts'
import type { CommandLine } from './command-line.ts'
import { followStartAtLogin, setStartAtLogin, loginArguments } from './start-at-login.ts'

export type StartAtLogin = {
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
