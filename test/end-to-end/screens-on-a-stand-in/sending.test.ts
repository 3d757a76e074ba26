import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()
const HALF = { id: 's7', handedOverBytes: 2_106_000, requestBytes: 4_212_000, stalledSince: null }

describe('a case that is being sent', () => {
  it('shows bytes and since when nothing more is taken, and no row moves for it', async (context) => {
    const { page, screens, row } = await open(context)
    // Its line stands above the rows.
    await page.getByRole('button', { name: /waiting too long/ }).waitFor()
    screens.standIn.tell('deliveryProgressed', HALF)
    await row('H-00409').getByText('2.1 MB of 4.2 MB \u00b7 50 %').waitFor()
    const next = row('H-00408')
    const before = await next.boundingBox()
    screens.standIn.tell('deliveryProgressed', { ...HALF, stalledSince: Date.now() - 35_000 })
    await row('H-00409')
      .getByText(/^Stalled since \d\d:\d\d:\d\d \(\d+ s\)$/)
      .waitFor()
    expect(await next.boundingBox()).toEqual(before)
    screens.standIn.tell('deliveryProgressed', HALF)
    await page.getByText(/Stalled since/).waitFor({ state: 'detached' })
  })

  it('is never called sent before the service has answered', async (context) => {
    const { page, screens, row, goTo } = await open(context)
    screens.standIn.tell('deliveryProgressed', { ...HALF, handedOverBytes: HALF.requestBytes })
    await row('H-00409').getByText('All handed over, waiting for the answer').waitFor()
    await goTo('#/queue/s7')
    const panel = page.getByRole('region', { name: 'It is on its way now' })
    await panel.getByText(/called sent when the service has answered with its id, and not before/).waitFor()
    expect(await panel.getByRole('button', { name: 'Cancel sending' }).isDisabled()).toBe(true)
    expect(await page.getByText('Sent', { exact: true }).count()).toBe(0)
  })

  it('is cancelled by the keyboard, after what that means was said', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s7')
    screens.standIn.tell('deliveryProgressed', { ...HALF, stalledSince: Date.now() - 35_000 })
    const panel = page.getByRole('region', { name: 'It is on its way now' })
    await panel.getByText(/^The other side has taken nothing since/).waitFor()
    await panel.getByRole('button', { name: 'Cancel sending' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Cancel the sending of this case?' })
    await dialog.getByText(/The case stays here whole, on hold/).waitFor()
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT')
    await page.keyboard.type('QX')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(() => screens.standIn.asked.find(({ name }) => name === 'submissions.cancel')?.input)
      .toEqual({ ids: ['s7'], by: 'QX' })
    await page.getByText('On hold', { exact: true }).waitFor()
  })
})
