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
}
