/** Watches one folder: sweeps it, listens to hints, and rechecks files that have not settled. */
import { join } from 'node:path'
import { SECOND } from '../../../src-shared/durations.ts'
import type { FileStamp, Inspection } from '../messages.ts'
import { errorCode } from '../../station/lib/errors.ts'
import { withParents } from '../../station/lib/files.ts'
import { PlannedRun } from '../../station/lib/schedule.ts'
import type { Clock } from '../../station/ports.ts'
import { FileBook } from './file-book.ts'
import { HintListener, openHints, type OpenHints } from './hints.ts'
import { LeaseKeeper } from './lease.ts'
import { OpeningQueue, RecheckQueue, type WhileReading } from './read-queues.ts'
import {
  FolderLocation,
  inSlices,
  KnownFolders,
  pauseAfterSweepMs,
  type WalkedEntry,
  walkFolder,
} from './walk.ts'
import type {
  FileMark,
  PriorResult,
  SettledFile,
  StationName,
  UnreachableReason,
  WatchedFolder,
  WatchEvent,
} from '../watch-messages.ts'

export type FolderWatchOptions = {
  readonly folder: WatchedFolder
  readonly clock: Clock
  readonly inspect: (path: string, stamp: FileStamp) => Promise<Inspection>
  readonly lookup: (files: readonly FileMark[]) => Promise<readonly PriorResult[]>
  /** Runs what hashes a file again. */
  readonly whileReading?: WhileReading
  readonly emit: (event: WatchEvent) => void
  /** A file was set aside because inspecting it threw; `error` is the class of the error. */
  readonly onSetAside?: (error: string) => void
  readonly openHints?: OpenHints
  /** The watch is unreliable afterwards. */
  readonly onDefect: (error: unknown) => void
}

/** Why a folder cannot be reached, by the code of the file system error. */
const REASONS: Readonly<Record<string, UnreachableReason>> = {
  ENOENT: 'notThere',
  ENOTDIR: 'isFile',
  EACCES: 'notAllowed',
  EPERM: 'notAllowed',
  EHOSTDOWN: 'computerSilent',
  EHOSTUNREACH: 'computerSilent',
  ENETUNREACH: 'noNetwork',
  ETIMEDOUT: 'computerSilent',
  ESTALE: 'connectionLost',
  ENOTCONN: 'connectionLost',
  EIO: 'failing',
  ENODEV: 'driveGone',
  ENXIO: 'driveGone',
}

const FOLDER_RETRY_MS = 15 * SECOND

const MIN_SWEEP_PAUSE_MS = SECOND

/** The pause if a check is due while the one before still runs. */
const CHECK_AGAIN_MS = 50

export class FolderWatch {
  readonly #options: FolderWatchOptions
  readonly #book: FileBook
  readonly #queue: OpeningQueue
  readonly #rechecks: RecheckQueue
  readonly #hints: HintListener
  readonly #lease: LeaseKeeper | null
  readonly #nextSweep: PlannedRun
  readonly #nextCheck: PlannedRun
  readonly #folders = new KnownFolders()
  readonly #location: FolderLocation
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
      onResult: (mark, found) => {
        if (typeof found !== 'string' && 'error' in found) options.onSetAside?.(found.error)
        this.#book.recordResult(mark, found)
      },
      onDefect: options.onDefect,
    })
    this.#book = new FileBook({
      folder,
      clock,
      // A file that may not be emitted now is emitted again by the next sweep.
      emit: (event) => {
        if (event.kind !== 'settled' || (this.#lease?.mayTake() ?? true)) emit(event)
      },
      requestOpen: (mark) => this.#queue.add(mark),
      planCheck: (atMs) => this.#nextCheck.runIn(Math.max(0, atMs - clock.monotonicMs())),
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
      book: this.#book,
      folders: this.#folders,
      runScan: (scan) => this.#runScan(scan),
      canReachFolder: () => this.#canReachFolder(),
      onUnclear: () => this.#sweepSoon(),
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
    if (gone.length > 0) this.#options.emit({ kind: 'gone', fileNames: gone })
  }

  /** Looks these files up once more, or the archives that they lie in. */
  readAgain(fileNames: readonly string[]): void {
    for (const path of fileNames.flatMap(withParents)) {
      const mark = this.#book.doubted(path)
      if (mark !== null) this.#book.reopen(mark, 'open')
    }
  }

  recordElsewhere(file: FileMark, found: Inspection): void {
    this.#book.recordElsewhere(file, found)
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
    if (!this.#isTaken()) this.#run(scan)
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
        emit({ kind: 'guard', guard, hostName })
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
      this.#onDiskError(error)
    }
    if (this.#isClosed) return
    this.#sweepEndedMs = this.#options.clock.monotonicMs()
    const isWantedAgain = this.#sweeping === 'again'
    this.#sweeping = 'no'
    // The lease keeper reports when the folder is released.
    if (this.#isTaken()) return
    this.#nextCheck.runIn(0)
    const { sweepMs: setMs } = this.#options.folder
    const { user, system } = process.threadCpuUsage(before)
    const sweepMs = this.#folders.isLarge ? pauseAfterSweepMs(setMs, (user + system) / 1_000) : setMs
    if (isWantedAgain) this.sweep()
    else this.#nextSweep.runIn(this.#problem === null ? sweepMs : Math.min(sweepMs, FOLDER_RETRY_MS))
  }

  async #sweepOnce(): Promise<void> {
    const { path } = this.#options.folder
    const isStopped = (): boolean => this.#isClosed || this.#isTaken()
    const identity = this.#location.identity()
    this.#hints.listenTo(identity)
    this.#book.beginSweep()
    this.#folders.beginSweep(this.#location.fileCount)
    let fileCount = 0
    const unreadFolders: string[] = []
    const walk = walkFolder(path, '', {
      canSkipIn: (folder, mtimeMs) => this.#folders.canSkip(folder, mtimeMs),
      canSkipFile: (relativePath) => this.#book.canSkip(relativePath),
    })
    for await (const slice of inSlices(walk, isStopped)) {
      for (const walked of slice) {
        if (walked.kind === 'folder') this.#folders.addSwept(walked.relativePath, walked.mtimeMs)
        if (walked.kind === 'shut') unreadFolders.push(walked.relativePath)
        if (walked.kind === 'file' || walked.kind === 'passedBy') fileCount += 1
        this.#book.record(walked, 'swept')
      }
    }
    if (isStopped()) return
    // If the share disconnected during the walk, the listing is incomplete.
    if (this.#location.identity() !== identity) return this.#sweepSoon()
    if (this.#location.isSuddenlyEmpty(identity, fileCount)) return this.#cannotReach('suddenlyEmpty')
    this.#location.recordSweep(identity, fileCount)
    this.#book.endSweep(unreadFolders)
    this.#folders.endSweep()
    this.#hints.follow(this.#folders.latest)
    this.#problem = null
    this.#options.emit({ kind: 'swept' })
  }

  /** Checks the files that are due. Stops if the folder itself is unreachable; the next sweep resumes. */
  async #checkDue(): Promise<void> {
    if (this.#isClosed || this.#problem !== null || this.#isTaken()) return
    if (this.#isChecking) return this.#nextCheck.runIn(CHECK_AGAIN_MS)
    this.#isChecking = true
    const checks = this.#checkPaths(this.#book.due())
    for await (const slice of inSlices(checks, () => this.#isClosed || this.#problem !== null))
      for (const walked of slice) this.#book.record(walked, 'swept')
    this.#isChecking = false
  }

  *#checkPaths(paths: readonly string[]): Generator<WalkedEntry, void, void> {
    for (const path of paths) {
      const walked = this.#hints.check(path)
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
      this.#onDiskError(error)
      return false
    }
  }

  /** An error with a system code means an unreachable folder; anything else is a defect. */
  #onDiskError(error: unknown): void {
    const code = errorCode(error)
    if (code === undefined) throw error
    this.#cannotReach(REASONS[code] ?? 'unknown', code)
  }

  #cannotReach(reason: UnreachableReason, code?: string): void {
    this.#hints.stopListening()
    const { folder, emit } = this.#options
    this.#nextSweep.runIn(Math.min(folder.sweepMs, FOLDER_RETRY_MS))
    if (this.#problem === reason) return
    this.#problem = reason
    emit({ kind: 'unreachable', reason, ...(code !== undefined && { code }) })
  }

  #sweepSoon(): void {
    if (this.#isClosed || this.#isTaken()) return
    const sinceMs = this.#options.clock.monotonicMs() - this.#sweepEndedMs
    this.#nextSweep.runIn(Math.max(MIN_SWEEP_PAUSE_MS - sinceMs, 0))
  }
}
