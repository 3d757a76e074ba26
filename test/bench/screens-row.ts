/** The screens of a station with 100,000 submissions, in the browser of the tests. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PAGE_SIZE } from '../../src-renderer/store/queue-view.ts'
import { isBuildCurrent } from '../../tools/build-age.ts'
import { openTestBrowser } from '../end-to-end/browser.ts'
import { buildScreens } from '../end-to-end/screens-on-a-stand-in/open-screens.ts'
import { startStation, type StationProcess } from '../station-process/start-station.ts'
import { type BenchOptions, scaled } from './bench-row.ts'
import { type Figure, medianOf, quantileOf } from './figure.ts'
import { runOwn } from './run-program.ts'
import { openWatchedPage, type WatchedPage } from './screens-page.ts'

const SUBMISSIONS = 100_000
const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
/** What the headless host serves. */
const SCREENS = join(PROJECT, 'out', 'renderer')

type Measured = {
  readonly pages: number[]
  readonly searches: number[]
  readonly scripts: number[]
  readonly tasks: number[]
  readonly longest: number[]
  readonly heaps: number[]
}

/** The row "screens". */
export async function measureScreens(options: BenchOptions): Promise<readonly Figure[]> {
  const { folder, effort, tell } = options
  const count = scaled(SUBMISSIONS, options)
  const dataFolder = join(folder, 'data')
  await mkdir(dataFolder)
  tell(`writes ${count} submissions`)
  await runOwn('./outbox-process.ts', ['fill', dataFolder, String(count)])
  if (!isBuildCurrent(PROJECT)) {
    tell('builds the screens')
    await buildScreens(SCREENS)
  }
  const opened = await openTestBrowser()
  if (opened.kind === 'absent') {
    tell(opened.why)
    return figuresOf(count, null)
  }
  const station = await startStation({ dataFolder, config: { folders: [], setup: 'done' } })
  try {
    const measured: Measured = { pages: [], searches: [], scripts: [], tasks: [], longest: [], heaps: [] }
    for (let round = 0; round < (effort === 'smoke' ? 1 : 5); round += 1) {
      tell('opens the screens, searches, and changes rows')
      const page = await openWatchedPage(opened.browser, station.screens, Math.min(PAGE_SIZE, count))
      measured.pages.push(page.firstPageMs)
      await changeRows(station, page, measured, effort === 'smoke' ? 2 : 20)
      measured.searches.push(await page.search('demoson'))
      measured.heaps.push(await page.heapMegabytes())
      measured.longest.push(await page.longestTaskMs())
      await page.close()
    }
    return figuresOf(count, measured)
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
      const { scriptMs, taskMs } = await page.during(
        async () => {
          await station.value(call, { ids: [id] })
        },
        { id, state },
      )
      measured.scripts.push(scriptMs)
      measured.tasks.push(taskMs)
    }
}

function figuresOf(count: number, measured: Measured | null): readonly Figure[] {
  const figure = (what: string, value: number | null, rest: Partial<Figure> = {}): Figure => ({
    row: 'screens',
    what,
    value,
    unit: 'ms',
    ...rest,
  })
  const longest = (values: readonly number[]): number => Math.max(0, ...values)
  return [
    figure(
      `from the address to the first page of ${count} drawn, median`,
      measured && medianOf(measured.pages),
      { atMost: 1_000 },
    ),
    figure('the same, longest', measured && longest(measured.pages)),
    figure('script of one changed row, p95', measured && quantileOf(measured.scripts, 0.95), { atMost: 16 }),
    figure('script of one changed row, longest', measured && longest(measured.scripts)),
    figure('all work of the page for one changed row, p95', measured && quantileOf(measured.tasks, 0.95)),
    figure('a search drawn, from its last letter, median', measured && medianOf(measured.searches)),
    figure('longest task of the page', measured && longest(measured.longest)),
    figure('heap of the page', measured && longest(measured.heaps), { unit: 'MB' }),
  ]
}
