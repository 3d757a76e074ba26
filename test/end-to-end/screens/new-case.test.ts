import { describe, expect, it } from 'vitest'
import { drawFundus } from '../../camera/draw-fundus.ts'
import { dropFiles } from './drop-files.ts'
import { openScreens } from './open-screens.ts'

const CASES = [{ who: 'H-00412', name: 'Sampleton, Synthia', state: 'review' as const }]

describe('a new case', () => {
  const photograph = async (name: string, eye: 'right' | 'left') => ({
    name,
    mimeType: 'image/jpeg',
    buffer: await drawFundus({ eye, seed: 4, shot: 0, width: 300, height: 250 }),
  })

  it('is made of files that are dropped on the queue, and never without one that was chosen', async (context) => {
    const { page, caseOf } = await openScreens(context, { cases: CASES })
    await dropFiles(page, [
      await photograph('OD_1.jpg', 'right'),
      { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
    ])
    await page.getByRole('heading', { name: 'New case' }).waitFor()
    const make = page.getByRole('button', { name: 'Make the case' })
    await page.getByText(/not taken: the file is empty/).waitFor()
    expect(await make.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Remove empty.jpg' }).click()
    await page.locator('input[type="file"]').setInputFiles([await photograph('b.jpg', 'left')])
    const second = page.getByRole('article', { name: 'b.jpg' })
    await second.getByText(/on this station/).waitFor()
    // The order and the name say nothing here.
    await second.getByRole('button', { name: /is the Left eye/ }).click()
    await page
      .getByRole('article', { name: 'OD_1.jpg' })
      .getByRole('button', { name: /is the Eye not known/ })
      .focus()
    await page.keyboard.press('r')
    await page.getByRole('textbox', { name: 'History number' }).fill('H-90001')
    await page.getByRole('textbox', { name: 'Visit date' }).fill('2026-11-20')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: /H-90001/ }).waitFor()
    expect((await caseOf('H-90001')).images).toMatchObject([{ eye: 'right' }, { eye: 'left' }])
  })

  it('takes no images from the queue unasked once it is begun: they may be of another patient', async (context) => {
    const { page, goTo } = await openScreens(context, { cases: CASES })
    const card = (name: string) => page.getByRole('article', { name })
    await dropFiles(page, [await photograph('a.jpg', 'left')])
    await card('a.jpg').waitFor()
    await page.getByRole('textbox', { name: 'History number' }).fill('H-90001')
    const dialog = page.getByRole('dialog', { name: 'A new case is already begun' })
    for (const [name, answer, cards] of [
      ['b.jpg', 'Add to the begun case', 2],
      ['c.jpg', 'Leave the dropped images out', 2],
      ['d.jpg', 'Discard the unfinished case and start over', 1],
    ] as const) {
      await goTo('#/queue')
      await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
      await dropFiles(page, [await photograph(name, 'left')])
      await dialog.getByText('H-90001').waitFor()
      await dialog.getByRole('button', { name: answer }).click()
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => page.getByRole('article').count()).toBe(cards)
    }
    expect(await page.getByRole('textbox', { name: 'History number' }).inputValue()).toBe('')
  })
})
