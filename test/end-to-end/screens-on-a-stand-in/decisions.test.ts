import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'
import { RAW_ANSWER } from './stand-in-oversight.ts'
import { doubtfulDelivery } from './synthetic-alarms.ts'

const open = setStage()

describe('a delivery to be checked', () => {
  it('tells its evidence in plain words, what speaks against sending again, and the next look', async (context) => {
    const { page, screens, goTo } = await open(context)
    screens.standIn.changeSubmission('s2', doubtfulDelivery(Date.now()))
    await goTo('#/queue/s2')
    const panel = page.getByRole('region', { name: 'Did this case arrive?' })
    await panel.getByText(/The outbox of this station was restored or rebuilt/).waitFor()
    await panel.getByText(/The service holds this case more than once \(88412, 88413\)/).waitFor()
    await panel.getByText(/Another center may have been the current one/).waitFor()
    for (const kind of [
      'The service holds it more than once',
      'This computer may have forgotten that it was sent',
      'It may have gone to another center',
      'Read back from the service: it is there',
    ])
      await panel.getByText(kind, { exact: true }).waitFor()
    await panel.getByText(/^Next look in 1[12] min/).waitFor()
    expect(await panel.getByText('The risk:').count()).toBe(2)
    for (const caseId of ['88412', '88413'])
      expect(await panel.getByRole('radio', { name: caseId }).count()).toBe(1)
    // Nothing on this screen sends without the question.
    expect(
      await page.getByRole('button', { name: /try again|retry|send again$/i }).allTextContents(),
    ).toEqual(['It is not there, send again'])
    await panel.getByRole('button', { name: 'It is not there, send again' }).click()
    await page
      .getByRole('dialog')
      .getByText(/Do not send it again/)
      .waitFor()
  })

  it('shows what the service answered as text, which nothing in it can leave', async (context) => {
    const { page, goTo, complaints } = await open(context)
    await goTo('#/queue/s2')
    await page.getByRole('button', { name: 'Show the answer to attempt 1' }).click()
    const text = page.getByRole('region', { name: 'The answer as text' })
    expect(await text.textContent()).toBe(RAW_ANSWER)
    expect(await text.locator('*').count()).toBe(0)
    expect(await page.title()).not.toContain('taken')
    await page.getByText(/^Status 502/).waitFor()
    expect(complaints).toEqual([])
  })

  it('cuts an answer that is endless, and says where none was kept', async (context) => {
    const { page, screens, goTo } = await open(context)
    const answer = { status: 200, sizeBytes: 900_000, text: 'x'.repeat(64_000) }
    screens.standIn.answerWith('submissions.answer', async () => ({ ok: true, value: { answer } }))
    await goTo('#/queue/s2')
    await page.getByRole('button', { name: /^Show the answer to attempt/ }).click()
    await page.getByText('Only the first 20,000 letters are shown.').waitFor()
    const text = page.getByRole('region', { name: 'The answer as text' })
    expect((await text.textContent())?.length).toBe(20_000)
    const box = await page.getByRole('dialog').boundingBox()
    expect(box && box.y + box.height).toBeLessThanOrEqual(800)
    await page.keyboard.press('Escape')
    screens.standIn.answerWith('submissions.answer', async () => ({ ok: true, value: { answer: null } }))
    await page.getByRole('button', { name: /^Show the answer to attempt/ }).click()
    await page.getByText('Nothing of this answer was kept.').waitFor()
  })
})

describe('discarding', () => {
  it('asks who and why, and names the risk where the case may have arrived', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s2')
    await page.getByRole('button', { name: 'More for this case' }).click()
    await page.getByRole('menuitem', { name: 'Discard' }).click()
    const dialog = page.getByRole('dialog', { name: 'Discard this case?' })
    await dialog.getByText(/It may have arrived already/).waitFor()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await dialog.getByText('Write your initials.').waitFor()
    expect(screens.standIn.asked.some(({ name }) => name === 'submissions.discard')).toBe(false)
    await dialog.getByRole('button', { name: 'Test images' }).click()
    await dialog.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(() => screens.standIn.asked.find(({ name }) => name === 'submissions.discard')?.input)
      .toEqual({ ids: ['s2'], by: 'QX', why: 'Test images' })
  })

  it('takes two keys once the initials are there, and Escape leaves all as it was', async (context) => {
    const { page, screens, row } = await open(context)
    await page.getByRole('textbox', { name: 'Who is working' }).fill('ZY')
    const link = page.getByRole('link', { name: /^Open H-00415/ })
    await link.focus()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog', { name: 'Discard this case?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.getAttribute('href') === '#/queue/s6')
    expect(screens.standIn.submissions.get('s6')?.state).toBe('review')
    await page.keyboard.press('Delete')
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT')
    await page.keyboard.press('Enter')
    await row('H-00415').waitFor({ state: 'detached' })
    expect(screens.standIn.asked.find(({ name }) => name === 'submissions.discard')?.input).toEqual({
      ids: ['s6'],
      by: 'ZY',
    })
  })
})

describe('moving to another center', () => {
  it('names both centers, moves several at once, and says which could not be', async (context) => {
    const { page, screens } = await open(context)
    for (const who of ['H-00412', 'H-00415', 'H-00398'])
      await page.getByRole('checkbox', { name: new RegExp(`Select ${who}`) }).check()
    await page.getByRole('button', { name: 'Move to center' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move these 3 cases to another center?' })
    await dialog.getByRole('combobox', { name: 'Move to' }).selectOption('102')
    await dialog
      .getByText('These 3 cases were made for North Eye Centre and will be sent to Harbour Clinic.')
      .waitFor()
    // The center that they were made for is no choice.
    expect(await dialog.getByRole('option', { name: 'North Eye Centre' }).count()).toBe(0)
    await dialog.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await dialog.getByRole('textbox', { name: /^Why/ }).fill('Wrong center chosen')
    await dialog.getByRole('button', { name: 'Move to Harbour Clinic' }).click()
    await page.getByText('1 could not be changed').first().waitFor()
    expect(screens.standIn.asked.find(({ name }) => name === 'submissions.moveToCenter')?.input).toEqual({
      ids: ['s1', 's5', 's6'],
      centerId: '102',
      by: 'QX',
      why: 'Wrong center chosen',
    })
    expect(screens.standIn.submissions.get('s5')?.centerId).toBe('102')
  })

  it('keeps the selection where it was not done', async (context) => {
    const { page, screens } = await open(context)
    await page.getByRole('checkbox', { name: /Select H-00412/ }).check()
    await page.getByRole('button', { name: 'Move to center' }).click()
    await page.getByRole('button', { name: 'Leave as it is' }).click()
    expect(await page.getByRole('checkbox', { name: /Select H-00412/ }).isChecked()).toBe(true)
    expect(screens.standIn.asked.some(({ name }) => name === 'submissions.moveToCenter')).toBe(false)
  })

  it('is offered in the case itself, and not for one that may have arrived', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/queue/s5')
    await page.getByRole('button', { name: 'More for this case' }).click()
    await page.getByRole('menuitem', { name: /Move to center/ }).waitFor()
    await page.keyboard.press('Escape')
    await goTo('#/queue/s2')
    await page.getByRole('heading', { name: 'Did this case arrive?' }).waitFor()
    await page.getByRole('button', { name: 'More for this case' }).click()
    await page.getByRole('menuitem', { name: 'Discard' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /Move to center/ }).count()).toBe(0)
  })
})
