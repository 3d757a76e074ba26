/** The screens of a station with 100,000 submissions, in the browser of the tests. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { build } from 'vite'
import { PAGE_SIZE } from '../../src-renderer/store/state.ts'
import { isBuildCurrent } from '../../tools/build-age.ts'
import { openTestBrowser } from '../end-to-end/browser.ts'
import { type StationProcess, startStation } from '../station-process/start-station.ts'
import { type BenchOptions, type Figure, medianOf, quantileOf, scaled, figuresOf } from './figures.ts'
import { runOwn } from './programs.ts'

const SUBMISSIONS = 100_000
const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
/** What the headless host serves. */
const SCREENS = join(PROJECT, 'out', 'renderer')

type Measured = {
  readonly pages: number[]
  readonly searches: number[]
  readonly scripts: number[]
}

/** The row "screens". */
export async function measureScreens(options: BenchOptions): Promise<readonly Figure[]> {
  const { folder, effort, report } = options
  const count = scaled(SUBMISSIONS, options)
  const dataFolder = join(folder, 'data')
  await mkdir(dataFolder)
  report(`writes ${count} submissions`)
  await runOwn('./outbox-process.ts', ['fill', dataFolder, String(count)])
  await buildScreensIfOld(report)
  const opened = await openTestBrowser()
  if (opened.kind === 'absent') {
    report(opened.why)
    return describePages(count, null)
  }
  const station = await startStation({ dataFolder, config: { folders: [], setup: 'done' } })
  try {
    const measured: Measured = { pages: [], searches: [], scripts: [] }
    for (let round = 0; round < (effort === 'smoke' ? 1 : 5); round += 1) {
      report('opens the screens, searches, and changes rows')
      const page = await openWatchedPage(opened.browser, station.screens, Math.min(PAGE_SIZE, count))
      measured.pages.push(page.firstPageMs)
      await changeRows(station, page, measured, effort === 'smoke' ? 2 : 20)
      measured.searches.push(await page.search('demoson'))
      await page.close()
    }
    return describePages(count, measured)
  } finally {
    await opened.browser.close()
    await station.stop()
  }
}

/** Cases on the first page are held and released, one at a time, as by another person at another screen. */
async function changeRows(
  station: StationProcess,
  page: WatchedPage,
  measured: Measured,
  times: number,
): Promise<void> {
  const ids = (await page.shownIds()).slice(0, Math.ceil(times / 2))
  for (const [call, state] of [
    ['submissions.hold', 'held'],
    ['submissions.release', 'review'],
  ] as const)
    for (const id of ids) {
      const scriptMs = await page.during(
        async () => {
          await station.value(call, { ids: [id] })
        },
        { id, state },
      )
      measured.scripts.push(scriptMs)
    }
}

function describePages(count: number, measured: Measured | null): readonly Figure[] {
  const figure = figuresOf('screens', 'ms')
  return [
    figure(
      `from the address to the first page of ${count} drawn, median`,
      measured && medianOf(measured.pages),
      { atMost: 1_000 },
    ),
    figure('script of one changed row, p95', measured && quantileOf(measured.scripts, 0.95), { atMost: 16 }),
    figure('a search drawn, from its last letter, median', measured && medianOf(measured.searches)),
  ]
}

export type WatchedPage = {
  readonly page: Page
  readonly devTools: CDPSession
  /** From the address to the first page of the queue on the screen. */
  readonly firstPageMs: number
  readonly shownIds: () => Promise<readonly string[]>
  /** The milliseconds of script from a change until it was drawn. */
  readonly during: (
    change: () => Promise<void>,
    until: { readonly id: string; readonly state: string },
  ) => Promise<number>
  /** Types into the search and answers how long it took until only what was found is shown. */
  readonly search: (text: string) => Promise<number>
  readonly close: () => Promise<void>
}

declare global {
  // oxlint-disable-next-line no-var -- a global of the page
  var benchNotes: { drawnAt: number; painted: number[]; shift: number }
}

/** Opens the screens in a page of its own, with nothing kept from the page before. */
export async function openWatchedPage(browser: Browser, address: string, rows: number): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript((wanted) => {
    globalThis.benchNotes = { drawnAt: 0, painted: [], shift: 0 }
    const poll = (): void => {
      if (document.querySelectorAll('tr[data-id]').length < wanted) return
      watch.disconnect()
      // Two frames later it is on the screen.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          globalThis.benchNotes.drawnAt = performance.now()
        }),
      )
    }
    const watch = new MutationObserver(poll)
    watch.observe(document, { childList: true, subtree: true })
  }, rows)
  const devTools = await context.newCDPSession(page)
  // Of the thread itself: what other programs of this machine take of it is not the page's doing.
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const scriptSeconds = async (): Promise<number> => {
    const { metrics } = await devTools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0
  }

  await page.goto(address)
  await page.waitForFunction(() => globalThis.benchNotes.drawnAt > 0)
  const firstPageMs = await page.evaluate(() => globalThis.benchNotes.drawnAt)
  // What the first drawing leaves to do, such as thumbnails, belongs to no change.
  await page.waitForTimeout(500)

  return {
    page,
    devTools,
    firstPageMs,
    shownIds: () =>
      page
        .locator('tr[data-id]')
        .evaluateAll((rows) =>
          rows.map((row) => (row instanceof HTMLElement ? (row.dataset['id'] ?? '') : '')),
        ),
    async during(change, { id, state }) {
      const drawn = page.evaluate(
        ([selector = '']) =>
          new Promise<void>((resolve) => {
            const poll = (): void => {
              if (!document.querySelector(selector)) return
              watch.disconnect()
              requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
            }
            const watch = new MutationObserver(poll)
            watch.observe(document.body, { childList: true, subtree: true, attributes: true })
            poll()
          }),
        [`tr[data-id="${id}"][data-state="${state}"]`],
      )
      const before = await scriptSeconds()
      await Promise.all([drawn, change()])
      const after = await scriptSeconds()
      return (after - before) * 1_000
    },
    async search(text) {
      const box = page.getByRole('searchbox')
      await box.fill(text)
      const startedAt = performance.now()
      await page.waitForFunction(
        (name) => {
          const rows = [...document.querySelectorAll('tr[data-id]')]
          return rows.length > 0 && rows.every((row) => row.textContent.toLowerCase().includes(name))
        },
        text,
        { polling: 'raf' },
      )
      return performance.now() - startedAt
    },
    close: () => context.close(),
  }
}

/** Builds what the headless host serves, if what lies in `out/` is older than its sources. */
export async function buildScreensIfOld(report: BenchOptions['report']): Promise<void> {
  if (isBuildCurrent(PROJECT)) return
  report('builds the screens')
  await build({
    configFile: join(PROJECT, 'vite.renderer.config.ts'),
    mode: 'production',
    logLevel: 'error',
    build: { outDir: SCREENS, emptyOutDir: true },
  })
}
