/** After every act of a person something in view has the focus: the keyboard and a screen reader go on from there. */
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { approveShown } from '../browser.ts'
import { openScreens, type Screens } from '../screens/open-screens.ts'
import type { SeededCase } from '../screens/seed-cases.ts'
import { coveredFocus } from './page-checks.ts'
import { sayIn } from './views.ts'

/** Any two differ by three digits or more: of near numbers the desk asks. */
const CASES: readonly SeededCase[] = [
  ...[
    'C-10111',
    'C-20222',
    'C-30333',
    'C-40444',
    'C-50555',
    'C-60666',
    'C-70777',
    'C-80888',
    'C-90999',
    'C-12121',
  ].map((who) => ({ who, name: 'Sampleton, Testina', state: 'review' as const, eyes: 'rrll' })),
  { who: 'C-11222', name: 'Demoson, Fictor', state: 'review', eyes: '??' },
  { who: 'C-22333', name: 'Demoson, Fictor', state: 'unconfirmed' },
  { who: 'C-33444', name: 'Demoson, Fictor', state: 'refused' },
  { who: 'C-44555', name: 'Demoson, Fictor', state: 'held' },
  { who: 'C-55666', name: 'Demoson, Fictor', state: 'sent', caseId: '88390', imagesShown: 1 },
]

/** Longer than a dialog needs to fade, and what it covered to have the focus again. */
const SETTLED_MS = 600

/** What a person does by the keyboard; what they press has the focus before. */
async function press(what: Locator, key = 'Enter'): Promise<void> {
  await what.focus()
  await what.press(key)
}

type Act = (screens: Screens) => Promise<unknown>

const atDesk =
  (who: string, act: Act): Act =>
  async (screens) => {
    const { page, row, goTo } = screens
    await goTo('#/queue')
    await row(who).locator('a[data-row-link]').click()
    await page.locator('[data-shown] h2', { hasText: who }).waitFor()
    await act(screens)
  }

const onPage =
  (who: string, act: Act): Act =>
  async (screens) => {
    await screens.goTo('#/help')
    await screens.openCase(who)
    await act(screens)
  }

const onScreen =
  (hash: string, act: Act): Act =>
  async (screens) => {
    await screens.goTo(hash)
    await screens.page.locator('h1').first().waitFor()
    await act(screens)
  }

const dialogOf = ({ page }: Screens): Locator => page.getByRole('dialog')
const button = ({ page }: Screens, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: true }).first()

const chooseAction =
  (name: string): Act =>
  async (screens) => {
    await press(button(screens, 'More actions'))
    await press(screens.page.getByRole('menuitem', { name, exact: true }))
  }

const discard: Act = async (screens) => {
  const dialog = dialogOf(screens)
  await dialog.getByRole('textbox', { name: 'Your initials' }).fill('QX')
  await press(dialog.getByRole('button', { name: /^Discard/ }))
  await dialog.waitFor({ state: 'detached' })
}

const state =
  (who: string, wanted: string): Act =>
  ({ caseOf }) =>
    expect.poll(async () => (await caseOf(who)).state).toBe(wanted)

const inTurn =
  (...acts: readonly Act[]): Act =>
  async (screens) => {
    for (const act of acts) await act(screens)
  }

const ACTS: Readonly<Record<string, Act>> = {
  'a case is approved': atDesk('C-10111', async (screens) => {
    await approveShown(screens.page)
    await state('C-10111', 'waiting')(screens)
  }),
  'an approval is taken back by its row': atDesk('C-12121', async (screens) => {
    const { id } = await screens.caseOf('C-12121')
    await screens.value('submissions.approve', { ids: [id], undoSeconds: 60, by: 'QX' })
    await press(screens.row('C-12121').getByRole('button', { name: /^Undo/ }))
    await state('C-12121', 'review')(screens)
  }),
  'a case is passed over': atDesk('C-20222', (screens) => press(button(screens, /^Skip/))),
  'a case is held by a key': atDesk('C-20222', async (screens) => {
    await screens.page.locator('button[data-ready="true"]').waitFor()
    await screens.page.keyboard.press('h')
    await state('C-20222', 'held')(screens)
  }),
  'a case is held from its menu': atDesk('C-30333', inTurn(chooseAction('Hold'), state('C-30333', 'held'))),
  'a case is discarded and its row gone': atDesk('C-40444', async (screens) => {
    await screens.page.locator('tr[aria-current="true"] a[data-row-link]').press('Delete')
    await discard(screens)
    await screens.row('C-40444').waitFor({ state: 'detached' })
  }),
  'another person discards the case that is shown': atDesk('C-50555', async ({ value, ids, row }) => {
    await value('submissions.discard', { ids: [ids['C-50555'] ?? ''], by: 'ZZ', why: 'test' })
    await row('C-50555')
      .waitFor({ state: 'detached' })
      .catch(() => undefined)
  }),
  'an eye is given': atDesk('C-11222', async (screens) => {
    await screens.page.waitForTimeout(1_600)
    await press(button(screens, /^Right eye/))
    await screens.page.getByText('Image 2 of 2').waitFor()
  }),
  'the last eye is given': atDesk('C-11222', async (screens) => {
    await screens.page.waitForTimeout(1_600)
    await press(button(screens, /^Left eye/))
    await screens.page.getByText('Right or left?', { exact: true }).waitFor({ state: 'detached' })
  }),
  'an image is excluded at the desk': atDesk('C-60666', async (screens) => {
    await press(screens.page.locator('figure:not([hidden]) [data-exclude]').first())
    await press(dialogOf(screens).getByRole('button', { name: 'Blurred' }))
    await dialogOf(screens).waitFor({ state: 'detached' })
  }),
  'chosen cases are held': atDesk('C-60666', async (screens) => {
    await press(screens.page.getByRole('checkbox', { name: /Select C-60666/ }), 'Space')
    await press(button(screens, 'Hold'))
    await state('C-60666', 'held')(screens)
  }),
  'a selection is cleared': atDesk('C-60666', async (screens) => {
    const chosen = screens.page.getByRole('checkbox', { name: /Select C-60666/ })
    if (!(await chosen.isChecked())) await press(chosen, 'Space')
    await press(button(screens, 'Clear selection'))
  }),
  'a search is cleared': onScreen('#/queue', async (screens) => {
    const { page } = screens
    await page.getByRole('searchbox').fill('nothing has this name')
    await page.locator('[data-row-link]').first().waitFor({ state: 'detached' })
    await press(page.locator('[data-shown]').getByRole('button', { name: 'Clear search' }))
    await page.locator('[data-row-link]').first().waitFor()
  }),
  'a case is sent from its page': onPage('C-70777', async (screens) => {
    await press(button(screens, 'Approve and send'))
    await expect.poll(async () => (await screens.caseOf('C-70777')).state).not.toBe('review')
  }),
  'an image goes to the other eye': onPage('C-80888', async (screens) => {
    await screens.page.locator('article button').first().focus()
    await screens.page.keyboard.press('l')
    await screens.page.locator('[data-eye="left"] article').nth(2).waitFor()
  }),
  'an image is excluded, and included again': onPage('C-80888', async (screens) => {
    const { page } = screens
    await press(page.locator('article [data-exclude]').first())
    await press(dialogOf(screens).getByRole('button', { name: 'Blurred' }))
    await press(button(screens, 'Include'))
    await button(screens, 'Include').waitFor({ state: 'detached' })
  }),
  'an image becomes a case of its own': onPage('C-80888', async (screens) => {
    await press(screens.page.locator('article input[type="checkbox"]').first(), 'Space')
    await press(button(screens, 'Split into new case'))
    await press(dialogOf(screens).getByRole('button', { name: 'Split into new case' }))
    await dialogOf(screens).waitFor({ state: 'detached' })
  }),
  'a case is discarded on its page': onPage(
    'C-90999',
    inTurn(chooseAction('Discard'), discard, state('C-90999', 'discarded')),
  ),
  'a discard is undone': inTurn((screens) => press(button(screens, 'Undo'))),
  'a case in doubt is said to be absent': onPage('C-22333', async (screens) => {
    await press(button(screens, sayIn('en')('submission:decision.absent.confirmAction')))
    const dialog = dialogOf(screens)
    await dialog.getByRole('textbox', { name: 'Your initials' }).fill('QX')
    for (const box of await dialog.getByRole('checkbox').all()) await box.check()
    await press(dialog.getByRole('button').last())
    await dialog.waitFor({ state: 'detached' })
  }),
  'the last alarm is seen': async (screens) => {
    await press(screens.page.getByTestId('banner').getByRole('button', { name: 'Show' }))
    await dialogOf(screens).getByRole('textbox', { name: 'Your initials' }).fill('QX')
    await press(dialogOf(screens).getByRole('button', { name: /^Mark as seen/ }))
    await dialogOf(screens).waitFor({ state: 'detached' })
  },
  'settings are saved': onScreen('#/settings/review', async (screens) => {
    await press(screens.page.locator('main input[type="checkbox"]').first(), 'Space')
    await press(button(screens, 'Save'))
    await button(screens, 'Saved').waitFor()
  }),
  'a folder is removed': onScreen('#/settings/folders', (screens) =>
    press(button(screens, /^Remove folder/)),
  ),
  'a folder is added': onScreen('#/settings/folders', (screens) => press(button(screens, 'Add folder'))),
  'a step of the set-up is over': onScreen('#/setup', async (screens) => {
    await press(screens.page.locator('main nav button').first())
    await press(button(screens, 'Continue'))
  }),
  'a screen is found': async (screens) => {
    await screens.page.keyboard.press('Control+k')
    await dialogOf(screens).waitFor()
    await screens.page.keyboard.type('Help')
    await screens.page.keyboard.press('Enter')
    await dialogOf(screens).waitFor({ state: 'detached' })
  },
  'sending is paused and resumed': onScreen('#/help', async (screens) => {
    await press(button(screens, 'Resume sending'))
    await press(button(screens, 'Pause sending'))
    await press(screens.page.getByRole('menuitem').first())
    await button(screens, 'Resume sending').waitFor()
  }),
  'another language is chosen': async (screens) => {
    await press(button(screens, /^Language/))
    await press(screens.page.getByRole('menuitem', { name: 'Espa\u00f1ol', exact: true }))
    await button(screens, /^Idioma/).waitFor()
  },
}

it('no act loses the focus', { timeout: 1_200_000 }, async (context) => {
  const screens = await openScreens(context, { cases: CASES, hasUndo: true })
  const { page, value } = screens
  page.setDefaultTimeout(20_000)
  await value('station.pause', { seconds: null })
  const lost: Record<string, string> = {}
  for (const [name, act] of Object.entries(ACTS)) {
    const failure = await act(screens).then(
      () => null,
      (error: unknown) => String(error),
    )
    await page.waitForTimeout(SETTLED_MS)
    const where = failure ?? (await coveredFocus(page))
    if (where !== null) lost[name] = where
  }
  expect(lost).toEqual({})
})
