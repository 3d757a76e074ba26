/** A process that opens foreign files, as the station starts, hears and ends it. The processes are played. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { FolderProcess, openForeignFiles } from '../../../../src-main/station/readers/folder-process.ts'
import { listFolder, openWatcher } from '../../../../src-main/station/readers/watcher.ts'
import type { StartProcess } from '../../../../src-main/station/ports.ts'
import type { WatchEvent } from '../../../../src-main/station/watch/watch.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

type Played = {
  readonly say: (message: unknown) => void
  readonly end: () => void
  readonly received: unknown[]
  isKilled: boolean
}

/** Processes that only say and do what the test does. */
function stage() {
  const played: Played[] = []
  const startProcess: StartProcess = (_program, { onMessage, onExit }) => {
    const one: Played = { say: onMessage, end: () => onExit('played'), received: [], isKilled: false }
    played.push(one)
    return { send: (message) => one.received.push(message), kill: () => void (one.isKilled = true) }
  }
  const clock = new ManualClock()
  const program = new URL('file:///played')
  return { played, clock, options: { program, startProcess, clock, logger: createRecordingLogger() } }
}

const alive = (steps: number, isReading = false) => ({ kind: 'alive', steps, isReading })
const swept = { kind: 'event', event: { kind: 'swept' } }

function watch({ options }: ReturnType<typeof stage>) {
  const events: WatchEvent[] = []
  const watcher = openWatcher({
    ...options,
    folder: { path: '/exports', settleMs: 1_000, sweepMs: 86_400_000, lease: null },
    onEvent: (event) => events.push(event),
    lookup: (files) => files.map(() => 'new'),
  })
  return { watcher, kinds: () => events.map(({ kind }) => kind) }
}

it('a sweep that proved nothing counts once files could be read, whatever came in between', async () => {
  const on = stage()
  const { kinds } = watch(on)
  await on.clock.turn(45_000)
  on.played[0]!.end()
  await on.clock.turn(1_000)
  const second = on.played[1]!
  second.say(swept)
  second.say({ kind: 'event', event: { kind: 'noteCleared', fileName: 'a.jpg' } })
  expect(kinds()).toEqual(['unreachable', 'noteCleared'])
  second.say(alive(1, true))
  expect(kinds()).toEqual(['unreachable', 'noteCleared', 'swept'])
})

it('a computer that slept has not made its processes hang', async () => {
  const on = stage()
  let sleptMs = 0
  const { monotonicMs } = on.clock
  vi.spyOn(on.clock, 'monotonicMs').mockImplementation(() => monotonicMs() + sleptMs)
  const { kinds } = watch(on)
  await on.clock.turn(4_000)
  sleptMs = 3_600_000
  await on.clock.turn(5_000)
  expect([kinds(), on.played[0]!.isKilled]).toEqual([[], false])
  await on.clock.turn(45_000)
  expect(kinds()).toEqual(['unreachable'])
})

it('plans nothing once it is closed while two cannot be ended', async () => {
  const on = stage()
  const { watcher } = watch(on)
  await on.clock.turn(60_000 + 60_000)
  expect(on.played.map(({ isKilled }) => isKilled)).toEqual([true, true])
  await watcher.close()
  await on.clock.turn(600_000)
  expect([on.played.length, on.clock.timerCount]).toEqual([2, 0])
})

it('a folder is not listed while a former process hangs there and cannot be ended', async () => {
  const on = stage()
  const former = new Map<string, FolderProcess>()
  const list = () => listFolder('/exports', on.options, former).next()
  const first = expect(list()).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  await on.clock.turn(45_000)
  await first
  await expect(list()).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  expect(on.played).toHaveLength(1)
  on.played[0]!.end()
  const again = list()
  await vi.waitFor(() => expect(on.played).toHaveLength(2))
  on.played[1]!.say({ kind: 'files', files: [] })
  on.played[1]!.end()
  expect(await again).toMatchObject({ done: true })
})

it('one that hangs and cannot be ended is not forgotten and followed by another for each request', async () => {
  const on = stage()
  const files = openForeignFiles(on.options)
  for (let round = 0; round < 6; round += 1) {
    const hashing = files.hash('/a').catch(() => null)
    await on.clock.turn(120_000)
    await hashing
  }
  expect(on.played).toHaveLength(2)
})

it('what a process was writing when it ended is removed, and nothing else', async () => {
  const on = stage()
  const spoolFolder = temporaryFolder()
  const incoming = join(spoolFolder, 'incoming')
  mkdirSync(incoming)
  const child = new FolderProcess({
    ...on.options,
    beginning: {},
    onMessage: () => undefined,
    onAlive: () => undefined,
    onLost: () => undefined,
  })
  const expected = { sizeBytes: 1, mtimeMs: 1 }
  const copying = child.files.copy({ sourcePath: '/a', spoolFolder, expected }).catch(() => null)
  await vi.waitFor(() => expect(on.played[0]!.received).toHaveLength(2))
  const { prefix } = on.played[0]!.received[0] as { prefix: string }
  writeFileSync(join(incoming, `${prefix}1.tmp`), 'part')
  writeFileSync(join(incoming, 'other.tmp'), 'part')
  on.played[0]!.end()
  await copying
  await vi.waitFor(() => expect(readdirSync(incoming)).toEqual(['other.tmp']))
})
