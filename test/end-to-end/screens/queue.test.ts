import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openScreens, type Screens } from './open-screens.ts'
import { QUEUE, type SeededCase } from './seed-cases.ts'

/** Nothing leaves while a test looks at what waits. */
const paused = async (screens: Screens): Promise<Screens> => {
  await screens.value('station.pause', { seconds: null })
  return screens
}
const select = async ({ page }: Screens, ...who: readonly string[]): Promise<void> => {
  for (const one of who) await page.getByRole('checkbox', { name: new RegExp(`Select ${one}`) }).check()
}

describe('the queue', () => {
  it('shows what needs a person first, is worked by the keyboard alone, and keeps every row in its place meanwhile', async (context) => {
    const { page, row, caseOf, complaints, value, ids } = await paused(
      await openScreens(context, { cases: QUEUE }),
    )
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
    await page.keyboard.press('ArrowRight')
    await page.getByRole('group', { name: 'Attempts' }).getByText('Refused by the service').waitFor()
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
    await page.getByRole('searchbox').fill('nobody has this name')
    await page.getByText('No cases found').waitFor()
    expect(complaints).toEqual([])
  })
})

describe('many cases at once', () => {
  it('are held, released, saved as a file, and discarded with initials and taken back together', async (context) => {
    const screens = await paused(await openScreens(context, { cases: QUEUE }))
    const { page, row, caseOf, value } = screens
    await page.getByRole('textbox', { name: 'Who is working' }).fill('ZY')
    await select(screens, 'H-00412', 'H-00415', 'H-00398')
    await page.getByRole('button', { name: 'Hold (2)' }).click()
    for (const who of ['H-00412', 'H-00415']) await row(who).getByText('On hold').waitFor()
    expect((await caseOf('H-00398')).state).toBe('refused')
    await select(screens, 'H-00412', 'H-00415')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('toolbar').getByRole('button', { name: /CSV/ }).click(),
    ])
    const lines = (await text(await download.createReadStream())).trim().split('\r\n')
    expect(lines).toHaveLength(3)
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: /^Discard/ })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Test images' }).click()
    await dialog
      .getByRole('button', { name: /^Discard/ })
      .last()
      .click()
    await row('H-00415').waitFor({ state: 'detached' })
    const { items } = await value('audit.list', { what: ['discarded'] })
    expect(items).toMatchObject([
      { by: 'ZY', details: { why: 'Test images' } },
      { by: 'ZY', details: { why: 'Test images' } },
    ])
    await page.getByRole('button', { name: 'Undo' }).click()
    for (const who of ['H-00412', 'H-00415']) await row(who).getByText('Ready to check').waitFor()
  })

  it('are all that match, also beyond the page, and approved unseen only after a question', async (context) => {
    const many = Array.from({ length: 60 }, (_nothing, index): SeededCase => ({
      who: `B-${index}`,
      state: 'review',
      eyes: 'r',
    }))
    const { page, value } = await paused(await openScreens(context, { cases: many }))
    await page.getByText('50 of 60').waitFor()
    await page.getByRole('checkbox', { name: 'Select all cases shown' }).check()
    await page.getByRole('button', { name: 'Select all 60' }).click()
    await page.getByRole('toolbar', { name: /60 selected/ }).waitFor()
    const approve = page.getByRole('toolbar').getByRole('button', { name: 'Approve' })
    await approve.click()
    const question = page.getByRole('dialog', { name: 'Approve 60 cases?' })
    await question.getByText(/Only 50 of them are shown/).waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    const counts = async () => (await value('station.status')).counts
    expect(await counts()).toMatchObject({ review: 60, waiting: 0 })
    await approve.click()
    await question.getByRole('button', { name: 'Approve 60' }).click()
    await page
      .getByText(/60 cases approved/)
      .first()
      .waitFor()
    expect(await counts()).toMatchObject({ review: 0, waiting: 60 })
  })
})
