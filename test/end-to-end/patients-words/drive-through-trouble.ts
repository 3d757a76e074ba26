/** Drives a station through success and each kind of failure, with people whose names are unmistakable. */
import { symlink } from 'node:fs/promises'
import { calls } from '../../../src-shared/contract.ts'
import * as faults from '../../practice-service/faults.ts'
import type { Fault } from '../../practice-service/faults.ts'
import { until } from '../../station-process/start-station.ts'
import type { StationFixture } from '../station-fixture.ts'
import type { Ask } from './found-words.ts'
import { exportNamed, exportNamedRubbish, namedFields } from './named-visit.ts'

const SAID = 'Quixwood, Zacarias zqx'

/** What strikes the delivery of one visit each. */
export const STRIKES: readonly (readonly [string, Fault | null])[] = [
  ['nothing', null],
  ['a refusal that names the patient', faults.failInEnvelope(SAID)],
  ['a reset before the body', faults.resetBeforeBody()],
  ['a reset amid the body', faults.resetAmidBody(9_000)],
  ['a reset after the body', faults.resetAfterBody()],
  ['a swallowed answer', faults.swallowAnswer()],
  ['a cut answer', faults.cutAnswer()],
  ['a page with 500', faults.answerStatus(500, 'html')],
  ['a refusal', faults.answerStatus(422, 'json')],
  ['a success without an id', faults.succeedWithoutId()],
  ['a limit', faults.refuseAsTooLarge(5_000)],
  [
    'a redirect',
    faults.redirectTo(`https://elsewhere.example/?who=${encodeURIComponent(SAID)}`, 307, 'read'),
  ],
  ['a wait', faults.askToWait(503, 1)],
  ['rubbish', faults.answerStatus(200, 'garbage')],
]

export async function driveThroughTrouble(
  scene: StationFixture,
  ask: Ask,
  strikes: typeof STRIKES = STRIKES,
): Promise<void> {
  for (const [number, [what, fault]] of strikes.entries()) {
    if (fault) scene.service.faults.add('POST /cases', fault)
    const { historyNumber } = await exportNamed(scene.camera, number)
    await until(`an attempt after ${what}`, async () => {
      const answer = await ask('submissions.list', { search: historyNumber })
      const items = answer.ok ? calls['submissions.list'].output.parse(answer.value).items : []
      return items.some(({ attempts, state }) => attempts > 0 && state !== 'sending')
    })
  }
  await exportNamedRubbish(scene.camera)
  await symlink(scene.camera, `${scene.camera}/Quixwood-loop`).catch(() => undefined)
  await until('the rubbish is told of', async () => {
    const answer = await ask('station.status', {})
    const folders = answer.ok ? calls['station.status'].output.parse(answer.value).folders : []
    return (folders[0]?.notes.length ?? 0) > 5
  })
  await askWrongly(ask)
}

/** What a screen or a script may ask wrongly, with somebody's name in it. */
async function askWrongly(ask: Ask): Promise<void> {
  const fields = namedFields(99)
  await ask('submissions.create', { fields, images: [{ path: `/nowhere/${SAID}.jpg` }] })
  await ask('submissions.create', { fields: { ...fields, age: SAID, od_iop: 7_000 }, images: [] })
  await ask('submissions.update', { id: SAID, fields: { last_name: 17 } })
  await ask('submissions.get', { id: SAID })
  await ask('folders.tryProfile', { path: `/nowhere/${SAID}` })
  await ask('cases.list', { search: SAID, refresh: true })
  await ask(SAID as never)
}
