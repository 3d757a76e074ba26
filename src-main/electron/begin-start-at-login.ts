import { app } from 'electron'
import type { Logger } from '../station/ports.ts'
import type { Station } from '../station/station-api.ts'
import type { CommandLine } from './command-line.ts'
import { followStartAtLogin, setStartAtLogin, wordsAtLogin } from './start-at-login.ts'

export type StartAtLogin = {
  /** Does the system do as the settings say? Null before it was asked, and where nothing is to be started. */
  found(): 'asWanted' | 'refused' | null
  /** Keeps the system's entry as the settings say from here on. */
  follow(station: Station): void
}

/** The program of a developer is Electron itself, and nothing to be started at login. */
export function createStartAtLogin(logger: Logger, commandLine: CommandLine): StartAtLogin {
  let found: 'asWanted' | 'refused' | null = null
  return {
    found: () => found,
    follow: (station) => {
      if (!app.isPackaged) return
      void followStartAtLogin({
        station,
        logger,
        onLooked: (now) => (found = now),
        set: (wanted) =>
          setStartAtLogin(wanted, {
            app,
            platform: process.platform,
            program: process.execPath,
            words: wordsAtLogin(commandLine),
            // On Linux this is where desktops look.
            configHome: app.getPath('appData'),
          }),
      })
    },
  }
}
