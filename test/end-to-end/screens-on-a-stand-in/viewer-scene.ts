/** What the tests of the viewer do on its stage. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ServedBytes } from '../../../src-main/station/api.ts'
import { placeOf, rowOfColours, serveInstead } from './position-chart.ts'
import type { Stage } from './stage.ts'

/** The images that are shown, from the left. */
export function panes(page: Page): Locator {
  return page.getByRole('dialog').locator('section[tabindex="0"]')
}

/** Waits until so many images are drawn in full. */
export async function drawn(page: Page, count = 1): Promise<void> {
  await expect.poll(() => page.locator('[data-state="drawn"]').count(), { timeout: 60_000 }).toBe(count)
}

/** The picture moves for a moment after it was told to. */
export async function settled(page: Page): Promise<void> {
  let before = ''
  await expect
    .poll(
      async () => {
        const now = (await page.screenshot()).toString('base64')
        const isStill = now === before
        before = now
        return isStill
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBe(true)
}

/** Waits until the chart stands still at 1:1 and is sharp there: until its tiles have come, coarser pixels stand in for them. */
export async function sharp(page: Page, { x, y }: { readonly x: number; readonly y: number }): Promise<void> {
  await settled(page)
  await expect
    .poll(
      async () => {
        const [first, second, third] = (await rowOfColours(page, x, y, 3)).map(placeOf)
        return [second, third].map((place) => [
          (place?.x ?? 0) - (first?.x ?? 0),
          (place?.y ?? 0) - (first?.y ?? 0),
        ])
      },
      { timeout: 60_000 },
    )
    .toEqual([
      [1, 0],
      [2, 0],
    ])
}

/** Opens a case with the chart in place of its images. */
export async function openChart({ page, screens, goTo }: Stage, chart: ServedBytes): Promise<void> {
  serveInstead(screens.standIn.station, chart)
  await goTo('#/queue/s5')
  await page.getByRole('button', { name: 'Enlarge OD_1.jpg' }).click()
  await drawn(page)
}

/** Is this tool on? */
export async function pressed(page: Page, name: string): Promise<string | null> {
  return page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed')
}
