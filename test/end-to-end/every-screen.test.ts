/** Every screen, with the outbox of every state: axe finds nothing in either theme, and Spanish screens speak Spanish. */
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, it, type TestContext } from 'vitest'
import { SETTINGS_SECTIONS } from '../../src-renderer/shell/navigation.tsx'
import { copyFixtureOutbox } from '../tools/fixture-outbox.ts'
import { readTexts } from '../src-renderer/i18n/text-tables.ts'
import { axeFindingsInBothThemes, untilStill } from './axe.ts'
import { openScreens, type Screens } from './screens/open-screens.ts'

/** Cases of the outbox in every state, with every reason, warning, kind of evidence and kind of failure. */
const CASES = ['H-00001', 'H-00010', 'H-00014', 'H-00044', 'H-00054', 'H-00060', 'H-00061', 'H-00071']
const FULL_CASES = ['H-00100', 'H-00104', 'H-00105', 'H-00106', 'H-00108']
const REPORTS = ['H-00001', 'H-00002', 'H-00003', 'H-00004', 'H-00006', 'H-00007']

/** What lies over a screen, opened by keys that no language changes. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  '#/queue': ['F1'],
}

/** The addresses of the screens by name: a path, or a case of this history number. */
async function routesOf({ caseOf }: Screens): Promise<Readonly<Record<string, string>>> {
  const screens = ['queue', 'new', 'cases', 'reports', 'activity', 'help', 'setup']
  const paths = [...screens, ...SETTINGS_SECTIONS.map((section) => `settings/${section}`)]
  const cases = await Promise.all(
    [...CASES, ...FULL_CASES].map(async (who) => [who, `#/queue/${(await caseOf(who)).id}`] as const),
  )
  const reports = await Promise.all(
    REPORTS.map(async (who) => [`report of ${who}`, `#/reports/${(await caseOf(who)).caseId}`] as const),
  )
  return Object.fromEntries([
    ...paths.map((path) => [`#/${path}`, `#/${path}`] as const),
    ...cases,
    ...reports,
  ])
}

type Inspect = (page: Page) => Promise<readonly string[]>

/** Shows every screen to the inspector; by screen, what was found there. */
async function inspectAll(
  screens: Screens,
  inspect: Inspect,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const { page, goTo } = screens
  const found: Record<string, readonly string[]> = {}
  for (const [name, hash] of Object.entries(await routesOf(screens))) {
    await goTo(hash)
    await untilStill(page)
    const findings = [...(await inspect(page))]
    for (const key of KEYS[name] ?? []) {
      await page.keyboard.press(key)
      await untilStill(page)
      findings.push(...(await inspect(page)).map((line) => `${key}: ${line}`))
      await page.keyboard.press('Escape')
    }
    if (findings.length > 0) found[name] = findings
  }
  return found
}

async function openFull(context: TestContext): Promise<Screens> {
  const screens = await openScreens(context, { dataFolder: copyFixtureOutbox() })
  await screens.value('station.pause', { seconds: null })
  await screens.page.emulateMedia({ reducedMotion: 'reduce' })
  return screens
}

it('axe finds nothing on any screen, in either theme', { timeout: 600_000 }, async (context) => {
  const screens = await openFull(context)
  const found = await inspectAll(screens, axeFindingsInBothThemes)
  expect(found).toEqual({})
})

/** A setting's value, which is shown as it is stored. */
const VALUE = 'done'

function textsOf(texts: unknown): readonly string[] {
  if (typeof texts === 'string') return [texts]
  return typeof texts === 'object' && texts !== null ? Object.values(texts).flatMap(textsOf) : []
}

/** What a person reads or hears on the page; what the service, the camera or a person wrote stays as it came. */
function readable(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const FOREIGN = 'q, pre, code, textarea, iframe, noscript, script, style, [lang]:not(html)'
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement
      if (element === null || element.closest(FOREIGN) !== null) continue
      if (!(node instanceof Element)) found.push(node.textContent ?? '')
      else
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
          found.push(element.getAttribute(name) ?? '')
    }
    return found.map((text) => text.trim()).filter((text) => text !== '')
  })
}

it(
  'every screen speaks Spanish once it is chosen, also after a reload',
  { timeout: 600_000 },
  async (context) => {
    const screens = await openFull(context)
    const { page, complaints } = screens
    await page.getByRole('button', { name: /^Language/ }).click()
    await page.getByRole('menuitem', { name: 'Espa\u00f1ol', exact: true }).click()
    await page.getByRole('heading', { name: 'Cola' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Cola' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('es')
    // Rows of older versions hold the messages of the station as English sentences.
    const {
      call: _call,
      failure: _failure,
      intake: _intake,
      outbox: _outbox,
      sending: _sending,
      ...own
    } = readTexts('en')
    const spanish = new Set(textsOf(readTexts('es')))
    const onlyEnglish = new Set(textsOf(own).filter((text) => !spanish.has(text) && text.trim() !== ''))
    const left = await inspectAll(screens, async () =>
      [...new Set(await readable(page))].filter((text) => onlyEnglish.has(text) && text !== VALUE),
    )
    expect(left).toEqual({})
    expect(complaints).toEqual([])
  },
)

/** What a screen in a browser fetches over a clinic's network before it shows the queue. */
const MOST_BYTES = 250_000

it('fetches less than 250 kB of gzipped JavaScript before the queue is shown', async (context) => {
  const { page } = await openScreens(context)
  const sizes = new Map<string, Promise<number>>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.endsWith('.js')) return
    sizes.set(
      pathname,
      response.body().then((body) => gzipSync(body).length),
    )
  })
  await page.reload()
  await page.getByRole('heading', { name: 'Queue' }).waitFor()
  await page.waitForLoadState('networkidle')
  const total = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0)
  await context.annotate(`${total} bytes of gzipped JavaScript in ${sizes.size} files`)
  expect(total).toBeGreaterThan(50_000)
  expect(total).toBeLessThan(MOST_BYTES)
})
