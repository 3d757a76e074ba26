/** The review desk in a browser: by the keyboard alone, at the pace that it enforces. */
import { describe, expect, it } from 'vitest'
import { approveShown } from '../browser.ts'
import { openScreens } from './open-screens.ts'
import { QUEUE } from './seed-cases.ts'

describe('the review desk', () => {
  it('has the focus on entry, is worked by one key a case, and holds every row in its place meanwhile', async (context) => {
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
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toContain('H-00398')
    // What needs a decision is on top, and is no case to approve.
    await page.getByRole('heading', { name: /H-00398/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('heading', { name: 'Did this case arrive?' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('heading', { name: /H-00412/ }).waitFor()
    const before = await order()
    await value('submissions.release', { ids: [ids['H-00377'] ?? ''] })
    await row('H-00377').getByText('Ready to check').waitFor()
    expect(await order()).toEqual(before)
    expect(await focused()).toContain('H-00412')
    await approveShown(page)
    await expect.poll(async () => (await caseOf('H-00412')).state).toBe('waiting')
    await expect.poll(focused).toContain('H-00415')
    await approveShown(page)
    await expect.poll(async () => (await caseOf('H-00415')).state).toBe('waiting')
    await expect.poll(focused).toContain('H-00377')
    await page.keyboard.press('h')
    await row('H-00377').getByText('On hold').waitFor()
    // Held down longer than a scanner takes to the next character.
    await page.keyboard.press('Space', { delay: 80 })
    expect(await page.getByRole('checkbox', { name: /Select H-00377/ }).isChecked()).toBe(true)
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'History number' }).waitFor()
    await page.keyboard.press('Alt+1')
    await page.getByRole('heading', { name: /H-00377/ }).waitFor()
    await page.getByRole('searchbox').fill('mocksey')
    await row('H-00412').waitFor({ state: 'detached' })
    expect(await page.locator('tbody tr').count()).toBe(1)
    expect(complaints).toEqual([])
  })

  it('asks for unknown eyes one by one, three keys a case', async (context) => {
    const { page, caseOf, value } = await openScreens(context, {
      cases: [{ who: 'H-00417', state: 'review', eyes: '??' }],
    })
    await value('station.pause', { seconds: null })
    const seen = async (text: string): Promise<void> => {
      await page.getByText(text).waitFor()
      await page.locator('section[aria-busy="false"]').first().waitFor()
      // The desk counts the time that an image is in view.
      await page.waitForTimeout(750)
    }
    await seen('Image 1 of 2')
    await page.keyboard.press('1')
    await seen('Image 2 of 2')
    await page.keyboard.press('2')
    await approveShown(page)
    await expect.poll(async () => (await caseOf('H-00417')).state).toBe('waiting')
    expect((await caseOf('H-00417')).images.map(({ eye }) => eye)).toEqual(['right', 'left'])
  })

  it('shows each of twenty images of an eye small, one of them large, and approves them then', async (context) => {
    const { page, caseOf, value } = await openScreens(context, {
      cases: [{ who: 'H-00417', state: 'review', eyes: `${'r'.repeat(20)}ll` }],
    })
    await value('station.pause', { seconds: null })
    const group = page.getByRole('group', { name: 'Right eye' })
    await group.getByRole('img').nth(19).waitFor()
    await approveShown(page)
    await expect.poll(async () => (await caseOf('H-00417')).state).toBe('waiting')
    for (const one of [page.locator('figure[data-area="right"]'), group.getByRole('button').nth(19)])
      expect(await one.evaluate((element) => element.getBoundingClientRect().bottom < innerHeight)).toBe(true)
    const heights = await page
      .locator('figure[data-image]:not([hidden])')
      .evaluateAll((figures) => figures.map((one) => one.clientHeight))
    expect(heights).toHaveLength(2)
    for (const height of heights) expect(height).toBeGreaterThanOrEqual(200)
  })

  it('takes an approval back by its row or by Ctrl+Z, and nothing of it was sent', async (context) => {
    const { page, row, caseOf, service } = await openScreens(context, {
      cases: ['H-00412', 'H-00415'].map((who) => ({ who, state: 'review' })),
      hasUndo: true,
    })
    await row('H-00412').waitFor()
    for (const who of ['H-00412', 'H-00415']) {
      await page.getByRole('heading', { name: new RegExp(who) }).waitFor()
      await approveShown(page)
      await row(who).getByText('Approved').waitFor()
    }
    await page.keyboard.press('Control+z')
    await row('H-00415').getByText('Ready to check').waitFor()
    await row('H-00412').getByRole('button', { name: /^Undo/ }).click()
    await row('H-00412').getByText('Ready to check').waitFor()
    for (const who of ['H-00412', 'H-00415']) expect((await caseOf(who)).state).toBe('review')
    expect(service.cases()).toEqual([])
  })
})
