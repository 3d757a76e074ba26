/** The notes on files of a folder that are no images, incomplete or unreadable. They never name the file. */
import type { FileNote } from '../../../src-shared/station-status.ts'
import { worded, type WordingKey } from '../../../src-shared/wording.ts'
import type { Incompleteness, OtherContent } from '../intake/inspect-file.ts'
import type { WatchEvent } from './watch.ts'

/**
 * Companion files belong in the folder, so only some of them are listed: a folder of a hundred thousand reports stays
 * quiet.
 */
const MAX_IGNORED = 200

/** More problems than anyone could read are not emitted. */
const MAX_PROBLEMS = 2_000

/** The active notes, each emitted once and withdrawn when it no longer holds. */
export class NoteStore {
  readonly #folderPath: string
  readonly #now: () => number
  readonly #emit: (event: WatchEvent) => void
  readonly #active = new Map<string, { readonly kind: FileNote['kind']; readonly reason: NoteReason }>()
  #ignoredCount = 0

  constructor(folderPath: string, now: () => number, emit: (event: WatchEvent) => void) {
    this.#folderPath = folderPath
    this.#now = now
    this.#emit = emit
  }

  kindOf(fileName: string): FileNote['kind'] | null {
    return this.#active.get(fileName)?.kind ?? null
  }

  /** Emits a note unless it is already active or there are too many of its kind. */
  put(fileName: string, kind: FileNote['kind'], reason: NoteReason): void {
    const held = this.#active.get(fileName)
    if (held?.kind === kind && held.reason === reason) return
    if (!held && !this.canAdd(kind)) return
    this.#drop(fileName)
    this.#active.set(fileName, { kind, reason })
    if (kind === 'ignored') this.#ignoredCount += 1
    const note: FileNote = { fileName, kind, ...worded(reason), at: this.#now() }
    this.#emit({ kind: 'noted', folderPath: this.#folderPath, note })
  }

  /** Withdraws the note on a file, if there is one. */
  clear(fileName: string): void {
    if (!this.#drop(fileName)) return
    this.#emit({ kind: 'noteCleared', folderPath: this.#folderPath, fileName })
  }

  /** False once the limit for notes of this kind is reached. */
  canAdd(kind: FileNote['kind']): boolean {
    if (kind === 'ignored') return this.#ignoredCount < MAX_IGNORED
    return this.#active.size - this.#ignoredCount < MAX_PROBLEMS
  }

  #drop(fileName: string): boolean {
    if (this.#active.get(fileName)?.kind === 'ignored') this.#ignoredCount -= 1
    return this.#active.delete(fileName)
  }
}

/** Why an entry of the folder is noted: the last part of the key of its message. */
export type NoteReason = Extract<WordingKey, `intake:watch.${string}` | 'intake:image.damaged'>

/** The message for an incomplete file, before and after it counts as overdue. */
export function incompleteReason(kind: FileNote['kind'], why: Incompleteness): NoteReason {
  return `intake:watch.${kind === 'arriving' ? 'arriving' : 'overdue'}.${why}`
}

/** The note for content that the station does not take. */
export function otherNote(content: OtherContent): {
  readonly kind: 'ignored' | 'notAnImage'
  readonly reason: NoteReason
} {
  const kind = content === 'text' || content === 'unknown' ? 'notAnImage' : 'ignored'
  return { kind, reason: `intake:watch.content.${content}` }
}
