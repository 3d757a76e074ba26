/** The process that watches a folder, as the station sees it. */
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LEASE_NAME } from '../../../../src-main/reader/folder/lease.ts'
import { openWatcher, type WatcherOptions } from '../../../../src-main/station/readers/watcher.ts'
import type { Watcher, WatchEvent } from '../../../../src-main/reader/watch-messages.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { stationPorts } from '../../../tools/station-ports.ts'
import { temporaryFolder, temporaryProgram } from '../../../tools/temporary-folder.ts'
import { drawing } from '../../reader/draw-images.ts'
import { zipOf } from '../../reader/draw-zips.ts'

const { workers, startProcess, clock: realClock } = stationPorts()
const jpeg = await drawing().jpeg().toBuffer()
const SETTLE_MS = 300
/** So long that only hints can lead to a file. */
const NEVER_MS = 3_600_000
const SOON = { timeout: 10_000, interval: 5 }

let root: string
let path: string
let events: WatchEvent[]
let watcher: Watcher

beforeEach(async () => {
  root = temporaryFolder()
  path = join(root, 'exports')
  await mkdir(path)
  events = []
})
afterEach(() => watcher.close())

function open(options: Partial<WatcherOptions> = {}, sweepMs = NEVER_MS): void {
  watcher = openWatcher({
    folder: { path, settleMs: SETTLE_MS, sweepMs, lease: null },
    program: workers.watch,
    startProcess,
    clock: realClock,
    logger: createRecordingLogger(),
    lookup: (files) => files.map(() => 'new'),
    onEvent: (event) => events.push(event),
    ...options,
  })
}

const settled = (): string[] =>
  events.flatMap((event) => (event.kind === 'settled' ? [event.file.relativePath] : []))
const count = (kind: WatchEvent['kind']): number => events.filter((event) => event.kind === kind).length
const until = (kind: WatchEvent['kind'], times: number): Promise<void> =>
  vi.waitFor(() => expect(count(kind)).toBeGreaterThanOrEqual(times), SOON)
const untilSettled = (...names: readonly string[]): Promise<void> =>
  vi.waitFor(() => expect(new Set(settled())).toEqual(new Set(names)), SOON)
const sweep = async (): Promise<void> => {
  const before = count('swept')
  watcher.sweep()
  await until('swept', before + 1)
}

/** The first sweep, and the one that follows when hints are heard. */
const untilHeard = (): Promise<void> => until('swept', 2)

describe('the process that watches', () => {
  it('emits a file of a new folder after its last byte, by hints alone, also if the folder returns', async () => {
    open()
    await untilHeard()
    const visit = join(path, 'visit')
    for (const round of [1, 2]) {
      events = []
      await mkdir(join(visit, 'OD'), { recursive: true })
      await writeFile(join(visit, 'OD', `${round}.jpg`), jpeg.subarray(0, 100))
      await appendFile(join(visit, 'OD', `${round}.jpg`), jpeg.subarray(100))
      const writtenMs = performance.now()
      await untilSettled(`visit/OD/${round}.jpg`)
      expect(performance.now() - writtenMs).toBeGreaterThanOrEqual(SETTLE_MS - 50)
      await writeFile(join(visit, `${round}b.jpg`), jpeg)
      await untilSettled(`visit/OD/${round}.jpg`, `visit/${round}b.jpg`)
      await rm(visit, { recursive: true })
    }
  })

  it('looks files up before it opens them, sweeps on request, and is silent about acknowledged ones', async () => {
    const asked = new Set<string>()
    for (const name of ['known.jpg', 'new.jpg']) await writeFile(join(path, name), jpeg)
    open({
      lookup: (files) =>
        files.map(({ relativePath }) => {
          asked.add(relativePath)
          return relativePath === 'known.jpg' ? 'known' : 'new'
        }),
    })
    await untilSettled('new.jpg')
    await vi.waitFor(() => expect(asked).toEqual(new Set(['known.jpg', 'new.jpg'])), SOON)
    const before = settled().length
    await sweep()
    await vi.waitFor(() => expect(settled().length).toBeGreaterThan(before), SOON)
    const file = events.flatMap((event) => (event.kind === 'settled' ? [event.file] : []))[0]!
    watcher.acknowledge(file)
    await sweep()
    const acknowledged = settled().length
    for (let round = 0; round < 2; round += 1) await sweep()
    expect(settled()).toHaveLength(acknowledged)
  })

  it('recovers from a folder that goes away, hears it again, and warns with the code of the disk once', async () => {
    const logger = createRecordingLogger()
    open({ logger }, 200)
    await untilHeard()
    await rename(path, `${path}-away`)
    await until('unreachable', 1)
    await rename(`${path}-away`, path)
    await until('swept', count('swept') + 3)
    await writeFile(join(path, 'a.jpg'), jpeg)
    await untilSettled('a.jpg')
    expect(count('unreachable')).toBe(1)
    expect(logger.lines).toEqual([
      { level: 'warn', message: 'a watched folder cannot be reached', facts: { code: 'ENOENT' } },
    ])
  })

  it('emits nothing more when it is closed, and can be closed at once and twice', async () => {
    open({
      program: await temporaryProgram(`
        process.on('message', () => {
          process.send({ kind: 'event', event: { kind: 'swept' } })
          process.exit()
        })`),
    })
    await watcher.close()
    await watcher.close()
    expect(events).toEqual([])
  })

  it('leaves a lease in the folder while it watches, and none afterwards', async () => {
    const lease = { stationId: 's1', hostName: 'room-1' }
    open({ folder: { path, settleMs: SETTLE_MS, sweepMs: NEVER_MS, lease } })
    await until('guard', 1)
    expect(await readdir(path)).toEqual([LEASE_NAME])
    await watcher.close()
    expect(await readdir(path)).toEqual([])
  })

  it('opens the files of its folder, and its errors carry the code of the disk', async () => {
    await writeFile(join(path, 'a.jpg'), jpeg)
    open()
    const { files } = watcher
    const sha256 = createHash('sha256').update(jpeg).digest('hex')
    expect(await files.hash(join(path, 'a.jpg'))).toBe(sha256)
    expect(Buffer.from(await files.read(join(path, 'a.jpg'), 4))).toEqual(jpeg.subarray(0, 4))
    await expect(files.read(join(path, 'none'), 4)).rejects.toMatchObject({ code: 'ENOENT' })
    const { sizeBytes, mtimeMs, isFile } = await files.locate(join(path, 'a.jpg'))
    expect([sizeBytes, isFile]).toEqual([jpeg.length, true])
    const expected = { sizeBytes, mtimeMs }
    expect(await files.inspect(join(path, 'a.jpg'), expected)).toEqual({
      kind: 'whole',
      content: 'image/jpeg',
    })
    const copied = await files.copy({
      sourcePath: join(path, 'a.jpg'),
      spoolFolder: join(root, 'spool'),
      expected,
    })
    expect(copied).toMatchObject({ ok: true, sha256, sizeBytes })
    const zip = await zipOf([
      { name: 'a.jpg', bytes: jpeg },
      { name: 'b.jpg', bytes: jpeg },
    ])
    await writeFile(join(path, 'a.zip'), zip)
    const names: string[] = []
    for await (const entry of files.expand(join(path, 'a.zip'), root)) {
      if (entry.kind === 'file') expect(await readFile(entry.path)).toEqual(jpeg)
      names.push(String(entry.name))
    }
    expect(names).toEqual(['a.jpg', 'b.jpg'])
    expect((await readdir(root)).filter((name) => name.endsWith('.unpacked'))).toEqual([])
  })
})

describe('a process that fails', () => {
  const acknowledged = () =>
    ({ folderPath: path, relativePath: 'a', sizeBytes: 1, mtimeMs: 1, content: 'sidecar' }) as const

  it('is reported as trouble, and started again after a pause that grows', async () => {
    const clock = new ManualClock()
    const logger = createRecordingLogger()
    open({ program: await temporaryProgram('throw new Error("a defect")'), clock, logger })
    await until('unreachable', 1)
    for (const [index, pauseMs] of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000].entries()) {
      await clock.turn(pauseMs - 1)
      // The planned start, and the check whether the process is alive.
      expect(clock.timerCount).toBe(2)
      await clock.turn(1)
      await until('unreachable', index + 2)
    }
    expect(events[0]).toMatchObject({ reason: 'stopped' })
    expect(events.at(-1)).toMatchObject({ reason: 'stoppedAgain' })
    expect(logger.lines).toHaveLength(8)
  })

  it('resumes when it is started again', async () => {
    // Ends at its first start only.
    const text = `
      import { existsSync, writeFileSync } from 'node:fs'
      const mark = ${JSON.stringify(join(root, 'started'))}
      if (existsSync(mark)) await import(${JSON.stringify(workers.watch.href)})
      else { writeFileSync(mark, ''); process.exit(1) }`
    await writeFile(join(path, 'a.jpg'), jpeg)
    open({ program: await temporaryProgram(text) })
    await until('unreachable', 1)
    await untilSettled('a.jpg')
  })

  it('by hanging is ended and started again, and proves nothing until something was read', async () => {
    const clock = new ManualClock()
    const mark = join(root, 'starts')
    // Hangs at its first start; then it sweeps, and reads after it is asked to.
    const text = `
      import { appendFileSync, readFileSync } from 'node:fs'
      appendFileSync(${JSON.stringify(mark)}, 'x')
      const isFirst = readFileSync(${JSON.stringify(mark)}, 'utf8') === 'x'
      const alive = (steps) => process.send({ kind: 'alive', steps, isReading: true })
      process.on('message', ({ kind }) => {
        if (isFirst) return
        if (kind === 'watch') process.send({ kind: 'event', event: { kind: 'swept' } })
        if (kind === 'watch') alive(0)
        if (kind === 'sweep') alive(1)
        if (kind === 'close') process.exit()
      })`
    open({ program: await temporaryProgram(text), clock })
    await vi.waitFor(async () => expect(await readFile(mark, 'utf8')).toBe('x'), SOON)
    await clock.turn(44_999)
    expect(events).toEqual([])
    await clock.turn(5_000)
    expect(events).toEqual([{ kind: 'unreachable', reason: 'silent' }])
    await clock.turn(1_000)
    await vi.waitFor(async () => expect(await readFile(mark, 'utf8')).toBe('xx'), SOON)
    expect(count('swept')).toBe(0)
    await vi.waitFor(() => {
      watcher.sweep()
      expect(count('swept')).toBe(1)
    }, SOON)
  })

  it('does not take its folder along if it waits for one file, and is ended if it reads nothing of it', async () => {
    const clock = new ManualClock()
    const text = `
      process.on('message', ({ kind }) => {
        if (kind === 'close') process.exit()
        if (kind === 'request') setInterval(() => process.send({ kind: 'alive', steps: 3, isReading: true }), 2)
        else process.send({ kind: 'event', event: { kind: 'swept' } })
      })`
    open({ program: await temporaryProgram(text), clock })
    await until('swept', 1)
    const copying = watcher.files.hash(join(path, 'a'))
    const failed = expect(copying).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    for (let turnedMs = 0; turnedMs < 60_000 && count('unreachable') === 0; turnedMs += 5_000) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      await clock.turn(5_000)
    }
    await failed
    expect(events.at(-1)).toEqual({ kind: 'unreachable', reason: 'silent' })
  })

  it('again and again is not called watched after a short first sweep, until ten minutes have passed', async () => {
    const clock = new ManualClock()
    let questions = 0
    open({
      // Sweeps at its start and on request, asks all the time, and ends at the first acknowledged file.
      program: await temporaryProgram(`
        const swept = { kind: 'swept' }
        const sweep = () => process.send({ kind: 'event', event: swept })
        process.on('message', (message) => {
          if (message.kind === 'acknowledge') process.exit(1)
          if (message.kind === 'sweep') sweep()
          if (message.kind === 'close') process.exit(0)
        })
        sweep()
        setInterval(() => process.send({ kind: 'question', question: 1, files: [] }), 2)
        setInterval(() => process.send({ kind: 'alive', steps: 0, isReading: false }), 2)`),
      clock,
      lookup: () => ((questions += 1), []),
    })
    const untilAsked = async (): Promise<void> => {
      const before = questions
      await vi.waitFor(() => expect(questions).toBeGreaterThan(before), SOON)
    }
    const kinds = (): string => events.map(({ kind }) => kind).join(' ')
    const crash = async (times: number): Promise<void> => {
      await until('swept', times)
      watcher.acknowledge(acknowledged())
      await until('unreachable', times)
    }
    for (const [index, pauseMs] of [1_000, 2_000, 4_000].entries()) {
      await crash(index + 1)
      if (index < 2) expect(kinds()).toBe('swept unreachable '.repeat(index + 1).trim())
      else expect(events.at(-1)).toMatchObject({ reason: 'stoppedAgain' })
      await clock.turn(pauseMs)
    }
    // Started once more, it sweeps as before: that proves nothing now.
    const crashed = 'swept unreachable swept unreachable swept unreachable'
    await untilAsked()
    expect(kinds()).toBe(crashed)
    for (let turnedMs = 0; turnedMs < 9 * 60_000; turnedMs += 30_000) {
      await clock.turn(30_000)
      await untilAsked()
    }
    expect(kinds()).toBe(crashed)
    // Then without a sweep that anyone asks for.
    for (let turn = 0; turn < 2; turn += 1) {
      await clock.turn(30_000)
      await untilAsked()
    }
    await vi.waitFor(() => expect(kinds()).toBe(`${crashed} swept`), SOON)
  })
})
