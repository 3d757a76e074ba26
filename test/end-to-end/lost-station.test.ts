/** A station that hangs, as on a machine that swaps or sleeps, on each host, and a connection that is cut: seen in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportVisit } from '../camera/export-visit.ts'
import { until } from '../station-process/start-station.ts'
import { describeHosts, type HostedStation } from './station-hosts.ts'
import { quickFolder, setFixtureFor, type StationFixture } from './station-fixture.ts'
import { TODAY } from '../camera/today.ts'

/** That it takes two seconds is proved of the link alone: here a whole browser shares the machine. */
const PATIENCE_MS = 20_000
const LOST = 'No connection to the station'

await describeHosts('a station that is lost for a while', (host, browser) => {
  let fixture: StationFixture<HostedStation>
  let station: HostedStation
  let page: Page
  let id: string

  beforeAll(async () => {
    fixture = await setFixtureFor((options) => host.start(options, browser))
    station = await fixture.start({ folders: [quickFolder(fixture.camera, { sendWithoutReview: false })] })
    await exportVisit({ folder: fixture.camera, seed: 1, visitDate: TODAY, sidecar: 'first' })
    id = await until('the visit is in the queue', async () => {
      const { items } = await station.value('submissions.list', { state: ['review', 'incomplete'] })
      return items[0]?.id
    })
    page = await station.openPage()
    await page.getByRole('table').waitFor()
  }, 120_000)
  afterAll(async () => {
    if (station && host.canHang) process.kill(station.pid, 'SIGCONT')
    await fixture?.close()
  })

  it('shows that it hangs, keeps what is typed, and heals without a reload', async (test) => {
    if (!host.canHang) return test.skip('its process cannot be stopped here while its screens stay')
    await page.evaluate((to) => {
      window.location.hash = `#/queue/${to}`
    }, id)
    const field = page.getByRole('textbox', { name: /^First name/ })
    await field.waitFor()
    const main = await page.getByRole('main').boundingBox()
    await page.evaluate(() => Object.assign(window, { isTheSamePage: true }))

    process.kill(station.pid, 'SIGSTOP')
    await page.getByTestId('banner').getByText(LOST).waitFor({ timeout: PATIENCE_MS })
    expect(await page.getByRole('main').boundingBox()).toEqual(main)
    await field.fill('Testa')
    await page.keyboard.press('Control+s')
    await page
      .getByText(/nothing was done/)
      .first()
      .waitFor({ timeout: PATIENCE_MS })
    expect(await field.inputValue()).toBe('Testa')

    process.kill(station.pid, 'SIGCONT')
    await page.getByTestId('banner').getByText(LOST).waitFor({ state: 'detached', timeout: PATIENCE_MS })
    expect(await field.inputValue()).toBe('Testa')
    await field.focus()
    await page.keyboard.press('Control+s')
    await until('what was typed is kept', async () => {
      const { fields } = await station.value('submissions.get', { id })
      return fields.first_name === 'Testa'
    })
    expect(await page.evaluate(() => 'isTheSamePage' in window)).toBe(true)
  }, 120_000)
})
