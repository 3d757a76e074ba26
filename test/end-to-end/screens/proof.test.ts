/** What persons see and answer of proof, on files as cameras write them: sources, a dispute, an alarm, a number. */
import { describe, expect, it } from 'vitest'
import { approveShown } from '../browser.ts'
import { shareScreens } from './open-screens.ts'
import {
  dicomOf,
  expectNoFindings,
  known,
  openPage,
  photograph,
  TODAY,
  watchCamera,
} from './watched-camera.ts'

const screensOf = shareScreens()

describe('a proposal', () => {
  it('shows its sources beside the images, and leaves once a person has approved it', async (context) => {
    const screens = screensOf(context)
    const { page, value } = screens
    const { write, settledCase } = await watchCamera(screens)
    write(`501288_${TODAY}_OD.jpg`, await photograph('right'))
    write(`501288_${TODAY}_OS.jpg`, await photograph('left'))
    const one = await settledCase(2)
    await page.getByRole('link', { name: /^Open 501288/ }).click()
    await known(page).getByText('These file names are not trusted yet.').waitFor()
    // The sources are read after the case.
    await known(page).getByText(`501288_${TODAY}_OD.jpg`).first().waitFor()
    await expect.poll(() => known(page).getByText('From file name', { exact: true }).count()).toBe(3)
    for (const part of [known(page).getByText('Eyes', { exact: true }), page.locator('figure img').first()])
      expect(await part.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThan(800)
    await expectNoFindings(page)
    await page.getByRole('link', { name: /^Open 501288/ }).focus()
    await approveShown(page)
    await expect.poll(async () => (await value('submissions.get', { id: one.id })).state).toBe('sent')
  })
})

describe('a dispute', () => {
  it('names both sources, and one click by the keyboard chooses', async (context) => {
    const screens = screensOf(context)
    const { page, value } = screens
    const { write, settledCase } = await watchCamera(screens)
    write('501377_OS.dcm', await dicomOf('right', '501377', 'TESTWOOD^SYNTHIA'))
    write('501377_2_OS.dcm', await dicomOf('left', '501377', 'TESTWOOD^SYNTHIA'))
    const one = await settledCase(2)
    await openPage(screens, one)
    await page.getByText('DICOM says OD, the file name says OS', { exact: false }).first().waitFor()
    const question = known(page).locator('[data-kind="disputed"]')
    await question.getByText('The file name says left (OS)').waitFor()
    await question.getByText('The DICOM header says right (OD)').waitFor()
    await expectNoFindings(page)
    await known(page).getByRole('button', { name: '501377_OS.dcm: Use right eye – OD' }).focus()
    await page.keyboard.press('Enter')
    await known(page).getByText('Conflict').waitFor({ state: 'detached' })
    // The button is gone, and the keyboard goes on from the heading.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Check')
    const { images, verdict } = await value('submissions.get', { id: one.id })
    expect(images.map(({ eye }) => eye).toSorted()).toEqual(['left', 'right'])
    expect(Object.values(verdict.eyes).map(({ kind }) => kind)).toEqual(['proven', 'proven'])
  })
})

describe('a contradiction after sending', () => {
  it('changes nothing that was sent, and an alarm names the case and whom to call', async (context) => {
    const screens = screensOf(context)
    const { page, value, service } = screens
    const { write, settledCase } = await watchCamera(screens)
    const casesBefore = service.cases().length
    write(`501466_${TODAY}_OD.jpg`, await photograph('right'))
    const one = await settledCase(1)
    await openPage(screens, one)
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await expect.poll(async () => (await value('submissions.get', { id: one.id })).state).toBe('sent')
    write(`501466_${TODAY}_OD.json`, JSON.stringify({ history_number: '700001' }))
    const message = `${one.reference} may be of another patient. Call the reading service.`
    await page.getByTestId('banner').getByText(message).waitFor()
    await page.getByTestId('banner').getByRole('button', { name: 'Show' }).click()
    const alarms = page.getByRole('dialog', { name: 'Alarms' })
    await alarms.getByText(message).waitFor()
    await expectNoFindings(page)
    expect((await value('submissions.get', { id: one.id })).fields.history_number).toBe('501466')
    expect(service.cases()).toHaveLength(casesBefore + 1)
    await alarms.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await alarms.getByRole('button', { name: /^Mark as seen/ }).click()
    await alarms.waitFor({ state: 'detached' })
    expect((await value('station.status')).alarms).toEqual([])
  })
})

describe('a second number', () => {
  it('is asked about beside the first, and a no proves the first', async (context) => {
    const screens = screensOf(context)
    const { page, value } = screens
    const { write, settledCase } = await watchCamera(screens)
    write('501555_88123_OD.dcm', await dicomOf('right', '501555', 'DEMOSON^FICTOR'))
    write('501555_88123_OS.dcm', await dicomOf('left', '501555', 'DEMOSON^FICTOR'))
    const one = await settledCase(2)
    await openPage(screens, one)
    const question = page.getByRole('group', { name: /^Is 88123 a patient number\?/ })
    await known(page).getByText('Check that the images are of 501555.').waitFor()
    await expectNoFindings(page)
    await question.getByRole('button', { name: 'No, something else' }).click()
    await question.waitFor({ state: 'detached' })
    expect((await value('submissions.get', { id: one.id })).verdict.who.kind).toBe('proven')
  })
})
