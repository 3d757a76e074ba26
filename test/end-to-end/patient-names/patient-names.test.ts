/**
 * A station is driven through success and each kind of failure with people whose names are unmistakable. Then whatever
 * leaves it, or is read by those who must not know them, is searched for them.
 */
import { stat } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StationProcess } from '../../station-process/start-station.ts'
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

  it('are in no message of the station', async () => {
    const messages = await allMessages(ask)
    expect(messages.length).toBeGreaterThan(20)
    expect(messages.filter(({ message }) => NAMING.test(message))).toEqual([])
  })

  it('are in no name of a file that goes to the service, and in no address', () => {
    const requests = fixture.service.journal.entries()
    const names = requests.flatMap(({ images }) => images.map(({ fileName }) => fileName))
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => NAMING.test(name))).toEqual([])
    expect(requests.map(({ path }) => path).filter((path) => NAMING.test(path))).toEqual([])
  })

  it('are in no name of a file on this computer, and in no file that others read', async () => {
    expect((await namesOfFiles(fixture.dataFolder)).filter((name) => NAMING.test(name))).toEqual([])
    const files = await readableFiles(fixture.dataFolder)
    expect([...files.keys()]).toEqual(expect.arrayContaining(['heartbeat.json']))
    const named = [...files].filter(([, text]) => NAMING.test(text)).map(([path]) => path)
    expect(named).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('lie in a folder that no other account can open', async () => {
    expect((await stat(fixture.dataFolder)).mode & 0o077).toBe(0)
  })

  it('are not in the diagnostics', async () => {
    const { text, fileName } = await station.value('station.diagnostics')
    expect(namedLines(`${fileName}\n${text}`)).toEqual([])
  })
})
