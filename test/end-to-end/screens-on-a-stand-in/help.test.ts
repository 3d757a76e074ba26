import { text as textOf } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'

const open = setStage()
const TEXT = [
  'Fundus Courier diagnostics',
  '',
  'version: 0.1.0',
  ...Array.from({ length: 300 }, (_, at) => `line ${at}`),
  '',
].join('\n')

describe('the help', () => {
  it('is the last place, tells every state by its badge, every key, and where things are kept', async (context) => {
    const { page, complaints } = await open(context)
    await page.keyboard.press('Alt+6')
    await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor()
    expect(await page.getByRole('navigation').getByRole('link').last().innerText()).toContain('Help')
    const states = page.getByRole('region', { name: 'What the states mean' })
    expect(await states.locator('[data-state]').count()).toBe(11)
    await states.getByText(/not sent again by itself/).waitFor()
    const keys = page.getByRole('region', { name: 'Keyboard' })
    for (const does of ['Red-free', 'Approve and send', 'Show its images and attempts, or hide them'])
      await keys.getByText(does).waitFor()
    const kept = page.getByRole('region', { name: 'Where things are kept' })
    await kept.getByText('C:\\ProgramData\\Fundus Courier\\backups').waitFor()
    await page.keyboard.press('F1')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('shows the diagnostics before they are saved, finds words in them, and saves exactly what it shows', async (context) => {
    const { page, screens, goTo } = await open(context)
    const made = { fileName: 'fundus-courier-diagnostics-2026-11-20-0900.txt', text: TEXT }
    screens.standIn.answerWith('station.diagnostics', async () => ({ ok: true, value: made }))
    await goTo('#/help')
    await page.getByText(/Left out, so that it can be given to other people/).waitFor()
    await page.getByRole('button', { name: 'Make diagnostics' }).click()
    const text = page.getByRole('region', { name: /This text is saved/ })
    await text.waitFor()
    expect(await text.textContent()).toBe(TEXT)
    await page.getByRole('searchbox', { name: 'Search in the text' }).fill('LINE 29')
    await page.getByText('1 of 11').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('2 of 11').waitFor()
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.press('Shift+Enter')
    await page.getByText('11 of 11').waitFor()
    expect(await text.locator('mark[data-current]').boundingBox()).not.toBe(null)
    expect(await text.textContent()).toBe(TEXT)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save', exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toBe(made.fileName)
    expect(await textOf(await download.createReadStream())).toBe(TEXT)
  })
})

describe('a screen that cannot be drawn', () => {
  const HELP = '**/assets/help-*.js'

  it('fails by itself, offers the diagnostics with its error and no values, and leaves the rest to work', async (context) => {
    const { page, screens, goTo } = await open(context)
    screens.standIn.answerWith('station.diagnostics', async () => ({
      ok: true,
      value: { fileName: 'a.txt', text: TEXT },
    }))
    const body = "export function HelpScreen() { throw new RangeError('Quixwood, Zacarias') }"
    await page.route(HELP, (route) => route.fulfill({ contentType: 'text/javascript', body }))
    await goTo('#/help')
    const place = page.getByRole('main')
    await place.getByText('This screen could not be drawn').waitFor()
    await place.getByText('RangeError').waitFor()
    await place.getByRole('button', { name: 'Diagnostics' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make diagnostics' }).click()
    const text = page.getByRole('region', { name: /This text is saved/ })
    await text.waitFor()
    const told = (await text.textContent()) ?? ''
    expect(told).toContain('screen: help\nerror: RangeError\nthrown:\n  at HelpScreen (help-')
    expect(told).not.toMatch(/quixwood|zacarias/i)
    await page.keyboard.press('Escape')
    await goTo('#/cases')
    await page.getByRole('table').waitFor()
  })

  it('comes by itself where it was asked for while the station was away', async (context) => {
    const { page, goTo } = await open(context)
    await page.context().setOffline(true)
    await goTo('#/help')
    await page.getByTestId('banner').getByText('No connection to the station').waitFor()
    await page.waitForTimeout(1_200)
    await page.getByRole('main').getByLabel('Fundus Courier').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor()
  })
})
