/** A program of its own: chokidar on the folder that is named, until it is ready. Prints what that took as JSON. */
import { watch } from 'chokidar'

export type Watched = {
  readonly readySeconds: number
  readonly grownMegabytes: number
  readonly stallMs: number
}

const EVERY_MS = 5

const [root = '.'] = process.argv.slice(2)
/** Linux gives it in KiB (getrusage(2)). */
const peakMegabytes = (): number => (process.resourceUsage().maxRSS * 1_024) / 1_000_000

const before = peakMegabytes()
const startedAt = performance.now()
let lastAt = startedAt
let stallMs = 0
const poll = (): void => {
  const now = performance.now()
  stallMs = Math.max(stallMs, now - lastAt - EVERY_MS)
  lastAt = now
}
const timer = setInterval(poll, EVERY_MS)
const watcher = watch(root)
await new Promise<void>((resolve) => watcher.once('ready', resolve))
poll()
clearInterval(timer)
const watched: Watched = {
  readySeconds: (performance.now() - startedAt) / 1_000,
  grownMegabytes: peakMegabytes() - before,
  stallMs,
}
console.log(JSON.stringify(watched))
await watcher.close()
