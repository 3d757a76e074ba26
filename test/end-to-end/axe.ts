/** What axe finds on a page as it is shown now. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that read colours; no theme changes what the others check. */
const BY_COLOUR = ['color-contrast', 'link-in-text-block']

/** Nothing is being read, drawn or moved any more; what a dialog covers may be. */
export async function untilStill(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('h1, [role="dialog"]') !== null &&
      (document.querySelector('[aria-modal="true"]') ?? document).querySelector(
        '.mantine-Loader-root, [aria-busy="true"]',
      ) === null &&
      document.getAnimations().every((one) => one.playState !== 'running') &&
      [...document.images].every((image) => image.complete || image.loading === 'lazy'),
    undefined,
    { polling: 100 },
  )
}

/** One line for each broken rule, with the elements that break it. */
export async function axeFindings(page: Page, more: RunOptions = {}): Promise<readonly string[]> {
  // Evaluated by the tool, not by the page, whose policy would refuse it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const { violations } = await page.evaluate(
    async (how) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the script before put it there
      const { axe } = window as unknown as { axe: { run(how: RunOptions): Promise<AxeResults> } }
      return axe.run(how)
    },
    { resultTypes: ['violations'], ...more } satisfies RunOptions,
  )
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
}

/** Shows the page as a system in this theme does. */
export async function showTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
  await untilStill(page)
}

/** In the light theme by all rules, and in the dark one by those that read colours; the page is light afterwards. */
export async function axeFindingsInBothThemes(page: Page): Promise<readonly string[]> {
  const light = await axeFindings(page)
  await showTheme(page, 'dark')
  const dark = await axeFindings(page, { runOnly: BY_COLOUR })
  await showTheme(page, 'light')
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}
