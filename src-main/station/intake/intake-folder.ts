/** One watched folder as the operator sees it: its health, its recent activity, and the files left aside. */
import { SECOND } from '../../../src-shared/durations.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { FolderSettings } from '../../../src-shared/folder-settings.ts'
import type { FileNote, FolderStatus } from '../../../src-shared/station-status.ts'
import { type Message, worded } from '../../../src-shared/wording.ts'
import type { Clock } from '../ports.ts'
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

export type IntakeFolderOptions = {
  readonly settings: FolderSettings
  readonly clock: Clock
  /** The holder of the lease that keeps other stations off the folder. */
  readonly station: StationName
  readonly openWatcher: (folder: WatchedFolder, onEvent: (event: WatchEvent) => void) => Watcher
  readonly onSettled: (folder: IntakeFolder, file: SettledFile) => void
  readonly onChanged: () => void
}

export class IntakeFolder {
  readonly #options: IntakeFolderOptions
  #settings: FolderSettings
  #watcher: Watcher | null = null
  #phase: 'open' | 'closed' = 'open'
  #health: FolderStatus['health']
  #guard: FolderStatus['guard']
  #since: number
  #lastSweepAt: number | null = null
  #lastImageAt: number | null = null
  #failure: FolderStatus['failure'] = null
  #notes: FileNote[] = []
  /** When each file now being ingested was first emitted; an earlier note concerns an older version of it. */
  readonly #settledAt = new Map<string, number>()

  constructor(options: IntakeFolderOptions) {
    this.#settings = options.settings
    this.#options = options
    this.#since = options.clock.now()
    this.#health = options.settings.watching === 'paused' ? 'paused' : 'starting'
    this.#guard = options.settings.lease === 'off' ? 'off' : 'unguarded'
  }

  get settings(): FolderSettings {
    return this.#settings
  }

  /** Applies changed settings if the watcher can go on as it is; false if it must be restarted. */
  adopt(settings: FolderSettings): boolean {
    if (!isSameWatch(this.#settings, settings)) return false
    this.#settings = settings
    return true
  }

  /** Starts watching, once. A folder that was closed or paused meanwhile is not opened. */
  open(): void {
    const { settleSeconds, sweepSeconds, path, lease, watching } = this.#settings
    if (this.#phase === 'closed' || this.#watcher !== null || watching === 'paused') return
    const folder: WatchedFolder = {
      path,
      settleMs: settleSeconds * SECOND,
      sweepMs: sweepSeconds * SECOND,
      lease: lease === 'on' ? this.#options.station : null,
    }
    this.#watcher = this.#options.openWatcher(folder, (event) => {
      // Files in progress when the folder was closed are no longer ingested.
      if (this.#phase === 'open') this.#onWatchEvent(event)
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
        this.#lastSweepAt = event.at
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
    const isNew = guard !== this.#guard
    this.#guard = guard
    if (guard === 'taken') {
      this.#notes = []
      this.#setHealth('taken', failureOf('folderTaken', takenMessage(hostName)))
    } else if (this.#health === 'taken') this.#setHealth('starting', null)
    else if (isNew) this.#options.onChanged()
  }

  #setHealth(health: FolderStatus['health'], failure: FolderStatus['failure']): void {
    const isNewHealth = this.#health !== health
    const isNew = isNewHealth || this.#failure?.message !== failure?.message
    if (isNewHealth) this.#since = this.#options.clock.now()
    this.#health = health
    this.#failure = failure
    if (isNew) this.#options.onChanged()
  }

  /** Marks the folder as unreachable before its files were listed. */
  markUnlistable(): void {
    this.#setHealth('unreachable', failureOf('folderUnreachable'))
  }

  /** The newest note on a file replaces the earlier one. */
  note(note: FileNote): void {
    this.#notes = [note, ...this.#notes.filter((other) => other.fileName !== note.fileName)].slice(
      0,
      MAX_NOTES,
    )
    this.#options.onChanged()
  }

  acknowledge(file: SettledFile): void {
    this.#watcher?.acknowledge(file)
    if (file.content !== 'sidecar') this.#lastImageAt = this.#options.clock.now()
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
    const left = this.#notes.filter((note) => !isOver(note))
    if (left.length === this.#notes.length) return
    this.#notes = left
    this.#options.onChanged()
  }

  /**
   * Whether its files are ingested. Not if the folder was removed or paused meanwhile, or another station holds it.
   */
  isAccepting(): boolean {
    return this.#phase === 'open' && this.#guard !== 'taken'
  }

  sweep(): void {
    this.#watcher?.sweep(this.#settings.path)
  }

  /** `existingCount` is the number of files that wait for the decision on existing files. */
  status(existingCount: number): FolderStatus {
    return {
      path: this.#settings.path,
      health: existingCount > 0 && HEALTH_BEFORE_ASKING.includes(this.#health) ? 'asking' : this.#health,
      since: this.#since,
      lastSweepAt: this.#lastSweepAt,
      lastImageAt: this.#lastImageAt,
      guard: this.#guard,
      existingCount,
      failure: this.#failure,
      notes: this.#notes,
    }
  }

  /** Reports nothing more, and releases the folder. */
  async close(): Promise<void> {
    this.#phase = 'closed'
    await this.#watcher?.close()
  }
}

/** The status of a folder that only waits for the decision on existing files. */
const HEALTH_BEFORE_ASKING: readonly FolderStatus['health'][] = ['starting', 'watching']

function isSameWatch(one: FolderSettings, other: FolderSettings): boolean {
  return (
    one.path === other.path &&
    one.watching === other.watching &&
    one.settleSeconds === other.settleSeconds &&
    one.sweepSeconds === other.sweepSeconds &&
    one.lease === other.lease
  )
}

function takenMessage(host: string | null): Message {
  return host === null ? worded('intake:folder.takenByOther') : worded('intake:folder.takenBy', { host })
}

/** Notes something about a file beside its folder. */
export function noteFor(
  context: { readonly clock: Clock; readonly note: (folderPath: string, note: FileNote) => void },
  { folderPath, relativePath: fileName }: Pick<FileMark, 'folderPath' | 'relativePath'>,
): (kind: FileNote['kind'], what: Message) => void {
  const at = context.clock.now()
  return (kind, { message, wording }) =>
    context.note(folderPath, { fileName, kind, message, ...(wording && { wording }), at })
}
