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
import type { Clock, Logger } from '../station/ports.ts'
import { errorCode } from '../station/lib/errors.ts'

const LOOP_WITHIN_MS = 10 * MINUTE
const CRASHES_OF_A_LOOP = 3
const SLOW_LOOP_WITHIN_MS = DAY
const CRASHES_OF_A_SLOW_LOOP = 10
/** After the first crash at once, almost; after the second, whatever it was has some time to pass. */
const WAITS_MS = [0, 1 * SECOND, 10 * SECOND]

export const runBookSchema = z.object({
  /** Null between a clean end and the next start. Also read by a second start, see single-instance.ts. */
  current: z.object({ pid: z.number(), startedAt: z.number(), dataFolder: z.string() }).nullable(),
  crashedAt: z.array(z.number()),
})
export type RunBookContent = z.infer<typeof runBookSchema>

const EMPTY: RunBookContent = { current: null, crashedAt: [] }

export type Start = {
  readonly as: 'working' | 'safe'
  /** Before the station is opened. */
  readonly waitMs: number
  /** Ends by themselves in the last ten minutes. */
  readonly crashes: number
}

/** The book at a start: a run that is still written there ended by itself, unless the computer was switched off since. Pure. */
export function atStart(book: RunBookContent, now: number, bootedAt: number): RunBookContent {
  const { current } = book
  const hasCrashed = current !== null && current.startedAt > bootedAt
  const ofTheDay = book.crashedAt.filter((at) => now - at < SLOW_LOOP_WITHIN_MS && at <= now)
  return { current: null, crashedAt: hasCrashed ? [...ofTheDay, now] : ofTheDay }
}

/** How to start after what the book tells. Pure. */
export function howToStart({ crashedAt }: RunBookContent, now: number): Start {
  const crashes = crashedAt.filter((at) => now - at < LOOP_WITHIN_MS).length
  const ofTheDay = crashedAt.filter((at) => now - at < SLOW_LOOP_WITHIN_MS).length
  if (crashes >= CRASHES_OF_A_LOOP || ofTheDay >= CRASHES_OF_A_SLOW_LOOP)
    return { as: 'safe', waitMs: 0, crashes }
  const sinceMs = now - Math.max(0, ...crashedAt)
  return { as: 'working', waitMs: Math.max(0, (WAITS_MS[crashes] ?? 0) - sinceMs), crashes }
}

/** What is kept of the book after it was decided how to start: a start in safe mode has answered the day's ends. Pure. */
function afterDecision(book: RunBookContent, { as }: Start, now: number): RunBookContent {
  if (as === 'working') return book
  return { ...book, crashedAt: book.crashedAt.filter((at) => now - at < LOOP_WITHIN_MS) }
}

export type RunBook = {
  /** How this start is to be made; written down as under way from here on. */
  readonly start: Start
  /**
   * The end of this run, written before it returns: `clean` strikes it out, `crash` keeps it for the next start to see. A
   * crash stays one, however tidy the rest of it is.
   */
  end(how: 'clean' | 'crash'): void
}

/** Opens the book, at each start once. A book that cannot be kept stops nothing: then no loop is noticed. */
export function openRunBook(given: {
  readonly path: string
  readonly clock: Pick<Clock, 'now'>
  /** When the computer was switched on. */
  readonly bootedAt: number
  readonly pid: number
  readonly dataFolder: string
  readonly onTrouble: () => void
}): RunBook {
  const { path, clock, bootedAt, pid, dataFolder } = given
  const startedAt = clock.now()
  const found = atStart(readRunBook(path), startedAt, bootedAt)
  const start = howToStart(found, startedAt)
  const book = afterDecision(found, start, startedAt)
  let crashedAt = book.crashedAt
  const write = (content: RunBookContent): void => {
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(`${path}.tmp`, JSON.stringify(content))
      renameSync(`${path}.tmp`, path)
    } catch (error) {
      if (errorCode(error) === undefined) throw error
      given.onTrouble()
    }
  }
  write({ ...book, current: { pid, startedAt, dataFolder } })
  return {
    start,
    end: (how) => {
      if (how === 'crash') crashedAt = [...book.crashedAt, clock.now()]
      write({ current: null, crashedAt })
    },
  }
}

function readRunBook(path: string): RunBookContent {
  try {
    return runBookSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? EMPTY
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) !== undefined) return EMPTY
    throw error
  }
}

/** Waits as the start asks, and says so. */
export async function waitAfterCrash(
  { as, waitMs, crashes }: Start,
  clock: Pick<Clock, 'after'>,
  logger: Logger,
): Promise<void> {
  if (crashes > 0 || as === 'safe') logger.warn('it ended by itself before', { crashes, as, waitMs })
  if (waitMs === 0) return
  const { promise, resolve } = Promise.withResolvers<void>()
  clock.after(waitMs, resolve)
  await promise
}
