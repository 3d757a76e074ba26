import { expect, it } from 'vitest'
import {
  getBases,
  getDraft,
  forgetDraft,
  dropDraftField,
  setDraftField,
  rebaseDraftField,
} from '../../../src-renderer/submission/draft.ts'

it('keeps what was typed while an earlier state of it was being saved, over what was saved', () => {
  setDraftField('a', 'od_iop', '16', undefined)
  setDraftField('a', 'visit_reason', 'Blurred', 'Control')
  const saved = getDraft('a')
  setDraftField('a', 'visit_reason', 'Blurred vision', 'Control')
  expect(getBases('a')).toEqual({ od_iop: undefined, visit_reason: 'Control' })
  forgetDraft('a', saved, { od_iop: 16, visit_reason: 'Blurred' })
  expect(getDraft('a')).toEqual({ visit_reason: 'Blurred vision' })
  expect(getBases('a')).toEqual({ visit_reason: 'Blurred' })
})

it('keeps the drafts of different submissions apart', () => {
  setDraftField('b', 'od_iop', '16', undefined)
  setDraftField('c', 'od_iop', '17', undefined)
  forgetDraft('b', getDraft('b'), {})
  expect([getDraft('b'), getDraft('c')]).toEqual([{}, { od_iop: '17' }])
})

it('remembers the value that was there at the first letter', () => {
  setDraftField('d', 'od_iop', '1', 14)
  setDraftField('d', 'od_iop', '16', 15)
  expect(getBases('d')).toEqual({ od_iop: 14 })
})

it('takes what a person decides about a change from elsewhere', () => {
  setDraftField('e', 'od_iop', '16', 14)
  setDraftField('e', 'os_iop', '17', 14)
  rebaseDraftField('e', 'od_iop', 15)
  dropDraftField('e', 'os_iop')
  expect([getDraft('e'), getBases('e')]).toEqual([{ od_iop: '16' }, { od_iop: 15 }])
})
