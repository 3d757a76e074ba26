/** An answer settles what its person was shown, and says whose it is and when it was given. */
import { describe, expect, it } from 'vitest'
import { identityColumn } from '../../../../src-main/station/json-columns.ts'
import { MORNING } from '../../../tools/outbox-with.ts'
import { partsWith, type TestParts } from './parts-with.ts'
import { addImage, caseOf, proofOf, type Stated, TWO } from './stated-cases.ts'

type Prepared = { readonly test: TestParts; readonly id: string; readonly imageId: string }

/** One image that states a number and the right eye. */
async function withOne(): Promise<Prepared> {
  const test = await partsWith()
  const { id, imageIds } = caseOf(test, { 'x/1.dcm': { number: '501288', eye: 'right', study: '1' } })
  return { test, id, imageId: imageIds[0] ?? '' }
}

/** What a screen sends: the statements as they were when it was drawn. */
const shown = async ({ test, id }: Pick<Prepared, 'test' | 'id'>) => (await proofOf(test, id)).stated

const NOTHING = {
  birthDate: null,
  capturedAt: null,
  sopUid: null,
  studyUid: null,
  view: null,
  device: null,
  rejected: [],
}

/** Another file that speaks of the first image, without a new image: it came between. */
function addCopy({ test, imageId }: Prepared, stated: { number?: string; eye?: 'left' | 'right' }): void {
  const facts = {
    ...NOTHING,
    fields: { ...(stated.number !== undefined && { history_number: stated.number }) },
    eye: stated.eye ?? null,
  }
  const mark = { folderPath: '/exports', relativePath: 'y/9.dcm', sizeBytes: 9, mtimeMs: 1 }
  test.outbox.markSeen(mark, 'copy', 1, { imageId, stemKey: 'y/9', facts: JSON.stringify(facts) })
}

const identityOf = ({ test, id }: Pick<Prepared, 'test' | 'id'>) =>
  identityColumn.read(test.outbox.rowOf(id)?.identity ?? '')

const update = ({ test, id }: Prepared, input: object) =>
  test.call('submissions.update', { id, by: 'QX', mayLeave: false, ...input })

describe('a number that is entered', () => {
  const fields = { history_number: '700001' }

  it('is the answer to what was shown, with initials and time', async () => {
    const prepared = await withOne()
    const seen = await shown(prepared)
    expect(await update(prepared, { fields, seen })).toMatchObject({
      value: { verdict: { who: { kind: 'proven', by: ['person'] } } },
    })
    expect((await proofOf(prepared.test, prepared.id)).who).toMatchObject({
      kind: 'proven',
      statements: [{ value: '700001', source: 'person', by: 'QX', at: MORNING }],
    })
  })

  it('is no answer to what came after it was drawn', async () => {
    const prepared = await withOne()
    const seen = await shown(prepared)
    addCopy(prepared, { number: '612004' })
    const saved = await update(prepared, { fields, seen })
    expect(saved).toMatchObject({
      value: { fields, state: 'incomplete', verdict: { who: { kind: 'disputed' } } },
    })
    expect((await proofOf(prepared.test, prepared.id)).who.kind).toBe('disputed')
    // Answered once more, with everything in view.
    const again = await update(prepared, { fields, seen: await shown(prepared) })
    expect(again).toMatchObject({ value: { verdict: { who: { kind: 'proven' } } } })
  })

  it('of a script, which was shown nothing, settles what speaks by now', async () => {
    const prepared = await withOne()
    addCopy(prepared, { number: '612004' })
    expect(await update(prepared, { fields })).toMatchObject({
      value: { verdict: { who: { kind: 'proven', by: ['person'] } } },
    })
  })

  it.each<readonly [string, Stated, string]>([
    // Whether they are of one patient is another question.
    ['that states another number', { number: '612004', eye: 'left' }, 'disputed'],
    ['that states the same one', { number: '501288', eye: 'left', study: '1' }, 'proven'],
    ['that states none', { eye: 'left' }, 'proven'],
  ])('is no answer for an image that came after it was drawn, %s', async (_what, stated, then) => {
    const prepared = await withOne()
    const { test, id } = prepared
    const seen = await shown(prepared)
    addImage(test, id, 'y/2.dcm', stated)
    expect(await update(prepared, { fields, seen })).not.toMatchObject({
      value: { verdict: { who: { kind: 'proven' } } },
    })
    await update(prepared, { fields, seen: await shown(prepared) })
    expect(test.outbox.submissionOf(id)?.verdict.who.kind).toBe(then)
  })

  it('still answers what was shown, and is offered beside what came since', async () => {
    const prepared = await withOne()
    const seen = await shown(prepared)
    addCopy(prepared, { number: '612004' })
    await update(prepared, { fields, seen })
    expect(identityOf(prepared).settled?.patient?.statements).toEqual(['501288'])
    const { who } = await proofOf(prepared.test, prepared.id)
    expect(who.statements[0]).toMatchObject({ value: '700001', source: 'person', by: 'QX' })
  })

  it('is carried with its signature into the case that it is joined with', async () => {
    const prepared = await withOne()
    const { test, id } = prepared
    await update(prepared, { fields, seen: await shown(prepared) })
    const other = caseOf(test, { 'x/7.dcm': { number: '501288', eye: 'left', study: '1' } })
    await test.call('submissions.merge', { ids: [other.id, id], by: 'ZZ' })
    expect(identityOf({ test, id: other.id }).settled?.patient).toMatchObject({
      by: 'QX',
      statements: ['501288'],
    })
  })
})

describe('an eye that is chosen', () => {
  const choice = ({ imageId }: Prepared) => ({ images: [{ id: imageId, eye: 'left' }] })

  it('is the answer to what was shown, with initials and time', async () => {
    const prepared = await withOne()
    await update(prepared, { ...choice(prepared), seen: await shown(prepared) })
    expect((await proofOf(prepared.test, prepared.id)).eyes[prepared.imageId]).toMatchObject({
      kind: 'proven',
      statements: [{ value: 'left', source: 'person', by: 'QX', at: MORNING }],
    })
  })

  it('is no answer to what came after it was drawn', async () => {
    const test = await partsWith()
    const { id, imageIds } = caseOf(test, { 'x/1.dcm': { number: '501288', study: '1' } })
    const prepared = { test, id, imageId: imageIds[0] ?? '' }
    const seen = await shown(prepared)
    addCopy(prepared, { number: '501288', eye: 'right' })
    await update(prepared, { ...choice(prepared), seen })
    expect((await proofOf(test, id)).eyes[prepared.imageId]).toMatchObject({
      kind: 'disputed',
      statements: [
        { value: 'left', by: 'QX', at: MORNING },
        { value: 'right', source: 'dicom' },
      ],
    })
  })
})

describe('an answer about the images of a case is refused once more of them came than were shown', () => {
  const another: Stated = { number: '734411', lastName: 'Ruiz', eye: 'left' }

  it.each([
    ['that they are of one patient', 'submissions.samePatient', () => ({})],
    [
      'that they are of several',
      'submissions.separate',
      (imageIds: readonly string[]) => ({ groups: imageIds.map((imageId) => [imageId]) }),
    ],
    [
      'that one of them is of another case',
      'submissions.split',
      (imageIds: readonly string[]) => ({ imageIds: imageIds.slice(1) }),
    ],
  ] as const)('%s', async (_what, call, inputOf) => {
    const test = await partsWith()
    const { id, imageIds } = caseOf(test, TWO)
    const seen = await shown({ test, id })
    addImage(test, id, 'x/3.dcm', another)
    const input = { id, by: 'QX', ...inputOf(imageIds) }
    expect(await test.call(call, { ...input, seen })).toMatchObject({ failure: { kind: 'changed' } })
    expect(test.outbox.imageRowsOf(id)).toHaveLength(3)
    expect(await test.call(call, { ...input, seen: await shown({ test, id }) })).toMatchObject({ ok: true })
  })
})
