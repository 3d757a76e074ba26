import { describe, expect, it } from 'vitest'
import { fail, failureOf } from '../../../src-shared/failure.ts'
import { setStage } from './stage.ts'

const open = setStage()

describe('cases', () => {
  it('are joined only after both patients and days were named, into the oldest', async (context) => {
    const { page, screens, row } = await open(context)
    for (const who of ['H-00415', 'H-00412'])
      await page.getByRole('checkbox', { name: new RegExp(`Select ${who}`) }).check()
    await page.getByRole('button', { name: 'Join' }).click()
    const dialog = page.getByRole('dialog', { name: 'Join 2 cases into one?' })
    await dialog.getByText('van Fiktief, Demodora').waitFor()
    await dialog.getByText('Sampleton, Synthia').waitFor()
    expect(await dialog.getByText('20 Nov 2026').count()).toBe(2)
    await dialog.getByText(/These cases have different history numbers/).waitFor()
    await dialog.getByRole('button', { name: 'Join' }).click()
    await row('H-00415').waitFor({ state: 'detached' })
    expect(screens.standIn.asked.find(({ name }) => name === 'submissions.merge')?.input).toEqual({
      ids: ['s5', 's6'],
    })
    expect(screens.standIn.submissions.get('s5')?.images).toHaveLength(6)
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
  })

  it('that the station will not join stay as they are, with its sentence', async (context) => {
    const { page, screens } = await open(context)
    const message = 'Different values were entered in these cases (age). Make them alike first.'
    screens.standIn.answerWith('submissions.merge', async () => fail(failureOf('notAllowed', { message })))
    for (const who of ['H-00415', 'H-00412'])
      await page.getByRole('checkbox', { name: new RegExp(`Select ${who}`) }).check()
    await page.getByRole('button', { name: 'Join' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Join' }).click()
    await dialog.getByRole('alert').getByText(message).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('toolbar', { name: '2 selected' }).waitFor()
  })

  it('that are on their way cannot be joined', async (context) => {
    const { page, screens } = await open(context)
    for (const who of ['H-00409', 'H-00412'])
      await page.getByRole('checkbox', { name: new RegExp(`Select ${who}`) }).check()
    await page.getByRole('button', { name: 'Join' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/At least one of these cases is on its way/).waitFor()
    expect(await dialog.getByRole('button', { name: 'Join' }).isDisabled()).toBe(true)
    expect(screens.standIn.asked.some(({ name }) => name === 'submissions.merge')).toBe(false)
  })
})

describe('a case on the screen', () => {
  it('is saved, laid beside the one that is searched for, and becomes part of the older', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s6')
    await page.getByRole('textbox', { name: 'Reason for the visit' }).fill('Second look')
    await page.getByRole('button', { name: 'More for this case' }).click()
    await page.getByRole('menuitem', { name: 'Join with another case' }).click()
    const choice = page.getByRole('dialog', { name: 'Join with another case' })
    expect(await choice.getByRole('button', { name: 'Look at both' }).isDisabled()).toBe(true)
    await choice.getByRole('searchbox', { name: 'Find the case' }).fill('00412')
    await choice.getByRole('button', { name: /H-00408/ }).waitFor({ state: 'detached' })
    await choice.getByRole('button', { name: /H-00412/ }).click()
    await choice.getByRole('button', { name: 'Look at both' }).click()
    const dialog = page.getByRole('dialog', { name: 'Join 2 cases into one?' })
    await dialog.getByText(/These cases have different history numbers/).waitFor()
    // The first thing that Enter would do is nothing.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel')
    await dialog.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('heading', { name: /Case of H-00412/ }).waitFor()
    const asked = screens.standIn.asked.filter(({ name }) =>
      ['submissions.update', 'submissions.merge'].includes(name),
    )
    expect(asked).toMatchObject([
      { name: 'submissions.update', input: { id: 's6', fields: { visit_reason: 'Second look' } } },
      { name: 'submissions.merge', input: { ids: ['s5', 's6'] } },
    ])
    expect(screens.standIn.submissions.get('s6')?.state).toBe('discarded')
  })

  it('stays where it is the older one, with the images of both', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/queue/s5')
    await page.getByRole('button', { name: 'More for this case' }).click()
    await page.getByRole('menuitem', { name: 'Join with another case' }).click()
    const choice = page.getByRole('dialog', { name: 'Join with another case' })
    await choice.getByRole('button', { name: /H-00415/ }).click()
    await choice.getByRole('button', { name: 'Look at both' }).click()
    const dialog = page.getByRole('dialog', { name: 'Join 2 cases into one?' })
    await dialog.getByRole('button', { name: 'Join' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('2 cases are one now').waitFor()
    await page.getByRole('heading', { name: /Case of H-00412/ }).waitFor()
    await page.waitForFunction(() => document.querySelectorAll('main img').length >= 6)
  })

  it('is not joined with one in which something was typed and not saved', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s5')
    await page.getByRole('heading', { name: /Case of H-00412/ }).waitFor()
    await page.getByRole('textbox', { name: 'Age' }).fill('200')
    await goTo('#/queue/s6')
    await page.getByRole('heading', { name: /Case of H-00415/ }).waitFor()
    const more = page.getByRole('button', { name: 'More for this case' })
    await more.click()
    await page.getByRole('menuitem', { name: 'Join with another case' }).click()
    const choice = page.getByRole('dialog', { name: 'Join with another case' })
    await choice.getByRole('button', { name: /H-00412/ }).click()
    await choice.getByRole('button', { name: 'Look at both' }).click()
    const dialog = page.getByRole('dialog', { name: 'Join 2 cases into one?' })
    await dialog.getByRole('button', { name: 'Join' }).click()
    await dialog
      .getByRole('alert')
      .getByText(/changes that are not saved/)
      .waitFor()
    expect(screens.standIn.asked.some(({ name }) => name === 'submissions.merge')).toBe(false)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'More for this case',
    )
  })

  it('that cannot be saved is not joined', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/queue/s6')
    await page.getByRole('textbox', { name: 'Age' }).fill('200')
    await page.getByRole('button', { name: 'More for this case' }).click()
    await page.getByRole('menuitem', { name: 'Join with another case' }).click()
    await page.getByText(/They are marked red; correct them first/).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('images', () => {
  it('become a case of their own by the keyboard alone', async (context) => {
    const { page, screens, openCase } = await open(context)
    await openCase('s5')
    for (const name of ['OD_1.jpg', 'OS_3.jpg']) {
      await page.getByRole('checkbox', { name: `Choose ${name}` }).focus()
      await page.keyboard.press('Space')
    }
    await page.getByRole('toolbar', { name: '2 chosen' }).waitFor()
    await page.getByRole('button', { name: 'Make a case of their own' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Make a case of their own of 2 images?' })
    await dialog.getByText('A person looks at both cases again before they are sent.').waitFor()
    // The first thing that Enter would do is nothing.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    // It is offered for ten seconds.
    await page.getByRole('button', { name: 'Open it' }).click()
    await page.waitForFunction(() => window.location.hash.endsWith('/s5-part'))
    expect(screens.standIn.asked.find(({ name }) => name === 'submissions.split')?.input).toEqual({
      id: 's5',
      imageIds: ['i5-1', 'i5-3'],
    })
    await openCase('s5')
    await page.getByRole('group', { name: /Right eye.*: 1/ }).waitFor()
  })

  it('cannot all be parted off', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/queue/s6')
    for (const name of ['OD_1.jpg', 'OS_2.jpg'])
      await page.getByRole('checkbox', { name: `Choose ${name}` }).check()
    expect(await page.getByRole('button', { name: 'Make a case of their own' }).isDisabled()).toBe(true)
  })

  it('are moved to a case that is searched for; one without images goes', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s6')
    for (const name of ['OD_1.jpg', 'OS_2.jpg'])
      await page.getByRole('checkbox', { name: `Choose ${name}` }).check()
    await page.getByRole('button', { name: 'Move to another case' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move 2 images' })
    await dialog.getByText('No image would stay here, so this case is discarded.').waitFor()
    const confirm = dialog.getByRole('button', { name: 'Move 2 images' })
    expect(await confirm.isDisabled()).toBe(true)
    // What is on its way, was sent, or is this case itself is not offered.
    await dialog.getByRole('button', { name: /H-00412/ }).waitFor()
    for (const who of [/H-00409/, /H-00401/, /H-00350/, /H-00415/])
      expect(await dialog.getByRole('button', { name: who }).count()).toBe(0)
    await dialog.getByRole('searchbox', { name: 'Find the case' }).fill('sampleton synthia 00412')
    await dialog.getByRole('button', { name: /H-00408/ }).waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: /H-00412/ }).click()
    await dialog.getByText(/belongs to the case of H-00412, Sampleton, Synthia/).waitFor()
    await confirm.click()
    await page.getByRole('heading', { name: /Case of H-00412/ }).waitFor()
    expect(screens.standIn.asked.find(({ name }) => name === 'submissions.moveImages')?.input).toEqual({
      imageIds: ['i6-1', 'i6-2'],
      toId: 's5',
    })
    expect(screens.standIn.submissions.get('s6')?.state).toBe('discarded')
  })
})
