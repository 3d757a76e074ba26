import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()
const NAMES = /Sampleton|Mocksey|Trialgado|Nobodyov|Demoson|Fiktief|Testcase/

describe('names of patients', () => {
  it('are hidden on every screen at once, for eyes and screen readers, and stay so until they are shown', async (context) => {
    const { page, screens, goTo, settle, row } = await open(context)
    const hide = page.getByRole('button', { name: 'Hide names' })
    await hide.click()
    expect(await hide.getAttribute('aria-pressed')).toBe('true')
    await row('H-00412').getByText('S\u2022\u2022\u2022, S\u2022\u2022\u2022').waitFor()
    await page.getByRole('button', { name: /^Images and attempts of H-00420/ }).click()
    await page.getByRole('group', { name: 'Attempts' }).waitFor()
    for (const hash of ['#/queue', '#/cases', '#/reports', '#/reports/88390', '#/queue/s2']) {
      await goTo(hash)
      await page.waitForTimeout(300)
      await settle()
      const said = await page.evaluate(() => [
        document.title,
        document.body.innerText,
        ...[...document.querySelectorAll('[aria-label], [title], [alt]')].flatMap((one) =>
          ['aria-label', 'title', 'alt'].map((name) => one.getAttribute(name) ?? ''),
        ),
      ])
      expect(
        said.filter((text) => NAMES.test(text)),
        hash,
      ).toEqual([])
    }
    const covered = await page
      .getByLabel('Last name')
      .evaluate((field) => getComputedStyle(field).getPropertyValue('-webkit-text-security'))
    expect(covered).toBe('disc')
    await page.reload()
    await page.getByRole('button', { name: 'Hide names' }).click()
    await page.getByRole('heading', { name: /O'Mocksey/ }).waitFor()
    expect(screens.standIn.submissions.get('s2')?.fields.last_name).toBe("O'Mocksey")
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
