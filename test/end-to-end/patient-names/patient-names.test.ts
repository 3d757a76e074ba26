/**
 * A station is driven through success and each kind of failure with people whose names are unmistakable. Then whatever
 * leaves it, or is read by those who must not know them, is searched for them.
 */
import { stat } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StationProcess } from '../../station-process/start-station.ts'
import type { Desktop, RecordKind } from '../fake-electron/desktop.ts'
import { describeDesktop, startDesktop } from '../fake-electron/start-desktop.ts'
import { configOf } from '../hardening/hardening-fixture.ts'
import { setFixture, type StationFixture } from '../station-fixture.ts'
import {
  driveThroughTrouble,
  allMessages,
  namedLines,
  namesOfFiles,
  readableFiles,
  type Ask,
  NAMING,
  STRIKES,
} from './named-patients.ts'

async function expectNoNameInFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  expect((await namesOfFiles(folder)).filter((name) => NAMING.test(name))).toEqual([])
  const files = await readableFiles(folder)
  expect([...files].filter(([, text]) => NAMING.test(text)).map(([path]) => path)).toEqual([])
  return files
}

describe('names of patients', () => {
  let fixture: StationFixture
  let station: StationProcess
  const ask: Ask = (name, input) => station.ask(name, input)

  beforeAll(async () => {
    fixture = await setFixture()
    station = await fixture.start()
    await driveThroughTrouble(fixture, ask)
  }, 240_000)
  afterAll(() => fixture?.close())

  it('were there to be found', async () => {
    const { total } = await station.value('submissions.list', { search: 'Quixwood' })
    expect(total).toBeGreaterThanOrEqual(STRIKES.length)
    const states = (await station.value('submissions.list', {})).items.map(({ state }) => state)
    expect([...new Set(states)]).toEqual(expect.arrayContaining(['sent', 'refused']))
    expect(station.log().length).toBeGreaterThan(1_000)
  })

  it('are in no line of the log', () => {
    expect(namedLines(station.log())).toEqual([])
  })

  it('are in no message of the station, but for the name of a file that its own case lacks', async () => {
    const messages = await allMessages(ask)
    expect(messages.length).toBeGreaterThan(20)
    const isNamingFile = ({ path, message }: (typeof messages)[number]): boolean =>
      path.endsWith('.reasons') && /image that cannot be read: \S+\.jpg\./.test(message)
    const naming = messages.filter(({ message }) => NAMING.test(message))
    expect(naming.filter((one) => !isNamingFile(one))).toEqual([])
  })

  it('are in no name of a file that goes to the service, and in no address', () => {
    const requests = fixture.service.journal.entries()
    const names = requests.flatMap(({ images }) => images.map(({ fileName }) => fileName))
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => NAMING.test(name))).toEqual([])
    expect(requests.map(({ path }) => path).filter((path) => NAMING.test(path))).toEqual([])
  })

  it('are in no name of a file on this computer, and in no file that others read', async () => {
    const files = await expectNoNameInFiles(fixture.dataFolder)
    expect([...files.keys()]).toContain('heartbeat.json')
  })

  it.skipIf(process.platform === 'win32')('lie in a folder that no other account can open', async () => {
    expect((await stat(fixture.dataFolder)).mode & 0o077).toBe(0)
  })

  it('are not in the diagnostics', async () => {
    const { text, fileName } = await station.value('station.diagnostics')
    expect(namedLines(`${fileName}\n${text}`)).toEqual([])
  })
})

/** What is seen without opening the window. */
const SEEN_BY_ALL: readonly RecordKind[] = ['notification', 'tray', 'dialog', 'applicationMenu', 'loginItem']

await describeDesktop('names of patients in the desktop app', (browser) => {
  let fixture: StationFixture
  let desktop: Desktop

  beforeAll(async () => {
    fixture = await setFixture()
    desktop = await startDesktop({ browser: browser(), config: configOf(fixture) })
    await driveThroughTrouble(fixture, (name, input) => desktop.call(name, input), STRIKES.slice(0, 4))
  }, 240_000)
  afterAll(async () => {
    await desktop?.kill()
    await fixture?.close()
  })

  it('are in no file of the log, and in none that others read', async () => {
    expect((await desktop.value('submissions.list', { search: 'Quixwood' })).total).toBeGreaterThan(3)
    // The account's folder holds the data, too.
    const files = await expectNoNameInFiles(desktop.userData)
    const logs = [...files].filter(([path]) => path.endsWith('.log'))
    expect(logs.map(([, text]) => text).join('').length).toBeGreaterThan(500)
    expect(namedLines(desktop.stderr())).toEqual([])
  })

  it('are in nothing that can be seen without its window', async () => {
    const seen = SEEN_BY_ALL.map((kind) => JSON.stringify(desktop.recorded(kind)))
    expect(seen.join('').length).toBeGreaterThan(200)
    expect(seen.filter((text) => NAMING.test(text))).toEqual([])
    expect(await (await desktop.page()).title()).not.toMatch(NAMING)
  })

  it('are not in the diagnostics, which hold the latest lines of the log', async () => {
    const { text } = await desktop.value('station.diagnostics')
    expect(text).toContain('attempt ended')
    expect(namedLines(text)).toEqual([])
  })
})
