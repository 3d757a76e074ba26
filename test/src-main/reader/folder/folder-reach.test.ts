/** Folders as clinics have them: they come and go, bear names of all kinds, and may be closed in part. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { OpenHints } from '../../../../src-main/reader/folder/hints.ts'
import { LEASE_NAME } from '../../../../src-main/reader/folder/lease.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { drawing } from '../draw-images.ts'
import { type MountedFolder, mountedFolder, whyNoMounts } from './mounted-folder.ts'
import { deafHints, SETTLE_MS, SWEEP_MS, watchFolder, type WatchedTestFolder } from './watched-folder.ts'

const jpeg = await drawing().jpeg().toBuffer()
const half = jpeg.subarray(0, jpeg.length / 2)
/** An unreachable folder is tried again at least this often. */
const RETRY_MS = 15_000
const noMounts = whyNoMounts()

async function watching(...made: Parameters<typeof watchFolder>): Promise<WatchedTestFolder> {
  const folder = await watchFolder(...made)
  onTestFinished(() => folder.close())
  return folder
}

const settledIn = (folder: WatchedTestFolder): string[] => [
  ...new Set(folder.events.flatMap((event) => (event.kind === 'settled' ? [event.file.relativePath] : []))),
]
const acknowledgeAll = (folder: WatchedTestFolder): void => {
  for (const name of settledIn(folder)) folder.watch.acknowledge(folder.settledFile(name))
}
const sweepsOf = (folder: WatchedTestFolder): number =>
  folder.events.filter(({ kind }) => kind === 'swept').length

const goAway = ({ path }: WatchedTestFolder): Promise<void> => rename(path, `${path}-away`)
const comeBack = ({ path }: WatchedTestFolder): Promise<void> => rename(`${path}-away`, path)
const NOT_THERE = 'unreachable: notThere'

describe('a folder', () => {
  it('that goes away is reported each time once, and loses nothing of what settles or comes meanwhile', async () => {
    const folder = await watching({ 'a.jpg': jpeg, 'b.jpg': half })
    await goAway(folder)
    await folder.clock.turn(2 * SETTLE_MS)
    expect(folder.emitted()).toEqual([NOT_THERE])
    await comeBack(folder)
    await folder.clock.turn(SWEEP_MS)
    expect(folder.emitted().filter((event) => !event.endsWith('b.jpg'))).toEqual(['settled a.jpg'])
    acknowledgeAll(folder)
    await goAway(folder)
    await folder.clock.turn(5 * SWEEP_MS)
    expect(folder.emitted()).toEqual([NOT_THERE])
    await comeBack(folder)
    await folder.write('c.jpg', jpeg)
    const before = sweepsOf(folder)
    await folder.clock.turn(RETRY_MS + SETTLE_MS)
    expect(sweepsOf(folder)).toBeGreaterThan(before)
    expect(folder.emitted().filter((event) => !event.endsWith('b.jpg'))).toEqual(['settled c.jpg'])
  })

  it('that was not there at the start is reported, and watched when it comes', async () => {
    const path = join(temporaryFolder(), 'late')
    const late = { path, settleMs: SETTLE_MS, sweepMs: SWEEP_MS, lease: null }
    const folder = await watching({}, { folder: late })
    expect(folder.emitted()).toEqual([NOT_THERE])
    await mkdir(path)
    await writeFile(join(path, 'a.jpg'), jpeg)
    await folder.clock.turn(RETRY_MS + SETTLE_MS)
    expect(folder.emitted()).toEqual(['settled a.jpg'])
  })

  it('that is a file is reported as such', async () => {
    const folder = await watching({ 'a.jpg': jpeg })
    await goAway(folder)
    await writeFile(folder.path, 'a file')
    await folder.sweep()
    expect(folder.emitted()).toEqual(['unreachable: isFile'])
  })

  it('that is suddenly another and empty is a drive that is not connected, and no file is forgotten', async () => {
    const folder = await watching({ 'a.jpg': jpeg })
    await folder.clock.turn(SETTLE_MS)
    acknowledgeAll(folder)
    folder.emitted()
    await goAway(folder)
    await mkdir(folder.path)
    await folder.clock.turn(3 * SWEEP_MS)
    expect(folder.emitted()).toEqual(['unreachable: suddenlyEmpty'])
    await rm(folder.path, { recursive: true })
    await comeBack(folder)
    await folder.clock.turn(SWEEP_MS + SETTLE_MS)
    expect(folder.emitted()).toEqual([])
    expect(folder.events.at(-1)).toEqual({ kind: 'swept' })
  })

  it('that was emptied by its owner is an empty folder', async () => {
    const folder = await watching({ 'a.jpg': jpeg })
    await rm(join(folder.path, 'a.jpg'))
    await folder.sweep()
    expect(folder.emitted()).toEqual([])
    expect(folder.events.at(-1)).toEqual({ kind: 'swept' })
  })

  it('is only ever read', async () => {
    const folder = await watching({ 'v/a.jpg': jpeg, 'v/b.jpg': half, 'case.json': '{}', 'r.pdf': 'x' })
    const list = async (): Promise<unknown> => {
      const names = (await readdir(folder.path, { recursive: true })).toSorted()
      return Promise.all(names.map(async (name) => [name, (await stat(join(folder.path, name))).ctimeMs]))
    }
    const before = await list()
    await folder.clock.turn(3 * SWEEP_MS)
    expect(await list()).toEqual(before)
  })
})

describe.skipIf(noMounts !== null)(`a mount${noMounts === null ? '' : ` (${noMounts})`}`, () => {
  async function watchingMount(prepare: (mounted: MountedFolder) => void) {
    const mounted = mountedFolder()
    onTestFinished(() => mounted.end())
    mounted.appear()
    prepare(mounted)
    const lease = { stationId: 'one', hostName: 'room-1' }
    const { path } = mounted
    const folder = await watching({}, { folder: { path, settleMs: SETTLE_MS, sweepMs: SWEEP_MS, lease } })
    return { mounted, folder }
  }

  it('that comes and goes again and again loses nothing, forgets nothing, and is reported each time', async () => {
    const { mounted, folder } = await watchingMount(() => undefined)
    for (let round = 0; round < 5; round += 1) {
      writeFileSync(join(mounted.path, `${round}.jpg`), jpeg)
      // Gone while the file settles, then while nothing happens.
      if (round % 2 === 1) {
        folder.watch.sweep()
        await folder.clock.turn(SETTLE_MS / 2)
      } else await folder.clock.turn(SWEEP_MS + 3 * SETTLE_MS)
      acknowledgeAll(folder)
      folder.emitted()
      mounted.disappear()
      await folder.clock.turn(2 * SWEEP_MS)
      expect(folder.emitted().filter((event) => event.startsWith('unreachable'))).toHaveLength(1)
      mounted.appear()
      await folder.clock.turn(SWEEP_MS + 3 * SETTLE_MS)
      expect(settledIn(folder)).toEqual(Array.from({ length: round + 1 }, (_, index) => `${index}.jpg`))
    }
    // None is emitted twice, and nothing was written into the empty mount point.
    acknowledgeAll(folder)
    folder.emitted()
    await folder.clock.turn(3 * SWEEP_MS)
    expect(folder.emitted().filter((event) => event.startsWith('settled'))).toEqual([])
    await folder.watch.close()
    mounted.disappear()
    expect(readdirSync(mounted.path)).toEqual([])
  })

  it('that may only be read is taken from without a guard, and guarded once it is writable', async () => {
    const { mounted, folder } = await watchingMount((share) => {
      writeFileSync(join(share.path, 'a.jpg'), jpeg)
      share.allow('ro')
    })
    const guards = () => folder.events.flatMap((event) => (event.kind === 'guard' ? [event.guard] : []))
    await folder.clock.turn(SWEEP_MS + SETTLE_MS)
    expect([settledIn(folder), guards()]).toEqual([['a.jpg'], ['unguarded']])
    expect(readdirSync(mounted.path)).toEqual(['a.jpg'])
    mounted.allow('rw')
    await folder.clock.turn(SWEEP_MS)
    expect(guards().at(-1)).toBe('guarded')
    expect(readdirSync(mounted.path)).toContain(LEASE_NAME)
    await folder.watch.close()
  })
})

describe('names', () => {
  it.skipIf(process.platform !== 'linux')(
    'that are no text are noted, beside a file that is taken',
    async () => {
      const folder = await watching({ 'a.jpg': jpeg })
      const name = [Buffer.from(`${folder.path}/a`), Buffer.of(0xff), Buffer.from('.jpg')]
      writeFileSync(Buffer.concat(name), jpeg)
      await folder.sweep()
      await folder.clock.turn(2 * SETTLE_MS)
      expect(settledIn(folder)).toEqual(['a.jpg'])
      expect(folder.events.flatMap((event) => (event.kind === 'noted' ? [event.note] : []))).toMatchObject([
        { kind: 'unreadable', fileName: 'a\ufffd.jpg', message: expect.stringMatching(/Rename it/) },
      ])
    },
  )

  it('on paths far over 260 characters are taken', async () => {
    const deep = Array.from({ length: 12 }, (_, index) => `${index}-${'x'.repeat(60)}`).join('/')
    const folder = await watching({ [`${deep}/H-00017_OD.jpg`]: jpeg })
    await folder.clock.turn(SETTLE_MS)
    expect(settledIn(folder)).toEqual([`${deep}/H-00017_OD.jpg`])
    expect(deep.length).toBeGreaterThan(700)
  })
})

it.skipIf(process.platform === 'win32' || process.getuid?.() !== 0)(
  'what may not be read is named as shut, and all the rest is seen',
  async () => {
    const root = temporaryFolder()
    for (const [name, mode] of Object.entries({ open: 0o755, shut: 0o000, listed: 0o744 })) {
      mkdirSync(join(root, name))
      writeFileSync(join(root, name, 'a.jpg'), jpeg)
      chmodSync(join(root, name), mode)
    }
    chmodSync(root, 0o755)
    // Root reads everything, so the walk runs as a user who does not.
    const program = `
      import { walkFolder } from ${JSON.stringify(new URL('../../../../src-main/reader/folder/walk.ts', import.meta.url).href)}
      process.setgid?.(65534); process.setuid?.(65534)
      console.log(JSON.stringify([...walkFolder(process.argv[1])].map(({ kind, relativePath }) => kind + ' ' + relativePath)))`
    const walked = execFileSync(process.execPath, ['--input-type=module', '-e', program, root], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect((JSON.parse(walked) as string[]).toSorted()).toEqual([
      'file open/a.jpg',
      'folder listed',
      'folder open',
      'folder shut',
      'shut listed/a.jpg',
      'shut shut',
    ])
  },
)

describe('hints', () => {
  let hint: (path: string | null) => void
  const openHints: OpenHints = (root, onHint) => {
    hint = onHint
    return deafHints(root, onHint)
  }

  it('lead to a check at once, so that a file settles right after its last change', async () => {
    const folder = await watching({}, { openHints })
    await folder.write('v/a.jpg', half)
    hint('v')
    await folder.clock.turn(300)
    await folder.write('v/a.jpg', jpeg)
    hint('v/a.jpg')
    await folder.clock.turn(SETTLE_MS + 100)
    expect(folder.emitted()).toEqual(['settled v/a.jpg'])
  })

  it.each([
    ['without a path', [null]],
    ['beyond counting', Array.from({ length: 20_000 }, (_, index) => `v/${index}.jpg`)],
  ])('%s lead to one sweep, which finds everything', async (_, paths) => {
    const folder = await watching({}, { openHints })
    await folder.write('v/last.jpg', jpeg)
    const before = sweepsOf(folder)
    for (const path of paths) hint(path)
    await folder.clock.turn(1_000 + 2 * SETTLE_MS)
    expect([settledIn(folder), sweepsOf(folder) - before]).toEqual([['v/last.jpg'], 1])
  })

  it('that fail are opened again at the next sweep, and do not cause sweeps without end', async () => {
    let opened = 0
    const failing: OpenHints = (root, onHint) => {
      opened += 1
      setImmediate(() => onHint(null))
      return { ...deafHints(root, onHint), isDoubtful: () => true }
    }
    const folder = await watching({}, { openHints: failing })
    await folder.write('a.jpg', jpeg)
    await folder.clock.turn(10 * SWEEP_MS)
    expect(settledIn(folder)).toEqual(['a.jpg'])
    expect(opened).toBeGreaterThan(5)
    expect(opened).toBeLessThanOrEqual(11)
    expect(sweepsOf(folder)).toBeLessThanOrEqual(2 * opened)
  })

  it('about junk, and about paths that are not there, are ignored', async () => {
    const folder = await watching({}, { openHints })
    await folder.write('.hidden/a.jpg', jpeg)
    for (const path of ['.hidden/a.jpg', 'none.jpg', 'no/such/folder']) hint(path)
    await folder.clock.turn(3 * SETTLE_MS)
    expect(folder.emitted()).toEqual([])
  })
})
