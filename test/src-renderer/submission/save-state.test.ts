import { describe, expect, it } from 'vitest'
import {
  maySaveWhileTyping,
  savableOf,
  type SaveProgress,
  saveStateOf,
} from '../../../src-renderer/submission/autosave.ts'

const STORED = { fields: { od_iop: 14, visit_reason: 'Control' } }

describe('what can be saved of a draft', () => {
  it('is all but what is wrong and what somebody else has changed', () => {
    const draft = { od_iop: '300', os_iop: '16', visit_reason: 'Blurred', age: '58' }
    const bases = { od_iop: 14, os_iop: undefined, visit_reason: 'Before', age: undefined }
    const savable = savableOf(draft, bases, STORED, 'decimal')
    expect(savable.changes).toEqual({ os_iop: 16, age: 58 })
    expect(savable.draft).toEqual({ os_iop: '16', age: '58' })
    expect([savable.wrong, savable.conflicts]).toEqual([['od_iop'], ['visit_reason']])
  })

  it('is nothing where nothing was changed', () => {
    expect(savableOf({ od_iop: '14' }, { od_iop: 14 }, STORED, 'decimal').changes).toEqual({})
  })
})

describe('how the form stands', () => {
  const savable = (changes: Partial<SaveProgress['savable']> = {}): SaveProgress['savable'] => ({
    changes: {},
    draft: {},
    wrong: [],
    conflicts: [],
    ...changes,
  })
  const rest = { isSaving: false, failure: null, savedAt: null }

  it.each([
    ['clean', { savable: savable(), ...rest }],
    ['saved', { savable: savable(), ...rest, savedAt: 5 }],
    ['unsaved', { savable: savable({ changes: { age: 5 } }), ...rest, savedAt: 5 }],
    ['saving', { savable: savable({ changes: { age: 5 } }), ...rest, isSaving: true }],
    ['wrong', { savable: savable({ wrong: ['age'] }), ...rest, savedAt: 5 }],
    ['conflict', { savable: savable({ wrong: ['age'], conflicts: ['od_iop'] }), ...rest }],
    ['failed', { savable: savable({ changes: { age: 5 } }), ...rest, failure: 'No.' }],
  ] as const)('%s', (kind, progress) => {
    expect(saveStateOf(progress).kind).toBe(kind)
  })
})

it('saves nothing half typed into a case that may leave at any moment', () => {
  expect((['waiting', 'collecting'] as const).map(maySaveWhileTyping)).toEqual([false, false])
  expect((['incomplete', 'review', 'held', 'refused'] as const).every(maySaveWhileTyping)).toBe(true)
})
