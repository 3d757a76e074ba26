/** An intake on a real disk and a real outbox; only the watching is played, so that a test says what is seen when. */
import { mkdirSync, mkdtempSync, realpathSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import sharp from 'sharp'
import type { z } from 'zod'
import { readPhoto } from '../../../../src-main/station/intake/images/photo.ts'
import { type Intake, type IntakeOptions, openIntake } from '../../../../src-main/station/intake/intake.ts'
import { openDryRunOutbox, openOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import { isSidecar } from '../../../../src-main/station/lib/files.ts'
import type { Outbox } from '../../../../src-main/station/outbox/outbox.ts'
import type { FileMark, SettledFile, WatchEvent } from '../../../../src-main/station/watch/watch.ts'
import { type Settings, settingsSchema } from '../../../../src-shared/settings.ts'
import type { Submission } from '../../../../src-shared/submission.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { openTestOutbox, type TestOutbox } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

type FolderInput = NonNullable<z.input<typeof settingsSchema>['folders']>[number]

export type TestIntake = {
  readonly test: TestOutbox
  readonly intake: Intake
  readonly camera: string
  readonly acknowledged: string[]
  readonly logger: ReturnType<typeof createRecordingLogger>
  /** Begins to watch; the folder is the camera's. */
  watch(): Promise<void>
  /** Writes a picture that differs from all others, without showing it to the intake. */
  write(relativePath: string, bytes?: Uint8Array): Promise<void>
  /** Writes a file and reports it as settled. */
  arrive(relativePath: string, bytes?: Uint8Array): Promise<void>
  /** What the watcher says. */
  emit(event: WatchEvent): void
  /** What a sweep reports of a file that has settled. */
  see(...relativePaths: readonly string[]): Promise<void>
  /** Ends the quiet time. */
  quiet(): Promise<void>
  all(): Submission[]
}

const CONTENT_BY_EXTENSION: Readonly<Record<string, SettledFile['content']>> = {
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.dcm': 'application/dicom',
  '.zip': 'zip',
}

/** The content of a file, by the names in these tests. */
export function contentOf(path: string): SettledFile['content'] {
  if (isSidecar(path)) return 'sidecar'
  const content = CONTENT_BY_EXTENSION[extname(path)]
  if (content === undefined) throw new Error(`no image has this name: ${path}`)
  return content
}

export function markIn(camera: string, relativePath: string): FileMark {
  const { size, mtimeMs } = statSync(join(camera, relativePath))
  return { folderPath: camera, relativePath, sizeBytes: size, mtimeMs: Math.floor(mtimeMs) }
}

type Opened = { readonly intake: Intake; readonly emit: (event: WatchEvent) => void }

type OpenOptions = Pick<IntakeOptions, 'outbox' | 'clock' | 'logger' | 'settings' | 'spoolFolder'> &
  Partial<Pick<IntakeOptions, 'existingByDefault' | 'listFiles' | 'readPhoto'>>

/** Opens an intake whose watcher a test replaces. */
function openUnwatched(options: OpenOptions, onAcknowledged: (relativePath: string) => void): Opened {
  let emit: (event: WatchEvent) => void = () => undefined
  const intake = openIntake({
    readPhoto,
    existingByDefault: 'include',
    async *listFiles() {},
    ...options,
    pictureFolder: options.spoolFolder,
    openMemoryOutbox: openDryRunOutbox,
    station: { stationId: 'station-1', hostName: 'camera-room' },
    openWatcher: (_folder, onEvent) => {
      emit = onEvent
      return {
        sweep: () => undefined,
        acknowledge: (file) => onAcknowledged(file.relativePath),
        close: () => Promise.resolve(),
      }
    },
  })
  return { intake, emit: (event) => emit(event) }
}

let pictures = 0

/** A small picture like no other. */
export async function picture(): Promise<Buffer> {
  pictures += 1
  const background = { r: pictures % 256, g: Math.floor(pictures / 256), b: 7 }
  return sharp({ create: { width: 24, height: 16, channels: 3, background } })
    .png()
    .toBuffer()
}

export function intakeWith(
  folder: Partial<FolderInput> = {},
  changes: Partial<z.input<typeof settingsSchema>> = {},
  options: Pick<OpenOptions, 'existingByDefault' | 'readPhoto'> = {},
): TestIntake {
  const test = openTestOutbox()
  const clock = new ManualClock()
  const logger = createRecordingLogger()
  const camera = temporaryFolder()
  const settings: Settings = settingsSchema.parse({
    folders: [{ path: camera, quietSeconds: 60, ...folder }],
    ...changes,
  })
  const acknowledged: string[] = []
  const written: string[] = []
  const { intake, emit } = openUnwatched(
    {
      ...options,
      outbox: test.outbox,
      clock,
      logger,
      settings: () => settings,
      spoolFolder: temporaryFolder(),
      async *listFiles() {
        await Promise.resolve()
        for (const relativePath of written) yield markIn(camera, relativePath)
      },
    },
    (relativePath) => void acknowledged.push(relativePath),
  )
  const station: TestIntake = {
    test,
    intake,
    camera,
    acknowledged,
    logger,
    emit,
    watch: () => intake.watch(settings.folders),
    write: async (relativePath, bytes) => {
      mkdirSync(dirname(join(camera, relativePath)), { recursive: true })
      writeFileSync(join(camera, relativePath), bytes ?? (await picture()))
      written.push(relativePath)
    },
    arrive: async (relativePath, bytes) => {
      await station.write(relativePath, bytes)
      await station.see(relativePath)
    },
    see: async (...relativePaths) => {
      const before = acknowledged.length
      for (const relativePath of relativePaths)
        emit({
          kind: 'settled',
          file: { ...markIn(camera, relativePath), content: contentOf(relativePath) },
        })
      const until = performance.now() + 10_000
      while (acknowledged.length < before + relativePaths.length && performance.now() < until)
        await clock.settle()
    },
    quiet: () => clock.turn(61_000),
    all: () => test.outbox.submissions.list({ limit: 100 }).items.toReversed(),
  }
  return station
}

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

/** The same, already watching its folder. */
export async function watchingIntake(...options: Parameters<typeof intakeWith>): Promise<TestIntake> {
  const station = intakeWith(...options)
  await station.watch()
  return station
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

  async start(): Promise<void> {
    const data = join(this.#root, 'station')
    const opened = openOutbox(data)
    const { outbox } = opened
    const { intake, emit } = openUnwatched(
      {
        outbox,
        clock: this.clock,
        logger: this.logger,
        settings: () => this.#settings,
        spoolFolder: join(data, 'spool'),
      },
      (relativePath) => {
        this.#acknowledged.add(relativePath)
        this.#onAcknowledged()
      },
    )
    await intake.watch(this.#settings.folders)
    this.#open = { intake, outbox, emit, close: () => opened.close() }
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
    for (const path of paths)
      this.#opened.emit({ kind: 'settled', file: { ...markIn(this.camera, path), content: contentOf(path) } })
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

  /** Lets the quiet time pass, more than once: what a data file settles is settled in the next one. */
  async quiet(): Promise<void> {
    await this.clock.turn((QUIET_SECONDS + 1) * 1_000)
  }

  async leave(): Promise<void> {
    await this.#close()
    await rm(this.#root, { recursive: true, force: true })
  }
}
