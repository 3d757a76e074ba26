import { describe, expect, it } from 'vitest'
import { fail, failureOf, succeed } from '../../../src-shared/failure.ts'
import { setStage } from './stage.ts'
import { STAND_IN_CENTERS } from './stand-in-status.ts'

const open = setStage()

describe('the center', () => {
  it('is switched by keyboard alone, and said what becomes of what waits', async (context) => {
    const { page, screens } = await open(context)
    screens.standIn.changeSubmission('s5', { centerId: '102' })
    const button = page.getByRole('button', { name: /^Center North Eye Centre/ })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: /Harbour/ }).waitFor()
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowDown')
        return await page.evaluate(() => document.activeElement?.textContent ?? '')
      })
      .toContain('Harbour')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Make new cases for Harbour Clinic?' })
    await dialog.getByText('13 cases that are here now keep their center.').waitFor()
    const waiting = dialog.getByRole('list', { name: 'Cases that are here now, by center' })
    await expect
      .poll(() => waiting.getByRole('listitem').allInnerTexts())
      .toEqual([expect.stringMatching(/North Eye Centre\s+12/), expect.stringMatching(/Harbour Clinic\s+1/)])
    await dialog.getByRole('button', { name: 'Change center' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Center Harbour Clinic/ }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(screens.standIn.asked.find(({ name }) => name === 'centers.change')?.input).toMatchObject({
      centerId: '102',
    })
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent ?? ''))
      .toContain('Harbour Clinic')
  })

  it('stays what it is in the header where the change fails, and the dialog says why', async (context) => {
    const { page, screens } = await open(context)
    screens.standIn.answerWith('centers.change', async () => fail(failureOf('notAnswering')))
    await page.getByRole('button', { name: /^Center North/ }).click()
    await page.getByRole('menuitem', { name: /Harbour/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Change center' }).click()
    await dialog
      .getByRole('alert')
      .getByText('Nothing was changed: new cases are still made for North Eye Centre.')
      .waitFor()
    await page.getByRole('banner').getByText('North Eye Centre').waitFor()
    screens.standIn.answerWith('centers.change', null)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: /^Center Harbour Clinic/ }).waitFor()
  })

  it('that the service lists no more is told in the header and in the menu', async (context) => {
    const { page, screens } = await open(context)
    screens.standIn.changeStatus({ centerId: '999' })
    await page.getByRole('button', { name: "Center, not in the service's list Center 999" }).click()
    await page.getByText(/^The service does not list center 999 any more\./).waitFor()
  })

  it('is searched for where there are many', async (context) => {
    const { page, screens } = await open(context)
    const many = Array.from({ length: 40 }, (_nothing, index) => ({
      centerId: String(300 + index),
      name: `Synthetic Clinic ${index}`,
      isCurrent: null,
    }))
    screens.standIn.answerWith('centers.list', async () =>
      succeed({ items: [...STAND_IN_CENTERS, ...many], centerId: '101', waiting: [] }),
    )
    await page.getByRole('button', { name: /^Center North/ }).click()
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(43)
    await page.getByRole('searchbox', { name: 'Search name or number' }).fill('synthetic 339')
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('No case is waiting now.').waitFor()
  })
})
