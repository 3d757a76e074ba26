import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()
/** A pause of the form passes before it saves by itself. */
const PATIENTLY = { timeout: 15_000 }

const field = (page: Page, name: RegExp) => page.getByRole('textbox', { name })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id)

/** Types as a person does: into the field that has the focus, and on with the tab key. */
async function typeDown(page: Page, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
}

describe('the measurements', () => {
  it('are typed down OD and down OS in the notations of the clinic, by the keyboard alone', async (context) => {
    const { page, screens, openCase } = await open(context)
    await openCase('s4')
    await field(page, /^IOP, right eye/).focus()
    for (const name of ['iop', 'va', 'sphere', 'cylinder', 'axis', 'add', 'prism'] as const) {
      await page.locator(`#field-od_${name}`).evaluate((input: HTMLInputElement) => input.select())
      const texts = {
        iop: '16',
        va: '20/25',
        sphere: '1,25',
        cylinder: '-0.5',
        axis: '45',
        add: '2',
        prism: '1',
      }
      expect(await focused(page)).toBe(`field-od_${name}`)
      await typeDown(page, texts[name])
    }
    expect(await focused(page)).toBe('field-od_prism_base')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('field-os_iop')
    await page.getByText('20/25 = 0.8 decimal').waitFor()
    await page.getByText('90° is sent').waitFor()
    expect(await field(page, /^Sphere, right eye/).inputValue()).toBe('+1.25')
    expect(await field(page, /^Axis, right eye/).inputValue()).toBe('045')
    await expect
      .poll(() => screens.standIn.submissions.get('s4')?.fields, PATIENTLY)
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
  })

  it('are stepped by the arrow keys, and say what is unusual without stopping anything', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/queue/s4')
    const sphere = field(page, /^Sphere, left eye/)
    // Nothing was measured yet, so there is nothing to step.
    for (const name of [/^Sphere, left eye/, /^IOP, left eye/, /^Visual acuity, left eye/]) {
      await field(page, name).fill('')
      await field(page, name).press('ArrowUp')
      expect(await field(page, name).inputValue()).toBe('')
    }
    await sphere.fill('1')
    await sphere.press('ArrowUp')
    expect(await sphere.inputValue()).toBe('+1.25')
    await sphere.press('ArrowDown')
    await sphere.press('ArrowDown')
    expect(await sphere.inputValue()).toBe('+0.75')
    await sphere.fill('1.3')
    await page.getByText('Not a step of 0.25.').waitFor()
    await field(page, /^IOP, left eye/).fill('26')
    await page.getByText('High: 24 mmHg or more.').waitFor()
    await field(page, /^Visual acuity, left eye/).fill('6/600')
    await page.getByText('6/600 = 0.01 decimal').waitFor()
    await page.getByText(/^Unusual/).waitFor()
    await field(page, /^Visual acuity, left eye/).fill('logMAR 10')
    await page.getByText('Must be between -0.8 and 3.').waitFor()
    await field(page, /^Sphere, left eye/).fill('pl')
    await page.keyboard.press('Tab')
    expect(await sphere.inputValue()).toBe('0.00')
  })

  it('ask for an axis only with a cylinder, and transpose it there and back', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s4')
    const [cylinder, axis] = [field(page, /^Cylinder, left eye/), field(page, /^Axis, left eye/)]
    await expect.poll(() => axis.isDisabled(), PATIENTLY).toBe(true)
    await cylinder.fill('-0,75')
    await page.getByText('Needed with a cylinder.').waitFor()
    await axis.fill('135')
    await field(page, /^Sphere, left eye/).fill('1.25')
    const transpose = page.getByRole('button', { name: /Transpose cylinder, left eye/ })
    const values = async () => [
      await field(page, /^Sphere, left eye/).inputValue(),
      await cylinder.inputValue(),
      await axis.inputValue(),
    ]
    await transpose.click()
    expect(await values()).toEqual(['+0.50', '+0.75', '045'])
    await transpose.click()
    expect(await values()).toEqual(['+1.25', '-0.75', '135'])
    await expect.poll(() => screens.standIn.submissions.get('s4')?.fields.os_axis, PATIENTLY).toBe(135)
  })

  it('are copied from OD to OS, where base in stays in', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/queue/s4')
    await field(page, /^Prism, right eye/).fill('2')
    await page.getByRole('combobox', { name: /^Prism base, right eye/ }).selectOption('in')
    await page.getByText('0° is sent', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Copy OD to OS: prism' }).click()
    await page.getByText('180° is sent').waitFor()
    expect(await page.getByRole('combobox', { name: /^Prism base, left eye/ }).inputValue()).toBe('in')
    await page.getByRole('combobox', { name: /^Prism base, left eye/ }).selectOption('other')
    await field(page, /^Angle of the Prism base, left eye/).fill('45')
    await page.getByText('45° is sent').waitFor()
  })

  it('of an eye that counts fingers go into the notes, and no number does', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s4')
    await field(page, /^Visual acuity, left eye/).fill('CF')
    await page.getByText(/CF is no number/).waitFor()
    await page.getByRole('button', { name: 'Write it into the notes' }).click()
    expect(await field(page, /^Visual acuity, left eye/).inputValue()).toBe('')
    const notes = page.getByRole('textbox', { name: 'Notes for the reader' })
    expect(await notes.inputValue()).toContain('Visual acuity OS: CF (counts fingers)')
    await notes.focus()
    await page.keyboard.press('Tab')
    await expect
      .poll(() => screens.standIn.submissions.get('s4')?.fields.retinologist_notes, PATIENTLY)
      .toContain('counts fingers')
    expect(screens.standIn.submissions.get('s4')?.fields.os_va).toBeUndefined()
  })

  it('are converted to logMAR where the service expects that', async (context) => {
    const { page, screens, goTo } = await open(context)
    const settings = await screens.standIn.station.handlers['settings.get']({})
    if (!settings.ok) throw new Error('no settings')
    screens.standIn.tell('settingsChanged', {
      ...settings.value,
      clinical: { vaUnit: 'logMAR', prismBase: 'patient' },
    })
    await goTo('#/queue/s4')
    const acuity = field(page, /^Visual acuity, right eye/)
    await acuity.fill('6/7,5')
    await page.keyboard.press('Tab')
    await page.getByText('6/7,5 = logMAR 0.097').waitFor()
    expect(await acuity.inputValue()).toBe('logMAR 0.097')
    await field(page, /^Prism, right eye/).fill('2')
    await page.getByRole('combobox', { name: /^Prism base, right eye/ }).selectOption('in')
    await page.getByText('180° is sent').waitFor()
  })
})
