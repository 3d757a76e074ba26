/**
 * A setup file: records the processor time of each test and each file, which a busy machine does not stretch
 * as it does wall time. The reporter `tools/run-report.ts` reads it.
 *
 * Counted are the thread of the file with its hooks and imports (V8's own threads work for other files, too), and on Linux the
 * processes that it started, each once it has ended. The browser that is shared by a run is not counted.
 */
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, type TaskMeta } from 'vitest'

/** Linux counts in hundredths of a second, whatever its kernel's clock is. */
const TICK_MS = 10

const fileBeganAt = processorMs()
let testBeganAt = fileBeganAt

beforeEach(() => {
  testBeganAt = processorMs()
})
afterEach(({ task }) => note(task.meta, testBeganAt))
// Registered first and so run last, after the hooks that end what a file started.
// oxlint-disable-next-line eslint/no-empty-pattern -- vitest demands a pattern there
afterAll(({}, file) => note(file.meta, fileBeganAt))

function note(meta: TaskMeta, since: number): void {
  meta.processorMs = Math.round(processorMs() - since)
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000 + (isMainThread ? endedChildrenMs() : 0)
}

/** Of a process, not of a thread: a project that runs in threads starts none. */
function endedChildrenMs(): number {
  if (process.platform !== 'linux') return 0
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // The name of the program is in parentheses and may hold spaces; the fields after it begin with the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS
}
