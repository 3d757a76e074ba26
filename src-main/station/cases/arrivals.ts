/** Files that have settled: read in a few lanes, and the images among them assigned to their cases together. */
import PQueue from 'p-queue'
import { MINUTE } from '../../../src-shared/durations.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { worded } from '../../../src-shared/wording.ts'
import { errorName, isFullDisk } from '../lib/errors.ts'
import { diskCodeOf } from '../lib/files.ts'
import { limitedWaits, ShareSilent } from '../lib/schedule.ts'
import { storageFailureOf } from '../lib/storage-faults.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Logger } from '../ports.ts'
import type { SettledFile } from '../../reader/watch-messages.ts'
import type { CaseFolder } from './folders/case-folder.ts'
import { stemKeyOf } from './meaning/sources.ts'
import { assignArrival, ingest } from './ingest.ts'
import { type IngestContext, type IngestResult, refreshSubmissions } from './settle.ts'
import type { Arrival } from './spool.ts'

/** Of each folder, so that one on a share that hangs holds up no other. Two are decoded while a third is copied. */
const INGEST_CONCURRENCY = 3
/** A file that takes longer hangs in its share, or is large: the others go on. */
const LANE_LIMIT_MS = MINUTE
/** Assigned with one commit of a few milliseconds. */
const MOST_TOGETHER = 16
/** So long a stored image waits for others, at most. */
const WAIT_MS = 200

type Ended = IngestResult | Error

/** `onEnded`: files have been dealt with. */
export function openArrivals(
  context: Omit<IngestContext, 'folderPath' | 'note' | 'logger'> & { readonly logger: Logger },
  onEnded: () => void,
) {
  const { clock, logger, storageIs } = context
  const lanesByFolder = new Map<string, PQueue>()
  const lanesOf = (folderPath: string): PQueue => {
    const lanes = lanesByFolder.get(folderPath) ?? new PQueue({ concurrency: INGEST_CONCURRENCY })
    lanesByFolder.set(folderPath, lanes)
    return lanes
  }
  /** No more than the one that ends now. */
  const isLast = (): boolean =>
    [...lanesByFolder.values()].reduce((sum, { size, pending }) => sum + size + pending, 0) <= 1
  const waitForLane = limitedWaits(clock, LANE_LIMIT_MS)
  const queued = new Set<string>()
  let stored: { readonly arrival: Arrival; readonly end: (how: Ended) => void }[] = []
  let cancelWait: (() => void) | null = null
  let isOver = false

  const noteNotNow = (folder: CaseFolder, file: SettledFile): void => {
    const note = {
      fileName: file.relativePath,
      kind: 'unreadable',
      ...worded('intake:ingest.notNow'),
    } as const
    if (folder.isThere(file)) folder.note({ ...note, at: clock.now() })
  }

  const noteFailed = (folder: CaseFolder, file: SettledFile, error: Error): void => {
    if (isFullDisk(error)) storageIs(failureOf('diskLow', worded('intake:spool.diskFull')))
    const code = diskCodeOf(error)
    const facts = { error: errorName(error), code }
    // A disconnected share causes an error for each waiting file: a problem of the share, not a defect.
    if (code === null || isFullDisk(error)) logger.error('a file could not be taken in', facts)
    else logger.warn('a file could not be taken in', facts)
    noteNotNow(folder, file)
  }

  const assignStored = (): void => {
    cancelWait?.()
    cancelWait = null
    const now = stored
    stored = []
    // Ended meanwhile: the next start reads them again.
    const ended = isOver ? [] : assignTogether(now.map(({ arrival }) => arrival))
    for (const [at, { end }] of now.entries())
      try {
        end(ended[at] ?? 'again')
      } catch (error) {
        logger.error('taking in a file failed', { error: errorName(error) })
      }
    if (!isOver) onEnded()
  }
  /** At once if no other file is being read, or so many are stored; else a little later. */
  const assignSoon = (): void => {
    if (stored.length === 0) return
    if (stored.length >= MOST_TOGETHER || isLast()) assignStored()
    else cancelWait ??= clock.after(WAIT_MS, assignStored)
  }

  const readFile = async (folder: CaseFolder, file: SettledFile, key: string): Promise<void> => {
    let isNoted = false
    const end = (how: Ended): void => {
      queued.delete(key)
      if (how instanceof Error) return noteFailed(folder, file, how)
      if (how === 'done' && !isNoted) folder.clearNote(file)
      if (how !== 'again') folder.acknowledge(file)
    }
    // It may have waited long; the watcher emits it again once the folder is watched again.
    if (!folder.isAccepting()) return void queued.delete(key)
    const ofFile: IngestContext = {
      ...context,
      folderPath: file.folderPath,
      foreign: folder.files ?? context.foreign,
      note: (note) => {
        isNoted ||= note.fileName === file.relativePath
        if (folder.isThere(file)) folder.note(note)
      },
      clearNote: (one) => folder.clearNote(one),
      firstSeenAt: folder.firstSeenAt(file),
    }
    try {
      const result = await ingest(ofFile, file)
      if (typeof result === 'string') {
        end(result)
        onEnded()
      } else stored.push({ arrival: result, end })
    } catch (error) {
      end(asError(error))
    }
    assignSoon()
  }

  return {
    enqueue: (folder: CaseFolder, file: SettledFile): void => {
      const key = JSON.stringify([file.folderPath, file.relativePath, file.sizeBytes, file.mtimeMs])
      if (queued.has(key)) return
      queued.add(key)
      let isBegun = false
      const read = (): Promise<void> => {
        isBegun = true
        return readFile(folder, file, key)
      }
      lanesOf(file.folderPath)
        .add(() =>
          waitForLane(file.folderPath, read).catch((error: unknown) => {
            if (!(error instanceof ShareSilent)) throw error
            noteNotNow(folder, file)
            // Not begun: emitted again by the next sweep.
            if (!isBegun) queued.delete(key)
          }),
        )
        .catch((error: unknown) => logger.error('taking in a file failed', { error: errorName(error) }))
    },
    /** What waits is left for the next start; what is being read is assigned. */
    close: async (): Promise<void> => {
      const all = [...lanesByFolder.values()]
      for (const lanes of all) lanes.clear()
      await Promise.all(all.map((lanes) => lanes.onIdle()))
      assignStored()
      isOver = true
    },
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('not taken in', { cause: error })
}

/** Its pixels are known, or a file of its name could not be used: what the case of that says decides which case it joins. */
function isWeighedAgainstCases(outbox: Outbox, { mark, stored }: Omit<Arrival, 'context'>): boolean {
  return (
    outbox.holdersOf(stored.bytes.sha256, stored.picture?.sha256).length > 0 ||
    outbox.unusableOfStems(mark.folderPath, [stemKeyOf(mark.relativePath)]).length > 0
  )
}

/**
 * Assigns stored images with one commit, and returns how each ended; their cases are read when all have joined, or before
 * one that is weighed against them. If that fails, each has a commit of its own, so that one which cannot be assigned
 * holds up no other.
 */
function assignTogether(arrivals: readonly Arrival[]): readonly Ended[] {
  const [first] = arrivals
  if (first === undefined) return []
  const { outbox, clock, logger } = first.context
  try {
    return outbox.write(() => {
      const joined = new Set<string>()
      const readLater = (id: string): unknown => joined.add(id)
      const now = clock.now()
      const atOnce = { ...clock, now: () => now }
      const ended = arrivals.map(({ context, ...arrival }) => {
        if (isWeighedAgainstCases(outbox, arrival)) {
          refreshSubmissions(first.context, joined)
          joined.clear()
        }
        return assignArrival({ ...arrival, context: { ...context, readLater, clock: atOnce } })
      })
      refreshSubmissions(first.context, joined)
      return ended
    })
  } catch (error) {
    if (storageFailureOf(error) !== null) return arrivals.map(() => asError(error))
    if (arrivals.length > 1) logger?.error('images are assigned one by one', { error: errorName(error) })
    return arrivals.map((arrival) => {
      try {
        return assignArrival(arrival)
      } catch (own) {
        return asError(own)
      }
    })
  }
}
