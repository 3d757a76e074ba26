import { expect, it } from 'vitest'
import { mergeCautions, mergeObstacle, mergeOrder } from '../../../src-renderer/queue/selection-dialogs.tsx'
import { SUBMISSION_STATES } from '../../../src-shared/states.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { syntheticSubmission } from '../synthetic-submission.ts'

const one = (id: string, rest: Partial<Submission> = {}): Submission => syntheticSubmission(id, rest)

it('joins into the oldest', () => {
  const ordered = mergeOrder([one('b', { addedAt: 2_000 }), one('a', { addedAt: 1_000 })])
  expect(ordered.map(({ id }) => id)).toEqual(['a', 'b'])
})

it.each(SUBMISSION_STATES)('judges a case that is %s', (state) => {
  const hasItsImages = ['sending', 'unconfirmed', 'sent', 'discarded'].includes(state)
  expect(mergeObstacle([one('a'), one('b', { state })])).toBe(hasItsImages ? 'onItsWay' : null)
})

it('does not join over centers', () => {
  expect(mergeObstacle([one('a', { centerId: '1' }), one('b', { centerId: '2' })])).toBe('centers')
})

it.each<[string, Submission['fields'], Submission['fields'], string[]]>([
  ['nothing is known', {}, {}, []],
  ['one says nothing', { history_number: '1', visit_date: '2026-11-20' }, {}, []],
  ['all is alike', { history_number: '1', last_name: 'Ana' }, { history_number: '1', last_name: 'ANA ' }, []],
  ['numbers differ', { history_number: '1' }, { history_number: '2' }, ['numbers']],
  ['first names differ', { first_name: 'Ana' }, { first_name: 'Eva' }, ['names']],
  ['days differ', { visit_date: '2026-11-20' }, { visit_date: '2026-11-21' }, ['days']],
])('warns where %s', (_what, fields, others, expected) => {
  expect(mergeCautions([one('a', { fields }), one('b', { fields: others })])).toEqual(expected)
})
