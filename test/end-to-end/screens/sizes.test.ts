/** What only a browser knows of the desk: sizes, what is cut off, and what lies over what. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openScreens } from './open-screens.ts'
import { QUEUE } from './seed-cases.ts'

const SIZES = [
  { width: 1_920, height: 1_080 },
  { width: 1_280, height: 800 },
  { width: 1_024, height: 700 },
] as const

/** Texts that are wider than their place, and counters that leave their tile. */
const cutCounters = (page: Page) =>
  page.locator('[data-filter]').evaluateAll((tiles) =>
    tiles.flatMap((tile) => {
      const around = tile.getBoundingClientRect()
      return [...tile.querySelectorAll('span')].flatMap((one) => {
        const { left, right } = one.getBoundingClientRect()
        const isOut =
          left < around.left - 1 || right > around.right + 1 || one.scrollWidth > one.clientWidth + 1
        return isOut && one.clientWidth > 0
          ? [`${one.textContent}: ${one.scrollWidth} in ${one.clientWidth}`]
          : []
      })
    }),
  )

const scrollsSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

const widthOfPicture = async (page: Page) =>
  Math.round((await page.locator('figure[data-area="right"]:visible').boundingBox())?.width ?? 0)

it('the desk fits each window in both languages, with counters of four digits and rows of one height', async (context) => {
  const { page, row, goTo, value, answerWith } = await openScreens(context, { cases: QUEUE })
  const status = await value('station.status')
  const counts = { ...status.counts, review: 1_100, waiting: 1_036, sent: 9_999, discarded: 1_234 }
  answerWith('station.status', () => Promise.resolve({ ok: true, value: { ...status, counts } }))
  for (const language of ['en', 'es']) {
    await page.evaluate((chosen) => localStorage.setItem('fundus-courier.language', chosen), language)
    await page.reload()
    await row('H-00412').waitFor()
    await row('H-00412').click()
    const widths: number[] = []
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await expect.poll(() => cutCounters(page), { message: `${language} ${size.width}` }).toEqual([])
      expect(await scrollsSideways(page), `${language} ${size.width}`).toBeLessThanOrEqual(0)
      const heights = await page
        .locator('tbody tr')
        .evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().height))
      expect(new Set(heights).size, `${language} ${size.width}`).toBe(1)
      widths.push(await widthOfPicture(page))
    }
    // The larger the window, the larger the picture.
    expect(widths).toEqual(widths.toSorted((one, other) => other - one))
    expect(widths[1]).toBeGreaterThanOrEqual(440)
  }
  await page.evaluate(() => localStorage.removeItem('fundus-courier.language'))
  await goTo('#/queue')
})

/** Buttons and links at whose middle something else is. */
const covered = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) =>
    all.flatMap((one) => {
      const { left, top, width, height } = one.getBoundingClientRect()
      const above = document.elementFromPoint(left + width / 2, top + height / 2)
      return width > 0 && above !== null && !one.contains(above) && !above.contains(one)
        ? [one.textContent]
        : []
    }),
  )

it('no bar and no message lies over the row with the focus, or over a button', async (context) => {
  const { page, row, value } = await openScreens(context, { cases: QUEUE })
  await value('station.pause', { seconds: null })
  await page.setViewportSize({ width: 1_280, height: 620 })
  await row('H-00412').getByRole('checkbox').check()
  const bar = '[role="toolbar"] button'
  for (const who of ['H-00398', 'H-00401', 'H-00412', 'H-00415', 'H-00377']) {
    await row(who).getByRole('link').focus()
    expect(await covered(page, 'tr:has(a:focus) a'), who).toEqual([])
  }
  expect(await covered(page, bar)).toEqual([])
  await page.getByRole('toolbar').getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').getByText('H-00412').waitFor()
  await page.getByRole('textbox', { name: 'Your initials' }).fill('QX')
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await row('H-00415').getByRole('checkbox').check()
  expect(await covered(page, bar)).toEqual([])
})

it('every target is 28 pixels or more, and what is chosen is seen in forced colours', async (context) => {
  const { page, row } = await openScreens(context, { cases: QUEUE })
  await row('H-00412').click()
  await page.getByRole('button', { name: /^Approve/ }).waitFor()
  const small = await page.locator('main button:visible, main a[href]:visible').evaluateAll((all) =>
    all.flatMap((one) => {
      const { width, height } = (one.closest('tr') ?? one).getBoundingClientRect()
      return height < 28 || width < 28 ? [`${one.textContent} ${width} x ${height}`] : []
    }),
  )
  expect(small).toEqual([])
  await page.emulateMedia({ forcedColors: 'active' })
  const outlines = await page
    .locator('[data-filter]')
    .evaluateAll((all) =>
      all.map((one) => [one.getAttribute('aria-pressed'), getComputedStyle(one).outlineStyle]),
    )
  expect(outlines.filter(([pressed]) => pressed === 'true')).toEqual([['true', 'solid']])
  expect(outlines.filter(([, style]) => style === 'solid')).toHaveLength(1)
})
