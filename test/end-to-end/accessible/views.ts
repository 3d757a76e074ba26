/**
 * The views: every screen on an outbox of every state, and the dialogs and menus over them. What opens them is the same
 * in every language.
 */
import type { Page } from 'playwright-core'
import type { TestContext } from 'vitest'
import { SETTINGS_SECTIONS } from '../../../src-renderer/shell/navigation.tsx'
import type { ListedCase } from '../../../src-shared/case.ts'
import type { Language } from '../../../src-shared/texts/texts.ts'
import { ENGLISH, SPANISH } from '../../src-renderer/i18n/text-tables.ts'
import { copyFixtureOutbox } from '../../tools/fixture-outbox.ts'
import { untilStill } from '../axe.ts'
import { openScreens, type Screens } from '../screens/open-screens.ts'

export type View = {
  readonly name: string
  readonly hash: string
  /** Opens what lies over the screen, or what it shows only then. */
  readonly open?: (page: Page, say: Say) => Promise<unknown>
}

/** A text of the screens in the language in which they are shown. */
export type Say = (name: string) => string

export function sayIn(language: Language): Say {
  const texts = language === 'es' ? SPANISH : ENGLISH
  return (name) => {
    const text = texts.get(name)
    if (text === undefined) throw new Error(`There is no text ${name}`)
    return text
  }
}

/** Cases of the outbox in every state, with every reason, warning, kind of evidence and kind of failure. */
const CASES = ['H-00001', 'H-00010', 'H-00014', 'H-00044', 'H-00054', 'H-00060', 'H-00061', 'H-00071']
const FULL_CASES = ['H-00100', 'H-00104', 'H-00105', 'H-00106', 'H-00108']
const REPORTS = ['H-00001', 'H-00002', 'H-00003', 'H-00004', 'H-00006', 'H-00007']
/** At the desk: to approve, both eyes asked, retakes, and all that may be in question. */
const AT_DESK = ['H-00010', 'H-00027', 'H-00044', 'H-00054', 'H-00060', 'H-00065', 'H-00104', 'H-00105']

type Open = NonNullable<View['open']>

const press =
  (key: string): Open =>
  (page) =>
    page.keyboard.press(key)

const click =
  (selector: string): Open =>
  (page) =>
    page.locator(selector).first().click()

/** Presses the button or item with this text; one with a parameter begins with it. */
const clickOn =
  (text: string, role: 'button' | 'menuitem' = 'button'): Open =>
  async (page, say) => {
    const [start = ''] = say(text).split('{{')
    await page
      .getByRole(role, { name: start, exact: start === say(text) })
      .first()
      .click()
  }

const inTurn =
  (...all: readonly Open[]): Open =>
  async (page, say) => {
    for (const one of all) {
      await one(page, say)
      await untilStill(page)
    }
  }

const openMenu: Open = inTurn(clickOn('submission:more'), (page) => page.getByRole('menu').waitFor())
const chooseImage: Open = click('article input[type="checkbox"]')
const openDialog = (...by: readonly Open[]): Open =>
  inTurn(...by, (page) => page.getByRole('dialog').waitFor())

/** Finds one case, which the desk then shows. */
const atDesk =
  (who: string): Open =>
  async (page) => {
    await page.getByRole('searchbox').first().fill(who)
    await page.locator('[data-shown] h2', { hasText: who }).waitFor()
    await page.locator('a[data-row-link]').first().focus()
  }

/** Opens the screens on that outbox; nothing is sent, and the service lists what was. */
export async function openViews(context: TestContext): Promise<Screens> {
  const screens = await openScreens(context, { dataFolder: copyFixtureOutbox() })
  const { page, value, answerWith } = screens
  await value('station.pause', { seconds: null })
  const { items } = await value('submissions.list', { state: ['sent'], limit: 50 })
  const listed = items.map(({ id, caseId, fields, reference, sentAt }, index): ListedCase => {
    const { history_number: historyNumber = null, first_name: firstName = null } = fields
    const { last_name: lastName = null, visit_date: visitDate = null } = fields
    const shown = { historyNumber, firstName, lastName, visitDate, createdAt: visitDate, urgency: null }
    const own = { submissionId: id, reference, sentAt, hasReport: index % 2 === 0, state: 'REPORTED' }
    return { caseId: caseId ?? '', ...shown, ...own, raw: { remark: 'as the service has it' } }
  })
  answerWith('cases.list', async () => ({
    ok: true,
    value: { items: listed, readAt: Date.now(), centerId: '101' },
  }))
  answerWith('cases.get', async ({ id }) => ({
    ok: true,
    value: listed.find(({ caseId }) => caseId === id)!,
  }))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  return screens
}

/** Every view, those over one screen after one another. */
export async function viewsOf({ caseOf }: Pick<Screens, 'caseOf'>): Promise<readonly View[]> {
  const pageOf = async (who: string): Promise<string> => `#/queue/${(await caseOf(who)).id}`
  const reportOf = async (who: string): Promise<string> => `#/reports/${(await caseOf(who)).caseId}`
  const [review, refused, unconfirmed, sent] = await Promise.all(
    ['H-00060', 'H-00010', 'H-00027', 'H-00001'].map(pageOf),
  )
  const over = (hash = '', views: Readonly<Record<string, Open>>): readonly View[] =>
    Object.entries(views).map(([name, open]) => ({ name, hash, open }))
  return [
    ...['queue', 'cases', 'reports', 'activity', 'help', 'setup'].map((name) => ({
      name,
      hash: `#/${name}`,
    })),
    ...SETTINGS_SECTIONS.map((name) => ({ name: `settings ${name}`, hash: `#/settings/${name}` })),
    ...(await Promise.all(
      [...CASES, ...FULL_CASES].map(async (who) => ({ name: `case ${who}`, hash: await pageOf(who) })),
    )),
    ...(await Promise.all(
      REPORTS.map(async (who) => ({ name: `report ${who}`, hash: await reportOf(who) })),
    )),
    ...over('#/queue', {
      ...Object.fromEntries(AT_DESK.map((who) => [`desk ${who}`, atDesk(who)])),
      'desk finds nothing': async (page) => {
        await page.getByRole('searchbox').first().fill('nothing has this name')
        await page.locator('[data-row-link]').first().waitFor({ state: 'detached' })
      },
      keyboard: openDialog(press('F1')),
      palette: openDialog(press('Control+k')),
      center: openDialog(click('header [aria-haspopup="dialog"]')),
      alarms: openDialog(click('[data-testid="banner"] button')),
      languages: click('header [aria-haspopup="menu"]'),
      'chosen cases': (page) => page.locator('tbody input[type="checkbox"]').first().check(),
      'discard a case': openDialog((page) => page.locator('a[data-row-link]').last().press('Delete')),
      overdue: click('[data-desk] [aria-expanded="false"]'),
      'exclude at the desk': openDialog(atDesk('H-00060'), click('figure:not([hidden]) [data-exclude]')),
    }),
    ...over(review, {
      viewer: openDialog(click('article button'), press('s')),
      'viewer of two visits': openDialog(click('article button'), press('v')),
      'exclude an image': openDialog(click('article [data-exclude]')),
      actions: openMenu,
      'join cases': openDialog(openMenu, clickOn('submission:grouping.join', 'menuitem')),
      'chosen image': chooseImage,
      'split a case': openDialog(chooseImage, clickOn('submission:grouping.split')),
      'move images': openDialog(chooseImage, clickOn('submission:grouping.move')),
      'move to a center': openDialog(openMenu, clickOn('queue:action.moveToCenter.name', 'menuitem')),
    }),
    ...over(refused, { 'answer of the service': openDialog(clickOn('submission:attempts.answerOf')) }),
    ...over(unconfirmed, {
      'not there': openDialog(clickOn('submission:decision.absent.confirmAction')),
    }),
    ...over(sent, {
      'sent wrongly': inTurn(openMenu, clickOn('submission:wrongly.action', 'menuitem'), (page) =>
        page.locator('#sent-wrongly').waitFor(),
      ),
    }),
    ...over(await reportOf('H-00006'), { 'open a link': openDialog(clickOn('report:link.open')) }),
    ...over('#/reports', {
      'awaited reports': (page) =>
        page.locator('label:has(+ input[value="awaited"]), input[value="awaited"] + label').click(),
    }),
    ...over('#/setup', {
      'set-up of the service': click('main nav li:nth-child(2) button'),
      'set-up is ready': click('main nav li:nth-child(3) button'),
    }),
    { name: 'case of the service', hash: `#/cases/${(await caseOf('H-00001')).caseId}` },
  ]
}

/** Those that a clinic sees most. */
export const DAILY = [
  'queue',
  'desk H-00054',
  'desk H-00105',
  'case H-00060',
  'case H-00010',
  'case H-00104',
  'viewer',
  'exclude an image',
  'reports',
  'report H-00001',
  'cases',
  'palette',
  'settings folders',
  'setup',
] as const

const OVER = '[role="dialog"], [role="menu"]'

/** Shows a view to `inspect`, and leaves nothing of it behind. */
export async function visit(
  { page, goTo }: Pick<Screens, 'page' | 'goTo'>,
  { hash, open }: View,
  say: Say,
  inspect: () => Promise<void>,
  afterwards: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await goTo(hash)
  await untilStill(page)
  await open?.(page, say)
  await untilStill(page)
  await inspect()
  for (let tries = 0; tries < 3 && (await page.locator(OVER).count()) > 0; tries += 1) {
    await page.keyboard.press('Escape')
    await untilStill(page)
  }
  await afterwards()
  if (!open) return
  const search = page.locator('[data-desk] input[type="search"]')
  if ((await search.count()) > 0 && (await search.first().inputValue()) !== '') {
    await search.first().fill('')
    await page.locator('[data-row-link]').nth(1).waitFor()
  }
  // What a screen was opened to is gone with it.
  await goTo(hash === '#/help' ? '#/activity' : '#/help')
  await untilStill(page)
}
