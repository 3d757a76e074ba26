/** Names what has changed between the case that a person saw and the one that is shown. */
import { describe, expect, it } from 'vitest'
import { type Change, changesBetween } from '../../../src-renderer/desk/desk-state.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { PROPOSED, PROVEN, syntheticImage, syntheticSubmission } from '../synthetic-submission.ts'

const { who: STATED } = PROVEN

describe('what has changed', () => {
  const eyes = { i1: STATED, i2: STATED }
  const seen = syntheticSubmission('a', {
    fields: { history_number: 'H-1', last_name: 'Demoson', visit_date: '2026-11-28', age: 61 },
    images: [syntheticImage('i1', 'right'), syntheticImage('i2', 'left')],
    verdict: { ...PROVEN, eyes },
  })
  const { fields, images, verdict } = seen
  const [first, second] = images as [Submission['images'][0], Submission['images'][0]]

  it.each<readonly [Partial<Submission>, readonly Change[]]>([
    [{ fields: { ...fields, history_number: 'H-2' } }, ['number']],
    [{ verdict: { ...verdict, who: PROPOSED.who } }, ['number']],
    [{ fields: { ...fields, last_name: 'Mocksey' } }, ['name']],
    [{ fields: { ...fields, first_name: 'Ana' } }, ['name']],
    [{ fields: { ...fields, visit_date: '2026-11-27' } }, ['day']],
    [{ verdict: { ...verdict, day: PROPOSED.who } }, ['day']],
    [{ images: [first, { ...second, eye: 'right' }] }, ['eyes']],
    [{ verdict: { ...verdict, eyes: { ...eyes, i1: PROPOSED.who } } }, ['eyes']],
    [{ images: [first], verdict: { ...verdict, eyes: { i1: STATED } } }, ['images']],
    [{ images: [...images, syntheticImage('i3', 'left')] }, ['images']],
    [{ images: [first, { ...second, excludedBecause: 'Blurred' }] }, ['images']],
    [{ images: [first, { ...second, sha256: 'another' }] }, ['images']],
    [{ fields: { ...fields, age: 16 } }, ['other']],
    [{ noImageBecause: { left: 'Prosthesis' } }, ['other']],
    [{ verdict: { ...verdict, together: PROPOSED.who } }, ['other']],
    [
      { fields: { age: 61 }, images: [{ ...first, eye: 'left' }] },
      ['number', 'name', 'day', 'eyes', 'images'],
    ],
    // The digest is another, so something is.
    [{}, ['other']],
  ])('%j is named %j', (rest, changes) => {
    expect(changesBetween(seen, { ...seen, ...rest })).toEqual(changes)
  })
})
