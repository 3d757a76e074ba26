import { expect, it } from 'vitest'
import {
  basesOf,
  draftOf,
  forgetDraft,
  giveUp,
  typeInto,
  typeOver,
} from '../../../src-renderer/submission/drafts.ts'

it('keeps what was typed while an earlier state of it was being saved, over what was saved', () => {
  typeInto('a', 'od_iop', '16', undefined)
  typeInto('a', 'visit_reason', 'Blurred', 'Control')
  const saved = draftOf('a')
  typeInto('a', 'visit_reason', 'Blurred vision', 'Control')
  expect(basesOf('a')).toEqual({ od_iop: undefined, visit_reason: 'Control' })
  forgetDraft('a', saved, { od_iop: 16, visit_reason: 'Blurred' })
  expect(draftOf('a')).toEqual({ visit_reason: 'Blurred vision' })
  expect(basesOf('a')).toEqual({ visit_reason: 'Blurred' })
})

it('keeps the drafts of different submissions apart', () => {
  typeInto('b', 'od_iop', '16', undefined)
  typeInto('c', 'od_iop', '17', undefined)
  forgetDraft('b', draftOf('b'), {})
  expect([draftOf('b'), draftOf('c')]).toEqual([{}, { od_iop: '17' }])
})

it('remembers the value that was there at the first letter', () => {
  typeInto('d', 'od_iop', '1', 14)
  typeInto('d', 'od_iop', '16', 15)
  expect(basesOf('d')).toEqual({ od_iop: 14 })
})

it('takes what a person decides about a change from elsewhere', () => {
  typeInto('e', 'od_iop', '16', 14)
  typeInto('e', 'os_iop', '17', 14)
  typeOver('e', 'od_iop', 15)
  giveUp('e', 'os_iop')
  expect([draftOf('e'), basesOf('e')]).toEqual([{ od_iop: '16' }, { od_iop: 15 }])
})
