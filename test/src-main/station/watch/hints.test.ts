import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MOST_FOLLOWED, openHints, type Hints } from '../../../../src-main/station/watch/hints.ts'

const HEARS_TREES = process.platform === 'win32' || process.platform === 'darwin'

let root: string
let hints: Hints
let heard: (string | null)[]

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hints-'))
  heard = []
  hints = openHints(root, (path) => heard.push(path))
  // The first hint says that hearing has begun.
  await vi.waitFor(() => expect(heard).toEqual([null]))
})
afterEach(async () => {
  await hints.close()
  await rm(root, { recursive: true })
})

const hears = (path: string): Promise<void> => vi.waitFor(() => expect(heard).toContain(path))

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
      })
      heard.length = 0
      await rm(join(root, 'v'), { recursive: true })
      await hears('v')
    }
  })

  it('call themselves doubtful when they should follow too many folders', async () => {
    if (HEARS_TREES) return
    for (let index = 0; index < MOST_FOLLOWED; index += 1) {
      expect(hints.isDoubtful()).toBe(false)
      await mkdir(join(root, `v${index}`))
      hints.follow(`v${index}`)
    }
    expect(hints.isDoubtful()).toBe(true)
  })
})
