import { mkdirSync, writeFileSync } from 'node:fs'
import { rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  LARGE_FROM_FILES,
  pauseAfterSweepMs,
  ROUNDS,
  SweepSchedule,
} from '../../../../src-main/station/watch/walk.ts'
import type { PriorResult, WatchEvent } from '../../../../src-main/station/watch/watch.ts'
import { watchFolder } from './watched-folder.ts'

describe('the rota of a sweep', () => {
  it('passes by nothing where there is little', () => {
    const rota = new SweepSchedule()
    for (let round = 0; round < 3 * ROUNDS; round += 1) {
      rota.begin(LARGE_FROM_FILES - 1, [])
      expect([rota.canSkipFolder('v', 1), rota.canSkipFolder('', null)]).toEqual([false, false])
    }
  })

  it('looks at every folder once in so many sweeps, and at each in its own turn', () => {
    const rota = new SweepSchedule()
    const folders = Array.from({ length: 100 }, (_, index) => `2026/H-${index}`)
    const looked: string[] = []
    const begin = (): void => {
      rota.begin(LARGE_FROM_FILES, [])
      for (const folder of folders) if (!rota.canSkipFolder(folder, 1)) looked.push(folder)
    }
    begin()
    expect(looked.splice(0)).toEqual(folders)
    const shares: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = looked.length
      begin()
      shares.push(looked.length - before)
    }
    expect(looked.toSorted()).toEqual(folders.toSorted())
    expect(Math.max(...shares)).toBeLessThan(folders.length / 3)
  })

  it('looks into a folder whose time has changed, and into those that changed last', () => {
    const rota = new SweepSchedule()
    const looks = (mtimeMs: number, lively: readonly string[]): boolean[] =>
      Array.from({ length: ROUNDS }, () => {
        rota.begin(LARGE_FROM_FILES, lively)
        return !rota.canSkipFolder('v', mtimeMs)
      })
    looks(1, [])
    expect(looks(1, []).filter(Boolean)).toHaveLength(1)
    expect(looks(2, [])[0]).toBe(true)
    expect(looks(2, ['v'])).not.toContain(false)
  })
})

it.each([
  [60_000, 5, 60_000],
  [60_000, 600, 60_000],
  [60_000, 700, 70_000],
  [60_000, 60_000, 300_000],
  [3_600_000, 700, 3_600_000],
])('sweeps every %d ms that cost %d ms of a processor are %d ms apart', (setMs, spentMs, apartMs) => {
  expect(pauseAfterSweepMs(setMs, spentMs)).toBe(apartMs)
})

describe('a large folder', () => {
  it('shows a new file, a replaced one and a missing one at the next sweep, one written over in its turn', async () => {
    let isOld = true
    const found: string[] = []
    const folder = await watchFolder(
      {},
      {
        lookup: (marks) => Promise.resolve(marks.map((): PriorResult => (isOld ? 'known' : 'new'))),
        inspect: (path) => {
          found.push(path.slice(folder.path.length + 1))
          return Promise.resolve({ kind: 'whole', content: 'image/jpeg' })
        },
      },
    )
    onTestFinished(() => folder.close())
    const folders = Math.ceil(LARGE_FROM_FILES / 50)
    for (let visit = 0; visit < folders; visit += 1) {
      mkdirSync(join(folder.path, `v${visit}`))
      for (let image = 0; image < 50; image += 1)
        writeFileSync(join(folder.path, `v${visit}`, `${image}.jpg`), 'x')
      // Each folder has its own time, the first ones the oldest.
      await utimes(join(folder.path, `v${visit}`), 1_000_000 + visit, 1_000_000 + visit)
    }
    const swept = (): WatchEvent[] => folder.events.filter(({ kind }) => kind === 'swept')
    const sweeps = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        const before = swept().length
        folder.watch.sweep()
        // A sweep of thousands takes many turns of the event loop.
        while (swept().length === before) await folder.clock.settle()
        await folder.clock.turn(2_000)
      }
    }
    await sweeps(3)
    isOld = false
    // Written over in place, with the folder's time as it was.
    const rewritten = join(folder.path, 'v1', '1.jpg')
    const { atime, mtime } = await stat(join(folder.path, 'v1'))
    await writeFile(rewritten, 'written over')
    await utimes(join(folder.path, 'v1'), atime, mtime)
    await sweeps(ROUNDS)
    expect(found.splice(0)).toEqual(['v1/1.jpg'])

    await writeFile(join(folder.path, 'v2', 'new.jpg'), 'x')
    await writeFile(join(folder.path, 'other'), 'xyz')
    await rename(join(folder.path, 'other'), join(folder.path, 'v3', '1.jpg'))
    await sweeps(2)
    expect(found.splice(0).toSorted()).toEqual(['v2/new.jpg', 'v3/1.jpg'])
    expect(swept().at(-1)).toMatchObject({ fileCount: folders * 50 + 1 })
  })
})
