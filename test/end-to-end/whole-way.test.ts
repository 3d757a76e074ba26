/**
 * The whole way in a real browser, on each host: an export appears, the queue shows it, it is approved and sent, its
 * report opens.
 *
 * The long run takes pictures, too, into `test-results/screens`, as does any run into the folder of FUNDUS_COURIER_PICTURES: the
 * README's are made with `FUNDUS_COURIER_PICTURES=docs/screens`.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ExportedVisit, exportVisit } from '../camera/export-visit.ts'
import { until } from '../station-process/start-station.ts'
import { approveShown } from './browser.ts'
import { describeHosts, type HostedStation } from './station-hosts.ts'
import { hashesOf, quickFolder, setFixtureFor, type StationFixture } from './station-fixture.ts'
import { TODAY } from '../camera/today.ts'
import { isLongRun } from '../tools/long-run.ts'

const forPeople = process.env['FUNDUS_COURIER_PICTURES']
const takesPictures = isLongRun || forPeople !== undefined
const pictures = {
  headless: forPeople ?? 'test-results/screens',
  desktop: 'test-results/screens-of-desktop',
}
await describeHosts('the whole way', (host, browser) => {
  let fixture: StationFixture<HostedStation>
  let station: HostedStation
  let page: Page
  let visit: ExportedVisit

  /** A picture with every photograph drawn, and without the passing notices, which come and go by the clock. */
  const take = async (name: string): Promise<void> => {
    if (!takesPictures) return
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())))
    await page.screenshot({
      path: join(pictures[host.kind], `${name}.png`),
      style: '.mantine-Notifications-root { display: none }',
    })
  }
  const exportOne = (
    seed: number,
    changes: Partial<Parameters<typeof exportVisit>[0]> = {},
  ): Promise<ExportedVisit> =>
    exportVisit({
      folder: fixture.camera,
      seed,
      // A day far from the arrival of the files would ask for a person's look.
      visitDate: TODAY,
      sidecar: 'first',
      // Drawing them takes most of the time; large ones are for the pictures of the README.
      ...(forPeople && host.kind === 'headless' ? { width: 900, height: 750 } : { width: 300, height: 250 }),
      ...changes,
    })

  /** Others in other states, for the eye that looks at the pictures; one of them is sent. */
  const showOthers = async (): Promise<void> => {
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
    await page.getByRole('link', { name: /^Open H-00006/ }).click()
    await approveShown(page)
    await until('the approved case is sent', () => fixture.service.cases().length === 1)
    await page.getByText(/last sent/).waitFor()
    await page
      .getByRole('row', { name: /H-00006/ })
      .getByText('Report ready')
      .waitFor()
  }

  const openReport = async (): Promise<void> => {
    await page
      .getByRole('navigation', { name: 'Reports that have come' })
      .getByRole('link', { name: /H-00003/ })
      .click()
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
  }

  beforeAll(async () => {
    await mkdir(pictures[host.kind], { recursive: true })
    fixture = await setFixtureFor((options) => host.start(options, browser))
    station = await fixture.start({ folders: [quickFolder(fixture.camera, { sendWithoutReview: false })] })
    page = await station.openPage()
  })
  afterAll(async () => {
    await fixture.close()
  })

  it('keeps every secret out of the address', async () => {
    await page.getByRole('heading', { name: 'Queue' }).waitFor()
    expect(page.url()).not.toMatch(/token|secret/)
    for (const secret of station.secrets) expect(page.url()).not.toContain(secret)
  })

  it('shows an export soon after it appeared, without a reload', async () => {
    visit = await exportOne(3)
    await page
      .getByRole('row', { name: /H-00003/ })
      .getByText('Ready to check')
      .waitFor()
    await page
      .getByRole('button', { name: /^Enlarge .*right eye/i })
      .first()
      .waitFor()
    if (takesPictures) await showOthers()
    await page.mouse.move(0, 0)
    await take('queue')
  })

  it('shows a case with its photographs, eyes and fields', async () => {
    await page.getByRole('link', { name: /^Open H-00003/ }).click()
    await page.getByRole('heading', { name: /H-00003/ }).waitFor()
    await page.keyboard.press('e')
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
    await page.locator('article img').nth(3).waitFor()
    await take('case')
  })

  // The viewer has specs of its own in the long run.
  if (takesPictures)
    it('shows an eye beside the other, as large as the window', async () => {
      await page
        .getByRole('button', { name: /^Enlarge/ })
        .first()
        .click()
      const viewer = page.getByRole('dialog')
      await viewer.waitFor()
      // A key goes to the focus, which follows.
      await page.waitForFunction(() =>
        document.querySelector('[role="dialog"]')?.contains(document.activeElement),
      )
      await page.keyboard.press('s')
      await until('both eyes are drawn', async () => (await viewer.locator('canvas').count()) >= 2)
      await page.waitForLoadState('networkidle')
      await take('viewer')
      await page.keyboard.press('Escape')
      await viewer.waitFor({ state: 'detached' })
    })

  it('sends it once it is approved, with the bytes that the camera wrote', async () => {
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await until('it is sent', () => fixture.service.cases().length === (takesPictures ? 2 : 1))
    const sent = fixture.service.journal
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
    await inbox.getByRole('link', { name: /H-00003/ }).waitFor()
    if (takesPictures) await openReport()
    const item = await until('it is read back', async () => {
      const { items } = await station.value('submissions.list', { search: 'H-00003' })
      return items.find(({ confirmedAt }) => confirmedAt !== null)
    })
    expect([item.state, item.hasReport]).toEqual(['sent', true])
  })

  it('lists the cases of the service beside our own', async () => {
    await page
      .getByRole('link', { name: /^Cases/ })
      .first()
      .click()
    await page.getByRole('row', { name: /H-00003/ }).waitFor()
  })

  it('has made no complaint in the console', async () => {
    const messages = (await page.consoleMessages()).filter((message) => message.type() === 'error')
    expect(messages.map((message) => message.text())).toEqual([])
    expect((await page.pageErrors()).map((error) => error.message)).toEqual([])
  })
})
