/** The same people in the desktop app: nothing outside of its window may name one of them. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Desktop, RecordKind } from '../fake-electron/desktop.ts'
import { openDesktopBrowser, startDesktop } from '../fake-electron/start-desktop.ts'
import { configOf } from '../hardening/hardening-fixture.ts'
import { setFixture, type StationFixture } from '../station-fixture.ts'
import {
  driveThroughTrouble,
  namedLines,
  namesOfFiles,
  readableFiles,
  type Ask,
  NAMING,
  STRIKES,
} from './named-patients.ts'

const opened = await openDesktopBrowser()
// The packaged browser runs on every Linux; only elsewhere may one be missing, and then the summary says so.
if (opened.kind === 'absent' && process.platform === 'linux') throw new Error(opened.why)

/** What is seen without opening the window. */
const SEEN_BY_ALL: readonly RecordKind[] = [
  'notification',
  'tray',
  'overlay',
  'dialog',
  'applicationMenu',
  'loginItem',
]

describe.skipIf(opened.kind === 'absent')('names of patients in the desktop app', () => {
  let browser: Browser
  let fixture: StationFixture
  let desktop: Desktop
  const ask: Ask = (name, input) => desktop.call(name, input)

  beforeAll(async () => {
    if (opened.kind === 'open') browser = opened.browser
    fixture = await setFixture()
    desktop = await startDesktop({ browser, config: configOf(fixture) })
    await driveThroughTrouble(fixture, ask, STRIKES.slice(0, 4))
  }, 240_000)
  afterAll(async () => {
    await desktop?.kill()
    await browser.close()
    await fixture?.close()
  })

  it('are in no file of the log, and in none that others read', async () => {
    expect((await desktop.value('submissions.list', { search: 'Quixwood' })).total).toBeGreaterThan(3)
    const files = await readableFiles(desktop.dataFolder)
    const logs = [...files].filter(([path]) => path.endsWith('.log'))
    expect(logs.map(([, text]) => text).join('').length).toBeGreaterThan(500)
    expect([...files].filter(([, text]) => NAMING.test(text)).map(([path]) => path)).toEqual([])
    expect((await namesOfFiles(desktop.userData)).filter((name) => NAMING.test(name))).toEqual([])
    expect(namedLines(desktop.stderr())).toEqual([])
  })

  it('are in nothing that can be seen without its window', async (context) => {
    const kinds = SEEN_BY_ALL.filter((kind) => desktop.records(kind))
    if (kinds.length === 0) return context.skip('this host shows nothing')
    const seen = kinds.map((kind) => JSON.stringify(desktop.recorded(kind)))
    expect(seen.join('').length).toBeGreaterThan(200)
    expect(seen.filter((text) => NAMING.test(text))).toEqual([])
    const page = await desktop.page()
    expect(await page.title()).not.toMatch(NAMING)
  })

  it('are not in the diagnostics, which hold the latest lines of the log', async () => {
    const { text } = await desktop.value('station.diagnostics')
    expect(text).toContain('attempt ended')
    expect(namedLines(text)).toEqual([])
  })
})
