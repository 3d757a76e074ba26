/** Watches one folder: sweeps it, listens to hints, and rechecks files that have not settled. */
import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { SECOND } from '../../../src-shared/durations.ts'
import type { FileStamp } from '../reader/formats/bytes.ts'
import type { Inspection } from '../reader/inspect-file.ts'
import { errorCode } from '../lib/errors.ts'
import { withParents } from '../lib/files.ts'
import { PlannedRun } from '../lib/schedule.ts'
import { type Clock, systemClock } from '../ports.ts'
import { FileBook } from './file-book.ts'
import { HintListener, HintScanner, openHints, type OpenHints } from './hints.ts'
import { LeaseKeeper } from './lease.ts'
import { NoteStore } from './file-state.ts'
import { OpeningQueue, RecheckQueue } from './read-queues.ts'
import {
  FolderLocation,
  inSlices,
  pauseAfterSweepMs,
  recordEntry,
  SeenFolders,
  sweepFolder,
  SweepSchedule,
  type WalkedEntry,
} from './walk.ts'
import {
  type FileMark,
  type PriorResult,
  type SettledFile,
  type StationName,
  unreachableEvent,
  type UnreachableReason,
  unreachableReason,
  type WatchedFolder,
  type WatchEvent,
  type WorkerCommand,
  type WorkerMessage,
} from './watch.ts'

export type FolderWatchOptions = {
  readonly folder: WatchedFolder
  readonly clock: Clock
  readonly inspect: (path: string, stamp: FileStamp) => Promise<Inspection>
  readonly lookup: (files: readonly FileMark[]) => Promise<readonly PriorResult[]>
  readonly emit: (event: WatchEvent) => void
  /** A file was set aside because inspecting it threw; `error` is the class of the error. */
  readonly onSetAside?: (error: string) => void
  readonly openHints?: OpenHints
  /** The watch is unreliable afterwards. */
  readonly onDefect: (error: unknown) => void
}

const FOLDER_RETRY_MS = 15 * SECOND

const MIN_SWEEP_PAUSE_MS = SECOND

export class FolderWatch {
  readonly #options: FolderWatchOptions
  readonly #book: FileBook
  readonly #queue: OpeningQueue
  readonly #rechecks: RecheckQueue
  readonly #hints: HintListener
  readonly #scanner: HintScanner
  readonly #lease: LeaseKeeper | null
  readonly #nextSweep: PlannedRun
  readonly #nextCheck: PlannedRun
  readonly #schedule = new SweepSchedule()
  readonly #folders = new SeenFolders()
  readonly #location: FolderLocation
  #latestFolders: readonly string[] = []
  #sweeping: 'no' | 'yes' | 'again' = 'no'
  #isChecking = false
  #isClosed = false
  #sweepEndedMs = -Infinity
  /** The last reason emitted; null while the folder is reachable. */
  #problem: UnreachableReason | null = null

  constructor(options: FolderWatchOptions) {
    this.#options = options
    const { folder, clock, emit } = options
    this.#location = new FolderLocation(folder.path)
    this.#lease = folder.lease === null ? null : this.#newLease(folder.lease)
    this.#queue = new OpeningQueue({
      inspect: (relativePath, stamp) => options.inspect(join(folder.path, relativePath), stamp),
      lookup: options.lookup,
      onOpened: (mark, found) => {
        if (found.kind === 'unreadable') options.onSetAside?.(found.error)
        this.#book.recordInspection(mark, found)
        this.#scheduleChecks()
      },
      onDefect: options.onDefect,
    })
    this.#book = new FileBook({
      folder,
      notes: new NoteStore(folder.path, () => clock.now(), emit),
      monotonicMs: () => clock.monotonicMs(),
      // A file that may not be emitted now is emitted again by the next sweep.
      onSettled: (file) => {
        if (this.#lease?.mayTake() ?? true) emit({ kind: 'settled', file })
      },
      onUnusable: (file) => emit({ kind: 'unusable', file }),
      onGone: (fileNames) => emit({ kind: 'gone', folderPath: folder.path, fileNames }),
      requestOpen: (mark) => this.#queue.add(mark),
      onDoubt: (relativePath, dueMs) => this.#rechecks.add(relativePath, dueMs),
    })
    this.#rechecks = new RecheckQueue({
      ...options,
      folderPath: folder.path,
      book: this.#book,
      mayRead: () => this.#queue.isIdle() && this.#problem === null && !this.#isTaken(),
    })
    this.#hints = new HintListener({
      root: folder.path,
      clock,
      openHints: options.openHints ?? openHints,
      onPaths: (paths) => this.#runScan(() => this.#scanner.scan(paths)),
      onFollowed: (followed) => this.#runScan(() => this.#scanner.scanForNew(followed)),
      onUnclear: () => this.#sweepSoon(),
    })
    this.#scanner = new HintScanner({
      root: folder.path,
      book: this.#book,
      folders: this.#folders,
      listener: this.#hints,
      isClosed: () => this.#isClosed,
      canReachFolder: () => this.#canReachFolder(),
    })
    this.#nextSweep = new PlannedRun(clock, () => this.sweep())
    this.#nextCheck = new PlannedRun(clock, () => this.#run(() => this.#checkDue()))
    this.sweep()
  }

  /** Sweeps now, or once more after the current sweep. */
  sweep(): void {
    if (this.#isClosed) return
    const isSweeping = this.#sweeping !== 'no'
    this.#sweeping = isSweeping ? 'again' : 'yes'
    if (!isSweeping) this.#run(() => this.#sweepAndPlan())
  }

  acknowledge(file: SettledFile): void {
    this.#book.acknowledge(file)
  }

  reportGone(fileNames: readonly string[]): void {
    const gone = fileNames.filter((fileName) => !withParents(fileName).some((path) => this.#book.has(path)))
    const folderPath = this.#options.folder.path
    if (gone.length > 0) this.#options.emit({ kind: 'gone', folderPath, fileNames: gone })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#nextSweep.cancel()
    this.#nextCheck.cancel()
    this.#lease?.close()
    this.#queue.close()
    this.#rechecks.close()
    await this.#hints.close()
  }

  #run(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.#options.onDefect(error))
  }

  #runScan(scan: () => Promise<void>): void {
    if (this.#isTaken()) return
    this.#run(async () => {
      await scan()
      this.#scheduleChecks()
    })
  }

  #newLease(station: StationName): LeaseKeeper {
    const { folder, clock, emit } = this.#options
    return new LeaseKeeper({
      root: folder.path,
      station,
      clock,
      isThere: () => !this.#location.isEmptyMountPoint(),
      onGuard: (guard, hostName) => {
        if (guard === 'taken') this.#pause()
        emit({ kind: 'guard', folderPath: folder.path, guard, hostName })
      },
      onSweepDue: () => this.sweep(),
    })
  }

  #pause(): void {
    this.#problem = null
    this.#nextSweep.cancel()
    this.#nextCheck.cancel()
    this.#hints.stopListening()
  }

  async #sweepAndPlan(): Promise<void> {
    this.#nextSweep.cancel()
    const before = process.threadCpuUsage()
    try {
      this.#lease?.check()
      // A request from the lease check is satisfied by this very sweep.
      this.#sweeping = 'yes'
      if (!this.#isTaken()) await this.#sweepOnce()
    } catch (error) {
      // An error with a system code means an unreachable folder; anything else is a defect.
      if (errorCode(error) === undefined) throw error
      this.#cannotReach(unreachableReason(error), errorCode(error))
    }
    if (this.#isClosed) return
    this.#sweepEndedMs = this.#options.clock.monotonicMs()
    const isWantedAgain = this.#sweeping === 'again'
    this.#sweeping = 'no'
    // The lease keeper reports when the folder is released.
    if (this.#isTaken()) return
    this.#scheduleChecks()
    const { sweepMs: setMs } = this.#options.folder
    const { user, system } = process.threadCpuUsage(before)
    const sweepMs = this.#schedule.isLarge ? pauseAfterSweepMs(setMs, (user + system) / 1_000) : setMs
    if (isWantedAgain) this.sweep()
    else this.#nextSweep.runIn(this.#problem === null ? sweepMs : Math.min(sweepMs, FOLDER_RETRY_MS))
  }

  async #sweepOnce(): Promise<void> {
    const { path } = this.#options.folder
    const identity = this.#location.identity()
    this.#hints.listenTo(identity)
    this.#book.beginSweep()
    this.#folders.beginSweep()
    this.#schedule.begin(this.#location.fileCount, this.#latestFolders)
    const scan = await sweepFolder({
      root: path,
      book: this.#book,
      folders: this.#folders,
      schedule: this.#schedule,
      isStopped: () => this.#isClosed || this.#isTaken(),
      afterSlice: () => this.#scheduleChecks(),
    })
    if (this.#isClosed || this.#isTaken()) return
    // If the share disconnected during the walk, the listing is incomplete.
    if (this.#location.identity() !== identity) return this.#sweepSoon()
    if (scan === null) return this.#cannotReach('unknown')
    const { fileCount, otherCount, unseen, latest } = scan
    if (this.#location.isSuddenlyEmpty(identity, fileCount)) return this.#cannotReach('suddenlyEmpty')
    this.#location.recordSweep(identity, fileCount)
    this.#book.endSweep(unseen)
    this.#folders.endSweep()
    this.#latestFolders = latest
    this.#scanner.follow(latest)
    this.#problem = null
    const at = this.#options.clock.now()
    this.#options.emit({ kind: 'swept', folderPath: path, at, fileCount, otherCount })
  }

  /** Checks the files that are due. Stops if the folder itself is unreachable; the next sweep resumes. */
  async #checkDue(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    const checks = this.#checkPaths(this.#book.due())
    for await (const slice of inSlices(checks, () => this.#isClosed || this.#problem !== null)) {
      for (const walked of slice) recordEntry(this.#book, walked, 'swept')
    }
    this.#isChecking = false
    this.#scheduleChecks()
  }

  *#checkPaths(paths: readonly string[]): Generator<WalkedEntry, void, void> {
    for (const path of paths) {
      const walked = this.#scanner.check(path)
      if (walked !== null) yield walked
    }
  }

  #isTaken(): boolean {
    return this.#lease?.isTaken() ?? false
  }

  #canReachFolder(): boolean {
    try {
      this.#location.identity()
      return true
    } catch (error) {
      if (errorCode(error) === undefined) throw error
      this.#cannotReach(unreachableReason(error), errorCode(error))
      return false
    }
  }

  #cannotReach(reason: UnreachableReason, code?: string): void {
    this.#hints.stopListening()
    const { clock, folder, emit } = this.#options
    this.#nextSweep.runIn(Math.min(folder.sweepMs, FOLDER_RETRY_MS))
    if (this.#problem === reason) return
    this.#problem = reason
    emit(unreachableEvent(folder.path, clock.now(), reason, code))
  }

  #sweepSoon(): void {
    if (this.#isClosed || this.#isTaken()) return
    const sinceMs = this.#options.clock.monotonicMs() - this.#sweepEndedMs
    this.#nextSweep.runIn(Math.max(MIN_SWEEP_PAUSE_MS - sinceMs, 0))
  }

  #scheduleChecks(): void {
    const untilMs = this.#book.untilDueMs()
    if (this.#isClosed || this.#isChecking || this.#problem !== null || untilMs === null || this.#isTaken())
      return
    this.#nextCheck.runIn(untilMs)
  }
}

const ALIVE_EVERY_MS = 5 * SECOND

/** Watches in a thread until it receives `close`. A defect ends the thread, and its owner starts another. */
export function serveFolderWatch(
  port: MessagePort,
  folder: WatchedFolder,
  inspect: FolderWatchOptions['inspect'],
): void {
  const send = (message: WorkerMessage): void => port.postMessage(message)
  const unanswered = new Map<number, (areKnown: readonly PriorResult[]) => void>()
  let questions = 0

  const watch = new FolderWatch({
    folder,
    clock: systemClock,
    inspect,
    lookup: (files) => {
      const question = (questions += 1)
      send({ kind: 'question', question, files })
      return new Promise((resolve) => unanswered.set(question, resolve))
    },
    emit: (event) => send({ kind: 'event', event }),
    onSetAside: (error) => send({ kind: 'setAside', error }),
    onDefect: (error) => {
      // Thrown outside of every promise, so that it ends the thread.
      setImmediate(() => {
        throw error
      })
    },
  })
  const alive = setInterval(() => send({ kind: 'alive' }), ALIVE_EVERY_MS)

  const close = async (): Promise<void> => {
    clearInterval(alive)
    await watch.close()
    send({ kind: 'closed' })
    port.close()
  }

  port.on('message', (message: WorkerCommand) => {
    switch (message.kind) {
      case 'sweep':
        watch.sweep()
        return
      case 'reportGone':
        watch.reportGone(message.fileNames)
        return
      case 'acknowledge':
        watch.acknowledge(message.file)
        return
      case 'answer':
        unanswered.get(message.question)?.(message.answers)
        unanswered.delete(message.question)
        return
      case 'close':
        void close()
    }
  })
}
