/** A process that opens foreign files, as the station starts, hears and ends it. The processes are played. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { FolderProcess, openForeignFiles } from '../../../../src-main/station/readers/folder-process.ts'
import { openLister, openWatcher } from '../../../../src-main/station/readers/watcher.ts'
import type { StartProcess } from '../../../../src-main/station/ports.ts'
import type { Asked, Read } from '../../../../src-main/reader/messages.ts'
import type { FileMark, WatchEvent } from '../../../../src-main/reader/watch-messages.ts'
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
  const listFolder = openLister(on.options)
  const list = () => listFolder('/exports').next()
  const first = expect(list()).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  await on.clock.turn(45_000)
  await first
  await expect(list()).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  expect(on.played).toHaveLength(1)
  on.played[0]!.end()
  const again = list()
  await vi.waitFor(() => expect(on.played).toHaveLength(2))
  on.played[1]!.say({ kind: 'answered', id: 1 })
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

/** What a process says of one file that it reads. */
const reading = (name: string, more: Partial<Read> = {}, memoryMb = 50) => ({
  ...alive(0, true),
  memoryMb,
  reads: [
    {
      path: join('/exports', name),
      stamp: { sizeBytes: 7, mtimeMs: 9 },
      bytes: 7,
      entries: 0,
      processorMs: 1,
      ...more,
    },
  ],
})
const markOf = (relativePath: string) => ({ folderPath: '/exports', relativePath, sizeBytes: 7, mtimeMs: 9 })
const question = (name: string) => ({ kind: 'question', question: 1, files: [markOf(name)] })

/** A watched folder whose suspects are these; `written` is what was held against files, with how many processes there were. */
function suspecting(on: ReturnType<typeof stage>, suspects: Record<string, number> = {}) {
  const events: WatchEvent[] = []
  const written: string[] = []
  const watcher = openWatcher({
    ...on.options,
    folder: { path: '/exports', settleMs: 1_000, sweepMs: 86_400_000, lease: null },
    onEvent: (event) => events.push(event),
    lookup: (files) =>
      files.map(({ relativePath: name }) => {
        const inMs = suspects[name]
        return inMs === undefined ? 'new' : { as: 'suspect', inMs }
      }),
    recordDeaths: (files, isProof) => {
      const names = files.map(({ relativePath }) => relativePath).join()
      written.push(`${names} ${isProof ? 'proven' : 'perhaps'} ${on.played.length}`)
      for (const { relativePath } of files) suspects[relativePath] ??= 60_000
      return true
    },
  })
  return { watcher, written, kinds: () => events.map(({ kind }) => kind) }
}

describe('a death amid a file', () => {
  it('is written down before another process starts, at once, and the folder is watched as before', () => {
    const on = stage()
    const { written, kinds } = suspecting(on)
    for (const times of [1, 2, 3, 4]) {
      const child = on.played.at(-1)!
      child.say(swept)
      child.say(reading(`${times}.jpg`))
      child.end()
      expect([written.at(-1), on.played.length]).toEqual([`${times}.jpg perhaps ${times}`, times + 1])
    }
    on.played.at(-1)!.say(swept)
    expect(kinds()).toEqual(Array.from({ length: 5 }, () => 'swept'))
  })

  it('is not one of a file that was read before', () => {
    const on = stage()
    const { written, kinds } = suspecting(on)
    on.played[0]!.say(reading('a.jpg'))
    on.played[0]!.say(alive(1))
    on.played[0]!.end()
    expect([written, kinds(), on.played.length]).toEqual([[], ['unreachable'], 1])
  })

  it('is one of the bytes that were read, not of the former ones that were emitted', () => {
    const on = stage()
    const marks: FileMark[] = []
    openWatcher({
      ...on.options,
      folder: { path: '/exports', settleMs: 1_000, sweepMs: 86_400_000, lease: null },
      onEvent: () => undefined,
      lookup: (files) => files.map(() => 'new'),
      recordDeaths: (files) => marks.push(...files) > 0,
    })
    const former = { ...markOf('a.jpg'), sizeBytes: 5, content: 'image/jpeg' }
    on.played[0]!.say({ kind: 'event', event: { kind: 'settled', file: former } })
    on.played[0]!.say(reading('a.jpg'))
    on.played[0]!.end()
    expect(marks).toEqual([markOf('a.jpg')])
  })

  it('that cannot be written down is followed by a pause, as one without a file', async () => {
    const on = stage()
    watch(on)
    on.played[0]!.say(reading('a.jpg'))
    on.played[0]!.end()
    expect(on.played).toHaveLength(1)
    await on.clock.turn(1_000)
    expect(on.played).toHaveLength(2)
  })

  it.each([
    ['processor time', reading('a.jpg', { processorMs: 10_100 })],
    ['memory', reading('a.jpg', {}, 701)],
  ])('is made if the file takes too much %s', (_what, sign) => {
    const on = stage()
    const { written } = suspecting(on)
    on.played[0]!.say(sign)
    expect([on.played[0]!.isKilled, written, on.played.length]).toEqual([true, ['a.jpg perhaps 1'], 2])
  })
})

/** The latest process reads this file and nothing of it, until it is ended for that. */
async function hang(on: ReturnType<typeof stage>, name: string): Promise<void> {
  const child = on.played.at(-1)!
  child.say(reading(name))
  while (!child.isKilled) await on.clock.turn(1_000)
  child.end()
}

describe('a file that hangs', () => {
  it('is held against it once the folder has answered, before it is asked for again', async () => {
    const on = stage()
    const { written, kinds } = suspecting(on)
    on.played[0]!.say(swept)
    await hang(on, 'a.jpg')
    expect([kinds(), written]).toEqual([['swept', 'unreachable'], []])
    await on.clock.turn(1_000)
    on.played[1]!.say(question('a.jpg'))
    expect(written).toEqual(['a.jpg perhaps 2'])
    expect(on.played[1]!.received.at(-1)).toMatchObject({ results: [{ as: 'suspect', inMs: 60_000 }] })
    // The others come in, and the folder is watched.
    on.played[1]!.say(alive(1))
    on.played[1]!.say(swept)
    expect(kinds()).toEqual(['swept', 'unreachable', 'swept'])
  })

  it('is noticed although the folder is swept all the while, and not while bytes of it come', async () => {
    const on = stage()
    suspecting(on)
    const child = on.played[0]!
    const sweepFor = async (ms: number, steps: (nth: number) => number): Promise<void> => {
      for (let nth = 1; nth * 5_000 <= ms; nth += 1) {
        child.say({ ...reading('a.jpg'), steps: steps(nth) })
        child.say(swept)
        await on.clock.turn(5_000)
      }
    }
    await sweepFor(300_000, (nth) => nth)
    expect(child.isKilled).toBe(false)
    await sweepFor(55_000, () => 60)
    expect(child.isKilled).toBe(true)
  })

  it('is not held against it while the folder does not answer, and the pauses grow', async () => {
    const on = stage()
    const { written, kinds } = suspecting(on)
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000]) {
      const { length } = on.played
      await hang(on, 'a.jpg')
      await on.clock.turn(pauseMs - 1)
      expect(on.played).toHaveLength(length)
      await on.clock.turn(1)
      expect(on.played).toHaveLength(length + 1)
    }
    expect([written, new Set(kinds())]).toEqual([[], new Set(['unreachable'])])
  })

  it('is one of the share if another hangs, too, and nothing was read: the folder stays out of reach', async () => {
    const on = stage()
    const { written, kinds } = suspecting(on)
    for (const name of ['a.jpg', 'b.jpg']) {
      await hang(on, name)
      await on.clock.turn(2_000)
      on.played.at(-1)!.say(question(name))
      on.played.at(-1)!.say(alive(0))
      on.played.at(-1)!.say(swept)
    }
    expect(written).toHaveLength(2)
    expect(kinds().at(-1)).toBe('unreachable')
    on.played.at(-1)!.say(alive(1))
    expect(kinds().at(-1)).toBe('swept')
  })
})

describe('a suspect', () => {
  const due = async (suspects: Record<string, number> = { 'a.jpg': 60_000 }) => {
    const on = stage()
    const watched = suspecting(on, suspects)
    const [folder] = on.played
    folder!.say(question('a.jpg'))
    const turn = async (ms: number): Promise<void> => {
      for (let turned = 0; turned < ms; turned += 5_000) {
        folder!.say(alive(0))
        await on.clock.turn(5_000)
      }
    }
    return { ...watched, on, folder: folder!, turn }
  }

  it('is read when it may be, in a process of its own, and what it is goes to the one of the folder', async () => {
    const { on, folder, turn } = await due()
    await turn(55_000)
    expect(on.played).toHaveLength(1)
    await turn(5_000)
    await vi.waitFor(() => expect(on.played).toHaveLength(2))
    const { id, request } = on.played[1]!.received.at(-1) as Asked & { kind: 'request' }
    expect([request.ask, request.parameters[0]]).toEqual(['inspect', join('/exports', 'a.jpg')])
    const found = { kind: 'whole', content: 'image/jpeg' }
    on.played[1]!.say({ kind: 'answer', id, value: found })
    await vi.waitFor(() =>
      expect(folder.received.at(-1)).toEqual({ kind: 'inspected', file: markOf('a.jpg'), found }),
    )
  })

  it('is read although a former version of it is dealt with meanwhile', async () => {
    const { on, turn, watcher } = await due()
    watcher.acknowledge({ ...markOf('a.jpg'), sizeBytes: 5, content: 'image/jpeg' })
    await turn(60_000)
    await vi.waitFor(() => expect(on.played).toHaveLength(2))
  })

  it('on which that process dies has the proof against it; it is looked up again', async () => {
    const { on, folder, turn, written, kinds } = await due()
    await turn(60_000)
    await vi.waitFor(() => expect(on.played).toHaveLength(2))
    on.played[1]!.say(reading('a.jpg'))
    on.played[1]!.end()
    expect(written).toEqual(['a.jpg proven 2'])
    await vi.waitFor(() => expect(on.clock.timerCount).toBeGreaterThan(2))
    expect([kinds(), folder.isKilled]).toEqual([[], false])
  })

  it('that hangs there has the proof against it once the folder has answered', async () => {
    const { on, folder, turn, written } = await due()
    await turn(60_000)
    await vi.waitFor(() => expect(on.played).toHaveLength(2))
    on.played[1]!.say(reading('a.jpg'))
    await turn(50_000)
    expect([on.played[1]!.isKilled, written]).toEqual([true, []])
    await vi.waitFor(() => expect(folder.received.at(-1)).toEqual({ kind: 'sweep' }))
    folder.say(swept)
    expect(written).toEqual([expect.stringMatching(/^a.jpg proven/)])
    expect(folder.received.at(-1)).toEqual({ kind: 'readAgain', fileNames: ['a.jpg'] })
  })
})
