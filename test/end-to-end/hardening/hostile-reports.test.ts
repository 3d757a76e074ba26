/** A report is a foreign page: on both hosts it can be read, and can do nothing else. */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { dirname, join } from 'node:path'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { bytesAnswer } from '../../practice-service/answers.ts'
import { until } from '../../station-process/start-station.ts'
import { describeDesktop, startDesktop } from '../fake-electron/start-desktop.ts'
import { exportSmallVisit, setFixture, type StationFixture } from '../station-fixture.ts'
import { type Beacon, configOf, openBeacon } from './hardening-fixture.ts'
import { hostilePage } from './hostile-page.ts'

/** A connection that a page opens ahead of a request comes some moments after it was drawn. */
const SETTLE_MS = 400
const END = 'The end of the hostile report'
const CLICKABLE = 'a, button, input, summary, text'

async function showReport(page: Page, caseId: string): Promise<FrameLocator> {
  const goTo = (hash: string) => page.evaluate((to) => void (window.location.hash = to), hash)
  await goTo('#/queue')
  await page.getByRole('heading', { name: 'Queue' }).waitFor()
  await goTo(`#/reports/${caseId}`)
  const frame = page.frameLocator('iframe[title="Report page"]')
  await frame.getByText(END).waitFor()
  return frame
}

/** Shows the report to a person who clicks on everything in it. `changes` is all that the window is or has afterwards. */
async function tryReport(page: Page, caseId: string) {
  const changes: string[] = []
  page.on('download', (download) => {
    changes.push('a download')
    void download.cancel().catch(() => undefined)
  })
  page.on('dialog', (dialog) => {
    changes.push('a dialog')
    void dialog.dismiss().catch(() => undefined)
  })
  page.context().on('page', () => changes.push('another page'))
  await page.evaluate(() =>
    window.addEventListener('message', ({ data }) => {
      if (String(data).startsWith('hacked')) Object.assign(window, { hacked: data })
    }),
  )
  const title = await page.title()

  const frame = await showReport(page, caseId)
  await sleep(SETTLE_MS)
  // The browser of the tests opens no connection ahead of a request, Electron does: so nothing may ask for one.
  const left = await frame.locator('a[href], base, embed, iframe, link, object, script').count()
  if (left > 0) changes.push(`${left} elements that lead or connect elsewhere`)
  const clicked = await frame.locator(CLICKABLE).count()
  for (let index = 0; index < clicked; index += 1) {
    const button = index % 3 === 2 ? 'middle' : 'left'
    const one = frame.locator(CLICKABLE).nth(index)
    // What cannot be clicked does no harm; a report that went elsewhere is opened again.
    await one.click({ force: true, noWaitAfter: true, timeout: 1_000, button }).catch(() => undefined)
    if ((await frame.getByText(END).count()) > 0) continue
    changes.push(`the report, by element ${index}`)
    await showReport(page, caseId)
  }
  await page.getByRole('button', { name: 'Print' }).click()
  // The frame that is printed is made once its bytes have come, and is empty at first.
  await page.locator('body > iframe').contentFrame().getByText(END).first().waitFor({ state: 'attached' })
  await sleep(SETTLE_MS)

  const after = await page.evaluate(() => ({
    hash: window.location.hash,
    hacked: 'hacked' in window,
    ran: [...document.querySelectorAll('iframe')].flatMap(
      (one) => one.contentDocument?.documentElement.dataset['ran'] ?? [],
    ),
  }))
  if (after.hash !== `#/reports/${caseId}`) changes.push(`the address ${after.hash}`)
  if (after.hacked) changes.push('something of the window')
  if ((await page.title()) !== title) changes.push('the title')
  return { clicked, changes: [...changes, ...after.ran.map((how) => `a script that ran: ${how}`)] }
}

await describeDesktop('a hostile report', (browser) => {
  let fixture: StationFixture
  let beacon: Beacon
  let visits = 40

  beforeAll(async () => {
    beacon = await openBeacon()
    fixture = await setFixture({ reportDelayMs: 0 })
    const page = Buffer.from(hostilePage(beacon.origin))
    const answer = bytesAnswer(200, 'text/html; charset=utf-8', page)
    fixture.service.faults.add(
      'GET /cases/report/{id}',
      { name: 'a hostile report', moment: 'read', act: { kind: 'answer', answer } },
      { times: 'always' },
    )
  })
  afterAll(async () => {
    await fixture.close()
    await beacon.close()
  })

  /** The id of the case whose report has come. */
  async function reported(list: () => Promise<{ readonly items: readonly { readonly caseId: string }[] }>) {
    visits += 1
    const { sidecarPath } = await exportSmallVisit(fixture.camera, visits)
    // The next station would ingest it, too.
    onTestFinished(() => rmSync(join(fixture.camera, dirname(sidecarPath ?? '')), { recursive: true }))
    return until('the report has come', async () => (await list()).items[0]?.caseId)
  }

  async function expectNoEffect(page: Page, caseId: string): Promise<void> {
    const { changes, clicked } = await tryReport(page, caseId)
    expect(changes).toEqual([])
    expect(clicked).toBeGreaterThan(10)
    expect(beacon.touched).toEqual([])
  }

  it('touches nothing in a browser before the headless host', async () => {
    const station = await fixture.start()
    // The next station may watch the folder only once this one has released it.
    onTestFinished(() => station.stop().then(() => undefined))
    const caseId = await reported(() => station.value('reports.list'))
    const page = await browser().newPage()
    onTestFinished(() => page.close())
    await page.goto(station.screens)
    await expectNoEffect(page, caseId)
  })

  it('touches nothing in the window of the desktop app, and opens nothing outside of it', async () => {
    const desktop = await startDesktop({ browser: browser(), config: configOf(fixture) })
    onTestFinished(() => desktop.kill())
    const caseId = await reported(() => desktop.value('reports.list'))
    await expectNoEffect(await desktop.page(), caseId)
    expect(desktop.recorded('openExternal')).toEqual([])
    expect(desktop.recorded('navigation').filter(({ isPrevented }) => !isPrevented)).toEqual([])
  })

  it('would touch it, were it shown without care', async () => {
    const page = await browser().newPage()
    onTestFinished(() => page.close())
    // Without the refresh, which could come before all else was requested.
    const staying = hostilePage(beacon.origin).replaceAll(/<meta http-equiv="refresh"[^>]*>/g, '')
    await page.setContent(staying).catch(() => undefined)
    await expect.poll(() => beacon.touched.length).toBeGreaterThan(10)
  })
})
