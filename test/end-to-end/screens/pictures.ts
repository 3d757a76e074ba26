/** Pictures for people, in both themes; only if FUNDUS_COURIER_PICTURES says where to. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { untilStill } from '../axe.ts'

const folder = process.env['FUNDUS_COURIER_PICTURES']

export async function takePicture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    await untilStill(page)
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
