import { describe, expect, it } from 'vitest'
import { openScreens } from './open-screens.ts'

describe('the images of a case', () => {
  it('are given to the other eye, left out with a reason, and an eye without one says why', async (context) => {
    const { page, openCase, caseOf } = await openScreens(context, {
      cases: [{ who: 'H-00412', name: 'Sampleton, Synthia', state: 'review', eyes: 'rrl' }],
    })
    await openCase('H-00412')
    const eyes = async () => (await caseOf('H-00412')).images.map(({ eye }) => eye)
    await page.getByRole('button', { name: 'OD_1.jpg: Left eye – OS' }).click()
    await expect.poll(eyes).toEqual(['left', 'right', 'left'])
    await page.getByRole('button', { name: 'OD_1.jpg: Right eye – OD' }).click()
    await expect.poll(eyes).toEqual(['right', 'right', 'left'])
    await page.getByRole('button', { name: 'Exclude OS_3.jpg' }).click()
    await page.getByRole('button', { name: 'Blurred' }).click()
    await page.getByRole('button', { name: 'Include' }).waitFor()
    expect((await caseOf('H-00412')).images[2]?.excludedBecause).toBe('Blurred')
    await page.getByRole('button', { name: /^No image possible.*Left eye/ }).click()
    await page.getByRole('textbox', { name: 'Reason', exact: true }).fill('Dense cataract')
    await page.keyboard.press('Enter')
    await page.getByText('No image possible: Dense cataract').waitFor()
    expect((await caseOf('H-00412')).noImageBecause).toEqual({ left: 'Dense cataract' })
  })
})

describe('a case of a patient and day that were sent before', () => {
  it('is shown beside the earlier one, and is discarded by a person', async (context) => {
    const { page, openCase, caseOf } = await openScreens(context, {
      cases: [
        { who: 'H-00412', state: 'sent', caseId: '4001' },
        { who: 'second', fields: { history_number: 'H-00412' }, state: 'review' },
      ],
    })
    await openCase('second')
    const panel = page.getByRole('region', { name: /Same visit/ })
    const earlier = panel.getByRole('article', { name: /^Earlier case/ })
    await earlier.getByRole('link', { name: 'Open earlier case' }).waitFor()
    await earlier.getByRole('img').first().waitFor()
    await panel.getByText('If it is approved, the service has both cases.').waitFor()
    await panel.getByRole('button', { name: 'Discard this case' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /Discard/ }).click()
    await dialog.getByText('Enter your initials.').waitFor()
    await dialog.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await dialog.getByRole('button', { name: /Discard/ }).click()
    await expect.poll(async () => (await caseOf('second')).state).toBe('discarded')
  })
})
