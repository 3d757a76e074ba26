import { describe, expect, it } from 'vitest'
import type { Fields } from '../../../../src-shared/fields.ts'
import type { StoredSubmission } from '../../../../src-main/station/outbox/submissions.ts'
import { addTestImage, newSubmission, someBytes } from '../../../tools/outbox-with.ts'
import { follow, openAttempt, partsWith, type TestParts } from './parts-with.ts'

/** A case in review with images of these names, and what a person entered. */
function inReview(test: TestParts, names: readonly string[], fields: Fields = {}, centerId = '101'): string {
  const sources = Object.fromEntries(Object.keys(fields).map((name) => [name, 'person' as const]))
  const id = test.outbox.createSubmission(newSubmission({ fields, sources, centerId }))
  for (const fileName of names) addTestImage(test, id, { bytes: someBytes(), fileName })
  follow(test, id, 'gatheredForReview')
  return id
}

const submissionOf = (test: TestParts, id: string): StoredSubmission => {
  const found = test.outbox.submissionOf(id)
  if (!found) throw new Error('there is one')
  return found
}
const namesIn = (test: TestParts, id: string): string[] =>
  submissionOf(test, id).images.map((image) => image.fileName)

const RIGHT = 'H-00017_20261120/OD_1.jpg'
const LEFT = 'H-00017_20261120/OS_1.jpg'

describe('joining cases', () => {
  it('gives all images and what people entered to the first, and a person looks again', async () => {
    const test = await partsWith()
    const first = inReview(test, [RIGHT], { first_name: 'Synthia' })
    const second = inReview(test, [LEFT], { age: 61 })
    const answer = await test.call('submissions.merge', { ids: [first, second] })
    expect(answer).toMatchObject({ ok: true, value: { id: first, state: 'review' } })
    expect(namesIn(test, first)).toEqual([RIGHT, LEFT])
    expect(submissionOf(test, first).fields).toMatchObject({
      first_name: 'Synthia',
      age: 61,
      history_number: 'H-00017',
    })
    expect(submissionOf(test, second)).toMatchObject({ state: 'discarded', images: [] })
    expect(test.outbox.listAudit({ submissionId: first, limit: 20 }).map((entry) => entry.what)).toContain(
      'merged',
    )
  })

  it('of two patients asks for the right number', async () => {
    const test = await partsWith()
    const [one, other] = [inReview(test, [RIGHT]), inReview(test, ['H-00018_20261120/OS_1.jpg'])]
    await test.call('submissions.merge', { ids: [one, other] })
    expect(submissionOf(test, one)).toMatchObject({
      state: 'incomplete',
      reasons: [{ kind: 'identityConflict' }],
    })
  })

  it('never chooses between values that two people entered', async () => {
    const test = await partsWith()
    const one = inReview(test, [RIGHT], { history_number: 'H-1' })
    const other = inReview(test, [LEFT], { history_number: 'H-2' })
    expect(await test.call('submissions.merge', { ids: [one, other] })).toMatchObject({
      ok: false,
      failure: { kind: 'notAllowed', message: expect.stringContaining('history number') },
    })
    expect([namesIn(test, one), namesIn(test, other)]).toEqual([[RIGHT], [LEFT]])
  })

  it('is refused for cases of different centers, of one alone, and of an unknown one', async () => {
    const test = await partsWith()
    const [one, other] = [inReview(test, [RIGHT]), inReview(test, [LEFT], {}, '102')]
    for (const ids of [[one, other], [one], [one, one], [one, 'none']])
      expect(await test.call('submissions.merge', { ids })).toMatchObject({ ok: false })
    expect(namesIn(test, other)).toEqual([LEFT])
  })

  it('is refused for a case that is on its way, or may have arrived', async () => {
    const test = await partsWith()
    const [one, other] = [inReview(test, [RIGHT]), inReview(test, [LEFT])]
    follow(test, other, 'approved')
    openAttempt(test, other)
    expect(await test.call('submissions.merge', { ids: [one, other] })).toMatchObject({ ok: false })
    expect(await test.call('submissions.split', { id: other, imageIds: ['x'] })).toMatchObject({ ok: false })
    expect(namesIn(test, other)).toEqual([LEFT])
  })
})

describe('parting a case', () => {
  it('makes another of the images, with its center, read from its files alone', async () => {
    const test = await partsWith()
    const id = inReview(test, [RIGHT, 'H-00018_20261120/OS_1.jpg'], { history_number: 'H-00017', age: 61 })
    const [, stranger] = submissionOf(test, id).images
    const answer = await test.call('submissions.split', { id, imageIds: [stranger?.id ?? ''] })
    if (!answer.ok) throw new Error(answer.failure.message)
    const { kept, made } = answer.value
    expect([kept.images.length, made.images.length]).toEqual([1, 1])
    expect(kept).toMatchObject({ state: 'review', fields: { history_number: 'H-00017', age: 61 } })
    expect(made).toMatchObject({
      state: 'review',
      centerId: '101',
      fields: { history_number: 'H-00018', visit_date: '2026-11-20' },
    })
    expect(made.fields).not.toHaveProperty('age')
  })

  it('leaves at least one image, and takes no unknown one', async () => {
    const test = await partsWith()
    const id = inReview(test, [RIGHT, LEFT])
    const all = submissionOf(test, id).images.map((image) => image.id)
    for (const imageIds of [all, ['none']])
      expect(await test.call('submissions.split', { id, imageIds })).toMatchObject({ ok: false })
    expect(namesIn(test, id)).toEqual([RIGHT, LEFT])
  })

  it('takes a duplicate along with its image', async () => {
    const test = await partsWith()
    const id = inReview(test, [RIGHT, LEFT, 'H-00017_20261120/OS_1.dcm'])
    const [, dicom, left] = submissionOf(test, id).images
    test.outbox.setTwinOf(dicom?.id ?? '', left?.id ?? '')
    const answer = await test.call('submissions.split', { id, imageIds: [dicom?.id ?? ''] })
    if (!answer.ok) throw new Error(answer.failure.message)
    expect(answer.value.made.images.map((image) => image.fileName)).toEqual([
      'H-00017_20261120/OS_1.dcm',
      LEFT,
    ])
  })
})

describe('moving images', () => {
  it('gives them to the other case and discards the one that is left empty', async () => {
    const test = await partsWith()
    const [from, to] = [inReview(test, [LEFT]), inReview(test, [RIGHT])]
    const [image] = submissionOf(test, from).images
    const answer = await test.call('submissions.moveImages', { imageIds: [image?.id ?? ''], toId: to })
    expect(answer).toMatchObject({ ok: true, value: { id: to, state: 'review' } })
    expect(namesIn(test, to)).toEqual([RIGHT, LEFT])
    expect(submissionOf(test, from).state).toBe('discarded')
  })

  it('takes a duplicate of one of them along, whichever case that one is in', async () => {
    const test = await partsWith()
    const dicom = 'H-00017_20261120/OS_1.dcm'
    const [first, second, to] = [
      inReview(test, [LEFT]),
      inReview(test, [RIGHT, dicom, 'H-00017_20261120/OS_2.jpg']),
      inReview(test, ['H-00017_20261120/OD_2.jpg']),
    ]
    const [left] = submissionOf(test, first).images
    const [right, twin] = submissionOf(test, second).images
    test.outbox.setTwinOf(twin?.id ?? '', left?.id ?? '')
    await test.call('submissions.moveImages', { imageIds: [left?.id ?? '', right?.id ?? ''], toId: to })
    expect(namesIn(test, to)).toEqual([RIGHT, 'H-00017_20261120/OD_2.jpg', dicom, LEFT])
    expect(namesIn(test, second)).toEqual(['H-00017_20261120/OS_2.jpg'])
  })

  it('is refused if one of them does not exist', async () => {
    const test = await partsWith()
    const [from, to] = [inReview(test, [LEFT]), inReview(test, [RIGHT])]
    expect(await test.call('submissions.moveImages', { imageIds: ['none'], toId: to })).toMatchObject({
      failure: { kind: 'notFound' },
    })
    expect(namesIn(test, from)).toEqual([LEFT])
  })
})
