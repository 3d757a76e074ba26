/** Opens the parts of a station and introduces them to one another; nothing else happens here. */
import type { Settings } from '../../src-shared/settings.ts'
import type { Mode } from '../../src-shared/station-status.ts'
import { settingsApplier } from './apply-settings.ts'
import { clientFor } from './client-for.ts'
import { recoverAttempts } from './delivery/recover-attempts.ts'
import { followUnits } from './follow-units.ts'
import { openHandedFiles } from './handed-files.ts'
import { handlersOf } from './handlers-of.ts'
import { makeScreenPicture, screenPictureBytes } from './intake/screen-picture.ts'
import { makeThumbnail } from './intake/thumbnails.ts'
import { keepPause } from './keep-pause.ts'
import { lastKnown } from './last-known.ts'
import { openCameraSide } from './open-camera-side.ts'
import { openDeliverySide } from './open-delivery-side.ts'
import { openNoticeSide } from './open-notice-side.ts'
import { openReportSide } from './open-report-side.ts'
import { openStorageSide } from './open-storage-side.ts'
import { openPulse } from './pulse.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Ports } from './ports.ts'
import { readStatus } from './read-status.ts'
import { openScreenPictures } from './screen-pictures.ts'
import { findBytes } from './served-bytes.ts'
import type { Station, StationOptions } from './station-api.ts'
import { createStationEvents } from './station-events.ts'
import { modeOf, type LifePhase } from './station-mode.ts'
import type { StationParts } from './station-parts.ts'
import { startErrorOf, whereReadable } from './storage-failure.ts'
import { createWhatIsOpen, type WhatIsOpen } from './what-is-open.ts'

/** More cases than these in one commit are announced by their ids: to read and send each would hold up the others. */
const MOST_SINGLE_EVENTS = 20

/** Opens a station; throws a StorageError with a sentence for people where its data folder cannot be used. */
export async function openStation(options: StationOptions): Promise<Station> {
  const whatIsOpen = createWhatIsOpen()
  try {
    return await openParts(options, whatIsOpen)
  } catch (error) {
    // Whoever recovers or starts again in this process must find no lock and no thread of this one.
    await whatIsOpen.close()
    throw startErrorOf(error)
  }
}

/** After the update that brought the rule, before anything is sent: says once why cases wait now. */
function applyNamesRule(outbox: Outbox, { clock, logger }: Ports, folders: Settings['folders']): void {
  const applied = outbox.applyNamesRuleOnce(folders, clock.now())
  if (applied === null) return
  if (outbox.isNamesRuleUnexplained())
    logger.warn(
      'cases of which the patient, the day or an eye was read from file names only wait for a person from now on, whatever sendWithoutReview says',
      applied,
    )
}

async function openParts(options: StationOptions, whatIsOpen: WhatIsOpen): Promise<Station> {
  const { dataFolder, ports } = options
  const { clock, logger } = ports
  const events = createStationEvents(clock, logger)
  let wakeParts: (() => void) | null = null
  let stopSending: (() => Promise<void>) | null = null
  const onChanged = (ids: readonly string[]): void => {
    // Nobody listens before the parts are there.
    if (!wakeParts) return
    whereReadable(() => {
      if (ids.length > MOST_SINGLE_EVENTS) return events.tell('submissionsChanged', { ids: [...ids] })
      for (const id of ids) {
        const submission = outbox.submissionOf(id)
        if (submission) events.tell('submissionChanged', submission)
      }
    })
    tellStatus()
    // Whatever has changed may be due now.
    wakeParts()
  }
  const { storage, opened, folders, settings, managedFiles, manifests, backups } = await openStorageSide(
    options,
    {
      onSubmissions: onChanged,
      // Nobody listens before the parts are there.
      onTrouble: () => wakeParts && tellStatus(),
      onBroken: () => {
        // What is under way keeps its proof; the next start judges it. Amid a start nothing is under way yet.
        stopSending?.().catch(() => logger.error('sending could not be ended'))
      },
    },
    whatIsOpen,
  )
  const { outbox } = opened
  const { spoolFolder, reportsFolder } = folders

  let phase: LifePhase = 'starting'

  const statusNow = (): ReturnType<typeof readStatus> =>
    readStatus({
      ports,
      outbox,
      camera,
      delivery: deliverySide.current(),
      isServiceSet: settings.current().service !== undefined,
      phase,
      pause: pause.current(),
      centerId: settings.current().centerId,
      storage: storage.failure(camera.intake.storageTrouble() ?? manifests.trouble() ?? backups.trouble()),
    })
  const status = lastKnown(statusNow, storage, () => clock.now())
  const tellStatus = (): void => {
    if (!wakeParts) return
    events.tellSoon('stationChanged', '', () => (phase === 'stopped' ? null : status()))
  }
  const pause = keepPause({
    outbox,
    clock,
    onChanged: () => {
      wakeParts?.()
      tellStatus()
    },
  })
  whatIsOpen.add(() => Promise.resolve(pause.close()))

  const current = (): Settings => settings.current()
  const notices = openNoticeSide({ events, outbox, ports, settings: () => current().notifications })
  whatIsOpen.add(() => notices.close())
  const shared = {
    outbox,
    ports,
    settings: current,
    onChanged: tellStatus,
  }
  const deliverySide = openDeliverySide({
    ...shared,
    guard: manifests,
    readSecret: (baseUrl) => settings.readSecret(baseUrl),
    spoolFolder,
    maySend: () => phase === 'running' && pause.current() === null && storage.mayWrite(),
    events,
  })

  const camera = openCameraSide({
    ...shared,
    // A list of patients is a foreign file, too.
    settings: () => (phase === 'safe' ? { ...current(), patientList: null } : current()),
    spoolFolder,
    stationId: opened.stationId,
    mayTakeIn: (fileBytes) => storage.mayTakeIn(fileBytes),
  })
  whatIsOpen.add(() => camera.close())
  const { intake } = camera

  const screenPictures = openScreenPictures({
    beside: folders.thumbnailsFolder,
    clock,
    logger,
    bytesOf: screenPictureBytes,
    make: makeScreenPicture,
    mayTakeSpace: (bytes) => storage.mayTakeIn(bytes),
  })
  whatIsOpen.add(() => screenPictures.close())

  const reportSide = openReportSide({
    ...shared,
    folder: reportsFolder,
    delivery: () => deliverySide.current(),
    onArrived: ({ caseId, submissionId, isUrgent }) => {
      events.tell('reportArrived', { caseId, submissionId })
      notices.reportArrived({ caseId, submissionId, isUrgent })
      tellStatus()
    },
  })
  const { reports, copies } = reportSide
  whatIsOpen.add(() => copies.close())
  const endSending = async (): Promise<void> => {
    await Promise.all([deliverySide.close(), reports.close()])
  }
  stopSending = endSending
  whatIsOpen.add(endSending)

  const applier = settingsApplier({
    phase: () => phase,
    settings,
    storage,
    camera,
    reportSide,
    deliverySide,
    events,
    onChanged: tellStatus,
  })

  const handed = openHandedFiles({
    folder: folders.handedFolder,
    clock,
    logger,
    mayTakeIn: (fileBytes) => storage.mayTakeIn(fileBytes),
  })
  whatIsOpen.add(() => handed.close())

  const parts: StationParts = {
    ports,
    outbox,
    intake,
    handed,
    unitsMayHaveChanged: () =>
      followUnits({ outbox, intake, units: settings.current().clinical, at: clock.now() }),
    reports,
    settings,
    managedFiles,
    commandLine: options.managed?.commandLine ?? {},
    reportsFolder,
    stationId: opened.stationId,
    dataFolder,
    delivery: () => deliverySide.current(),
    status,
    setPause: (until) => pause.set(until),
    startNormally: async () => {
      if (phase !== 'safe') return
      phase = 'running'
      logger.info('started normally out of safe mode')
      await applier.applyAll()
    },
    applySettings: (changed) => applier.apply(changed),
    tryService: (service) => clientFor(ports, service, (baseUrl) => settings.readSecret(baseUrl)),
    statusChanged: tellStatus,
    callProgressed: (progress) => events.tell('callProgressed', progress),
    isStopping: () => phase === 'stopping' || phase === 'stopped',
    requestStop: () => options.onStopRequested?.(),
  }

  wakeParts = () => {
    manifests.wake()
    deliverySide.current()?.wake()
    reports.wake()
  }
  // Closed first where the rest fails: what is closed then has nobody left to tell.
  whatIsOpen.add(() => {
    phase = 'stopped'
    events.close()
    return Promise.resolve()
  })
  logger.info('station opened', { station: opened.stationId, ...recoverAttempts(outbox, clock) })
  applyNamesRule(outbox, ports, current().folders)
  phase = options.startAs === 'safe' ? 'safe' : 'running'
  // A file of the administrator, or an end in the middle of a change.
  parts.unitsMayHaveChanged()
  storage.watch({
    outbox,
    spoolFolder,
    settings: () => settings.current().storage,
    // By a clock that is wrong, or that nobody has compared, the time of images would be over too soon.
    mayRemove: () => phase === 'running' && deliverySide.current()?.clockReading().kind === 'right',
    onSpaceAgain: () => {
      intake.sweepNow()
      wakeParts?.()
    },
  })
  // What stood open before the restart is told of, too.
  tellStatus()
  const wakeUp = (): void => {
    if (phase === 'stopping' || phase === 'stopped') return
    // On a full or failed disk there is nothing to go on with, and no reason to end: the screens say what is wrong.
    whereReadable(() => pause.look())
    whereReadable(() => deliverySide.current()?.retryNow())
    intake.sweepNow()
    reports.wake()
  }
  if (phase === 'safe') {
    logger.warn('started in safe mode: nothing is watched and nothing is sent')
  } else {
    await deliverySide.renew()
    // Not waited for: a share that hangs must not keep the screens from opening.
    intake.watch(settings.current().folders).catch(() => logger.error('the folders could not be watched'))
  }
  const modeNow = (): Mode => modeOf(phase, pause.current(), deliverySide.current()?.serviceStatus() ?? null)
  const pulse = openPulse({ dataFolder, ports, mode: modeNow, wakeUp })
  whatIsOpen.add(() => pulse.close())

  const stop = async (): Promise<void> => {
    if (phase === 'stopping' || phase === 'stopped') return
    phase = 'stopping'
    pulse.rest()
    events.tell('stationChanged', status())
    pause.close()
    await notices.close()
    await Promise.all([handed.close(), applier.done()])
    await Promise.all([camera.close(), endSending(), copies.close(), storage.close(), screenPictures.close()])
    await Promise.all([manifests.close(), backups.close()])
    phase = 'stopped'
    events.close()
    await opened.close()
    await pulse.close()
    logger.info('station stopped')
  }

  return {
    handlers: handlersOf(parts),
    on: (listener) => events.on(listener),
    revision: () => events.revision(),
    wakeUp,
    keepFile: (file) => handed.keep(file),
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
