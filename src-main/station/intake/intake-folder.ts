/** One watched folder as the operator sees it: its health, its recent activity, and the files left aside. */
import { SECOND } from '../../../src-shared/durations.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { FolderSettings } from '../../../src-shared/folder-settings.ts'
import type { FileNote, FolderStatus } from '../../../src-shared/station-status.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { Clock } from '../ports.ts'
import type {
  SettledFile,
  StationName,
  UnusableMark,
  WatchedFolder,
  Watcher,
  WatchEvent,
} from '../watch/watch.ts'

export type IntakeFolderOptions = {
  readonly clock: Clock
  /** The holder of the lease that keeps other stations off the folders. */
  readonly station: StationName
  readonly openWatcher: (folder: WatchedFolder, onEvent: (event: WatchEvent) => void) => Watcher
  readonly onSettled: (folder: IntakeFolder, file: SettledFile) => void
  readonly onUnusable: (folder: IntakeFolder, file: UnusableMark) => void
  readonly onChanged: () => void
}

/** Only the latest notes of a folder are listed. */
const MAX_NOTES = 50

export class IntakeFolder {
  readonly #options: IntakeFolderOptions
  #settings: FolderSettings
  #watcher: Watcher | null = null
  #isClosed = false
  readonly #status: FolderStatus
  /** When each file now being ingested was first emitted; an earlier note concerns an older version of it. */
  readonly #settledAt = new Map<string, number>()

  constructor(settings: FolderSettings, options: IntakeFolderOptions) {
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
      case 'unusable':
        this.#options.onUnusable(this, event.file)
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

  /** When this file was first emitted, in whatever version. */
  firstSeenAt({ relativePath }: SettledFile): number | undefined {
    return this.#settledAt.get(relativePath)
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
