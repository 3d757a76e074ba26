/** A camera's folder and a station's data folder, on which an intake is opened, closed and opened again. */
import { mkdirSync, mkdtempSync, realpathSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readPhoto } from '../../../../../src-main/station/intake/images/photo.ts'
import { type Intake, openIntake } from '../../../../../src-main/station/intake/intake.ts'
import { isSidecar } from '../../../../../src-main/station/lib/export-names.ts'
import type { Outbox } from '../../../../../src-main/station/outbox/outbox.ts'
import { openDryRunOutbox, openOutbox } from '../../../../../src-main/station/outbox/open-outbox.ts'
import type { FileMark, SettledFile, WatchEvent } from '../../../../../src-main/station/watch/watch.ts'
import { type Settings, settingsSchema } from '../../../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../../../tools/recording-logger.ts'
import { ManualClock } from '../../../../tools/manual-clock.ts'

/** A file as a camera leaves it. */
export type CameraFile = { readonly path: string; readonly bytes: Uint8Array; readonly at: number }

export type CameraStationOptions = {
  readonly visitGapMinutes?: number | null
  readonly sendWithoutReview?: boolean
}

const QUIET_SECONDS = 60
const PATIENCE_MS = 30_000

/** What is open between two starts. */
type Open = {
  readonly intake: Intake
  readonly outbox: Outbox
  readonly emit: (event: WatchEvent) => void
  close(): void
}

/** One station beside one camera. Nothing is watched: a test says which file is reported when. */
export class CameraStation {
  readonly camera: string
  readonly logger = createRecordingLogger()
  readonly clock = new ManualClock()
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'fundus-courier-arrivals-')))
  readonly #settings: Settings
  #acknowledged = new Set<string>()
  #onAcknowledged: () => void = () => undefined
  #open: Open | null = null

  constructor(
    files: readonly CameraFile[],
    { visitGapMinutes = null, sendWithoutReview = false }: CameraStationOptions = {},
  ) {
    this.camera = join(this.#root, 'camera')
    mkdirSync(join(this.#root, 'station', 'spool'), { recursive: true })
    mkdirSync(this.camera)
    this.#settings = settingsSchema.parse({
      folders: [{ path: this.camera, quietSeconds: QUIET_SECONDS, visitGapMinutes, sendWithoutReview }],
    })
    for (const file of files) this.write(file)
  }

  write({ path, bytes, at }: CameraFile): void {
    const whole = join(this.camera, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, bytes)
    utimesSync(whole, at / 1_000, at / 1_000)
  }

  get outbox(): Outbox {
    return this.#opened.outbox
  }
  get intake(): Intake {
    return this.#opened.intake
  }
  get #opened(): Open {
    if (this.#open === null) throw new Error('this station has not been started')
    return this.#open
  }
  get settings(): Settings {
    return this.#settings
  }

  async start(): Promise<void> {
    const data = join(this.#root, 'station')
    const opened = openOutbox(data)
    const { outbox } = opened
    let emit: (event: WatchEvent) => void = () => undefined
    const intake = openIntake({
      outbox,
      clock: this.clock,
      logger: this.logger,
      settings: () => this.#settings,
      spoolFolder: join(data, 'spool'),
      pictureFolder: join(data, 'spool'),
      readPhoto,
      openMemoryOutbox: openDryRunOutbox,
      station: { stationId: 'station-1', hostName: 'camera-room' },
      existingByDefault: 'include',
      openWatcher: (_folder, onEvent) => {
        emit = onEvent
        return {
          sweep: () => undefined,
          acknowledge: (file) => {
            this.#acknowledged.add(file.relativePath)
            this.#onAcknowledged()
          },
          close: () => Promise.resolve(),
        }
      },
      async *listFiles() {},
    })
    await intake.watch(this.#settings.folders)
    this.#open = { intake, outbox, emit: (event) => emit(event), close: () => opened.close() }
  }

  /** Ends while files may be on their way, and begins again on what is kept. */
  async restart(): Promise<void> {
    await this.#close()
    this.#acknowledged = new Set()
    await this.start()
  }

  async #close(): Promise<void> {
    const open = this.#open
    this.#open = null
    await open?.intake.close()
    open?.close()
  }

  /** Reports files as settled and waits for none. */
  emit(paths: readonly string[]): void {
    for (const path of paths) this.#opened.emit({ kind: 'settled', file: this.#settled(path) })
  }

  /** Reports files one after the other, each when the one before has been dealt with. */
  async take(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      this.#acknowledged.delete(path)
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#onAcknowledged = () => {
        if (this.#acknowledged.has(path)) resolve()
      }
      const timer = setTimeout(resolve, PATIENCE_MS)
      this.emit([path])
      await promise
      clearTimeout(timer)
      if (!this.#acknowledged.has(path))
        throw new Error(
          `this file was not dealt with: ${path} ${JSON.stringify(this.logger.lines)} ${JSON.stringify(this.intake.status()[0]?.notes)}`,
        )
    }
  }

  #settled(path: string): SettledFile {
    return { ...this.markOf(path), content: contentOf(path) }
  }

  markOf(relativePath: string): FileMark {
    const { size, mtimeMs } = statSync(join(this.camera, relativePath))
    return { folderPath: this.camera, relativePath, sizeBytes: size, mtimeMs: Math.floor(mtimeMs) }
  }

  /** Lets the quiet time pass, more than once: what a data file settles is settled in the next one. */
  async quiet(): Promise<void> {
    await this.clock.turn((QUIET_SECONDS + 1) * 1_000)
  }

  async leave(): Promise<void> {
    await this.#close()
    await rm(this.#root, { recursive: true, force: true })
  }
}

const CONTENT: Readonly<Record<string, SettledFile['content']>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  dcm: 'application/dicom',
  zip: 'zip',
}

/** What the content of a file is, by the names that these tests give. */
export function contentOf(path: string): SettledFile['content'] {
  if (isSidecar(path)) return 'sidecar'
  const content = CONTENT[path.slice(path.lastIndexOf('.') + 1)]
  if (content === undefined) throw new Error(`nobody takes this for an image: ${path}`)
  return content
}
