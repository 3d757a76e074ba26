/**
 * electron-updater, as the little that we ask of it: look, fetch, install. It checks the SHA-512 that the feed announces
 * and, on Windows, that the maker of this app has signed the file; when it is installed is ours to say.
 */
import type { AppUpdater } from 'electron-updater'
import type { Logger } from '../../station/ports.ts'
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
const HANDED_OVER_WITHIN_MS = 60_000

/** What of electron-updater installs without ending the app by itself; all but the one of macOS. */
type Installing = AppUpdater & { install(isSilent: boolean, isForceRunAfter: boolean): boolean }

function installsByItself(updater: AppUpdater): updater is Installing {
  return 'install' in updater && typeof updater.install === 'function'
}

export function updateProgram(updater: AppUpdater, logger: Logger): UpdateProgram {
  updater.autoDownload = false
  // It would install at any quit: also when a session ends, and without a backup.
  updater.autoInstallOnAppQuit = false
  updater.allowPrerelease = false
  updater.allowDowngrade = false
  updater.disableWebInstaller = true
  // Its words name files and addresses; ours say in our own words what came of it.
  updater.logger = null
  let latest: Error | null = null
  // Without a listener an error would end the app.
  updater.on('error', (error) => {
    latest = error
  })
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
      latest = null
      if (installsByItself(updater)) {
        if (!updater.install(true, after === 'restart'))
          throw latest ?? new Error('the installation could not be started')
        return
      }
      updater.autoRunAppAfterInstall = after === 'restart'
      updater.quitAndInstall()
      await new Promise((resolve) => setTimeout(resolve, HANDED_OVER_WITHIN_MS))
      logger.error('the system did not take the update in time')
    },
  }
}
