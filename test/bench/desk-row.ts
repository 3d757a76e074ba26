/** The review desk with 2,000 cases to review, in the browser of the tests: how soon, how fast, how still, how level. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { exportVisit } from '../camera/export-visit.ts'
import { openTestBrowser } from '../end-to-end/browser.ts'
import { seedCases } from '../end-to-end/screens/seed-cases.ts'
import { type StationProcess, startStation, until } from '../station-process/start-station.ts'
import { type BenchOptions, type Figure, figuresOf, quantileOf, scaled } from './figures.ts'
import { buildScreensIfOld, openWatchedPage } from './screens-row.ts'

const CASES = 2_000
const KEYS = 60
const ARRIVALS = 6
const EVENTS = 20_000
/** The station takes a decision on so many cases at once. */
const AT_A_TIME = 50

const ms = figuresOf('desk', 'ms')
const count = figuresOf('desk', '')

type Measured = {
  readonly firstRow: number
  readonly keys: readonly number[]
  readonly shift: number
  /** Of the window's memory, after a tenth of the events and after all of them. */
  readonly growth: number
}

/** The row "desk". */
export async function measureDesk(options: BenchOptions): Promise<readonly Figure[]> {
  const { folder, report, effort } = options
  const dataFolder = join(folder, 'data')
  const camera = join(folder, 'camera')
  await Promise.all([mkdir(dataFolder), mkdir(camera)])
  const cases = scaled(CASES, options)
  report(`writes ${cases} cases to review`)
  await seedCases(
    dataFolder,
    { baseUrl: 'http://127.0.0.1:9', clientId: 'bench' },
    Array.from({ length: cases }, (_nothing, index) => ({
      who: `B-${10_000 + index}`,
      state: 'review' as const,
    })),
  )
  await buildScreensIfOld(report)
  const opened = await openTestBrowser()
  if (opened.kind === 'absent') {
    report(opened.why)
    return describe(cases, null)
  }
  const station = await startStation({
    dataFolder,
    config: {
      folders: [{ path: camera, settleSeconds: 1, quietSeconds: 2, sweepSeconds: 2 }],
      setup: 'done',
    },
  })
  try {
    await until(
      'every case is read',
      async () => (await station.value('station.status')).counts.collecting === 0,
    )
    report('opens the desk')
    const { page, devTools, firstPageMs, close } = await openWatchedPage(opened.browser, station.screens, 1)
    report('goes from case to case')
    const keys = await paintedAfterKeys(page, effort === 'smoke' ? 5 : KEYS)
    report('shows visits as they arrive')
    const shift = await shiftWhile(page, () => arrive(station, camera, effort === 'smoke' ? 1 : ARRIVALS))
    report('shows changes of cases')
    const growth = await growthOver(scaled(EVENTS, options), station, devTools)
    await close()
    return describe(cases, { firstRow: firstPageMs, keys, shift, growth })
  } finally {
    await opened.browser.close()
    await station.stop()
  }
}

function describe(cases: number, measured: Measured | null): readonly Figure[] {
  return [
    ms(`from the address to the first row of ${cases} drawn`, measured && measured.firstRow, { atMost: 500 }),
    ms('from a key to the next case painted, p95', measured && quantileOf(measured.keys, 0.95), {
      atMost: 50,
    }),
    count('layout shift while visits arrive', measured && measured.shift, { atMost: 0 }),
    count('memory of the window after all events, beside a tenth of them', measured && measured.growth, {
      atMost: 1.1,
    }),
  ]
}

/** Milliseconds from a key to the next frame, as the browser counts them in steps of 8; less than 16 counts as 16. */
async function paintedAfterKeys(page: Page, times: number): Promise<readonly number[]> {
  await page.evaluate(() => {
    globalThis.benchNotes.painted = []
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (name === 'keydown') globalThis.benchNotes.painted.push(duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  for (let time = 0; time < times; time += 1) {
    await page.keyboard.press('ArrowDown')
    await sleep(150)
  }
  const painted = await page.evaluate(() => globalThis.benchNotes.painted)
  return [...painted, ...Array.from({ length: Math.max(0, times - painted.length) }, () => 16)]
}

/** The sum of what moved without an act of the person, as the browser counts it. */
async function shiftWhile(page: Page, happens: () => Promise<void>): Promise<number> {
  // What follows from the last key is over.
  await page.locator('button[data-ready="true"]').waitFor()
  await sleep(500)
  await page.evaluate(() => {
    globalThis.benchNotes.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        globalThis.benchNotes.shift += (entry as PerformanceEntry & { readonly value: number }).value
    }).observe({ type: 'layout-shift' })
  })
  await happens()
  return page.evaluate(() => globalThis.benchNotes.shift)
}

async function arrive(station: StationProcess, camera: string, visits: number): Promise<void> {
  const waiting = async () => (await station.value('station.status')).counts.review
  const before = await waiting()
  for (let visit = 0; visit < visits; visit += 1)
    await exportVisit({ folder: camera, seed: 70_000 + visit, visitDate: '2026-11-20', sidecar: 'last' })
  await until('the visits are there', async () => (await waiting()) >= before + visits, 120_000)
  await sleep(500)
}

/** Cases are held and released, so many at a time, until there were so many events. */
async function growthOver(events: number, station: StationProcess, devTools: CDPSession): Promise<number> {
  const { items } = await station.value('submissions.list', { state: ['review'], limit: AT_A_TIME })
  const ids = items.map(({ id }) => id)
  const heap = async (): Promise<number> => {
    await devTools.send('HeapProfiler.collectGarbage')
    return (await devTools.send('Runtime.getHeapUsage')).usedSize
  }
  let early = 0
  const turns = Math.max(2, Math.ceil(events / (2 * ids.length)))
  for (let turn = 0; turn < turns; turn += 1) {
    if (turn === Math.ceil(turns / 10)) early = await heap()
    await station.value('submissions.hold', { ids })
    await station.value('submissions.release', { ids })
  }
  return (await heap()) / early
}
