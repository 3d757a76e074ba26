import type { FileNote } from '../../../src-shared/station-status.ts'
import type { WatchEvent } from './watcher.ts'

/** Files that belong there by right are named for a glance only; a folder of a hundred thousand reports stays quiet. */
const MAX_IGNORED = 200
/** Troubles are told as long as anybody could read them. */
const MAX_PROBLEMS = 2_000

/** The notes that hold now, each told once while it holds, and taken back when it does not. */
export class NoteStore {
  readonly #folderPath: string
  readonly #now: () => number
  readonly #emit: (event: WatchEvent) => void
  readonly #active = new Map<string, { readonly kind: FileNote['kind']; readonly message: string }>()
  #ignoredCount = 0

  constructor(folderPath: string, now: () => number, emit: (event: WatchEvent) => void) {
    this.#folderPath = folderPath
    this.#now = now
    this.#emit = emit
  }

  kindOf(fileName: string): FileNote['kind'] | null {
    return this.#active.get(fileName)?.kind ?? null
  }

  /** Tells a note, unless it is the one that holds, or there are too many of its sort. */
  put(fileName: string, kind: FileNote['kind'], message: string): void {
    const held = this.#active.get(fileName)
    if (held?.kind === kind && held.message === message) return
    if (!held && !this.hasRoomFor(kind)) return
    this.#drop(fileName)
    this.#active.set(fileName, { kind, message })
    if (kind === 'ignored') this.#ignoredCount += 1
    const note: FileNote = { fileName, kind, message, at: this.#now() }
    this.#emit({ kind: 'noted', folderPath: this.#folderPath, note })
  }

  /** Takes back the note on a file, if there is one. */
  clear(fileName: string): void {
    if (!this.#drop(fileName)) return
    this.#emit({ kind: 'noteCleared', folderPath: this.#folderPath, fileName })
  }

  /** Is another note of this sort still told? */
  hasRoomFor(kind: FileNote['kind']): boolean {
    if (kind === 'ignored') return this.#ignoredCount < MAX_IGNORED
    return this.#active.size - this.#ignoredCount < MAX_PROBLEMS
  }

  #drop(fileName: string): boolean {
    if (this.#active.get(fileName)?.kind === 'ignored') this.#ignoredCount -= 1
    return this.#active.delete(fileName)
  }
}
