/** One folder as the operator sees it: its health, its last signs of life, and the files that were left aside. */
import { SECOND } from '../../../src-shared/durations.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { FolderSettings } from '../../../src-shared/settings.ts'
import type { FileNote, FolderStatus } from '../../../src-shared/station-status.ts'
import type { Clock } from '../ports.ts'
import type { SettledFile, WatchedFolder, Watcher, WatchEvent } from '../watch/watcher.ts'

/** Notes are for a glance: the latest of a folder. */
const NOTES_PER_FOLDER = 50

export type FolderOptions = {
  readonly settings: FolderSettings
  readonly clock: Clock
  readonly openWatcher: (folder: WatchedFolder, onEvent: (event: WatchEvent) => void) => Watcher
  readonly onSettled: (folder: IntakeFolder, file: SettledFile) => void
  readonly onChanged: () => void
}

export class IntakeFolder {
  readonly settings: FolderSettings
  readonly #options: FolderOptions
  #watcher: Watcher | null = null
  #health: FolderStatus['health'] = 'starting'
  #since: number
  #lastSweepAt: number | null = null
  #lastImageAt: number | null = null
  #failure: FolderStatus['failure'] = null
  #notes: FileNote[] = []

  constructor(options: FolderOptions) {
    this.settings = options.settings
    this.#options = options
    this.#since = options.clock.now()
  }

  open(): void {
    const { settleSeconds, sweepSeconds, path } = this.settings
    this.#watcher = this.#options.openWatcher(
      { path, settleMs: settleSeconds * SECOND, sweepMs: sweepSeconds * SECOND },
      (event) => this.#hear(event),
    )
  }

  #hear(event: WatchEvent): void {
    switch (event.kind) {
      case 'settled':
        this.#options.onSettled(this, event.file)
        return
      case 'noted':
        this.note(event.note)
        return
      case 'noteCleared':
        this.#clear((note) => note.fileName === event.fileName)
        return
      case 'swept':
        this.#lastSweepAt = event.at
        this.#turn('watching', null)
        return
      case 'unreachable':
        this.#turn(
          'unreachable',
          failureOf('folderUnreachable', {
            message: `${failureOf('folderUnreachable').message} (${event.reason})`,
          }),
        )
    }
  }

  #turn(health: FolderStatus['health'], failure: FolderStatus['failure']): void {
    const isNew = this.#health !== health
    if (isNew) this.#since = this.#options.clock.now()
    this.#health = health
    this.#failure = failure
    if (isNew) this.#options.onChanged()
  }

  /** The folder is away, and what lies there is not known yet. */
  cannotBeListed(): void {
    this.#turn('unreachable', failureOf('folderUnreachable'))
  }

  /** The newest note of a file replaces the one before. */
  note(note: FileNote): void {
    this.#notes = [note, ...this.#notes.filter((other) => other.fileName !== note.fileName)].slice(
      0,
      NOTES_PER_FOLDER,
    )
    this.#options.onChanged()
  }

  done(file: SettledFile): void {
    this.#watcher?.acknowledge(file)
    if (file.content !== 'sidecar') this.#lastImageAt = this.#options.clock.now()
    // What was told when it became an image or a duplicate stays; what was said of its arriving no longer holds.
    this.#clear(
      (note) =>
        note.fileName === file.relativePath && (note.kind === 'arriving' || note.kind === 'truncated'),
    )
  }

  #clear(isOver: (note: FileNote) => boolean): void {
    const left = this.#notes.filter((note) => !isOver(note))
    if (left.length === this.#notes.length) return
    this.#notes = left
    this.#options.onChanged()
  }

  sweep(): void {
    this.#watcher?.sweep(this.settings.path)
  }

  /** `askedAbout` is the number of files that wait for the decision whether to take what lay there before. */
  status(askedAbout: number): FolderStatus {
    return {
      path: this.settings.path,
      health: askedAbout > 0 && this.#health !== 'unreachable' ? 'asking' : this.#health,
      since: this.#since,
      lastSweepAt: this.#lastSweepAt,
      lastImageAt: this.#lastImageAt,
      existingCount: askedAbout,
      failure: this.#failure,
      notes: this.#notes,
    }
  }

  async close(): Promise<void> {
    await this.#watcher?.close()
  }
}
