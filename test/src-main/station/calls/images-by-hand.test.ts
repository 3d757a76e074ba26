/** A case by hand: it begins with or without images, and takes more until it leaves. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAX_IMAGES_BY_HAND } from '../../../../src-shared/image-files.ts'
import { addTestImage, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { picture } from '../cases/cases-with.ts'
import { addCase, COMPLETE, follow, loseAnswer, partsWith, type TestParts } from './parts-with.ts'

async function photo(name = 'a.png'): Promise<string> {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, await picture())
  return path
}

async function caseByHand(test: TestParts, fields: object = {}, paths: readonly string[] = []) {
  const images = paths.map((path) => ({ path, eye: 'right' }))
  const made = await test.call('submissions.create', { fields, images })
  if (!made.ok) throw new Error(made.failure.message)
  return made.value
}

const add = (test: TestParts, id: string, ...paths: readonly string[]) =>
  test.call('submissions.addImages', { id, images: paths.map((path) => ({ path, eye: 'right' })) })

describe('a case by hand without an image', () => {
  it('states what is missing, whatever was entered', async () => {
    const test = await partsWith()
    expect(await caseByHand(test)).toMatchObject({
      state: 'incomplete',
      isByHand: true,
      images: [],
      reasons: [{ kind: 'fieldMissing', field: 'history_number' }, { kind: 'noImages' }],
    })
    expect(await caseByHand(test, COMPLETE)).toMatchObject({
      fields: COMPLETE,
      sources: { history_number: 'person', visit_date: 'person' },
      reasons: [{ kind: 'noImages' }],
    })
  })

  it('does not leave, whatever a person does', async () => {
    const test = await partsWith()
    const { id } = await caseByHand(test, COMPLETE)
    for (const name of ['hold', 'release', 'approve', 'discard', 'restore', 'approve'] as const)
      await test.call(`submissions.${name}`, { ids: [id] })
    expect(stateOf(test, id)).toBe('incomplete')
  })

  it('is not discarded as empty once another person has begun it', async () => {
    const test = await partsWith()
    const { id, digest } = await caseByHand(test)
    await add(test, id, await photo())
    const answer = await test.call('submissions.discard', { ids: [id], seen: { [id]: digest } })
    expect(answer).toMatchObject({ value: { refused: [{ failure: { kind: 'changed' } }] } })
    expect(stateOf(test, id)).toBe('incomplete')
  })
})

describe('images that are added by hand', () => {
  it('complete a case, and none is taken twice', async () => {
    const test = await partsWith()
    const { id, reference } = await caseByHand(test, COMPLETE)
    const path = await photo('OD.png')
    expect(await add(test, id, path)).toMatchObject({
      value: { state: 'review', images: [{ fileName: 'OD.png', eye: 'right', eyeSource: 'person' }] },
    })
    expect(test.done).toContain('taken 1 files')
    const message = expect.stringContaining(reference)
    expect(await add(test, id, path)).toMatchObject({ failure: { message } })
  })

  it('are taken all, or none with the reason', async () => {
    const test = await partsWith()
    const [{ id }, same] = [await caseByHand(test), await photo()]
    expect(await add(test, id, same, import.meta.filename)).toMatchObject({
      failure: { kind: 'badRequest' },
    })
    expect(await add(test, id, same, same)).toMatchObject({ failure: { kind: 'badRequest' } })
    expect(test.outbox.imageRowsOf(id)).toEqual([])
  })

  it('bring an approved case back to a person, and leave one on hold there', async () => {
    const test = await partsWith()
    const { id } = await caseByHand(test, COMPLETE, [await photo()])
    follow(test, id, 'approved')
    expect(await add(test, id, await photo())).toMatchObject({ value: { state: 'review' } })
    follow(test, id, 'held')
    expect(await add(test, id, await photo())).toMatchObject({ value: { state: 'held' } })
  })

  it('are not taken into a case that may have arrived, of a camera, unknown or full', async () => {
    const test = await partsWith()
    const lost = await caseByHand(test, COMPLETE, [await photo()])
    follow(test, lost.id, 'approved')
    loseAnswer(test, lost.id)
    for (const id of [lost.id, addCase(test, 'review')]) {
      expect(await add(test, id, await photo())).toMatchObject({ failure: { kind: 'notAllowed' } })
      expect(test.outbox.imageRowsOf(id)).toHaveLength(1)
    }
    expect(await add(test, 'none', await photo())).toMatchObject({ failure: { kind: 'notFound' } })
    const { id: full } = await caseByHand(test)
    const addOne = (): unknown => addTestImage(test, full, { bytes: someBytes() })
    test.outbox.write(() => Array.from({ length: MAX_IMAGES_BY_HAND }, addOne))
    expect(await add(test, full, await photo())).toMatchObject({ failure: { kind: 'badRequest' } })
  })
})
