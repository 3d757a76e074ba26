/** Folders as clinics have them: shares that come and go, names of all kinds, what may not be read. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FolderWatchOptions } from '../../../../src-main/station/watch/folder-watch.ts'
import type { OpenHints } from '../../../../src-main/station/watch/hints.ts'
import { LEASE_NAME } from '../../../../src-main/station/watch/lease.ts'
import { drawing } from '../intake/draw-images.ts'
import { mountedFolder, whyNoMounts, type MountedFolder } from './mounted-folder.ts'
import { deafHints, SETTLE_MS, SWEEP_MS, watchFolder, type WatchedTestFolder } from './watched-folder.ts'

const jpeg = await drawing().jpeg().toBuffer()
const noMounts = whyNoMounts()
const STATION = { stationId: 'one', hostName: 'room-1' }

async function watching(
  files: Record<string, Uint8Array | string>,
  options?: Partial<FolderWatchOptions>,
): Promise<WatchedTestFolder> {
  const folder = await watchFolder(files, options)
  onTestFinished(() => folder.close())
  return folder
}

/** Watches where the share appears. */
function watchingMount(mounted: MountedFolder): Promise<WatchedTestFolder> {
  return watching(
    {},
    { folder: { path: mounted.path, settleMs: SETTLE_MS, sweepMs: SWEEP_MS, lease: STATION } },
  )
}

async function withMount(work: (mounted: MountedFolder) => Promise<void>): Promise<void> {
  const mounted = mountedFolder()
  try {
    await work(mounted)
  } finally {
    mounted.end()
  }
}

const settledIn = (folder: WatchedTestFolder): string[] => [
  ...new Set(folder.events.flatMap((event) => (event.kind === 'settled' ? [event.file.relativePath] : []))),
]

describe.skipIf(noMounts !== null)(`a mount${noMounts === null ? '' : ` (${noMounts})`}`, () => {
  it('that comes and goes again and again loses nothing, forgets nothing, and is told each time', async () => {
    await withMount(async (mounted) => {
      mounted.appear()
      const folder = await watchingMount(mounted)
      for (let round = 0; round < 5; round += 1) {
        writeFileSync(join(mounted.path, `${round}.jpg`), jpeg)
        // Gone while the file settles, then while nothing happens.
        if (round % 2 === 1) {
          folder.watch.sweep()
          await folder.clock.turn(SETTLE_MS / 2)
        } else await folder.clock.turn(SWEEP_MS + 3 * SETTLE_MS)
        for (const name of settledIn(folder)) folder.watch.acknowledge(folder.settledFile(name))
        folder.told()
        mounted.disappear()
        await folder.clock.turn(2 * SWEEP_MS)
        expect(folder.told().filter((told) => told.startsWith('unreachable'))).toHaveLength(1)
        mounted.appear()
        await folder.clock.turn(SWEEP_MS + 3 * SETTLE_MS)
        expect(settledIn(folder)).toEqual(Array.from({ length: round + 1 }, (_, index) => `${index}.jpg`))
      }
      // Nobody was told twice, and nothing was written where the share was not.
      for (const name of settledIn(folder)) folder.watch.acknowledge(folder.settledFile(name))
      const before = folder.events.filter((event) => event.kind === 'settled').length
      await folder.clock.turn(3 * SWEEP_MS)
      expect(folder.events.filter((event) => event.kind === 'settled')).toHaveLength(before)
      await folder.watch.close()
      mounted.disappear()
      expect(readdirSync(mounted.path)).toEqual([])
    })
  })

  it('that may only be read is taken from, and is told to be unguarded', async () => {
    await withMount(async (mounted) => {
      mounted.appear()
      writeFileSync(join(mounted.path, 'a.jpg'), jpeg)
      mounted.allow('ro')
      const folder = await watchingMount(mounted)
      await folder.clock.turn(SWEEP_MS + SETTLE_MS)
      expect(settledIn(folder)).toEqual(['a.jpg'])
      expect(folder.events.filter((event) => event.kind === 'guard')).toMatchObject([{ guard: 'unguarded' }])
      expect(readdirSync(mounted.path)).toEqual(['a.jpg'])
      // It becomes writable, and is guarded from then on.
      mounted.allow('rw')
      await folder.clock.turn(SWEEP_MS)
      expect(folder.events.filter((event) => event.kind === 'guard').at(-1)).toMatchObject({
        guard: 'guarded',
      })
      expect(readdirSync(mounted.path)).toContain(LEASE_NAME)
      await folder.watch.close()
    })
  })
})

describe('names', () => {
  it.skipIf(process.platform !== 'linux')(
    'that differ by case or Unicode form only are files of their own',
    async () => {
      const names = ['OD.JPG', 'od.jpg', 'ñ.jpg'.normalize('NFC'), 'ñ.jpg'.normalize('NFD')]
      const folder = await watching(Object.fromEntries(names.map((name) => [name, jpeg])))
      await folder.clock.turn(SETTLE_MS)
      expect(settledIn(folder).toSorted()).toEqual(names.toSorted())
    },
  )

  it.skipIf(process.platform !== 'linux')(
    'that are no text are noted with a sentence, beside a file that is taken',
    async () => {
      const folder = await watching({ 'a.jpg': jpeg })
      writeFileSync(
        Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0x61, 0xff]), Buffer.from('.jpg')]),
        jpeg,
      )
      folder.watch.sweep()
      await folder.clock.turn(2 * SETTLE_MS)
      expect(settledIn(folder)).toEqual(['a.jpg'])
      const notes = folder.events.flatMap((event) => (event.kind === 'noted' ? [event.note] : []))
      expect(notes).toMatchObject([
        { kind: 'unreadable', fileName: 'a\ufffd.jpg', message: expect.stringMatching(/Rename it/) },
      ])
    },
  )

  it('on paths far over 260 characters are taken', async () => {
    const deep = Array.from({ length: 12 }, (_, index) => `${index}-${'x'.repeat(60)}`).join('/')
    const name = `${deep}/H-00017_OD.jpg`
    const folder = await watching({ [name]: jpeg })
    expect(join(folder.path, name).length).toBeGreaterThan(700)
    await folder.clock.turn(SETTLE_MS)
    expect(settledIn(folder)).toEqual([name])
  })
})

describe('links', () => {
  it.skipIf(process.platform === 'win32')('in rings are named once and lead nowhere', async () => {
    const folder = await watching({ 'v/a.jpg': jpeg })
    symlinkSync('..', join(folder.path, 'v', 'up'))
    symlinkSync('self', join(folder.path, 'self'))
    symlinkSync('nowhere', join(folder.path, 'dangling'))
    folder.watch.sweep()
    await folder.clock.turn(2 * SWEEP_MS)
    expect(folder.told().toSorted()).toEqual([
      'ignored dangling',
      'ignored self',
      'ignored v/up',
      'settled v/a.jpg',
      'settled v/a.jpg',
      'settled v/a.jpg',
    ])
  })
})

describe('what may not be read', () => {
  /** Root reads everything, so as root the walk is done by somebody who does not. */
  const program = `
    import { walkFolder } from ${JSON.stringify(new URL('../../../../src-main/station/watch/walk.ts', import.meta.url).href)}
    process.setgid?.(65534); process.setuid?.(65534)
    console.log(JSON.stringify([...walkFolder(process.argv[1])].map(({ kind, relativePath }) => kind + ' ' + relativePath)))`

  it.skipIf(process.platform === 'win32' || process.getuid?.() !== 0)(
    'is named as shut, and all the rest is seen',
    async () => {
      const folder = await watching({ 'open/a.jpg': jpeg, 'shut/b.jpg': jpeg })
      // Whoever comes by may reach the folder itself, but not all in it.
      chmodSync(join(folder.path, '..'), 0o755)
      mkdirSync(join(folder.path, 'listed'))
      writeFileSync(join(folder.path, 'listed', 'c.jpg'), jpeg)
      chmodSync(join(folder.path, 'shut'), 0o000)
      chmodSync(join(folder.path, 'listed'), 0o744)
      const told = execFileSync(process.execPath, ['--input-type=module', '-e', program, folder.path], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      expect((JSON.parse(told) as string[]).toSorted()).toEqual([
        'file open/a.jpg',
        'folder listed',
        'folder open',
        'folder shut',
        'shut listed/c.jpg',
        'shut shut',
      ])
      chmodSync(join(folder.path, 'shut'), 0o755)
    },
  )
})

describe('hints in a flood', () => {
  it('beyond counting bring one sweep, which finds everything', async () => {
    let hint = (_path: string | null): void => undefined
    const openHints: OpenHints = (root, onHint) => {
      hint = onHint
      return deafHints(root, onHint)
    }
    const folder = await watching({}, { openHints })
    await folder.write('v/last.jpg', jpeg)
    const before = folder.events.filter((event) => event.kind === 'swept').length
    for (let index = 0; index < 20_000; index += 1) hint(`v/${index}.jpg`)
    await folder.clock.turn(1_000 + 2 * SETTLE_MS)
    expect(settledIn(folder)).toEqual(['v/last.jpg'])
    const sweeps = folder.events.filter((event) => event.kind === 'swept').length - before
    expect(sweeps).toBe(1)
  })
})
