import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { failureOf, succeed } from '../../../src-shared/failure.ts'
import type { Screens } from './open-screens.ts'
import { setStage } from './stage.ts'
import { standInCases } from './stand-in-cases.ts'

const open = setStage()
const NAMES =
  /Sampleton|Mocksey|Trialgado|Nobodyov|Demoson|Fiktief|Testcase|Synthia|Fictor|Mockbert|Placeb|Demodora|Dummund|Testina|Testopher|Mock\u00e9line|Sampl\u00f3n/i

describe('names of patients', () => {
  it('are hidden on every screen at once, for eyes and screen readers, and stay so until they are shown', async (context) => {
    const { page, screens, goTo, settle, row } = await open(context)
    leakNames(screens)
    const hide = page.getByRole('button', { name: 'Hide names' })
    await hide.click()
    expect(await hide.getAttribute('aria-pressed')).toBe('true')
    await row('H-00412').getByText('S\u2022\u2022\u2022, S\u2022\u2022\u2022').waitFor()
    await page.getByRole('button', { name: /^Images and attempts of H-00420/ }).click()
    await page.getByRole('group', { name: 'Attempts' }).waitFor()
    const expectNoName = async (where: string): Promise<void> => {
      const said = await saidOn(page)
      expect(
        said.filter((text) => NAMES.test(text)),
        where,
      ).toEqual([])
    }
    await expectNoName('an opened row')
    for (const hash of ['#/queue', '#/cases', '#/reports', '#/reports/88390', '#/queue/s1', '#/queue/s2']) {
      await goTo(hash)
      await page.waitForTimeout(300)
      await settle()
      await expectNoName(hash)
    }
    await goTo('#/queue/s5')
    await page
      .getByRole('button', { name: /^Enlarge / })
      .first()
      .click()
    await page.getByText('Not for diagnosis').waitFor()
    await expectNoName('the viewer')
    await page.keyboard.press('Escape')
    await goTo('#/cases')
    await page.getByRole('button', { name: 'Details of case 88401' }).first().click()
    await page.getByRole('dialog').getByText('Full name').waitFor()
    await expectNoName('the details of a case')
    await page.keyboard.press('Escape')
    await goTo('#/queue/s2')
    await page.reload()
    await page.getByRole('button', { name: 'Hide names' }).click()
    await page.getByRole('heading', { name: /O'Mocksey/ }).waitFor()
    expect(screens.standIn.submissions.get('s2')?.fields.last_name).toBe("O'Mocksey")
  })

  it('in a field come back with the first key in it, and are covered again behind it', async (context) => {
    const { page, goTo } = await open(context)
    await page.getByRole('button', { name: 'Hide names' }).click()
    await goTo('#/queue/s5')
    const lastName = page.getByRole('textbox', { name: 'Last name' })
    await lastName.waitFor()
    expect(await lastName.inputValue()).toBe('S\u2022\u2022\u2022')
    await lastName.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    expect(await lastName.inputValue()).toBe('S\u2022\u2022\u2022')
    await page.keyboard.press('End')
    expect(await lastName.inputValue()).toBe('Sampleton')
    await page.keyboard.type('s')
    expect(await lastName.inputValue()).toBe('Sampletons')
    await page.keyboard.press('Tab')
    expect(await lastName.inputValue()).toBe('S\u2022\u2022\u2022')
    await page.getByRole('textbox', { name: 'First name' }).click()
    expect(await page.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Synthia')
  })

  it('are hidden when nobody is there, and come back with the next touch', async (context) => {
    const { page, screens, row } = await open(context)
    screens.standIn.changeSettings({ screens: { hideNamesAfterSeconds: 10 } })
    await row('H-00412').getByText('Sampleton, Synthia').waitFor()
    await row('H-00412').getByText('S\u2022\u2022\u2022, S\u2022\u2022\u2022').waitFor({ timeout: 60_000 })
    await page.getByRole('checkbox', { name: /^Select H-00412, S\u2022/ }).waitFor()
    await page.keyboard.press('Shift')
    await row('H-00412').getByText('Sampleton, Synthia').waitFor()
  })
})

const MARKED = '[aria-label], [aria-description], [title], [alt], [placeholder], input, textarea'
const MARKS = ['aria-label', 'aria-description', 'title', 'alt', 'placeholder', 'value']

/** All that a page shows, says to a screen reader, or holds in a field. */
function saidOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    ([marked, marks]) => [
      document.title,
      document.body.innerText,
      ...[...document.querySelectorAll(marked)].flatMap((one) => [
        ...marks.map((name) => one.getAttribute(name) ?? ''),
        one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement ? one.value : '',
      ]),
    ],
    [MARKED, MARKS] as const,
  )
}

/** Puts the names wherever cameras, sources and the service put them. */
function leakNames({ standIn }: Screens): void {
  for (const one of standIn.submissions.values()) {
    const { last_name = '', first_name = '' } = one.fields
    standIn.submissions.set(one.id, {
      ...one,
      images: one.images.map((image, index) => ({
        ...image,
        fileName: `${last_name}_${first_name}/Sampleton_${last_name}_OD_${index}.jpg`,
      })),
    })
  }
  const [now, serviceSaid] = [Date.now(), 'Mockbert O\u2019Mocksey: gender is required.']
  standIn.changeSubmission('s2', {
    failure: failureOf('outcomeUnknown', { serviceSaid }),
    reasons: [
      { kind: 'valueConflict', field: 'last_name', message: 'Fiktief or Mocksey?' },
      { kind: 'eyeUnknown', imageId: 'i2-1', message: "Which eye shows Sampleton_O'Mocksey_OD_0.jpg?" },
    ],
  })
  standIn.changeSubmission('s1', {
    failure: failureOf('serviceRefused', { serviceSaid: 'Fictor Demoson has no gender.', status: 422 }),
  })
  standIn.changeStatus({})
  standIn.answerWith('cases.get', async ({ id }) => {
    const found = standInCases([...standIn.submissions.values()], now).find(({ caseId }) => caseId === id)
    if (!found) throw new Error(`There is no case ${id}`)
    const { firstName, lastName } = found
    const full = `${firstName} ${lastName} Testcase`
    return succeed({
      ...found,
      raw: { ...found.raw, full_name: full, apellidos: ['Fiktief'], note: lastName },
    })
  })
}
