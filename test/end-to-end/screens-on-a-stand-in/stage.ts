/** A page with the screens on a stand-in station, for the tests of this folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, inject, type TestContext } from 'vitest'
import { openTestBrowser, type TestBrowser } from '../browser.ts'
import { openScreens, type Screens } from './open-screens.ts'
import { drawFiles, type StandInFiles } from './stand-in-files.ts'

export type Stage = {
  readonly page: Page
  readonly screens: Screens
  /** Addresses outside of the station that were really asked; what the policy stopped is not among them. */
  readonly strangers: string[]
  /** What the browser's console complained of. */
  readonly complaints: string[]
  readonly goTo: (hash: string) => Promise<void>
  /** Goes to a case and waits until its heading has the focus, which it takes once it is drawn. */
  readonly openCase: (id: string) => Promise<void>
  /** Waits until nothing is being read any more. */
  readonly settle: () => Promise<void>
  readonly row: (who: string) => Locator
}

/**
 * Sets the stage for the tests of a file; the answer opens a page, or skips the test and says why there is none.
 * Each test has a stand-in of its own.
 */
export function setStage(): (context: TestContext, colorScheme?: 'light' | 'dark') => Promise<Stage> {
  let folder: string
  const screensFolder = inject('screensFolder')
  let test: TestBrowser
  let files: StandInFiles
  let screens: Screens
  let page: Page | null = null

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fundus-courier-screens-'))
    test = await openTestBrowser()
    if (test.kind === 'absent') return
    files = await drawFiles(folder)
  })
  afterAll(async () => {
    if (test.kind === 'open') await test.browser.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    if (test.kind === 'open') screens = await openScreens(screensFolder, { files })
  })
  afterEach(async () => {
    await page?.close()
    page = null
    if (test.kind === 'open') await screens.close()
  })

  return async (context, colorScheme = 'light') => {
    if (test.kind === 'absent') return context.skip(test.why)
    const opened = await test.browser.newPage({ colorScheme, viewport: { width: 1_280, height: 800 } })
    page = opened
    const { origin } = new URL(screens.address)
    const strangers: string[] = []
    const complaints: string[] = []
    const note = (url: string): void => {
      if (!/^(blob|data):/.test(url) && !url.startsWith(origin)) strangers.push(url)
    }
    opened.on('requestfinished', (request) => note(request.url()))
    opened.on('requestfailed', (request) => {
      if (request.failure()?.errorText !== 'csp') note(request.url())
    })
    opened.on('pageerror', (error) => complaints.push(error.message))
    opened.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await opened.goto(screens.address)
    await opened.getByRole('table', { name: 'Cases on this station' }).waitFor()
    // The link is open and nothing more comes above the rows: events arrive, and what is pressed stays where it is.
    await opened.locator('[data-testid="banner"][data-kind="needYou"]').waitFor()
    const goTo = (hash: string): Promise<void> =>
      opened.evaluate((to) => {
        window.location.hash = to
      }, hash)
    return {
      page: opened,
      screens,
      strangers,
      complaints,
      goTo,
      openCase: async (id) => {
        // The heading of the screen before may have it.
        await opened.evaluate(() => {
          if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
        })
        await goTo(`#/queue/${id}`)
        await opened.waitForFunction(
          (to) => window.location.hash === to && document.activeElement?.tagName === 'H1',
          `#/queue/${id}`,
        )
      },
      settle: async () => {
        await opened.waitForFunction(
          () =>
            document.querySelector('.mantine-Loader-root') === null &&
            [...document.images].every((image) => image.complete),
        )
      },
      row: (who) => opened.getByRole('row').filter({ hasText: who }),
    }
  }
}
