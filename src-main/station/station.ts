import { availableParallelism, hostname } from 'node:os'
import { join } from 'node:path'
import type { NotificationSettings } from '../../src-shared/desktop-settings.ts'
import type { ServiceSettings, Settings } from '../../src-shared/settings.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { StationOptions } from './api.ts'
import type { Delivery } from './delivery/delivery.ts'
import type { StationEvents } from './events.ts'
import { startPhotoThread } from './intake/images/photo-thread.ts'
import { type Intake, openIntake } from './intake/intake.ts'
import { NO_LIST, openPatientList, type PatientListMonitor } from './intake/patient-list.ts'
import { clearIncoming } from './intake/spool.ts'
import { ignoringStorageErrors, storageFailureOf } from './lib/storage-faults.ts'
import { type DataFolders, makeDataFolders } from './lib/files.ts'
import type { Loop } from './lib/schedule.ts'
import { openOverdueNotices } from './notices/notices.ts'
import { createNotificationScheduler } from './notices/scheduler.ts'
import { checkRowsAtStart } from './outbox/check-rows.ts'
import type { Outbox } from './outbox/outbox.ts'
import {
  type CheckedOutbox,
  type DailyBackups,
  openCheckedOutbox,
  openDailyBackups,
} from './outbox/recovery/backups.ts'
import { type ManifestKeeper, openManifestKeeper } from './outbox/recovery/manifest-writer.ts'
import { manifestsFolderIn } from './outbox/recovery/manifests.ts'
import type { Service } from './outbox/recovery/restore.ts'
import { handleRestored } from './outbox/restored-copy.ts'
import { openDryRunOutbox } from './outbox/thread.ts'
import type { Ports } from './ports.ts'
import type { ReportSource } from './reports/center-lists.ts'
import { openReportCopies } from './reports/copies.ts'
import { openReports } from './reports/reports.ts'
import { readServiceAddress } from './service/address.ts'
import type { ServiceClient } from './service/client.ts'
import { openServiceClient } from './service/service.ts'
import { type OpenedSettings, openSettings } from './settings/enrolment.ts'
import { openWithSpace } from './storage/disk.ts'
import { openStorageMonitor, type StorageMonitor } from './storage/storage.ts'
import { listInThread } from './watch/list-folder.ts'
import { type FileMark, openWatcher, type PriorResult } from './watch/watch.ts'

export type CloserStack = {
  /** Is to be closed where what follows cannot be opened. */
  defer(close: () => Promise<void>): void
  /** Closes the latest first; what cannot be closed keeps nothing else open. */
  close(): Promise<void>
}

/** What a start has opened so far: where the rest of it fails, nothing of it may stay. */
export function createCloserStack(): CloserStack {
  const closers: (() => Promise<void>)[] = []
  return {
    defer: (close) => void closers.push(close),
    close: async () => {
      for (let next = closers.pop(); next; next = closers.pop())
        try {
          await next()
        } catch {
          // Why the start failed is told; this is only what follows from it.
        }
    },
  }
}

/** The status now; of an outbox that cannot be read any more, what was last known of it, with the trouble. */
export function cachedStatus(
  read: () => StationStatus,
  storage: Pick<StorageMonitor, 'failure'>,
  now: () => number,
): () => StationStatus {
  let last: StationStatus | null = null
  return () => {
    const cached = last
    last = null
    ignoringStorageErrors(() => {
      last = read()
    })
    const fresh: StationStatus | null = last
    if (fresh !== null) return fresh
    // Nothing was read before either: there is nothing to fall back on.
    if (cached === null) return read()
    last = cached
    return { ...cached, storage: storage.failure(cached.storage), now: now() }
  }
}

/** Opens what lies between the camera's folders and the outbox, and introduces it to one another. */
export type CameraParts = {
  readonly intake: Intake
  patientList(): StationStatus['patientList']
  recheckPatientList(): void
  /** Profiles may read names otherwise now. */
  rereadNames(): void
  close(): Promise<void>
}

type CameraOptions = {
  readonly outbox: Outbox
  readonly ports: Ports
  readonly settings: () => Settings
  readonly spoolFolder: string
  readonly stationId: string
  /** Is there space for a file of this size now? */
  readonly hasSpaceFor: (fileBytes: number) => Promise<boolean>
  /** Something changed that the status tells. */
  readonly onChanged: () => void
}

/** Each holds one image in memory, and more of them only wait for the disk. */
const MAX_PHOTO_THREADS = 2

/** In an outbox that cannot be read nothing is known: a file is looked at, and then not taken in. */
function lookUpKnownAs(outbox: Outbox, file: FileMark): PriorResult {
  try {
    return outbox.files.knownAs(file)
  } catch (error) {
    if (storageFailureOf(error) === null) throw error
    return 'new'
  }
}

/** Watches nothing yet: that begins with `intake.watch`. */
export function openCamera(options: CameraOptions): CameraParts {
  const { outbox, ports, settings, spoolFolder, onChanged } = options
  const { clock, logger, workers } = ports
  // Decoding is what an intake waits for (measured: two threads take 1.5 times as much in as one).
  const photos = Array.from({ length: Math.min(MAX_PHOTO_THREADS, availableParallelism()) }, () =>
    startPhotoThread({ workerUrl: workers.photo, logger }),
  )
  let turn = 0
  let patientList: PatientListMonitor | null = null
  const intake = openIntake({
    outbox,
    clock,
    logger,
    settings,
    spoolFolder,
    hasSpaceFor: options.hasSpaceFor,
    // Whatever is found here at a start is of no use, as with half-made copies.
    pictureFolder: join(spoolFolder, 'incoming'),
    readPhoto: (request) => {
      turn += 1
      const thread = photos[turn % photos.length]
      return thread ? thread.read(request) : Promise.resolve({ kind: 'notOpened' })
    },
    findInPatientList: (historyNumber) => patientList?.find(historyNumber) ?? null,
    isPatientListPending: () => patientList?.status().kind === 'settling',
    openTrialOutbox: openDryRunOutbox,
    openWatcher: (folder, onEvent) =>
      openWatcher({
        folder,
        workerUrl: workers.watch,
        onEvent,
        lookUp: (files) => files.map((file) => lookUpKnownAs(outbox, file)),
        logger,
        clock,
      }),
    listFiles: (folderPath) => listInThread(workers.watch, folderPath),
    station: { stationId: options.stationId, hostName: hostname() },
    existingByDefault: ports.host === 'headless' ? 'include' : 'ask',
    onChanged,
  })
  const refreshCases = (): void => {
    intake
      .refreshAll()
      .then(() => intake.wake())
      // The trouble of the storage is told by who keeps it.
      .catch((error: unknown) => {
        if (storageFailureOf(error) === null) logger.error('the open cases could not be read anew')
      })
  }
  // Behind the intake: the first look at the list tells it at once.
  patientList = openPatientList({
    settings: () => settings().patientList,
    clock,
    logger,
    onChanged: () => {
      refreshCases()
      onChanged()
    },
  })
  return {
    intake,
    patientList: () => patientList?.status() ?? NO_LIST,
    recheckPatientList: () => patientList?.recheck(),
    rereadNames: () => {
      refreshCases()
      if (outbox.files.forgetIgnored() > 0) intake.rescan()
    },
    close: async () => {
      await intake.close()
      await Promise.all([...photos.map((thread) => thread.close()), patientList?.close()])
    },
  }
}

/** Opens what asks for reports and what copies them for the clinic, and introduces both to the service. */
export type ReportParts = { readonly reports: Loop; readonly copies: ReturnType<typeof openReportCopies> }

type ReportPartsOptions = {
  readonly outbox: Outbox
  readonly ports: Ports
  readonly settings: () => Settings
  readonly folder: string
  /** Null while no service is set. */
  readonly delivery: () => Delivery | null
  readonly onArrived: Parameters<typeof openReports>[0]['onArrived']
}

export function openReportParts(options: ReportPartsOptions): ReportParts {
  const { outbox, ports, settings, folder } = options
  const { clock, logger } = ports
  const source = (): ReportSource | null => {
    const current = options.delivery()
    return (
      current && {
        identity: current.identity,
        troubledUntil: () => current.serviceStatus().nextTryAt,
        getReport: (watch) =>
          current.ask(watch.center_id, (client, signal) => client.getReport(watch.case_id, signal)),
        listCases: (centerId) => current.ask(centerId, (client, signal) => client.listCases(signal)),
        learnFromList: (centerId, cases) => current.learnFromList(centerId, cases),
      }
    )
  }
  const copies = openReportCopies({
    outbox,
    clock,
    logger,
    saveTo: () => settings().reports.saveTo,
    folder,
  })
  const reports = openReports({
    outbox,
    clock,
    logger,
    settings,
    folder,
    source,
    onArrived: (report) => {
      copies.wake()
      options.onArrived(report)
    },
  })
  return { reports, copies }
}

/** Opens what tells a person outside of the window, and introduces it to what the station tells of itself. */
type NoticeParts = {
  readonly reportArrived: (report: {
    readonly caseId: string
    readonly submissionId: string
    readonly isUrgent: boolean
  }) => void
  readonly close: () => Promise<void>
}

export function openNoticeParts(options: {
  readonly events: Pick<StationEvents, 'on'>
  readonly outbox: Pick<Outbox, 'oversight' | 'submissions'>
  readonly ports: Pick<Ports, 'clock' | 'logger' | 'notifier'>
  readonly settings: () => NotificationSettings
}): NoticeParts {
  const { clock, logger, notifier } = options.ports
  const notices = createNotificationScheduler({ clock, settings: options.settings, notifier })
  const overdueNotices = openOverdueNotices({ outbox: options.outbox, clock, logger, notify: notices.notify })
  const stopListening = options.events.on((event) => {
    if (event.name === 'stationChanged') notices.observeStatus(event.payload)
    else if (event.name === 'submissionChanged') notices.observeCase(event.payload)
    else if (event.name === 'submissionsChanged')
      ignoringStorageErrors(() => {
        for (const id of event.payload.ids) {
          const submission = options.outbox.submissions.get(id)
          if (submission) notices.observeCase(submission)
        }
      })
  })
  return {
    reportArrived: ({ caseId, submissionId, isUrgent }) =>
      notices.notify({
        kind: isUrgent ? 'urgentReport' : 'reportArrived',
        about: submissionId,
        route: { screen: 'reports', of: { caseId, submissionId } },
      }),
    close: async () => {
      stopListening()
      notices.close()
      await overdueNotices.close()
    },
  }
}

/** A service as attempts name it, or null where none is set. */
function serviceOf(service: ServiceSettings | undefined): Service | null {
  const base = service ? readServiceAddress(service.baseUrl)?.base : undefined
  return service && base !== undefined ? { baseUrl: base, clientId: service.clientId } : null
}

/** Opens what a station keeps: the care for its disk, the outbox with its manifests and backups, folders, settings. */
type StorageParts = OpenedSettings & {
  readonly storage: StorageMonitor
  readonly checkedOutbox: CheckedOutbox
  readonly folders: DataFolders
  readonly manifests: ManifestKeeper
  readonly backups: DailyBackups
}

type StorageListeners = {
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

/** A client for a service, with the secret that the settings give or, where they give none, the one that is kept. */
export function createClient(
  ports: Ports,
  service: ServiceSettings,
  readSavedSecret: (baseUrl: string) => Promise<string | null>,
  /** The clocks of both sides were found to be apart, or no longer are. */
  onClockChanged: () => void = () => undefined,
): ServiceClient {
  const { baseUrl, clientId, clientSecret } = service
  return openServiceClient({
    settings: { baseUrl, clientId },
    readSecret: () => (clientSecret === undefined ? readSavedSecret(baseUrl) : Promise.resolve(clientSecret)),
    proxies: ports.proxies,
    clock: ports.clock,
    version: ports.version,
    onClockChanged,
  })
}
