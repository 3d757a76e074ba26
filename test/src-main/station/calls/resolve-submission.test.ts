import { describe, expect, it } from 'vitest'
import type { Fields } from '../../../../src-shared/fields.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import {
  addTestImage,
  MORNING,
  newSubmission,
  PLACE,
  someBytes,
  stateOf,
} from '../../../tools/outbox-with.ts'
import { partsWith, type TestParts } from './parts-with.ts'

const WHOLE: Fields = { history_number: 'H-00017', visit_date: '2026-11-20' }

function loseAnswer(test: TestParts, id: string, known: readonly string[] = []): void {
  const destination = { ...PLACE, centerId: null }
  test.outbox.cases.saveList(destination, { readAt: MORNING, caseIds: known })
  const { attemptId } = test.outbox.attempts.open({
    submissionId: id,
    destination,
    requestBytes: 9,
    at: MORNING,
  })
  const end = {
    outcome: 'unknown' as const,
    handedOverBytes: 9,
    failure: failureOf('outcomeUnknown'),
    answer: null,
    at: MORNING,
  }
  test.outbox.attempts.end(attemptId, end, 'becameUnknown', { notBefore: MORNING })
}

/** Gathered and not passed for sending; whole where it says who it is of. */
function gathered(test: TestParts, fields: Fields): string {
  const sources = Object.fromEntries(Object.keys(fields).map((name) => [name, 'person' as const]))
  const id = test.outbox.submissions.create(newSubmission({ fields, sources }))
  const imageId = addTestImage(test, id, { bytes: someBytes(), fileName: `H-1/${id}_OD_1.jpg` })
  test.outbox.images.setEye(imageId, { eye: 'right', source: 'person', statements: null })
  test.refresh(id)
  return id
}

function inDoubt(test: TestParts, known: readonly string[] = []): string {
  const id = gathered(test, WHOLE)
  test.outbox.submissions.transition(id, 'gatheredToSend', {}, { at: MORNING })
  loseAnswer(test, id, known)
  return id
}

describe('after a person said that it is not there', () => {
  it('a case that is thrown away and restored goes to a person, and is in doubt no more', async () => {
    const test = await partsWith()
    const id = inDoubt(test)
    await test.call('submissions.resolve', { id, delivered: false, by: 'AB', why: 'asked by telephone' })
    expect(test.outbox.audit.list({ submissionId: id, limit: 1 })).toMatchObject([
      {
        what: 'provenAbsent',
        by: 'AB',
        details: { decision: 'notThere', why: 'asked by telephone', attempt: 1 },
      },
    ])
    await test.call('submissions.discard', { ids: [id] })
    await test.call('submissions.restore', { ids: [id] })
    expect(stateOf(test, id)).toBe('review')
  })

  it('another attempt that nobody resolved puts it in doubt again', async () => {
    const test = await partsWith()
    const id = inDoubt(test)
    await test.call('submissions.resolve', { id, delivered: false })
    loseAnswer(test, id)
    await test.call('submissions.discard', { ids: [id] })
    await test.call('submissions.restore', { ids: [id] })
    expect(stateOf(test, id)).toBe('unconfirmed')
  })

  it.each<[string, Fields, string]>([
    ['review', WHOLE, 'review'],
    ['incomplete', {}, 'incomplete'],
  ])(
    'a case that was never passed for sending goes to %s and not into the line',
    async (_name, fields, state) => {
      const test = await partsWith()
      const id = gathered(test, fields)
      test.outbox.recovery.markAllUnconfirmed('recovered', { service: PLACE, at: MORNING })
      expect(stateOf(test, id)).toBe('unconfirmed')
      const answer = await test.call('submissions.resolve', { id, delivered: false, by: 'AB' })
      expect(answer).toMatchObject({ value: { state } })
      expect(test.outbox.audit.list({ submissionId: id, limit: 20 }).map(({ what }) => what)).not.toContain(
        'approved',
      )
      expect(test.outbox.attempts.dueSubmissions(MORNING + 1e9, 10)).toEqual([])
    },
  )
})

describe('a person who says that it is there', () => {
  it('cannot name a case that was there before it was sent', async () => {
    const test = await partsWith()
    const id = inDoubt(test, ['55'])
    const answer = await test.call('submissions.resolve', { id, delivered: true, caseId: '55' })
    expect(answer).toMatchObject({
      failure: { kind: 'notAllowed', message: expect.stringContaining('before this one was sent') as string },
    })
    expect(stateOf(test, id)).toBe('unconfirmed')
    expect(test.outbox.submissions.details(id)?.evidence).toEqual([])
  })

  it('may insist on it, with the same id a second time: the service may number anew', async () => {
    const test = await partsWith()
    const id = inDoubt(test, ['55', '56'])
    const name = (caseId: string, insists?: true) =>
      test.call('submissions.resolve', { id, delivered: true, caseId, by: 'AB', ...(insists && { insists }) })
    const message = expect.stringContaining('once more') as string
    for (const caseId of ['55', '56', '55'])
      expect(await name(caseId)).toMatchObject({
        failure: { kind: 'notAllowed', message, overruledBy: 'insists' },
      })
    expect(stateOf(test, id)).toBe('unconfirmed')
    expect(await name('55', true)).toMatchObject({ value: { state: 'sent', caseId: '55' } })
    expect(test.outbox.audit.list({ submissionId: id, limit: 1 })).toMatchObject([
      { what: 'foundDelivered', by: 'AB', details: { caseId: '55', isInsisted: true } },
    ])
  })

  it('insists on nothing by the same call again: the answer that objected may be lost', async () => {
    const test = await partsWith()
    const id = inDoubt(test, ['55'])
    const name = { id, delivered: true, caseId: '55', by: 'AB' } as const
    for (const insists of [{}, {}, { insists: false }])
      expect(await test.call('submissions.resolve', { ...name, ...insists })).toMatchObject({
        failure: { kind: 'notAllowed', overruledBy: 'insists' },
      })
    expect(stateOf(test, id)).toBe('unconfirmed')
  })

  it('cannot insist on an id before the station has objected to it', async () => {
    const test = await partsWith()
    const id = inDoubt(test, ['55', '56'])
    const name = (caseId: string) =>
      test.call('submissions.resolve', { id, delivered: true, caseId, insists: true })
    for (const caseId of ['55', '56'])
      expect(await name(caseId)).toMatchObject({ failure: { overruledBy: 'insists' } })
    expect(await name('56')).toMatchObject({ value: { state: 'sent', caseId: '56' } })
  })

  it.each([
    ['the newest finding proposes one', ['sameIdentity'], true],
    ['the newest finding shows several', ['sameIdentity', 'several'], false],
    ['the newest finding is unclear', ['echoedReference', 'unclear'], false],
    ['nothing could be read since one was proposed', ['sameIdentity', 'lookFailed'], true],
  ] as const)('need not name it only where it is plain: %s', async (_name, kinds, isPlain) => {
    const test = await partsWith()
    const id = inDoubt(test)
    const attemptId = test.outbox.attempts.of(id)[0]?.id ?? ''
    for (const kind of kinds)
      test.outbox.evidence.append({
        submissionId: id,
        attemptId,
        at: MORNING,
        kind,
        caseIds: kind === 'several' ? ['7', '8'] : kind === 'lookFailed' ? [] : ['7'],
        message: '',
        by: null,
      })
    await test.call('submissions.resolve', { id, delivered: true })
    expect(stateOf(test, id)).toBe(isPlain ? 'sent' : 'unconfirmed')
  })

  it('may name what the first of two attempts left there', async () => {
    const test = await partsWith()
    const id = inDoubt(test)
    await test.call('submissions.resolve', { id, delivered: false })
    loseAnswer(test, id, ['55'])
    const answer = await test.call('submissions.resolve', {
      id,
      delivered: true,
      caseId: ' 55 ',
      by: 'AB',
      why: 'seen',
    })
    expect(answer).toMatchObject({ value: { state: 'sent', caseId: '55' } })
    expect(test.outbox.audit.list({ submissionId: id, limit: 1 })).toMatchObject([
      { what: 'foundDelivered', by: 'AB', details: { decision: 'there', caseId: '55', why: 'seen' } },
    ])
  })

  it('names an id, and not blanks', async () => {
    const test = await partsWith()
    const id = inDoubt(test)
    expect(await test.call('submissions.resolve', { id, delivered: true, caseId: '  ' })).toMatchObject({
      failure: { kind: 'badRequest' },
    })
  })
})
