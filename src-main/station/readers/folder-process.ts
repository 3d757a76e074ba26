/**
 * A process that opens foreign files: started, asked, watched over and ended. A share that hangs, and a file that kills,
 * take this process and nothing else.
 */
import { randomUUID } from 'node:crypto'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { excessOf, pauseAfterDeath, READER_LIMITS } from '../lib/poison.ts'
import { PlannedRun, ShareSilent, waitAtMost } from '../lib/schedule.ts'
import { type ChildProcess, type Clock, type Logger, NOT_STARTED, type StartProcess } from '../ports.ts'
import type { Beginning, WatchCommand } from '../../reader/watch-messages.ts'
import {
  type Asked,
  foreignAnswers,
  type ForeignFiles,
  type ForeignRequest,
  type Read,
  type Sign,
  signSchema,
} from '../../reader/messages.ts'
import { incomingOf, removeBeginningWith } from '../../reader/copy.ts'

/** Why the process is gone: it ended, again and again, or it gave no sign of life. */
export type Loss = 'stopped' | 'stoppedAgain' | 'silent'

/** It ended, one file took more than it may, or it hung. */
export type Death = 'ended' | 'excess' | 'hung'

export type FolderProcessOptions = {
  readonly program: URL
  readonly startProcess: StartProcess
  /** The first message to each process. */
  readonly beginning: object
  readonly onMessage: (message: unknown) => void
  readonly onAlive: () => void
  /**
   * It died while it read these files, which is written down before another starts; false if that cannot be, or if none
   * of them is known to be the cause. Without it, none is.
   */
  readonly onDeath?: (reads: readonly Read[], how: Death) => boolean
  readonly onLost: (why: Loss) => void
  readonly clock: Clock
  readonly logger: Logger
}

/** A process reports every five seconds that it is alive; a slow share may delay that. */
const SILENCE_MS = 45 * SECOND
const CHECK_MS = 5 * SECOND

/** One death may be an accident; this many within the window are a persistent fault. */
const MAX_DEATHS = 3
const DEATH_WINDOW_MS = 10 * MINUTE

/** One that cannot be killed hangs in the kernel: it is joined by one other, and no more. */
const MOST_ALIVE = 2

const CLOSE_WITHIN_MS = 2 * SECOND

type Waiting = { readonly take: (value: unknown) => void; readonly end: (error: Error | null) => void }

export class FolderProcess {
  readonly #options: FolderProcessOptions
  readonly #nextStart: PlannedRun
  readonly #nextCheck: PlannedRun
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | null = null
  /** Processes whose end was not reported yet. */
  #alive = 0
  #requests = 0
  #deathsMs: readonly number[] = []
  /** The last pause before a start. */
  #pauseMs = 0
  #startedMs = 0
  #movedMs = 0
  #checkedMs: number
  #steps = 0
  #reads: readonly Read[] = []
  /** What it held when it read nothing. */
  #idleMb = 0
  /** The folders in which its processes write files, each under names that begin with its prefix. */
  readonly #writesTo = new Set<string>()
  /** After a hang: nothing was read since, and nothing shows that nothing is to be read. */
  #isDoubted = false
  #isClosed = false
  #onEnd = (): void => undefined

  constructor(options: FolderProcessOptions) {
    this.#options = options
    this.#nextStart = new PlannedRun(options.clock, () => this.#start())
    this.#nextCheck = new PlannedRun(options.clock, () => this.#check())
    this.#start()
    this.#checkedMs = options.clock.monotonicMs()
    this.#nextCheck.runIn(CHECK_MS)
  }

  /** True if one is not gone that was ended: another would hang, too. */
  hasAbandoned(): boolean {
    return this.#alive > (this.#child === null ? 0 : 1)
  }

  /** True if it has read anything since it started. */
  hasRead(): boolean {
    return this.#steps > 0
  }

  /** True if it was lost so often, or hung so lately, that whatever it says of the folder proves nothing. */
  isDoubtful(): boolean {
    return this.#isDoubted || this.#recentDeaths().length >= MAX_DEATHS
  }

  send(message: unknown): void {
    this.#child?.send(message)
  }

  /** How foreign files are opened by this process. Rejects with `ShareSilent` if it is lost meanwhile. */
  readonly files = foreignFilesBy((request) => this.carry(request))

  /** Lets it end in order, for a short time. */
  async close(farewell: unknown): Promise<void> {
    this.#isClosed = true
    this.#nextStart.cancel()
    this.#nextCheck.cancel()
    this.#failAll()
    if (this.#child === null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onEnd = resolve
    this.send(farewell)
    await waitAtMost(this.#options.clock, CLOSE_WITHIN_MS, promise)
    this.#child?.kill()
    this.#child = null
  }

  /** The answers to a request, each asked for once the one before is used. Throws as `files` rejects. */
  async *carry(request: ForeignRequest): Answers {
    if (request.ask === 'copy') this.#writesTo.add(incomingOf(request.parameters[0].spoolFolder))
    if (request.ask === 'expand') this.#writesTo.add(request.parameters[1])
    if (this.#child === null) throw new ShareSilent()
    this.#requests += 1
    const id = this.#requests
    let isOver = false
    try {
      this.send({ kind: 'request', id, request } satisfies Asked)
      for (;;) {
        const next = Promise.withResolvers<{ readonly value: unknown } | null>()
        this.#waiting.set(id, {
          take: (value) => next.resolve({ value }),
          end: (error) => {
            isOver = true
            if (error === null) next.resolve(null)
            else next.reject(error)
          },
        })
        const answer = await next.promise
        if (answer === null) return
        yield foreignAnswers[request.ask].parse(answer.value)
        // It may have been lost while the answer was used.
        if (isOver) throw new ShareSilent()
        this.send({ kind: 'next', id } satisfies Asked)
      }
    } finally {
      this.#waiting.delete(id)
      if (!isOver) this.send({ kind: 'stop', id } satisfies Asked)
    }
  }

  #start(): void {
    if (this.#isClosed) return
    const { program, startProcess, beginning, clock, logger } = this.#options
    this.#alive += 1
    this.#startedMs = clock.monotonicMs()
    this.#movedMs = this.#startedMs
    this.#steps = 0
    this.#reads = []
    const prefix = randomUUID()
    const child = startProcess(program, {
      onMessage: (message) => {
        if (this.#child === child) this.#onMessage(message)
      },
      onExit: (how) => {
        this.#alive -= 1
        // It may have ended amid a copy.
        for (const folder of this.#writesTo) removeBeginningWith(prefix, folder).catch(() => undefined)
        if (this.#child !== child) return
        this.#child = null
        this.#onEnd()
        if (this.#isClosed) return
        if (how !== NOT_STARTED && this.#isWritten(this.#reads, 'ended')) return this.#goOn(how)
        logger.error('the process of a folder stopped', { how })
        this.#lose(this.#recentDeaths().length + 1 >= MAX_DEATHS ? 'stoppedAgain' : 'stopped')
      },
    })
    this.#child = child
    child.send({ ...beginning, prefix })
  }

  #onMessage(message: unknown): void {
    const { clock, onMessage, onAlive } = this.#options
    const sign = signSchema.safeParse(message)
    if (sign.success && sign.data.kind === 'alive') {
      const { steps, isReading, reads, memoryMb } = sign.data
      if (!isReading || steps !== this.#steps) this.#movedMs = clock.monotonicMs()
      if (!isReading || steps > 0) this.#isDoubted = false
      this.#steps = steps
      this.#reads = reads
      if (reads.length === 0) this.#idleMb = memoryMb
      const costly = this.#isClosed ? [] : this.#tooCostly(reads, memoryMb)
      if (costly.length > 0) return this.#endOver(costly)
    } // A folder may be listed again and again while a file in it hangs.
    else if (sign.success || this.#reads.length === 0) this.#movedMs = clock.monotonicMs()
    if (this.#isClosed) return
    if (!sign.success) return onMessage(message)
    if (sign.data.kind === 'alive') return onAlive()
    const waiting = this.#waiting.get(sign.data.id)
    if (sign.data.kind === 'answer') waiting?.take(sign.data.value)
    else if (sign.data.kind === 'answered') waiting?.end(null)
    else waiting?.end(errorOf(sign.data))
  }

  #tooCostly(reads: readonly Read[], memoryMb: number): readonly Read[] {
    const process = { memoryMb, idleMb: this.#idleMb, elapsedMs: 0 }
    return reads.filter((read) => excessOf(READER_LIMITS.folder, { ...process, ...read }) !== null)
  }

  /** Ends it because of these files. */
  #endOver(reads: readonly Read[]): void {
    const child = this.#child
    this.#child = null
    child?.kill()
    if (this.#isWritten(reads, 'excess')) this.#goOn('excess')
    else this.#lose('stopped')
  }

  #isWritten(reads: readonly Read[], how: Death): boolean {
    return reads.length > 0 && this.#options.onDeath?.(reads, how) === true
  }

  /** A file explains it, and is not read in the next one, which starts at once. */
  #goOn(how: string): void {
    this.#options.logger.warn('a process ended while it read a file', { how })
    this.#failAll()
    this.#planStart(0)
  }

  #check(): void {
    const { clock, logger } = this.#options
    this.#nextCheck.runIn(CHECK_MS)
    const nowMs = clock.monotonicMs()
    // While this computer slept, or the station was busy, its signs were not received.
    this.#movedMs += Math.max(0, nowMs - this.#checkedMs - CHECK_MS)
    this.#checkedMs = nowMs
    if (this.#child === null || nowMs - this.#movedMs < SILENCE_MS) return
    logger.warn('the process of a folder gives no sign of life and is ended')
    const child = this.#child
    this.#child = null
    this.#isDoubted = true
    child.kill()
    this.#isWritten(this.#reads, 'hung')
    this.#lose('silent')
  }

  #lose(why: Loss): void {
    const { clock, onLost } = this.#options
    const nowMs = clock.monotonicMs()
    this.#deathsMs = [...this.#recentDeaths(), nowMs]
    this.#pauseMs = pauseAfterDeath(this.#pauseMs, nowMs - this.#startedMs)
    this.#failAll()
    onLost(why)
    this.#planStart(this.#pauseMs)
  }

  #planStart(pauseMs: number): void {
    if (this.#isClosed) return
    // A process that was killed and is not gone holds the folder: another one would hang, too.
    if (this.#alive >= MOST_ALIVE)
      this.#options.clock.after(pauseMs || SECOND, () => this.#child ?? this.#planStart(pauseMs))
    else if (pauseMs === 0) this.#start()
    else this.#nextStart.runIn(pauseMs)
  }

  #recentDeaths(): readonly number[] {
    const nowMs = this.#options.clock.monotonicMs()
    return this.#deathsMs.filter((atMs) => nowMs - atMs < DEATH_WINDOW_MS)
  }

  #failAll(): void {
    for (const { end } of this.#waiting.values()) end(new ShareSilent())
    this.#waiting.clear()
  }
}

/** The error of the process, with its code as errors of the disk have it. */
function errorOf({ name, code }: Extract<Sign, { kind: 'failed' }>): Error {
  const error = new Error('A foreign file could not be opened.')
  error.name = name
  // As an error of a call to the disk, which content never causes.
  return code === null ? error : Object.assign(error, { code, syscall: 'open' })
}

export type Answers = AsyncGenerator<unknown, void, undefined>

/** The first of the answers. */
export async function firstOf(answers: Answers): Promise<unknown> {
  for await (const answer of answers) return answer
  throw new ShareSilent()
}

/** Foreign files as whatever carries the requests opens them. */
export function foreignFilesBy(carry: (request: ForeignRequest) => Answers): ForeignFiles {
  const askFor =
    (ask: ForeignRequest['ask']) =>
    (...parameters: readonly unknown[]) => {
      const answers = carry({ ask, parameters } as unknown as ForeignRequest)
      return ask === 'expand' || ask === 'list' ? answers : firstOf(answers)
    }
  const asks = Object.keys(foreignAnswers) as ForeignRequest['ask'][]
  return Object.fromEntries(asks.map((ask) => [ask, askFor(ask)])) as unknown as ForeignFiles
}

/** Without a request for so long, the process gives its memory back. */
const IDLE_MS = MINUTE

/** Of a process that watches no folder. */
export const ONLY_FILES = {
  beginning: { kind: 'files' } satisfies Beginning,
  onMessage: () => undefined,
  onAlive: () => undefined,
  onLost: () => undefined,
}

/**
 * Files that no watched folder holds, as those that a person chose and the patient list: opened by one process, which is
 * started when it is needed.
 */
export function openForeignFiles(
  options: Pick<FolderProcessOptions, 'program' | 'startProcess' | 'clock' | 'logger' | 'onDeath'>,
): ForeignFiles & { readonly carry: FolderProcess['carry']; readonly close: () => Promise<void> } {
  let child: FolderProcess | null = null
  let using = 0
  let cancelIdle: (() => void) | null = null
  let isClosed = false

  const end = async (): Promise<void> => {
    const ending = child
    child = null
    await ending?.close({ kind: 'close' } satisfies WatchCommand)
  }
  const endIdle = (): void => {
    if (child?.hasAbandoned() === true) cancelIdle = options.clock.after(IDLE_MS, endIdle)
    else void end()
  }
  const carry = async function* (request: ForeignRequest): Answers {
    if (isClosed) throw new ShareSilent()
    cancelIdle?.()
    using += 1
    child ??= new FolderProcess({ ...options, ...ONLY_FILES })
    try {
      yield* child.carry(request)
    } finally {
      using -= 1
      if (using === 0 && !isClosed) cancelIdle = options.clock.after(IDLE_MS, endIdle)
    }
  }

  return {
    ...foreignFilesBy(carry),
    carry,
    close: () => {
      isClosed = true
      cancelIdle?.()
      return end()
    },
  }
}
