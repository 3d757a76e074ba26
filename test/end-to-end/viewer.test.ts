import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it, type TestContext } from 'vitest'
import { openScreens, type Screens } from './screens/open-screens.ts'

const CHART = { width: 1_600, height: 1_200 } as const
/** The pictures cover it, one or two of them. */
const MIDDLE = { x: 240, y: 300, width: 800, height: 160 } as const
type Point = { readonly x: number; readonly y: number }
/** Both well inside of a picture when two of them are shown, and mirror images of each other. */
const LEFT: Point = { x: 300, y: 400 }
const RIGHT: Point = { x: 980, y: 400 }

let chart: Promise<Buffer> | null = null

/** A picture whose every pixel says its position: the low bits of x and y are red and green, the high ones blue. */
function positionChart(): Promise<Buffer> {
  const { width, height } = CHART
  const raw = Buffer.alloc(width * height * 3)
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      raw[at++] = x & 255
      raw[at++] = y & 255
      raw[at++] = (x >> 8) | ((y >> 8) << 4)
    }
  return sharp(raw, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

const panes = (page: Page) => page.getByRole('dialog').locator('section[tabindex="0"]')
const labels = (page: Page) =>
  panes(page).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))
const pressed = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed')

async function untilDrawn(page: Page, count = 1): Promise<void> {
  await expect.poll(() => page.locator('[data-state="drawn"]').count()).toBe(count)
}

/** The picture moves for a moment after every key and drag. */
async function untilStill(page: Page): Promise<void> {
  let before = ''
  await expect
    .poll(
      async () => {
        const now = (await page.screenshot({ clip: MIDDLE })).toString('base64')
        const isStill = now === before
        before = now
        return isStill
      },
      { interval: 100 },
    )
    .toBe(true)
}

/** The colours of a row of points of the screen, as a person sees them. */
async function coloursAt(page: Page, { x, y }: Point, width = 1): Promise<readonly number[][]> {
  const shot = await page.screenshot({ clip: { x, y, width, height: 1 } })
  const { data, info } = await sharp(shot).raw().toBuffer({ resolveWithObject: true })
  return Array.from({ length: width }, (_, index) => [
    ...data.subarray(index * info.channels, index * info.channels + 3),
  ])
}

/** The pixels of the chart there; only if nothing is smoothed, so at 1:1 and above. */
async function pixelsAt(page: Page, point: Point, width = 1): Promise<readonly Point[]> {
  const colours = await coloursAt(page, point, width)
  return colours.map(([red = 0, green = 0, blue = 0]) => ({
    x: red | ((blue & 15) << 8),
    y: green | ((blue >> 4) << 8),
  }))
}

/** The pixel there, once the chart is sharp: until its tiles have come, coarser ones are shown. */
async function pixelAt(page: Page, point: Point): Promise<Point> {
  await untilStill(page)
  let found: Point = { x: 0, y: 0 }
  await expect
    .poll(async () => {
      const [first = found, second, third] = await pixelsAt(page, point, 3)
      found = first
      return [(second?.x ?? 0) - first.x, (third?.x ?? 0) - first.x]
    })
    .toEqual([1, 2])
  return found
}

/** A case whose images are charts, the first of which is enlarged. */
async function openChart(context: TestContext, eyes: 'r' | 'rl' | 'rrl' = 'r'): Promise<Screens> {
  chart ??= positionChart()
  const drawn = await chart
  const bytes = Array.from({ length: eyes.length }, (_, index) => ({
    bytes: Buffer.concat([drawn, Buffer.from(String(index))]),
    contentType: 'image/png' as const,
  }))
  const screens = await openScreens(context, {
    cases: [{ who: 'H-00412', state: 'held', eyes, bytes }],
  })
  await screens.openCase('H-00412')
  await screens.page.getByRole('button', { name: 'Enlarge OD_1.png' }).click()
  await untilDrawn(screens.page)
  await screens.page.keyboard.press('1')
  return screens
}

async function drag(page: Page, from: Point, x: number, y: number): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + x, from.y + y, { steps: 8 })
  await page.mouse.up()
  await untilStill(page)
}

describe('one image', () => {
  it('shows at 1:1 each of its pixels once, is zoomed around the pointer, and moved by keys and dragging', async (context) => {
    const { page, complaints, strangers } = await openChart(context)
    await page.getByText('Not for diagnosis').waitFor()
    await page.getByText('100 %', { exact: true }).waitFor()
    const first = await pixelAt(page, { x: 400, y: 400 })
    expect(await pixelsAt(page, { x: 400, y: 400 }, 300)).toEqual(
      Array.from({ length: 300 }, (_, index) => ({ x: first.x + index, y: first.y })),
    )
    await page.keyboard.press('ArrowRight')
    const right = await pixelAt(page, { x: 400, y: 400 })
    expect([right.x - first.x, right.y - first.y]).toEqual([60, 0])
    await drag(page, { x: 400, y: 400 }, 40, -20)
    const dragged = await pixelAt(page, { x: 400, y: 400 })
    expect([dragged.x - right.x, dragged.y - right.y]).toEqual([-40, 20])
    const before = await pixelAt(page, { x: 820, y: 320 })
    await page.mouse.move(820, 320)
    await page.mouse.wheel(0, -120)
    await page.getByText('125 %', { exact: true }).waitFor()
    await untilStill(page)
    const [after = before] = await pixelsAt(page, { x: 820, y: 320 })
    expect(Math.max(Math.abs(after.x - before.x), Math.abs(after.y - before.y))).toBeLessThanOrEqual(1)
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] })
  })

  it('is shown red-free, inverted and brighter, and as it is again', async (context) => {
    const { page } = await openChart(context)
    const point = { x: 701, y: 391 }
    await pixelAt(page, point)
    const colour = async () => (await coloursAt(page, point))[0]
    const plain = await colour()
    const [, green = 0] = plain ?? []
    await page.keyboard.press('g')
    expect(await pressed(page, 'Red-free')).toBe('true')
    await expect.poll(colour).toEqual([green, green, green])
    await page.keyboard.press('i')
    await expect.poll(colour).toEqual([255 - green, 255 - green, 255 - green])
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    for (const name of ['Brightness', 'Contrast']) {
      await page.getByRole('slider', { name }).focus()
      for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight')
      await expect.poll(colour, { message: name }).not.toEqual(plain)
      await page.keyboard.press('c')
      await expect.poll(colour, { message: name }).toEqual(plain)
    }
  })

  it('takes its eye by key only while it stands alone and nothing lies over it, and gives the focus back', async (context) => {
    const { page, caseOf } = await openChart(context, 'rl')
    const eyeOf = async () =>
      (await caseOf('H-00412')).images.find(({ fileName }) => fileName.endsWith('OD_1.png'))?.eye
    await page.keyboard.press('F1')
    const keys = page.getByRole('dialog', { name: 'Keyboard' })
    await keys.getByText('Red-free').waitFor()
    for (const key of ['l', 'u', 'g']) await page.keyboard.press(key)
    await keys.getByRole('button', { name: 'Close' }).click()
    await keys.waitFor({ state: 'detached' })
    await page.keyboard.press('s')
    await untilDrawn(page, 2)
    await page.keyboard.press('u')
    await page.keyboard.press('s')
    await panes(page).nth(1).waitFor({ state: 'detached' })
    expect([await eyeOf(), await pressed(page, 'Red-free')]).toEqual(['right', 'false'])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''))
      .toMatch(/^Enlarge .*OD_1\.png$/)
    await page.keyboard.press('Enter')
    await untilDrawn(page, 1)
    await page.keyboard.press('l')
    await expect.poll(eyeOf).toBe('left')
  })
})

describe('two images', () => {
  it('stand with the right eye at the left, and move as mirror images until set otherwise', async (context) => {
    const { page } = await openChart(context, 'rrl')
    await page.keyboard.press('s')
    await untilDrawn(page, 2)
    await page.keyboard.press('1')
    expect((await labels(page)).map((label) => label.slice(0, 9))).toEqual(['Right eye', 'Left eye '])
    const both = async () => {
      const [left, right] = [await pixelAt(page, LEFT), await pixelAt(page, RIGHT)]
      return [left.x, left.y, right.x, right.y]
    }
    const movedBy = async (from: Point, x: number, y: number) => {
      const before = await both()
      await drag(page, from, x, y)
      return (await both()).map((value, index) => value - (before[index] ?? 0))
    }
    expect(await movedBy(LEFT, 40, 30)).toEqual([-40, -30, 40, -30])
    await page.keyboard.press('m')
    expect(await movedBy(LEFT, -30, 0)).toEqual([30, 0, 30, 0])
    await page.keyboard.press('k')
    expect(await movedBy(LEFT, 25, 0)).toEqual([-25, 0, 0, 0])
    // One of the same eye is not mirrored.
    await panes(page).nth(1).focus()
    await page.getByRole('button', { name: 'Show OD OD_2.png' }).click()
    await expect
      .poll(() => labels(page))
      .toEqual([expect.stringMatching(/^Right eye.*OD_1/), expect.stringMatching(/^Right eye.*OD_2/)])
    expect(await pressed(page, 'Mirror')).toBe('false')
  })
})

describe('an earlier visit', () => {
  it('is shown beside this one with its day, same eye beside same eye, and never of another patient', async (context) => {
    const { page, openCase, row } = await openScreens(context, {
      cases: [
        { who: 'H-00412', state: 'review' },
        { who: 'earlier', fields: { history_number: 'H-00412', visit_date: '2025-03-04' }, state: 'held' },
        // Its number only holds the other one, and its visit is later.
        { who: 'H-004120', fields: { visit_date: '2026-10-01' }, state: 'held' },
        { who: 'H-00413', state: 'held' },
      ],
    })
    await row('H-00413').waitFor()
    await openCase('H-00413')
    await page.getByRole('button', { name: 'Enlarge OD_1.jpg' }).click()
    await untilDrawn(page)
    await page.keyboard.press('v')
    await page.getByText('No earlier case with history number H-00413 on this station.').waitFor()
    await page.keyboard.press('Escape')
    await openCase('H-00412')
    await page.getByRole('button', { name: 'Enlarge OD_1.jpg' }).click()
    await untilDrawn(page)
    await page.keyboard.press('v')
    await untilDrawn(page, 2)
    expect(await labels(page)).toEqual([
      expect.stringMatching(/^Right eye.*Earlier visit, 4 Mar 2025/),
      expect.stringMatching(/^Right eye.*This visit/),
    ])
    await page
      .getByRole('button', { name: /^Show OS/ })
      .first()
      .click()
    await expect
      .poll(async () => (await labels(page)).map((label) => label.slice(0, 8)))
      .toEqual(['Left eye', 'Left eye'])
  })
})
