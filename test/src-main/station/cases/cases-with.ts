/** Cases on a real disk and a real outbox; only the watching is played, so that a test says what is seen when. */
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import sharp from 'sharp'
import { onTestFinished } from 'vitest'
import type { z } from 'zod'
import type { StationParts } from '../../../../src-main/station/api.ts'
import { decisionCalls } from '../../../../src-main/station/calls/decisions.ts'
import { readDataFile } from '../../../../src-main/station/readers/read-data.ts'
import { openedHere } from '../../../../src-main/reader/foreign-files.ts'
import { readPhoto } from '../../../../src-main/reader/pictures/photo.ts'
import { type CasesOptions, openCases } from '../../../../src-main/station/cases/cases.ts'
import { isSidecar } from '../../../../src-main/station/lib/files.ts'
import { openDryRunOutbox } from '../../../../src-main/station/outbox/open-outbox.ts'
import type { FileMark, SettledFile, WatchEvent } from '../../../../src-main/reader/watch-messages.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import type { Submission, UnusableWhy } from '../../../../src-shared/submission.ts'
import { worded } from '../../../../src-shared/wording.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { openTestOutbox } from '../../../tools/outbox-with.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

type FolderInput = NonNullable<z.input<typeof settingsSchema>['folders']>[number]

const CONTENT_BY_EXTENSION: Readonly<Record<string, SettledFile['content']>> = {
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.dcm': 'application/dicom',
  '.zip': 'zip',
}

/** The content of a file, by the names in these tests. */
export function contentOf(path: string): SettledFile['content'] {
  if (isSidecar(path)) return 'sidecar'
  const content = CONTENT_BY_EXTENSION[extname(path).toLowerCase()]
  if (content === undefined) throw new Error(`no image has this name: ${path}`)
  return content
}

export function markIn(camera: string, relativePath: string): FileMark {
  const { size, mtimeMs, ctimeMs } = statSync(join(camera, relativePath))
  return { folderPath: camera, relativePath, sizeBytes: size, mtimeMs: Math.floor(mtimeMs), ctimeMs }
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

/** A file as a camera leaves it; `at` is the time of the file. */
export type CameraFile = { readonly path: string; readonly bytes: Uint8Array; readonly at: number }

export type TestCases = ReturnType<typeof casesWith>

const PATIENCE_MS = 30_000

/** While files arrive, a case is read so often. */
const READ_SOON_MS = 200

/** The time of every file of a camera whose clock stands still. */
export const STANDSTILL = Date.UTC(2000, 0, 1)

/** A station beside one camera; it is closed when the test ends. */
export function casesWith(
  folder: Partial<FolderInput> = {},
  options: Partial<
    Pick<
      CasesOptions,
      | 'existingByDefault'
      | 'foreign'
      | 'readPhoto'
      | 'readDataFile'
      | 'version'
      | 'hasSpaceFor'
      | 'peopleInPatientList'
    >
  > & {
    /** The folder of the outbox, if it is to be a file; else it is in memory. */
    readonly outboxFolder?: string
  } = {},
) {
  const clock = new ManualClock()
  const logger = createRecordingLogger()
  const camera = temporaryFolder()
  const settings = settingsSchema.parse({
    folders: [{ path: camera, quietSeconds: 60, ...folder }],
    ...(options.peopleInPatientList && { patientList: { path: '/patients.csv' } }),
  })
  const acknowledged: string[] = []
  const written: string[] = []
  let onEvent: (event: WatchEvent) => void = () => undefined
  let test = openTestOutbox(options.outboxFolder)
  const open = () =>
    openCases({
      foreign: openedHere,
      own: openedHere,
      readPhoto,
      readDataFile: async (name, bytes, how) => readDataFile(name, bytes, how),
      version: '0',
      existingByDefault: 'include',
      ...options,
      outbox: test.outbox,
      clock,
      logger,
      settings: () => settings,
      spoolFolder: join(test.folder, 'spool'),
      pictureFolder: join(test.folder, 'spool'),
      openMemoryOutbox: openDryRunOutbox,
      station: { stationId: 'station-1', hostName: 'camera-room' },
      async *listFiles() {
        await Promise.resolve()
        for (const relativePath of written) yield markIn(camera, relativePath)
      },
      openWatcher: (_folder, listener) => {
        onEvent = listener
        return {
          files: openedHere,
          sweep: () => undefined,
          reportGone: () => undefined,
          readAgain: () => undefined,
          acknowledge: (file) => void acknowledged.push(file.relativePath),
          close: () => Promise.resolve(),
        }
      },
    })
  let cases = open()
  const watch = () => cases.folders.watch(settings.folders)
  const leave = async (): Promise<void> => {
    await cases.close()
    test.close()
  }
  onTestFinished(leave)
  /** Writes a picture that differs from all others, or these bytes, without showing it to the station. */
  const write = async (relativePath: string, bytes?: Uint8Array | string, at?: number): Promise<void> => {
    const path = join(camera, relativePath)
    mkdirSync(dirname(path), { recursive: true })
    const before = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    writeFileSync(path, bytes ?? (await picture()))
    // A camera takes longer than a tick of the file system's clock before it writes a file over.
    // The clock of the computer may be at any hour, which a number may look like.
    const time = (at ?? Math.max(clock.now(), before + 2)) / 1_000
    utimesSync(path, time, time)
    written.push(relativePath)
  }
  /** Reports files as settled and waits for none. */
  const emit = (...relativePaths: readonly string[]): void => {
    for (const path of relativePaths)
      onEvent({ kind: 'settled', file: { ...markIn(camera, path), content: contentOf(path) } })
  }
  /** Other bytes come under the name, size and time of this file; what a reader of the folder reports of that. */
  const writeOver = async (relativePath: string, bytes: Uint8Array | string): Promise<void> => {
    await write(relativePath, bytes, STANDSTILL)
    onEvent({ kind: 'rewritten', file: markIn(camera, relativePath) })
    await see(relativePath)
  }
  /** What a sweep reports of files that have vanished. */
  const gone = (...fileNames: readonly string[]): void => onEvent({ kind: 'gone', fileNames })
  /** What a sweep reports of a file that stays as it is and cannot be used. */
  const setAside = (relativePath: string, why: UnusableWhy): void => {
    const message = worded('intake:watch.overdue.truncated')
    onEvent({ kind: 'unusable', file: { ...markIn(camera, relativePath), ...message, why } })
  }
  /** What a sweep reports of files that have settled. */
  const see = async (...relativePaths: readonly string[]): Promise<void> => {
    const wanted = acknowledged.length + relativePaths.length
    emit(...relativePaths)
    const until = performance.now() + PATIENCE_MS
    while (acknowledged.length < wanted && performance.now() < until) await clock.settle()
    // What has come is read soon.
    await clock.turn(READ_SOON_MS)
    if (acknowledged.length < wanted)
      throw new Error(
        `not dealt with: ${relativePaths.join()} ${JSON.stringify([logger.lines, cases.folders.status()[0]?.notes])}`,
      )
  }
  return {
    get test() {
      return test
    },
    get cases() {
      return cases
    },
    camera,
    settings,
    clock,
    logger,
    acknowledged,
    watch,
    write,
    emit,
    see,
    setAside,
    gone,
    writeOver,
    /** An event of the folder that was opened last. */
    hear: (event: WatchEvent) => onEvent(event),
    /** Writes a file and reports it as settled. */
    arrive: async (relativePath: string, bytes?: Uint8Array | string): Promise<void> => {
      await write(relativePath, bytes)
      await see(relativePath)
    },
    /** Reports files one after the other, each when the one before has been dealt with. */
    take: async (relativePaths: readonly string[]): Promise<void> => {
      for (const relativePath of relativePaths) await see(relativePath)
    },
    /** A person approves this case alone, as a screen shows it. */
    approve: async (id: string): Promise<void> => {
      const parts = {
        outbox: test.outbox,
        cases,
        settings: { current: () => settings },
        ports: { clock, logger },
        isStopping: () => false,
        emitCallProgress: () => undefined,
        delivery: () => null,
      }
      const calls = decisionCalls(parts as unknown as StationParts)
      const seen = { [id]: test.outbox.shownDigest(id) }
      const done = await calls['submissions.approve']({ ids: [id], seen, by: 'AB' })
      if (!done.ok || done.value.refused.length > 0) throw new Error(`not approved: ${JSON.stringify(done)}`)
    },
    /** Ends the quiet time. */
    quiet: () => clock.turn(61_000),
    all: (): Submission[] =>
      test.outbox.listSubmissions({ limit: 200 }).items.map(cases.undo.shown).toReversed(),
    /** The cases that are not thrown away. */
    open: (): Submission[] =>
      test.outbox
        .listSubmissions({ limit: 200 })
        .items.filter(({ state }) => state !== 'discarded')
        .map(cases.undo.shown)
        .toReversed(),
    /** Ends while files may be on their way, and begins again on what is kept. */
    restart: async (): Promise<void> => {
      await leave()
      test = test.reopened()
      cases = open()
      await watch()
    },
    leave,
  }
}

/** The same, already watching its folder, in which these files lie. */
export async function watchingCases(
  folder: Partial<FolderInput> = {},
  files: readonly CameraFile[] = [],
  options: Parameters<typeof casesWith>[1] = {},
): Promise<TestCases> {
  const station = casesWith(folder, options)
  await station.watch()
  for (const { path, bytes, at } of files) await station.write(path, bytes, at)
  return station
}
