import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()

describe('the queue', () => {
  it('shows what needs a person first, and what is over not at all', async (context) => {
    const { page } = await open(context)
    const states = await page
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((one) => (one instanceof HTMLElement ? one.dataset['state'] : '')))
    expect([...new Set(states)]).toEqual([
      'refused',
      'unconfirmed',
      'incomplete',
      'review',
      'sending',
      'waiting',
      'held',
      'collecting',
    ])
  })

  it('approves a case from its row', async (context) => {
    const { page, screens, row } = await open(context)
    await page.getByRole('button', { name: /^Approve: H-00412/ }).click()
    await row('H-00412').getByText('Waiting').waitFor()
    expect(screens.standIn.submissions.get('s5')?.state).toBe('waiting')
    await page.getByText('1 case approved').first().waitFor()
  })

  it('holds several at once and says how many each action fits', async (context) => {
    const { page, screens, row } = await open(context)
    for (const who of ['H-00412', 'H-00415', 'H-00398'])
      await page.getByRole('checkbox', { name: new RegExp(`Select ${who}`) }).check()
    await page.getByRole('button', { name: 'Hold (2)' }).click()
    await row('H-00412').getByText('On hold').waitFor()
    await row('H-00415').getByText('On hold').waitFor()
    expect(screens.standIn.submissions.get('s1')?.state).toBe('refused')
  })

  it('takes a discarded case back by undo', async (context) => {
    const { page, screens, row } = await open(context)
    await page.getByRole('button', { name: /^More for H-00415/ }).click()
    await page.getByRole('menuitem', { name: 'Discard' }).click()
    await page.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await page.keyboard.press('Enter')
    await row('H-00415').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('H-00415').waitFor()
    expect(screens.standIn.submissions.get('s6')?.state).toBe('review')
  })

  it('opens the menu of a row by a key, the first time too, and gives the focus back', async (context) => {
    const { page } = await open(context)
    const more = page.getByRole('button', { name: /^More for H-00415/ })
    for (let times = 0; times < 2; times += 1) {
      await more.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Discard' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('menuitem', { name: 'Discard' }).waitFor({ state: 'detached' })
      await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true)
    }
  })

  it('is worked by the keyboard alone', async (context) => {
    const { page, row } = await open(context)
    await page.getByRole('link', { name: /^Open H-00412/ }).focus()
    await page.keyboard.press('a')
    await row('H-00412').getByText('Waiting').waitFor()
    await page.getByRole('link', { name: /^Open H-00415/ }).focus()
    await page.keyboard.press('h')
    await row('H-00415').getByText('On hold').waitFor()
    await page.getByRole('link', { name: /^Open H-00398/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    expect(await page.getByRole('checkbox', { name: /Select H-00401/ }).isChecked()).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Did this case arrive?' }).waitFor()
  })

  it('finds by name and says so where nothing is found', async (context) => {
    const { page, row } = await open(context)
    await page.getByRole('searchbox').fill('mocksey')
    await row('H-00412').waitFor({ state: 'detached' })
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.getByRole('searchbox').fill('nobody has this name')
    await page.getByText('No cases found').waitFor()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await row('H-00412').waitFor()
  })

  it('draws the bytes of what is being sent', async (context) => {
    const { screens, row } = await open(context)
    screens.standIn.tell('deliveryProgressed', {
      id: 's7',
      stalledSince: null,
      handedOverBytes: 2_106_000,
      requestBytes: 4_212_000,
    })
    await row('H-00409').getByText('2.1 MB of 4.2 MB \u00b7 50 %').waitFor()
  })

  it('says why files were left aside', async (context) => {
    const { page } = await open(context)
    await page.getByRole('region', { name: '3 files were left aside' }).getByRole('button').click()
    await page.getByText('This is a text, not an image; it is left where it is.').waitFor()
  })
})
