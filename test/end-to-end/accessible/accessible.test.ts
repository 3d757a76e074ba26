/** Every view for a person who needs contrast, zooms, touches, or has a keyboard alone. */
import type { CDPSession, Page } from 'playwright-core'
import { expect, it, type TestContext } from 'vitest'
import { LANGUAGES } from '../../../src-shared/texts/texts.ts'
import { axeFindings, axeFindingsInBothThemes, showTheme, untilStill } from '../axe.ts'
import { openScreens, type Screens } from '../screens/open-screens.ts'
import { coveredFocus, keyboardFindings, sideways, smallTargets } from './page-checks.ts'
import { DAILY, openViews, sayIn, type View, viewsOf, visit } from './views.ts'

const COMMON = { width: 1_280, height: 800 }
const SIZES = [{ width: 1_024, height: 700 }, COMMON, { width: 1_920, height: 1_080 }]
/** What a window of the common size has for the page at 200 %: all is twice as large, so half as much fits. */
const ZOOMED = { width: 640, height: 400 }
const COMPACT = 28
const TOUCH = 44

/** By what was looked for, then by view. */
type Found = Record<string, Record<string, readonly string[]>>

/** Collects what a check finds; without findings nothing is left of it. */
async function note(
  found: Found,
  check: string,
  view: string,
  inspect: Promise<readonly string[]>,
): Promise<void> {
  const findings = await inspect
  if (findings.length > 0) found[check] = { ...found[check], [view]: findings }
}

async function withTouchScreen<Value>(
  page: Page,
  screen: CDPSession,
  act: () => Promise<Value>,
): Promise<Value> {
  await screen.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await untilStill(page)
  try {
    return await act()
  } finally {
    await screen.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  }
}

const orNone = (finding: string | null): readonly string[] => (finding === null ? [] : [finding])

/** What fades has the focus for a while, and gives it back. */
async function focusAtRest(page: Page): Promise<readonly string[]> {
  await expect
    .poll(() => coveredFocus(page), { timeout: 2_000 })
    .toBeNull()
    .catch(() => undefined)
  return orNone(await coveredFocus(page))
}

async function checkView(screens: Screens, screen: CDPSession, view: View, found: Found): Promise<void> {
  const { page } = screens
  const { name, open } = view
  const isDaily = DAILY.some((one) => one === name)
  const inspect = async (): Promise<void> => {
    await note(found, 'axe', name, axeFindingsInBothThemes(page))
    await note(found, `targets of ${COMPACT} px`, name, smallTargets(page, COMPACT))
    await withTouchScreen(page, screen, () =>
      note(found, `targets of ${TOUCH} px`, name, smallTargets(page, TOUCH)),
    )
    await note(found, 'keyboard', name, keyboardFindings(page))
    await page.setViewportSize(ZOOMED)
    await untilStill(page)
    await note(found, '200 %', name, sideways(page))
    if (isDaily) await note(found, 'keyboard at 200 %', name, keyboardFindings(page))
    await page.setViewportSize(COMMON)
    await untilStill(page)
  }
  await visit(screens, view, sayIn('en'), inspect, async () => {
    if (open) await note(found, 'focus after it is closed', name, focusAtRest(page))
  })
}

async function openTouchable(context: TestContext): Promise<readonly [Screens, CDPSession]> {
  const screens = await openViews(context)
  return [screens, await screens.page.context().newCDPSession(screens.page)]
}

it('no view is out of reach of anyone', { timeout: 3_600_000 }, async (context) => {
  const [screens, screen] = await openTouchable(context)
  const found: Found = {}
  for (const view of await viewsOf(screens)) await checkView(screens, screen, view, found)
  expect(found).toEqual({})
})

/** Of a station that has nothing to do, and may send. */
const AT_REST: readonly View[] = [
  { name: 'empty queue', hash: '#/queue' },
  { name: 'no cases', hash: '#/cases' },
  { name: 'no reports', hash: '#/reports' },
  {
    name: 'pauses',
    hash: '#/activity',
    open: async (page, say) => {
      await page.getByRole('button', { name: say('shell:pause.pause'), exact: true }).click()
      await page.getByRole('menu').waitFor()
    },
  },
]

it('nor is a station without cases', { timeout: 600_000 }, async (context) => {
  const screens = await openScreens(context)
  const { page } = screens
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const screen = await page.context().newCDPSession(page)
  const found: Found = {}
  for (const view of AT_REST) await checkView(screens, screen, view, found)
  expect(found).toEqual({})
})

it(
  'axe finds nothing in the daily views in any language, theme and size',
  { timeout: 3_600_000 },
  async (context) => {
    const screens = await openViews(context)
    const { page } = screens
    const daily = (await viewsOf(screens)).filter(({ name }) => DAILY.some((one) => one === name))
    expect(daily).toHaveLength(DAILY.length)
    const found: Found = {}
    for (const language of LANGUAGES) {
      await chooseLanguage(page, sayIn(language)(`shell:language.${language}`))
      for (const size of SIZES) {
        await page.setViewportSize(size)
        for (const view of daily)
          await visit(screens, view, sayIn(language), async () => {
            for (const theme of ['light', 'dark'] as const) {
              await showTheme(page, theme)
              await note(found, `${language}, ${theme}, ${size.width}`, view.name, axeFindings(page))
            }
            await showTheme(page, 'light')
          })
      }
    }
    expect(found).toEqual({})
  },
)

async function chooseLanguage(page: Page, name: string): Promise<void> {
  await page.locator('header [aria-haspopup="menu"]').first().click()
  await page.getByRole('menuitem', { name, exact: true }).click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

/** A fault of each kind, in the words of the page. */
const FAULTS: readonly (readonly [
  check: string,
  html: string,
  inspect: (page: Page) => Promise<readonly string[]>,
])[] = [
  ['axe', '<img src="./icon.svg" width="20" height="20">', (page) => axeFindings(page)],
  ['contrast', '<p style="color: #888; background: #999">pale</p>', (page) => axeFindings(page)],
  [
    'compact',
    '<button style="min-height: 0; height: 24px">OK</button>',
    (page) => smallTargets(page, COMPACT),
  ],
  [
    'touch',
    '<div><button style="min-height: 0; height: 40px; width: 60px">OK</button></div>',
    (page) => smallTargets(page, TOUCH),
  ],
  ['sideways', '<p style="width: 2000px">wide</p>', sideways],
  ['cut off', '<div style="overflow: clip; width: 90px"><p style="width: 200px">cut</p></div>', sideways],
  ['covered', '<div style="position: fixed; inset: 0; z-index: 9"></div>', keyboardFindings],
  ['not reached', '<button tabindex="-1">OK</button>', keyboardFindings],
  [
    'lost',
    '<span id="lost"></span>',
    async (page) => {
      await page.evaluate(
        () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
      )
      return orNone(await coveredFocus(page))
    },
  ],
]

it('each check finds the fault that it is for', { timeout: 600_000 }, async (context) => {
  const [screens, screen] = await openTouchable(context)
  const { page, goTo } = screens
  await goTo('#/help')
  await untilStill(page)
  await withTouchScreen(page, screen, async () => {
    for (const [check, html, inspect] of FAULTS) {
      if (check !== 'lost') expect(await inspect(page), `${check}, before`).toEqual([])
      await page.evaluate((planted) => {
        const container = document.createElement('div')
        container.id = 'planted'
        container.innerHTML = planted
        document.querySelector('main h1')?.after(container)
      }, html)
      expect(await inspect(page), check).not.toEqual([])
      await page.evaluate(() => document.querySelector('#planted')?.remove())
    }
  })
})
