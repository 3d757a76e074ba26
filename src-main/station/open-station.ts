/** Opens the parts of a station and introduces them to one another; nothing else happens here. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { failureOf, type Failure } from '../../src-shared/failure.ts'
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
import { openDelivery, type Delivery } from './delivery/open-delivery.ts'
import { recoverAttempts } from './delivery/recover-attempts.ts'
import { clearIncoming } from './intake/spool.ts'
import { makeThumbnail } from './intake/thumbnails.ts'
import { openManifestKeeper } from './outbox/manifest-keeper.ts'
import { manifestsFolderIn } from './outbox/manifest-files.ts'
import { openDailyBackups } from './outbox/daily-backups.ts'
import { openCheckedOutbox } from './outbox/open-checked-outbox.ts'
import { settleRestored } from './outbox/restored.ts'
import type { Service } from './outbox/restored-store.ts'
import type { Ports } from './ports.ts'
import { openReportCopies } from './reports/open-report-copies.ts'
import { openReports, type ReportSource } from './reports/open-reports.ts'
import { findBytes } from './served-bytes.ts'
import { openServiceClient } from './service/open-service-client.ts'
import { readServiceAddress } from './service/service-address.ts'
import type { ServiceClient } from './service/service-client.ts'
import type { ConfigFile } from './config-file.ts'
import { openSettingsStore } from './settings-store.ts'
import type { Station } from './station-api.ts'
import { createStationEvents } from './station-events.ts'
import { modeOf, pauseFromText, type LifePhase, type Pause } from './station-mode.ts'
import type { StationParts } from './station-parts.ts'

type Applied = Parameters<StationParts['applySettings']>[0]

export type StationOptions = {
  /** One per machine: outbox, spool, reports and settings lie in it. */
  readonly dataFolder: string
  readonly config: ConfigFile | null
  readonly ports: Ports
  /** Somebody asked over the contract that the station ends. */
  readonly onStopRequested?: () => void
}

/** Our own disk that takes nothing more is told in the words of what failed. */
function storageFailure(trouble: string | null): Failure | null {
  return trouble === null ? null : failureOf('diskLow', { message: trouble })
}

/** A service as attempts name it, or null where none is set. */
function placeOf(service: ServiceSettings | undefined): Service | null {
  const base = service ? readServiceAddress(service.baseUrl)?.base : undefined
  return service && base !== undefined ? { baseUrl: base, clientId: service.clientId } : null
}

/** Opens a station; throws a StorageError with a sentence for people where its data folder cannot be used. */
export async function openStation(options: StationOptions): Promise<Station> {
  const { dataFolder, ports } = options
  const { clock, logger } = ports
  const spoolFolder = join(dataFolder, 'spool')
  const reportsFolder = join(dataFolder, 'reports')
  const thumbnailsFolder = join(dataFolder, 'thumbnails')
  const events = createStationEvents(clock)
  let wakeParts: (() => void) | null = null
  const onChanged = (ids: readonly string[]): void => {
    // Nobody listens before the parts are there.
    if (!wakeParts) return
    for (const id of ids) {
      const submission = outbox.submissionOf(id)
      if (submission) events.tell('submissionChanged', submission)
    }
    tellStatus()
    // Whatever has changed may be due now.
    wakeParts()
  }
  const opened = await openCheckedOutbox(dataFolder, { workerUrl: ports.workers.outbox, logger }, onChanged)
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
  let pause: Pause = pauseFromText(outbox.readFact('pause'), clock.now())
  let cancelPause: (() => void) | null = null
  let delivery: Delivery | null = null

  const status = (): StationStatus => {
    const service = delivery?.serviceStatus() ?? null
    const lastSentAt = outbox.readFact('lastSentAt')
    return {
      version: ports.version,
      host: ports.host,
      mode: modeOf(phase, pause, service),
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
      storage: storageFailure(intake.storageTrouble()) ?? manifests.trouble() ?? backups.trouble(),
      clock: null,
      alarms: outbox.openAlarms(),
      now: clock.now(),
    }
  }
  const tellStatus = (): void =>
    events.tellSoon('stationChanged', '', () => (phase === 'stopped' ? null : status()))

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

  const clientFor = (service: ServiceSettings): ServiceClient =>
    openServiceClient({
      settings: { baseUrl: service.baseUrl, clientId: service.clientId },
      readSecret: () =>
        service.clientSecret === undefined
          ? ports.secrets.read('clientSecret')
          : Promise.resolve(service.clientSecret),
      proxies: ports.proxies,
      clock,
      version: ports.version,
    })

  const openDeliveryFor = (service: ServiceSettings): Delivery =>
    openDelivery({
      outbox,
      client: clientFor({ ...service, clientSecret: undefined }),
      guard: manifests,
      clock,
      logger,
      random: Math.random,
      settings: () => settings.current(),
      spoolPath: (spoolName) => join(spoolFolder, spoolName),
      maySend: () => phase === 'running' && pause === null,
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
    onChanged: tellStatus,
  })
  const { intake } = camera

  const reportSource = (): ReportSource | null => {
    const current = delivery
    return (
      current && {
        identity: current.identity,
        getReport: (watch) =>
          current.ask(watch.center_id, (client, signal) => client.getReport(watch.case_id, signal)),
        listCases: (centerId) => current.ask(centerId, (client, signal) => client.listCases(signal)),
      }
    )
  }
  const copies = openReportCopies({
    outbox,
    clock,
    logger,
    saveTo: () => settings.current().reports.saveTo,
    folder: reportsFolder,
  })
  const reports = openReports({
    outbox,
    clock,
    logger,
    settings: () => settings.current(),
    folder: reportsFolder,
    source: reportSource,
    onArrived: (arrived) => {
      events.tell('reportArrived', arrived)
      copies.wake()
      ports.notifier.notify({ kind: 'reportArrived', submissionId: arrived.submissionId })
      tellStatus()
    },
  })

  const setPause = (next: Pause): void => {
    cancelPause?.()
    pause = next
    outbox.writeFact('pause', next === null ? '' : String(next))
    cancelPause = typeof next === 'number' ? clock.after(next - clock.now(), () => setPause(null)) : null
    delivery?.wake()
    tellStatus()
  }

  const apply = async ({
    isServiceChanged,
    areFoldersChanged,
    isPatientListChanged,
    areProfilesChanged,
  }: Applied): Promise<void> => {
    if (phase !== 'running') return
    const { service, folders } = settings.current()
    if (isServiceChanged) {
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
    setPause,
    applySettings: (changed) => {
      // One after the other: two deliveries at once would not know of each other's center.
      const done = lastApplied.then(() => apply(changed))
      lastApplied = done.catch(() => undefined)
      return done
    },
    tryService: clientFor,
    statusChanged: tellStatus,
    requestStop: () => options.onStopRequested?.(),
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
  setPause(pause)
  const { service, folders } = settings.current()
  if (service) delivery = openDeliveryFor(service)
  // Not waited for: a share that hangs must not keep the screens from opening.
  intake.watch(folders).catch(() => logger.error('the folders could not be watched'))

  const stop = async (): Promise<void> => {
    if (phase === 'stopping' || phase === 'stopped') return
    phase = 'stopping'
    events.tell('stationChanged', status())
    cancelPause?.()
    await lastApplied
    await Promise.all([camera.close(), delivery?.close(), reports.close(), copies.close()])
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
