/** What axe finds on a page as it is now. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that read colours; all others judge what no theme changes. */
const BY_COLOUR = ['color-contrast', 'link-in-text-block']

/** One line for each broken rule, with the places where it is broken. */
export async function axeFindings(page: Page, which: 'all' | 'byColour'): Promise<readonly string[]> {
  // Evaluated by the tool, not by the page, whose policy would refuse it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(which === 'byColour' && { runOnly: BY_COLOUR }),
  }
  const { violations } = await page.evaluate(async (given) => {
    const { axe } = window as unknown as { axe: { run(how: RunOptions): Promise<AxeResults> } }
    return axe.run(given)
  }, options)
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
}
