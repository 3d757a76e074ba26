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
}

/** More often would cost more than what is measured does at rest. */
const EVERY_MS = 10
/** What is shorter is of no interest to anybody. */
const LEAST_MS = 10
const MOST_STALLS = 20_000

function waitedMs(): number {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8')
    return Number(text.split(' ')[1]) / 1_000_000
  } catch {
    return 0
  }
}

/** Both at one instant: who loses the processor between the two would take what it waits for its own. */
function instant(): { readonly now: number; readonly waited: number } {
  for (let tries = 1; ; tries += 1) {
    const now = performance.now()
    const waited = waitedMs()
    if (performance.now() - now < 1 || tries === 10) return { now, waited }
  }
}

const path = process.env['FUNDUS_COURIER_BENCH_PROBE']
if (isMainThread && path !== undefined) {
  const stalls: Stall[] = []
  let before = instant()
  const timer = setInterval(() => {
    const { now, waited } = instant()
    const ms = now - before.now - EVERY_MS
    if (ms >= LEAST_MS && stalls.length < MOST_STALLS)
      stalls.push({ at: Date.now(), ms, waitedMs: Math.min(ms, waited - before.waited) })
    before = { now, waited }
  }, EVERY_MS)
  timer.unref()
  // Looking so often costs as much as a station at rest.
  process.on('SIGUSR2', () => clearInterval(timer))
  process.on('exit', () => writeFileSync(path, JSON.stringify(stalls)))
}
