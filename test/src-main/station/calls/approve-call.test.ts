/** What a call approves: what its caller showed, or what is there if a script shows nothing. */
import { describe, expect, it } from 'vitest'
import { refreshSubmissions } from '../../../../src-main/station/cases/settle.ts'
import type { BulkResult } from '../../../../src-shared/contract.ts'
import type { FailureKind, Result } from '../../../../src-shared/failure.ts'
import type { Source } from '../../../../src-shared/submission.ts'
import { updateVerdict, MORNING, stateOf } from '../../../tools/outbox-with.ts'
import { addCase, addEye, COMPLETE, partsWith, type TestParts, trailOf } from './parts-with.ts'

/** A case in review whose eye is known from its file name only. */
function addProposal(test: TestParts): string {
  const id = addCase(test, 'review', { images: ['H-1/OD_1.jpg'] })
  setEyes(test, id, 'fileName')
  return id
}

function setEyes(test: TestParts, id: string, source: Source): void {
  for (const { id: imageId, eye } of test.outbox.imageRowsOf(id))
    test.outbox.setEye(imageId, { eye, source, statements: null })
  updateVerdict(test, id)
}

/** What a screen shows of these cases now. */
function seenNow({ outbox }: TestParts, ...ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, outbox.submissionOf(id)?.digest ?? '']))
}

/** The approved ids, and the kinds of the failures of the others. */
function outcome(answer: Result<BulkResult>): [readonly string[], Readonly<Record<string, FailureKind>>] {
  if (!answer.ok) throw new Error(answer.failure.message)
  const { changed, refused } = answer.value
  return [changed, Object.fromEntries(refused.map(({ id, failure }) => [id, failure.kind]))]
}

describe('an approval of what was shown', () => {
  it('passes if nothing has changed, and is known as one of a screen', async () => {
    const test = await partsWith()
    const id = addCase(test, 'review')
    const answer = await test.call('submissions.approve', { ids: [id], seen: seenNow(test, id), by: 'AB' })
    expect(outcome(answer)).toEqual([[id], {}])
    expect(test.outbox.rowOf(id)).toMatchObject({ approved_by: 'AB', approved_via: 'screen' })
    expect(trailOf(test, id)[0]).toMatchObject({ what: 'approved', by: 'AB', details: { via: 'screen' } })
  })

  it.each<readonly [string, (test: TestParts, id: string) => unknown]>([
    ['a value', (test, id) => test.call('submissions.update', { id, fields: { age: 61 } })],
    ['an eye', (test, id) => setEye(test, id)],
    ['an image', (test, id) => addEye(test, id, { eye: 'left' })],
    ['how an eye is known', (test, id) => setEyes(test, id, 'fileName')],
  ])('is refused if %s has changed since, and passes once the new one is shown', async (_what, change) => {
    const test = await partsWith()
    const [id, other] = [addCase(test, 'review', { images: ['H-1/OD_1.jpg'] }), addCase(test, 'review')]
    const seen = seenNow(test, id, other)
    await change(test, id)
    expect(outcome(await test.call('submissions.approve', { ids: [id, other], seen }))).toEqual([
      [other],
      { [id]: 'changed' },
    ])
    expect([stateOf(test, id), stateOf(test, other)]).toEqual(['review', 'waiting'])
    expect(test.outbox.rowOf(id)).toMatchObject({ approved_digest: null, passed_digest: null })
    const again = await test.call('submissions.approve', { ids: [id], seen: seenNow(test, id) })
    expect(outcome(again)).toEqual([[id], {}])
  })

  it('reads the case again first: what its files state by now was not shown', async () => {
    const test = await partsWith()
    const id = addCase(test, 'review', { fields: { history_number: 'H-1' }, images: ['H-1/OD_1.jpg'] })
    const seen = seenNow(test, id)
    addEye(test, id, { fileName: 'H-1/20261119_OD_2.jpg', eye: 'left' })
    expect(outcome(await test.call('submissions.approve', { ids: [id], seen }))[1]).toEqual({
      [id]: 'changed',
    })
    expect(test.outbox.submissionOf(id)?.fields.visit_date).toBe('2026-11-19')
    expect(stateOf(test, id)).toBe('review')
  })

  it('shows a case to a person that has become complete meanwhile, even if its folder sends without review', async () => {
    const test = await partsWith({ folders: [{ path: '/exports', sendWithoutReview: true } as never] })
    const id = addCase(test, 'incomplete', { fields: {} })
    const seen = seenNow(test, id)
    const sources = { history_number: 'person', visit_date: 'person' } as const
    test.outbox.setContent(id, { fields: COMPLETE, sources, reasons: [] }, MORNING)
    expect(outcome(await test.call('submissions.approve', { ids: [id], seen }))[1]).toEqual({
      [id]: 'changed',
    })
    expect(stateOf(test, id)).toBe('review')
  })

  it('says so of a case that waits already with other content, and nothing of one that waits as shown', async () => {
    const test = await partsWith()
    const id = addCase(test, 'waiting')
    const seen = seenNow(test, id)
    expect(outcome(await test.call('submissions.approve', { ids: [id], seen }))).toEqual([[id], {}])
    const other = await test.call('submissions.approve', { ids: [id], seen: { [id]: '0'.repeat(64) } })
    expect(outcome(other)).toEqual([[], { [id]: 'changed' }])
    expect(stateOf(test, id)).toBe('waiting')
  })
})

function setEye(test: TestParts, id: string): void {
  for (const image of test.outbox.imageRowsOf(id))
    test.outbox.setEye(image.id, { eye: 'left', source: 'person', statements: null })
}

describe('a case that rests on a proposal', () => {
  it('is approved alone, and needs a look among others, which pass', async () => {
    const test = await partsWith()
    const [proposal, proven] = [addProposal(test), addCase(test, 'review')]
    const ids = [proposal, proven]
    expect(outcome(await test.call('submissions.approve', { ids, seen: seenNow(test, ...ids) }))).toEqual([
      [proven],
      { [proposal]: 'needsLook' },
    ])
    expect(stateOf(test, proposal)).toBe('review')
    // The same id twice is one case.
    const alone = { ids: [proposal, proposal], seen: seenNow(test, proposal) }
    expect(outcome(await test.call('submissions.approve', alone))[1]).toEqual({})
    expect(stateOf(test, proposal)).toBe('waiting')
  })

  it('that has changed is refused for that, whatever else it needs', async () => {
    const test = await partsWith()
    const [id, other] = [addProposal(test), addCase(test, 'review')]
    const seen = seenNow(test, id, other)
    setEye(test, id)
    setEyes(test, id, 'fileName')
    expect(outcome(await test.call('submissions.approve', { ids: [id, other], seen }))[1]).toEqual({
      [id]: 'changed',
    })
  })
})

it('needs a look at a case that the caller did not show', async () => {
  const test = await partsWith()
  const [shown, hidden] = [addCase(test, 'review'), addCase(test, 'review')]
  const call = { ids: [shown, hidden], seen: seenNow(test, shown) }
  expect(outcome(await test.call('submissions.approve', call))).toEqual([[shown], { [hidden]: 'needsLook' }])
})

describe('an approval by a script, which shows nothing', () => {
  it('passes, also of proposals, and is known as a script’s', async () => {
    const test = await partsWith()
    const ids = [addProposal(test), addCase(test, 'review')]
    expect(outcome(await test.call('submissions.approve', { ids, by: 'AB' }))).toEqual([ids, {}])
    for (const id of ids) {
      expect(stateOf(test, id)).toBe('waiting')
      expect(test.outbox.rowOf(id)?.approved_via).toBe('script')
      expect(trailOf(test, id)[0]).toMatchObject({ what: 'approved', details: { via: 'script' } })
    }
  })

  it('is of what is stored: a case that reads otherwise by now is reviewed again', async () => {
    const test = await partsWith()
    const id = addCase(test, 'review', { fields: { history_number: 'H-1' }, images: ['H-1/OD_1.jpg'] })
    addEye(test, id, { fileName: 'H-1/20261119_OD_2.jpg', eye: 'left' })
    expect(outcome(await test.call('submissions.approve', { ids: [id] }))[1]).toEqual({ [id]: 'changed' })
    expect(outcome(await test.call('submissions.approve', { ids: [id] }))).toEqual([[id], {}])
  })
})

it('goes back to a person if its files prove less by now, although they state the same', async () => {
  const test = await partsWith()
  const [weaker, same] = [addCase(test, 'waiting', { images: ['H-1/OD_1.jpg'] }), addCase(test, 'waiting')]
  for (const { id, eye } of test.outbox.imageRowsOf(weaker))
    test.outbox.setEye(id, { eye, source: 'fileName', statements: null })
  const digest = test.outbox.candidateOf(weaker)?.digest
  const context = { outbox: test.outbox, clock: test.clock, settings: () => test.parts.settings.current() }
  refreshSubmissions(context, new Set([weaker, same]))
  expect(test.outbox.candidateOf(weaker)?.digest).toBe(digest)
  expect([stateOf(test, weaker), stateOf(test, same)]).toEqual(['review', 'waiting'])
})
