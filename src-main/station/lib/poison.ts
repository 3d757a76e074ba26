/**
 * Files that end the process which reads them: when each may be read again, and what reading one may cost. Pure. Two
 * deaths set a file aside, the second while it was read alone and a minute later: one may be the fault of another file,
 * or of the computer.
 */
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'

/** The deaths of processes on one file, unchanged. `at`: the last one, epoch milliseconds. `version`: of the program. */
export type Deaths = { readonly count: number; readonly at: number; readonly version: string }

/** The program that reads, and the instant, epoch milliseconds. */
export type ReadingNow = Pick<Deaths, 'at' | 'version'>

/**
 * How a file may be read.
 *
 * - `none`      like any other
 * - `suspect`   alone, and not for another `inMs`
 * - `setAside`  not at all, until a person asks for it, or by another version of the program
 */
export type Suspicion =
  | { readonly kind: 'none' | 'setAside' }
  | { readonly kind: 'suspect'; readonly inMs: number }

type Stamp = { readonly sizeBytes: number; readonly mtimeMs: number }

/** By size and time of change, the same version of a file. */
export function isSameStamp(one: Stamp, other: Stamp): boolean {
  return one.sizeBytes === other.sizeBytes && one.mtimeMs === other.mtimeMs
}

const MOST_DEATHS = 2

export function suspicionAfter(deaths: Deaths | undefined, now: ReadingNow): Suspicion {
  if (deaths === undefined) return { kind: 'none' }
  if (deaths.count >= MOST_DEATHS)
    return deaths.version === now.version ? { kind: 'setAside' } : { kind: 'suspect', inMs: 0 }
  const waitedMs = now.at - deaths.at
  // A clock that was set back says nothing.
  return { kind: 'suspect', inMs: waitedMs < 0 ? 0 : Math.max(0, MINUTE - waitedMs) }
}

/** One more. `isProof`: nothing else was being read, and nothing else hangs. */
export function oneMoreDeath(deaths: Deaths | undefined, now: ReadingNow, isProof: boolean): Deaths {
  const suspicion = suspicionAfter(deaths, now)
  const isSecond = isProof && suspicion.kind === 'suspect' && suspicion.inMs === 0
  return { ...now, count: isSecond ? MOST_DEATHS : 1 }
}

/** Of one file at a time: `processorMs` and `bytes` so far, and the `entries` of an archive. `idleMb`: held without any. */
export type Spent = {
  readonly elapsedMs: number
  readonly processorMs: number
  readonly memoryMb: number
  readonly idleMb: number
  readonly bytes: number
  readonly entries: number
}

export type Limits = {
  /** V8's heap; pixels lie outside of it. */
  readonly heapMb: number | undefined
  readonly memoryMb: number
  /** How long an answer may take: what computes without a pause reports nothing meanwhile. */
  readonly patienceMs: number
  /** Of the processor, and so much more for each 10 MB and each entry of an archive. */
  readonly processorMs: number
  readonly processorMsPerPart: number
}

const NO_LIMIT = Infinity

/** The largest image takes seconds on an old computer; one that takes minutes is hostile. */
export const READER_LIMITS = {
  folder: {
    heapMb: undefined,
    memoryMb: 700,
    patienceMs: NO_LIMIT,
    processorMs: 10 * SECOND,
    processorMsPerPart: SECOND,
  },
  pictures: {
    heapMb: 384,
    memoryMb: 700,
    patienceMs: 4 * MINUTE,
    processorMs: NO_LIMIT,
    processorMsPerPart: 0,
  },
  data: {
    heapMb: 1_024,
    memoryMb: 1_400,
    patienceMs: 2 * MINUTE,
    processorMs: NO_LIMIT,
    processorMsPerPart: 0,
  },
} as const satisfies Record<string, Limits>

const PART_BYTES = 10 * 1_024 * 1_024
/** What a process of a large folder holds anyway is no fault of a file. */
const MOST_GROWTH_MB = 400

/** What of it is more than one file may take; null if nothing is. */
export function excessOf(limits: Limits, spent: Spent): 'memory' | 'time' | null {
  const parts = spent.bytes / PART_BYTES + spent.entries
  const processorMs = limits.processorMs + limits.processorMsPerPart * parts
  if (spent.elapsedMs > limits.patienceMs || spent.processorMs > processorMs) return 'time'
  return spent.memoryMb > Math.max(limits.memoryMb, spent.idleMb + MOST_GROWTH_MB) ? 'memory' : null
}

const FIRST_PAUSE_MS = SECOND
const LONGEST_PAUSE_MS = 5 * MINUTE
const LONG_RUN_MS = 10 * MINUTE

/** The pause before the next process, after a death that no file explains. `beforeMs`: the pause before this one. */
export function pauseAfterDeath(beforeMs: number, livedMs: number): number {
  if (beforeMs === 0 || livedMs >= LONG_RUN_MS) return FIRST_PAUSE_MS
  return Math.min(beforeMs * 2, LONGEST_PAUSE_MS)
}
