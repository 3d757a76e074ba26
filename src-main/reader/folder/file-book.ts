/** The state of every file in one watched folder. */
import { MAX_IMAGE_BYTES } from '../../../src-shared/image-files.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import type { UnusableWhy } from '../../../src-shared/submission.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { FileStamp, Inspection } from '../messages.ts'
import { companionKind, isPromisedOnly, isSidecar } from '../../station/lib/files.ts'
import type { Clock } from '../../station/ports.ts'
import { isSameStamp } from '../../station/lib/poison.ts'
import {
  afterCheck,
  afterIncomplete,
  checkAtMsOf,
  ENTRY_NOTES,
  type FileState,
  incompleteNote,
  leftToOther,
  NO_STAMP,
  NO_VAIN_READS,
  type NoteReason,
  oneMoreInVain,
  patienceMs,
  recheckDueMs,
  SKIP_AFTER_MS,
  stampOf,
  type VainReads,
} from './file-state.ts'
import type { SeenStamp, WalkedEntry } from './walk.ts'
import type { FileMark, PriorResult, SettledFile, WatchedFolder, WatchEvent } from '../watch-messages.ts'

type Entry = {
  readonly relativePath: string
  state: FileState
  /** Emitted once, and withdrawn when it no longer holds. */
  note: { readonly kind: FileNote['kind']; readonly reason: NoteReason } | null
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

/** Why a file was observed: by a sweep, by a scan of a new folder, or because the system reported this very file. */
export type Cause = 'swept' | 'scanned' | 'reported'

type FileBookOptions = {
  readonly folder: WatchedFolder
  readonly clock: Clock
  readonly emit: (event: WatchEvent) => void
  /** A file has settled: look it up, or inspect it, and pass the result to `recordResult`. */
  readonly requestOpen: (mark: FileMark) => void
  /** Something will be due at this monotonic instant. */
  readonly planCheck: (atMs: number) => void
  /** A file that was dealt with may hold other bytes: `dueMs` is monotonic. */
  readonly onDoubt: (relativePath: string, dueMs: number) => void
}

/** Tracks every file of one folder. Observations and inspections go in; notes and settled files come out. */
export class FileBook {
  readonly #options: FileBookOptions
  readonly #entries = new Map<string, Entry>()
  readonly #pending = new Set<Entry>()
  #sweepNumber = 0

  constructor(options: FileBookOptions) {
    this.#options = options
  }

  /** Records what a walk found. */
  record(walked: WalkedEntry, cause: Cause): void {
    const { relativePath } = walked
    switch (walked.kind) {
      case 'file':
        return this.#observe(relativePath, walked, cause)
      case 'passedBy': {
        const entry = this.#entries.get(relativePath)
        if (entry) entry.seenInSweep = this.#sweepNumber
        return
      }
      case 'shut':
        return this.#markInaccessible(relativePath)
      case 'folder':
        return
      default: {
        const [kind, reason] = ENTRY_NOTES[walked.kind]
        this.#ignore(relativePath, NO_STAMP, kind, reason)
      }
    }
  }

  #observe(relativePath: string, stamp: SeenStamp, cause: Cause): void {
    const companion = companionKind(relativePath)
    if (companion !== null)
      return this.#ignore(relativePath, stamp, 'ignored', `intake:watch.other.${companion}`)
    if (stamp.sizeBytes > MAX_IMAGE_BYTES)
      return this.#ignore(relativePath, stamp, 'tooLarge', 'intake:watch.tooLarge', 'tooLarge')
    if (stamp.sizeBytes > MAX_SIDECAR_BYTES && isSidecar(relativePath))
      return this.#ignore(relativePath, stamp, 'tooLarge', 'intake:watch.sidecarTooLarge')
    const before = this.#entries.get(relativePath)?.state ?? null
    const state = this.#check(before, stamp, cause)
    const entry = this.#setState(relativePath, state)
    // Once for each change: a file that waits to be read again keeps its place.
    const isNews = entry.seenMs !== stamp.ctimeMs || cause === 'reported'
    entry.seenMs = stamp.ctimeMs
    if (state === before && isNews) this.#doubtUnlessProven(entry, cause)
    else if (state.kind === 'opening') entry.ofResultMs = stamp.ctimeMs
    const isChanged = before !== null && !isSameStamp(before, state)
    if (isChanged && entry.note?.kind !== 'arriving') this.#clearNote(entry)
    this.#applyState(entry, state !== before)
  }

  #check(before: FileState | null, stamp: FileStamp, cause: Cause): FileState {
    const { clock, folder } = this.#options
    const seen = { ...stamp, atMs: clock.monotonicMs(), isHinted: cause !== 'swept' }
    return afterCheck(before, seen, folder.settleMs)
  }

  /** True if a sweep needs only the name of this file: it was acknowledged long ago, or is never opened. */
  canSkip(relativePath: string): boolean {
    const entry = this.#entries.get(relativePath)
    if (entry === undefined) return false
    if (entry.state.kind === 'done') return this.#options.clock.monotonicMs() >= entry.skipFromMs
    // A file with a problem may be repaired in place.
    return entry.state.kind === 'leftAlone' && (entry.note?.kind ?? 'ignored') === 'ignored'
  }

  /** True if anything was seen under this path, a file or a folder that is not entered, and it is not gone. */
  has(relativePath: string): boolean {
    return this.#entries.has(relativePath)
  }

  /** These files are gone: what is known of them holds no more, nor does it for a later file of that name. */
  forget(relativePaths: readonly string[]): void {
    const fileNames: string[] = []
    for (const relativePath of relativePaths) {
      const entry = this.#entries.get(relativePath)
      if (entry === undefined) continue
      this.#entries.delete(relativePath)
      this.#pending.delete(entry)
      this.#clearNote(entry)
      fileNames.push(relativePath)
    }
    if (fileNames.length > 0) this.#options.emit({ kind: 'gone', fileNames })
  }

  /** A file that exists but cannot be read now is tried again if it was about to be read. */
  #markInaccessible(relativePath: string): void {
    const state = this.#entries.get(relativePath)?.state
    if (state?.kind !== 'settling' && state?.kind !== 'incomplete')
      return this.#ignore(relativePath, NO_STAMP, 'unreadable', 'intake:watch.noAccess')
    const atMs = this.#options.clock.monotonicMs()
    const unchangedSinceMs = state.kind === 'incomplete' ? state.incompleteSinceMs : atMs
    const shut = afterIncomplete(unchangedSinceMs, state, 'busy', atMs, this.#options.folder.settleMs)
    this.#applyState(this.#setState(relativePath, shut), true)
  }

  /** A file whose bytes may be others than those of its result, as it is now; null if a result is under way. */
  doubted(relativePath: string): FileMark | null {
    const entry = this.#entries.get(relativePath)
    if (entry?.state.kind !== 'done' && entry?.state.kind !== 'leftAlone') return null
    return { ...this.#mark(entry), ctimeMs: entry.seenMs }
  }

  /** Its bytes are those of its result. */
  verify({ relativePath, ctimeMs }: FileMark): void {
    const entry = this.#entries.get(relativePath)
    if (entry === undefined) return
    entry.ofResultMs = ctimeMs ?? entry.ofResultMs
    entry.vain = oneMoreInVain(entry.vain, this.#options.clock.monotonicMs())
  }

  /** Its bytes are others (`rewritten`), or nothing is remembered of them: inspected like a new file. */
  reopen({ relativePath, sizeBytes, mtimeMs, ctimeMs }: FileMark, why: 'rewritten' | 'open'): void {
    const unchangedSinceMs = this.#options.clock.monotonicMs()
    const entry = this.#setState(relativePath, { sizeBytes, mtimeMs, kind: 'opening', unchangedSinceMs })
    entry.ofResultMs = ctimeMs ?? entry.seenMs
    if (why === 'rewritten') entry.vain = NO_VAIN_READS
    else entry.vain = oneMoreInVain(entry.vain, this.#options.clock.monotonicMs())
    entry.unusableWhy = null
    // Without its change time: if what is remembered of it could not be withdrawn, it is doubted again.
    const { ctimeMs: _, ...asked } = this.#mark(entry)
    this.#options.requestOpen(asked)
  }

  /**
   * A file that was dealt with may hold other bytes, although size and modification time are as they were. A program can
   * set a modification time, but no change time. If the file system has none, only the report is left.
   */
  #doubtUnlessProven(entry: Entry, cause: Cause): void {
    const { kind } = entry.state
    if (entry.seenMs === entry.ofResultMs && cause !== 'reported') return
    if (kind === 'whole' || kind === 'opening') entry.isDoubted = true
    if (kind === 'done' || kind === 'leftAlone') this.#doubt(entry)
  }

  #doubt(entry: Entry): void {
    const { clock, folder, onDoubt } = this.#options
    entry.isDoubted = false
    onDoubt(entry.relativePath, recheckDueMs(entry.vain, clock.monotonicMs(), folder.settleMs))
  }

  /** What the file was found to be now, or at an earlier ingest. An outdated result is dropped. */
  recordResult(mark: FileMark, found: Inspection | Exclude<PriorResult, 'new'>): void {
    const { relativePath } = mark
    const entry = this.#entries.get(relativePath)
    const state = entry?.state
    if (entry === undefined || state?.kind !== 'opening' || !isSameStamp(state, mark)) return
    if (typeof found === 'string' || 'as' in found) return this.#recordPrior(entry, found)
    switch (found.kind) {
      case 'unreadable':
        return this.#ignore(relativePath, mark, 'unreadable', 'intake:watch.readingFailed', 'unreadable')
      case 'whole':
        return this.#markWhole(entry, found.content)
      case 'other': {
        const isData = found.content === 'text' || found.content === 'unknown'
        if (isData && isSidecar(relativePath)) return this.#markWhole(entry, 'sidecar')
        const kind = isData ? 'notAnImage' : 'ignored'
        if (isPromisedOnly(found.content))
          return this.#ignore(relativePath, mark, kind, 'intake:watch.other.unknown', 'notAnImage')
        return this.#ignore(relativePath, mark, kind, `intake:watch.other.${found.content}`)
      }
      case 'incomplete': {
        const { clock, folder } = this.#options
        const atMs = clock.monotonicMs()
        const next = afterIncomplete(state.unchangedSinceMs, mark, found.why, atMs, folder.settleMs)
        return this.#applyState(this.#setState(relativePath, next), true)
      }
      case 'changed':
        // As new and active, so that the next check comes soon and notices if the file is gone.
        this.#setState(relativePath, this.#check(null, mark, 'scanned'))
    }
  }

  #recordPrior(entry: Entry, prior: Exclude<PriorResult, 'new'>): void {
    const { relativePath, state } = entry
    if (prior === 'setAside')
      this.#ignore(relativePath, state, 'setAside', 'intake:watch.setAside', 'setAside')
    else if (typeof prior !== 'string' && prior.as === 'suspect') {
      // What it was found to be so far holds until it is read again.
      if (entry.unusableWhy === null || entry.unusableWhy === 'suspect')
        this.#ignore(relativePath, state, 'unreadable', 'intake:watch.suspect', 'suspect')
      return void this.#setState(relativePath, leftToOther(state))
    } else if (prior === 'damaged' || (prior !== 'known' && prior.as === 'damaged'))
      this.#ignore(relativePath, state, 'unreadable', 'intake:image.damaged')
    else {
      this.#clearNote(entry)
      this.#setState(relativePath, { ...stampOf(state), kind: 'done' })
    }
    if (typeof prior !== 'string') this.#doubt(entry)
  }

  /** What another process found a file to be that is not read in this one. */
  recordElsewhere(mark: FileMark, found: Inspection): void {
    const state = this.#entries.get(mark.relativePath)?.state
    if (state?.kind !== 'leftAlone' || !isSameStamp(state, mark)) return
    const { sinceMs: unchangedSinceMs = this.#options.clock.monotonicMs() } = state
    this.#setState(mark.relativePath, { ...stampOf(mark), kind: 'opening', unchangedSinceMs })
    this.recordResult(mark, found)
  }

  acknowledge(file: SettledFile): void {
    const state = this.#entries.get(file.relativePath)?.state
    if (state?.kind !== 'whole' || !isSameStamp(state, file)) return
    const entry = this.#setState(file.relativePath, { ...stampOf(file), kind: 'done' })
    entry.skipFromMs = this.#options.clock.monotonicMs() + SKIP_AFTER_MS
  }

  beginSweep(): void {
    this.#sweepNumber += 1
  }

  /** Forgets files that the sweep did not see, except in folders that it could not read. */
  endSweep(unseenFolders: readonly string[]): void {
    const isGone = ({ relativePath, seenInSweep }: Entry): boolean =>
      seenInSweep !== this.#sweepNumber &&
      !unseenFolders.some((folder) => relativePath.startsWith(`${folder}/`))
    const gone = [...this.#entries.values()].filter(isGone)
    this.forget(gone.map(({ relativePath }) => relativePath))
  }

  /** The files that are to be checked now. A check of the others is planned. */
  due(): string[] {
    const atMs = this.#options.clock.monotonicMs()
    const due: string[] = []
    for (const { relativePath, state } of this.#pending) {
      if (checkAtMsOf(state) <= atMs) due.push(relativePath)
      else this.#options.planCheck(checkAtMsOf(state))
    }
    return due
  }

  #setState(relativePath: string, state: FileState): Entry {
    const entry = this.#entries.get(relativePath) ?? newEntry(relativePath, state)
    if (!isSameStamp(entry.state, state)) entry.unusableWhy = null
    entry.state = state
    entry.seenInSweep = this.#sweepNumber
    this.#entries.set(relativePath, entry)
    if (entry.isDoubted && (state.kind === 'done' || state.kind === 'leftAlone')) this.#doubt(entry)
    const checkAtMs = checkAtMsOf(state)
    if (checkAtMs === Infinity) this.#pending.delete(entry)
    else {
      this.#pending.add(entry)
      this.#options.planCheck(checkAtMs)
    }
    return entry
  }

  #applyState(entry: Entry, isNewState: boolean): void {
    const { folder, clock } = this.#options
    const { state } = entry
    const atMs = clock.monotonicMs()
    if (state.kind === 'opening' && isNewState) this.#options.requestOpen(this.#mark(entry))
    if (state.kind === 'whole' && entry.emittedInSweep < this.#sweepNumber) this.#emit(entry, state.content)
    if (state.kind === 'incomplete') {
      const waitedMs = atMs - state.incompleteSinceMs
      const { kind, reason } = incompleteNote(state.why, waitedMs, folder.settleMs)
      this.#note(entry, kind, reason)
      if (kind !== 'arriving') this.#reportUnusable(entry, state.why, reason)
    }
    if (state.kind === 'settling' && atMs - state.firstSeenMs >= patienceMs(folder.settleMs))
      this.#note(entry, 'arriving', 'intake:watch.stillWritten')
  }

  #markWhole({ relativePath, state }: Entry, content: SettledFile['content']): void {
    const entry = this.#setState(relativePath, { ...stampOf(state), kind: 'whole', content })
    this.#clearNote(entry)
    this.#emit(entry, content)
  }

  #emit(entry: Entry, content: SettledFile['content']): void {
    entry.emittedInSweep = this.#sweepNumber
    this.#options.emit({ kind: 'settled', file: { ...this.#mark(entry), content } })
  }

  /** Notes a file until it changes. `why`: the image that it may be cannot be used, which is reported. */
  #ignore(
    relativePath: string,
    stamp: FileStamp,
    kind: FileNote['kind'],
    reason: NoteReason,
    why: UnusableWhy | null = null,
  ): void {
    const entry = this.#setState(relativePath, { ...stampOf(stamp), kind: 'leftAlone' })
    this.#note(entry, kind, reason)
    if (why !== null) this.#reportUnusable(entry, why, reason)
  }

  #reportUnusable(entry: Entry, why: UnusableWhy, reason: NoteReason): void {
    if (entry.unusableWhy === why) return
    entry.unusableWhy = why
    this.#options.emit({ kind: 'unusable', file: { ...this.#mark(entry), why, ...worded(reason) } })
  }

  #note(entry: Entry, kind: FileNote['kind'], reason: NoteReason): void {
    if (entry.note?.kind === kind && entry.note.reason === reason) return
    entry.note = { kind, reason }
    const { emit, clock } = this.#options
    emit({
      kind: 'noted',
      note: { fileName: entry.relativePath, kind, ...worded(reason), at: clock.now() },
    })
  }

  #clearNote(entry: Entry): void {
    if (entry.note === null) return
    entry.note = null
    this.#options.emit({ kind: 'noteCleared', fileName: entry.relativePath })
  }

  #mark({ relativePath, state: { sizeBytes, mtimeMs }, ofResultMs }: Entry): FileMark {
    return { folderPath: this.#options.folder.path, relativePath, sizeBytes, mtimeMs, ctimeMs: ofResultMs }
  }
}

function newEntry(relativePath: string, state: FileState): Entry {
  return {
    relativePath,
    state,
    note: null,
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
