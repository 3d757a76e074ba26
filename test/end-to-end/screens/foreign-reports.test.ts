import { describe, expect, it } from 'vitest'
import { openReports } from './open-screens.ts'

describe('a report', () => {
  it('that is a page can neither run scripts nor reach a network, also on paper', async (context) => {
    const { page, strangers, goTo, caseIds } = await openReports(context, 'html')
    await goTo(`#/reports/${caseIds[0]}`)
    const shown = page.locator('iframe[title="Report page"]')
    await shown
      .contentFrame()
      .locator('body')
      .getByText(/report/i)
      .first()
      .waitFor()
    expect(await shown.getAttribute('sandbox')).toBe('')
    await page.getByRole('button', { name: 'Print' }).click()
    const frame = page.locator('body > iframe')
    await frame.waitFor({ state: 'attached' })
    expect(await frame.getAttribute('sandbox')).toBe('allow-same-origin allow-modals')
    expect(await frame.contentFrame().locator('script').count()).toBe(0)
    expect(strangers).toEqual([])
  })

  it('that is an address is shown, and opened only after a question', async (context) => {
    const { page, strangers, goTo, caseIds } = await openReports(context, 'foreignLink')
    await page.evaluate(() => {
      window.open = (address) => {
        document.body.dataset['opened'] = String(address)
        return null
      }
    })
    await goTo(`#/reports/${caseIds[0]}`)
    await page.getByRole('button', { name: 'Open in the browser' }).click()
    const question = page.getByRole('dialog', { name: /^Open / })
    await question.getByText(/Go on only if you trust it/).waitFor()
    expect(await page.locator('body').getAttribute('data-opened')).toBeNull()
    await question.getByRole('button', { name: 'Open the address' }).click()
    await page.locator('body[data-opened]').waitFor()
    expect(strangers).toEqual([])
  })
})
