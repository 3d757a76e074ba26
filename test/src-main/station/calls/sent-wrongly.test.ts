/** A case that was sent wrongly: the note, its alarm, the call to the service, and the case that corrects it. */
import { describe, expect, it } from 'vitest'
import { correctedFrom } from '../../../../src-main/station/calls/sent-wrongly.ts'
import { SUBMISSION_STATES } from '../../../../src-shared/states.ts'
import type { Image, SentWrongly, SubmissionDetails } from '../../../../src-shared/submission.ts'
import { SERVICE, stateOf } from '../../../tools/outbox-with.ts'
import { reportVersion } from '../outbox/case-in.ts'
import {
  addCase,
  addEye,
  caseIn,
  COMPLETE,
  endAttempt,
  partsWith,
  type TestParts,
  trailOf,
} from './parts-with.ts'

const WRONG = { because: 'patient', right: 'H-2', by: 'AB' } as const
const note = (test: TestParts, id: string, input: object = WRONG) =>
  test.call('submissions.noteSentWrongly', { id, ...input })
const callService = (test: TestParts, id: string) =>
  note(test, id, { ...WRONG, call: { spokenTo: 'Ms Sample', at: 5 }, by: 'CD' })
const alarmsOf = (test: TestParts) => test.outbox.openAlarms().map(({ kind }) => kind)

async function correct(test: TestParts, id: string): Promise<SubmissionDetails> {
  const made = await test.call('submissions.correct', { id, by: 'AB' })
  if (!made.ok) throw new Error(made.failure.message)
  return made.value
}

describe('a case that was sent wrongly', () => {
  it('stays sent as it was, and red until the service was called', async () => {
    const { test, id } = await caseIn('sent')
    const before = test.outbox.rowOf(id)
    expect(await note(test, id)).toMatchObject({
      value: { state: 'sent', sentWrongly: { ...WRONG, call: null }, replacedBy: null },
    })
    const [alarm] = test.outbox.openAlarms()
    expect(alarm).toMatchObject({ kind: 'sentWrongly', submissionId: id, caseIds: [id] })
    expect(test.done).toContain('status')
    const settled = await test.call('station.settleAlarm', { id: alarm?.id, by: 'AB' })
    expect(settled).toMatchObject({ failure: { kind: 'notAllowed' } })
    expect(alarmsOf(test)).toEqual(['sentWrongly'])

    expect(await callService(test, id)).toMatchObject({
      value: { sentWrongly: { because: 'patient', call: { spokenTo: 'Ms Sample', at: 5, by: 'CD' } } },
    })
    expect(alarmsOf(test)).toEqual([])
    const { sent_wrongly: _note, changed_at: _at, ...after } = test.outbox.rowOf(id) ?? {}
    expect(before).toMatchObject(after)
    expect(test.service.asked).toEqual([])
    expect(
      trailOf(test, id)
        .slice(0, 4)
        .map(({ what, by }) => `${what} ${String(by)}`),
    ).toEqual(['serviceCalled CD', 'alarmSettled CD', 'sentWrongly AB', 'alarmRaised null'])
    for (const again of [await callService(test, id), await note(test, id)])
      expect(again).toMatchObject({ failure: { kind: 'notAllowed' } })
  })

  it('is one that was sent, and nothing else', async () => {
    const test = await partsWith()
    for (const state of SUBMISSION_STATES.filter((one) => one !== 'sent')) {
      const id = addCase(test, state)
      const before = test.outbox.rowOf(id)
      expect(await note(test, id), state).toMatchObject({ failure: { kind: 'notAllowed' } })
      expect(test.outbox.rowOf(id), state).toEqual(before)
    }
    expect(alarmsOf(test)).toEqual([])
  })

  it('needs initials, and of a wrong day a real one', async () => {
    const { test, id } = await caseIn('sent')
    for (const wrong of [{ because: 'patient' }, { because: 'day', right: '2026-02-30', by: 'AB' }])
      expect(await note(test, id, wrong)).toMatchObject({ failure: { kind: 'badRequest' } })
    expect(alarmsOf(test)).toEqual([])
  })

  it('may turn out to be right, and wrong again', async () => {
    const { test, id } = await caseIn('sent')
    await note(test, id)
    const takeBack = () => note(test, id, { because: null, by: 'AB' })
    expect(await takeBack()).toMatchObject({ value: { sentWrongly: null } })
    expect(alarmsOf(test)).toEqual([])
    await test.clock.turn(1_000)
    await note(test, id)
    expect(alarmsOf(test)).toEqual(['sentWrongly'])
    await correct(test, id)
    expect(await takeBack()).toMatchObject({ failure: { kind: 'notAllowed' } })
  })

  it('bands its report, in the list and when it is read', async () => {
    const { test, id } = await caseIn('sent')
    test.outbox.watchReport({
      submissionId: id,
      caseId: id,
      destination: { ...SERVICE, centerId: null },
      at: 0,
    })
    test.outbox.saveReportVersion(reportVersion(id, id, { kind: 'pdf' }))
    const banded = async () => [
      test.outbox.listReports()[0]?.sentWrongly,
      await test.call('reports.get', { caseId: id }),
    ]
    expect(await banded()).toMatchObject([undefined, { ok: true }])
    await note(test, id)
    expect(await banded()).toMatchObject(['patient', { value: { sentWrongly: 'patient' } }])
    expect(test.done).toContain('wake reports')
  })
})

describe('what was learnt from a case that was sent wrongly', () => {
  it.each([
    ['is of no patient any more if that was wrong', 'patient', 0],
    ['is of its patient still if the day was wrong', 'day', 1],
  ] as const)('%s', async (_what, because, count) => {
    const { test, id } = await caseIn('sent')
    const query = { folderPath: '/exports', prefix: '["patient",', number: 'H-1', bare: '1', exceptId: '' }
    expect(test.outbox.casesOfPatient(query)).toHaveLength(1)
    await note(test, id, { because, by: 'AB' })
    expect(test.outbox.casesOfPatient(query)).toHaveLength(count)
  })

  it('leaves the visits from which names are learnt', async () => {
    const { test, id } = await caseIn('review')
    const { digest = '' } = test.outbox.submissionOf(id) ?? {}
    await test.call('submissions.approve', { ids: [id], seen: { [id]: digest } })
    endAttempt(test, id, 'delivered', 'deliveredNow', null)
    const approved = () => test.outbox.approvedOnScreens('/exports', 9).length
    expect(approved()).toBe(1)
    await note(test, id, { because: 'eye', by: 'AB' })
    expect(approved()).toBe(0)
  })
})

describe('the corrected case', () => {
  it('has the images of the wrong one, names it, and goes to a person who approves it', async () => {
    const test = await partsWith()
    const id = addCase(test, 'sent', { images: ['a/OD.jpg'] })
    const other = addEye(test, id, { fileName: 'a/OS.jpg', eye: 'left' })
    test.outbox.setExcluded(addEye(test, id), 'Blurred')
    const before = test.outbox.imageRowsOf(id)
    await note(test, id)
    const made = await correct(test, id)
    expect(made).toMatchObject({
      state: 'incomplete',
      isByHand: true,
      fields: { history_number: 'H-2', visit_date: COMPLETE.visit_date },
      reasons: [{ kind: 'looksLikeDuplicate' }],
      replaces: { id, caseId: id },
      images: [
        { fileName: 'OD.jpg', eye: 'right', eyeSource: 'person' },
        { fileName: 'OS.jpg', eye: 'left', eyeSource: 'person' },
      ],
    })
    expect(test.outbox.imageRowsOf(id)).toEqual(before)
    expect(made.images[1]?.sha256).toBe(test.outbox.imageById(other)?.sha256)
    expect(test.outbox.detailsOf(id)).toMatchObject({ state: 'sent', replacedBy: { id: made.id } })
    expect(await test.call('submissions.correct', { id, by: 'AB' })).toMatchObject({ ok: false })
    expect(trailOf(test, id)[0]).toMatchObject({ what: 'corrected', by: 'AB' })
    expect(trailOf(test, made.id).map(({ what }) => what)).toContain('corrected')
    await test.call('submissions.approve', { ids: [made.id], seen: { [made.id]: made.digest } })
    expect(stateOf(test, made.id)).toBe('waiting')
  })

  it('keeps its bytes when those of the wrong one are removed', async () => {
    const { test, id } = await caseIn('sent')
    test.outbox.setConfirmed(id, 1)
    await note(test, id)
    const made = await correct(test, id)
    await callService(test, id)
    const at = test.clock.now()
    expect(test.outbox.removeImagesOf(id, { confirmedBefore: at, at })).toBe(1)
    const [image] = test.outbox.imageRowsOf(made.id)
    expect(test.outbox.isSpoolFileNeeded(image?.spool_name ?? '')).toBe(true)
    await test.call('submissions.discard', { ids: [made.id] })
    expect(await test.call('submissions.correct', { id, by: 'AB' })).toMatchObject({ ok: false })
  })

  it('asks if it is given the number of the wrong patient', async () => {
    const { test, id } = await caseIn('sent')
    await note(test, id, { ...WRONG, right: '' })
    const made = await correct(test, id)
    expect(made.fields).toEqual({ visit_date: COMPLETE.visit_date })
    const fields = { history_number: COMPLETE.history_number }
    await test.call('submissions.update', { id: made.id, fields })
    expect(test.outbox.submissionOf(made.id)?.reasons.map(({ kind }) => kind)).toContain('sharedNumber')
    await test.call('submissions.approve', { ids: [made.id] })
    expect(stateOf(test, made.id)).toBe('incomplete')
  })

  it('is made of no case that was right, and of none whose patient withdrew consent', async () => {
    const { test, id } = await caseIn('sent')
    expect(await test.call('submissions.correct', { id, by: 'AB' })).toMatchObject({ ok: false })
    await note(test, id, { because: 'consent', by: 'AB' })
    expect(await test.call('submissions.correct', { id, by: 'AB' })).toMatchObject({ ok: false })
  })
})

describe('what a corrected case begins with', () => {
  const image = (changes: Partial<Image>) =>
    ({
      id: 'i',
      fileName: 'a/b.jpg',
      eye: 'right',
      eyeSource: 'person',
      excludedBecause: null,
      twinOf: null,
      ...changes,
    }) as Image
  const fields = { ...COMPLETE, last_name: 'Testwood', od_va: 1 }
  const by = (source: 'sidecar' | 'fileName') => ({ history_number: source, visit_date: source })
  const begin = (
    because: SentWrongly['because'],
    right = '',
    sent = image({}),
    source: 'sidecar' | 'fileName' = 'fileName',
  ) => correctedFrom({ fields, sources: by(source), images: [sent] }, { because, right })

  it.each([
    ['another patient: the day and the eyes', begin('patient'), { visit_date: COMPLETE.visit_date }, 'right'],
    [
      'another patient, whose number is known',
      begin('patient', 'H-2'),
      { history_number: 'H-2', visit_date: COMPLETE.visit_date },
      'right',
    ],
    [
      'another patient, by a data file: nothing that it stated',
      begin('patient', '', image({ eyeSource: 'sidecar' }), 'sidecar'),
      {},
      'unknown',
    ],
    ['a wrong eye: all but the eyes', begin('eye', 'swapped'), fields, 'unknown'],
    [
      'a wrong day: all but the day',
      begin('day'),
      { history_number: 'H-1', last_name: 'Testwood', od_va: 1 },
      'right',
    ],
    [
      'a wrong day, and the right one',
      begin('day', '2026-11-19'),
      { ...fields, visit_date: '2026-11-19' },
      'right',
    ],
  ] as const)('of %s', (_what, made, expected, eye) => {
    expect(made.fields).toEqual(expected)
    expect(made).toMatchObject({ images: [{ id: 'i', fileName: 'a/b.jpg', eye }] })
  })

  it('has no image that was not sent', () => {
    expect(begin('day', '', image({ excludedBecause: 'Blurred' })).images).toEqual([])
    expect(begin('day', '', image({ twinOf: 'j' })).images).toEqual([])
  })
})
