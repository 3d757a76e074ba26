import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { SETTINGS_SECTIONS } from '../../../src-renderer/shell/navigation.tsx'
import { failureOf } from '../../../src-shared/failure.ts'
import failures from '../../../src-shared/texts/es/failure.json' with { type: 'json' }
import { englishOn } from './english-left.ts'
import { isForeign } from './foreign-texts.ts'
import { setStage } from './stage.ts'
import { syntheticAlarms } from './synthetic-alarms.ts'

const open = setStage()

const PLACES = [
  '#/queue',
  // One of every state.
  ...['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8', 's13', 's30'].map((id) => `#/queue/${id}`),
  '#/cases',
  '#/cases/88390',
  '#/reports',
  '#/reports/88390',
  '#/reports/88391',
  '#/reports/88405',
  '#/activity',
  '#/help',
  '#/setup',
  ...SETTINGS_SECTIONS.map((section) => `#/settings/${section}`),
]

async function choose(page: Page, control: RegExp, language: string): Promise<void> {
  await page.getByRole('button', { name: control }).click()
  await page.getByRole('menuitem', { name: language, exact: true }).click()
  // The screens are drawn anew, and only then listen again.
  const heard = language === 'Español' ? /^Idioma/ : /^Language/
  await page.getByRole('button', { name: heard }).waitFor()
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

it('every screen speaks Spanish once it is chosen, also after a reload', async (context) => {
  const { page, goTo, settle, complaints } = await open(context)
  await choose(page, /^Language/, 'Español')
  await page.getByRole('heading', { name: 'Cola' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('es')
  await page.reload()
  await page.getByRole('table', { name: 'Casos en esta estación' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('es')
  const left: Record<string, readonly string[]> = {}
  for (const place of PLACES) {
    await goTo(place)
    await page.waitForTimeout(150)
    await settle()
    const english = await englishOn(page, isForeign)
    if (english.length > 0) left[place] = english
  }
  expect(left).toEqual({})
  expect(complaints).toEqual([])
}, 120_000)

it('what opens over a screen speaks Spanish, too', async (context) => {
  const { page, screens, row } = await open(context)
  await choose(page, /^Language/, 'Español')
  screens.standIn.changeStatus({ alarms: syntheticAlarms(Date.now()), storage: failureOf('storage') })
  const left: Record<string, readonly string[]> = {}
  const look = async (what: string, opened: Locator, opener?: Locator): Promise<void> => {
    await opened.first().waitFor()
    const english = await englishOn(page, isForeign)
    if (english.length > 0) left[what] = english
    await (opener ? opener.click() : page.keyboard.press('Escape'))
    await opened.first().waitFor({ state: 'hidden' })
  }
  await page.keyboard.press('F1')
  await look('keyboard', page.getByRole('dialog', { name: 'Teclado' }))
  for (const control of [/^Pausar el envío/, /^Centro/, /^Claro u oscuro/, /^Idioma/]) {
    const opener = page.getByRole('button', { name: control }).first()
    await opener.click()
    await look(String(control), page.getByRole('menu'), opener)
  }
  await page.getByTestId('banner').getByRole('button', { name: 'Ver' }).click()
  await look('alarms', page.getByRole('dialog', { name: 'Alarmas' }))
  await page.getByRole('button', { name: /^Esperan demasiado/ }).click()
  await look('ageing', page.getByRole('dialog', { name: /^Esperan/ }))
  await row('H-00412')
    .getByRole('button', { name: /^Más acciones/ })
    .click()
  await look('actions', page.getByRole('menu'))
  await row('H-00412').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Descartar' }).first().click()
  await look('discard', page.getByRole('dialog', { name: /^¿Descartar/ }))
  expect(left).toEqual({})
})

it('a failure of the station is told in Spanish', async (context) => {
  const { page, screens } = await open(context)
  await choose(page, /^Language/, 'Español')
  screens.standIn.changeStatus({ alarms: [], storage: failureOf('storage') })
  const banner = page.getByTestId('banner')
  await banner.getByText(failures.storage.title).waitFor()
  await banner.getByText(failures.storage.message).waitFor()
})

it('what was typed and cannot be saved yet stays when the language changes', async (context) => {
  const { page, goTo } = await open(context)
  await goTo('#/queue/s6')
  await page.getByRole('textbox', { name: /^IOP, left eye/ }).fill('300')
  await page.getByText('Must be between 0 and 99.').waitFor()
  await choose(page, /^Language/, 'Español')
  const field = page.getByRole('textbox', { name: /^PIO, ojo izquierdo – OI/ })
  await field.waitFor()
  expect(await field.inputValue()).toBe('300')
  await page.getByText('Debe estar entre 0 y 99.').waitFor()
  await choose(page, /^Idioma/, 'English')
  await page.getByText('Must be between 0 and 99.').waitFor()
  expect(await page.getByRole('textbox', { name: /^IOP, left eye/ }).inputValue()).toBe('300')
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
})
