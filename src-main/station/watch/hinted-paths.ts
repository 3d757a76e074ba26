import { SECOND } from '../../../src-shared/durations.ts'
import type { Clock } from '../ports.ts'
import { isJunkFile, isJunkFolder } from '../export-names.ts'
import type { Hints, OpenHints } from './hints.ts'

/** Writers cause several hints at once; one look answers them all. */
const BATCH_MS = 25
/** More than anybody can look at one by one: a sweep is cheaper. */
const MAX_BATCH = 5_000
/** Between asking to hear a folder and hearing it, something may have happened there; so it is looked at again. */
const RESCAN_DELAYS_MS = [150, 600, 2_000]
/** The folders that stay heard when hearing begins anew. */
const MAX_RESUBSCRIBED = 32
/** Beginning anew brings a sweep, and a folder that gives nothing but errors must not be swept for ever. */
const MIN_REOPEN_MS = 15 * SECOND

export type HintListenerOptions = {
  readonly root: string
  readonly clock: Clock
  readonly openHints: OpenHints
  /** Something happened to these paths, or may have. */
  readonly onPaths: (paths: readonly string[]) => void
  /** This folder has been followed for a little while only: what happened in it just before may not have been heard. */
  readonly onFollowed: (folder: string) => void
  /** Something happened, and nobody knows where. */
  readonly onUnclear: () => void
}

/** Gathers hints, and keeps hearing through errors, vanished folders and replaced disks. */
export class HintListener {
  readonly #options: HintListenerOptions
  #hints: Hints | null = null
  #identity: string | null = null
  #openedMs = -Infinity
  #batch = new Set<string>()
  /** The folders followed last, oldest first. */
  #followed: string[] = []
  #cancelBatch: (() => void) | null = null
  #isClosed = false

  constructor(options: HintListenerOptions) {
    this.#options = options
  }

  /** Listens to the folder that has this identity; begins anew where it is another one, or hints may be missing. */
  listenTo(identity: string): void {
    const isTimeForNew = this.#options.clock.monotonicMs() - this.#openedMs >= MIN_REOPEN_MS
    const canStay = this.#hints && !(isTimeForNew && this.#hints.isDoubtful())
    if (canStay && this.#identity === identity) return
    this.#identity = identity
    this.#reopen()
  }

  stopListening(): void {
    const hints = this.#hints
    this.#hints = null
    // Closing only gives handles back; a handle of a folder that is away may refuse, and nothing follows from that.
    hints?.close().catch(() => this.#options.onUnclear())
  }

  /** Hears of what happens in this folder, too. True where it was not heard before. */
  follow(folder: string): boolean {
    if (!this.#hints || this.#isClosed) return false
    this.#followed = [
      ...this.#followed.filter((other) => other !== folder).slice(1 - MAX_RESUBSCRIBED),
      folder,
    ]
    if (!this.#hints.follow(folder)) return false
    for (const delayMs of RESCAN_DELAYS_MS) {
      this.#options.clock.after(delayMs, () => {
        if (!this.#isClosed) this.#options.onFollowed(folder)
      })
    }
    return true
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelBatch?.()
    await this.#hints?.close()
  }

  #reopen(): void {
    this.stopListening()
    if (this.#isClosed) return
    this.#openedMs = this.#options.clock.monotonicMs()
    const hints = this.#options.openHints(this.#options.root, (path) => this.#onHint(path))
    this.#hints = hints
    for (const folder of this.#followed) hints.follow(folder)
  }

  #onHint(path: string | null): void {
    if (this.#isClosed) return
    if (path === null || this.#batch.size >= MAX_BATCH) {
      this.#options.onUnclear()
      return
    }
    if (path.split('/').some((name) => isJunkFile(name) || isJunkFolder(name))) return
    this.#batch.add(path)
    this.#cancelBatch ??= this.#options.clock.after(BATCH_MS, () => {
      const paths = [...this.#batch]
      this.#batch = new Set()
      this.#cancelBatch = null
      this.#options.onPaths(paths)
    })
  }
}
