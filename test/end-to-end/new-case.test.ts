/** A case of files that are dropped on the screens of a real station, on each host: the bytes arrive at the service as they were. */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { drawFundus } from '../camera/draw-fundus.ts'
import { until } from '../station-process/start-station.ts'
import { dropFiles } from './screens/drop-files.ts'
import { describeHosts, type HostedStation } from './station-hosts.ts'
import { setFixtureFor, type StationFixture } from './station-fixture.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

async function photograph(name: string, eye: 'right' | 'left', seed: number) {
  const buffer = await drawFundus({ eye, seed, shot: 0, width: 600, height: 500 })
  return { name, mimeType: 'image/jpeg', buffer }
}

await describeHosts('a case by hand', (host, browser) => {
  let fixture: StationFixture<HostedStation>
  let page: Page

  beforeAll(async () => {
    fixture = await setFixtureFor((options) => host.start(options, browser))
    const station = await fixture.start({ folders: [] })
    page = await station.openPage()
  })
  afterAll(() => fixture.close())

  /** A station without a folder begins with its set-up. */
  const openQueue = async (): Promise<void> => {
    const queue = page.getByRole('link', { name: /^Queue/ }).first()
    await queue.click()
    await page.getByRole('link', { name: 'New case' }).waitFor()
  }

  it('goes from a drop on the queue to the service, byte by byte', async () => {
    const files = [
      await photograph('H-90001_OD_1.jpg', 'right', 7),
      await photograph('..\\..\\una visita \u00f1.jpg', 'left', 8),
    ]
    await openQueue()
    await dropFiles(page, files)
    const cards = page.getByRole('article')
    await expect.poll(() => cards.getByText(/on this station/).count()).toBe(2)
    // The eye of the first is read from its name by the station; the second says nothing.
    await cards
      .nth(1)
      .getByRole('button', { name: /is the Left eye/ })
      .click()
    await page.getByRole('textbox', { name: 'History number' }).fill('H-90001')
    await page.getByRole('textbox', { name: 'Visit date' }).fill('2026-11-20')
    await page.getByRole('button', { name: 'Make the case' }).click()
    await page.getByRole('heading', { name: /H-90001/ }).waitFor()
    await page.getByRole('group', { name: /^Right eye – OD: 1/ }).waitFor()
    await page.getByRole('group', { name: /^Left eye – OS: 1/ }).waitFor()
    // What was handed over has its copy in the spool now.
    expect(await readdir(join(fixture.dataFolder, 'incoming'))).toEqual([])
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await until('it is sent', () => fixture.service.cases().length === 1)
    const [sent] = fixture.service.journal.of('POST /cases')
    expect(sent?.images.map((image) => image.sha256).toSorted()).toEqual(
      files.map(({ buffer }) => sha256(buffer)).toSorted(),
    )
    expect(sent?.fields.find(({ name }) => name === 'history_number')?.value).toBe('H-90001')
  })
})
