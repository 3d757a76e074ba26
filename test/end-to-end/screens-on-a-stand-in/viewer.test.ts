import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { colourAt, placeAt, placeOf, rowOfColours, serveInstead, setChart } from './position-chart.ts'
import { setStage } from './stage.ts'
import { drawn, openChart, panes, pressed, settled, sharp } from './viewer-scene.ts'

const open = setStage()
const chart = setChart()

describe('one image', () => {
  it('shows at 1:1 each of its pixels once, and nothing between them', async (context) => {
    const stage = await open(context)
    const { page } = stage
    await openChart(stage, chart.served())
    await page.getByText('Not for diagnosis').waitFor()
    await page.keyboard.press('1')
    await page.getByText('100 %', { exact: true }).waitFor()
    await sharp(page, { x: 400, y: 400 })
    const places = (await rowOfColours(page, 400, 400, 300)).map(placeOf)
    const [first] = places
    expect(places).toEqual(places.map((_, index) => ({ x: (first?.x ?? 0) + index, y: first?.y })))
    await page.keyboard.press('0')
    await page.getByText(/^[234]\d %$/).waitFor()
    expect(stage.complaints).toEqual([])
    expect(stage.strangers).toEqual([])
  })

  it('is zoomed by the wheel around the point under the pointer', async (context) => {
    const stage = await open(context)
    const { page } = stage
    await openChart(stage, chart.served())
    await page.keyboard.press('1')
    await sharp(page, { x: 820, y: 320 })
    const before = await placeAt(page, 820, 320)
    await page.mouse.move(820, 320)
    for (let turn = 0; turn < 3; turn += 1) {
      await page.mouse.wheel(0, -120)
      await page.waitForTimeout(120)
    }
    await page.getByText(/^(1[5-9]|2)\d\d? %$/).waitFor()
    await settled(page)
    const after = await placeAt(page, 820, 320)
    expect(Math.abs(after.x - before.x)).toBeLessThanOrEqual(1)
    expect(Math.abs(after.y - before.y)).toBeLessThanOrEqual(1)
  })

  it('is panned by the arrow keys and by dragging', async (context) => {
    const stage = await open(context)
    const { page } = stage
    await openChart(stage, chart.served())
    await page.keyboard.press('1')
    await sharp(page, { x: 640, y: 400 })
    const before = await placeAt(page, 640, 400)
    await page.keyboard.press('ArrowRight')
    await sharp(page, { x: 640, y: 400 })
    const right = await placeAt(page, 640, 400)
    expect([right.x - before.x, right.y - before.y]).toEqual([60, 0])
    await page.mouse.move(640, 400)
    await page.mouse.down()
    await page.mouse.move(680, 380, { steps: 8 })
    await page.mouse.up()
    await sharp(page, { x: 640, y: 400 })
    const dragged = await placeAt(page, 640, 400)
    expect([dragged.x - right.x, dragged.y - right.y]).toEqual([-40, 20])
  })

  it('is shown red-free, inverted and brighter, and as it is again', async (context) => {
    const stage = await open(context)
    const { page } = stage
    await openChart(stage, chart.served())
    await page.keyboard.press('1')
    const [x, y] = [701, 391]
    await sharp(page, { x, y })
    const plain = await colourAt(page, x, y)
    const [red, green, blue] = plain
    await page.keyboard.press('g')
    expect(await pressed(page, 'Red-free')).toBe('true')
    expect(await colourAt(page, x, y)).toEqual([green, green, green])
    await page.keyboard.press('i')
    expect(await colourAt(page, x, y)).toEqual([255 - green, 255 - green, 255 - green])
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    expect(await colourAt(page, x, y)).toEqual(plain)
    for (const [name, level] of [
      ['Red', red],
      ['Blue', blue],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click()
      expect(await colourAt(page, x, y)).toEqual([level, level, level])
    }
    await page.getByRole('button', { name: 'Colour', exact: true }).click()
    for (const name of ['Brightness', 'Contrast', 'Gamma']) {
      await page.getByRole('slider', { name }).focus()
      for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight')
      expect(await colourAt(page, x, y), name).not.toEqual(plain)
      await page.keyboard.press('c')
      expect(await colourAt(page, x, y), name).toEqual(plain)
    }
  })

  it('says which eye it is by key only while it stands alone', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s5')
    await page.getByRole('button', { name: 'Enlarge OD_1.jpg' }).click()
    await drawn(page)
    const eyeOf = () => screens.standIn.submissions.get('s5')?.images[0]?.eye
    await page.keyboard.press('s')
    await drawn(page, 2)
    await page.keyboard.press('l')
    expect(await pressed(page, 'Link')).toBe('false')
    await page.keyboard.press('u')
    await page.keyboard.press('s')
    await panes(page).nth(1).waitFor({ state: 'detached' })
    expect(eyeOf()).toBe('right')
    await page.keyboard.press('l')
    await expect.poll(eyeOf).toBe('left')
    await expect.poll(() => panes(page).first().getAttribute('aria-label')).toMatch(/^Left eye/)
  })

  it('lets no key through the list of keys that lies over it', async (context) => {
    const { page, screens, goTo } = await open(context)
    await goTo('#/queue/s5')
    await page.getByRole('button', { name: 'Enlarge OD_1.jpg' }).click()
    await drawn(page)
    const eyeOf = () => screens.standIn.submissions.get('s5')?.images[0]?.eye
    await page.keyboard.press('F1')
    const list = page.getByRole('dialog', { name: 'Keyboard' })
    await list.getByText('Red-free').waitFor()
    await expect.poll(() => list.evaluate((one) => one.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('l')
    // Where nothing has the focus, too.
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    for (const key of ['u', 'g']) await page.keyboard.press(key)
    await list.getByRole('button', { name: 'Close' }).click()
    await list.waitFor({ state: 'detached' })
    expect([eyeOf(), await pressed(page, 'Red-free')]).toEqual(['right', 'false'])
    await page.keyboard.press('l')
    await expect.poll(eyeOf).toBe('left')
  })

  it('closes with Escape and gives the focus back, from a case and from a report', async (context) => {
    const { page, goTo } = await open(context)
    for (const hash of ['#/queue/s5', '#/reports/88390']) {
      await goTo(hash)
      const button = page.getByRole('button', { name: /^Enlarge .*OD_1\.jpg$/ })
      await button.focus()
      await page.keyboard.press('Enter')
      await drawn(page)
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SECTION')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
        .toMatch(/^Enlarge .*OD_1\.jpg$/)
    }
  })

  it('says in its place that it cannot be read or drawn', async (context) => {
    const { page, screens, goTo } = await open(context)
    const { station } = screens.standIn
    serveInstead(station, null, (id) => id === 'i5-1')
    const path = join(chart.folder(), 'no-image.jpg')
    await writeFile(path, 'no image')
    serveInstead(station, { path, contentType: 'image/jpeg', sizeBytes: 8 }, (id) => id === 'i5-2')
    await goTo('#/queue/s5')
    await page.getByRole('button', { name: 'Enlarge OD_1.jpg' }).click()
    await page.getByText('This image cannot be read now').waitFor()
    await page.keyboard.press(']')
    await page.getByText('This image cannot be shown here').waitFor()
    await page.keyboard.press(']')
    await drawn(page)
  })

  it('fills the screen by F', async (context) => {
    const { page, goTo } = await open(context)
    await goTo('#/queue/s5')
    await page.getByRole('button', { name: 'Enlarge OD_1.jpg' }).click()
    await drawn(page)
    await page.keyboard.press('f')
    await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
    await page.keyboard.press('f')
    await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(false)
  })
})
