/**
 * The whole way in a real browser, on each host: an export appears, the queue shows it, it is approved and sent, its
 * report opens.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ExportedVisit, exportVisit } from '../camera/export-visit.ts'
import { until } from '../station-process/start-station.ts'
import { describeHosts, type HostedStation } from './station-hosts.ts'
import { hashesOf, quickFolder, setFixtureFor, type StationFixture } from './station-fixture.ts'
import { TODAY } from '../camera/today.ts'

await describeHosts('the whole way', (host, browser) => {
  let fixture: StationFixture<HostedStation>
  let station: HostedStation
  let page: Page
  let visit: ExportedVisit

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
      // Drawing them takes most of the time.
      width: 300,
      height: 250,
      ...changes,
    })

  beforeAll(async () => {
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
  })

  it('sends it once it is approved, with the bytes that the camera wrote', async () => {
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await until('it is sent', () => fixture.service.cases().length === 1)
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
