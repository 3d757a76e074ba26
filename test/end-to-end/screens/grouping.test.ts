import { describe, expect, it } from 'vitest'
import { fail, failureOf } from '../../../src-shared/failure.ts'
import { countedActs, openScreens } from './open-screens.ts'
import { QUEUE } from './seed-cases.ts'

describe('cases and images', () => {
  it('are joined only after both patients and days were named, become a case of their own by the keyboard alone, and are moved back', async (context) => {
    const { page, caseOf, openCase, value, ids } = await openScreens(context, { cases: QUEUE })
    await openCase('H-00415')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Join with another case' }).click()
    const dialog = page.getByRole('dialog', { name: 'Join with another case' })
    await dialog.getByRole('button', { name: /H-00412/ }).click()
    await dialog.getByText(/^From .*van Fiktief, Demodora.* to .*Sampleton, Synthia/).waitFor()
    await dialog.getByText(/Different history numbers/).waitFor()
    await dialog.getByRole('button', { name: 'Join' }).click()
    // The station joins no cases in which people wrote different things.
    await dialog
      .getByRole('alert')
      .getByText(/The entered values differ/)
      .waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await caseOf('H-00412')).images).toHaveLength(4)
    expect((await caseOf('H-00415')).state).toBe('review')

    await openCase('H-00412')
    for (const name of ['OD_1.jpg', 'OS_3.jpg']) {
      await page.getByRole('checkbox', { name: `Select ${name}` }).focus()
      await page.keyboard.press('Space')
    }
    await page.getByRole('button', { name: 'Split into new case' }).focus()
    await page.keyboard.press('Enter')
    const split = page.getByRole('dialog', { name: 'Split into new case' })
    await split.getByText('Must be checked again before sending.').waitFor()
    // The first thing that Enter would do is nothing.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Open it' }).click()
    await page.waitForFunction((id) => !window.location.hash.endsWith(id), ids['H-00412'] ?? '')
    await page.getByRole('checkbox', { name: 'Select OS_3.jpg' }).waitFor()
    expect((await caseOf('H-00412')).images).toHaveLength(2)
    for (const name of ['OD_1.jpg', 'OS_3.jpg'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    expect(await page.getByRole('button', { name: 'Split into new case' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Move to another case' }).click()
    const move = page.getByRole('dialog', { name: 'Move to another case' })
    await move.getByText('No image remains here: this case is discarded.').waitFor()
    // What is on its way or may have arrived is not offered.
    await move.getByRole('button', { name: /H-00415/ }).waitFor()
    expect(await move.getByRole('button', { name: /H-00401/ }).count()).toBe(0)
    await move.getByRole('searchbox', { name: 'Find case' }).fill('sampleton')
    await move.getByRole('button', { name: /H-00415/ }).waitFor({ state: 'detached' })
    await move
      .getByRole('button', { name: /H-00412/ })
      .first()
      .click()
    await move.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('heading', { name: /H-00412/ }).waitFor()
    expect((await caseOf('H-00412')).images).toHaveLength(4)
    expect((await value('station.status')).counts.discarded).toBe(1)
  })
})

describe('the center', () => {
  it('is switched in three acts, stays what it is if the service does not answer, and cases move with initials only', async (context) => {
    const { page, answerWith, caseOf, openCase, value } = await openScreens(context, { cases: QUEUE })
    await page.getByRole('button', { name: /^Center Practice/ }).click()
    answerWith('centers.change', async () => fail(failureOf('notAnswering')))
    const failing = page.getByRole('dialog')
    await failing.getByRole('combobox', { name: 'Center' }).selectOption('102')
    await failing.getByRole('button', { name: 'Change center' }).click()
    await failing
      .getByRole('alert')
      .getByText(/^New cases still go to/)
      .waitFor()
    await failing
      .getByRole('button', { name: /Cancel|Close/ })
      .first()
      .click()
    await page.getByRole('banner').getByText('Practice Center North').waitFor()
    answerWith('centers.change', null)

    const acts = countedActs()
    const header = page.getByRole('banner')
    await acts.click(header.getByRole('button', { name: /^Center/ }))
    await acts.choose(page.getByRole('dialog').getByRole('combobox', { name: 'Center' }), '102')
    const dialog = page.getByRole('dialog', { name: 'Send new cases to Practice Center South?' })
    await dialog.getByText('Existing cases: 5').waitFor()
    await acts.click(dialog.getByRole('button', { name: 'Change center' }))
    await header.getByRole('button', { name: /Practice Center South/ }).waitFor()
    acts.expectAtMost(3)
    expect((await value('station.status')).centerId).toBe('102')
    expect((await caseOf('H-00412')).centerId).toBe('101')

    await openCase('H-00412')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Move to center' }).click()
    const move = page.getByRole('dialog', { name: 'Move this case to another center?' })
    await move.getByRole('combobox', { name: 'Move to' }).selectOption('102')
    await move.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await move.getByRole('button', { name: 'Move to Practice Center South' }).click()
    await expect.poll(async () => (await caseOf('H-00412')).centerId).toBe('102')
    expect((await caseOf('H-00377')).centerId).toBe('101')
  })
})
