/** A camera folder, a station in a process of its own, and a service: the fixture of the end-to-end tests. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ExportedVisit, exportVisit } from '../camera/export-visit.ts'
import type { ReceivedImage } from '../practice-service/journal.ts'
import { openPracticeService, type PracticeService } from '../practice-service/practice-service.ts'
import type { PracticeOptions } from '../practice-service/desk.ts'
import { startStation, type StationConfig, type StationProcess } from '../station-process/start-station.ts'
import type { HostedStart } from './station-hosts.ts'
import { TODAY } from '../camera/today.ts'

type Endable = Pick<StationProcess, 'stop'>

export type StationFixture<Station extends Endable = StationProcess> = {
  /** The watched folder. */
  readonly camera: string
  readonly dataFolder: string
  readonly service: PracticeService
  /** Starts the station, or starts it again on the same data. */
  start(changes?: Partial<StationConfig>, parameters?: readonly string[]): Promise<Station>
  close(): Promise<void>
}

export type Folders = NonNullable<StationConfig['folders']>

/**
 * Quick settings for a folder: a test does not wait for a clinic's pauses. Of files that came before its first look the
 * desktop app would ask a person, and on a busy machine those of a test may.
 */
export function quickFolder(path: string, changes: Partial<Folders[number]> = {}): Folders[number] {
  return {
    path,
    settleSeconds: 0.2,
    quietSeconds: 0.6,
    sweepSeconds: 1,
    sendWithoutReview: true,
    existing: 'include',
    ...changes,
  }
}

export async function temporaryFolders(): Promise<{
  readonly root: string
  readonly camera: string
  readonly dataFolder: string
}> {
  const root = await mkdtemp(join(tmpdir(), 'fundus-courier-test-'))
  const camera = join(root, 'camera')
  await mkdir(camera)
  return { root, camera, dataFolder: join(root, 'station') }
}

/** Sets the fixture on the practice service, for the headless host; the station is not started yet. */
export function setFixture(options: PracticeOptions = {}): Promise<StationFixture> {
  return setFixtureFor(startStation, options)
}

/** Sets the fixture for a station that is started in this way. */
export async function setFixtureFor<Station extends Endable>(
  startHosted: (options: HostedStart) => Promise<Station>,
  options: PracticeOptions = {},
): Promise<StationFixture<Station>> {
  const { root, camera, dataFolder } = await temporaryFolders()
  const service = await openPracticeService({ answerDelayMs: 20, reportDelayMs: 300, ...options })
  const stations: Station[] = []
  return {
    camera,
    dataFolder,
    service,
    start: async (changes = {}, parameters = []) => {
      const station = await startHosted({
        dataFolder,
        parameters,
        config: {
          service: service.account,
          centerId: '101',
          folders: [quickFolder(camera)],
          delivery: { retryBaseSeconds: 0.2, lookSeconds: [0.2, 0.5, 1, 2] },
          reports: { checkSeconds: 0.3 },
          ...changes,
        },
      })
      stations.push(station)
      return station
    },
    close: async () => {
      for (const station of stations) await station.stop()
      await service.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** The hashes of some images, in an order that does not depend on their arrival. */
export function hashesOf(images: readonly Pick<ReceivedImage, 'sha256'>[]): readonly string[] {
  return images.map((image) => image.sha256).toSorted()
}

/** Exports one visit of small images, with the data beside them. */
export function exportSmallVisit(
  folder: string,
  seed: number,
  changes: Partial<Parameters<typeof exportVisit>[0]> = {},
): Promise<ExportedVisit> {
  const size = { width: 320, height: 240 }
  return exportVisit({ folder, seed, visitDate: TODAY, sidecar: 'first', ...size, ...changes })
}
