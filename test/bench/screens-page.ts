/** A page with the screens that is watched from outside: when it drew, how long its script ran, what it keeps. */
import type { Browser } from 'playwright-core'

export type WatchedPage = {
  /** From the address to the first page of the queue on the screen. */
  readonly firstPageMs: number
  readonly shownIds: () => Promise<readonly string[]>
  /** What the page did from a change until it was drawn. */
  readonly during: (
    change: () => Promise<void>,
    until: { readonly id: string; readonly state: string },
  ) => Promise<{ readonly scriptMs: number; readonly taskMs: number }>
  /** Types into the search and answers how long it took until only what was found is shown. */
  readonly search: (text: string) => Promise<number>
  readonly heapMegabytes: () => Promise<number>
  /** Of all that took longer than 50 ms; 0 where nothing did. */
  readonly longestTaskMs: () => Promise<number>
  readonly close: () => Promise<void>
}

declare global {
  // oxlint-disable-next-line no-var -- a global of the page
  var benchNotes: { drawnAt: number; longestMs: number }
}

/** Opens the screens in a page of its own, with nothing kept from the page before. */
export async function openWatchedPage(browser: Browser, address: string, rows: number): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript((wanted) => {
    globalThis.benchNotes = { drawnAt: 0, longestMs: 0 }
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        globalThis.benchNotes.longestMs = Math.max(globalThis.benchNotes.longestMs, duration)
    }).observe({ type: 'longtask', buffered: true })
    const look = (): void => {
      if (document.querySelectorAll('tr[data-id]').length < wanted) return
      watch.disconnect()
      // Two frames later it is on the screen.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          globalThis.benchNotes.drawnAt = performance.now()
        }),
      )
    }
    const watch = new MutationObserver(look)
    watch.observe(document, { childList: true, subtree: true })
  }, rows)
  const devTools = await context.newCDPSession(page)
  // Of the thread itself: what other programs of this machine take of it is not the page's doing.
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const metrics = async (): Promise<ReadonlyMap<string, number>> => {
    const { metrics } = await devTools.send('Performance.getMetrics')
    return new Map(metrics.map(({ name, value }) => [name, value]))
  }

  await page.goto(address)
  await page.waitForFunction(() => globalThis.benchNotes.drawnAt > 0)
  const firstPageMs = await page.evaluate(() => globalThis.benchNotes.drawnAt)
  // What the first drawing leaves to do, such as thumbnails, belongs to no change.
  await page.waitForTimeout(500)

  return {
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
            const look = (): void => {
              if (!document.querySelector(selector)) return
              watch.disconnect()
              requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
            }
            const watch = new MutationObserver(look)
            watch.observe(document.body, { childList: true, subtree: true, attributes: true })
            look()
          }),
        [`tr[data-id="${id}"][data-state="${state}"]`],
      )
      const before = await metrics()
      await Promise.all([drawn, change()])
      const after = await metrics()
      const grown = (name: string): number => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1_000
      return { scriptMs: grown('ScriptDuration'), taskMs: grown('TaskDuration') }
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
    async heapMegabytes() {
      await devTools.send('HeapProfiler.collectGarbage')
      return ((await metrics()).get('JSHeapUsedSize') ?? 0) / 1_000_000
    },
    longestTaskMs: () => page.evaluate(() => globalThis.benchNotes.longestMs),
    close: () => context.close(),
  }
}
