/** The program of the processes that open foreign files: it watches a folder, lists one once, or opens what it is asked for. */
import { join } from 'node:path'
import { SECOND } from '../../src-shared/durations.ts'
import { errorName } from '../station/lib/errors.ts'
import { diskCodeOf, reads } from '../station/lib/files.ts'
import { connectToParent, systemClock } from '../station/ports.ts'
import { answersTo, heldFiles, openedHere } from './foreign-files.ts'
import {
  type Asked,
  type ExpandedFile,
  type FileStamp,
  type ForeignRequest,
  type Sign,
  subjectOf,
} from './messages.ts'
import { FolderWatch } from './folder/folder-watch.ts'
import type { Beginning, PriorResult, WatchCommand, WatchedFolder, WatchMessage } from './watch-messages.ts'

const ALIVE_EVERY_MS = 5 * SECOND

const station = connectToParent()
const send = (message: WatchMessage | Sign): void => void station.send(message)

/** A file that is read; while there is one, the process hangs if it takes no step. `sinceMs` of the processor. */
type Reading = {
  readonly path: string
  readonly stamp: FileStamp | null
  bytes: number
  entries: number
  sinceMs: number
}
const readings = new Set<Reading>()

const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Says what is read now, so that the station knows it if this process dies, and what that has cost. */
async function report(): Promise<void> {
  const nowMs = processorMs()
  await station.send({
    kind: 'alive',
    steps: reads.steps,
    isReading: readings.size > reads.own,
    memoryMb: process.memoryUsage.rss() / 2 ** 20,
    reads: [...readings].map(({ sinceMs, ...one }) => ({ ...one, processorMs: nowMs - sinceMs })),
  } satisfies Sign)
}

/** Without this, a process that dies later would be held against the file that was read last. */
const reportEnd = (): void => void (readings.size === 0 && report())

/** What may end at once costs no message. */
const NOTABLE_MS = SECOND

async function whileReading<Value>(reading: Reading, read: () => Promise<Value>): Promise<Value> {
  const beforeMs = processorMs()
  reading.sinceMs += beforeMs
  readings.add(reading)
  await report()
  try {
    return await read()
  } finally {
    const endMs = processorMs()
    if (endMs - reading.sinceMs > NOTABLE_MS) await report()
    readings.delete(reading)
    // What was spent so far, until it is read on.
    reading.sinceMs -= endMs
    reads.steps += 1
    setImmediate(reportEnd)
  }
}

const readingOf = (subject: { readonly path: string; readonly stamp: FileStamp | null }): Reading => ({
  ...subject,
  bytes: subject.stamp?.sizeBytes ?? 0,
  entries: 0,
  sinceMs: 0,
})

setInterval(() => void report(), ALIVE_EVERY_MS)

/** Thrown outside of every promise, so that it ends the process. */
function endWith(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}

/** Waits for the station to take an answer; false if it wants no more. */
const wanted = new Map<number, (isMore: boolean) => void>()

async function answer(id: number, request: ForeignRequest): Promise<void> {
  const answers = answersTo(request)
  const reading = readingOf(subjectOf(request))
  try {
    for (;;) {
      // A listing opens no file that could be at fault, and one that hangs keeps this process from any sign of life.
      const next = await (request.ask === 'list'
        ? answers.next()
        : whileReading(reading, () => answers.next()))
      if (next.done === true) break
      if (request.ask === 'expand') {
        reading.entries += 1
        reading.bytes += (next.value as Partial<ExpandedFile>).sizeBytes ?? 0
      }
      const isMore = new Promise<boolean>((resolve) => wanted.set(id, resolve))
      send({ kind: 'answer', id, value: next.value })
      if (!(await isMore)) break
    }
    await answers.return()
    send({ kind: 'answered', id })
  } catch (error) {
    send({ kind: 'failed', id, name: errorName(error), code: diskCodeOf(error) })
  } finally {
    wanted.delete(id)
  }
}

let questions = 0
const unanswered = new Map<number, (answers: readonly PriorResult[]) => void>()
let watch: FolderWatch | null = null

function startWatching(folder: WatchedFolder): FolderWatch {
  return new FolderWatch({
    folder,
    clock: systemClock,
    inspect: (path, stamp) => whileReading(readingOf({ path, stamp }), () => openedHere.inspect(path, stamp)),
    whileReading: (path, stamp, read) => whileReading(readingOf({ path, stamp }), read),
    lookup: (files) => {
      questions += 1
      const question = questions
      send({ kind: 'question', question, files })
      return new Promise((resolve) => unanswered.set(question, resolve))
    },
    emit: (event) => send({ kind: 'event', event }),
    onSetAside: (error) => send({ kind: 'setAside', error }),
    onDefect: endWith,
  })
}

async function close(): Promise<void> {
  await watch?.close()
  process.exit()
}

// The station alone can send here, and what it sends is checked by the compiler on both sides.
station.onMessage((message) => {
  const received = message as (Beginning & { readonly prefix: string }) | WatchCommand | Asked
  if ('prefix' in received) reads.prefix = received.prefix
  switch (received.kind) {
    case 'watch':
      watch = startWatching(received.folder)
      return
    case 'files':
      return
    case 'request':
      return void answer(received.id, received.request)
    case 'next':
    case 'stop':
      return wanted.get(received.id)?.(received.kind === 'next')
    case 'sweep':
      return watch?.sweep()
    case 'reportGone':
      return watch?.reportGone(received.fileNames)
    case 'readAgain':
      return watch?.readAgain(received.fileNames)
    case 'inspected':
      return watch?.recordElsewhere(received.file, received.found)
    case 'acknowledge':
      heldFiles.release(join(received.file.folderPath, received.file.relativePath))
      return watch?.acknowledge(received.file)
    case 'knownFiles':
      unanswered.get(received.question)?.(received.results)
      unanswered.delete(received.question)
      return
    case 'close':
      return void close()
  }
})
