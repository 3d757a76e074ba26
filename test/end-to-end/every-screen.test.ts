/** Every screen, with the outbox of every state: Spanish screens speak Spanish, and the first one comes quickly. */
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { readTexts } from '../src-renderer/i18n/text-tables.ts'
import { openViews, sayIn, viewsOf, visit } from './accessible/views.ts'
import { openScreens } from './screens/open-screens.ts'

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
    const screens = await openViews(context)
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
    const left: Record<string, readonly string[]> = {}
    for (const view of await viewsOf(screens))
      await visit(screens, view, sayIn('es'), async () => {
        const english = [...new Set(await readable(page))].filter(
          (text) => onlyEnglish.has(text) && text !== VALUE,
        )
        if (english.length > 0) left[view.name] = english
      })
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
