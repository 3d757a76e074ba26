import { SECOND } from '../../../src-shared/durations.ts'
import type { Clock } from '../ports.ts'
import { isJunkFile, isJunkFolder } from '../export-names.ts'
import type { Hints, OpenHints } from './hints.ts'

/** Writers cause several hints at once; one look answers them all. */
const GATHER_MS = 25
/** More than anybody can look at one by one: a sweep is cheaper. */
const MOST_GATHERED = 5_000
/** Between asking to hear a folder and hearing it, something may have happened there; so it is looked at again. */
const LOOK_AGAIN_MS = [150, 600, 2_000]
/** The folders that stay heard when hearing begins anew. */
const KEPT_FOLDERS = 32
/** Beginning anew brings a sweep, and a folder that gives nothing but errors must not be swept for ever. */
const BETWEEN_NEW_HINTS_MS = 15 * SECOND

export type HintedPathsOptions = {
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
export class HintedPaths {
  readonly #options: HintedPathsOptions
  #hints: Hints | null = null
  #identity: string | null = null
  #openedMs = -Infinity
  #gathered = new Set<string>()
  /** The folders followed last, oldest first. */
  #followed: string[] = []
  #cancelGathering: (() => void) | null = null
  #isClosed = false

  constructor(options: HintedPathsOptions) {
    this.#options = options
  }

  /** Listens to the folder that has this identity; begins anew where it is another one, or hints may be missing. */
  listenTo(identity: string): void {
    const isTimeForNew = this.#options.clock.monotonicMs() - this.#openedMs >= BETWEEN_NEW_HINTS_MS
    const mayStay = this.#hints && !(isTimeForNew && this.#hints.isDoubtful())
    if (mayStay && this.#identity === identity) return
    this.#identity = identity
    this.#openAnew()
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
    this.#followed = [...this.#followed.filter((other) => other !== folder).slice(1 - KEPT_FOLDERS), folder]
    if (!this.#hints.follow(folder)) return false
    for (const delayMs of LOOK_AGAIN_MS) {
      this.#options.clock.after(delayMs, () => {
        if (!this.#isClosed) this.#options.onFollowed(folder)
      })
    }
    return true
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelGathering?.()
    await this.#hints?.close()
  }

  #openAnew(): void {
    this.stopListening()
    if (this.#isClosed) return
    this.#openedMs = this.#options.clock.monotonicMs()
    const hints = this.#options.openHints(this.#options.root, (path) => this.#hear(path))
    this.#hints = hints
    for (const folder of this.#followed) hints.follow(folder)
  }

  #hear(path: string | null): void {
    if (this.#isClosed) return
    if (path === null || this.#gathered.size >= MOST_GATHERED) {
      this.#options.onUnclear()
      return
    }
    if (path.split('/').some((name) => isJunkFile(name) || isJunkFolder(name))) return
    this.#gathered.add(path)
    this.#cancelGathering ??= this.#options.clock.after(GATHER_MS, () => {
      const paths = [...this.#gathered]
      this.#gathered = new Set()
      this.#cancelGathering = null
      this.#options.onPaths(paths)
    })
  }
}
