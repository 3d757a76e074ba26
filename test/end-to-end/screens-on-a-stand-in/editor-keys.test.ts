import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()
const PATIENTLY = { timeout: 15_000 }

describe('the keys that save and send', () => {
  it('rest while a dialog covers the case, and act again after it', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s6')
    const reason = page.getByRole('textbox', { name: 'Reason for the visit' })
    await reason.waitFor()
    const press = async (): Promise<void> => {
      await page.keyboard.press('Control+s')
      await page.keyboard.press('Control+Enter')
    }
    const dialog = page.getByRole('dialog')
    await page.keyboard.press('F1')
    await dialog.waitFor()
    await press()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'More for this case' }).click()
    await page.getByRole('menuitem', { name: 'Discard' }).click()
    await dialog.waitFor()
    await press()
    // Time enough for a case to be saved, approved and left.
    await page.waitForTimeout(1_000)
    expect(await page.evaluate(() => location.hash)).toBe('#/queue/s6')
    expect(screens.standIn.asked.filter(({ name }) => name === 'submissions.approve')).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(() => screens.standIn.asked.some(({ name }) => name === 'submissions.approve'), PATIENTLY)
      .toBe(true)
  })
})
