import { describe, expect, it } from 'vitest'
import { succeed } from '../../../src-shared/failure.ts'
import { setStage } from './stage.ts'

const open = setStage()

describe('the chart of cases a day', () => {
  const items = Array.from({ length: 14 }, (_nothing, index) => ({
    day: `2026-11-${String(8 + index).padStart(2, '0')}`,
    added: index,
    sent: Math.max(0, index - 1),
  }))

  it('tells its numbers to the eye, the pointer, the keyboard and a screen reader', async (context) => {
    const { page, screens, goTo } = await open(context)
    screens.standIn.answerWith('station.days', async () => succeed({ items }))
    await goTo('#/activity')
    await page.getByText('In all: 91 added, 78 sent').waitFor()
    expect(await page.locator('svg [class*="sent"]').count()).toBe(14)
    const chart = page.getByRole('slider', { name: 'Day of the chart' })
    await chart.focus()
    expect(await chart.getAttribute('aria-valuetext')).toBe('21 Nov 2026: 13 added, 12 sent')
    await page.keyboard.press('ArrowLeft')
    expect(await chart.getAttribute('aria-valuetext')).toBe('20 Nov 2026: 12 added, 11 sent')
    await page.keyboard.press('Home')
    await page.getByText('8 Nov 2026: 0 added, 0 sent').waitFor()
    await page.locator('svg [class*="column"]').nth(4).hover()
    await page.getByText('12 Nov 2026: 4 added, 3 sent').waitFor()
    const table = page.getByRole('table', { name: 'Cases a day' })
    expect(await table.getByRole('row').nth(14).innerText()).toMatch(/21 Nov 2026\s+13\s+12/)
  })

  it('is asked for another period, follows what comes, and is empty where nothing came', async (context) => {
    const { page, screens, goTo } = await open(context)
    const { standIn } = screens
    await goTo('#/activity')
    await page.getByText('30 days').click()
    await expect
      .poll(() => standIn.asked.findLast(({ name }) => name === 'station.days')?.input)
      .toEqual({ days: 30 })
    standIn.answerWith('station.days', async () =>
      succeed({ items: items.map(({ day }) => ({ day, added: 0, sent: 0 })) }),
    )
    standIn.changeStatus({ lastSentAt: Date.now() })
    await page.getByText('No case came or was sent in the last 14 days.').waitFor()
  })

  it('gives way to the activity of one case', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/activity/s2')
    await page.getByText(/^Only case /).waitFor()
    expect(await page.getByRole('slider').count()).toBe(0)
    expect(await page.getByRole('textbox', { name: 'Case' }).count()).toBe(0)
  })
})

it('the activity of a case is found by its reference, as it was read out', async (context) => {
  const { page, screens, goTo } = await open(context)
  const reference = screens.standIn.submissions.get('s2')?.reference ?? ''
  await goTo('#/activity')
  await page.getByText('100 shown').waitFor()
  const asked = page.getByRole('textbox', { name: 'Case' })
  await asked.fill(reference.toLowerCase().replace(/(.{4})/g, '$1 '))
  await expect.poll(() => page.locator('tr[data-entry]').count()).toBeLessThan(20)
  expect(await page.getByRole('link', { name: `Open case ${reference}` }).count()).toBeGreaterThan(0)
  await asked.fill('FC7K')
  await page.getByText(/Write the whole reference/).waitFor()
})
