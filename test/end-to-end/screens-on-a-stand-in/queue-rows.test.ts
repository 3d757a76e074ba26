import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()

describe('an opened row of the queue', () => {
  it('shows its images, the timeline of its attempts and why it stands, and stays open while things change', async (context) => {
    const { page, screens, row } = await open(context)
    const toggle = page.getByRole('button', { name: /^Images and attempts of H-00408/ })
    expect(await toggle.getAttribute('aria-expanded')).toBe('false')
    await toggle.click()
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
    const details = page.locator(`#${await toggle.getAttribute('aria-controls')}`)
    await details.getByText('Attempt 2').waitFor()
    expect(await details.getByRole('listitem').filter({ hasText: 'Attempt' }).allTextContents()).toEqual([
      expect.stringMatching(
        /Attempt 2Not sent.*The service is not answering.*1\.2 MB of 4\.2 MB.*status 503/,
      ),
      expect.stringMatching(/Attempt 1Not sent.*No connection/),
    ])
    await details.getByText('OD_1.jpg').waitFor()
    await details.getByText('OS_2.jpg').waitFor()
    const attempts = screens.standIn.submissions.get('s8')?.attemptList ?? []
    const [first] = attempts
    if (!first) throw new Error('no attempt')
    screens.standIn.changeSubmission('s8', {
      attempts: 3,
      attemptList: [...attempts, { ...first, id: 'a3', number: 3 }],
    })
    await details.getByText('Attempt 3').waitFor()
    screens.standIn.changeSubmission('s8', { state: 'held' })
    await row('H-00408').getByText('On hold').waitFor()
    await details.getByText('Attempt 3').waitFor()
    await toggle.click()
    await details.waitFor({ state: 'detached' })
  })

  it('is opened and closed by the keyboard, and the arrows go from case to case past it', async (context) => {
    const { page } = await open(context)
    const toggle = page.getByRole('button', { name: /^Images and attempts of H-00398/ })
    await page.getByRole('link', { name: /^Open H-00398/ }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('group', { name: 'Attempts' }).waitFor()
    expect(await toggle.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('H-00401')
    await page.keyboard.press('e')
    expect(await page.getByRole('group', { name: 'Attempts' }).count()).toBe(2)
    await page.keyboard.press('e')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('group', { name: 'Attempts' }).waitFor({ state: 'detached' })
  })

  it('says what could not be read, and reads it again', async (context) => {
    const { page, screens } = await open(context)
    screens.standIn.answerWith('submissions.get', async () => {
      throw new Error('broken')
    })
    await page.getByRole('button', { name: /^Images and attempts of H-00398/ }).click()
    const again = page.getByRole('group', { name: 'Attempts' }).getByRole('button', { name: 'Try again' })
    await again.waitFor()
    screens.standIn.answerWith('submissions.get', null)
    await again.click()
    await page.getByText('Refused by the service').waitFor()
  })
})

describe('the table of the queue', () => {
  it('has columns for size and tries where there is room, and says the same below elsewhere', async (context) => {
    const { page, row } = await open(context)
    await row('H-00408').getByText('2 images \u00b7 4.9 MB \u00b7 2 tries').waitFor()
    await page.setViewportSize({ width: 1_920, height: 1_080 })
    await page.getByRole('columnheader', { name: 'Size' }).waitFor()
    const cells = await row('H-00408').getByRole('cell').allTextContents()
    expect(cells.slice(7, 9)).toEqual(['4.9 MB', '2'])
    expect(await page.getByRole('columnheader', { name: 'Center' }).count()).toBe(0)
  })

  it('names the centers once several are in play, and waits for no answer', async (context) => {
    const { page, screens, row } = await open(context)
    await page.setViewportSize({ width: 1_920, height: 1_080 })
    screens.standIn.changeSubmission('s10', { centerId: '102' })
    screens.standIn.changeSubmission('s11', { centerId: '205' })
    await page.getByRole('columnheader', { name: 'Center' }).waitFor()
    await row('H-00411').getByText('Harbour Clinic').waitFor()
    await row('H-00377').getByText('205', { exact: true }).waitFor()
    await page.setViewportSize({ width: 1_280, height: 800 })
    await row('H-00411')
      .getByText(/Harbour Clinic/)
      .waitFor()
  })

  it.for([1_100, 820, 640, 400])('loses nothing and cuts nothing off at %i px', async (width, context) => {
    const { page, row } = await open(context)
    await page.setViewportSize({ width, height: 900 })
    await page.getByRole('button', { name: /^Images and attempts of H-00398/ }).click()
    await page.getByText('Refused by the service').waitFor()
    for (const text of [
      'Needs attention',
      'Demoson, Fictor',
      '20 Nov 2026',
      'The field gender is required.',
      '4.1 MB',
    ])
      expect(await row('H-00398').getByText(text).first().isVisible(), text).toBe(true)
    const beyond = await page.locator('main').evaluate((main) => {
      const { right } = main.getBoundingClientRect()
      return [...main.querySelectorAll('tbody :is(td, a, button, span)')]
        .filter((one) => one.getBoundingClientRect().right > right + 1)
        .map((one) => one.textContent)
    })
    expect(beyond).toEqual([])
    expect(
      await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth),
    ).toBeLessThanOrEqual(0)
  })

  it('keeps every row in its place while somebody works in it by keyboard', async (context) => {
    const { page, screens } = await open(context)
    await page.getByRole('link', { name: /^Open H-00415/ }).hover()
    await page.getByRole('link', { name: /^Open H-00415/ }).focus()
    // The order at once and at the moment when the row has changed.
    const orders = page.evaluate(async () => {
      const order = () =>
        [...document.querySelectorAll<HTMLElement>('tr[data-id]')].map((one) => one.dataset['id'])
      const before = order()
      const changed = () => document.querySelector('tr[data-id="s11"][data-state="refused"]') !== null
      const after = await new Promise<typeof before>((resolve) => {
        new MutationObserver(() => changed() && resolve(order())).observe(document.body, {
          attributes: true,
          childList: true,
          subtree: true,
        })
      })
      return { before, after }
    })
    await page.keyboard.press('ArrowUp')
    // The mouse is put aside.
    await page.mouse.move(1, 1)
    screens.standIn.changeSubmission('s11', { state: 'refused' })
    // Seconds after the last key a row may go to its place; on a busy machine it takes as long to change.
    const isChanged = orders.then(() => true)
    while (!(await Promise.race([isChanged, sleep(500, false)]))) await page.keyboard.press('Shift')
    const { before, after } = await orders
    expect(after).toEqual(before)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('H-00412')
  })
})
