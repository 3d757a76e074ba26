/**
 * The whole way in a real browser: an export appears, the queue shows it, it is approved and sent, its report opens.
 *
 * The pictures that it takes go to `test-results/screens`, or where FUNDUS_COURIER_PICTURES says: the README's are
 * made with `FUNDUS_COURIER_PICTURES=docs/screens`.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportVisit, type ExportedVisit } from '../camera/export-visit.ts'
import { until, type StationProcess } from '../station-process/start-station.ts'
import { openTestBrowser, type TestBrowser } from './browser.ts'
import { hashesOf, quickFolder, setScene, type Scene } from './station-scene.ts'

const pictures = process.env['FUNDUS_COURIER_PICTURES'] ?? 'test-results/screens'
const opened: TestBrowser = await openTestBrowser()
// The packaged browser runs on every Linux; only elsewhere may one be missing, and then the summary says so.
if (opened.kind === 'absent' && process.platform === 'linux') throw new Error(opened.why)

describe.skipIf(opened.kind === 'absent')('the whole way in a browser', () => {
  let scene: Scene
  let station: StationProcess
  let browser: Browser
  let page: Page
  let visit: ExportedVisit
  const complaints: string[] = []

  /** A picture without the passing notices, which come and go by the clock. */
  const take = (name: string): Promise<unknown> =>
    page.screenshot({
      path: join(pictures, `${name}.png`),
      style: '.mantine-Notifications-root { display: none }',
    })
  const exportOne = (
    seed: number,
    changes: Partial<Parameters<typeof exportVisit>[0]> = {},
  ): Promise<ExportedVisit> =>
    exportVisit({
      folder: scene.camera,
      seed,
      visitDate: '2026-11-20',
      sidecar: 'first',
      width: 900,
      height: 750,
      ...changes,
    })

  beforeAll(async () => {
    await mkdir(pictures, { recursive: true })
    scene = await setScene()
    station = await scene.start({ folders: [quickFolder(scene.camera, { sendWithoutReview: false })] })
    if (opened.kind === 'absent') return
    browser = opened.browser
    page = await browser.newPage({ viewport: { width: 1_280, height: 800 }, colorScheme: 'light' })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto(station.screens)
  })
  afterAll(async () => {
    await browser.close()
    await scene.close()
  })

  it('keeps the token out of the address', async () => {
    await page.getByRole('heading', { name: 'Queue' }).waitFor()
    expect(page.url()).not.toContain(station.token)
  })

  it('shows an export soon after it appeared, without a reload', async () => {
    visit = await exportOne(3)
    await page
      .getByRole('row', { name: /H-00003/ })
      .getByText('Ready to check')
      .waitFor()
    await page
      .getByRole('img', { name: /Right eye/ })
      .first()
      .waitFor()
    // Others in other states, for the eye that looks at the pictures.
    await exportOne(4, { layout: 'nested', names: 'counter', sidecar: 'none' })
    await exportOne(5)
    await exportOne(6)
    await page
      .getByRole('row', { name: /H-00004/ })
      .getByText('Needs details')
      .waitFor()
    await page
      .getByRole('row', { name: /H-00006/ })
      .getByText('Ready to check')
      .waitFor()
    await page.getByRole('button', { name: /^Approve: H-00006/ }).click()
    await until('the approved case is sent', () => scene.service.cases().length === 1)
    await page.getByText(/^Last case sent/).waitFor()
    await page
      .getByRole('row', { name: /H-00006/ })
      .getByText('Report ready')
      .waitFor()
    await page.mouse.move(0, 0)
    await take('queue')
  })

  it('shows a case with its photographs, eyes and fields', async () => {
    await page.getByRole('link', { name: /^Open H-00003/ }).click()
    await page.getByRole('heading', { name: /H-00003/ }).waitFor()
    expect(await page.getByRole('textbox', { name: 'History number' }).inputValue()).toBe('H-00003')
    expect(
      await page
        .getByRole('group', { name: /^Right eye – OD: 2/ })
        .getByRole('article')
        .count(),
    ).toBe(2)
    expect(
      await page
        .getByRole('group', { name: /^Left eye – OS: 2/ })
        .getByRole('article')
        .count(),
    ).toBe(2)
    await page.waitForLoadState('networkidle')
    await take('case')
  })

  it('shows an eye beside the other, as large as the window', async () => {
    await page
      .getByRole('button', { name: /^Enlarge/ })
      .first()
      .click()
    const viewer = page.getByRole('dialog')
    await viewer.waitFor()
    await page.keyboard.press('s')
    await until('both eyes are drawn', async () => (await viewer.locator('canvas').count()) >= 2)
    await page.waitForLoadState('networkidle')
    await take('viewer')
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
  })

  it('sends it once it is approved, with the bytes that the camera wrote', async () => {
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await until('it is sent', () => scene.service.cases().length === 2)
    const sent = scene.service.journal
      .of('POST /cases')
      .find((entry) => entry.fields.some((field) => field.value === 'H-00003'))
    expect(hashesOf(sent?.images ?? [])).toEqual(hashesOf(visit.images))
  })

  it('shows it as sent only then, and its report when it has come', async () => {
    await page
      .getByRole('link', { name: /^Reports/ })
      .first()
      .click()
    const inbox = page.getByRole('navigation', { name: 'Reports that have come' })
    await inbox.getByRole('link', { name: /H-00003/ }).click()
    await page.locator('canvas').first().waitFor()
    await until('the first page is drawn', () =>
      page
        .locator('canvas')
        .first()
        .evaluate((canvas: HTMLCanvasElement) => {
          const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
          return pixels?.some((value) => value < 128) ?? false
        }),
    )
    await take('report')
    const { items } = await station.value('submissions.list', { search: 'H-00003' })
    expect(items.map((item) => [item.state, item.hasReport, item.confirmedAt !== null])).toEqual([
      ['sent', true, true],
    ])
  })

  it('lists the cases of the service beside our own', async () => {
    await page
      .getByRole('link', { name: /^Cases/ })
      .first()
      .click()
    await page.getByRole('row', { name: /H-00003/ }).waitFor()
    await take('cases')
  })

  it('tries the connection in three steps', async () => {
    await page
      .getByRole('link', { name: /^Settings/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'Service', exact: true }).click()
    await page.getByRole('button', { name: /Test connection/i }).click()
    await page
      .getByText(/centers? listed/i)
      .first()
      .waitFor()
    await take('settings')
  })

  it('is as readable in the dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page
      .getByRole('link', { name: /^Queue/ })
      .first()
      .click()
    await page.getByRole('row', { name: /H-00004/ }).waitFor()
    await take('queue-dark')
  })

  it('has made no complaint in the console', () => {
    expect(complaints).toEqual([])
  })
})
