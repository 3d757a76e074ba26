/** An intake on a real disk and a real outbox; only the watching is played, so that a test says what is seen when. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import sharp from 'sharp'
import type { z } from 'zod'
import { readPhoto } from '../../../../src-main/station/intake/images/photo.ts'
import { type Intake, openIntake } from '../../../../src-main/station/intake/intake.ts'
import { openDryRunOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
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
  /** What the watcher says. */
  emit(event: WatchEvent): void
  /** What a sweep reports of a file that has settled. */
  see(...relativePaths: readonly string[]): Promise<void>
  /** Ends the quiet time. */
  quiet(): Promise<void>
  all(): Submission[]
}

const CONTENT_BY_EXTENSION: Readonly<Record<string, SettledFile['content']>> = {
  '.json': 'sidecar',
  '.csv': 'sidecar',
  '.xml': 'sidecar',
  '.dcm': 'application/dicom',
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
  existingByDefault: 'ask' | 'include' = 'include',
): TestIntake {
  const test = openTestOutbox()
  const clock = new ManualClock()
  const logger = createRecordingLogger()
  const camera = temporaryFolder()
  const spoolFolder = temporaryFolder()
  const settings: Settings = settingsSchema.parse({
    folders: [{ path: camera, quietSeconds: 60, ...folder }],
    ...changes,
  })
  let emit: (event: WatchEvent) => void = () => undefined
  const acknowledged: string[] = []
  const written: string[] = []
  const markOf = (relativePath: string): FileMark => {
    const { size, mtimeMs } = statSync(join(camera, relativePath))
    return { folderPath: camera, relativePath, sizeBytes: size, mtimeMs: Math.floor(mtimeMs) }
  }
  const intake = openIntake({
    outbox: test.outbox,
    clock,
    logger,
    settings: () => settings,
    spoolFolder,
    pictureFolder: spoolFolder,
    readPhoto,
    openMemoryOutbox: openDryRunOutbox,
    station: { stationId: 'station-1', hostName: 'camera-room' },
    existingByDefault,
    openWatcher: (_folder, onEvent) => {
      emit = onEvent
      return {
        sweep: () => undefined,
        acknowledge: (file) => void acknowledged.push(file.relativePath),
        close: () => Promise.resolve(),
      }
    },
    async *listFiles() {
      await Promise.resolve()
      for (const relativePath of written) yield markOf(relativePath)
    },
  })
  return {
    test,
    intake,
    camera,
    acknowledged,
    logger,
    emit: (event) => emit(event),
    watch: () => intake.watch(settings.folders),
    write: async (relativePath, bytes) => {
      mkdirSync(dirname(join(camera, relativePath)), { recursive: true })
      writeFileSync(join(camera, relativePath), bytes ?? (await picture()))
      written.push(relativePath)
    },
    see: async (...relativePaths) => {
      const before = acknowledged.length
      for (const relativePath of relativePaths) {
        const content = CONTENT_BY_EXTENSION[extname(relativePath)] ?? 'image/png'
        emit({ kind: 'settled', file: { ...markOf(relativePath), content } })
      }
      const until = performance.now() + 10_000
      while (acknowledged.length < before + relativePaths.length && performance.now() < until)
        await clock.settle()
    },
    quiet: () => clock.turn(61_000),
    all: () => test.outbox.submissions.list({ limit: 100 }).items.toReversed(),
  }
}
