import { describe, expect, it } from 'vitest'
import { fail, failureOf, succeed } from '../../../src-shared/failure.ts'
import { setStage } from './stage.ts'
import { standInCases } from './stand-in-cases.ts'
import { syntheticAlarms } from './synthetic-alarms.ts'

const open = setStage()

describe('the cases of the service', () => {
  it('are narrowed by search, day, state and station, and whole again by one button', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/cases')
    const rows = page.getByRole('table', { name: 'Cases at the service' }).locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(9)
    await page.getByText('9 cases').waitFor()
    const state = page.getByRole('combobox', { name: 'State at the service' })
    expect(await state.locator('option').allTextContents()).toEqual([
      'Any state',
      'reported (6)',
      'EN_REVISION (1)',
      'pending (1)',
      'reject (1)',
    ])
    await state.selectOption('EN_REVISION (1)')
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('switch', { name: 'Sent from this station' }).check()
    await page.getByText('7 of 9 cases').waitFor()
    await page.getByRole('searchbox').fill('h-00351')
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByText('Today', { exact: true }).click()
    await page.getByText('No case of the service matches the search and the filters.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
    await expect.poll(() => rows.count()).toBe(9)
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
  })

  it('open by keyboard with all that came, and close to where the focus was', async (context) => {
    const { page, screens, goTo } = await open(context)
    const items = standInCases([...screens.standIn.submissions.values()], Date.now())
    screens.standIn.answerWith('cases.get', async ({ id }) => {
      const listed = items.find(({ caseId }) => caseId === id)
      return listed
        ? succeed({ ...listed, raw: { ...listed.raw, lens_state: 'phakic' } })
        : fail(failureOf('notFound'))
    })
    await goTo('#/cases')
    const first = page.getByRole('button', { name: 'Details of case 88390' })
    await first.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Details of case 88391' })
    await dialog.getByText('Lens state').waitFor()
    await dialog.getByText('phakic').waitFor()
    await dialog.getByRole('button', { name: 'Copy all fields' }).waitFor()
    await dialog.getByText('preferential').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Details of case 88391')
    expect(new URL(page.url()).hash).toBe('#/cases')
  })

  it('show what the list said where the case itself cannot be read', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/cases/88371')
    const dialog = page.getByRole('dialog', { name: 'Details of case 88371' })
    await dialog.getByText(/^Shown is what the list said\. The case itself could not be read: /).waitFor()
    await dialog.getByText('sin im\u00e1genes').waitFor()
    await goTo('#/cases/4711')
    await page.getByRole('dialog', { name: 'Details of case 4711' }).getByText('notFound').waitFor()
  })

  it('say only what is true of a report, and lead to our case and back', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/cases')
    await page.getByRole('link', { name: 'Report of case 88390' }).waitFor()
    await page.getByRole('link', { name: 'No report yet of case 88405' }).click()
    await page.getByText('Asked next').waitFor()
    await goTo('#/cases')
    expect(await page.getByRole('row').filter({ hasText: '88371' }).getByRole('link').count()).toBe(0)
    await page
      .getByRole('link', { name: /^Open case FC.* on this station/ })
      .first()
      .click()
    await page.getByRole('link', { name: '88390', exact: true }).click()
    await page.getByRole('dialog', { name: 'Details of case 88390' }).waitFor()
  })

  it('are marked where an alarm is about them', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/cases')
    await page.getByText('9 cases').waitFor()
    const [alarm] = syntheticAlarms(Date.now())
    if (!alarm) throw new Error('There is no alarm to show')
    screens.standIn.changeStatus({ alarms: [{ ...alarm, caseIds: ['88395'] }] })
    await page.getByRole('button', { name: 'Alarm about case 88395' }).click()
    await page.getByRole('dialog', { name: 'Alarms' }).waitFor()
  })

  it('are read anew for another center, and drawn in parts where they are many', async (context) => {
    const { page, screens, goTo } = await open(context)
    const [one] = standInCases([...screens.standIn.submissions.values()], Date.now())
    if (!one) throw new Error('There is no case to copy')
    let centerId = '101'
    screens.standIn.answerWith('cases.list', async () =>
      succeed({
        items: Array.from({ length: 3_000 }, (_nothing, index) => ({
          ...one,
          caseId: `${centerId}-${index}`,
        })),
        readAt: Date.now(),
        centerId,
      }),
    )
    await goTo('#/cases')
    await page.getByText(/3,000 cases/).waitFor()
    const rows = page.locator('tbody tr')
    expect(await rows.count()).toBe(200)
    await page.getByRole('button', { name: 'Show 200 more' }).click()
    expect(await rows.count()).toBe(400)
    await page.getByRole('searchbox').fill('101-2999')
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('searchbox').fill('')
    centerId = '102'
    screens.standIn.changeStatus({ centerId })
    await page.getByRole('row').filter({ hasText: '102-0' }).first().waitFor()
    await page
      .getByText(/Harbour Clinic/)
      .first()
      .waitFor()
  })
})
