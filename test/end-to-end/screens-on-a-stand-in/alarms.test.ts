import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../src-shared/failure.ts'
import { setStage } from './stage.ts'
import { syntheticAlarms } from './synthetic-alarms.ts'

const open = setStage()

describe('an alarm', () => {
  it('stands in the banner before all else and moves nothing on the screen', async (context) => {
    const { page, screens } = await open(context)
    const table = page.getByRole('table', { name: 'Cases on this station' })
    // What is read after the start may still bring the chip of what waits too long.
    await page.getByRole('button', { name: /waiting too long/ }).waitFor()
    const before = await table.boundingBox()
    screens.standIn.changeStatus({
      alarms: syntheticAlarms(Date.now()).slice(0, 1),
      mode: { kind: 'paused', why: 'person', until: null },
      storage: failureOf('storage'),
    })
    await page.getByTestId('banner').getByText('The service holds this case twice').waitFor()
    expect(await table.boundingBox()).toEqual(before)
  })

  it('is seen only with initials, which stand in the window from then on', async (context) => {
    const { page, screens } = await open(context)
    screens.standIn.changeStatus({ alarms: syntheticAlarms(Date.now()) })
    await page.getByTestId('banner').getByRole('button', { name: 'Look' }).focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'Alarms' })
    const twice = panel.getByRole('listitem').filter({ hasText: 'The service holds this case twice' })
    for (const caseId of ['88390', '88397']) await twice.getByText(caseId, { exact: true }).waitFor()
    const seen = twice.getByRole('button', { name: /^I have seen this/ })
    await seen.click()
    await panel.getByText('Write your initials.').waitFor()
    expect(screens.standIn.asked.some(({ name }) => name === 'station.settleAlarm')).toBe(false)
    await panel.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await seen.click()
    await twice.waitFor({ state: 'detached' })
    expect(screens.standIn.asked.find(({ name }) => name === 'station.settleAlarm')?.input).toEqual({
      id: 'al1',
      by: 'QX',
    })
    await panel.getByRole('button', { name: /^I have seen this: The outbox was restored/ }).click()
    await panel.waitFor({ state: 'detached' })
    // The button that opened the panel is gone: the keyboard goes on in the screen.
    await page.waitForFunction(() => document.activeElement?.id === 'main')
    expect(await page.getByRole('textbox', { name: 'Who is working' }).inputValue()).toBe('QX')
    await page.getByTestId('banner').getByText('7 cases need you').waitFor()
  })

  it('leads to the case that it is about', async (context) => {
    const { page, screens } = await open(context)
    screens.standIn.changeStatus({ alarms: syntheticAlarms(Date.now()) })
    await page.getByTestId('banner').getByRole('button', { name: 'Look' }).click()
    await page.getByRole('link', { name: 'Open case FC7K3M9QXAW' }).click()
    await page.getByRole('heading', { name: /H-00350/ }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

describe('the banner', () => {
  it('says what is wrong with the clock, the disk and the storage, the worst first', async (context) => {
    const { page, screens } = await open(context)
    const banner = page.getByTestId('banner')
    screens.standIn.changeStatus({ clock: failureOf('clockWrong') })
    await banner.getByText("This computer's clock is wrong").waitFor()
    screens.standIn.changeStatus({ storage: failureOf('diskLow') })
    await banner.getByText('The disk is nearly full').waitFor()
    screens.standIn.changeStatus({ storage: failureOf('storage') })
    await banner.getByText('Storage problem').waitFor()
  })

  it('questions a pause of hours', async (context) => {
    const { page, screens } = await open(context)
    screens.standIn.changeStatus({
      service: {
        health: 'trouble',
        since: Date.now(),
        failure: failureOf('throttled'),
        nextTryAt: Date.now() + 5 * 3_600_000,
        lastSuccessAt: null,
      },
    })
    const banner = page.getByTestId('banner')
    await banner.getByText(/^The service asked us to wait until/).waitFor()
    await banner.getByText(/ask the people who run the service whether it is meant/).waitFor()
  })
})

describe('what waits too long', () => {
  it('is counted by kind, narrowed and opened, by the keyboard alone', async (context) => {
    const { page } = await open(context)
    await page.getByRole('button', { name: '4 waiting too long' }).focus()
    await page.keyboard.press('Enter')
    const list = page.getByRole('list', { name: 'Cases that wait' })
    await list.waitFor()
    expect(await list.getByRole('listitem').count()).toBe(4)
    await page.getByRole('button', { name: /^Not sent/ }).focus()
    await page.keyboard.press('Enter')
    expect(await list.getByRole('listitem').count()).toBe(1)
    await list.getByRole('link').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /H-00377/ }).waitFor()
  })

  it('is not mentioned where there is nothing', async (context) => {
    const { page, screens, goTo } = await open(context)
    screens.standIn.answerWith('submissions.ageing', async () => ({
      ok: true,
      value: { items: [], count: 0 },
    }))
    await goTo('#/cases')
    await page.getByRole('table', { name: 'Cases at the service' }).waitFor()
    const asked = screens.standIn.asked.length
    await goTo('#/queue')
    await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
    await expect
      .poll(() => screens.standIn.asked.slice(asked).some(({ name }) => name === 'submissions.ageing'))
      .toBe(true)
    expect(await page.getByRole('button', { name: /waiting too long/ }).count()).toBe(0)
  })
})
