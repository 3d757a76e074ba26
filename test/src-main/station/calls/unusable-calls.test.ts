/** What a person decides on a file that cannot be used. */
import { describe, expect, it } from 'vitest'
import { identityColumn } from '../../../../src-main/station/json-columns.ts'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import { proofOf } from './stated-cases.ts'
import { addCase, addEye, addUnusable, caseIn, type TestParts, trailOf } from './parts-with.ts'

const FILE = 'visit/OS_2.jpg'

type Prepared = { readonly test: TestParts; readonly id: string; readonly fileId: string }

/** A case that is whole but for this file. */
async function withFile(state: SubmissionState = 'incomplete'): Promise<Prepared> {
  const { test, id } = await caseIn(state)
  return { test, id, fileId: addUnusable(test, id, FILE) }
}

/** The same, and an image that came under its name. */
async function withImage(): Promise<Prepared & { readonly imageId: string }> {
  const prepared = await withFile()
  const { test, id } = prepared
  const imageId = addEye(test, id, { fileName: FILE, eye: 'left' })
  test.outbox.changeUnusable(test.outbox.unusableOf(id)[0]!, { replaced_by: imageId })
  test.refresh(id)
  return { ...prepared, imageId }
}

const decide = ({ test, id, fileId }: Prepared, decision: string, more: object = {}) =>
  test.call('submissions.decideFile', { id, fileId, decision, ...more })

const kindsOf = ({ test, id }: Prepared): string[] =>
  test.outbox.submissionOf(id)?.reasons.map(({ kind }) => kind) ?? []

describe('a file that cannot be used', () => {
  it('holds its case until a person decides, also against an approval', async () => {
    const prepared = await withFile()
    const { test, id } = prepared
    expect(kindsOf(prepared)).toEqual(['unusableImage'])
    expect(await decide(prepared, 'wait')).toMatchObject({
      value: { state: 'incomplete', unusableFiles: [{ decision: 'wait' }] },
    })
    expect(await test.call('submissions.approve', { ids: [id] })).toMatchObject({
      value: { changed: [], refused: [{ failure: { kind: 'notAllowed' } }] },
    })
  })

  it('is left out with a reason; a person looks at the case once more', async () => {
    const prepared = await withFile()
    expect(await decide(prepared, 'exclude')).toMatchObject({ ok: false, failure: { kind: 'badRequest' } })
    expect(kindsOf(prepared)).toEqual(['unusableImage'])
    expect(await decide(prepared, 'exclude', { why: 'Blink', by: 'QX' })).toMatchObject({
      value: {
        state: 'review',
        reasons: [],
        noImageBecause: {},
        unusableFiles: [{ decision: 'exclude', because: 'Blink' }],
      },
    })
    expect(trailOf(prepared.test, prepared.id)).toContainEqual(
      expect.objectContaining({
        what: 'fileDecided',
        by: 'QX',
        details: { decision: 'exclude', why: 'Blink' },
      }),
    )
  })

  it('may be waited for again', async () => {
    const prepared = await withFile()
    await decide(prepared, 'exclude', { why: 'Blink' })
    await prepared.test.call('submissions.approve', { ids: [prepared.id] })
    expect(await decide(prepared, 'wait')).toMatchObject({ value: { state: 'incomplete' } })
    expect(kindsOf(prepared)).toEqual(['unusableImage'])
  })

  it('of an eye without another image is said in the remarks, and no longer once it is awaited', async () => {
    const prepared = await withFile()
    const { test, id } = prepared
    test.outbox.changeUnusable(test.outbox.unusableOf(id)[0]!, { eye: 'left' })
    // The eye is stated by nothing but what the test wrote.
    const because = () => test.outbox.submissionOf(id)?.noImageBecause
    await decide(prepared, 'sendAsItIs')
    expect(because()).toEqual({ left: 'The image from the camera cannot be read.' })
    test.outbox.changeUnusable(test.outbox.unusableOf(id)[0]!, { eye: 'left' })
    await decide(prepared, 'wait')
    expect(because()).toEqual({})
    test.outbox.setNoImageBecause(id, { left: 'Dense cataract' })
    test.outbox.changeUnusable(test.outbox.unusableOf(id)[0]!, { eye: 'left' })
    await decide(prepared, 'sendAsItIs', { why: 'Broken card' })
    expect(because()).toEqual({ left: 'Dense cataract' })
  })

  it.each<SubmissionState>(['sending', 'unconfirmed', 'sent', 'discarded'])(
    'of a case that is %s is not decided on',
    async (state) => {
      const prepared = await withFile(state)
      expect(await decide(prepared, 'exclude', { why: 'Blink' })).toMatchObject({
        failure: { kind: 'notAllowed' },
      })
    },
  )

  it('of another case is none of this one', async () => {
    const { test, fileId } = await withFile()
    const other = addCase(test, 'incomplete')
    expect(await decide({ test, id: other, fileId }, 'wait')).toMatchObject({ failure: { kind: 'notFound' } })
    expect(await decide({ test, id: 'none', fileId }, 'wait')).toMatchObject({
      failure: { kind: 'notFound' },
    })
  })
})

describe('a case with a file that cannot be used', () => {
  it('takes it along into the case that it is joined into', async () => {
    const { test, id, fileId } = await withFile()
    const target = addCase(test, 'review')
    await test.call('submissions.merge', { ids: [target, id] })
    expect(test.outbox.submissionOf(target)).toMatchObject({
      state: 'incomplete',
      unusableFiles: [{ id: fileId, decision: null }],
    })
  })

  it('takes it along if all of its images go to another case', async () => {
    const { test, id, fileId } = await withFile()
    const toId = addCase(test, 'review')
    const imageIds = test.outbox.imageRowsOf(id).map((image) => image.id)
    await test.call('submissions.moveImages', { imageIds, toId })
    expect(test.outbox.submissionOf(toId)).toMatchObject({ unusableFiles: [{ id: fileId }] })
    expect(test.outbox.submissionOf(id)).toMatchObject({ state: 'discarded', unusableFiles: [] })
  })
})

describe('an image that came under its name', () => {
  it('needs an answer before anything else is decided', async () => {
    const prepared = await withImage()
    expect(kindsOf(prepared)).toEqual(['newExport'])
    for (const decision of ['exclude', 'sendAsItIs', 'wait'])
      expect(await decide(prepared, decision, { why: 'Blink' })).toMatchObject({
        failure: { kind: 'notAllowed' },
      })
    expect(kindsOf(prepared)).toEqual(['newExport'])
  })

  it('is the new export if a person says so', async () => {
    const prepared = await withImage()
    expect(await decide(prepared, 'isNewExport', { by: 'QX' })).toMatchObject({
      value: {
        state: 'review',
        images: [{}, {}],
        unusableFiles: [{ decision: 'replaced', replacedBy: prepared.imageId }],
      },
    })
    expect(await decide(prepared, 'exclude', { why: 'x' })).toMatchObject({ failure: { kind: 'notAllowed' } })
  })

  it('becomes a case of its own if it is none, and the file is awaited again', async () => {
    const prepared = await withImage()
    expect(await decide(prepared, 'isNotNewExport')).toMatchObject({
      value: { state: 'incomplete', images: [{}], unusableFiles: [{ decision: null, replacedBy: null }] },
    })
    expect(kindsOf(prepared)).toEqual(['unusableImage'])
    const { submission_id: madeId = '' } = prepared.test.outbox.imageById(prepared.imageId) ?? {}
    expect(prepared.test.outbox.submissionOf(madeId)).toMatchObject({ state: 'incomplete', images: [{}] })
    expect(trailOf(prepared.test, prepared.id)).toContainEqual(
      expect.objectContaining({ what: 'split', details: expect.objectContaining({ into: madeId }) }),
    )
  })

  it('is not answered once more images came than were shown', async () => {
    const prepared = await withImage()
    const { test, id } = prepared
    const { stated: seen } = await proofOf(test, id)
    addEye(test, id, { fileName: 'visit/IMG_7.jpg', eye: 'left' })
    expect(await decide(prepared, 'isNewExport', { seen })).toMatchObject({ failure: { kind: 'changed' } })
    expect(await decide(prepared, 'isNewExport')).toMatchObject({ ok: true })
  })

  it('and what then stays together is asked again once another image comes', async () => {
    const prepared = await withImage()
    const { test, id } = prepared
    const own = test.outbox.imageRowsOf(id).filter((image) => image.id !== prepared.imageId)
    await decide(prepared, 'isNotNewExport')
    const { submission_id: madeId = '' } = test.outbox.imageById(prepared.imageId) ?? {}
    const settled = [id, madeId].map(
      (one) => identityColumn.read(test.outbox.rowOf(one)?.identity ?? '').settled?.together?.statements,
    )
    expect(settled).toEqual([own.map((image) => image.id), [prepared.imageId]])
    const together = (): unknown => test.outbox.submissionOf(madeId)?.verdict.together
    expect(together()).toMatchObject({ kind: 'proven', by: ['person'] })
    for (const [at, eye] of (['right', 'left', 'right'] as const).entries())
      addEye(test, madeId, { fileName: `visit/IMG_${at}.jpg`, eye })
    test.refresh(madeId)
    expect(together()).not.toMatchObject({ by: ['person'] })
  })

  it('is asked about no more once it has been moved elsewhere', async () => {
    const prepared = await withImage()
    const { test, id, imageId } = prepared
    await test.call('submissions.split', { id, imageIds: [imageId] })
    expect(kindsOf(prepared)).toEqual(['unusableImage'])
    expect(await decide(prepared, 'isNewExport')).toMatchObject({ failure: { kind: 'notAllowed' } })
  })
})
