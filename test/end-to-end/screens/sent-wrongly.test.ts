/** A case that was sent wrongly: what is wrong, the call to the service, and the case that corrects it. */
import { expect, it } from 'vitest'
import { inGroups } from '../../../src-shared/reference.ts'
import { axeFindingsInBothThemes } from '../axe.ts'
import { openReports } from './open-screens.ts'

it('is noted, read out over the telephone and corrected, and its report is banded', async (context) => {
  const { page, openCase, goTo, caseOf, service, value, caseIds } = await openReports(context, 'text')
  const { id, reference } = await caseOf('H-00350')
  const panel = page.getByRole('region', { name: /^What is wrong|^Wrong patient$/ })
  const sentBefore = service.cases().length

  await openCase('H-00350')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Sent wrongly' }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('sent-wrongly')
  await panel.getByRole('radio', { name: 'Wrong patient' }).check()
  await panel.getByLabel('What is right').fill('H-00777')
  await panel.getByLabel('Your initials').fill('AB')
  await panel.getByRole('button', { name: 'Mark as sent wrongly' }).click()
  await panel.getByText(`reference ${inGroups(reference)}`).waitFor()
  await panel.getByText('H-00350, Demoson, Synthia').waitFor()
  expect(await axeFindingsInBothThemes(page)).toEqual([])

  // Seeing it is not enough: only the call ends it.
  await page.getByRole('button', { name: 'Show' }).first().click()
  const alarms = page.getByRole('dialog', { name: 'Alarms' })
  await alarms.getByText('Open the case to call the service').waitFor()
  expect(await alarms.getByRole('button', { name: /Mark as seen/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await panel.getByLabel('Spoken to').fill('Ms Sample')
  await panel.getByRole('button', { name: 'The service knows it' }).click()
  await panel.getByText('AB spoke to Ms Sample').waitFor()
  await expect.poll(async () => (await value('station.status')).alarms).toEqual([])

  await panel.getByRole('button', { name: 'Make the corrected case' }).click()
  await page.getByRole('heading', { name: /H-00777/, level: 1 }).waitFor()
  await page.getByRole('link', { name: `Corrects a case that was sent wrongly: ${reference}` }).waitFor()
  expect(await caseOf('H-00777')).toMatchObject({
    replaces: { id },
    images: [{ eye: 'right' }, { eye: 'left' }],
  })
  expect(service.cases().length).toBe(sentBefore)

  await goTo(`#/reports/${caseIds[0]}`)
  const report = page.getByRole('article', { name: `Case ${caseIds[0]}` })
  const row = page.getByRole('link', { name: /H-00350.*Wrong patient: do not use/ })
  expect(await row.textContent()).not.toContain('OD')
  await report.getByRole('alert').getByText('Wrong patient: do not use').waitFor()
  await page.evaluate(() => {
    window.print = () => {
      document.body.dataset['printed'] = 'yes'
    }
  })
  await report.getByRole('button', { name: 'Print' }).click()
  await page.locator('body[data-printed="yes"]').waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('[data-print-sheet]').getAttribute('data-band')).toBe('Wrong patient: do not use')
})
