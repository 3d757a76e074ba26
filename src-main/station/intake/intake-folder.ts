/** One watched folder as the operator sees it: its health, its recent activity, and the files left aside. */
import { SECOND } from '../../../src-shared/durations.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { FolderSettings } from '../../../src-shared/folder-settings.ts'
import type { FileNote, FolderStatus } from '../../../src-shared/station-status.ts'
import { worded, wordingOf } from '../../../src-shared/wording.ts'
import { ShareSilent } from '../lib/schedule.ts'
import { ignoringStorageErrors } from '../lib/storage-faults.ts'
import type { Outbox } from '../outbox/outbox.ts'
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
  readonly outbox: Pick<Outbox, 'files'>
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
  /** The files that were emitted and are neither acknowledged nor gone, each with the instant of that. */
  readonly #settled = new Map<string, { readonly file: SettledFile; readonly at: number }>()

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
    const { outbox, clock } = this.#options
    switch (event.kind) {
      case 'settled': {
        const { file } = event
        if (!this.isThere(file)) this.#settled.set(file.relativePath, { file, at: clock.now() })
        this.#options.onSettled(this, file)
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
      case 'gone': {
        const gone = new Set(event.fileNames)
        for (const fileName of gone) this.#settled.delete(fileName)
        // With an archive, its entries are gone.
        this.#clearNotes(({ fileName }) => withParents(fileName).some((name) => gone.has(name)))
        return
      }
      // If it cannot be stored now, the files are doubted again.
      case 'rewritten':
        ignoringStorageErrors(() => outbox.files.markRewritten(event.file, clock.now()))
        return
      case 'verified':
        ignoringStorageErrors(() => outbox.files.rememberSeen(event.files))
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
  markUnlistable(error: unknown): void {
    const reason = wordingOf('intake:watch.unreachable.silent')
    const message = worded('intake:folder.unreachable', { reason })
    const isSilent = error instanceof ShareSilent
    this.#setHealth('unreachable', failureOf('folderUnreachable', isSilent ? message : undefined))
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
    const settledAt = this.firstSeenAt(file) ?? -Infinity
    if (this.isThere(file)) this.#settled.delete(file.relativePath)
    // Notes from after it became an image or a duplicate stay; earlier ones no longer hold.
    this.#clearNotes(
      (note) =>
        note.fileName === file.relativePath &&
        (note.kind === 'arriving' ||
          note.kind === 'truncated' ||
          note.wording?.key === 'intake:ingest.notNow' ||
          (note.kind === 'unreadable' && note.at < settledAt)),
    )
  }

  #clearNotes(isOver: (note: FileNote) => boolean): void {
    const left = this.#status.notes.filter((note) => !isOver(note))
    if (left.length === this.#status.notes.length) return
    this.#status.notes = left
    this.#options.onChanged()
  }

  /** When exactly this file was first emitted; undefined once it is acknowledged or gone. */
  firstSeenAt(file: SettledFile): number | undefined {
    return this.isThere(file) ? this.#settled.get(file.relativePath)?.at : undefined
  }

  /** False once this file is acknowledged, gone, or written over: a note about it would never be withdrawn. */
  isThere({ relativePath, sizeBytes, mtimeMs }: SettledFile): boolean {
    const file = this.#settled.get(relativePath)?.file
    return file?.sizeBytes === sizeBytes && file.mtimeMs === mtimeMs
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

/** A path inside the folder, and the folders and archives that it lies in. */
function withParents(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
