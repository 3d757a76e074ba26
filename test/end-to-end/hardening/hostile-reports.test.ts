/** A report is a stranger's page: on both hosts it may be looked at, and can do nothing else. */
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { exportVisit } from '../../camera/export-visit.ts'
import { bytesAnswer } from '../../practice-service/answers.ts'
import { until } from '../../station-process/start-station.ts'
import { openDesktopBrowser, startDesktop } from '../fake-electron/start-desktop.ts'
import { setScene, type Scene } from '../station-scene.ts'
import { openBeacon, type Beacon } from './beacon.ts'
import { configOf } from './desktop-config.ts'
import { hostilePage } from './hostile-page.ts'
import { tryReport } from './try-report.ts'

const opened = await openDesktopBrowser()
// The packaged browser runs on every Linux; only elsewhere may one be missing, and then the summary says so.
if (opened.kind === 'absent' && process.platform === 'linux') throw new Error(opened.why)

describe.skipIf(opened.kind === 'absent')('a hostile report', () => {
  let browser: Browser
  let scene: Scene
  let beacon: Beacon
  let visits = 40

  beforeAll(async () => {
    if (opened.kind === 'open') browser = opened.browser
    beacon = await openBeacon()
    scene = await setScene({ reportDelayMs: 0 })
    const page = Buffer.from(hostilePage(beacon.origin))
    const answer = bytesAnswer(200, 'text/html; charset=utf-8', page)
    scene.service.faults.add(
      'GET /cases/report/{id}',
      { name: 'a hostile report', moment: 'read', act: { kind: 'answer', answer } },
      { times: 'always' },
    )
  })
  afterAll(async () => {
    await browser.close()
    await scene.close()
    await beacon.close()
  })

  /** The id of the case whose report has come. */
  async function reported(list: () => Promise<{ readonly items: readonly { readonly caseId: string }[] }>) {
    const { sidecarPath } = await exportVisit({
      folder: scene.camera,
      seed: (visits += 1),
      visitDate: '2026-11-20',
      sidecar: 'first',
      width: 320,
      height: 240,
    })
    // The next station would take it, too.
    onTestFinished(() => rm(join(scene.camera, dirname(sidecarPath ?? '')), { recursive: true }))
    return until('the report has come', async () => (await list()).items[0]?.caseId)
  }

  it('touches nothing in a browser before the headless host', async () => {
    const station = await scene.start()
    // The next station may watch the folder only once this one has let go of it.
    onTestFinished(() => station.stop().then(() => undefined))
    const caseId = await reported(() => station.value('reports.list'))
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    await page.goto(station.screens)
    const tried = await tryReport(page, caseId)
    expect(tried.changes).toEqual([])
    expect(tried.clicked).toBeGreaterThan(10)
    expect(beacon.touched).toEqual([])
  })

  it('touches nothing in the window of the desktop app, and opens nothing outside of it', async () => {
    const desktop = await startDesktop({ browser, config: configOf(scene) })
    onTestFinished(() => desktop.kill())
    const caseId = await reported(() => desktop.value('reports.list'))
    const page: Page = await desktop.page()
    const tried = await tryReport(page, caseId)
    expect(tried.changes).toEqual([])
    expect(tried.clicked).toBeGreaterThan(10)
    expect(beacon.touched).toEqual([])
    if (desktop.records('openExternal')) expect(desktop.recorded('openExternal')).toEqual([])
    if (desktop.records('navigation'))
      expect(desktop.recorded('navigation').filter(({ isPrevented }) => !isPrevented)).toEqual([])
  })

  it('would touch it, were it shown without care', async () => {
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    // Without leaving by itself, which could come before all else was asked for.
    const staying = hostilePage(beacon.origin).replaceAll(/<meta http-equiv="refresh"[^>]*>/g, '')
    await page.setContent(staying).catch(() => undefined)
    await expect.poll(() => beacon.touched.length).toBeGreaterThan(10)
  })
})
