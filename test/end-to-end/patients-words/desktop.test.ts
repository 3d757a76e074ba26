/** The same people in the desktop app: nothing that stands outside of its window may name one of them. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Desktop, RecordKind } from '../fake-electron/desktop.ts'
import { openDesktopBrowser, startDesktop } from '../fake-electron/start-desktop.ts'
import { configOf } from '../hardening/hardening-fixture.ts'
import { setFixture, type StationFixture } from '../station-fixture.ts'
import { driveThroughTrouble, STRIKES } from './drive-through-trouble.ts'
import { namedLines, namesOfFiles, readableFiles, type Ask } from './found-words.ts'
import { TELLING } from './named-visit.ts'

const opened = await openDesktopBrowser()
// The packaged browser runs on every Linux; only elsewhere may one be missing, and then the summary says so.
if (opened.kind === 'absent' && process.platform === 'linux') throw new Error(opened.why)

/** What is seen without opening the window, by whoever passes. */
const SEEN_BY_ALL: readonly RecordKind[] = [
  'notification',
  'tray',
  'overlay',
  'dialog',
  'applicationMenu',
  'loginItem',
]

describe.skipIf(opened.kind === 'absent')('words of patients in the desktop app', () => {
  let browser: Browser
  let scene: StationFixture
  let desktop: Desktop
  const ask: Ask = (name, input) => desktop.call(name, input)

  beforeAll(async () => {
    if (opened.kind === 'open') browser = opened.browser
    scene = await setFixture()
    desktop = await startDesktop({ browser, config: configOf(scene) })
    await driveThroughTrouble(scene, ask, STRIKES.slice(0, 4))
  }, 240_000)
  afterAll(async () => {
    await desktop?.kill()
    await browser.close()
    await scene?.close()
  })

  it('stand in no file of the log, and in none that others read', async () => {
    expect((await desktop.value('submissions.list', { search: 'Quixwood' })).total).toBeGreaterThan(3)
    const files = await readableFiles(desktop.dataFolder)
    const logs = [...files].filter(([path]) => path.endsWith('.log'))
    expect(logs.map(([, text]) => text).join('').length).toBeGreaterThan(500)
    expect([...files].filter(([, text]) => TELLING.test(text)).map(([path]) => path)).toEqual([])
    expect((await namesOfFiles(desktop.userData)).filter((name) => TELLING.test(name))).toEqual([])
    expect(namedLines(desktop.stderr())).toEqual([])
  })

  it('stand in nothing that can be seen without its window', async (context) => {
    const kinds = SEEN_BY_ALL.filter((kind) => desktop.records(kind))
    if (kinds.length === 0) return context.skip('this host tells nothing of what is seen')
    const seen = kinds.map((kind) => JSON.stringify(desktop.recorded(kind)))
    expect(seen.join('').length).toBeGreaterThan(200)
    expect(seen.filter((text) => TELLING.test(text))).toEqual([])
    const page = await desktop.page()
    expect(await page.title()).not.toMatch(TELLING)
  })

  it('stand not in the diagnostics, which hold the latest lines of the log', async () => {
    const { text } = await desktop.value('station.diagnostics')
    expect(text).toContain('attempt ended')
    expect(namedLines(text)).toEqual([])
  })
})
