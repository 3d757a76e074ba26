/**
 * Crashes of the app and of its page. A small file of this account records the current run and
 * the recent crashes.
 *
 * Each start records itself, and each clean exit removes the record. So the next start also detects what no handler
 * can record: a native crash, a kill. A run ended by a reboot is not counted as a crash.
 *
 * Three crashes within ten minutes are a crash loop, and the next start is in safe mode: screens only, because the
 * cause may be what is watched or sent. Ten crashes within a day are a slow loop and lead to safe mode once, so that
 * the next morning's start is normal again. Before that, each start waits a little longer.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { DAY, MINUTE, SECOND } from '../../src-shared/durations.ts'
import type { WebContents } from 'electron'
import { errorCode, errorName } from '../station/lib/errors.ts'
import type { Clock, Logger } from '../station/ports.ts'
import type { Emitter } from './ports.ts'

const LOOP_WINDOW_MS = 10 * MINUTE
const LOOP_CRASHES = 3
const SLOW_LOOP_WINDOW_MS = DAY
const SLOW_LOOP_CRASHES = 10

/** Almost no delay after the first crash; after the second, its cause has some time to pass. */
const BACKOFF_MS = [0, 1 * SECOND, 10 * SECOND]

export const crashHistorySchema = z.object({
  /** Null between a clean exit and the next start. A second start reads it too, see single-instance.ts. */
  current: z.object({ pid: z.number(), startedAt: z.number(), dataFolder: z.string() }).nullable(),
  crashedAt: z.array(z.number()),
})

type CrashRecords = z.infer<typeof crashHistorySchema>

const EMPTY: CrashRecords = { current: null, crashedAt: [] }

type StartDecision = {
  readonly as: 'working' | 'safe'
  readonly waitMs: number
  /** Crashes within the last ten minutes. */
  readonly crashes: number
}

/** How to start after these crashes of the last day. Pure. */
export function decideStart(crashedAt: readonly number[], now: number): StartDecision {
  const crashes = crashedAt.filter((at) => now - at < LOOP_WINDOW_MS).length
  if (crashes >= LOOP_CRASHES || crashedAt.length >= SLOW_LOOP_CRASHES)
    return { as: 'safe', waitMs: 0, crashes }
  const sinceMs = now - Math.max(0, ...crashedAt)
  return { as: 'working', waitMs: Math.max(0, (BACKOFF_MS[crashes] ?? 0) - sinceMs), crashes }
}

export type CrashHistory = {
  /** How to start this run, which is recorded as running from here on. */
  readonly start: StartDecision
  /** `clean` removes the record at once, `crash` leaves it: however clean the rest of the exit is. */
  end(how: 'clean' | 'crash'): void
}

/** Opens the records; called once per start. If they cannot be written, the app works but detects no crash loops. */
export function openCrashHistory(options: {
  readonly path: string
  readonly clock: Pick<Clock, 'now'>
  /** When the computer was booted, epoch milliseconds. */
  readonly bootedAt: number
  readonly pid: number
  readonly dataFolder: string
  readonly onTrouble: () => void
}): CrashHistory {
  const { path, clock, bootedAt, pid, dataFolder } = options
  const startedAt = clock.now()
  const records = readCrashRecords(path)
  // A run that is still recorded has crashed, unless the computer was rebooted since.
  const hasCrashed = records.current !== null && records.current.startedAt > bootedAt
  const known = records.crashedAt.filter((at) => at <= startedAt && startedAt - at < SLOW_LOOP_WINDOW_MS)
  const recent = hasCrashed ? [...known, startedAt] : known
  const start = decideStart(recent, startedAt)
  // A start in safe mode clears the crashes of the day.
  const before = start.as === 'safe' ? recent.filter((at) => startedAt - at < LOOP_WINDOW_MS) : recent
  let crashedAt = before
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
  write({ current: { pid, startedAt, dataFolder }, crashedAt })
  return {
    start,
    end: (how) => {
      if (how === 'crash') crashedAt = [...before, clock.now()]
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

/** Waits as the decision asks, and logs it. */
export async function waitAfterCrash(
  { as, waitMs, crashes }: StartDecision,
  clock: Pick<Clock, 'after'>,
  logger: Logger,
): Promise<void> {
  if (crashes > 0 || as === 'safe') logger.warn('it ended on its own before', { crashes, as, waitMs })
  if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve))
}

/**
 * Logs and records an unexpected error and ends the process, whose state is unknown. The app restarts, as the crash
 * history decides; not in safe mode, in which nothing is left to turn off.
 */
export function catchBugs(options: {
  readonly process: Emitter<'uncaughtException' | 'unhandledRejection'>
  readonly logger: Logger
  readonly isSafe: () => boolean
  readonly recordCrash: () => void
  readonly end: (reason: string, exitCode: number) => Promise<void>
  readonly relaunch: () => void
}): void {
  const { process, logger, isSafe, recordCrash, end, relaunch } = options
  let isEnding = false
  const handle = (error: unknown): void => {
    logger.error('a bug ends this run', {
      kind: errorName(error),
      // Only the position in our code: a message may quote patient data.
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

/** So many reloads are enough for a transient fault; a lasting one is not hidden by endless ones. */
const MAX_RELOADS = 3
const RELOAD_WINDOW_MS = 5 * MINUTE

/** Long enough for a page that draws a hundred images on an old machine. */
const UNRESPONSIVE_TIMEOUT_MS = 30 * SECOND

/** Chromium's ERR_ABORTED: another page is loaded instead. */
const ABORTED = -3

type RecoverableWindow = Emitter<'unresponsive' | 'responsive'> & {
  readonly webContents: Emitter<'render-process-gone' | 'did-fail-load'> &
    Pick<WebContents, 'reload' | 'forcefullyCrashRenderer'>
}

type PageGone = { readonly reason: string; readonly exitCode: number }

/**
 * A page whose process dies leaves a black window, for hours if no one is there. So it is reloaded, but not forever: if
 * it keeps crashing, a dialog says so, and loads it again once a person wants that.
 */
export function recoverRenderer(options: {
  readonly window: RecoverableWindow
  readonly clock: Clock
  readonly logger: Logger
  readonly shutdown: { isRunning(): boolean }
  /** Says outside the window that it cannot show anything; resolves once a person wants to try again. */
  readonly askToTryAgain: () => Promise<void>
}): void {
  const { window, clock, logger, shutdown } = options
  const { webContents } = window
  let reloadedAt: number[] = []
  let cancelTimeout: (() => void) | null = null
  let isAsking = false

  const askToTryAgain = async (): Promise<void> => {
    isAsking = true
    await options.askToTryAgain()
    isAsking = false
    if (shutdown.isRunning()) webContents.reload()
  }
  const repair = (reason: string, exitCode: number): void => {
    cancelTimeout?.()
    // While the app ends, the window may be gone.
    if (!shutdown.isRunning() || isAsking || reason === 'clean-exit') return
    const now = clock.monotonicMs()
    reloadedAt = reloadedAt.filter((at) => now - at < RELOAD_WINDOW_MS)
    const mending = reloadedAt.length < MAX_RELOADS ? 'reload' : 'ask'
    logger.error('the screens ended unexpectedly', { reason, exitCode, mending })
    if (mending === 'reload') {
      reloadedAt.push(now)
      return webContents.reload()
    }
    void askToTryAgain()
  }

  webContents.on('render-process-gone', (_event, { reason, exitCode }: PageGone) => repair(reason, exitCode))
  webContents.on('did-fail-load', (_event, code: number, _what, _url, isMainFrame: boolean) => {
    if (isMainFrame && code !== ABORTED) repair('not loaded', code)
  })
  window.on('unresponsive', () => {
    logger.warn('the screens do not respond')
    cancelTimeout?.()
    cancelTimeout = clock.after(UNRESPONSIVE_TIMEOUT_MS, () => {
      logger.error('the screens have not responded for long; they are ended to be loaded again')
      webContents.forcefullyCrashRenderer()
    })
  })
  window.on('responsive', () => {
    logger.info('the screens respond again')
    cancelTimeout?.()
  })
}
