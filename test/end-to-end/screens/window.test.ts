import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { copyFixtureOutbox } from '../../tools/fixture-outbox.ts'
import { openScreens } from './open-screens.ts'

describe('an alarm', () => {
  it('is in the banner before all else, and is seen only with initials', async (context) => {
    const { page, value } = await openScreens(context, { dataFolder: copyFixtureOutbox() })
    const before = (await value('station.status')).alarms.length
    await page.getByTestId('banner').getByRole('button', { name: 'Show' }).focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'Alarms' })
    const twice = panel.getByRole('listitem').filter({ hasText: 'The service holds this case twice' })
    const seen = twice.getByRole('button', { name: /^Mark as seen/ })
    await seen.click()
    await panel.getByText('Enter your initials.').waitFor()
    expect((await value('station.status')).alarms).toHaveLength(before)
    await panel.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await seen.click()
    await twice.waitFor({ state: 'detached' })
    expect((await value('station.status')).alarms).toHaveLength(before - 1)
    const { items } = await value('audit.list', { what: ['alarmSettled'] })
    expect(items[0]).toMatchObject({ by: 'QX' })
    await panel
      .getByRole('link', { name: /^Open case/ })
      .first()
      .click()
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1 }).waitFor()
  })
})

describe('names of patients', () => {
  const CASES = [
    { who: 'H-00412', name: 'Sampleton, Synthia', state: 'review' as const },
    { who: 'H-00401', name: "O'Mocksey, Mockbert", state: 'unconfirmed' as const },
  ]
  const NAMES = /Sampleton|Synthia|Mocksey|Mockbert/i

  it('are hidden on every screen at once, for eyes and screen readers, until they are shown', async (context) => {
    const { page, goTo, row, openCase, caseOf } = await openScreens(context, { cases: CASES })
    await row('Sampleton').waitFor()
    const hide = page.getByRole('button', { name: 'Hide names' })
    await hide.click()
    await row('H-00412').getByText('S\u2022\u2022\u2022, S\u2022\u2022\u2022').waitFor()
    for (const path of ['#/queue', '#/cases', '#/reports', '#/activity', 'H-00401', 'H-00412']) {
      if (path.startsWith('#')) await goTo(path)
      else await openCase(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(
        (await allTexts(page)).filter((text) => NAMES.test(text)),
        path,
      ).toEqual([])
    }
    const lastName = page.getByRole('textbox', { name: 'Last name' })
    expect(await lastName.inputValue()).toBe('S\u2022\u2022\u2022')
    await lastName.focus()
    await page.keyboard.press('End')
    expect(await lastName.inputValue()).toBe('Sampleton')
    await page.keyboard.press('Tab')
    expect(await lastName.inputValue()).toBe('S\u2022\u2022\u2022')
    await hide.click()
    await page.getByRole('heading', { name: /Sampleton/ }).waitFor()
    expect((await caseOf('H-00412')).fields.last_name).toBe('Sampleton')
  })
})

/** All that a page shows, says to a screen reader, or holds in a field. */
function allTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const marks = ['aria-label', 'aria-description', 'title', 'alt', 'placeholder', 'value']
    return [
      document.title,
      document.body.innerText,
      ...[...document.querySelectorAll('*')].flatMap((one) => [
        ...marks.map((name) => one.getAttribute(name) ?? ''),
        one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement ? one.value : '',
      ]),
    ]
  })
}

describe('two windows', () => {
  it('each show that the other has the same case open, and by whom, for as long as it has', async (context) => {
    const { page, address, openCase, value, row } = await openScreens(context, {
      cases: [
        { who: 'H-00412', name: 'Sampleton, Synthia', state: 'review' },
        { who: 'H-00420', name: 'Testwood, Bea', state: 'review' },
      ],
    })
    await openCase('H-00412')
    const note = (of: Page) => of.getByRole('status').filter({ hasText: /open/ })
    expect(await note(page).count()).toBe(0)
    const { browser } = { browser: page.context().browser() }
    const other = await (browser ?? page.context()).newPage({})
    try {
      await other.goto(address)
      await other.getByRole('navigation').first().waitFor()
      // On the desk, the first of the list or another.
      await other.getByRole('row').filter({ hasText: 'H-00412' }).click()
      await note(page).getByText('Also open in another window').waitFor()
      await note(other).getByText('Also open in another window').waitFor()
      await other.getByRole('textbox', { name: 'Initials' }).fill('CD')
      await note(page).getByText('CD has this open').waitFor()
      await other.getByRole('row').filter({ hasText: 'H-00420' }).click()
      await note(page).waitFor({ state: 'detached' })
      expect(await note(other).count()).toBe(0)
      await openCase('H-00420')
      await note(page).getByText('CD has this open').waitFor()
    } finally {
      await other.close()
    }
    expect(value).toBeDefined()
    expect(row).toBeDefined()
  })
})
