/**
 * The watched folders: opened, changed and closed one by one, so that a change of one does not disturb another. Each
 * has its health, its recent activity, and the files left aside, as the operator sees them.
 */
import { SECOND } from '../../../src-shared/durations.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { FolderSettings } from '../../../src-shared/folder-settings.ts'
import type { FileNote, FolderStatus } from '../../../src-shared/station-status.ts'
import { worded } from '../../../src-shared/wording.ts'
import { diskCodeOf } from '../lib/files.ts'
import { serially } from '../lib/schedule.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Clock, Logger } from '../ports.ts'
import type {
  FileMark,
  SettledFile,
  StationName,
  WatchedFolder,
  Watcher,
  WatchEvent,
} from '../watch/watch.ts'

/** Only the latest notes of a folder are listed. */
const MAX_NOTES = 50

export class IntakeFolder {
  readonly #options: WatchedFoldersOptions
  #settings: FolderSettings
  #watcher: Watcher | null = null
  #isClosed = false
  readonly #status: FolderStatus
  /** When each file now being ingested was first emitted; an earlier note concerns an older version of it. */
  readonly #settledAt = new Map<string, number>()

  constructor(settings: FolderSettings, options: WatchedFoldersOptions) {
    this.#settings = settings
    this.#options = options
    this.#status = {
      path: settings.path,
      health: settings.watching === 'paused' ? 'paused' : 'starting',
      since: options.clock.now(),
      lastSweepAt: null,
      lastImageAt: null,
      guard: settings.lease === 'off' ? 'off' : 'unguarded',
      existingCount: 0,
      failure: null,
      notes: [],
    }
  }

  get settings(): FolderSettings {
    return this.#settings
  }

  /** Applies changed settings if the watcher can go on as it is; false if it must be restarted. */
  adopt(settings: FolderSettings): boolean {
    const watched = ['path', 'watching', 'settleSeconds', 'sweepSeconds', 'lease'] as const
    const isSame = watched.every((name) => this.#settings[name] === settings[name])
    if (isSame) this.#settings = settings
    return isSame
  }

  /** Starts watching, once. A folder that was closed or paused meanwhile is not opened. */
  open(): void {
    const { settleSeconds, sweepSeconds, path, lease, watching } = this.#settings
    if (this.#isClosed || this.#watcher !== null || watching === 'paused') return
    const folder = {
      path,
      settleMs: settleSeconds * SECOND,
      sweepMs: sweepSeconds * SECOND,
      lease: lease === 'on' ? this.#options.station : null,
    }
    this.#watcher = this.#options.openWatcher(folder, (event) => {
      // Files in progress when the folder was closed are no longer ingested.
      if (!this.#isClosed) this.#onWatchEvent(event)
    })
  }

  #onWatchEvent(event: WatchEvent): void {
    switch (event.kind) {
      case 'settled': {
        const { relativePath } = event.file
        if (!this.#settledAt.has(relativePath)) this.#settledAt.set(relativePath, this.#options.clock.now())
        this.#options.onSettled(this, event.file)
        return
      }
      case 'noted':
        this.note(event.note)
        return
      case 'noteCleared':
        this.#clearNotes((note) => note.fileName === event.fileName)
        return
      case 'swept':
        this.#status.lastSweepAt = event.at
        this.#setHealth('watching', null)
        return
      case 'guard':
        this.#onGuard(event.guard, event.hostName)
        return
      case 'unreachable':
        this.#setHealth(
          'unreachable',
          failureOf('folderUnreachable', worded('intake:folder.unreachable', { reason: event.reason })),
        )
    }
  }

  #onGuard(guard: FolderStatus['guard'], hostName: string | null): void {
    const isNew = guard !== this.#status.guard
    this.#status.guard = guard
    if (guard === 'taken') {
      this.#status.notes = []
      const message =
        hostName === null
          ? worded('intake:folder.takenByOther')
          : worded('intake:folder.takenBy', { host: hostName })
      this.#setHealth('taken', failureOf('folderTaken', message))
    } else if (this.#status.health === 'taken') this.#setHealth('starting', null)
    else if (isNew) this.#options.onChanged()
  }

  #setHealth(health: FolderStatus['health'], failure: FolderStatus['failure']): void {
    const isNewHealth = this.#status.health !== health
    const isNew = isNewHealth || this.#status.failure?.message !== failure?.message
    if (isNewHealth) this.#status.since = this.#options.clock.now()
    this.#status.health = health
    this.#status.failure = failure
    if (isNew) this.#options.onChanged()
  }

  /** Marks the folder as unreachable before its files were listed. */
  markUnlistable(): void {
    this.#setHealth('unreachable', failureOf('folderUnreachable'))
  }

  /** The newest note on a file replaces the earlier one. */
  note(note: FileNote): void {
    const others = this.#status.notes.filter((other) => other.fileName !== note.fileName)
    this.#status.notes = [note, ...others].slice(0, MAX_NOTES)
    this.#options.onChanged()
  }

  acknowledge(file: SettledFile): void {
    this.#watcher?.acknowledge(file)
    if (file.content !== 'sidecar') this.#status.lastImageAt = this.#options.clock.now()
    const settledAt = this.#settledAt.get(file.relativePath) ?? -Infinity
    this.#settledAt.delete(file.relativePath)
    // Notes from after it became an image or a duplicate stay; earlier ones no longer hold.
    this.#clearNotes(
      (note) =>
        note.fileName === file.relativePath &&
        (note.kind === 'arriving' ||
          note.kind === 'truncated' ||
          (note.kind === 'unreadable' && note.at < settledAt)),
    )
  }

  #clearNotes(isOver: (note: FileNote) => boolean): void {
    const left = this.#status.notes.filter((note) => !isOver(note))
    if (left.length === this.#status.notes.length) return
    this.#status.notes = left
    this.#options.onChanged()
  }

  /** False if the folder was removed or paused meanwhile, or another station holds it. */
  isAccepting(): boolean {
    return !this.#isClosed && this.#status.guard !== 'taken'
  }

  sweep(): void {
    this.#watcher?.sweep(this.#settings.path)
  }

  /** `existingCount` is the number of files that wait for the decision on existing files. */
  status(existingCount: number): FolderStatus {
    const { health } = this.#status
    const isAsking = existingCount > 0 && (health === 'starting' || health === 'watching')
    return { ...this.#status, health: isAsking ? 'asking' : health, existingCount }
  }

  /** Reports nothing more, and releases the folder. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#watcher?.close()
  }
}

/** The fact of the outbox that holds the decision on the files that existed in each folder before. */
const DECISIONS_FACT = 'existing'

/**
 * What happens to files that existed in a folder before the station first watched it.
 *
 * - `include`, `ignore`  take all of them, or none
 * - `since`              take those last changed on a day or later
 * - `ask`                take none until a person has decided
 */
export type ExistingDecision =
  | { readonly kind: 'include' | 'ignore' | 'ask' }
  /** `since` is a calendar day, YYYY-MM-DD. */
  | { readonly kind: 'since'; readonly since: string }

/** The decision in the settings of a folder, else `byDefault`. A missing day leads to `ask`. */
export function existingDecisionOf(
  { existing, existingSince }: Pick<FolderSettings, 'existing' | 'existingSince'>,
  byDefault: 'ask' | 'include',
): ExistingDecision {
  const kind = existing ?? byDefault
  if (kind !== 'since') return { kind }
  return existingSince === undefined ? { kind: 'ask' } : { kind, since: existingSince }
}

/** The earliest modification time, epoch milliseconds, of files to take; a day begins at local midnight. */
export function includeFromMs(decision: ExistingDecision): number {
  switch (decision.kind) {
    case 'include':
      return -Infinity
    case 'ignore':
    case 'ask':
      return Infinity
    case 'since': {
      const [year = 0, month = 1, date = 1] = decision.since.split('-').map(Number)
      return new Date(year, month - 1, date).getTime()
    }
  }
}

/** Old files per commit: short enough for the thread, few enough for the disk. */
const MARKS_PER_COMMIT = 200

/** A share that is unreachable at the start is retried as often as one that disconnects later. */
const LIST_RETRY_MS = 15 * SECOND

/** A change of folders is answered after this time, even while a slow share is still being listed. */
const OPEN_TIMEOUT_MS = 2 * SECOND

export type WatchedFoldersOptions = {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly logger: Logger
  /** The holder of the lease that keeps other stations off the folders. */
  readonly station: StationName
  readonly openWatcher: (folder: WatchedFolder, onEvent: (event: WatchEvent) => void) => Watcher
  /** Every file in the folder now, of any kind. */
  readonly listFiles: (folderPath: string) => AsyncIterable<FileMark>
  /** The decision on existing files if the folder does not state one. */
  readonly existingByDefault: 'ask' | 'include'
  readonly onSettled: (folder: IntakeFolder, file: SettledFile) => void
  readonly onChanged: () => void
}

/** The existing files that were not taken; times are epoch milliseconds. */
export type ExistingCount = {
  readonly count: number
  readonly sinceCount: number | null
  readonly oldestAt: number | null
  readonly newestAt: number | null
}

export class WatchedFolders {
  readonly #options: WatchedFoldersOptions
  #folders: IntakeFolder[] = []
  /** Cancels the next attempt to list a folder. */
  readonly #retries = new Map<IntakeFolder, () => void>()
  /** How many files of a folder wait for a decision; counted once, because the status is read often. */
  readonly #existingCounts = new Map<string, number>()
  /** Two concurrent changes would leave orphaned watchers. */
  readonly #inTurn = serially()

  constructor(options: WatchedFoldersOptions) {
    this.#options = options
  }

  /** Watches these folders from now on, and no others. Unchanged ones are not disturbed. */
  async watch(wanted: readonly FolderSettings[]): Promise<void> {
    const unique = [...new Map(wanted.map((settings) => [settings.path, settings])).values()]
    const fresh = await this.#inTurn(async () => {
      const before = new Map(this.#folders.map((folder) => [folder.settings.path, folder]))
      const unchanged = new Map<string, IntakeFolder>()
      for (const settings of unique) {
        const folder = before.get(settings.path)
        // Files to be taken after all are checked again.
        if (folder && !this.#applySettingsDecision(settings) && folder.adopt(settings))
          unchanged.set(settings.path, folder)
      }
      await this.#close(this.#folders.filter((folder) => unchanged.get(folder.settings.path) !== folder))
      this.#folders = unique.map(
        (settings) => unchanged.get(settings.path) ?? new IntakeFolder(settings, this.#options),
      )
      return this.#folders.filter((folder) => !unchanged.has(folder.settings.path))
    })
    await this.#open(fresh)
  }

  /** Checks every file again, including those that were dealt with and forgotten since. */
  async rescan(): Promise<void> {
    await this.#restart(() => true)
  }

  status(): FolderStatus[] {
    return this.#folders.map((folder) => folder.status(this.#existingCount(folder.settings.path)))
  }

  sweepNow(): void {
    for (const folder of this.#folders) folder.sweep()
  }

  /** How many files existed before and were not taken; null for a folder that is not watched. */
  countExisting(folderPath: string, since: string | undefined): ExistingCount | null {
    if (!this.#isWatched(folderPath)) return null
    const { outbox } = this.#options
    const { count, oldestMs, newestMs } = outbox.files.summariseIgnored(folderPath, -Infinity)
    const fromMs = since === undefined ? null : includeFromMs({ kind: 'since', since })
    const sinceCount = fromMs === null ? null : outbox.files.summariseIgnored(folderPath, fromMs).count
    return { count, sinceCount, oldestAt: oldestMs, newestAt: newestMs }
  }

  /** Takes or ignores the files that existed before the first start; false for a folder that is not watched. */
  async decideExisting(folderPath: string, decision: ExistingDecision): Promise<boolean> {
    if (!this.#isWatched(folderPath)) return false
    if (this.#recordDecision(folderPath, decision))
      await this.#restart((folder) => folder.settings.path === folderPath)
    this.#options.onChanged()
    return true
  }

  async close(): Promise<void> {
    // Not queued: a hanging share must not keep the station from closing.
    const folders = this.#folders
    this.#folders = []
    await this.#close(folders)
  }

  #isWatched(folderPath: string): boolean {
    return this.#folders.some((folder) => folder.settings.path === folderPath)
  }

  #existingCount(folderPath: string): number {
    if (this.#decisionOf(folderPath) !== 'ask') return 0
    const count =
      this.#existingCounts.get(folderPath) ??
      this.#options.outbox.files.summariseIgnored(folderPath, -Infinity).count
    this.#existingCounts.set(folderPath, count)
    return count
  }

  async #close(folders: readonly IntakeFolder[]): Promise<void> {
    for (const folder of folders) {
      this.#retries.get(folder)?.()
      this.#retries.delete(folder)
    }
    await Promise.all(folders.map((folder) => folder.close()))
  }

  async #restart(isMeant: (folder: IntakeFolder) => boolean): Promise<void> {
    const fresh = await this.#inTurn(async () => {
      const meant = new Set(this.#folders.filter(isMeant))
      await this.#close([...meant])
      const renewed = new Map(
        [...meant].map((folder) => [folder, new IntakeFolder(folder.settings, this.#options)]),
      )
      this.#folders = this.#folders.map((folder) => renewed.get(folder) ?? folder)
      return [...renewed.values()]
    })
    await this.#open(fresh)
  }

  async #open(folders: readonly IntakeFolder[]): Promise<void> {
    this.#options.onChanged()
    const opened = Promise.all(folders.map((folder) => this.#openOne(folder)))
    const patience = Promise.withResolvers<void>()
    const cancel = this.#options.clock.after(OPEN_TIMEOUT_MS, patience.resolve)
    await Promise.race([opened, patience.promise])
    cancel()
    this.#options.onChanged()
  }

  /**
   * Opens a folder once the decision on its existing files is applied. A folder that cannot be listed yet is retried:
   * opened undecided, its old exports would pass for new ones when it comes back.
   */
  async #openOne(folder: IntakeFolder): Promise<void> {
    // The folder may have been removed meanwhile.
    if (!this.#folders.includes(folder) || folder.settings.watching === 'paused') return
    try {
      await this.#settleExisting(folder)
    } catch (error) {
      if (!this.#folders.includes(folder)) return
      this.#options.logger.warn('a folder cannot be listed', {
        error: error instanceof Error ? error.name : 'unknown',
        code: diskCodeOf(error),
      })
      folder.markUnlistable()
      const again = (): void => void this.#openOne(folder)
      this.#retries.set(folder, this.#options.clock.after(LIST_RETRY_MS, again))
      return
    }
    this.#retries.delete(folder)
    if (this.#folders.includes(folder)) folder.open()
  }

  /** On the first start of a folder: takes or ignores the existing files, or leaves them for a person's decision. */
  async #settleExisting(folder: IntakeFolder): Promise<void> {
    const { settings } = folder
    if (this.#decisionOf(settings.path) !== undefined) {
      this.#applySettingsDecision(settings)
      return
    }
    const { outbox, clock, listFiles, existingByDefault } = this.#options
    const decision = existingDecisionOf(settings, existingByDefault)
    const fromMs = includeFromMs(decision)
    if (decision.kind !== 'include') {
      let batch: FileMark[] = []
      const mark = (): void => {
        outbox.write(() => {
          for (const file of batch) outbox.files.markSeen(file, 'ignored', null, clock.now())
        })
        batch = []
      }
      for await (const file of listFiles(settings.path)) {
        if (!this.#folders.includes(folder)) return
        if (file.mtimeMs < fromMs && batch.push(file) === MARKS_PER_COMMIT) mark()
      }
      mark()
    }
    this.#decide(settings.path, decision.kind)
  }

  /** Applies a decision made in the settings instead of the answer to the question; true if it takes files. */
  #applySettingsDecision(settings: FolderSettings): boolean {
    const { existing, path } = settings
    if (existing === undefined || existing === 'ask' || this.#decisionOf(path) !== 'ask') return false
    return this.#recordDecision(path, existingDecisionOf(settings, 'ask'))
  }

  /** Stores a decision; true if it takes files that were not taken before. */
  #recordDecision(folderPath: string, decision: ExistingDecision): boolean {
    this.#decide(folderPath, decision.kind)
    const fromMs = includeFromMs(decision)
    if (fromMs === Infinity) return false
    this.#options.outbox.files.forgetIgnoredSince(folderPath, fromMs)
    return true
  }

  #decisions(): Record<string, string> {
    return JSON.parse(this.#options.outbox.facts.read(DECISIONS_FACT) ?? '{}') as Record<string, string>
  }

  /** The decision for a folder: `ask` while a person has yet to decide, undefined before its first start. */
  #decisionOf(folderPath: string): string | undefined {
    const decisions = this.#decisions()
    return Object.hasOwn(decisions, folderPath) ? decisions[folderPath] : undefined
  }

  #decide(folderPath: string, decision: ExistingDecision['kind']): void {
    const decisions = { ...this.#decisions(), [folderPath]: decision }
    this.#options.outbox.facts.write(DECISIONS_FACT, JSON.stringify(decisions))
    this.#existingCounts.delete(folderPath)
  }
}
