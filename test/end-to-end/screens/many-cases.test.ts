import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openScreens, select } from './open-screens.ts'
import { QUEUE, type SeededCase } from './seed-cases.ts'

describe('many cases at once', () => {
  it('are held, released, saved as a file, and discarded with initials and taken back together', async (context) => {
    const { page, row, caseOf, value } = await openScreens(context, { cases: QUEUE })
    await value('station.pause', { seconds: null })
    await page.getByRole('textbox', { name: 'Initials' }).fill('ZY')
    await select(page, 'H-00412', 'H-00415', 'H-00398')
    await page.getByRole('button', { name: 'Hold (2)' }).click()
    for (const who of ['H-00412', 'H-00415']) await row(who).getByText('On hold').waitFor()
    expect((await caseOf('H-00398')).state).toBe('refused')
    await select(page, 'H-00412', 'H-00415')
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
    const many = Array.from({ length: 52 }, (_nothing, index): SeededCase => ({
      who: `B-${index}`,
      state: 'review',
    }))
    const { page, value } = await openScreens(context, { cases: many })
    await value('station.pause', { seconds: null })
    await page.getByText('50 of 52').waitFor()
    await page.getByRole('checkbox', { name: 'Select all shown' }).check()
    await page.getByRole('button', { name: 'Select all 52' }).click()
    await page.getByRole('toolbar', { name: /52 selected/ }).waitFor()
    const approve = page.getByRole('toolbar').getByRole('button', { name: 'Approve' })
    await approve.click()
    const question = page.getByRole('dialog', { name: 'Approve 52 cases?' })
    await question.getByText(/Only 50 of them are shown/).waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    const counts = async () => (await value('station.status')).counts
    expect(await counts()).toMatchObject({ review: 52, waiting: 0 })
    await approve.click()
    await question.getByRole('button', { name: 'Approve 52' }).click()
    await expect.poll(counts).toMatchObject({ review: 0, waiting: 52 })
  })
})
