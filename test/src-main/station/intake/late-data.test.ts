import { afterEach, describe, expect, it } from 'vitest'
import { claim } from '../../../tools/outbox-with.ts'
import { intakeWith, type TestIntake } from './intake-with.ts'

const CASE = { history_number: 'H-00017', visit_date: '2026-11-20' }
const VISIT = 'H-00017_20261120'
const asBytes = (content: unknown): Uint8Array => Buffer.from(JSON.stringify(content))

let scene: TestIntake
afterEach(() => scene.intake.close())

/** What is told of files beside the images, and what stands in the activity of the case. */
const told = () => ({
  notes: scene.intake.status().flatMap(({ notes }) => notes.map(({ kind, message }) => ({ kind, message }))),
  activity: scene.test.outbox.listAudit({ what: ['dataCameLate'], limit: 10 }),
})

/** One visit whose sending has begun, with this beside its images. */
async function sending(given: object | null): Promise<string> {
  scene = intakeWith({ sendWithoutReview: true })
  await scene.watch()
  const names = [`${VISIT}/${VISIT}_OD_1.png`, `${VISIT}/${VISIT}_OS_1.png`]
  for (const name of names) await scene.write(name)
  if (given !== null) {
    await scene.write(`${VISIT}/case.json`, asBytes({ ...CASE, ...given }))
    await scene.see(`${VISIT}/case.json`)
  }
  await scene.see(...names)
  await scene.quiet()
  const [submission] = scene.all()
  expect(submission?.state).toBe('waiting')
  claim(scene.test, submission?.id ?? '')
  return submission?.id ?? ''
}

async function afterwards(path: string, bytes: Uint8Array): Promise<void> {
  await scene.write(path, bytes)
  await scene.see(path)
}

describe('data that come when the sending of their case has begun', () => {
  it('change nothing, and are told with the case and with what they say otherwise', async () => {
    const id = await sending({ od_iop: 14 })
    const before = scene.test.outbox.submissionOf(id)
    await afterwards(`${VISIT}/case.json`, asBytes({ ...CASE, od_iop: 15, os_va: 0.8 }))
    expect(scene.test.outbox.submissionOf(id)).toEqual(before)
    expect(told().notes).toEqual([
      {
        kind: 'dataCameLate',
        message: `It came when the sending of ${before?.reference} had begun already, and says something else: OD IOP, OS visual acuity. Nothing was changed there. Compare it with the case, and enter what is missing there or tell the reading service.`,
      },
    ])
    expect(told().activity).toMatchObject([
      { submissionId: id, by: null, details: { fields: ['od_iop', 'os_va'] } },
    ])
  })

  it('are told of a case that had none, by folder, by file and by patient and day', async () => {
    for (const [path, content] of [
      [`${VISIT}/case.json`, JSON.stringify({ ...CASE, od_iop: 15 })],
      ['values.csv', `file,od_iop\n${VISIT}/${VISIT}_OD_1.png,15\n`],
      ['values.csv', 'history_number,visit_date,od_iop\nH-00017,2026-11-20,15\n'],
    ] as const) {
      const id = await sending(null)
      await afterwards(path, Buffer.from(content))
      expect(
        told().activity.map(({ submissionId }) => submissionId),
        content,
      ).toEqual([id])
    }
  })

  it.each([
    ['say the same', { ...CASE, od_iop: 14 }],
    ['are of the next patient', { ...CASE, history_number: 'H-00018', od_iop: 20 }],
    ['are of another day', { ...CASE, visit_date: '2026-11-21', od_iop: 20 }],
  ])('are nothing to tell where they %s', async (_what, later) => {
    await sending({ od_iop: 14 })
    await afterwards(`${VISIT}/case.json`, asBytes({ note: 'written anew', ...later }))
    expect(told()).toEqual({ notes: [], activity: [] })
  })

  it('are nothing to tell where a person has decided what they say, or they are of a patient on no day', async () => {
    const id = await sending({ od_iop: 14 })
    const { fields, sources, reasons } = scene.test.outbox.submissionOf(id) ?? {}
    scene.test.outbox.setContent(
      id,
      {
        fields: { ...fields, od_iop: 18 },
        sources: { ...sources, od_iop: 'person' },
        reasons: reasons ?? [],
      },
      0,
    )
    await afterwards(`${VISIT}/case.json`, asBytes({ ...CASE, od_iop: 15 }))
    await afterwards('ages.csv', Buffer.from('history_number,age\nH-00017,71\n'))
    expect(told()).toEqual({ notes: [], activity: [] })
  })
})
