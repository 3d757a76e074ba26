import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()

describe('the activity', () => {
  it('tells what happened, to which case, by whom and why, and goes on by pages', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/activity')
    const table = page.getByRole('table', { name: 'Activity of this station' })
    const discarded = table.getByRole('row').filter({ hasText: 'Discarded' }).first()
    await discarded.getByText('QX').waitFor()
    await discarded.getByText(/^Why: Test images/).waitFor()
    // Not in the queue, so its reference is asked for.
    await discarded.getByRole('link', { name: /^Open case FC[0-9A-Z]{9}$/ }).waitFor()
    await page.getByText('100 shown').waitFor()
    await page.getByRole('button', { name: 'Show older' }).click()
    await page.getByText('139 shown').waitFor()
    expect(await table.locator('tbody tr').count()).toBe(139)
    expect(await page.getByRole('button', { name: 'Show older' }).count()).toBe(0)
  })

  it('is narrowed by what, who and day, and saved as it is narrowed', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/activity')
    const rows = page.locator('tr[data-entry]')
    await page.getByRole('combobox', { name: 'What' }).selectOption('Decisions of persons')
    await expect.poll(() => rows.count()).toBe(4)
    await page.getByRole('textbox', { name: 'Who' }).last().fill('QX')
    await expect.poll(() => rows.count()).toBe(2)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('activity-2026-11-21.csv')
    const saved = await text(await download.createReadStream())
    expect(saved.trim().split('\r\n')).toHaveLength(3)
    expect(screens.standIn.asked.findLast(({ name }) => name === 'audit.export')?.input).toMatchObject({
      by: 'QX',
    })
    await page.getByLabel('To day').fill('2020-01-01')
    await page.getByText('No entry matches these filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => rows.count()).toBe(100)
  })

  it('of one case is reached from it, and all of it again', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/queue/s2')
    await page.getByRole('link', { name: 'Activity of this case' }).click()
    await page.getByText(/^Only case FC[0-9A-Z]{9}$/).waitFor()
    await expect.poll(() => page.locator('tr[data-entry]').count()).toBeLessThan(20)
    await page.getByRole('link', { name: 'Show all cases' }).click()
    await page.getByText('100 shown').waitFor()
  })

  it('is a screen of its own for the keyboard', async (context) => {
    const { page } = await open(context)
    await page.keyboard.press('Alt+4')
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await page.keyboard.press('Alt+5')
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
  })
})

describe('who is working', () => {
  it('stays in the window over a reload, and stands by every decision', async (context) => {
    const { page, screens } = await open(context)
    await page.getByRole('textbox', { name: 'Who is working' }).fill('ZY')
    await page.reload()
    expect(await page.getByRole('textbox', { name: 'Who is working' }).inputValue()).toBe('ZY')
    await page.getByRole('button', { name: /^Approve: H-00412/ }).click()
    await page.getByText('1 case approved').first().waitFor()
    expect(screens.standIn.asked.find(({ name }) => name === 'submissions.approve')?.input).toEqual({
      ids: ['s5'],
      by: 'ZY',
    })
  })

  it('is not asked for where it matters little', async (context) => {
    const { page, screens } = await open(context)
    await page.getByRole('button', { name: /^Approve: H-00412/ }).click()
    await page.getByText('1 case approved').first().waitFor()
    expect(screens.standIn.asked.find(({ name }) => name === 'submissions.approve')?.input).toEqual({
      ids: ['s5'],
    })
  })
})
