import { mkdirSync, writeFileSync } from 'node:fs'
import { appendFile, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FolderWatch } from '../../../../src-main/reader/folder/folder-watch.ts'
import { type Hints, MAX_FOLLOWED, openHints } from '../../../../src-main/reader/folder/hints.ts'
import type { WatchEvent } from '../../../../src-main/reader/watch-messages.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { SETTLE_MS, SWEEP_MS } from './watched-folder.ts'

const HEARS_TREES = process.platform === 'win32' || process.platform === 'darwin'

const SOON = { timeout: 20_000, interval: 20 }

let root: string
beforeEach(() => {
  root = temporaryFolder()
})

describe('hints of the operating system', () => {
  let hints: Hints
  let heard: (string | null)[]
  beforeEach(async () => {
    heard = []
    hints = openHints(root, (path) => heard.push(path))
    // The first hint says that hearing has begun.
    await vi.waitFor(() => expect(heard).toEqual([null]), SOON)
  })
  afterEach(() => hints.close())

  const hears = (path: string): Promise<void> => vi.waitFor(() => expect(heard).toContain(path), SOON)
  /** Writes until the file is heard: what comes just after a folder is followed may be missed. */
  const hearsIn = (folder: string, name = 'a.jpg'): Promise<void> =>
    vi.waitFor(async () => {
      await writeFile(join(root, folder, name), `${heard.length}`)
      expect(heard).toContain(`${folder}/${name}`)
    }, SOON)

  it('name files and folders that come, every change, and a file that was made long ago', async () => {
    await writeFile(join(root, 'a.jpg'), 'x')
    await hears('a.jpg')
    heard.length = 0
    await appendFile(join(root, 'a.jpg'), 'x')
    await hears('a.jpg')
    await mkdir(join(root, 'v'))
    await hears('v')
    const old = join(temporaryFolder(), 'old.jpg')
    await writeFile(old, 'x')
    await utimes(old, new Date('2020-01-01'), new Date('2020-01-01'))
    await rename(old, join(root, 'old.jpg'))
    await hears('old.jpg')
  })

  it('name what comes in a followed folder, also when it went and came again, and ask for a sweep', async () => {
    for (const round of [1, 2, 3]) {
      heard.length = 0
      await mkdir(join(root, 'v'))
      await hears('v')
      if (!HEARS_TREES) expect(hints.follow('v')).toBe(true)
      expect(hints.follow('v')).toBe(false)
      await hearsIn('v', `${round}.jpg`)
      heard.length = 0
      await rm(join(root, 'v'), { recursive: true })
      await hears('v')
      await vi.waitFor(() => expect(heard).toContain(null), SOON)
    }
  })

  it.skipIf(HEARS_TREES)('drop the folder in which nothing happened for longest', async () => {
    const folders = Array.from({ length: MAX_FOLLOWED + 1 }, (_, index) => `years/v${index}`)
    for (const folder of folders) await mkdir(join(root, folder), { recursive: true })
    const isHeard = async (folder: string): Promise<void> => {
      await hearsIn(folder)
      heard.length = 0
    }
    // The one above the others is dropped first, and takes none of them with it.
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
})

describe('a watch over many folders', () => {
  const YEARS = Array.from({ length: 10 }, (_, index) => `${2011 + index}`)
  let clock: ManualClock
  let events: WatchEvent[]
  let opened: number
  let sweptAt: number

  const sweeps = (): number => events.filter(({ kind }) => kind === 'swept').length
  const settled = (): string[] =>
    events.flatMap((event) => (event.kind === 'settled' ? [event.file.relativePath] : []))
  /** Turns the clock until this holds. */
  const until = (stepMs: number, holds: () => void): Promise<void> =>
    vi.waitFor(async () => {
      await clock.turn(stepMs)
      holds()
    }, SOON)

  beforeEach(async () => {
    // Visits come by turns in all years, so that all year folders are among the latest.
    for (let visit = 0; visit < 30; visit += 1)
      for (const year of YEARS) {
        mkdirSync(join(root, year, `H-${visit}`), { recursive: true })
        writeFileSync(join(root, year, `H-${visit}`, 'old.jpg'), 'x')
      }
    clock = new ManualClock()
    events = []
    opened = 0
    const watch = new FolderWatch({
      folder: { path: root, settleMs: SETTLE_MS, sweepMs: SWEEP_MS, lease: null },
      clock,
      inspect: () => Promise.resolve({ kind: 'whole', content: 'image/jpeg' }),
      lookup: (files) =>
        Promise.resolve(files.map((file) => (file.relativePath.endsWith('old.jpg') ? 'known' : 'new'))),
      emit: (event) => {
        events.push(event)
        if (event.kind === 'swept') sweptAt = clock.now()
      },
      openHints: (...hearing) => {
        opened += 1
        return openHints(...hearing)
      },
      onDefect: (error) => {
        throw error
      },
    })
    onTestFinished(() => watch.close())
    // The first sweep, and the one that follows when hints are heard.
    await until(1_000, () => expect(sweeps()).toBe(2))
  })

  it('rests: there are its regular sweeps, and nothing else', async () => {
    for (let sweep = 3; sweep <= 12; sweep += 1) {
      await clock.turn(SWEEP_MS)
      // The sweep itself takes turns of the event loop, but no time of this clock.
      await until(0, () => expect(sweeps()).toBe(sweep))
    }
    // The clock may have been turned since the last one, while it was waited for.
    await clock.turn(sweptAt + SWEEP_MS - 1_000 - clock.now())
    expect([sweeps(), opened, settled()]).toEqual([12, 1, []])
  })

  it('hears what comes in deep folders, without another sweep', async () => {
    await clock.turn(10_000)
    const news = YEARS.map((year) => `${year}/H-new/OD/new.jpg`)
    for (const name of news) {
      await mkdir(join(root, name, '..'), { recursive: true })
      await writeFile(join(root, name), 'x')
    }
    await until(100, () => expect(settled().toSorted()).toEqual(news))
    // Into folders that are heard by now.
    for (const year of YEARS) await writeFile(join(root, year, 'H-new', 'OD', 'next.jpg'), 'x')
    await until(100, () => expect(settled()).toHaveLength(2 * news.length))
    expect(sweeps()).toBe(2)
  })
})
