import { describe, expect, it } from 'vitest'
import { openScreens } from './open-screens.ts'
import { QUEUE } from './seed-cases.ts'

describe('the queue', () => {
  it('shows what needs a person first, is worked by the keyboard alone, and keeps every row in its place meanwhile', async (context) => {
    const { page, row, caseOf, complaints, value, ids } = await openScreens(context, { cases: QUEUE })
    // Nothing leaves meanwhile.
    await value('station.pause', { seconds: null })
    await row('H-00412').waitFor()
    const states = await page
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((one) => (one instanceof HTMLElement ? one.dataset['state'] : '')))
    expect(states).toEqual(['refused', 'unconfirmed', 'review', 'review', 'held'])
    const order = () =>
      page.locator('tbody tr').evaluateAll((rows) => rows.map((one) => one.getAttribute('data-id')))
    await page.getByRole('link', { name: /^Open H-00415/ }).focus()
    await page.keyboard.press('ArrowUp')
    const before = await order()
    await value('submissions.release', { ids: [ids['H-00377'] ?? ''] })
    await row('H-00377').getByText('Ready to check').waitFor()
    expect(await order()).toEqual(before)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('H-00412')
    await page.keyboard.press('a')
    await expect.poll(async () => (await caseOf('H-00412')).state).toBe('waiting')
    await page.getByRole('link', { name: /^Open H-00415/ }).focus()
    await page.keyboard.press('h')
    await row('H-00415').getByText('On hold').waitFor()
    await page.getByRole('link', { name: /^Open H-00398/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    expect(await page.getByRole('checkbox', { name: /Select H-00401/ }).isChecked()).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Did this case arrive?' }).waitFor()
    expect((await caseOf('H-00415')).state).toBe('held')
    await page.keyboard.press('Alt+1')
    await page.getByRole('searchbox').fill('mocksey')
    await row('H-00412').waitFor({ state: 'detached' })
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.getByRole('searchbox').fill('no one has this name')
    await page.getByText('No cases found').waitFor()
    expect(complaints).toEqual([])
  })
})
