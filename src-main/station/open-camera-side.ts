/** Opens what lies between the camera's folders and the outbox, and introduces it to one another. */
import { availableParallelism, hostname } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../../src-shared/settings.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import { openIntake, type Intake } from './intake/open-intake.ts'
import { NO_LIST, openPatientList, type PatientListMonitor } from './intake/patient-list/open-patient-list.ts'
import { openDryRunOutbox } from './outbox/open-outbox.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Ports } from './ports.ts'
import { startPhotoThread } from './start-photo-thread.ts'
import { storageFailureOf } from './storage-failure.ts'
import { listInThread } from './watch/list-in-thread.ts'
import { openWatcher } from './watch/open-watcher.ts'
import type { FileMark, PriorResult } from './watch/watcher.ts'

export type CameraParts = {
  readonly intake: Intake
  patientList(): StationStatus['patientList']
  recheckPatientList(): void
  /** Profiles may read names otherwise now. */
  rereadNames(): void
  close(): Promise<void>
}

export type CameraOptions = {
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
