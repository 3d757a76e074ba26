import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { placeAt, serveInstead, setChart } from './position-chart.ts'
import { setStage, type Stage } from './stage.ts'
import { drawn, openChart, panes, pressed, settled, sharp } from './viewer-scene.ts'

const open = setStage()
const chart = setChart()

/** A place on the left half and its mirror image on the right half, both well inside of a picture. */
const LEFT = { x: 300, y: 400 } as const
const RIGHT = { x: 980, y: 400 } as const

describe('two images', () => {
  async function openPair(stage: Stage): Promise<Page> {
    const { page } = stage
    await openChart(stage, chart.served())
    await page.keyboard.press('s')
    await drawn(page, 2)
    await page.keyboard.press('1')
    await settled(page)
    return page
  }
  async function drag(page: Page, from: { x: number; y: number }, x: number, y: number): Promise<void> {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + x, from.y + y, { steps: 8 })
    await page.mouse.up()
    await settled(page)
  }
  async function both(page: Page): Promise<number[]> {
    await sharp(page, LEFT)
    await sharp(page, RIGHT)
    const [left, right] = [await placeAt(page, LEFT.x, LEFT.y), await placeAt(page, RIGHT.x, RIGHT.y)]
    return [left.x, left.y, right.x, right.y]
  }
  async function movedBy(page: Page, act: () => Promise<unknown>): Promise<number[]> {
    const before = await both(page)
    await act()
    return (await both(page)).map((value, index) => value - (before[index] ?? 0))
  }

  it('stand with the right eye at the left, and move as mirror images until told otherwise', async (context) => {
    const page = await openPair(await open(context))
    expect(
      await panes(page).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')?.slice(0, 9))),
    ).toEqual(['Right eye', 'Left eye '])
    expect(await movedBy(page, () => drag(page, LEFT, 40, 30))).toEqual([-40, -30, 40, -30])
    expect(await movedBy(page, () => drag(page, RIGHT, 20, -10))).toEqual([20, 10, -20, 10])
    await page.keyboard.press('m')
    expect(await movedBy(page, () => drag(page, LEFT, -30, 0))).toEqual([30, 0, 30, 0])
    await page.keyboard.press('l')
    expect(await movedBy(page, () => drag(page, LEFT, 25, 0))).toEqual([-25, 0, 0, 0])
  })

  it('are zoomed together, and apart once they are not linked', async (context) => {
    const page = await openPair(await open(context))
    const scales = () => page.getByText(/^\d+ %$/).allTextContents()
    await page.mouse.move(LEFT.x, LEFT.y)
    await page.mouse.wheel(0, -120)
    await settled(page)
    expect(await scales()).toEqual(['125 %', '125 %'])
    // The second one comes to where the first one looks.
    await page.keyboard.press('s')
    await panes(page).nth(1).waitFor({ state: 'detached' })
    await page.keyboard.press('s')
    await drawn(page, 2)
    await settled(page)
    const [one, other] = await scales()
    expect(other).toBe(one)
    expect(Number.parseInt(one ?? '', 10)).toBeGreaterThan(60)
    await page.keyboard.press('1')
    await page.mouse.move(LEFT.x, LEFT.y + 1)
    await page.mouse.wheel(0, -120)
    await settled(page)
    expect(await scales()).toEqual(['125 %', '125 %'])
    await page.keyboard.press('l')
    await page.mouse.wheel(0, -120)
    await settled(page)
    expect(await scales()).toEqual(['156 %', '125 %'])
  })

  it('may be of one eye, which is not mirrored', async (context) => {
    const page = await openPair(await open(context))
    // The right pane is chosen by the keyboard and gets another image.
    await panes(page).nth(1).focus()
    await page.getByRole('button', { name: 'Show OD OD_2.jpg' }).click()
    await drawn(page, 2)
    expect(await panes(page).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).toEqual([
      expect.stringMatching(/^Right eye.*OD_1/),
      expect.stringMatching(/^Right eye.*OD_2/),
    ])
    expect(await pressed(page, 'Mirror')).toBe('false')
  })
})

describe('an earlier visit', () => {
  const EARLIER = { history_number: 'H-00412', visit_date: '2025-03-04' }

  it('stands beside this one with its day, same eye beside same eye, and never of another patient', async (context) => {
    const { page, screens, goTo } = await open(context)
    const { standIn } = screens
    const bytes = serveInstead(standIn.station, null, () => false)
    standIn.changeSubmission('s30', { fields: EARLIER })
    // Its number only holds the other one, and its visit is later: by a mere search it would come first.
    standIn.changeSubmission('s31', {
      fields: { ...EARLIER, history_number: 'H-004120', visit_date: '2026-10-01' },
    })
    await goTo('#/queue/s5')
    await page.getByRole('button', { name: 'Enlarge OD_1.jpg' }).click()
    await drawn(page)
    await page.keyboard.press('p')
    await drawn(page, 2)
    const labels = await panes(page).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    expect(labels).toEqual([
      expect.stringMatching(/^Right eye.*Earlier visit, 4 Mar 2025/),
      expect.stringMatching(/^Right eye.*This visit/),
    ])
    expect(bytes.asked.filter((id) => !/^i(5|30)-/.test(id))).toEqual([])
    expect(bytes.asked).toContain('i30-1')
    expect([await pressed(page, 'Link'), await pressed(page, 'Mirror')]).toEqual(['true', 'false'])
    // The other eye is asked for: the earlier visit shows its other eye, too.
    await page
      .getByRole('button', { name: /^Show OS/ })
      .first()
      .click()
    await expect
      .poll(() =>
        panes(page).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')?.slice(0, 8))),
      )
      .toEqual(['Left eye', 'Left eye'])
    standIn.changeSubmission('s30', { fields: { ...EARLIER, last_name: 'Else', first_name: 'Somebody' } })
    await page.keyboard.press('p')
    await page.keyboard.press('p')
    await page.getByText('The earlier case has another name').waitFor()
  })

  it('is said not to be there where only other patients have such numbers', async (context) => {
    const { page, screens, goTo } = await open(context)
    screens.standIn.changeSubmission('s31', { fields: { ...EARLIER, history_number: 'H-004120' } })
    await goTo('#/queue/s5')
    await page.getByRole('button', { name: 'Enlarge OD_1.jpg' }).click()
    await drawn(page)
    await page.keyboard.press('p')
    await page.getByText('This station has no earlier case with the history number H-00412.').waitFor()
    expect(await panes(page).count()).toBe(1)
  })
})
