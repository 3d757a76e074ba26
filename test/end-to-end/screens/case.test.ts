import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { countedActs, openScreens } from './open-screens.ts'

/** The form saves on its own after a pause. */
const AFTER_PAUSE = { timeout: 15_000 }

const field = (page: Page, name: RegExp | string) => page.getByRole('textbox', { name })
const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id)

describe('a case that needs details', () => {
  it('is completed and sent in four acts, or by the keyboard alone, and by no key under a dialog', async (context) => {
    const { page, row, caseOf, openCase } = await openScreens(context, {
      cases: ['H-00416', 'H-00417'].map((who) => ({ who, state: 'review', eyes: 'r?' })),
    })
    const acts = countedActs()
    await row('H-00416').waitFor()
    await page.getByRole('heading', { name: /H-00416/ }).waitFor()
    await acts.click(page.getByRole('link', { name: /^Edit/ }))
    await page.getByText('Right or left?').first().waitFor()
    await acts.click(page.getByRole('button', { name: /^IMG_2.jpg: left eye/i }))
    await acts.type(page.getByLabel('Visit date'), '2026-11-19')
    await acts.click(page.getByRole('button', { name: /^(Complete and approve|Approve and send)$/ }))
    await page.getByRole('heading', { name: 'Queue' }).waitFor()
    acts.expectAtMost(4)
    expect(await caseOf('H-00416')).toMatchObject({
      fields: { visit_date: '2026-11-19' },
      images: [{ eye: 'left' }, { eye: 'right' }],
    })
    await expect.poll(async () => (await caseOf('H-00416')).state).toBe('sent')

    await openCase('H-00417')
    const dialog = page.getByRole('dialog')
    await page.keyboard.press('F1')
    await dialog.waitFor()
    for (const key of ['l', 'Control+s', 'Control+Enter']) await page.keyboard.press(key)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const jump = page.getByRole('button', { name: /Right or left\?/ })
    await jump.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('l')
    await jump.waitFor({ state: 'detached' })
    await field(page, 'Visit date').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('11192026')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Queue' }).waitFor()
    expect(await caseOf('H-00417')).toMatchObject({
      fields: { visit_date: '2026-11-19' },
      images: [{ eye: 'left' }, { eye: 'right' }],
    })
  })
})

describe('what is typed into a case', () => {
  const REVIEWED = {
    cases: [{ who: 'H-00415', name: 'van Fiktief, Demodora', state: 'review' as const }],
  }

  it('is saved automatically, approves nothing, and neither overwrites what someone else has changed nor what cannot be right', async (context) => {
    const { page, openCase, caseOf, goTo, value, ids } = await openScreens(context, REVIEWED)
    await openCase('H-00415')
    const reason = field(page, 'Reason for the visit')
    await reason.fill('Mine')
    await value('submissions.update', { id: ids['H-00415'] ?? '', fields: { visit_reason: 'Theirs' } })
    await page.getByText(/Someone else changed this to “Theirs”/).waitFor()
    await page.keyboard.press('Tab')
    await page.getByText('Not saved: someone else changed a value: choose one').waitFor()
    expect((await caseOf('H-00415')).fields.visit_reason).toBe('Theirs')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.keyboard.press('Tab')
    await page.getByText(/^Saved \d/).waitFor()
    expect((await caseOf('H-00415')).fields.visit_reason).toBe('Mine')
    await reason.fill('Blurred vision')
    await goTo('#/queue')
    await page.getByRole('table').waitFor()
    await openCase('H-00415')
    expect(await reason.inputValue()).toBe('Blurred vision')
    await page.getByRole('button', { name: 'Add measurements' }).click()
    await field(page, /^IOP, right eye/).fill('300')
    await page.keyboard.press('Tab')
    await page.getByText('Not saved: correct the values in red').waitFor()
    await expect
      .poll(async () => (await caseOf('H-00415')).fields.visit_reason, AFTER_PAUSE)
      .toBe('Blurred vision')
    const saved = await caseOf('H-00415')
    expect([saved.state, saved.fields.od_iop]).toEqual(['review', undefined])
    await page.getByRole('button', { name: /^Language/ }).click()
    await page.getByRole('menuitem', { name: 'Espa\u00f1ol', exact: true }).click()
    const iop = field(page, /^PIO, ojo derecho/)
    await iop.waitFor()
    expect(await iop.inputValue()).toBe('300')
    await page.getByText('Debe estar entre 0 y 99.').waitFor()
  })

  it('goes down OD and then OS in the notations of the clinic, by the keyboard alone', async (context) => {
    const { page, openCase, caseOf } = await openScreens(context, REVIEWED)
    await openCase('H-00415')
    const typed = {
      iop: '16',
      va: '20/25',
      sphere: '1,25',
      cylinder: '-0.5',
      axis: '45',
      add: '2',
      prism: '1',
    }
    await page.getByRole('button', { name: 'Add measurements' }).click()
    for (const [name, text] of Object.entries(typed)) {
      expect(await focusedId(page)).toBe(`field-od_${name}`)
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    expect(await focusedId(page)).toBe('field-od_prism_base')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    expect(await focusedId(page)).toBe('field-os_iop')
    await page.getByText('20/25 = 0.8 decimal').waitFor()
    const left = field(page, /^Visual acuity, left eye/)
    await left.fill('CF')
    await page.getByText('The service takes only numbers here, not CF.').waitFor()
    await left.fill('')
    await page.keyboard.press('Control+s')
    await expect
      .poll(async () => (await caseOf('H-00415')).fields, AFTER_PAUSE)
      .toMatchObject({
        od_iop: 16,
        od_va: 0.8,
        od_sphere: 1.25,
        od_cylinder: -0.5,
        od_axis: 45,
        od_add: 2,
        od_prism: 1,
        od_prism_base: 90,
      })
    expect((await caseOf('H-00415')).fields.os_va).toBeUndefined()
  })
})
