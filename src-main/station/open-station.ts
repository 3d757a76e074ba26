/** Opens the parts of a station and introduces them to one another; nothing else happens here. */
import type { Settings } from '../../src-shared/settings.ts'
import type { Mode } from '../../src-shared/station-status.ts'
import type { Station, StationOptions } from './api.ts'
import {
  createSettingsApplier,
  openDeliveryHolder,
  recheckUnits,
  type StationParts,
} from './apply-settings.ts'
import { createHandlers } from './calls/calls.ts'
import { recoverAttempts } from './delivery/sender.ts'
import { createStationEvents } from './events.ts'
import { openHeartbeat } from './heartbeat.ts'
import { makeScreenPicture, makeThumbnail, screenPictureBytes } from './intake/images/decode.ts'
import { ignoringStorageErrors, startErrorOf } from './lib/storage-faults.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Ports } from './ports.ts'
import {
  cachedStatus,
  type CloserStack,
  createClient,
  createCloserStack,
  openCamera,
  openNoticeParts,
  openReportParts,
  openStorageParts,
} from './station.ts'
import { modeOf, openSendingPause, readStatus, type StationPhase } from './status.ts'
import { findBytes, openScreenPictures } from './storage/served-bytes.ts'
import { openUploads } from './storage/uploads.ts'

/** More cases than these in one commit are announced by their ids: to read and send each would hold up the others. */
const MAX_SINGLE_EVENTS = 20

/** Opens a station; throws a StorageError with a sentence for people where its data folder cannot be used. */
export async function openStation(options: StationOptions): Promise<Station> {
  const closers = createCloserStack()
  try {
    return await openParts(options, closers)
  } catch (error) {
    // Whoever recovers or starts again in this process must find no lock and no thread of this one.
    await closers.close()
    throw startErrorOf(error)
  }
}

/** After the update that brought the rule, before anything is sent: says once why cases wait now. */
function applyNamesRule(outbox: Outbox, { clock, logger }: Ports, folders: Settings['folders']): void {
  const applied = outbox.approvals.applyNamesRuleOnce(folders, clock.now())
  if (applied === null) return
  if (outbox.approvals.isNamesRuleUnexplained())
    logger.warn(
      'cases of which the patient, the day or an eye was read from file names only wait for a person from now on, whatever sendWithoutReview says',
      applied,
    )
}

async function openParts(options: StationOptions, closers: CloserStack): Promise<Station> {
  const { dataFolder, ports } = options
  const { clock, logger } = ports
  const events = createStationEvents(clock, logger)
  let wakeParts: (() => void) | null = null
  let stopSending: (() => Promise<void>) | null = null
  const onChanged = (ids: readonly string[]): void => {
    // Nobody listens before the parts are there.
    if (!wakeParts) return
    ignoringStorageErrors(() => {
      if (ids.length > MAX_SINGLE_EVENTS) return events.emit('submissionsChanged', { ids: [...ids] })
      for (const id of ids) {
        const submission = outbox.submissions.get(id)
        if (submission) events.emit('submissionChanged', submission)
      }
    })
    emitStatus()
    // Whatever has changed may be due now.
    wakeParts()
  }
  const { storage, checkedOutbox, folders, settings, managedFiles, manifests, backups } =
    await openStorageParts(
      options,
      {
        onSubmissions: onChanged,
        // Nobody listens before the parts are there.
        onTrouble: () => wakeParts && emitStatus(),
        onBroken: () => {
          // What is under way keeps its proof; the next start judges it. Amid a start nothing is under way yet.
          stopSending?.().catch(() => logger.error('sending could not be ended'))
        },
      },
      closers,
    )
  const { outbox } = checkedOutbox
  const { spoolFolder, reportsFolder } = folders

  let phase: StationPhase = 'starting'

  const currentStatus = (): ReturnType<typeof readStatus> =>
    readStatus({
      ports,
      outbox,
      camera,
      delivery: deliveryHolder.current(),
      isServiceSet: settings.current().service !== undefined,
      phase,
      pause: pause.current(),
      centerId: settings.current().centerId,
      storage: storage.failure(camera.intake.storageFailure() ?? manifests.trouble() ?? backups.trouble()),
    })
  const status = cachedStatus(currentStatus, storage, () => clock.now())
  const emitStatus = (): void => {
    if (!wakeParts) return
    events.emitThrottled('stationChanged', '', () => (phase === 'stopped' ? null : status()))
  }
  const pause = openSendingPause({
    outbox,
    clock,
    onChanged: () => {
      wakeParts?.()
      emitStatus()
    },
  })
  closers.defer(() => Promise.resolve(pause.close()))

  const current = (): Settings => settings.current()
  const notices = openNoticeParts({ events, outbox, ports, settings: () => current().notifications })
  closers.defer(() => notices.close())
  const shared = {
    outbox,
    ports,
    settings: current,
    onChanged: emitStatus,
  }
  const deliveryHolder = openDeliveryHolder({
    ...shared,
    guard: manifests,
    readSecret: (baseUrl) => settings.readSecret(baseUrl),
    spoolFolder,
    maySend: () => phase === 'running' && pause.current() === null && storage.mayWrite(),
    events,
  })

  const camera = openCamera({
    ...shared,
    // A list of patients is a foreign file, too.
    settings: () => (phase === 'safe' ? { ...current(), patientList: null } : current()),
    spoolFolder,
    stationId: checkedOutbox.stationId,
    hasSpaceFor: (fileBytes) => storage.mayIngest(fileBytes),
  })
  closers.defer(() => camera.close())
  const { intake } = camera

  const screenPictures = openScreenPictures({
    beside: folders.thumbnailsFolder,
    clock,
    logger,
    bytesOf: screenPictureBytes,
    make: makeScreenPicture,
    mayTakeSpace: (bytes) => storage.mayIngest(bytes),
  })
  closers.defer(() => screenPictures.close())

  const reportParts = openReportParts({
    ...shared,
    folder: reportsFolder,
    delivery: () => deliveryHolder.current(),
    onArrived: ({ caseId, submissionId, isUrgent }) => {
      events.emit('reportArrived', { caseId, submissionId })
      notices.reportArrived({ caseId, submissionId, isUrgent })
      emitStatus()
    },
  })
  const { reports, copies } = reportParts
  closers.defer(() => copies.close())
  const endSending = async (): Promise<void> => {
    await Promise.all([deliveryHolder.close(), reports.close()])
  }
  stopSending = endSending
  closers.defer(endSending)

  const applier = createSettingsApplier({
    phase: () => phase,
    settings,
    storage,
    cameraParts: camera,
    reportParts,
    deliveryHolder,
    events,
    onChanged: emitStatus,
  })

  const uploads = openUploads({
    folder: folders.uploadsFolder,
    clock,
    logger,
    mayTakeIn: (fileBytes) => storage.mayIngest(fileBytes),
  })
  closers.defer(() => uploads.close())

  const parts: StationParts = {
    ports,
    outbox,
    intake,
    uploads,
    recheckUnits: () => recheckUnits({ outbox, intake, units: settings.current().clinical, at: clock.now() }),
    reports,
    settings,
    managedFiles,
    commandLine: options.managed?.commandLine ?? {},
    reportsFolder,
    stationId: checkedOutbox.stationId,
    dataFolder,
    delivery: () => deliveryHolder.current(),
    status,
    setPause: (until) => pause.set(until),
    startNormally: async () => {
      if (phase !== 'safe') return
      phase = 'running'
      logger.info('started normally out of safe mode')
      await applier.applyAll()
    },
    applySettings: (changed) => applier.apply(changed),
    openTestClient: (service) => createClient(ports, service, (baseUrl) => settings.readSecret(baseUrl)),
    emitStatus,
    emitCallProgress: (progress) => events.emit('callProgressed', progress),
    isStopping: () => phase === 'stopping' || phase === 'stopped',
    requestStop: () => options.onStopRequested?.(),
  }

  wakeParts = () => {
    manifests.wake()
    deliveryHolder.current()?.wake()
    reports.wake()
  }
  // Closed first where the rest fails: what is closed then has nobody left to tell.
  closers.defer(() => {
    phase = 'stopped'
    events.close()
    return Promise.resolve()
  })
  logger.info('station opened', { station: checkedOutbox.stationId, ...recoverAttempts(outbox, clock) })
  applyNamesRule(outbox, ports, current().folders)
  phase = options.startAs === 'safe' ? 'safe' : 'running'
  // A file of the administrator, or an end in the middle of a change.
  parts.recheckUnits()
  storage.watch({
    outbox,
    spoolFolder,
    settings: () => settings.current().storage,
    // By a clock that is wrong, or that nobody has compared, the time of images would be over too soon.
    mayRemove: () => phase === 'running' && deliveryHolder.current()?.clockReading().kind === 'right',
    onSpaceAgain: () => {
      intake.sweepNow()
      wakeParts?.()
    },
  })
  // What stood open before the restart is told of, too.
  emitStatus()
  const wakeUp = (): void => {
    if (phase === 'stopping' || phase === 'stopped') return
    // On a full or failed disk there is nothing to go on with, and no reason to end: the screens say what is wrong.
    ignoringStorageErrors(() => pause.recheck())
    ignoringStorageErrors(() => deliveryHolder.current()?.retryNow())
    intake.sweepNow()
    reports.wake()
  }
  if (phase === 'safe') {
    logger.warn('started in safe mode: nothing is watched and nothing is sent')
  } else {
    await deliveryHolder.reopen()
    // Not waited for: a share that hangs must not keep the screens from opening.
    intake.watch(settings.current().folders).catch(() => logger.error('the folders could not be watched'))
  }
  const currentMode = (): Mode =>
    modeOf(phase, pause.current(), deliveryHolder.current()?.serviceStatus() ?? null)
  const heartbeat = openHeartbeat({ dataFolder, ports, mode: currentMode, wakeUp })
  closers.defer(() => heartbeat.close())

  const stop = async (): Promise<void> => {
    if (phase === 'stopping' || phase === 'stopped') return
    phase = 'stopping'
    heartbeat.stop()
    events.emit('stationChanged', status())
    pause.close()
    await notices.close()
    await Promise.all([uploads.close(), applier.done()])
    await Promise.all([camera.close(), endSending(), copies.close(), storage.close(), screenPictures.close()])
    await Promise.all([manifests.close(), backups.close()])
    phase = 'stopped'
    events.close()
    await checkedOutbox.close()
    await heartbeat.close()
    logger.info('station stopped')
  }

  return {
    handlers: createHandlers(parts),
    on: (listener) => events.on(listener),
    revision: () => events.revision(),
    wakeUp,
    saveUpload: (file) => uploads.save(file),
    bytes: (kind, id) =>
      findBytes(
        outbox,
        { ...folders, makeThumbnail, screenPicture: (imageId, path) => screenPictures.of(imageId, path) },
        kind,
        id,
      ),
    backUp: () => backups.backUpNow(),
    stop,
  }
}
