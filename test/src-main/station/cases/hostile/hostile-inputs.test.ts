/**
 * Hostile inputs, thrown at a running cases. More than 10,000 of them by
 * `PROPERTY_SHARE=10 npx vitest run test/src-main/station/cases/hostile`
 * (quicker with `TMPDIR=/dev/shm`: most of the time goes into flushing to the disk).
 */
import { mkdirSync } from 'node:fs'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openReaderProcesses } from '../../../../../src-main/station/readers/processes.ts'
import { assignArrival, ingest } from '../../../../../src-main/station/cases/ingest.ts'
import type { IngestContext } from '../../../../../src-main/station/cases/settle.ts'
import { openedHere } from '../../../../../src-main/reader/foreign-files.ts'
import { inspectFile } from '../../../../../src-main/reader/inspect-file.ts'
import { foldPath, stemKeyOf } from '../../../../../src-main/station/cases/meaning/sources.ts'
import { isJunkFile, isJunkFolder } from '../../../../../src-main/station/lib/files.ts'
import { systemClock } from '../../../../../src-main/station/ports.ts'
import { FileBook } from '../../../../../src-main/reader/folder/file-book.ts'
import type { FileMark, SettledFile } from '../../../../../src-main/reader/watch-messages.ts'
import { settingsSchema } from '../../../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../../../tools/recording-logger.ts'
import { ManualClock } from '../../../../tools/manual-clock.ts'
import { stationPorts } from '../../../../tools/station-ports.ts'
import { openTestOutbox } from '../../../../tools/outbox-with.ts'
import { propertySeed, runs } from '../../../../tools/property.ts'
import { temporaryFolder } from '../../../../tools/temporary-folder.ts'
import { drawing } from '../../../reader/draw-images.ts'
import { zipOf } from '../../../reader/draw-zips.ts'
import { watchingCases } from '../cases-with.ts'
import { type HostileInput, hostileInputs } from './hostile-inputs.ts'

const COUNT = runs(1_200)
const MEGABYTE = 1_048_576
const MOST_GROWTH_MB = 400

describe('hostile inputs', () => {
  it(`each end as an image, as data or with a sentence, and good ones among them are taken rightly (${COUNT})`, async () => {
    const test = openTestOutbox()
    const logger = createRecordingLogger()
    const camera = temporaryFolder()
    const spoolFolder = join(test.folder, 'spool')
    const pictureFolder = join(spoolFolder, 'incoming')
    mkdirSync(pictureFolder, { recursive: true })
    const { workers, startProcess } = stationPorts()
    const reader = openReaderProcesses({ programs: workers, startProcess, lanes: 1, logger })
    onTestFinished(() => reader.close())
    const settings = settingsSchema.parse({ folders: [{ path: camera }] })
    const context = {
      outbox: test.outbox,
      clock: new ManualClock(),
      settings: () => settings,
      spoolFolder,
      pictureFolder,
      foreign: openedHere,
      own: openedHere,
      ...reader,
      version: '0',
      storageIs: (trouble: unknown) => expect(trouble).toBeNull(),
    }
    const inputs = await hostileInputs(COUNT, propertySeed)
    const before = process.memoryUsage().rss
    let highest = before
    const badly: { path: string; ending: Ending; messages: readonly string[] }[] = []
    const coming = inputs.entries()
    const take = async (): Promise<void> => {
      for (const [index, input] of coming) {
        if (index === COUNT >> 1) await throwGood(context, camera, 'OD')
        const { ending, messages } = await throwAt(context, camera, input)
        if (ending === 'silence' || ending === 'error') badly.push({ path: input.path, ending, messages })
        if (index % 100 === 0) highest = Math.max(highest, process.memoryUsage().rss)
      }
    }
    // Two at a time, as the station takes them.
    await Promise.all([take(), take()])
    await throwGood(context, camera, 'OS')
    const growth = (highest - before) / MEGABYTE
    expect(badly).toEqual([])
    expect(growth).toBeLessThan(MOST_GROWTH_MB)
    const [good, ...others] = test.outbox.listSubmissions({ search: 'H-90777', limit: 5 }).items
    expect(others).toEqual([])
    expect(good?.images.map((image) => image.eye)).toEqual(['right', 'left'])
    expect(good?.reasons).toEqual([])
    expect(good?.fields).toEqual({ history_number: 'H-90777', visit_date: '2026-11-20' })
    expect(logger.errors()).toEqual([])
  }, 600_000)
})

/** What a file came to. `silence` is the one that must not be. */
type Ending = 'ignored for its name' | 'image' | 'data' | 'archive' | 'sentence' | 'silence' | 'error'

type Thrown = { readonly ending: Ending; readonly messages: readonly string[] }

const SETTLE_MS = 1_000

function isJunk(path: string): boolean {
  const parts = path.split('/')
  return isJunkFile(parts.at(-1) ?? '') || parts.slice(0, -1).some(isJunkFolder)
}

/** A sentence for a person: words, and an end. */
function isSentence(message: string): boolean {
  return message.length > 15 && /^[A-Z].*[.)]$/su.test(message)
}

/** Writes one file, lets it settle, takes it in if it may be, and removes it again. */
async function throwAt(
  base: Omit<IngestContext, 'folderPath' | 'note'>,
  folderPath: string,
  { path: relativePath, bytes }: HostileInput,
): Promise<Thrown> {
  const path = join(folderPath, relativePath)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
  const thrown = await endingOf(base, folderPath, relativePath)
  await rm(path)
  return thrown
}

async function endingOf(
  base: Omit<IngestContext, 'folderPath' | 'note'>,
  folderPath: string,
  relativePath: string,
): Promise<Thrown> {
  const messages: string[] = []
  const context: IngestContext = { ...base, folderPath, note: (note) => void messages.push(note.message) }
  const settled = await settle(folderPath, relativePath, (message) => void messages.push(message))
  if (settled === null) {
    if (messages.length > 0) return { ending: messages.every(isSentence) ? 'sentence' : 'silence', messages }
    return { ending: isJunk(relativePath) ? 'ignored for its name' : 'silence', messages }
  }
  try {
    const read = await ingest(context, settled)
    if (typeof read !== 'string') assignArrival(read)
  } catch (error) {
    return { ending: 'error', messages: [String(error)] }
  }
  const ending = outcomeOf(base, settled)
  if (ending !== null) return { ending, messages }
  return { ending: messages.length > 0 && messages.every(isSentence) ? 'sentence' : 'silence', messages }
}

function outcomeOf(
  { outbox }: Pick<IngestContext, 'outbox'>,
  { folderPath, relativePath, content }: SettledFile,
): Ending | null {
  if (content === 'sidecar')
    return outbox.recordsOfSidecar(folderPath, foldPath(relativePath)).length > 0 ? 'data' : null
  if (content === 'zip')
    return outbox.submissionsInFolder(folderPath, relativePath).length > 0 ? 'archive' : null
  const images = outbox.imagesOfStem(folderPath, stemKeyOf(relativePath))
  return images.some((image) => image.file_name === relativePath) ? 'image' : null
}

/** What the watch makes of a file that stays as it is. */
async function settle(
  folderPath: string,
  relativePath: string,
  onNote: (message: string) => void,
): Promise<SettledFile | null> {
  if (isJunk(relativePath)) return null
  let nowMs = 0
  let settled: SettledFile | null = null
  const wanted: FileMark[] = []
  const book = new FileBook({
    folder: { path: folderPath, settleMs: SETTLE_MS, sweepMs: 60_000, lease: null },
    clock: { ...systemClock, monotonicMs: () => nowMs },
    emit: (event) => {
      if (event.kind === 'noted') onNote(event.note.message)
      if (event.kind === 'settled') settled = event.file
    },
    planCheck: () => undefined,
    onDoubt: () => undefined,
    requestOpen: (mark) => void wanted.push(mark),
  })
  const { size, mtimeMs } = await stat(join(folderPath, relativePath))
  const stamp = { sizeBytes: size, mtimeMs: Math.floor(mtimeMs), ctimeMs: 0 }
  for (let sweep = 0; sweep < 3 && wanted.length === 0; sweep += 1) {
    book.beginSweep()
    book.record({ kind: 'file', relativePath, ...stamp }, 'swept')
    nowMs += 2 * SETTLE_MS
  }
  for (const mark of wanted) book.recordResult(mark, await inspectFile(join(folderPath, relativePath), mark))
  return settled
}

/** A case as it should be, among all the others. */
async function throwGood(
  context: Parameters<typeof throwAt>[0],
  camera: string,
  eye: 'OD' | 'OS',
): Promise<void> {
  const bytes = await drawing(eye === 'OD' ? 33 : 34, 20)
    .jpeg()
    .toBuffer()
  const path = `H-90777_20261120/H-90777_20261120_${eye}_1.jpg`
  expect(await throwAt(context, camera, { path, bytes })).toEqual({ ending: 'image', messages: [] })
}

it.each([
  // The record at the end (APPNOTE 4.3.16) says that there is nothing.
  ['whose directory names nothing', 'a.txt', (zip: Buffer) => Buffer.from(zip).fill(0, zip.length - 18)],
  ['that holds only what systems leave', '.DS_Store', (zip: Buffer) => zip],
])('an archive %s is noted, and is not taken in silence', async (_, name, change) => {
  const bytes = change(await zipOf([{ name, bytes: Buffer.from('a') }]))
  const station = await watchingCases()
  await station.arrive('export.zip', bytes)
  expect(station.cases.folders.status()[0]?.notes).toMatchObject([
    { fileName: 'export.zip', kind: 'ignored' },
  ])
})
