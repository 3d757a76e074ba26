/** A large nested folder in which nothing happens costs nothing but its sweeps. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FolderWatch } from '../../../../src-main/station/watch/folder-watch.ts'
import { openHints } from '../../../../src-main/station/watch/hints.ts'
import type { WatchEvent } from '../../../../src-main/station/watch/watch.ts'
import { MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { SETTLE_MS, SWEEP_MS } from './watched-folder.ts'

const YEARS = Array.from({ length: 10 }, (_, index) => `${2011 + index}`)
const VISITS = 200
const PATIENCE = { timeout: 60_000, interval: 20 }
/** The first sweep, and the one that follows when hints are heard. */
const SWEEPS_UNTIL_REST = 2

let root: string
let clock: ManualClock
let events: WatchEvent[]
let opened: number
let watch: FolderWatch

const sweeps = (): number => events.filter(({ kind }) => kind === 'swept').length
const settled = (): string[] =>
  events.flatMap((event) => (event.kind === 'settled' ? [event.file.relativePath] : []))

/** Lets this much time go by for the watch, and enough for the operating system to tell what there is to tell. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await clock.turn(1_000)
    await setTimeout(5)
  }
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'rest-'))
  // Visits come by turns in all years, so that all year folders are among the latest.
  for (let visit = 0; visit < VISITS; visit += 1) {
    for (const year of YEARS) {
      const folder = join(root, year, `H-${visit}`)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'old.jpg'), 'x')
    }
  }
  clock = new ManualClock()
  events = []
  opened = 0
  watch = new FolderWatch({
    folder: { path: root, settleMs: SETTLE_MS, sweepMs: SWEEP_MS, lease: null },
    clock,
    inspect: () => Promise.resolve({ kind: 'whole', content: 'image/jpeg' }),
    lookup: (files) =>
      Promise.resolve(files.map((file) => (file.relativePath.endsWith('old.jpg') ? 'known' : 'new'))),
    emit: (event) => events.push(event),
    openHints: (...hearing) => {
      opened += 1
      return openHints(...hearing)
    },
    onDefect: (error) => {
      throw error
    },
  })
  await vi.waitFor(async () => {
    await clock.turn(1_000)
    expect(sweeps()).toBe(SWEEPS_UNTIL_REST)
  }, PATIENCE)
}, 60_000)
afterEach(async () => {
  await watch.close()
  await rm(root, { recursive: true })
})

describe('a watch over many folders', () => {
  it('comes to rest', { timeout: 120_000 }, async () => {
    const before = sweeps()
    await pass((10 * MINUTE) / SECOND)
    // The pause begins when a sweep has ended, and the clock of the test does not wait for one on a busy machine.
    const most = (10 * MINUTE) / SWEEP_MS
    expect(sweeps() - before).toBeLessThanOrEqual(most)
    expect(sweeps() - before).toBeGreaterThanOrEqual(most - 2)
    expect(opened).toBe(1)
    expect(settled()).toEqual([])
  })

  it('hears what comes in deep places, without another sweep', { timeout: 120_000 }, async () => {
    await pass(10)
    const news = YEARS.map((year) => `${year}/H-new/OD/new.jpg`)
    for (const name of news) {
      await mkdir(join(root, name, '..'), { recursive: true })
      await writeFile(join(root, name), 'x')
    }
    await vi.waitFor(async () => {
      await clock.turn(100)
      expect(settled().toSorted()).toEqual(news)
    }, PATIENCE)
    // Into folders that are heard by now.
    for (const year of YEARS) await writeFile(join(root, year, 'H-new', 'OD', 'next.jpg'), 'x')
    await vi.waitFor(async () => {
      await clock.turn(100)
      expect(settled()).toHaveLength(2 * news.length)
    }, PATIENCE)
    await pass(10)
    expect(sweeps()).toBe(SWEEPS_UNTIL_REST)
  })
})
