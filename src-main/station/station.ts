/** The composition root: creates the parts of a station, wires them, starts them, and ends them in reverse. */
import { availableParallelism, hostname } from 'node:os'
import { join } from 'node:path'
import { type Settings, settingsSchema } from '../../src-shared/settings.ts'
import type { Station, StationOptions } from './api.ts'
import { createHandlers } from './calls/calls.ts'
import { createDeliveries } from './delivery/delivery.ts'
import { recoverAttempts } from './delivery/sender.ts'
import { openHeartbeat, openWhenFree, workIn } from './heartbeat.ts'
import { findPriorResults, openCases } from './cases/cases.ts'
import { openReaderProcesses, ownFiles } from './readers/processes.ts'
import { openPatientList } from './cases/patient-list.ts'
import { openForeignFiles } from './readers/folder-process.ts'
import { openLister, openWatcher } from './readers/watcher.ts'
import { close, closingTogether } from './lib/part.ts'
import { ignoringStorageErrors, startErrorOf } from './lib/storage-faults.ts'
import { serially } from './lib/schedule.ts'
import { createMetrics } from './metrics.ts'
import { openNotices } from './notices/notices.ts'
import { checkRowsAtStart } from './outbox/check-rows.ts'
import { openCheckedOutbox, openDailyBackups } from './outbox/recovery/backups.ts'
import { openManifestKeeper } from './outbox/recovery/manifest-writer.ts'
import { manifestsFolderIn } from './outbox/recovery/manifests.ts'
import { handleRestored } from './outbox/restored-copy.ts'
import { openDryRunOutbox } from './outbox/open-outbox.ts'
import { openReportCopies } from './reports/copies.ts'
import { openReports } from './reports/reports.ts'
import { serviceIdentity } from './service/http.ts'
import { openServiceClient } from './service/service.ts'
import { openSettings } from './settings/settings.ts'
import {
  cachedStatus,
  createStationEvents,
  emitSubmissions,
  modeOf,
  openSendingPause,
  readStatus,
  type StationPhase,
} from './status.ts'
import { openStorageMonitor, openWithSpace } from './storage/disk.ts'
import { makeDataFolders, protectDataFolder } from './storage/protection.ts'
import { findBytes, openScreenPictures, type PreviewMaker, sparingPreviews } from './storage/served-bytes.ts'
import { openUploads } from './storage/uploads.ts'

/** Each holds one image in memory, and more of them only wait for the disk. */
const MAX_LANES = 2

/** Opens a station; throws a StorageError with a sentence for people if its data folder cannot be used. */
export async function openStation(options: StationOptions): Promise<Station> {
  const ending = new AsyncDisposableStack()
  try {
    return await openParts(options, ending)
  } catch (error) {
    // A recovery or the next start in this process must find no lock and no thread of this one. What cannot be closed
    // now follows from the error that is thrown.
    await ending.disposeAsync().catch(() => undefined)
    throw startErrorOf(error)
  }
}

async function openParts(options: StationOptions, ending: AsyncDisposableStack): Promise<Station> {
  const { dataFolder, ports } = options
  const { clock, logger, workers } = ports
  let phase: StationPhase = 'starting'
  const metrics = createMetrics({ ports })
  const { startProcess } = metrics

  // 1. Create. A part may use earlier ones; none calls back yet. What is created last is closed first.
  const storage = openStorageMonitor({ dataFolder, clock, logger, askFree: options.askFreeBytes })
  const checkedOutbox = ending.adopt(
    await openWhenFree(
      () =>
        openWithSpace(
          () => openCheckedOutbox(dataFolder, { workerUrl: workers.outbox, logger }, storage.hooks),
          storage.reserve,
        ),
      { dataFolder, clock },
    ),
    close,
  )
  const { outbox, stationId, dangling } = checkedOutbox
  const events = createStationEvents(clock, logger)
  ending.defer(() => {
    phase = 'stopped'
    events.close()
  })
  const protection = protectDataFolder(dataFolder, logger)
  const folders = await makeDataFolders(dataFolder)
  const { spoolFolder } = folders
  await ownFiles.clearIncoming(spoolFolder)
  const { settings, managedFiles } = await openSettings(options, outbox)
  const current = (): Settings => settings.current()
  const shared = { outbox, clock, logger, settings: current }
  const manifestsFolder = manifestsFolderIn(dataFolder)
  const service = serviceIdentity(current().service)
  const inOtherUnits = await checkRowsAtStart({ ...shared, manifestsFolder, dangling, service })
  await handleRestored({ ...shared, manifestsFolder, service })
  const ownRecord = closingTogether(ending)
  const manifests = ownRecord(
    openManifestKeeper({ ...shared, folder: manifestsFolder, giveUpSpace: storage.hooks.giveUpSpace }),
  )
  const backups = ownRecord(openDailyBackups({ opened: checkedOutbox, clock, settings: current }))
  const pause = ownRecord(openSendingPause({ outbox, clock }))

  const ownWorker = closingTogether(ending)
  ownWorker(storage)
  // The cases end before the processes that they ask.
  const camera = new AsyncDisposableStack()
  ownWorker({ close: () => camera.disposeAsync() })
  const ofProcess = { program: workers.watch, startProcess, clock, logger }
  const openFiles = () => openForeignFiles(ofProcess)
  const foreign = camera.adopt(openFiles(), close)
  // Decoding is what the cases wait for (measured: two lanes take 1.5 times as much in as one).
  const lanes = Math.min(MAX_LANES, availableParallelism())
  const reader = camera.adopt(
    openReaderProcesses({ programs: workers, startProcess, lanes, logger }),
    (processes) => processes.close(),
  )
  const ofClient = { ...ports, readLongPage: reader.readCaseList }
  const deliveries = ownWorker(
    createDeliveries({
      ...shared,
      openClient: (of, onClockChanged) =>
        openServiceClient(ofClient, { ...of, clientSecret: undefined }, settings.readSecret, onClockChanged),
      guard: manifests,
      random: Math.random,
      spoolPath: (spoolName) => join(spoolFolder, spoolName),
      reread: (id) => cases.reread([id]),
      onOutcome: metrics.countOutcome,
      maySend: () => phase === 'running' && pause.current() === null && storage.mayWrite(),
    }),
  )
  const reports = ownWorker(
    openReports({ ...shared, folder: folders.reportsFolder, delivery: () => deliveries.current() }),
  )
  const readingNow = () => ({ at: clock.now(), version: ports.version })
  const previewOf = (make: PreviewMaker) => sparingPreviews(outbox, readingNow, make)
  // Of its own: the share of the list may hang while a person adds a file.
  const foreignOfList = camera.adopt(openFiles(), close)
  const copies = ownWorker(openReportCopies({ ...shared, folder: folders.reportsFolder, openFiles }))
  const patientList = camera.adopt(
    openPatientList({
      // A list of patients is a foreign file: nothing is read of it before the start, nor in safe mode.
      settings: () => (phase === 'starting' || phase === 'safe' ? null : current().patientList),
      clock,
      logger,
      readList: reader.readPatientList,
      foreign: foreignOfList,
    }),
    close,
  )
  const cases = camera.adopt(
    openCases({
      ...shared,
      version: ports.version,
      spoolFolder,
      hasSpaceFor: (fileBytes) => storage.mayIngest(fileBytes),
      // Whatever is found here at a start is of no use, as with half-made copies.
      pictureFolder: join(spoolFolder, 'incoming'),
      thumbnailOf: folders.thumbnailOf,
      readPhoto: reader.readPhoto,
      readDataFile: reader.readDataFile,
      peopleInPatientList: (historyNumber) => patientList.peopleOf(historyNumber),
      isPatientListPending: () => current().patientList !== null && patientList.isPending(),
      openMemoryOutbox: openDryRunOutbox,
      foreign,
      own: ownFiles,
      openWatcher: (folder, onEvent) =>
        openWatcher({
          ...ofProcess,
          folder,
          onEvent,
          lookup: (files) => findPriorResults(outbox, files, readingNow()),
          recordDeaths: (files, isProof) =>
            ignoringStorageErrors(() => outbox.recordDeaths(files, readingNow(), isProof)) !== undefined,
        }),
      listFiles: openLister(ofProcess),
      station: { stationId, hostName: hostname() },
      existingByDefault: ports.host === 'headless' ? 'include' : 'ask',
    }),
    close,
  )
  const screenPictures = ownWorker(
    openScreenPictures({
      beside: folders.thumbnailsFolder,
      clock,
      logger,
      make: previewOf(reader.makeScreenPicture),
      mayTakeSpace: (bytes) => storage.mayIngest(bytes),
    }),
  )

  const ownEntrance = closingTogether(ending)
  const uploads = ownEntrance(
    openUploads({ folder: folders.uploadsFolder, clock, logger, mayIngest: storage.mayIngest }),
  )
  // Two deliveries at once would not know of each other's center.
  const settingsInTurn = serially()
  ownEntrance({ close: () => settingsInTurn(() => Promise.resolve()) })
  const notices = ending.adopt(
    openNotices({ events, outbox, ports, settings: () => current().notifications }),
    close,
  )

  const status = cachedStatus(
    () =>
      readStatus({
        ports,
        outbox,
        cases,
        patientList,
        delivery: deliveries.current(),
        isServiceSet: current().service !== undefined,
        phase,
        pause: pause.current(),
        centerId: current().centerId,
        storage: storage.failure(cases.storageFailure() ?? manifests.trouble() ?? backups.trouble()),
      }),
    storage,
    () => clock.now(),
  )

  // 2. Wire. Every part is there, so that no order can be wrong.
  const announce = (): void =>
    events.emitThrottled('stationChanged', '', () => (phase === 'stopped' ? null : status()))
  const wake = (): void => {
    manifests.wake()
    deliveries.current()?.wake()
    reports.wake()
  }
  checkedOutbox.onCommitted((ids) =>
    ignoringStorageErrors(() => emitSubmissions(events, ids, { outbox, cases })),
  )
  checkedOutbox.onCommitted(announce)
  // Whatever has changed may be due now.
  checkedOutbox.onCommitted(wake)
  storage.onChange(announce)
  storage.onBroken((why) => {
    // It holds what would be gone with this process. A failure of it is logged there.
    if (why === 'displaced') void backups.backUpNow()
    // What is under way keeps its proof; the next start evaluates it.
    Promise.all([deliveries.close(), reports.close()]).catch(() => logger.error('sending could not be ended'))
  })
  storage.onSpaceAgain(() => {
    cases.folders.sweepNow()
    wake()
  })
  manifests.onChange(announce)
  backups.onChange(announce)
  pause.onChange(() => {
    wake()
    announce()
  })
  deliveries.onChange(announce)
  deliveries.onProgress((progress) => events.emitThrottled('deliveryProgressed', progress.id, () => progress))
  cases.onChange(announce)
  patientList.onChange(() => {
    void cases.refreshAll()
    announce()
  })
  reports.onArrived((report) => {
    copies.wake()
    events.emit('reportArrived', { caseId: report.caseId, submissionId: report.submissionId })
    notices.reportArrived(report)
    announce()
  })
  const applyToParts = async (changed: readonly string[]): Promise<void> => {
    const has = (...sections: readonly (keyof Settings)[]): boolean =>
      sections.some((section) => changed.includes(section))
    // After the disk has failed nothing is sent until the next start, to no service.
    if (has('service') && storage.isHealthy()) {
      await deliveries.reopen()
      reports.wake()
    }
    if (has('folders')) cases.names.applySettings()
    if (has('folders')) await cases.folders.watch(current().folders)
    if (has('patientList')) patientList.recheck()
    // Plausible values depend on the unit, so open cases are evaluated again for that, too.
    if (has('folders', 'clinical')) cases.rereadNames()
    deliveries.current()?.wake()
    copies.wake()
  }
  const applySettings = (changed: readonly string[]): Promise<void> =>
    settingsInTurn(async () => {
      if (phase !== 'running' && phase !== 'safe') return
      storage.check()
      if (phase === 'running') await applyToParts(changed)
      events.emit('settingsChanged', await settings.shown())
      announce()
    })
  const wakeUp = (): void => {
    if (isStopping()) return
    // On a full or failed disk there is nothing to go on with, and no reason to end: the screens say what is wrong.
    ignoringStorageErrors(() => pause.recheck())
    ignoringStorageErrors(() => deliveries.current()?.retryNow())
    cases.folders.sweepNow()
    reports.wake()
  }
  const isStopping = (): boolean => phase === 'stopping' || phase === 'stopped'

  // 3. Start.
  cases.names.applySettings()
  logger.info('station opened', { station: stationId, ...recoverAttempts(shared) })
  phase = options.startAs === 'safe' ? 'safe' : 'running'
  // A file of the administrator, or an end in the middle of a change.
  cases.recheckUnits(inOtherUnits)
  storage.watch({
    outbox,
    hasItsFiles: checkedOutbox.hasItsFiles,
    ...folders,
    settings: () => current().storage,
    // By a clock that is wrong, or that was never compared, the time of images would be over too soon.
    mayRemove: () => phase === 'running' && deliveries.current()?.clockReading().kind === 'right',
  })
  // What was open before the restart is announced, too.
  announce()
  if (phase === 'safe') {
    logger.warn('started in safe mode: nothing is watched and nothing is sent')
  } else {
    patientList.recheck()
    cases.undo.begin()
    await deliveries.reopen()
    // Not waited for: a share that hangs must not keep the screens from opening.
    cases.folders.watch(current().folders).catch(() => logger.error('the folders could not be watched'))
  }
  const heartbeat = openHeartbeat({
    dataFolder,
    ports,
    mode: () => modeOf(phase, pause.current(), deliveries.current()?.serviceStatus() ?? null),
    work: () => workIn(status()),
    disk: protection.disk,
    wakeUp,
  })

  return {
    handlers: createHandlers({
      ports,
      outbox,
      cases,
      uploads,
      reports: { ...reports, wake: () => [reports, copies].forEach((part) => part.wake()) },
      settings,
      managedFiles,
      commandLine: options.managed?.commandLine ?? {},
      reportsFolder: folders.reportsFolder,
      stationId,
      dataFolder,
      protection,
      delivery: () => deliveries.current(),
      status,
      setPause: (until) => pause.set(until),
      startNormally: async () => {
        if (phase !== 'safe') return
        phase = 'running'
        cases.undo.begin()
        logger.info('started normally out of safe mode')
        await applySettings(Object.keys(settingsSchema.shape))
      },
      applySettings,
      openTestClient: (of) => openServiceClient(ofClient, of, settings.readSecret),
      eraseLeftovers: () => storage.deleteLeftovers().then(() => void backups.backUpNow()),
      emitStatus: announce,
      emitCallProgress: (progress) => events.emit('callProgressed', progress),
      emitWindows: (windows) => events.emit('windowsChanged', windows),
      isStopping,
      requestStop: () => options.onStopRequested?.(),
    }),
    on: (listener) => events.on(listener),
    revision: () => events.revision(),
    wakeUp,
    saveUpload: (file) => uploads.save(file),
    bytes: (kind, id) =>
      findBytes(
        outbox,
        {
          ...folders,
          makeThumbnail: previewOf(reader.makeThumbnail),
          screenPicture: (imageId, path) => screenPictures.of(imageId, path),
        },
        kind,
        id,
      ),
    metrics: () => metrics.read({ status, outbox, freeBytes: storage.freeBytes, ...protection }),
    backUp: () => backups.backUpNow(),
    stop: async () => {
      if (isStopping()) return
      phase = 'stopping'
      heartbeat.stop()
      events.emit('stationChanged', status())
      try {
        await ending.disposeAsync()
      } finally {
        // Last: it says that nothing is open any more.
        await heartbeat.close()
      }
      logger.info('station stopped')
    },
  }
}
