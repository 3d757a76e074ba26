/**
 * Loaded with `--import` into a program that is measured: notes whenever its main thread did nothing else for a while,
 * and writes that down when the program ends. The file is named by FUNDUS_COURIER_BENCH_PROBE.
 *
 * SIGUSR2 ends the looking. On a busy machine a thread also stands still because another program has the processor. Linux counts that
 * (/proc/PID/task/TID/schedstat, the second number, nanoseconds), so that it can be distinguished.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** One time in which the main thread answered nothing. */
export type Stall = {
  /** When it was over, epoch milliseconds. */
  readonly at: number
  readonly ms: number
  /** How much of it the thread wanted to run and was not let. */
  readonly waitedMs: number
  /** How much of it the thread was run. It waits for a slow disk in the rest. */
  readonly ranMs: number
}

/** More often would cost more than what is measured does at rest. */
const EVERY_MS = 10
/** What is shorter is of no interest to anybody. */
const LEAST_MS = 10
const MOST_STALLS = 20_000

function countsOfThread(): { readonly ran: number; readonly waited: number } {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8')
    const [ran = 0, waited = 0] = text.split(' ').map((nanoseconds) => Number(nanoseconds) / 1_000_000)
    return { ran, waited }
  } catch {
    return { ran: 0, waited: 0 }
  }
}

/** Both at one instant: who loses the processor between the two would take what it waits for its own. */
function instant(): { readonly now: number; readonly ran: number; readonly waited: number } {
  for (let tries = 1; ; tries += 1) {
    const now = performance.now()
    const counts = countsOfThread()
    if (performance.now() - now < 1 || tries === 10) return { now, ...counts }
  }
}

const path = process.env['FUNDUS_COURIER_BENCH_PROBE']
if (isMainThread && path !== undefined) {
  const stalls: Stall[] = []
  let before = instant()
  const timer = setInterval(() => {
    const after = instant()
    const ms = after.now - before.now - EVERY_MS
    if (ms >= LEAST_MS && stalls.length < MOST_STALLS)
      stalls.push({
        at: Date.now(),
        ms,
        waitedMs: Math.min(ms, after.waited - before.waited),
        ranMs: Math.min(ms, after.ran - before.ran),
      })
    before = after
  }, EVERY_MS)
  timer.unref()
  // Looking so often costs as much as a station at rest.
  process.on('SIGUSR2', () => clearInterval(timer))
  process.on('exit', () => writeFileSync(path, JSON.stringify(stalls)))
}
