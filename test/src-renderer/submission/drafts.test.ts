import { expect, it } from 'vitest'
import { draftOf, forgetDraft, typeInto } from '../../../src-renderer/submission/drafts.ts'

it('keeps what was typed while an earlier state of it was being saved', () => {
  typeInto('a', 'od_iop', '16')
  typeInto('a', 'visit_reason', 'Blurred')
  const saved = draftOf('a')
  typeInto('a', 'visit_reason', 'Blurred vision')
  forgetDraft('a', saved)
  expect(draftOf('a')).toEqual({ visit_reason: 'Blurred vision' })
})

it('keeps the drafts of different submissions apart', () => {
  typeInto('b', 'od_iop', '16')
  typeInto('c', 'od_iop', '17')
  forgetDraft('b', draftOf('b'))
  expect([draftOf('b'), draftOf('c')]).toEqual([{}, { od_iop: '17' }])
})
