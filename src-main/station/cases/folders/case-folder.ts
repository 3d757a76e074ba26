/** One watched folder as the operator sees it: its health, its recent activity, and the files left aside. */
import { SECOND } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import type { FolderSettings } from '../../../../src-shared/folder-settings.ts'
import type { FileNote, FolderStatus } from '../../../../src-shared/station-status.ts'
import { worded, wordingOf } from '../../../../src-shared/wording.ts'
import { withParents } from '../../lib/files.ts'
import { ShareSilent } from '../../lib/schedule.ts'
import { ignoringStorageErrors } from '../../lib/storage-faults.ts'
import type { NoteChanges } from '../../outbox/unusable-files.ts'
import type { Outbox } from '../../outbox/outbox.ts'
import type { Clock } from '../../ports.ts'
import type { ForeignFiles } from '../../../reader/messages.ts'
import type {
  SettledFile,
  StationName,
  UnreachableReason,
  UnusableMark,
  WatchedFolder,
  Watcher,
  WatchEvent,
} from '../../../reader/watch-messages.ts'

export type CaseFolderOptions = {
  readonly outbox: Outbox
  readonly clock: Clock
  /** The holder of the lease that keeps other stations off the folders. */
  readonly station: StationName
  readonly openWatcher: (folder: WatchedFolder, onEvent: (event: WatchEvent) => void) => Watcher
  readonly onSettled: (folder: CaseFolder, file: SettledFile) => void
  readonly onUnusable: (folder: CaseFolder, file: UnusableMark) => void
  readonly onChanged: () => void
}

/** The status has only so many notes of a folder, the latest. */
const NOTES_IN_STATUS = 20
/** What a sweep notes is stored together, in commits of so many: each commit waits for the disk. */
const NOTES_PER_COMMIT = 200
const NOTE_DELAY_MS = 200
const NOTE_RETRY_MS = 30 * SECOND

export class CaseFolder {
  readonly #options: CaseFolderOptions
  #settings: FolderSettings
  #watcher: Watcher | null = null
  #isClosed = false
  readonly #status: Omit<FolderStatus, 'notes' | 'noteCounts'>
  #shownNotes: Pick<FolderStatus, 'notes' | 'noteCounts'> | null = null
  readonly #unsavedNotes = new Map<string, FileNote | null>()
  #isSavePlanned = false
  /** Whether any file has a note; null if that was not asked yet. */
  #hasNotes: boolean | null = null
  /** The files that were emitted and are neither acknowledged nor gone, each with the instant of that. */
  readonly #settled = new Map<string, { readonly file: SettledFile; readonly at: number; isNoted: boolean }>()

  constructor(settings: FolderSettings, options: CaseFolderOptions) {
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
    }
  }

  get settings(): FolderSettings {
    return this.#settings
  }

  /** How its files are opened; null while it is not watched. */
  get files(): ForeignFiles | null {
    return this.#watcher?.files ?? null
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
        if (!this.isThere(file)) this.#onNewVersion(file)
        this.#options.onSettled(this, file)
        return
      }
      case 'noted':
        this.#changeNotes([[event.note.fileName, event.note]])
        return
      case 'unusable':
        this.#options.onUnusable(this, event.file)
        return
      case 'noteCleared':
        this.#changeNotes([[event.fileName, null]])
        return
      case 'gone': {
        const gone = new Set(event.fileNames)
        for (const fileName of gone) this.#settled.delete(fileName)
        // With an archive, its entries are gone.
        const isGone = (fileName: string): boolean => withParents(fileName).some((name) => gone.has(name))
        this.#changeNotes(
          this.#notedFiles()
            .filter(isGone)
            .map((fileName) => [fileName, null]),
        )
        return
      }
      // If it cannot be stored now, the files are doubted again.
      case 'rewritten':
        ignoringStorageErrors(() => outbox.markRewritten(event.file, clock.now()))
        return
      case 'verified':
        ignoringStorageErrors(() => outbox.rememberSeen(event.files))
        return
      case 'swept':
        this.#status.lastSweepAt = clock.now()
        // What the watcher has not seen since it started may have gone meanwhile.
        if (this.#status.health !== 'watching') this.#watcher?.reportGone(this.#notedFiles())
        this.#setHealth('watching', null)
        return
      case 'guard':
        this.#onGuard(event.guard, event.hostName)
        return
      case 'unreachable':
        this.#setUnreachable(event.reason)
    }
  }

  #onGuard(guard: FolderStatus['guard'], hostName: string | null): void {
    const isNew = guard !== this.#status.guard
    this.#status.guard = guard
    if (guard === 'taken') {
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
    if (error instanceof ShareSilent) this.#setUnreachable('silent')
    else this.#setHealth('unreachable', failureOf('folderUnreachable'))
  }

  #setUnreachable(why: UnreachableReason): void {
    const message = worded('intake:folder.unreachable', {
      reason: wordingOf(`intake:watch.unreachable.${why}`),
    })
    this.#setHealth('unreachable', failureOf('folderUnreachable', message))
  }

  /** Notes what became of a file, in place of an earlier note, at once: the same commit may say that it was dealt with. */
  note(note: FileNote): void {
    this.#unsavedNotes.delete(note.fileName)
    this.#store(new Map([[note.fileName, note]]))
  }

  /** Notes what a sweep found of files (null: nothing any more), soon. */
  #changeNotes(changes: Iterable<readonly [string, FileNote | null]>): void {
    for (const [fileName, note] of changes) this.#unsavedNotes.set(fileName, note)
    if (this.#unsavedNotes.size > 0) this.#planSave(NOTE_DELAY_MS)
  }

  #planSave(delayMs: number): void {
    if (this.#isSavePlanned) return
    this.#isSavePlanned = true
    this.#options.clock.after(delayMs, () => {
      this.#isSavePlanned = false
      const isSaved = this.saveNotes()
      if (this.#unsavedNotes.size > 0) this.#planSave(isSaved ? 0 : NOTE_RETRY_MS)
    })
  }

  /** Stores what was noted so far; false if that cannot be now. Of very many, the rest follows. */
  saveNotes(): boolean {
    const batch = new Map([...this.#unsavedNotes].slice(0, NOTES_PER_COMMIT))
    if (batch.size === 0) return true
    const isSaved = this.#store(batch)
    if (isSaved) for (const fileName of batch.keys()) this.#unsavedNotes.delete(fileName)
    return isSaved
  }

  #store(changes: NoteChanges): boolean {
    const { outbox } = this.#options
    const hasChanged = ignoringStorageErrors(() => outbox.saveNotes(this.#settings.path, changes))
    this.#hasNotes = null
    if (hasChanged === undefined) return false
    if (hasChanged) this.#onNotesChanged()
    for (const [fileName, note] of changes) {
      const settled = note === null ? undefined : this.#settled.get(fileName)
      if (settled) settled.isNoted = true
    }
    return true
  }

  #notedFiles(): readonly string[] {
    const stored = ignoringStorageErrors(() => this.#options.outbox.notedFiles(this.#settings.path))
    return [...(stored ?? []), ...this.#unsavedNotes.keys()]
  }

  #onNewVersion(file: SettledFile): void {
    const { outbox, clock } = this.#options
    this.#unsavedNotes.delete(file.relativePath)
    this.#hasNotes ??= ignoringStorageErrors(() => outbox.hasNotes(file.folderPath)) ?? null
    const notes =
      this.#hasNotes === false ? 'none' : (ignoringStorageErrors(() => outbox.forgetNotes(file)) ?? 'kept')
    this.#settled.set(file.relativePath, { file, at: clock.now(), isNoted: notes === 'kept' })
    if (notes === 'forgotten') this.#onNotesChanged()
  }

  #onNotesChanged(): void {
    this.#shownNotes = null
    this.#options.onChanged()
  }

  /** The file was dealt with, and nothing was noted of it then: what was noted while it waited is over. */
  clearNote({ relativePath }: Pick<SettledFile, 'relativePath'>): void {
    this.#unsavedNotes.delete(relativePath)
    if (this.#settled.get(relativePath)?.isNoted !== false) this.#store(new Map([[relativePath, null]]))
  }

  acknowledge(file: SettledFile): void {
    this.#watcher?.acknowledge(file)
    if (file.content !== 'sidecar') this.#status.lastImageAt = this.#options.clock.now()
    if (this.isThere(file)) this.#settled.delete(file.relativePath)
  }

  /** When exactly this file was first emitted; undefined once it is acknowledged or gone. */
  firstSeenAt(file: SettledFile): number | undefined {
    return this.#waiting(file)?.at
  }

  /** False once this file is acknowledged, gone, or written over: a note about it would never be withdrawn. */
  isThere(file: SettledFile): boolean {
    return this.#waiting(file) !== undefined
  }

  #waiting({ relativePath, sizeBytes, mtimeMs }: SettledFile) {
    const waiting = this.#settled.get(relativePath)
    return waiting?.file.sizeBytes === sizeBytes && waiting.file.mtimeMs === mtimeMs ? waiting : undefined
  }

  /** False if the folder was removed or paused meanwhile, or another station holds it. */
  isAccepting(): boolean {
    return !this.#isClosed && this.#status.guard !== 'taken'
  }

  sweep(): void {
    this.#watcher?.sweep()
  }

  /** Reads a file once more that has not changed. */
  readAgain(fileName: string): void {
    this.#watcher?.readAgain([fileName])
  }

  /** `existingCount` is the number of files that wait for the decision on existing files. */
  status(existingCount: number): FolderStatus {
    const { health } = this.#status
    const isAsking = existingCount > 0 && (health === 'starting' || health === 'watching')
    return { ...this.#status, ...this.#notes(), health: isAsking ? 'asking' : health, existingCount }
  }

  #notes(): Pick<FolderStatus, 'notes' | 'noteCounts'> {
    this.saveNotes()
    const { outbox } = this.#options
    const { path } = this.#settings
    this.#shownNotes ??=
      ignoringStorageErrors(() => ({
        notes: outbox.newestNotes(path, NOTES_IN_STATUS),
        noteCounts: outbox.countNotes(path),
      })) ?? null
    return this.#shownNotes ?? { notes: [], noteCounts: {} }
  }

  /** Reports nothing more, and releases the folder. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#watcher?.close()
  }
}
