import { describe, expect, it } from 'vitest'
import { fail, failureOf } from '../../../src-shared/failure.ts'
import { setStage } from './stage.ts'

const open = setStage()

describe('a case', () => {
  it('is completed by the keyboard alone', async (context) => {
    const { page, screens, openCase } = await open(context)
    await openCase('s3')
    const jump = page.getByRole('button', { name: /Nothing states the eye/ })
    await jump.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('l')
    await jump.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /The visit date is missing/ }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('11202026')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Queue' }).waitFor()
    const done = screens.standIn.submissions.get('s3')
    expect(done?.state).toBe('waiting')
    expect(done?.fields.visit_date).toBe('2026-11-20')
    expect(done?.images.map(({ eye }) => eye)).toEqual(['right', 'left', 'left'])
  })

  it('takes decimal commas, goes down OD and then down OS, and marks what cannot be', async (context) => {
    const { page, screens, openCase } = await open(context)
    await openCase('s6')
    await page.getByRole('textbox', { name: /^Sphere, right eye/ }).fill('-1,5')
    await page.keyboard.press('Tab')
    expect(await page.getByRole('textbox', { name: /^Sphere, right eye/ }).inputValue()).toBe('-1.50')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-od_cylinder')
    // Without a prism there is no base to ask for.
    await page.getByRole('textbox', { name: /^Prism, right eye/ }).focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-os_iop')
    await page.keyboard.type('300')
    await page.getByText('Must be between 0 and 99.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Some values cannot be right.').first().waitFor()
    expect(screens.standIn.submissions.get('s6')?.fields.os_iop).not.toBe(300)
    await page.getByRole('textbox', { name: /^IOP, left eye/ }).fill('15,5')
    await page.keyboard.press('Control+s')
    await expect
      .poll(() => {
        const { fields } = screens.standIn.submissions.get('s6') ?? {}
        return [fields?.od_sphere, fields?.os_iop]
      })
      .toEqual([-1.5, 15.5])
  })

  it('keeps what was typed when somebody looks at another case meanwhile', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/queue/s6')
    await page.getByRole('textbox', { name: 'Reason for the visit' }).fill('Blurred vision')
    await goTo('#/queue/s5')
    await page.getByRole('heading', { name: /H-00412/ }).waitFor()
    await goTo('#/queue/s6')
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Reason for the visit' }).inputValue())
      .toBe('Blurred vision')
  })

  it('leaves an image out only with a reason', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s5')
    await page.getByRole('button', { name: 'Leave out OD_1.jpg' }).click()
    await page.getByRole('button', { name: 'Blurred' }).click()
    await page.getByRole('button', { name: 'Take back in' }).waitFor()
    expect(screens.standIn.submissions.get('s5')?.images[0]?.excludedBecause).toBe('Blurred')
  })

  it('is sent again only after the risk was read and signed', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s2')
    await page.getByRole('button', { name: 'It is not there, send again' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send this case a second time?' })
    await dialog.getByText(/the service will hold this visit twice/).waitFor()
    const confirm = dialog.getByRole('button', { name: 'Send it again' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await confirm.click()
    await dialog.waitFor({ state: 'hidden' })
    expect(screens.standIn.asked.find(({ name }) => name === 'submissions.resolve')?.input).toEqual({
      id: 's2',
      delivered: false,
      by: 'QX',
    })
    expect(screens.standIn.submissions.get('s2')?.state).toBe('waiting')
  })

  it('insists on an id only after the objection of the station was read', async (context) => {
    const { page, screens, goTo } = await open(context)
    const message = 'That case belongs to FC0000000ZZ already.'
    const answers = [
      failureOf('notAllowed', { message: 'The station is not there.' }),
      failureOf('notAllowed', { message, overruledBy: 'insists' }),
      failureOf('internal', { message: 'No answer came.' }),
    ]
    screens.standIn.answerWith('submissions.resolve', async () =>
      fail(answers.shift() ?? failureOf('notAllowed', { message: 'The end.' })),
    )
    await goTo('#/queue/s2')
    await page.getByRole('radio', { name: '88412' }).check()
    await page.getByRole('button', { name: 'It is there', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await dialog.getByRole('button', { name: 'Yes, it is this case' }).click()
    for (const shown of ['The station is not there.', message, 'No answer came.']) {
      await dialog.getByText(shown).waitFor()
      await dialog.getByRole('button', { name: 'Say it once more' }).click()
    }
    await dialog.getByText('The end.').waitFor()
    const said = { id: 's2', delivered: true, caseId: '88412', by: 'QX' }
    expect(
      screens.standIn.asked.filter(({ name }) => name === 'submissions.resolve').map(({ input }) => input),
    ).toEqual([said, said, { ...said, insists: true }, said])
  })

  it('is marked as delivered under the id that a person names', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s2')
    await page.getByRole('radio', { name: '88412' }).check()
    await page.getByRole('button', { name: 'It is there', exact: true }).click()
    await page.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await page.getByRole('button', { name: 'Yes, it is this case' }).click()
    await page.getByText('It was taken by the service. What was sent stays as it is.').waitFor()
    expect(screens.standIn.submissions.get('s2')?.caseId).toBe('88412')
  })
})
