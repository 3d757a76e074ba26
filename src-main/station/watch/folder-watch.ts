/** Watches one folder: sweeps through it, listens to hints, and looks again at what has not settled. */
import { join } from 'node:path'
import { SECOND } from '../../../src-shared/durations.ts'
import type { FileLook, Inspection } from '../intake/inspect-file.ts'
import type { Clock } from '../ports.ts'
import { FileBook } from './file-book.ts'
import { FolderPlace } from './folder-place.ts'
import { codeOf, folderTrouble, SUDDENLY_EMPTY_REASON } from './folder-trouble.ts'
import { HintedLooks } from './hinted-looks.ts'
import { HintedPaths } from './hinted-paths.ts'
import { openHints, type OpenHints } from './hints.ts'
import { KnownFolders } from './known-folders.ts'
import { LeaseKeeper } from './lease-keeper.ts'
import { NoteBoard } from './note-board.ts'
import { OpeningQueue } from './opening-queue.ts'
import { PlannedRun } from './planned-run.ts'
import { seeWalked } from './see-walked.ts'
import { pauseAfterSweepMs, SweepRota } from './sweep-rota.ts'
import { sweepThrough } from './sweep-through.ts'
import { inSlices, type Walked } from './walk-folder.ts'
import type { FileMark, KnownAs, SettledFile, StationName, WatchedFolder, WatchEvent } from './watcher.ts'

export type FolderWatchOptions = {
  readonly folder: WatchedFolder
  readonly clock: Clock
  readonly inspect: (path: string, look: FileLook) => Promise<Inspection>
  /** What these files, just as they are, were found to be before. One answer per file. */
  readonly areKnown: (files: readonly FileMark[]) => Promise<readonly KnownAs[]>
  readonly tell: (event: WatchEvent) => void
  /** Something was thrown over the content of a file, which was set aside; `error` is its class. */
  readonly onSetAside?: (error: string) => void
  /** Where hints come from; the operating system, unless it is said. */
  readonly openHints?: OpenHints
  /** A defect: what should never be thrown. The watch is not to be relied on after it. */
  readonly onDefect: (error: unknown) => void
}

/** A folder that is away is looked for at least so often. */
const LOOK_FOR_FOLDER_MS = 15 * SECOND
/** Hints may ask for many sweeps; they get one, and then a pause. */
const BETWEEN_HINTED_SWEEPS_MS = SECOND

export class FolderWatch {
  readonly #options: FolderWatchOptions
  readonly #book: FileBook
  readonly #queue: OpeningQueue
  readonly #hinted: HintedPaths
  readonly #looks: HintedLooks
  /** Null where a setting says that no lease is left in the folder. */
  readonly #lease: LeaseKeeper | null
  readonly #nextSweep: PlannedRun
  readonly #nextLooks: PlannedRun
  readonly #rota = new SweepRota()
  readonly #folders = new KnownFolders()
  readonly #place: FolderPlace
  #latestFolders: readonly string[] = []
  #sweeping: 'no' | 'yes' | 'again' = 'no'
  #isLooking = false
  #isClosed = false
  #sweepEndedMs = -Infinity
  /** The reason last told; null while the folder can be reached. */
  #trouble: string | null = null

  constructor(options: FolderWatchOptions) {
    this.#options = options
    const { folder, clock, tell } = options
    this.#place = new FolderPlace(folder.path)
    this.#lease = folder.lease === null ? null : this.#newLease(folder.lease)
    this.#queue = new OpeningQueue({
      inspect: (relativePath, look) => options.inspect(join(folder.path, relativePath), look),
      areKnown: options.areKnown,
      onOpened: (mark, found) => {
        if (found.kind === 'unreadable') options.onSetAside?.(found.error)
        this.#book.opened(mark, found)
        this.#planLooks()
      },
      onDefect: options.onDefect,
    })
    this.#book = new FileBook({
      folder,
      notes: new NoteBoard(folder.path, () => clock.now(), tell),
      monotonicMs: () => clock.monotonicMs(),
      // What is not handed on now is told again at the next sweep.
      tellSettled: (file) => {
        if (this.#lease?.mayTake() ?? true) tell({ kind: 'settled', file })
      },
      wantOpened: (mark) => this.#queue.add(mark),
    })
    this.#hinted = new HintedPaths({
      root: folder.path,
      clock,
      openHints: options.openHints ?? openHints,
      onPaths: (paths) => this.#runLooks(() => this.#looks.at(paths)),
      onFollowed: (followed) => this.#runLooks(() => this.#looks.forNews(followed)),
      onUnclear: () => this.#sweepSoon(),
    })
    this.#looks = new HintedLooks({
      root: folder.path,
      book: this.#book,
      folders: this.#folders,
      hinted: this.#hinted,
      isClosed: () => this.#isClosed,
      canReachFolder: () => this.#canReachFolder(),
    })
    this.#nextSweep = new PlannedRun(clock, () => this.sweep())
    this.#nextLooks = new PlannedRun(clock, () => this.#run(() => this.#lookAtDue()))
    this.sweep()
  }

  /** Sweeps now, or once more when the sweep that is going on has ended. */
  sweep(): void {
    if (this.#isClosed) return
    const isSweeping = this.#sweeping !== 'no'
    this.#sweeping = isSweeping ? 'again' : 'yes'
    if (!isSweeping) this.#run(() => this.#sweepAndPlan())
  }

  /** The intake has dealt with this very file. */
  acknowledge(file: SettledFile): void {
    this.#book.acknowledge(file)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#nextSweep.cancel()
    this.#nextLooks.cancel()
    this.#lease?.close()
    this.#queue.close()
    await this.#hinted.close()
  }

  #run(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.#options.onDefect(error))
  }

  /** Looks that a hint asked for; what they found may have to be looked at again. */
  #runLooks(look: () => Promise<void>): void {
    if (this.#isTaken()) return
    this.#run(async () => {
      await look()
      this.#planLooks()
    })
  }

  #newLease(station: StationName): LeaseKeeper {
    const { folder, clock, tell } = this.#options
    return new LeaseKeeper({
      root: folder.path,
      station,
      clock,
      isThere: () => !this.#place.isOnlyAPlace(),
      onGuard: (guard, hostName) => {
        if (guard === 'taken') this.#letAlone()
        tell({ kind: 'guard', folderPath: folder.path, guard, hostName })
      },
      onMayTake: () => this.sweep(),
      onAway: () => this.sweep(),
    })
  }

  /** Another station has the folder. */
  #letAlone(): void {
    this.#trouble = null
    this.#nextSweep.cancel()
    this.#nextLooks.cancel()
    this.#hinted.stopListening()
  }

  async #sweepAndPlan(): Promise<void> {
    this.#nextSweep.cancel()
    const before = process.threadCpuUsage()
    try {
      this.#lease?.look()
      // What the look found wants this very sweep, not another.
      this.#sweeping = 'yes'
      if (!this.#isTaken()) await this.#sweepOnce()
    } catch (error) {
      // An error of the file system is a folder in trouble; everything else is a defect.
      if (codeOf(error) === undefined) throw error
      this.#cannotReach(folderTrouble(error), codeOf(error))
    }
    if (this.#isClosed) return
    this.#sweepEndedMs = this.#options.clock.monotonicMs()
    const isWantedAgain = this.#sweeping === 'again'
    this.#sweeping = 'no'
    // The lease says when it is let go.
    if (this.#isTaken()) return
    this.#planLooks()
    const { sweepMs: setMs } = this.#options.folder
    const { user, system } = process.threadCpuUsage(before)
    const sweepMs = this.#rota.isLarge ? pauseAfterSweepMs(setMs, (user + system) / 1_000) : setMs
    if (isWantedAgain) this.sweep()
    else this.#nextSweep.within(this.#trouble === null ? sweepMs : Math.min(sweepMs, LOOK_FOR_FOLDER_MS))
  }

  async #sweepOnce(): Promise<void> {
    const { path } = this.#options.folder
    const identity = this.#place.identity()
    this.#hinted.listenTo(identity)
    this.#book.beginSweep()
    this.#folders.beginSweep()
    this.#rota.begin(this.#place.fileCount, this.#latestFolders)
    const look = await sweepThrough({
      root: path,
      book: this.#book,
      folders: this.#folders,
      rota: this.#rota,
      isStopped: () => this.#isClosed || this.#isTaken(),
      afterSlice: () => this.#planLooks(),
    })
    if (this.#isClosed || this.#isTaken()) return
    // A share that went away during the walk has shown less than there is.
    if (this.#place.identity() !== identity) return this.#sweepSoon()
    if (look === null) return this.#cannotReach(folderTrouble(null))
    const { fileCount, otherCount, unseen, latest } = look
    if (this.#place.isSuddenlyEmpty(identity, fileCount)) return this.#cannotReach(SUDDENLY_EMPTY_REASON)
    this.#place.seen(identity, fileCount)
    this.#book.endSweep(unseen)
    this.#folders.endSweep()
    this.#latestFolders = latest
    this.#looks.follow(latest)
    this.#trouble = null
    this.#options.tell({
      kind: 'swept',
      folderPath: path,
      at: this.#options.clock.now(),
      fileCount,
      otherCount,
    })
  }

  /** Looks at what is due. Stops when the folder itself is away: the sweep finds it again and goes on. */
  async #lookAtDue(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const looks = this.#looksAt(this.#book.due())
    for await (const slice of inSlices(looks, () => this.#isClosed || this.#trouble !== null)) {
      for (const walked of slice) seeWalked(this.#book, walked, false)
    }
    this.#isLooking = false
    this.#planLooks()
  }

  *#looksAt(paths: readonly string[]): Generator<Walked, void, void> {
    for (const path of paths) {
      const walked = this.#looks.lookAt(path)
      if (walked !== null) yield walked
    }
  }

  #isTaken(): boolean {
    return this.#lease?.isTaken() ?? false
  }

  #canReachFolder(): boolean {
    try {
      this.#place.identity()
      return true
    } catch (error) {
      if (codeOf(error) === undefined) throw error
      this.#cannotReach(folderTrouble(error), codeOf(error))
      return false
    }
  }

  /** `code` is that of the file system's error, if there was one. */
  #cannotReach(reason: string, code?: string): void {
    this.#hinted.stopListening()
    const { clock, folder, tell } = this.#options
    this.#nextSweep.within(Math.min(folder.sweepMs, LOOK_FOR_FOLDER_MS))
    if (this.#trouble === reason) return
    this.#trouble = reason
    tell({
      kind: 'unreachable',
      folderPath: folder.path,
      at: clock.now(),
      reason,
      ...(code !== undefined && { code }),
    })
  }

  #sweepSoon(): void {
    if (this.#isClosed || this.#isTaken()) return
    const sinceMs = this.#options.clock.monotonicMs() - this.#sweepEndedMs
    this.#nextSweep.within(Math.max(BETWEEN_HINTED_SWEEPS_MS - sinceMs, 0))
  }

  #planLooks(): void {
    const untilMs = this.#book.untilDueMs()
    if (this.#isClosed || this.#isLooking || this.#trouble !== null || untilMs === null || this.#isTaken())
      return
    this.#nextLooks.within(untilMs)
  }
}
