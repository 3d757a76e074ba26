/**
 * A station is driven through success and each kind of failure with people whose names are unmistakable. Then whatever
 * leaves it, or is read by those who must not know them, is searched for one word of them.
 */
import { stat, symlink } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as faults from '../../practice-service/fault-catalogue.ts'
import type { Fault } from '../../practice-service/faults.ts'
import { until, type StationProcess } from '../../station-process/start-station.ts'
import { setScene, type Scene } from '../station-scene.ts'
import { allMessages, namedLines, namesOfFiles, readableFiles, type Ask } from './found-words.ts'
import { exportNamed, exportNamedRubbish, namedFields, TELLING } from './named-visit.ts'

const SAID = 'Quixwood, Zacarias zqx'

/** What strikes the delivery of one visit each. */
const STRIKES: readonly (readonly [string, Fault | null])[] = [
  ['nothing', null],
  ['a reset before the body', faults.resetBeforeBody()],
  ['a reset amid the body', faults.resetAmidBody(9_000)],
  ['a reset after the body', faults.resetAfterBody()],
  ['a swallowed answer', faults.swallowAnswer()],
  ['a cut answer', faults.cutAnswer()],
  ['a page with 500', faults.answerStatus(500, 'html')],
  ['a refusal', faults.answerStatus(422, 'json')],
  ['a refusal that names the patient', faults.failInEnvelope(SAID)],
  ['a success without an id', faults.succeedWithoutId()],
  ['a limit', faults.refuseAsTooLarge(5_000)],
  [
    'a redirect',
    faults.redirectTo(`https://elsewhere.example/?who=${encodeURIComponent(SAID)}`, 307, 'read'),
  ],
  ['a wait', faults.askToWait(503, 1)],
  ['rubbish', faults.answerStatus(200, 'garbage')],
]

describe('words of patients', () => {
  let scene: Scene
  let station: StationProcess
  const ask: Ask = (name, input) => station.ask(name, input)

  beforeAll(async () => {
    scene = await setScene()
    station = await scene.start()
    for (const [number, [what, fault]] of STRIKES.entries()) {
      if (fault) scene.service.faults.add('POST /cases', fault)
      const { historyNumber } = await exportNamed(scene.camera, number)
      await until(`an attempt after ${what}`, async () => {
        const { items } = await station.value('submissions.list', { search: historyNumber })
        return items.some(({ attempts, state }) => attempts > 0 && state !== 'sending')
      })
    }
    await exportNamedRubbish(scene.camera)
    await symlink(scene.camera, `${scene.camera}/Quixwood-loop`).catch(() => undefined)
    await until('the rubbish is told of', async () => {
      const { folders } = await station.value('station.status')
      return (folders[0]?.notes.length ?? 0) > 5
    })
    // What a screen or a script may ask wrongly, with somebody's name in it.
    const fields = namedFields(99)
    await ask('submissions.create', { fields, images: [{ path: `/nowhere/${SAID}.jpg` }] })
    await ask('submissions.create', { fields: { ...fields, age: SAID, od_iop: 7_000 }, images: [] })
    await ask('submissions.update', { id: SAID, fields: { last_name: 17 } })
    await ask('submissions.get', { id: SAID })
    await ask('folders.tryProfile', { path: `/nowhere/${SAID}` })
    await ask('cases.list', { search: SAID, refresh: true })
    await ask(SAID as never)
  }, 120_000)
  afterAll(() => scene?.close())

  it('were there to be found', async () => {
    const { total } = await station.value('submissions.list', { search: 'Quixwood' })
    expect(total).toBeGreaterThanOrEqual(STRIKES.length)
    const states = (await station.value('submissions.list', {})).items.map(({ state }) => state)
    expect([...new Set(states)]).toEqual(expect.arrayContaining(['sent', 'refused']))
    expect(station.log().length).toBeGreaterThan(1_000)
  })

  it('stand in no line of the log', () => {
    expect(namedLines(station.log())).toEqual([])
  })

  it('stand in no sentence of the station', async () => {
    const messages = await allMessages(ask)
    expect(messages.length).toBeGreaterThan(20)
    expect(messages.filter(({ message }) => TELLING.test(message))).toEqual([])
  })

  it('stand in no name of a file that goes to the service, and in no address', () => {
    const requests = scene.service.journal.entries()
    const names = requests.flatMap(({ images }) => images.map(({ fileName }) => fileName))
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => TELLING.test(name))).toEqual([])
    expect(requests.map(({ path }) => path).filter((path) => TELLING.test(path))).toEqual([])
  })

  it('stand in no name of a file on this computer, and in no file that others read', async () => {
    expect((await namesOfFiles(scene.dataFolder)).filter((name) => TELLING.test(name))).toEqual([])
    const files = await readableFiles(scene.dataFolder)
    expect([...files.keys()]).toEqual(expect.arrayContaining(['heartbeat.json']))
    const named = [...files].filter(([, text]) => TELLING.test(text)).map(([path]) => path)
    expect(named).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('lie in a folder that no other account can open', async () => {
    expect((await stat(scene.dataFolder)).mode & 0o077).toBe(0)
  })

  it('stand not in the diagnostics', async () => {
    const { text, fileName } = await station.value('station.diagnostics')
    expect(namedLines(`${fileName}\n${text}`)).toEqual([])
  })
})
