/** Opens what a station keeps: the care for its disk, the outbox with its manifests and backups, folders, settings. */
import { makeDataFolders, type DataFolders } from './data-folders.ts'
import { clearIncoming } from './intake/spool.ts'
import { keepStorage, type StorageKeeper } from './keep-storage.ts'
import { openSettings, type OpenedSettings } from './open-settings.ts'
import { openWithSpace } from './open-with-space.ts'
import { openDailyBackups, type DailyBackups } from './outbox/daily-backups.ts'
import { manifestsFolderIn } from './outbox/manifest-files.ts'
import { openManifestKeeper, type ManifestKeeper } from './outbox/manifest-keeper.ts'
import { checkRowsAtStart } from './outbox/check-rows.ts'
import { openCheckedOutbox, type CheckedOutbox } from './outbox/open-checked-outbox.ts'
import { settleRestored } from './outbox/restored.ts'
import { placeOf } from './place-of.ts'
import type { StationOptions } from './station-api.ts'
import type { WhatIsOpen } from './what-is-open.ts'

export type StorageSide = OpenedSettings & {
  readonly storage: StorageKeeper
  readonly opened: CheckedOutbox
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
export async function openStorageSide(
  options: StationOptions,
  { onSubmissions, onTrouble, onBroken }: StorageListeners,
  whatIsOpen: WhatIsOpen,
): Promise<StorageSide> {
  const { dataFolder, ports, askFreeBytes } = options
  const { clock, logger } = ports
  const storage = keepStorage({
    dataFolder,
    clock,
    logger,
    askFree: askFreeBytes,
    onChanged: onTrouble,
    onBroken,
  })
  whatIsOpen.add(() => storage.close())
  const thread = { workerUrl: ports.workers.outbox, logger }
  const opened = await openWithSpace(
    () => openCheckedOutbox(dataFolder, thread, onSubmissions, storage.care),
    storage.inHand,
  )
  whatIsOpen.add(() => opened.close())
  const { outbox } = opened
  const folders = await makeDataFolders(dataFolder)
  await clearIncoming(folders.spoolFolder)
  const { settings, managedFiles } = await openSettings(options, outbox)
  const manifestsFolder = manifestsFolderIn(dataFolder)
  const service = placeOf(settings.current().service)
  const { dangling } = opened
  await checkRowsAtStart({ outbox, manifestsFolder, dangling, service, clock, logger })
  await settleRestored({ outbox, manifestsFolder, clock, logger, service })
  const { giveUpSpace } = storage.care
  const manifests = openManifestKeeper({
    outbox,
    folder: manifestsFolder,
    clock,
    logger,
    giveUpSpace,
    onTrouble,
  })
  whatIsOpen.add(() => manifests.close())
  const backups = openDailyBackups({ opened, clock, settings: () => settings.current(), onTrouble })
  whatIsOpen.add(() => backups.close())
  return { storage, opened, folders, settings, managedFiles, manifests, backups }
}
