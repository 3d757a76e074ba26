import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { setStage } from './stage.ts'
import { doubtfulDelivery, syntheticAlarms } from './synthetic-alarms.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const open = setStage()

async function findings(page: Page): Promise<string[]> {
  // Evaluated by the tool, not by the page, whose policy would refuse it.
  await page.evaluate(AXE)
  const results = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<AxeResults> } }
    return axe.run()
  })
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
}

describe('every screen', () => {
  const places = [
    ['queue', '#/queue'],
    ['a case to complete', '#/queue/s3'],
    ['a case to check', '#/queue/s5'],
    ['a delivery to decide on', '#/queue/s2'],
    ['a refused case', '#/queue/s1'],
    ['a case full of doubts', '#/queue/s13'],
    ['a sent case', '#/queue/s30'],
    ['cases', '#/cases'],
    ['reports', '#/reports'],
    ['a PDF report', '#/reports/88390'],
    ['a report of data', '#/reports/88391'],
    ['a report page', '#/reports/88395'],
    ['a case without a report', '#/reports/88405'],
    ['service settings', '#/settings/service'],
    ['folder settings', '#/settings/folders'],
    ['camera profiles', '#/settings/profiles'],
    ['the patient list', '#/settings/patientList'],
    ['required details', '#/settings/requirements'],
    ['sending settings', '#/settings/sending'],
    ['storage settings', '#/settings/storage'],
    ['a case that is being sent', '#/queue/s7'],
    ['the activity', '#/activity'],
    ['about', '#/settings/about'],
  ] as const

  it.for(['light', 'dark'] as const)(
    'is free of what axe can find in the %s theme',
    async (theme, context) => {
      const { page, goTo, settle } = await open(context, theme)
      const found: Record<string, string[]> = {}
      for (const [name, hash] of places) {
        await goTo(hash)
        await settle()
        const list = await findings(page)
        if (list.length > 0) found[name] = list
      }
      expect(found).toEqual({})
    },
  )

  const openings: readonly (readonly [string, string, (page: Page) => Promise<unknown>])[] = [
    ['the menu of centers', '#/queue', (page) => page.getByRole('button', { name: /^Center/ }).click()],
    [
      'the menu of a row',
      '#/queue',
      (page) => page.getByRole('button', { name: /^More for H-00412/ }).click(),
    ],
    ['the bar of a selection', '#/queue', (page) => page.getByRole('checkbox', { name: /H-00412/ }).check()],
    ['the list of keys', '#/queue', (page) => page.keyboard.press('F1')],
    [
      'an enlarged image',
      '#/queue/s5',
      (page) => page.getByRole('button', { name: 'Enlarge OD_1.jpg' }).click(),
    ],
    [
      'leaving an image out',
      '#/queue/s5',
      (page) => page.getByRole('button', { name: 'Leave out OD_1.jpg' }).click(),
    ],
    [
      'a decision to be signed',
      '#/queue/s2',
      (page) => page.getByRole('button', { name: 'It is not there, send again' }).click(),
    ],
    [
      'all fields of a case',
      '#/cases',
      (page) => page.getByRole('button', { name: 'Details of case 88390' }).click(),
    ],
    [
      'cases to be joined',
      '#/queue',
      async (page) => {
        for (const who of ['H-00412', 'H-00415'])
          await page.getByRole('checkbox', { name: new RegExp(`Select ${who}`) }).check()
        await page.getByRole('button', { name: 'Join' }).click()
      },
    ],
    [
      'images to be parted off',
      '#/queue/s13',
      async (page) => {
        await page.getByRole('checkbox', { name: 'Choose OD_1.jpg' }).check()
        await page.getByRole('button', { name: 'Make a case of their own' }).click()
      },
    ],
    [
      'images to be moved',
      '#/queue/s13',
      async (page) => {
        await page.getByRole('checkbox', { name: 'Choose OD_1.jpg' }).check()
        await page.getByRole('button', { name: 'Move to another case' }).click()
        await page.getByRole('group', { name: 'Open cases' }).getByRole('button').first().click()
      },
    ],
    [
      'why an eye has no image',
      '#/queue/s13',
      (page) => page.getByRole('button', { name: /^No image possible.*Left eye/ }).click(),
    ],
    [
      'a profile that is being written, with a pattern that cannot be',
      '#/settings/profiles',
      async (page) => {
        await page.getByRole('combobox', { name: 'Profile' }).selectOption('eidon-photos')
        await page.getByText('nothing states the eye').first().waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Make my own from this one' }).click()
        await page.getByRole('textbox', { name: 'Pattern 1' }).fill('{historyNumber}_{date}')
        await page.getByRole('textbox', { name: 'Pattern 2' }).fill('{historyNumber}')
        await page.getByText('nothing states the eye').first().waitFor()
        await page.getByRole('textbox', { name: 'Pattern 2' }).fill('*')
        await page.getByRole('button', { name: 'Add heading' }).click()
      },
    ],
    [
      'a patient list that is set',
      '#/settings/patientList',
      async (page) => {
        await page.getByRole('switch', { name: 'Use a patient list' }).click()
        await page.getByRole('button', { name: 'Add heading' }).click()
        await page.getByRole('button', { name: 'Save' }).click()
      },
    ],
    [
      'what waits too long',
      '#/queue',
      (page) => page.getByRole('button', { name: /waiting too long/ }).click(),
    ],
    [
      'a case to be discarded',
      '#/queue/s2',
      async (page) => {
        await page.getByRole('button', { name: 'More for this case' }).click()
        await page.getByRole('menuitem', { name: 'Discard' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
      },
    ],
    [
      'a transfer to be cancelled',
      '#/queue/s7',
      (page) => page.getByRole('button', { name: 'Cancel sending' }).click(),
    ],
    [
      'cases to be moved to another center',
      '#/queue',
      async (page) => {
        await page.getByRole('checkbox', { name: /H-00412/ }).check()
        await page.getByRole('button', { name: 'Move to center' }).click()
        await page.getByRole('combobox', { name: 'Move to' }).selectOption('102')
      },
    ],
    ['a raw answer', '#/queue/s2', (page) => page.getByRole('button', { name: /^Show the answer/ }).click()],
    [
      'a finished test',
      '#/settings/service',
      (page) => page.getByRole('button', { name: 'Test connection' }).click(),
    ],
  ]

  it.for(['light', 'dark'] as const)('is so in trouble, in the %s theme', async (theme, context) => {
    const { page, screens, goTo, settle } = await open(context, theme)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const { standIn } = screens
    const images = standIn.submissions.get('s30')?.images ?? []
    standIn.changeSubmission('s2', doubtfulDelivery(Date.now()))
    standIn.changeSubmission('s30', { images: images.map((image) => ({ ...image, removedAt: 1 })) })
    standIn.changeStatus({ alarms: syntheticAlarms(Date.now()) })
    standIn.tell('deliveryProgressed', {
      id: 's7',
      handedOverBytes: 1,
      requestBytes: 9,
      stalledSince: Date.now() - 35_000,
    })
    const found: Record<string, string[]> = {}
    for (const hash of ['#/queue', '#/queue/s2', '#/queue/s7', '#/queue/s30']) {
      await goTo(hash)
      await settle()
      const list = await findings(page)
      if (list.length > 0) found[hash] = list
    }
    await page.getByTestId('banner').getByRole('button', { name: 'Look' }).click()
    await page.getByRole('dialog', { name: 'Alarms' }).waitFor()
    await page.waitForFunction(() => document.getAnimations().length === 0)
    expect({ ...found, alarms: await findings(page) }).toEqual({ alarms: [] })
  })

  it.for(['light', 'dark'] as const)(
    'is so with what opens over it, in the %s theme',
    async (theme, context) => {
      const { page, goTo, settle } = await open(context, theme)
      // Colours are judged when they stand still: what fades in on a busy machine is pale for long.
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const found: Record<string, string[]> = {}
      for (const [name, hash, act] of openings) {
        await goTo(hash)
        await settle()
        await act(page)
        // What only the pointer shows is not what was opened.
        await page.mouse.move(1, 1)
        await page.waitForFunction(() => document.getAnimations().length === 0)
        await settle()
        const list = await findings(page)
        if (list.length > 0) found[name] = list
        await page.keyboard.press('Escape')
        await page.reload()
        await page.getByRole('main').waitFor()
      }
      expect(found).toEqual({})
    },
  )
})
