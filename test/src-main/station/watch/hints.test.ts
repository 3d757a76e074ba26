import { appendFile, mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_FOLLOWED, openHints, type Hints } from '../../../../src-main/station/watch/hints.ts'

const HEARS_TREES = process.platform === 'win32' || process.platform === 'darwin'

const PATIENCE = { timeout: 20_000, interval: 20 }

let root: string
let hints: Hints
let heard: (string | null)[]

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hints-'))
  heard = []
  hints = openHints(root, (path) => heard.push(path))
  // The first hint says that hearing has begun.
  await vi.waitFor(() => expect(heard).toEqual([null]), 10_000)
})
afterEach(async () => {
  await hints.close()
  await rm(root, { recursive: true })
})

const hears = (path: string): Promise<void> => vi.waitFor(() => expect(heard).toContain(path), 10_000)

describe('hints', () => {
  it('tell of files and folders that come, and of every change', async () => {
    await writeFile(join(root, 'a.jpg'), 'x')
    await hears('a.jpg')
    heard.length = 0
    await appendFile(join(root, 'a.jpg'), 'x')
    await hears('a.jpg')
    await mkdir(join(root, 'v'))
    await hears('v')
  })

  it('tell of a file that was made long ago and comes now', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'hints-from-'))
    await writeFile(join(outside, 'old.jpg'), 'x')
    await utimes(join(outside, 'old.jpg'), new Date('2020-01-01'), new Date('2020-01-01'))
    await rename(join(outside, 'old.jpg'), join(root, 'old.jpg'))
    await hears('old.jpg')
    await rm(outside, { recursive: true })
  })

  it('tell of a folder that is followed, also when it went and came again', async () => {
    for (const round of [1, 2, 3]) {
      heard.length = 0
      await mkdir(join(root, 'v'))
      await hears('v')
      if (!HEARS_TREES) expect(hints.follow('v')).toBe(true)
      expect(hints.follow('v')).toBe(false)
      await vi.waitFor(async () => {
        await writeFile(join(root, 'v', `${round}.jpg`), 'x')
        expect(heard).toContain(`v/${round}.jpg`)
      }, 10_000)
      heard.length = 0
      await rm(join(root, 'v'), { recursive: true })
      await hears('v')
    }
  })

  it('let go of the folder in which nothing happened for longest when too many are followed', async () => {
    if (HEARS_TREES) return
    const folders = Array.from({ length: MAX_FOLLOWED + 1 }, (_, index) => `years/v${index}`)
    for (const folder of folders) await mkdir(join(root, folder), { recursive: true })
    const isHeard = async (folder: string): Promise<void> => {
      await vi.waitFor(async () => {
        await writeFile(join(root, folder, 'a.jpg'), `${heard.length}`)
        expect(heard).toContain(`${folder}/a.jpg`)
      }, PATIENCE)
      heard.length = 0
    }
    // The one above the others is let go first, and takes none of them with it.
    expect(hints.follow('years')).toBe(true)
    for (const folder of folders.slice(0, -1)) expect(hints.follow(folder)).toBe(true)
    await isHeard('years/v0')
    expect(hints.follow('years/v1')).toBe(false)
    // v0 was heard and v1 followed once more, so v2 has rested for longest.
    expect(hints.follow(folders.at(-1) ?? '')).toBe(true)
    expect(hints.isDoubtful()).toBe(false)
    for (const folder of ['years/v0', 'years/v1', 'years/v3', folders.at(-1) ?? '']) await isHeard(folder)
    await writeFile(join(root, 'years/v2/a.jpg'), 'x')
    await isHeard('years/v3')
    expect(heard).toEqual([])
    expect(hints.follow('years')).toBe(true)
    expect(hints.follow('years/v2')).toBe(true)
    await isHeard('years/v2')
  })

  it('that a followed folder is gone ask for a sweep, and it can be followed anew', async () => {
    if (HEARS_TREES) return
    await mkdir(join(root, 'v'))
    hints.follow('v')
    await vi.waitFor(async () => {
      await writeFile(join(root, 'v', 'a.jpg'), 'x')
      expect(heard).toContain('v/a.jpg')
    }, PATIENCE)
    await rm(join(root, 'v'), { recursive: true })
    await vi.waitFor(() => expect(heard.slice(1)).toContain(null), PATIENCE)
    // Gone is gone: what comes under the same name is followed anew.
    await mkdir(join(root, 'v'))
    expect(hints.follow('v')).toBe(true)
  })
})
