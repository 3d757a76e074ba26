/** What is sent is what was shown: each call after which a case may leave compares the digest that the caller showed. */
import { describe, expect, it } from 'vitest'
import type { CallName } from '../../../../src-shared/contract.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { addCase, endAttempt, loseAnswer, partsWith, type TestParts } from './parts-with.ts'
import { submissionOf } from './stated-cases.ts'

type Shown = Readonly<Record<string, string>>

type Line = readonly [
  what: string,
  call: CallName,
  /** Makes the cases; the first one is changed behind the caller's back. */
  prepare: (test: TestParts) => readonly string[],
  inputOf: (test: TestParts, ids: readonly string[]) => object,
]

const many = (_test: TestParts, ids: readonly string[]) => ({ ids })

const LINES: readonly Line[] = [
  ['approving', 'submissions.approve', (test) => [addCase(test, 'review', { images: 2 })], many],
  ['trying again at once', 'submissions.retry', (test) => [addCase(test, 'waiting')], many],
  [
    'sending a refused case again',
    'submissions.retry',
    (test) => {
      const id = addCase(test, 'waiting')
      endAttempt(test, id, 'refused', 'wasRefused', failureOf('serviceRefused'))
      return [id]
    },
    many,
  ],
  ['releasing', 'submissions.release', (test) => [addCase(test, 'held')], many],
  [
    'moving to another center',
    'submissions.moveToCenter',
    (test) => [addCase(test, 'waiting')],
    (_test, ids) => ({ ids, centerId: '102' }),
  ],
  [
    'saying that it is not there',
    'submissions.resolve',
    (test) => {
      const id = addCase(test, 'waiting')
      loseAnswer(test, id)
      return [id]
    },
    (_test, [id]) => ({ id, delivered: false }),
  ],
  ['joining', 'submissions.merge', (test) => [addCase(test, 'review'), addCase(test, 'review')], many],
  [
    'moving images away',
    'submissions.moveImages',
    (test) => [addCase(test, 'review', { images: 2 }), addCase(test, 'review')],
    (test, [from = '', toId]) => ({ imageIds: [test.outbox.imageRowsOf(from)[0]?.id], toId }),
  ],
  [
    'moving images to it',
    'submissions.moveImages',
    (test) => [addCase(test, 'review'), addCase(test, 'review', { images: 2 })],
    (test, [toId, from = '']) => ({ imageIds: [test.outbox.imageRowsOf(from)[0]?.id], toId }),
  ],
]

/** Other content or another verdict, without a change of state. */
const CHANGES: readonly (readonly [string, (test: TestParts, id: string) => void])[] = [
  [
    'a value',
    (test, id) => {
      const { fields, sources, reasons } = submissionOf(test, id)
      test.outbox.setContent(id, { fields: { ...fields, age: 71 }, sources, reasons }, 5)
    },
  ],
  [
    'an eye',
    (test, id) => {
      const [image] = test.outbox.imageRowsOf(id)
      test.outbox.setEye(image?.id ?? '', { eye: 'left', source: 'person', statements: null })
    },
  ],
  [
    'an image that is left out',
    (test, id) => test.outbox.setExcluded(test.outbox.imageRowsOf(id)[0]?.id ?? '', 'blurred'),
  ],
]

const shownOf = (test: TestParts, ids: readonly string[]): Shown =>
  Object.fromEntries(ids.map((id) => [id, submissionOf(test, id).digest]))

const statesOf = (test: TestParts, ids: readonly string[]) =>
  ids.map((id) => {
    const { state, images, centerId } = submissionOf(test, id)
    return [state, images.length, centerId]
  })

/** The kind of failure of a call on one case or on many; null if it was done. */
async function failureIn(test: TestParts, call: CallName, input: object): Promise<string | null> {
  const answer = await test.call(call, { by: 'AB', ...input })
  if (!answer.ok) return answer.failure.kind
  const value = answer.value as { readonly refused?: readonly { failure: { kind: string } }[] }
  return value.refused?.[0]?.failure.kind ?? null
}

describe.each(LINES)('%s', (_what, call, prepare, inputOf) => {
  it.each(CHANGES)('is refused after a change of %s, and does nothing', async (_name, change) => {
    const test = await partsWith()
    const ids = prepare(test)
    const seen = shownOf(test, ids)
    change(test, ids[0] ?? '')
    const before = statesOf(test, ids)
    expect(await failureIn(test, call, { ...inputOf(test, ids), seen })).toBe('changed')
    expect(statesOf(test, ids)).toEqual(before)
  })

  it('is refused for a case that was not shown', async () => {
    const test = await partsWith()
    const ids = prepare(test)
    const before = statesOf(test, ids)
    expect(await failureIn(test, call, { ...inputOf(test, ids), seen: {} })).toBe('needsLook')
    expect(statesOf(test, ids)).toEqual(before)
  })

  it('is done for what was shown, and for a script that shows nothing', async () => {
    for (const isScript of [false, true]) {
      const test = await partsWith()
      const ids = prepare(test)
      const seen = isScript ? undefined : shownOf(test, ids)
      expect(await failureIn(test, call, { ...inputOf(test, ids), seen })).toBe(null)
    }
  })
})

it('a row of the list has the digest of its page', async () => {
  const test = await partsWith()
  const ids = [addCase(test, 'review'), addCase(test, 'held'), addCase(test, 'incomplete', { fields: {} })]
  const listed = await test.call('submissions.list', {})
  if (!listed.ok) throw new Error(listed.failure.message)
  for (const { id, digest } of listed.value.items) {
    const page = await test.call('submissions.get', { id })
    expect(page).toMatchObject({ ok: true, value: { digest } })
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
  }
  expect(listed.value.items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
})
