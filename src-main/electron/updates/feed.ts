/** The update feed and electron-updater: where to check, what to accept, what an error means, how to install. */
import { existsSync } from 'node:fs'
import type { AppUpdater } from 'electron-updater'
import { z } from 'zod'
import type { UpdateProblem, UpdateRefusal, UpdatesOff } from '../../../src-shared/desktop.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import type { UpdateSettings } from '../../../src-shared/settings.ts'
import { errorCode } from '../../station/lib/errors.ts'
import type { Clock } from '../../station/ports.ts'
import type { CommandLine } from '../command-line.ts'

export type FeedFacts = {
  readonly isPackaged: boolean
  readonly platform: NodeJS.Platform
  readonly commandLine: Pick<CommandLine, 'configPath' | 'dataFolder' | 'userDataFolder' | 'isSafeMode'>
  /** The feed address built into the package; null for none. */
  readonly packagedFeed: string | null
  readonly settings: UpdateSettings
}

export type FeedChoice =
  | { readonly kind: 'feed'; readonly url: string }
  | { readonly kind: 'off'; readonly why: UpdatesOff }

/** The feed that this station checks for updates, or why it checks none. Pure. */
export function chooseFeed({
  isPackaged,
  platform,
  commandLine,
  packagedFeed,
  settings,
}: FeedFacts): FeedChoice {
  if (!isPackaged) return { kind: 'off', why: 'development' }
  // A deb package is updated by the system's package manager.
  if (platform === 'linux') return { kind: 'off', why: 'packageManager' }
  // An installer restarts the app without its command line: with another folder it would come back as another
  // station.
  const { configPath, dataFolder, userDataFolder, isSafeMode } = commandLine
  if ((configPath ?? dataFolder ?? userDataFolder) !== null || isSafeMode)
    return { kind: 'off', why: 'commandLine' }
  if (settings.install === 'off') return { kind: 'off', why: 'setOff' }
  const url = settings.feed ?? packagedFeed
  return url === null ? { kind: 'off', why: 'noFeed' } : { kind: 'feed', url }
}

/** What we read of `latest.yml`; `vendor` is our own field, written by `npm run package`. */
const offerSchema = z.object({
  version: z.string().min(1),
  /** Of a version that does not state it nothing is known: it counts as the oldest. */
  vendor: z.object({ outboxSchema: z.number().int().positive() }).catch({ outboxSchema: 0 }),
})

/** The newest version that a feed states. */
export type Offer = z.infer<typeof offerSchema>

/** Why an offer is refused, or null. A program with an older schema would refuse our outbox, and send no case. Pure. */
export function refusalOf(
  { vendor }: Offer,
  ours: { readonly ourOutboxSchema: number; readonly rights: 'enough' | 'administrator' },
): UpdateRefusal | null {
  if (vendor.outboxSchema < ours.ourOutboxSchema) return 'olderOutbox'
  return ours.rights === 'administrator' ? 'administrator' : null
}

/** The file differs from the one that the feed announced, or is not signed by the maker of this app (Windows). */
const DAMAGED_CODES = ['ERR_CHECKSUM_MISMATCH', 'ERR_UPDATER_INVALID_SIGNATURE', 'ERR_UPDATER_NO_CHECKSUM']
const UNREADABLE_CODES = [
  'ERR_UPDATER_INVALID_UPDATE_INFO',
  'ERR_UPDATER_INVALID_VERSION',
  'ERR_UPDATER_NO_FILES_PROVIDED',
  'ERR_UPDATER_ASSET_NOT_FOUND',
  'ERR_UPDATER_ZIP_FILE_NOT_FOUND',
]

/** Classifies an error on the way to an update; electron-updater's own errors have codes. Pure. */
export function updateTroubleOf(error: unknown): UpdateProblem {
  if (!(error instanceof Error)) return 'unreachable'
  const code = errorCode(error) ?? ''
  if (DAMAGED_CODES.includes(code)) return 'damaged'
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'noSpace'
  if (UNREADABLE_CODES.includes(code) || error.name === 'ZodError' || error.name === 'YAMLException')
    return 'unreadable'
  return 'unreachable'
}

/** electron-updater checks the announced SHA-512 and, on Windows, the signature of the maker of this app. */
export type Updater = {
  /** The newest version of a feed if it is higher than ours, else null; rejects if the feed cannot be read. */
  check(feed: string): Promise<Offer | null>
  /** Downloads and checks the version found; rejects if it differs from the announced one. */
  fetch(): Promise<void>
  /** Installs the download and ends the app; rejects if it cannot begin. On macOS it resolves late or never. */
  install(): Promise<void>
}

/** macOS first passes the file to the system; after this long something is wrong, and the app must not hang. */
const QUIT_TIMEOUT_MS = 60 * SECOND
/**
 * On Windows a failed start of the installer is reported only afterwards (NsisUpdater 6.8). An installer that did
 * start kills the old program after 1.3 s and more (allowOnlyOneInstallerInstance.nsh), so we exit before that.
 */
const REFUSAL_WAIT_MS = SECOND

/** The updaters that install without ending the app: all but the one for macOS. */
type InstallingUpdater = AppUpdater & {
  readonly installerPath: string | null
  install(isSilent: boolean, isForceRunAfter: boolean): boolean
}

function canInstall(updater: AppUpdater): updater is InstallingUpdater {
  return 'install' in updater && typeof updater.install === 'function'
}

export function createUpdater(updater: AppUpdater, clock: Pick<Clock, 'after'>): Updater {
  const wait = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve))
  updater.autoDownload = false
  // It would install at any quit: also when a session ends, and without a backup.
  updater.autoInstallOnAppQuit = false
  updater.allowPrerelease = false
  updater.allowDowngrade = false
  updater.disableWebInstaller = true
  // Its messages contain file names and addresses.
  updater.logger = null
  const errors: Error[] = []
  // Without a listener, an error would end the app.
  updater.on('error', (error) => errors.splice(0, errors.length, error))
  return {
    async check(feed) {
      updater.setFeedURL({ provider: 'generic', url: feed })
      const result = await updater.checkForUpdates()
      return result?.isUpdateAvailable ? offerSchema.parse(result.updateInfo) : null
    },
    async fetch() {
      await updater.downloadUpdate()
    },
    async install() {
      errors.length = 0
      if (canInstall(updater)) {
        // A virus scanner may have removed the download, and Windows reports no error then.
        if (updater.installerPath === null || !existsSync(updater.installerPath))
          throw new Error('what was fetched is gone')
        if (!updater.install(true, true))
          throw errors[0] ?? new Error('the installation could not be started')
        await wait(REFUSAL_WAIT_MS)
        if (errors[0]) throw errors[0]
        return
      }
      updater.autoRunAppAfterInstall = true
      updater.quitAndInstall()
      await wait(QUIT_TIMEOUT_MS)
      throw errors[0] ?? new Error('the system did not take the update in time')
    },
  }
}
