/** Two stations on one folder, each with its own clock: whatever happens, only one of them takes a file. */
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inspectFile } from '../../../../src-main/reader/inspect-file.ts'
import { FolderWatch } from '../../../../src-main/reader/folder/folder-watch.ts'
import { ACQUIRE_PAUSE_MS, LEASE_NAME, STALE_AFTER_MS } from '../../../../src-main/reader/folder/lease.ts'
import type { WatchEvent } from '../../../../src-main/reader/watch-messages.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { drawing } from '../draw-images.ts'
import { deafHints, SETTLE_MS, SWEEP_MS, type WatchedTestFolder } from './watched-folder.ts'

const jpeg = await drawing().jpeg().toBuffer()
const isRoot = process.getuid?.() === 0

type TestStation = Pick<WatchedTestFolder, 'clock' | 'watch' | 'events'> & {
  settled(): string[]
  guard(): string | undefined
  /** The machine sleeps: its monotonic clock and its timers stand still meanwhile. */
  sleep(ms: number): void
}

let path: string
let stations: TestStation[]
beforeEach(async () => {
  path = join(temporaryFolder(), 'exports')
  await mkdir(path)
  stations = []
})
afterEach(async () => {
  for (const one of stations) await one.watch.close()
})

/** The clocks of two machines have nothing to do with one another. */
function station(name: string, now = stations.length * 9_876_543 + 1_000_000): TestStation {
  const clock = new ManualClock({ now })
  let sleptMs = 0
  const events: WatchEvent[] = []
  const lease = { stationId: name, hostName: `room-${name}` }
  const watch = new FolderWatch({
    folder: { path, settleMs: SETTLE_MS, sweepMs: SWEEP_MS, lease },
    clock: { now: () => clock.now() + sleptMs, monotonicMs: clock.monotonicMs, after: clock.after },
    inspect: inspectFile,
    lookup: (marks) => Promise.resolve(marks.map(() => 'new' as const)),
    emit: (event) => {
      events.push(event)
      if (event.kind === 'settled') watch.acknowledge(event.file)
    },
    openHints: deafHints,
    onDefect: (error) => {
      throw error
    },
  })
  const made: TestStation = {
    clock,
    watch,
    events,
    settled: () => events.flatMap((event) => (event.kind === 'settled' ? [event.file.relativePath] : [])),
    guard: () => events.findLast((event) => event.kind === 'guard')?.guard,
    sleep: (ms) => void (sleptMs += ms),
  }
  stations.push(made)
  return made
}

/** Time passes for all of them alike, in steps in which each has its turn. */
async function pass(ms: number, whose = stations): Promise<void> {
  for (let left = ms; left > 0; left -= 500)
    for (const { clock } of whose) await clock.turn(Math.min(left, 500))
}

const lease = async (): Promise<{ stationId: string }> =>
  JSON.parse(await readFile(join(path, LEASE_NAME), 'utf8')) as { stationId: string }
const write = (name: string): Promise<void> => writeFile(join(path, name), jpeg)

describe('a station', () => {
  it('alone writes its lease, takes what is there when it stands, and leaves nothing when it ends', async () => {
    await write('a.jpg')
    const one = station('one')
    await pass(ACQUIRE_PAUSE_MS - 500)
    expect(one.settled()).toEqual([])
    await pass(1_000)
    expect(one.settled()).toEqual(['a.jpg'])
    expect(one.guard()).toBe('guarded')
    expect(await readdir(path)).toEqual([LEASE_NAME, 'a.jpg'])
    await one.watch.close()
    expect(await readdir(path)).toEqual(['a.jpg'])
  })

  it('that finds its own lease from before a restart needs not wait', async () => {
    await writeFile(join(path, LEASE_NAME), JSON.stringify({ stationId: 'one', beat: 7 }))
    await write('a.jpg')
    const one = station('one')
    await pass(SETTLE_MS)
    expect(one.settled()).toEqual(['a.jpg'])
  })

  it('that finds another alive takes nothing and names its place', async () => {
    const one = station('one')
    await pass(3_000)
    const two = station('two')
    await write('a.jpg')
    await pass(2 * STALE_AFTER_MS)
    expect(one.settled()).toEqual(['a.jpg'])
    expect(two.settled()).toEqual([])
    expect(two.events).toEqual([{ kind: 'guard', guard: 'taken', hostName: 'room-one' }])
    expect(await lease()).toMatchObject({ stationId: 'one' })
  })

  it('takes over soon after the other has ended in order', async () => {
    const one = station('one')
    await pass(3_000)
    const two = station('two')
    await pass(3_000)
    await one.watch.close()
    await write('a.jpg')
    await pass(10_000 + ACQUIRE_PAUSE_MS + SETTLE_MS, [two])
    expect(two.settled()).toEqual(['a.jpg'])
    expect(two.guard()).toBe('guarded')
  })

  it('takes over from one that stands still, and not before its time', async () => {
    const one = station('one')
    await pass(3_000)
    const two = station('two')
    await write('a.jpg')
    await pass(STALE_AFTER_MS - 10_000, [two])
    expect(two.settled()).toEqual([])
    await pass(30_000, [two])
    expect(two.settled()).toEqual(['a.jpg'])
    // The first one wakes up, and sees it before it emits anything.
    await write('b.jpg')
    await pass(2 * SWEEP_MS)
    expect(one.guard()).toBe('taken')
    expect(one.settled()).toEqual([])
    expect(two.settled()).toEqual(['a.jpg', 'b.jpg'])
  })

  it('that slept checks before it emits what had settled', async () => {
    const one = station('one')
    await pass(3_000)
    await write('a.jpg')
    one.watch.sweep()
    await one.clock.turn(SETTLE_MS - 1)
    // Meanwhile another has taken over.
    one.sleep(STALE_AFTER_MS)
    await writeFile(join(path, LEASE_NAME), JSON.stringify({ stationId: 'two', hostName: 'x', beat: 1 }))
    await one.clock.turn(1)
    expect(one.settled()).toEqual([])
    expect(one.guard()).toBe('taken')
  })

  it('loses a race in which the other wrote last, and both know who won', async () => {
    await write('a.jpg')
    // Both check before either has written: the second one writes over the lease of the first.
    const one = station('one')
    await rename(join(path, LEASE_NAME), join(path, '.kept'))
    const two = station('two')
    await pass(5_000)
    expect(await lease()).toMatchObject({ stationId: 'two' })
    expect(two.settled()).toEqual(['a.jpg'])
    expect(one.settled()).toEqual([])
    expect([one.guard(), two.guard()]).toEqual(['taken', 'guarded'])
  })

  it('of several that wait for a dead one, one takes over', async () => {
    await writeFile(join(path, LEASE_NAME), JSON.stringify({ stationId: 'dead', beat: 7 }))
    await write('a.jpg')
    for (const name of ['one', 'two', 'three']) station(name)
    await pass(STALE_AFTER_MS + 60_000)
    expect(stations.flatMap((one) => one.settled())).toEqual(['a.jpg'])
    expect(stations.filter((one) => one.guard() === 'guarded')).toHaveLength(1)
  })

  it('whose share was away checks for the other again when it is back', async () => {
    const one = station('one')
    await pass(3_000)
    const two = station('two')
    await pass(3_000)
    await rename(path, `${path}-away`)
    await pass(2 * STALE_AFTER_MS)
    for (const each of [one, two])
      expect(each.events.filter((event) => event.kind === 'unreachable')).toHaveLength(1)
    await rename(`${path}-away`, path)
    await write('a.jpg')
    await pass(2 * STALE_AFTER_MS)
    expect(one.settled()).toEqual(['a.jpg'])
    expect(two.settled()).toEqual([])
  })
})

describe('something odd under the name of the lease', () => {
  it.each([
    ['a text', () => writeFile(join(path, LEASE_NAME), 'no lease')],
    ['nothing', () => writeFile(join(path, LEASE_NAME), '')],
    ['a long file', () => writeFile(join(path, LEASE_NAME), 'x'.repeat(100_000))],
    ['a link', () => symlink('/etc/hostname', join(path, LEASE_NAME))],
  ])('that is %s is waited for, then replaced', async (_what, make) => {
    await make()
    await write('a.jpg')
    const one = station('one')
    await pass(STALE_AFTER_MS - 10_000)
    expect(one.settled()).toEqual([])
    await pass(30_000)
    expect(one.settled()).toEqual(['a.jpg'])
    expect(await lease()).toMatchObject({ stationId: 'one' })
  })

  it('that is a folder is waited for, and the folder is not guarded', async () => {
    await mkdir(join(path, LEASE_NAME, 'x'), { recursive: true })
    await write('a.jpg')
    const one = station('one')
    await pass(STALE_AFTER_MS + 30_000)
    expect(one.settled()).toEqual(['a.jpg'])
    expect(one.guard()).toBe('unguarded')
  })

  it('left by half a writing is written through no link', async () => {
    const outside = join(path, '..', 'outside.txt')
    await writeFile(outside, 'untouched')
    await symlink(outside, join(path, `${LEASE_NAME}-one.tmp`))
    const one = station('one')
    await pass(3_000)
    expect(one.guard()).toBe('guarded')
    expect(await readFile(outside, 'utf8')).toBe('untouched')
    await rm(outside)
  })
})

it('a folder that may only be read is watched without a guard', async ({ skip }) => {
  skip(isRoot, 'root may write everywhere; folder-reach.test.ts has a read-only mount')
  skip(process.platform === 'win32', 'Windows has no such mode for folders')
  await write('a.jpg')
  await chmod(path, 0o555)
  const one = station('one')
  await pass(SETTLE_MS)
  expect(one.settled()).toEqual(['a.jpg'])
  expect(one.guard()).toBe('unguarded')
  await chmod(path, 0o755)
})
