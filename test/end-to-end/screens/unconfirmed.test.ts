import { describe, expect, it } from 'vitest'
import { openScreens } from './open-screens.ts'

describe('a case of which no one knows whether it arrived', () => {
  const UNCONFIRMED = {
    cases: [{ who: 'H-00401', name: "O'Mocksey, Mockbert", state: 'unconfirmed' as const }],
  }

  it('is sent again only after a person has answered the question', async (context) => {
    const { page, service, openCase, caseOf } = await openScreens(context, UNCONFIRMED)
    await openCase('H-00401')
    const panel = page.getByRole('region', { name: 'Did this case arrive?' })
    // Nothing else on this screen sends.
    expect(
      await page.getByRole('button', { name: /try again|retry|send again$/i }).allTextContents(),
    ).toEqual(['Send again'])
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Discard' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /Move to center/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await panel.getByRole('button', { name: 'Send again' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send this case a second time?' })
    await dialog.getByText(/the service has this visit twice/).waitFor()
    const confirm = dialog.getByRole('button', { name: 'Send again' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    expect(service.journal.of('POST /cases')).toHaveLength(0)
    await confirm.click()
    await expect.poll(() => service.cases().length).toBe(1)
    await expect.poll(async () => (await caseOf('H-00401')).state).toBe('sent')
  })

  it('is found by a look, taken for the case at the service by a person, and never sent again', async (context) => {
    const { page, service, openCase, caseOf } = await openScreens(context, UNCONFIRMED)
    const { id } = service.addForeignCase({ history_number: 'H-00401', visit_date: '2026-11-20' }, '101')
    await openCase('H-00401')
    const panel = page.getByRole('region', { name: 'Did this case arrive?' })
    await panel.getByRole('radio', { name: String(id) }).check()
    await panel.getByRole('button', { name: 'Mark as delivered' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await dialog.getByRole('button', { name: 'Yes, it is this case' }).click()
    await page.getByText('Accepted by the service. It can no longer be edited.').waitFor()
    expect(await caseOf('H-00401')).toMatchObject({ state: 'sent', caseId: String(id) })
    expect(service.journal.of('POST /cases')).toHaveLength(0)
  })

  it('shows what the service answered as text, which nothing in it can leave', async (context) => {
    const { page, openCase, complaints } = await openScreens(context, UNCONFIRMED)
    await openCase('H-00401')
    await page.getByRole('button', { name: 'Show answer to attempt 1' }).click()
    const text = page.getByRole('region', { name: 'Answer' })
    expect(await text.textContent()).toContain('<script>')
    expect(await text.locator('*').count()).toBe(0)
    expect(await page.title()).not.toContain('taken')
    await page.getByText(/^Status 502/).waitFor()
    expect(complaints).toEqual([])
  })
})
