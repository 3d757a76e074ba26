/** Opens what a station keeps: the care for its disk, the outbox with its manifests and backups, folders, settings. */
import { makeDataFolders, type DataFolders } from './data-folders.ts'
import { clearIncoming } from './intake/spool.ts'
import { openStorageMonitor, type StorageMonitor } from './keep-storage.ts'
import { openSettings, type OpenedSettings } from './open-settings.ts'
import { openWithSpace } from './open-with-space.ts'
import { openDailyBackups, type DailyBackups } from './outbox/daily-backups.ts'
import { manifestsFolderIn } from './outbox/manifest-files.ts'
import { openManifestKeeper, type ManifestKeeper } from './outbox/manifest-keeper.ts'
import { checkRowsAtStart } from './outbox/check-rows.ts'
import { openCheckedOutbox, type CheckedOutbox } from './outbox/open-checked-outbox.ts'
import { handleRestored } from './outbox/restored.ts'
import { serviceOf } from './place-of.ts'
import type { StationOptions } from './station-api.ts'
import type { CloserStack } from './what-is-open.ts'

export type StorageParts = OpenedSettings & {
  readonly storage: StorageMonitor
  readonly checkedOutbox: CheckedOutbox
  readonly folders: DataFolders
  readonly manifests: ManifestKeeper
  readonly backups: DailyBackups
}

export type StorageListeners = {
  /** These submissions have changed. */
  readonly onSubmissions: (ids: readonly string[]) => void
  /** How the disk, the manifests or the backups are, has changed. */
  readonly onTrouble: () => void
  /** The disk has failed: nothing more may be begun. */
  readonly onBroken: () => void
}

/** Throws a StorageError where any of it cannot be used. What was opened until then stands in `whatIsOpen`. */
export async function openStorageParts(
  options: StationOptions,
  { onSubmissions, onTrouble, onBroken }: StorageListeners,
  closers: CloserStack,
): Promise<StorageParts> {
  const { dataFolder, ports, askFreeBytes } = options
  const { clock, logger } = ports
  const storage = openStorageMonitor({
    dataFolder,
    clock,
    logger,
    askFree: askFreeBytes,
    onChanged: onTrouble,
    onBroken,
  })
  closers.defer(() => storage.close())
  const thread = { workerUrl: ports.workers.outbox, logger }
  const checkedOutbox = await openWithSpace(
    () => openCheckedOutbox(dataFolder, thread, onSubmissions, storage.hooks),
    storage.reserve,
  )
  closers.defer(() => checkedOutbox.close())
  const { outbox } = checkedOutbox
  const folders = await makeDataFolders(dataFolder)
  await clearIncoming(folders.spoolFolder)
  const { settings, managedFiles } = await openSettings(options, outbox)
  const manifestsFolder = manifestsFolderIn(dataFolder)
  const service = serviceOf(settings.current().service)
  const { dangling } = checkedOutbox
  await checkRowsAtStart({ outbox, manifestsFolder, dangling, service, clock, logger })
  await handleRestored({ outbox, manifestsFolder, clock, logger, service })
  const { giveUpSpace } = storage.hooks
  const manifests = openManifestKeeper({
    outbox,
    folder: manifestsFolder,
    clock,
    logger,
    giveUpSpace,
    onTrouble,
  })
  closers.defer(() => manifests.close())
  const backups = openDailyBackups({
    opened: checkedOutbox,
    clock,
    settings: () => settings.current(),
    onTrouble,
  })
  closers.defer(() => backups.close())
  return { storage, checkedOutbox, folders, settings, managedFiles, manifests, backups }
}
