import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
mkdirSync('/tmp/screens-shots', { recursive: true })
export async function shoot(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor()
    await page.waitForTimeout(500)
    await page.screenshot({ path: `/tmp/screens-shots/real-${name}-${theme}.png` })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1000, height: 760 })
  await page.waitForTimeout(400)
  await page.screenshot({ path: `/tmp/screens-shots/real-${name}-narrow.png`, fullPage: true })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.evaluate(() => window.localStorage.setItem('fundus-courier.language', 'es'))
  const url = page.url()
  await page.reload()
  await page.waitForTimeout(1500)
  await page.screenshot({ path: `/tmp/screens-shots/real-${name}-es.png` })
  await page.evaluate(() => window.localStorage.removeItem('fundus-courier.language'))
  await page.reload()
  await page.waitForTimeout(1500)
}
