/** A case of files that are dropped on the screens of a real station, on each host: the bytes arrive at the service as they were. */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { until } from '../station-process/start-station.ts'
import { dropFiles, photograph } from './screens/drop-files.ts'
import { describeHosts } from './station-hosts.ts'
import { setFixtureFor } from './station-fixture.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

await describeHosts('a case by hand', (host, browser) => {
  it('goes from a drop on the queue to the service, byte by byte', async () => {
    const fixture = await setFixtureFor((options) => host.start(options, browser))
    onTestFinished(() => fixture.close())
    const page = await (await fixture.start({ folders: [] })).openPage()
    const files = [
      await photograph('H-90001_OD_1.jpg', 'right'),
      await photograph('..\\..\\una visita \u00f1.jpg', 'left'),
    ]
    // A station without a folder begins with its set-up.
    await page
      .getByRole('link', { name: /^Queue/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'New case' }).waitFor()
    await dropFiles(page, files)
    const cards = page.getByRole('article')
    await expect.poll(() => cards.count()).toBe(2)
    // The eye of the first is read from its name by the station; the second says nothing.
    await page
      .getByRole('article', { name: /una visita/ })
      .getByRole('button', { name: /: Left eye/ })
      .click()
    await page.getByRole('textbox', { name: 'History number' }).fill('H-90001')
    await page.getByRole('textbox', { name: 'Visit date' }).fill('2026-11-20')
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
