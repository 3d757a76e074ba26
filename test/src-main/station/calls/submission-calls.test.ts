import { describe, expect, it } from 'vitest'
import { folderSettingsSchema } from '../../../../src-shared/folder-settings.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import type { FieldChanges, Fields } from '../../../../src-shared/fields.ts'
import {
  addTestImage,
  addWaiting,
  MORNING,
  newSubmission,
  someBytes,
  stateOf,
} from '../../../tools/outbox-with.ts'
import { partsWith, type TestParts } from './parts-with.ts'

function inReview(
  test: TestParts,
  fields: Fields = { history_number: 'H-1', visit_date: '2026-11-20' },
): string {
  const sources = Object.fromEntries(Object.keys(fields).map((name) => [name, 'person' as const]))
  const id = test.outbox.submissions.create(newSubmission({ fields, sources }))
  const imageId = addTestImage(test, id, { bytes: someBytes() })
  test.outbox.images.setEye(imageId, { eye: 'right', source: 'person', statements: null })
  test.outbox.submissions.transition(id, 'gatheredForReview', {}, { at: MORNING })
  return id
}

function unconfirmed(
  test: TestParts,
  caseIds: readonly string[] = [],
  kind: 'sameIdentity' | 'unclear' = 'sameIdentity',
): string {
  const id = addWaiting(test)
  const destination = { ...test.service.identity, centerId: null }
  const plan = { submissionId: id, destination, requestBytes: 9, at: MORNING }
  const { attemptId } = test.outbox.attempts.open(plan)
  const end = { outcome: 'unknown', handedOverBytes: 9, failure: null, answer: null, at: MORNING } as const
  test.outbox.attempts.end(attemptId, end, 'becameUnknown', { notBefore: MORNING })
  if (caseIds.length > 0) {
    const evidence = { submissionId: id, attemptId, at: MORNING, message: 'Look.', by: null }
    test.outbox.evidence.append({ ...evidence, kind, caseIds: [...caseIds] })
  }
  return id
}

describe('an edit', () => {
  it("sets and clears fields as the person's word, which no source outweighs", async () => {
    const test = await partsWith()
    const id = inReview(test, { history_number: 'H-1', age: 61 })
    const answer = await test.call('submissions.update', {
      id,
      fields: { gender: 0, age: null, first_name: 'Ada', visit_reason: '' },
    })
    expect(answer).toMatchObject({
      ok: true,
      value: {
        state: 'review',
        fields: { history_number: 'H-1', gender: 0, first_name: 'Ada' },
        sources: { gender: 'person', age: 'person', first_name: 'person', visit_reason: 'person' },
      },
    })
    expect(test.outbox.submissions.get(id)?.fields).not.toHaveProperty('age')
    const [line] = test.outbox.audit.list({ submissionId: id, limit: 1 })
    expect(line).toMatchObject({
      what: 'edited',
      details: { fields: ['first_name', 'gender', 'age', 'visit_reason'] },
    })
    expect(JSON.stringify(line)).not.toContain('Ada')
  })

  it('gives an image to an eye and leaves one out with a reason', async () => {
    const test = await partsWith()
    const id = inReview(test)
    const [image] = test.outbox.images.rows(id)
    const images = [{ id: image?.id, eye: 'left', excludedBecause: 'blurred' }]
    await test.call('submissions.update', { id, images })
    expect(test.outbox.submissions.get(id)).toMatchObject({
      state: 'incomplete',
      images: [{ eye: 'left', eyeSource: 'person', excludedBecause: 'blurred' }],
      reasons: [{ kind: 'noImages' }],
    })
  })

  it('that takes back what is required sends the case to a person, also out of the line', async () => {
    const test = await partsWith()
    const id = inReview(test)
    await test.call('submissions.approve', { ids: [id] })
    await test.call('submissions.update', { id, fields: { history_number: null } })
    expect(test.outbox.submissions.get(id)).toMatchObject({
      state: 'incomplete',
      reasons: [{ kind: 'fieldMissing', field: 'history_number' }],
    })
  })

  it('that completes a case moves it on', async () => {
    const test = await partsWith()
    const id = inReview(test, {})
    await test.call('submissions.approve', { ids: [id] })
    expect(stateOf(test, id)).toBe('incomplete')
    await test.call('submissions.update', { id, fields: { history_number: 'H-2' } })
    expect(stateOf(test, id)).toBe('review')
  })

  it.each([
    ['sends it where the folder sends without a look', {}, 'waiting'],
    ['keeps it while somebody is still at work on it', { mayLeave: false }, 'review'],
  ] as const)('that completes a case %s', async (_what, given, state) => {
    const test = await partsWith({
      folders: [folderSettingsSchema.parse({ path: '/exports', sendWithoutReview: true })],
    })
    const id = inReview(test, {})
    await test.call('submissions.approve', { ids: [id] })
    const fields = { history_number: 'H-2', visit_date: '2026-11-20' }
    await test.call('submissions.update', { id, fields, ...given })
    expect(stateOf(test, id)).toBe(state)
  })

  it('keeps a refused case refused while somebody is at work on it, and goes again when they say so', async () => {
    const test = await partsWith()
    const id = inReview(test)
    test.refresh(id)
    await test.call('submissions.approve', { ids: [id] })
    test.outbox.submissions.transition(id, 'claimed', {}, { at: MORNING })
    const failure = failureOf('serviceRefused')
    test.outbox.submissions.transition(id, 'wasRefused', { failure }, { at: MORNING })
    const change = (fields: FieldChanges) => test.call('submissions.update', { id, fields, mayLeave: false })
    await change({ history_number: null })
    expect(await test.call('submissions.retry', { ids: [id] })).toMatchObject({
      value: { refused: [{ failure: { message: expect.stringContaining('history number') as string } }] },
    })
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'refused', failure })
    await change({ history_number: 'H-9' })
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'refused', failure, reasons: [] })
    await test.call('submissions.retry', { ids: [id] })
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'waiting', failure: null })
  })

  it('changes nothing where an image is of another case', async () => {
    const test = await partsWith()
    const [id, other] = [inReview(test), inReview(test)]
    const [foreign] = test.outbox.images.rows(other)
    const before = test.outbox.submissions.details(id)
    const answer = await test.call('submissions.update', {
      id,
      fields: { age: 5 },
      images: [{ id: foreign?.id, eye: 'left' }],
    })
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'notFound' } })
    expect(test.outbox.submissions.details(id)).toEqual(before)
    expect(test.outbox.images.byId(foreign?.id ?? '')?.eye).toBe('right')
  })

  it('is refused for what is on its way, may have arrived, was sent or thrown away', async () => {
    const test = await partsWith()
    const id = unconfirmed(test)
    expect(await test.call('submissions.update', { id, fields: { age: 5 } })).toMatchObject({
      failure: { kind: 'notAllowed' },
    })
    await test.call('submissions.discard', { ids: [id] })
    expect(await test.call('submissions.update', { id, fields: { age: 5 } })).toMatchObject({
      failure: { kind: 'notAllowed' },
    })
    expect(await test.call('submissions.update', { id: 'nobody' })).toMatchObject({
      failure: { kind: 'notFound' },
    })
  })
})

describe('a decision on what may have arrived', () => {
  it('that it is there binds it to its id, with the initials of the person', async () => {
    const test = await partsWith()
    const id = unconfirmed(test)
    const answer = await test.call('submissions.resolve', { id, delivered: true, caseId: '77', by: 'AB' })
    expect(answer).toMatchObject({
      ok: true,
      value: { state: 'sent', caseId: '77', evidence: [{ kind: 'decision', caseIds: ['77'], by: 'AB' }] },
    })
    expect(test.outbox.audit.list({ submissionId: id, limit: 1 })).toMatchObject([
      { what: 'foundDelivered', by: 'AB' },
    ])
    expect(test.outbox.reports.dueWatches(MORNING)).toMatchObject([{ case_id: '77' }])
    expect(test.done).toEqual(expect.arrayContaining(['wake', 'wake reports']))
  })

  it('that it is there takes the only one that was proposed', async () => {
    const test = await partsWith()
    const id = unconfirmed(test, ['78'])
    expect(await test.call('submissions.resolve', { id, delivered: true })).toMatchObject({
      value: { caseId: '78' },
    })
  })

  it.each([
    ['nothing was proposed', []],
    ['several were', ['78', '79']],
  ])('that it is there asks for the id where %s', async (_what, caseIds) => {
    const test = await partsWith()
    const id = unconfirmed(test, caseIds)
    const before = test.outbox.submissions.details(id)
    expect(await test.call('submissions.resolve', { id, delivered: true })).toMatchObject({
      failure: { kind: 'badRequest' },
    })
    expect(test.outbox.submissions.details(id)).toEqual(before)
  })

  it('that it is there never takes a case of which nothing is known but that it is new', async () => {
    const test = await partsWith()
    const id = unconfirmed(test, ['78'], 'unclear')
    expect(await test.call('submissions.resolve', { id, delivered: true })).toMatchObject({
      failure: { kind: 'badRequest' },
    })
    expect(stateOf(test, id)).toBe('unconfirmed')
  })

  it('is refused for a case that belongs to another submission', async () => {
    const test = await partsWith()
    const [first, second] = [unconfirmed(test), unconfirmed(test)]
    await test.call('submissions.resolve', { id: first, delivered: true, caseId: '77' })
    const answer = await test.call('submissions.resolve', { id: second, delivered: true, caseId: '77' })
    const reference = test.outbox.submissions.get(first)?.reference ?? '-'
    expect(answer).toMatchObject({
      failure: { kind: 'notAllowed', message: expect.stringContaining(reference) as string },
    })
    expect(stateOf(test, second)).toBe('unconfirmed')
  })

  it('that it is not there sends it again under the same reference', async () => {
    const test = await partsWith()
    const id = unconfirmed(test)
    const before = test.outbox.submissions.get(id)?.reference
    await test.call('submissions.resolve', { id, delivered: false, by: 'AB' })
    expect(test.outbox.submissions.details(id)).toMatchObject({
      state: 'waiting',
      reference: before,
      notBefore: null,
      evidence: [{ kind: 'decision', caseIds: [], by: 'AB' }],
    })
  })

  it('is refused for anything that is not in doubt', async () => {
    const test = await partsWith()
    const id = addWaiting(test)
    for (const delivered of [true, false])
      expect(await test.call('submissions.resolve', { id, delivered, caseId: '1' })).toMatchObject({
        ok: false,
      })
    expect(stateOf(test, id)).toBe('waiting')
  })
})

it('says of a case that nobody knows that it does not know it', async () => {
  const test = await partsWith()
  expect(await test.call('submissions.get', { id: 'nobody' })).toMatchObject({
    failure: { kind: 'notFound' },
  })
})
