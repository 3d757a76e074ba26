/**
 * electron-updater, as the little that we ask of it: look, fetch, install. It checks the SHA-512 that the feed announces
 * and, on Windows, that the maker of this app has signed the file; when it is installed is ours to say.
 */
import { existsSync } from 'node:fs'
import type { AppUpdater } from 'electron-updater'
import { SECOND } from '../../../src-shared/durations.ts'
import type { Clock, Logger } from '../../station/ports.ts'
import { readOffer, type Offer } from './judge-offer.ts'
import type { AfterInstalling } from './whether-to-install.ts'

export type UpdateProgram = {
  /** The newest version of a feed where it is higher than ours, else null; rejects where the feed cannot be read. */
  look(feed: string): Promise<Offer | null>
  /** Fetches what was found and checks it; rejects where it is not what was announced. What came before is kept. */
  fetch(onProgress: (percent: number) => void): Promise<void>
  /**
   * Starts the installation of what was fetched; the app ends at once after it. Throws where it cannot be started.
   * Resolves late or never on macOS, where the system's updater ends the app by itself.
   */
  install(after: AfterInstalling): Promise<void>
}

/** macOS hands the file over to the system first; after so long something is wrong, and the app must not stand still. */
const HANDED_OVER_WITHIN_MS = 60 * SECOND
/**
 * On Windows it is only told afterwards that an installer could not be started (NsisUpdater 6.8). One that was started
 * ends by itself, after 1.3 s and more, what still runs of the old program (allowOnlyOneInstallerInstance.nsh of
 * electron-builder): it should be gone before.
 */
const REFUSED_WITHIN_MS = SECOND

/** What of electron-updater installs without ending the app by itself; all but the one of macOS. */
type Installing = AppUpdater & {
  /** What was fetched; null for nothing. */
  readonly installerPath: string | null
  install(isSilent: boolean, isForceRunAfter: boolean): boolean
}

function installsByItself(updater: AppUpdater): updater is Installing {
  return 'install' in updater && typeof updater.install === 'function'
}

type ProgramOptions = {
  readonly clock: Pick<Clock, 'after'>
  readonly logger: Logger
}

export function updateProgram(updater: AppUpdater, { clock, logger }: ProgramOptions): UpdateProgram {
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve))
  updater.autoDownload = false
  // It would install at any quit: also when a session ends, and without a backup.
  updater.autoInstallOnAppQuit = false
  updater.allowPrerelease = false
  updater.allowDowngrade = false
  updater.disableWebInstaller = true
  // Its words name files and addresses; ours say in our own words what came of it.
  updater.logger = null
  const errors: Error[] = []
  // Without a listener an error would end the app.
  updater.on('error', (error) => errors.splice(0, errors.length, error))
  return {
    async look(feed) {
      updater.setFeedURL({ provider: 'generic', url: feed })
      const result = await updater.checkForUpdates()
      return result?.isUpdateAvailable ? readOffer(result.updateInfo) : null
    },
    async fetch(onProgress) {
      const tell = ({ percent }: { readonly percent: number }): void => onProgress(Math.floor(percent))
      updater.on('download-progress', tell)
      try {
        await updater.downloadUpdate()
      } finally {
        updater.removeListener('download-progress', tell)
      }
    },
    async install(after) {
      errors.length = 0
      if (installsByItself(updater)) {
        // A virus scanner may have taken it away, and Windows reports no error then.
        if (updater.installerPath === null || !existsSync(updater.installerPath))
          throw new Error('what was fetched is gone')
        if (!updater.install(true, after === 'restart'))
          throw errors[0] ?? new Error('the installation could not be started')
        await pause(REFUSED_WITHIN_MS)
        if (errors[0]) throw errors[0]
        return
      }
      updater.autoRunAppAfterInstall = after === 'restart'
      updater.quitAndInstall()
      await pause(HANDED_OVER_WITHIN_MS)
      logger.error('the system did not take the update in time')
      throw errors[0] ?? new Error('the system did not take the update in time')
    },
  }
}
