/** What the near side says of a folder whose thread dies again and again. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openWatcher, type Watcher, type WatchEvent } from '../../../../src-main/station/watch/watch.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'

const SOON = { timeout: 10_000, interval: 5 }
const MINUTE = 60_000

let root: string
let path: string
let events: WatchEvent[]
let watcher: Watcher

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'deaths-'))
  path = join(root, 'exports')
  await mkdir(path)
  events = []
})
afterEach(async () => {
  await watcher.close()
  await rm(root, { recursive: true })
})

const kinds = (): string[] => events.map(({ kind }) => kind)
const until = (...expected: readonly string[]): Promise<void> =>
  vi.waitFor(() => expect(kinds()).toEqual(expected), SOON)

/** Sweeps when it starts and when it is asked to, asks all the time, and dies of the first file that is acknowledged. */
const DYING = `
  import { parentPort } from 'node:worker_threads'
  const swept = { kind: 'swept', folderPath: 'x', at: 0, fileCount: 1, otherCount: 0 }
  const sweep = () => parentPort.postMessage({ kind: 'event', event: swept })
  parentPort.on('message', (message) => {
    if (message.kind === 'acknowledge') process.exit(1)
    if (message.kind === 'sweep') sweep()
    if (message.kind === 'close') process.exit(0)
  })
  sweep()
  setInterval(() => parentPort.postMessage({ kind: 'question', question: 1, files: [] }), 2)`

it('a short first sweep does not make it watched again, until ten minutes have passed', async () => {
  const program = join(root, 'worker.mjs')
  await writeFile(program, DYING)
  const clock = new ManualClock()
  let heard = 0
  watcher = openWatcher({
    folder: { path, settleMs: 1, sweepMs: MINUTE, lease: null },
    workerUrl: pathToFileURL(program),
    clock,
    lookup: () => ((heard += 1), []),
    onEvent: (event) => events.push(event),
  })
  const untilHeard = async (): Promise<void> => {
    const before = heard
    await vi.waitFor(() => expect(heard).toBeGreaterThan(before), SOON)
  }
  const die = (): void =>
    watcher.acknowledge({ folderPath: path, relativePath: 'a', sizeBytes: 1, mtimeMs: 1, content: 'sidecar' })
  await until('swept')
  die()
  await until('swept', 'unreachable')
  await clock.turn(1_000)
  await until('swept', 'unreachable', 'swept')
  die()
  await until('swept', 'unreachable', 'swept', 'unreachable')
  await clock.turn(2_000)
  await until('swept', 'unreachable', 'swept', 'unreachable', 'swept')
  die()
  const dead = ['swept', 'unreachable', 'swept', 'unreachable', 'swept', 'unreachable']
  await until(...dead)
  expect(events.at(-1)).toMatchObject({ reason: expect.stringMatching(/again and again/) })
  // Started once more, it sweeps as before: that proves nothing now.
  await clock.turn(4_000)
  await untilHeard()
  expect(kinds()).toEqual(dead)
  for (let passedMs = 0; passedMs < 9 * MINUTE; passedMs += 30_000) {
    await clock.turn(30_000)
    await untilHeard()
  }
  expect(kinds()).toEqual(dead)
  // Then by itself, without a sweep that somebody asks for.
  await clock.turn(30_000)
  await untilHeard()
  await clock.turn(30_000)
  await until(...dead, 'swept')
})

it('a folder that goes away is a warning with the code of the disk, once', async () => {
  const logger = createRecordingLogger()
  watcher = openWatcher({
    folder: { path, settleMs: 300, sweepMs: 100, lease: null },
    workerUrl: new URL('../../../../src-main/station/watch/watch-worker.ts', import.meta.url),
    logger,
    onEvent: (event) => events.push(event),
  })
  await vi.waitFor(() => expect(kinds()).toContain('swept'), SOON)
  await rename(path, `${path}-away`)
  await vi.waitFor(() => expect(kinds()).toContain('unreachable'), SOON)
  await rename(`${path}-away`, path)
  await vi.waitFor(() => expect(kinds().at(-1)).toBe('swept'), SOON)
  expect(logger.lines).toEqual([
    { level: 'warn', message: 'a watched folder cannot be reached', facts: { code: 'ENOENT' } },
  ])
})
