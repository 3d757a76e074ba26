/**
 * The runs of the app, in a small file of this account: which one is under way, and when others ended by themselves.
 *
 * Each start writes itself down, each clean end strikes that out. So the next start also notices what no handler could
 * write: a crash of native code, a kill. What a switched-off computer ended is none of the app's faults.
 *
 * Three such ends within ten minutes are a loop, and the next start is in safe mode: screens only, because what is watched
 * or sent may be what ends it. So are ten within a day: a slow loop, which would go on unseen. Those of a day count towards
 * one start in safe mode only, or the next morning's would be one, too. Before that, each start waits a little longer.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { DAY, MINUTE, SECOND } from '../../src-shared/durations.ts'
import { errorCode } from '../station/lib/errors.ts'
import type { Clock, Logger } from '../station/ports.ts'

const LOOP_WINDOW_MS = 10 * MINUTE

const LOOP_CRASHES = 3

const SLOW_LOOP_WINDOW_MS = DAY

const SLOW_LOOP_CRASHES = 10

/** After the first crash at once, almost; after the second, whatever it was has some time to pass. */
const BACKOFF_MS = [0, 1 * SECOND, 10 * SECOND]

export const crashHistorySchema = z.object({
  /** Null between a clean end and the next start. Also read by a second start, see single-instance.ts. */
  current: z.object({ pid: z.number(), startedAt: z.number(), dataFolder: z.string() }).nullable(),
  crashedAt: z.array(z.number()),
})

type CrashRecords = z.infer<typeof crashHistorySchema>

const EMPTY: CrashRecords = { current: null, crashedAt: [] }

type StartDecision = {
  readonly as: 'working' | 'safe'
  /** Before the station is opened. */
  readonly waitMs: number
  /** Ends by themselves in the last ten minutes. */
  readonly crashes: number
}

/** The book at a start: a run that is still written there ended by itself, unless the computer was switched off since. Pure. */
export function recordStart(records: CrashRecords, now: number, bootedAt: number): CrashRecords {
  const { current } = records
  const hasCrashed = current !== null && current.startedAt > bootedAt
  const recent = records.crashedAt.filter((at) => now - at < SLOW_LOOP_WINDOW_MS && at <= now)
  return { current: null, crashedAt: hasCrashed ? [...recent, now] : recent }
}

/** How to start after what the book tells. Pure. */
export function decideStart({ crashedAt }: CrashRecords, now: number): StartDecision {
  const crashes = crashedAt.filter((at) => now - at < LOOP_WINDOW_MS).length
  const recent = crashedAt.filter((at) => now - at < SLOW_LOOP_WINDOW_MS).length
  if (crashes >= LOOP_CRASHES || recent >= SLOW_LOOP_CRASHES) return { as: 'safe', waitMs: 0, crashes }
  const sinceMs = now - Math.max(0, ...crashedAt)
  return { as: 'working', waitMs: Math.max(0, (BACKOFF_MS[crashes] ?? 0) - sinceMs), crashes }
}

/** What is kept of the book after it was decided how to start: a start in safe mode has answered the day's ends. Pure. */
function pruneRecords(records: CrashRecords, { as }: StartDecision, now: number): CrashRecords {
  if (as === 'working') return records
  return { ...records, crashedAt: records.crashedAt.filter((at) => now - at < LOOP_WINDOW_MS) }
}

export type CrashHistory = {
  /** How this start is to be made; written down as under way from here on. */
  readonly start: StartDecision
  /**
   * The end of this run, written before it returns: `clean` strikes it out, `crash` keeps it for the next start to see. A
   * crash stays one, however tidy the rest of it is.
   */
  end(how: 'clean' | 'crash'): void
}

/** Opens the book, at each start once. A book that cannot be kept stops nothing: then no loop is noticed. */
export function openCrashHistory(options: {
  readonly path: string
  readonly clock: Pick<Clock, 'now'>
  /** When the computer was switched on. */
  readonly bootedAt: number
  readonly pid: number
  readonly dataFolder: string
  readonly onTrouble: () => void
}): CrashHistory {
  const { path, clock, bootedAt, pid, dataFolder } = options
  const startedAt = clock.now()
  const before = recordStart(readCrashRecords(path), startedAt, bootedAt)
  const start = decideStart(before, startedAt)
  const records = pruneRecords(before, start, startedAt)
  let crashedAt = records.crashedAt
  const write = (content: CrashRecords): void => {
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(`${path}.tmp`, JSON.stringify(content))
      renameSync(`${path}.tmp`, path)
    } catch (error) {
      if (errorCode(error) === undefined) throw error
      options.onTrouble()
    }
  }
  write({ ...records, current: { pid, startedAt, dataFolder } })
  return {
    start,
    end: (how) => {
      if (how === 'crash') crashedAt = [...records.crashedAt, clock.now()]
      write({ current: null, crashedAt })
    },
  }
}

function readCrashRecords(path: string): CrashRecords {
  try {
    return crashHistorySchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? EMPTY
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) !== undefined) return EMPTY
    throw error
  }
}

/** Waits as the start asks, and says so. */
export async function waitAfterCrash(
  { as, waitMs, crashes }: StartDecision,
  clock: Pick<Clock, 'after'>,
  logger: Logger,
): Promise<void> {
  if (crashes > 0 || as === 'safe') logger.warn('it ended by itself before', { crashes, as, waitMs })
  if (waitMs === 0) return
  const { promise, resolve } = Promise.withResolvers<void>()
  clock.after(waitMs, resolve)
  await promise
}

/** So many of something within so long pass; one more does not, and is not counted. */
export function createRateLimit(
  clock: Pick<Clock, 'monotonicMs'>,
  { most: limit, withinMs }: { readonly most: number; readonly withinMs: number },
): () => boolean {
  let allowedAt: number[] = []
  return () => {
    const now = clock.monotonicMs()
    allowedAt = allowedAt.filter((at) => now - at < withinMs)
    if (allowedAt.length >= limit) return false
    allowedAt.push(now)
    return true
  }
}

/**
 * What nobody expected: told, marked, and then the process ends, because nobody knows what it would do next. It starts
 * itself again; how, and how soon, the run book decides. Out of safe mode it does not: there is nothing left to leave out.
 */
type BugCatcherOptions = {
  readonly process: Pick<NodeJS.EventEmitter, 'on'>
  readonly logger: Logger
  /** Is only the screens' part running? */
  readonly isSafe: () => boolean
  /** Writes down that this run ended by itself. */
  readonly recordCrash: () => void
  readonly end: (reason: string, exitCode: number) => Promise<void>
  readonly relaunch: () => void
}

export function catchBugs({ process, logger, isSafe, recordCrash, end, relaunch }: BugCatcherOptions): void {
  let isEnding = false
  const handle = (error: unknown): void => {
    logger.error('a bug ends this run', {
      kind: error instanceof Error ? error.name : typeof error,
      // Only where in our code: a message may quote what it stumbled over.
      at: error instanceof Error ? firstFrame(error) : '',
    })
    if (isEnding) return
    isEnding = true
    recordCrash()
    if (!isSafe()) relaunch()
    void end('a bug', 1)
  }
  process.on('uncaughtException', handle)
  process.on('unhandledRejection', handle)
}

function firstFrame(error: Error): string {
  const frame = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at ')) ?? ''
  return /([\w.-]+:\d+:\d+)\)?$/.exec(frame)?.[1] ?? ''
}

// The other processes of Chromium. It starts them again by itself; a graphics process that dies again and again it
// gives up at last, and the whole app with it. Before that the app starts itself again and draws without the graphics
// card: slower, and on every machine.

/** The third within half a minute is one too many. */
const GPU_CRASH_LIMIT = { most: 2, withinMs: 30 * SECOND }

/** The part of `app` that is needed. */
type ChildWatcher = {
  on(
    event: 'child-process-gone',
    listener: (
      event: unknown,
      details: { readonly type: string; readonly reason: string; readonly exitCode: number },
    ) => void,
  ): unknown
}

export function recoverGpu(options: {
  readonly app: ChildWatcher
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly logger: Logger
  readonly isEnding: () => boolean
  /** Is it drawn without the graphics card already? Then there is nothing left to leave out. */
  readonly isGpuDisabled: boolean
  readonly restartWithoutGpu: () => void
}): void {
  const { app, clock, logger, isEnding, isGpuDisabled } = options
  const mayCrash = createRateLimit(clock, GPU_CRASH_LIMIT)
  let isRestarting = false
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (isEnding() || reason === 'clean-exit') return
    logger.warn('a process of the window ended unexpectedly', { type, reason, exitCode })
    if (type !== 'GPU' || isGpuDisabled || isRestarting || mayCrash()) return
    isRestarting = true
    logger.error('the graphics process fails again and again; starting again without the graphics card')
    options.restartWithoutGpu()
  })
}
