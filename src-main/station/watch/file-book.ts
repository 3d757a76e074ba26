/** The state of every file in one watched folder. */
import { HOUR } from '../../../src-shared/durations.ts'
import { MAX_IMAGE_BYTES } from '../../../src-shared/measurement-ranges.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import type { UnusableWhy } from '../../../src-shared/submission.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { FileStamp } from '../reader/formats/bytes.ts'
import type { Inspection } from '../reader/inspect-file.ts'
import { companionKind, isPromisedOnly, isSidecar } from '../lib/files.ts'
import {
  afterCheck,
  afterIncomplete,
  type FileState,
  incompleteReason,
  isSameStamp,
  noteKindOf,
  type NoteReason,
  type NoteStore,
  patienceMs,
} from './file-state.ts'
import {
  afterVainRead,
  type Cause,
  isDoubtful,
  type KnownFile,
  NO_VAIN_READS,
  recheckDueMs,
  type VainReads,
} from './read-queues.ts'
import type { FileMark, SettledFile, UnusableMark, WatchedFolder } from './watch.ts'

/** Size and times of a file when it was observed. The change time is as exact as the file system states it. */
export type SeenStamp = FileStamp & { readonly ctimeMs: number }

type Entry = {
  state: FileState
  /** The change time of the bytes that were opened last, and of those that were observed last. */
  ofResultMs: number
  seenMs: number
  /** Doubted while its result was under way: read again after that. */
  isDoubted: boolean
  vain: VainReads
  seenInSweep: number
  emittedInSweep: number
  skipFromMs: number
  /** Why it was last reported as unusable; null if it was not since it changed. */
  unusableWhy: UnusableWhy | null
}

const MAX_SIDECAR_BYTES = 16 * 1_024 * 1_024

/** A re-export usually follows soon; for this long after ingest, each sweep still checks the file. */
const SKIP_AFTER_MS = HOUR

type FileBookOptions = {
  readonly folder: WatchedFolder
  readonly notes: NoteStore
  readonly monotonicMs: () => number
  readonly onSettled: (file: SettledFile) => void
  readonly onUnusable: (file: UnusableMark) => void
  readonly onGone: (relativePaths: readonly string[]) => void
  /** A file has settled: inspect it and pass the result to `recordInspection`. */
  readonly requestOpen: (mark: FileMark) => void
  /** A file that was dealt with may hold other bytes: `dueMs` is monotonic. */
  readonly onDoubt: (relativePath: string, dueMs: number) => void
}

/** Tracks every file of one folder. Observations and inspections go in; notes and settled files come out. */
export class FileBook {
  readonly #options: FileBookOptions
  readonly #entries = new Map<string, Entry>()
  readonly #pending = new Set<string>()
  #earliestCheckMs = Infinity
  #sweepNumber = 0

  constructor(options: FileBookOptions) {
    this.#options = options
  }

  /** Records an observation. True if the file counts as neither image nor sidecar, as far as is known. */
  observe(relativePath: string, stamp: SeenStamp, cause: Cause): boolean {
    const companion = companionKind(relativePath)
    if (companion !== null)
      return this.#ignore(relativePath, stamp, 'ignored', `intake:watch.companion.${companion}`)
    if (stamp.sizeBytes > MAX_IMAGE_BYTES)
      return this.#setAside(relativePath, stamp, 'tooLarge', 'tooLarge', 'intake:watch.tooLarge')
    if (stamp.sizeBytes > MAX_SIDECAR_BYTES && isSidecar(relativePath))
      return this.#ignore(relativePath, stamp, 'tooLarge', 'intake:watch.sidecarTooLarge')
    const { folder, notes, monotonicMs } = this.#options
    const before = this.#entries.get(relativePath)?.state ?? null
    const seen = { ...stamp, atMs: monotonicMs(), isHinted: cause !== 'swept' }
    const state = afterCheck(before, seen, folder.settleMs)
    const entry = this.#setState(relativePath, state)
    // Once for each change: a file that waits to be read again keeps its place.
    const isNews = entry.seenMs !== stamp.ctimeMs || cause === 'reported'
    entry.seenMs = stamp.ctimeMs
    if (state === before && isNews) this.#doubt(relativePath, entry, cause)
    else if (state.kind === 'opening') entry.ofResultMs = stamp.ctimeMs
    const isChanged = before !== null && !isSameStamp(before, state)
    if (isChanged && notes.kindOf(relativePath) !== 'arriving') notes.clear(relativePath)
    this.#applyState(relativePath, entry, state !== before)
    return state.kind === 'leftAlone'
  }

  /** True if a sweep needs only the name of this file: it was acknowledged long ago, or is never opened. */
  canSkip(relativePath: string): boolean {
    const { notes, monotonicMs } = this.#options
    const entry = this.#entries.get(relativePath)
    if (entry === undefined) return false
    if (entry.state.kind === 'done') return monotonicMs() >= entry.skipFromMs
    // A file with a problem may be repaired in place.
    return entry.state.kind === 'leftAlone' && (notes.kindOf(relativePath) ?? 'ignored') === 'ignored'
  }

  /** True if anything was seen under this path, a file or a folder that is not entered, and it is not gone. */
  has(relativePath: string): boolean {
    return this.#entries.has(relativePath)
  }

  /** Records the name of a skipped file. True if it counts as neither image nor sidecar. */
  observeSkipped(relativePath: string): boolean {
    const entry = this.#entries.get(relativePath)
    if (entry) entry.seenInSweep = this.#sweepNumber
    return entry?.state.kind !== 'done'
  }

  /** These files are gone: what is known of them holds no more, nor does it for a later file of that name. */
  forget(relativePaths: readonly string[]): void {
    const known = relativePaths.filter((relativePath) => this.#entries.delete(relativePath))
    for (const relativePath of relativePaths) {
      this.#pending.delete(relativePath)
      this.#options.notes.clear(relativePath)
    }
    if (known.length > 0) this.#options.onGone(known)
  }

  /** Schedules retries for a file that exists but cannot be read now. False if the file is not pending. */
  markInaccessible(relativePath: string): boolean {
    const state = this.#entries.get(relativePath)?.state
    if (state?.kind !== 'settling' && state?.kind !== 'incomplete') return false
    const atMs = this.#options.monotonicMs()
    const unchangedSinceMs = state.kind === 'incomplete' ? state.incompleteSinceMs : atMs
    const shut = afterIncomplete(unchangedSinceMs, state, 'busy', atMs, this.#options.folder.settleMs)
    this.#applyState(relativePath, this.#setState(relativePath, shut), true)
    return true
  }

  /** A file whose bytes may be others than those of its result, as it is now; null if a result is under way. */
  doubted(relativePath: string): FileMark | null {
    const entry = this.#entries.get(relativePath)
    if (entry?.state.kind !== 'done' && entry?.state.kind !== 'leftAlone') return null
    return { ...this.#mark(relativePath, entry), ctimeMs: entry.seenMs }
  }

  /** Its bytes are those of its result. */
  verify({ relativePath, ctimeMs }: FileMark): void {
    const entry = this.#entries.get(relativePath)
    if (entry === undefined) return
    entry.ofResultMs = ctimeMs ?? entry.ofResultMs
    entry.vain = afterVainRead(entry.vain, this.#options.monotonicMs())
  }

  /** Its bytes are others (`rewritten`), or nothing is remembered of them: inspected like a new file. */
  reopen({ relativePath, sizeBytes, mtimeMs, ctimeMs }: FileMark, why: 'rewritten' | 'open'): void {
    const unchangedSinceMs = this.#options.monotonicMs()
    const entry = this.#setState(relativePath, { sizeBytes, mtimeMs, kind: 'opening', unchangedSinceMs })
    entry.ofResultMs = ctimeMs ?? entry.seenMs
    entry.vain = why === 'rewritten' ? NO_VAIN_READS : afterVainRead(entry.vain, unchangedSinceMs)
    entry.unusableWhy = null
    // Without its change time: if what is remembered of it could not be withdrawn, it is doubted again.
    const { ctimeMs: _, ...asked } = this.#mark(relativePath, entry)
    this.#options.requestOpen(asked)
  }

  #doubt(relativePath: string, entry: Entry, cause: Cause): void {
    const { kind } = entry.state
    if (!isDoubtful({ ofResult: entry.ofResultMs, seen: entry.seenMs }, cause)) return
    if (kind === 'whole' || kind === 'opening') entry.isDoubted = true
    if (kind === 'done' || kind === 'leftAlone') this.#doubtNow(relativePath, entry)
  }

  #doubtNow(relativePath: string, entry: Entry): void {
    const { monotonicMs, folder, onDoubt } = this.#options
    entry.isDoubted = false
    onDoubt(relativePath, recheckDueMs(entry.vain, monotonicMs(), folder.settleMs))
  }

  ignore(relativePath: string, kind: 'ignored' | 'unreadable', reason: NoteReason): void {
    this.#ignore(relativePath, { sizeBytes: 0, mtimeMs: 0 }, kind, reason)
  }

  /** `known` and `damaged` are results of an earlier ingest. Outdated results are dropped. */
  recordInspection(mark: FileMark, found: Inspection | KnownFile): void {
    const { relativePath } = mark
    const entry = this.#entries.get(relativePath)
    const state = entry?.state
    if (entry === undefined || state?.kind !== 'opening' || !isSameStamp(state, mark)) return
    const stamp = { sizeBytes: mark.sizeBytes, mtimeMs: mark.mtimeMs }
    switch (found.kind) {
      case 'known':
        this.#options.notes.clear(relativePath)
        this.#setState(relativePath, { ...stamp, kind: 'done' })
        if (found.sha256 !== undefined) this.#doubtNow(relativePath, entry)
        return
      case 'damaged':
        this.#ignore(relativePath, stamp, 'unreadable', 'intake:image.damaged')
        if (found.sha256 !== undefined) this.#doubtNow(relativePath, entry)
        return
      case 'unreadable':
        return void this.#setAside(
          relativePath,
          stamp,
          'unreadable',
          'unreadable',
          'intake:watch.readingFailed',
        )
      case 'whole':
        return this.#markWhole(relativePath, stamp, found.content)
      case 'other': {
        const isData = found.content === 'text' || found.content === 'unknown'
        if (isData && isSidecar(relativePath)) return this.#markWhole(relativePath, stamp, 'sidecar')
        const kind = isData ? 'notAnImage' : 'ignored'
        const reason = `intake:watch.content.${found.content}` as const
        if (isPromisedOnly(found.content))
          return void this.#setAside(relativePath, stamp, 'notAnImage', kind, reason)
        return void this.#ignore(relativePath, stamp, kind, reason)
      }
      case 'incomplete': {
        const { settleMs } = this.#options.folder
        const atMs = this.#options.monotonicMs()
        const incomplete = afterIncomplete(state.unchangedSinceMs, state, found.why, atMs, settleMs)
        this.#applyState(relativePath, this.#setState(relativePath, incomplete), true)
        return
      }
      case 'changed':
        // Recorded as new and active, so that the next check comes soon and notices if the file is gone.
        this.#entries.delete(relativePath)
        this.observe(relativePath, { ...stamp, ctimeMs: mark.ctimeMs ?? NaN }, 'scanned')
    }
  }

  acknowledge(file: SettledFile): void {
    const state = this.#entries.get(file.relativePath)?.state
    if (state?.kind !== 'whole' || !isSameStamp(state, file)) return
    const done = { sizeBytes: file.sizeBytes, mtimeMs: file.mtimeMs, kind: 'done' } as const
    const entry = this.#setState(file.relativePath, done)
    entry.skipFromMs = this.#options.monotonicMs() + SKIP_AFTER_MS
  }

  beginSweep(): void {
    this.#sweepNumber += 1
  }

  /** Forgets files that the sweep did not see, except in folders that it could not read. */
  endSweep(unseenFolders: readonly string[]): void {
    const gone: string[] = []
    for (const [relativePath, entry] of this.#entries) {
      if (entry.seenInSweep === this.#sweepNumber) continue
      if (!unseenFolders.some((folder) => relativePath.startsWith(`${folder}/`))) gone.push(relativePath)
    }
    this.forget(gone)
  }

  due(): string[] {
    const atMs = this.#options.monotonicMs()
    const due: string[] = []
    this.#earliestCheckMs = Infinity
    for (const relativePath of this.#pending) {
      const checkAtMs = checkAtMsOf(this.#entries.get(relativePath)?.state)
      if (checkAtMs <= atMs) due.push(relativePath)
      else this.#earliestCheckMs = Math.min(this.#earliestCheckMs, checkAtMs)
    }
    return due
  }

  /** Milliseconds until `due` may return something, possibly too early; null if nothing is pending. */
  untilDueMs(): number | null {
    if (this.#earliestCheckMs === Infinity) return null
    return Math.max(this.#earliestCheckMs - this.#options.monotonicMs(), 0)
  }

  #setState(relativePath: string, state: FileState): Entry {
    const entry = this.#entries.get(relativePath) ?? newEntry(state)
    if (!isSameStamp(entry.state, state)) entry.unusableWhy = null
    entry.state = state
    entry.seenInSweep = this.#sweepNumber
    this.#entries.set(relativePath, entry)
    if (entry.isDoubted && (state.kind === 'done' || state.kind === 'leftAlone'))
      this.#doubtNow(relativePath, entry)
    const checkAtMs = checkAtMsOf(state)
    if (checkAtMs === Infinity) this.#pending.delete(relativePath)
    else {
      this.#pending.add(relativePath)
      this.#earliestCheckMs = Math.min(this.#earliestCheckMs, checkAtMs)
    }
    return entry
  }

  #applyState(relativePath: string, entry: Entry, isNewState: boolean): void {
    const { folder, notes, monotonicMs } = this.#options
    const { state } = entry
    if (state.kind === 'opening' && isNewState) this.#options.requestOpen(this.#mark(relativePath, entry))
    if (state.kind === 'whole' && entry.emittedInSweep < this.#sweepNumber)
      this.#emit(relativePath, entry, state.content)
    if (state.kind === 'incomplete') {
      const kind = noteKindOf(state.why, monotonicMs() - state.incompleteSinceMs, folder.settleMs)
      notes.put(relativePath, kind, incompleteReason(kind, state.why))
      if (kind !== 'arriving')
        this.#reportUnusable(relativePath, entry, state.why, incompleteReason(kind, state.why))
    }
    if (state.kind === 'settling' && monotonicMs() - state.firstSeenMs >= patienceMs(folder.settleMs))
      notes.put(relativePath, 'arriving', 'intake:watch.stillWritten')
  }

  #markWhole(relativePath: string, stamp: FileStamp, content: SettledFile['content']): void {
    this.#options.notes.clear(relativePath)
    this.#emit(relativePath, this.#setState(relativePath, { ...stamp, kind: 'whole', content }), content)
  }

  #emit(relativePath: string, entry: Entry, content: SettledFile['content']): void {
    entry.emittedInSweep = this.#sweepNumber
    this.#options.onSettled({ ...this.#mark(relativePath, entry), content })
  }

  /** Notes a file until it changes. */
  #ignore(relativePath: string, stamp: FileStamp, kind: FileNote['kind'], reason: NoteReason): true {
    this.#options.notes.put(relativePath, kind, reason)
    this.#setState(relativePath, { ...stamp, kind: 'leftAlone' })
    return true
  }

  /** Notes a file like `#ignore`, and reports that the image which it may be cannot be used. */
  #setAside(
    relativePath: string,
    stamp: FileStamp,
    why: UnusableWhy,
    kind: FileNote['kind'],
    reason: NoteReason,
  ): true {
    this.#ignore(relativePath, stamp, kind, reason)
    const entry = this.#entries.get(relativePath)
    if (entry) this.#reportUnusable(relativePath, entry, why, reason)
    return true
  }

  #reportUnusable(relativePath: string, entry: Entry, why: UnusableWhy, reason: NoteReason): void {
    if (entry.unusableWhy === why) return
    entry.unusableWhy = why
    this.#options.onUnusable({ ...this.#mark(relativePath, entry), why, ...worded(reason) })
  }

  #mark(relativePath: string, { state: { sizeBytes, mtimeMs }, ofResultMs }: Entry): FileMark {
    return { folderPath: this.#options.folder.path, relativePath, sizeBytes, mtimeMs, ctimeMs: ofResultMs }
  }
}

function newEntry(state: FileState): Entry {
  return {
    state,
    ofResultMs: NaN,
    seenMs: NaN,
    isDoubted: false,
    vain: NO_VAIN_READS,
    seenInSweep: 0,
    emittedInSweep: 0,
    skipFromMs: -Infinity,
    unusableWhy: null,
  }
}

function checkAtMsOf(state: FileState | undefined): number {
  return state?.kind === 'settling' || state?.kind === 'incomplete' ? state.checkAtMs : Infinity
}
