import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { rename, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { FolderWatchOptions } from '../../../../src-main/reader/folder/folder-watch.ts'
import {
  inSlices,
  KnownFolders,
  LARGE_FROM_FILES,
  pauseAfterSweepMs,
  readEntry,
  ROUNDS,
  type WalkedEntry,
  walkFolder,
} from '../../../../src-main/reader/folder/walk.ts'
import type { PriorResult, WatchEvent } from '../../../../src-main/reader/watch-messages.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { watchFolder } from './watched-folder.ts'

let root: string
beforeEach(() => {
  root = temporaryFolder()
})

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), 'x')
  }
}

const walked = (start?: string): string[] =>
  [...walkFolder(root, start)].map(({ kind, relativePath }) => `${kind} ${relativePath}`).toSorted()

describe('a walk', () => {
  it('finds every file and folder once, with the path from the watched folder on', () => {
    write('a.jpg', 'v/b.jpg', 'v/OD/c.jpg')
    expect(walked()).toEqual(['file a.jpg', 'file v/OD/c.jpg', 'file v/b.jpg', 'folder v', 'folder v/OD'])
    expect(walked('v')).toEqual(['file v/OD/c.jpg', 'file v/b.jpg', 'folder v/OD'])
  })

  it('distinguishes names that differ by case or Unicode form only', () => {
    const names = ['IMG.JPG', 'img.jpg', 'año'.normalize('NFC'), 'año'.normalize('NFD')]
    write(...names)
    const found = [...walkFolder(root)].map(({ relativePath }) => relativePath)
    // Some file systems treat them as one.
    expect(new Set(found).size).toBe(found.length)
    expect(found.every((name) => names.includes(name))).toBe(true)
  })

  it('follows no link, neither to a file nor around in a ring', async () => {
    write('v/a.jpg')
    await symlink(root, join(root, 'v', 'ring'))
    await symlink(join(root, 'v', 'a.jpg'), join(root, 'same.jpg'))
    await symlink('nowhere', join(root, 'dangling'))
    expect(walked()).toEqual(['file v/a.jpg', 'folder v', 'link dangling', 'link same.jpg', 'link v/ring'])
  })

  it('passes by what servers keep of deleted and former files, and says so of a folder with a plain name', () => {
    write(
      '#recycle/a.jpg',
      'v/@Recycle/b.jpg',
      'v/~snapshot/hourly/c.jpg',
      'v/Trash/d.jpg',
      'Snapshots/e.jpg',
    )
    expect(walked()).toEqual(['deleted v/Trash', 'file Snapshots/e.jpg', 'folder Snapshots', 'folder v'])
  })

  it.skipIf(process.platform === 'win32')('skips what is neither file nor folder', async () => {
    const server = createServer().listen(join(root, 'socket'))
    await once(server, 'listening')
    expect(walked()).toEqual([])
    expect(readEntry(root, 'socket')).toBeNull()
    server.close()
  })

  it('throws if its beginning cannot be opened', () => {
    expect(() => walked('none')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
  })

  it('stops between two slices on request, and frees its thread after each', async () => {
    const endless = function* (): Generator<WalkedEntry> {
      for (;;) yield { kind: 'folder', relativePath: 'x', mtimeMs: 0 }
    }
    let slices = 0
    let isOtherServed = false
    setImmediate(() => {
      isOtherServed = true
    })
    for await (const _ of inSlices(endless(), () => slices === 3)) slices += 1
    expect([slices, isOtherServed]).toEqual([3, true])
  })

  it('reads one path as it would on its way', () => {
    write('v/a.jpg')
    expect(readEntry(root, 'v/a.jpg')).toEqual([...walkFolder(root)].find(({ kind }) => kind === 'file'))
    expect(readEntry(root, 'v')).toMatchObject({ kind: 'folder', relativePath: 'v' })
    expect([readEntry(root, 'v/a.jpg/below'), readEntry(root, 'x'.repeat(5_000))]).toEqual([null, null])
  })
})

describe('the folders known so far', () => {
  it('stay through a sweep, and after it if it or a hint meanwhile saw them', () => {
    const folders = new KnownFolders()
    for (const folder of ['seen', 'gone', 'removed']) expect(folders.addHinted(folder)).toBe(true)
    // A sweep that breaks off forgets none.
    folders.beginSweep(0)
    folders.beginSweep(0)
    for (const folder of ['seen', 'removed']) folders.addSwept(folder, 1)
    expect(['seen', 'new'].map((folder) => folders.addHinted(folder))).toEqual([false, true])
    folders.forget('removed')
    expect(folders.has('gone')).toBe(true)
    folders.endSweep()
    const left = ['seen', 'new', 'gone', 'removed'].filter((folder) => folders.has(folder))
    expect([...left, folders.addHinted('gone')]).toEqual(['seen', 'new', true])
  })
})

describe('the schedule of a sweep', () => {
  /** Sweeps folders that have these times, the watched one among them. Answers with those that are checked. */
  const swept = (
    folders: KnownFolders,
    times: Readonly<Record<string, number>>,
    fileCount = LARGE_FROM_FILES,
  ): string[] => {
    folders.beginSweep(fileCount)
    const checked = Object.entries(times).filter(([folder, mtimeMs]) => !folders.canSkip(folder, mtimeMs))
    for (const [folder, mtimeMs] of Object.entries(times)) folders.addSwept(folder, mtimeMs)
    folders.endSweep()
    return checked.map(([folder]) => folder)
  }
  /** So many folders changed last that they alone are always checked. */
  const latest = Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`now/${index}`, 9_999]))
  const isLatest = (folder: string): boolean => folder in latest

  it('skips nothing in a small folder', () => {
    const folders = new KnownFolders()
    for (let round = 0; round < 3 * ROUNDS; round += 1)
      expect(swept(folders, { v: 1, ...latest }, LARGE_FROM_FILES - 1)).toHaveLength(33)
    folders.beginSweep(LARGE_FROM_FILES - 1)
    expect(folders.canSkip('', null)).toBe(false)
  })

  it('checks every folder once in so many sweeps, and each in its own turn', () => {
    const folders = new KnownFolders()
    const names = Array.from({ length: 100 }, (_, index) => `2026/H-${index}`)
    const times = { ...latest, ...Object.fromEntries(names.map((name) => [name, 1])) }
    expect(swept(folders, times)).toEqual(Object.keys(times))
    const rounds = Array.from({ length: ROUNDS }, () =>
      swept(folders, times).filter((folder) => !isLatest(folder)),
    )
    expect(rounds.flat().toSorted()).toEqual(names.toSorted())
    expect(Math.max(...rounds.map(({ length }) => length))).toBeLessThan(names.length / 3)
  })

  it('checks a folder whose mtime has changed, one that a hint led to, and those that changed last', () => {
    const folders = new KnownFolders()
    const checks = (mtimeMs: number): boolean[] =>
      Array.from({ length: ROUNDS }, () => swept(folders, { ...latest, v: mtimeMs }).includes('v'))
    checks(1)
    expect(checks(1).filter(Boolean)).toHaveLength(1)
    expect(checks(2)[0]).toBe(true)
    folders.forget('v')
    folders.addHinted('v')
    expect(checks(2)[0]).toBe(true)
    expect(checks(10_000)).not.toContain(false)
  })

  it.each([
    [60_000, 5, 60_000],
    [60_000, 600, 60_000],
    [60_000, 700, 70_000],
    [60_000, 60_000, 300_000],
    [3_600_000, 700, 3_600_000],
  ])('every %d ms, each of which costs %d ms of a processor, pauses %d ms', (sweepMs, spentMs, pauseMs) => {
    expect(pauseAfterSweepMs(sweepMs, spentMs)).toBe(pauseMs)
  })

  it('finds a new file, a replaced and a missing one at the next sweep, one written over in its turn', async () => {
    let prior: PriorResult = 'known'
    const found: string[] = []
    const lookup: FolderWatchOptions['lookup'] = (marks) => Promise.resolve(marks.map(() => prior))
    const inspect: FolderWatchOptions['inspect'] = (path) => {
      found.push(path.slice(folder.path.length + 1))
      return Promise.resolve({ kind: 'whole', content: 'image/jpeg' })
    }
    const folder = await watchFolder({}, { lookup, inspect })
    onTestFinished(() => folder.close())
    const count = Math.ceil(LARGE_FROM_FILES / 50)
    for (let visit = 0; visit < count; visit += 1) {
      mkdirSync(join(folder.path, `v${visit}`))
      for (let image = 0; image < 50; image += 1)
        writeFileSync(join(folder.path, `v${visit}`, `${image}.jpg`), 'x')
      // Each folder has its own time, the first ones the oldest.
      await utimes(join(folder.path, `v${visit}`), 1_000_000 + visit, 1_000_000 + visit)
    }
    const swept = (): WatchEvent[] => folder.events.filter(({ kind }) => kind === 'swept')
    const sweeps = async (times: number): Promise<void> => {
      for (let index = 0; index < times; index += 1) {
        const before = swept().length
        folder.watch.sweep()
        // A sweep of thousands takes many turns of the event loop.
        while (swept().length === before) await folder.clock.settle()
        await folder.clock.turn(2_000)
      }
    }
    await sweeps(3)
    prior = 'new'
    // Written over in place; the folder's time stays.
    const { atime, mtime } = await stat(join(folder.path, 'v1'))
    await writeFile(join(folder.path, 'v1', '1.jpg'), 'written over')
    await utimes(join(folder.path, 'v1'), atime, mtime)
    await sweeps(ROUNDS)
    expect(found.splice(0)).toEqual(['v1/1.jpg'])

    await writeFile(join(folder.path, 'v2', 'new.jpg'), 'x')
    await writeFile(join(folder.path, 'other'), 'xyz')
    await rename(join(folder.path, 'other'), join(folder.path, 'v3', '1.jpg'))
    await sweeps(2)
    expect(found.splice(0).toSorted()).toEqual(['v2/new.jpg', 'v3/1.jpg'])
  })
})
