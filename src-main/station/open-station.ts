/** Opens the parts of a station and introduces them to one another; nothing else happens here. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceSettings } from '../../src-shared/settings.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import { reportCalls } from './calls/report-calls.ts'
import { oversightCalls } from './calls/oversight-calls.ts'
import { moveCalls } from './calls/move-calls.ts'
import { serviceCalls } from './calls/service-calls.ts'
import { stationCalls } from './calls/station-calls.ts'
import { groupingCalls } from './calls/grouping-calls.ts'
import { submissionCalls } from './calls/submission-calls.ts'
import { openCameraSide } from './open-camera-side.ts'
import { clientFor } from './client-for.ts'
import { openDelivery, type Delivery } from './delivery/open-delivery.ts'
import { recoverAttempts } from './delivery/recover-attempts.ts'
import { keepPause } from './keep-pause.ts'
import { keepStorage } from './keep-storage.ts'
import { clearIncoming } from './intake/spool.ts'
import { makeThumbnail } from './intake/thumbnails.ts'
import { openManifestKeeper } from './outbox/manifest-keeper.ts'
import { manifestsFolderIn } from './outbox/manifest-files.ts'
import { openDailyBackups } from './outbox/daily-backups.ts'
import { openCheckedOutbox } from './outbox/open-checked-outbox.ts'
import { openWithSpace } from './open-with-space.ts'
import { settleRestored } from './outbox/restored.ts'
import type { Ports } from './ports.ts'
import { lastKnown } from './last-known.ts'
import { openReportSide } from './open-report-side.ts'
import { findBytes } from './served-bytes.ts'
import { placeOf } from './place-of.ts'
import type { ConfigFile } from './config-file.ts'
import { openSettingsStore } from './settings-store.ts'
import type { Station } from './station-api.ts'
import { createStationEvents } from './station-events.ts'
import { modeOf, type LifePhase } from './station-mode.ts'
import type { StationParts } from './station-parts.ts'
import { startErrorOf, whereReadable } from './storage-failure.ts'

type Applied = Parameters<StationParts['applySettings']>[0]

export type StationOptions = {
  /** One per machine: outbox, spool, reports and settings lie in it. */
  readonly dataFolder: string
  readonly config: ConfigFile | null
  readonly ports: Ports
  /** Somebody asked over the contract that the station ends. */
  readonly onStopRequested?: () => void
  /** Bytes that may still be written to the volume of a folder; the system is asked where it is left out. */
  readonly askFreeBytes?: (folder: string) => Promise<number | null>
}

/** Opens a station; throws a StorageError with a sentence for people where its data folder cannot be used. */
export async function openStation(options: StationOptions): Promise<Station> {
  try {
    return await openParts(options)
  } catch (error) {
    throw startErrorOf(error)
  }
}

async function openParts(options: StationOptions): Promise<Station> {
  const { dataFolder, ports, askFreeBytes } = options
  const { clock, logger } = ports
  const spoolFolder = join(dataFolder, 'spool')
  const reportsFolder = join(dataFolder, 'reports')
  const thumbnailsFolder = join(dataFolder, 'thumbnails')
  const events = createStationEvents(clock)
  let wakeParts: (() => void) | null = null
  const onChanged = (ids: readonly string[]): void => {
    // Nobody listens before the parts are there.
    if (!wakeParts) return
    whereReadable(() => {
      for (const id of ids) {
        const submission = outbox.submissionOf(id)
        if (submission) events.tell('submissionChanged', submission)
      }
    })
    tellStatus()
    // Whatever has changed may be due now.
    wakeParts()
  }
  const storage = keepStorage({
    dataFolder,
    clock,
    logger,
    askFree: askFreeBytes,
    // Nobody listens before the parts are there.
    onChanged: () => (wakeParts ? tellStatus() : undefined),
    onBroken: () => {
      // What is under way keeps its proof; the next start judges it.
      stopSending().catch(() => logger.error('sending could not be ended'))
    },
  })
  const thread = { workerUrl: ports.workers.outbox, logger }
  const opened = await openWithSpace(
    () => openCheckedOutbox(dataFolder, thread, onChanged, storage.care),
    storage.inHand,
  )
  const { outbox } = opened
  for (const folder of [spoolFolder, reportsFolder, thumbnailsFolder])
    await mkdir(folder, { recursive: true, mode: 0o700 })
  await clearIncoming(spoolFolder)
  const settings = await openSettingsStore({ dataFolder, config: options.config, secrets: ports.secrets })
  const unknownNames = options.config?.unknownNames ?? []
  if (unknownNames.length > 0)
    logger.warn('names in the configuration file mean nothing', { names: unknownNames.join(', ') })

  const manifestsFolder = manifestsFolderIn(dataFolder)
  await settleRestored({
    outbox,
    manifestsFolder,
    clock,
    logger,
    service: placeOf(settings.current().service),
  })

  let phase: LifePhase = 'starting'
  let delivery: Delivery | null = null

  const statusNow = (): StationStatus => {
    const service = delivery?.serviceStatus() ?? null
    const lastSentAt = outbox.readFact('lastSentAt')
    return {
      version: ports.version,
      host: ports.host,
      mode: modeOf(phase, pause.current(), service),
      counts: outbox.countSubmissions(),
      folders: intake.status(),
      service: service ?? {
        health: 'unset',
        since: clock.now(),
        failure: null,
        nextTryAt: null,
        lastSuccessAt: null,
      },
      centerId: settings.current().centerId,
      patientList: camera.patientList(),
      reportsUnread: outbox.countReports().unread,
      lastSentAt: lastSentAt === null ? null : Number(lastSentAt),
      storage: storage.failure(intake.storageTrouble() ?? manifests.trouble() ?? backups.trouble()),
      clock: delivery?.clockTrouble() ?? null,
      alarms: outbox.openAlarms(),
      now: clock.now(),
    }
  }
  const status = lastKnown(statusNow, storage, () => clock.now())
  const tellStatus = (): void =>
    events.tellSoon('stationChanged', '', () => (phase === 'stopped' ? null : status()))
  const pause = keepPause({
    outbox,
    clock,
    onChanged: () => {
      delivery?.wake()
      tellStatus()
    },
  })

  const manifests = openManifestKeeper({
    outbox,
    folder: manifestsFolder,
    clock,
    logger,
    onTrouble: tellStatus,
  })

  const backups = openDailyBackups({
    opened,
    clock,
    settings: () => settings.current(),
    onTrouble: tellStatus,
  })

  const openDeliveryFor = (service: ServiceSettings): Delivery =>
    openDelivery({
      outbox,
      client: clientFor(ports, { ...service, clientSecret: undefined }, tellStatus),
      guard: manifests,
      clock,
      logger,
      random: Math.random,
      settings: () => settings.current(),
      spoolPath: (spoolName) => join(spoolFolder, spoolName),
      maySend: () => phase === 'running' && pause.current() === null && storage.mayWrite(),
      onProgress: (progress) => events.tellSoon('deliveryProgressed', progress.id, () => progress),
      onHealthChanged: tellStatus,
      onAlarm: (submissionId) => {
        ports.notifier.notify({ kind: 'needsAttention', submissionId })
        tellStatus()
      },
    })

  const camera = openCameraSide({
    outbox,
    ports,
    settings: () => settings.current(),
    spoolFolder,
    stationId: opened.stationId,
    mayTakeIn: (fileBytes) => storage.mayTakeIn(fileBytes),
    onChanged: tellStatus,
  })
  const { intake } = camera

  const { reports, copies } = openReportSide({
    outbox,
    ports,
    settings: () => settings.current(),
    folder: reportsFolder,
    delivery: () => delivery,
    onArrived: (arrived) => {
      events.tell('reportArrived', arrived)
      ports.notifier.notify({ kind: 'reportArrived', submissionId: arrived.submissionId })
      tellStatus()
    },
  })

  const apply = async ({
    isServiceChanged,
    areFoldersChanged,
    isPatientListChanged,
    areProfilesChanged,
  }: Applied): Promise<void> => {
    if (phase !== 'running') return
    const { service, folders } = settings.current()
    storage.look()
    if (isServiceChanged && storage.isSound()) {
      await delivery?.close()
      delivery = service ? openDeliveryFor(service) : null
      reports.wake()
    }
    if (areFoldersChanged) await intake.watch(folders)
    if (isPatientListChanged) camera.lookAtPatientList()
    if (areProfilesChanged) camera.readNamesAnew()
    delivery?.wake()
    copies.wake()
    events.tell('settingsChanged', await settings.shown())
    tellStatus()
  }
  let lastApplied: Promise<unknown> = Promise.resolve()

  const parts: StationParts = {
    ports,
    outbox,
    intake,
    reports,
    settings,
    reportsFolder,
    delivery: () => delivery,
    status,
    setPause: (until) => pause.set(until),
    applySettings: (changed) => {
      // One after the other: two deliveries at once would not know of each other's center.
      const done = lastApplied.then(() => apply(changed))
      lastApplied = done.catch(() => undefined)
      return done
    },
    tryService: (service) => clientFor(ports, service),
    statusChanged: tellStatus,
    requestStop: () => options.onStopRequested?.(),
  }

  const stopSending = async (): Promise<void> => {
    await Promise.all([delivery?.close(), reports.close()])
  }

  wakeParts = () => {
    manifests.wake()
    delivery?.wake()
    reports.wake()
  }
  const recovered = recoverAttempts(outbox, clock)
  logger.info('station opened', {
    station: opened.stationId,
    unsent: recovered.unsent,
    unknown: recovered.unknown,
  })
  phase = 'running'
  storage.watch({
    outbox,
    spoolFolder,
    settings: () => settings.current().storage,
    // By a clock that is wrong the time of images would be over too soon.
    mayRemove: () => phase === 'running' && statusNow().clock === null,
    onSpaceAgain: () => {
      intake.sweepNow()
      wakeParts?.()
    },
  })
  const { service, folders } = settings.current()
  if (service) delivery = openDeliveryFor(service)
  // Not waited for: a share that hangs must not keep the screens from opening.
  intake.watch(folders).catch(() => logger.error('the folders could not be watched'))

  const stop = async (): Promise<void> => {
    if (phase === 'stopping' || phase === 'stopped') return
    phase = 'stopping'
    events.tell('stationChanged', status())
    pause.close()
    await lastApplied
    await Promise.all([camera.close(), stopSending(), copies.close(), storage.close()])
    await Promise.all([manifests.close(), backups.close()])
    phase = 'stopped'
    events.close()
    await opened.close()
    logger.info('station stopped')
  }

  return {
    handlers: {
      ...stationCalls(parts),
      ...submissionCalls(parts),
      ...groupingCalls(parts),
      ...moveCalls(parts),
      ...oversightCalls(parts),
      ...serviceCalls(parts),
      ...reportCalls(parts),
    },
    on: (listener) => events.on(listener),
    revision: () => events.revision(),
    wakeUp: () => {
      delivery?.retryNow()
      intake.sweepNow()
      reports.wake()
    },
    bytes: (kind, id) =>
      findBytes(outbox, { spoolFolder, thumbnailsFolder, reportsFolder, makeThumbnail }, kind, id),
    stop,
  }
}
