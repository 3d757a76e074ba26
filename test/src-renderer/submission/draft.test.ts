import { describe, expect, it } from 'vitest'
import { FIELD_NAMES, HARD_RANGES, MEASUREMENTS } from '../../../src-shared/fields.ts'
import { fieldText, HALF_TYPED_DATE, readDraft, readField } from '../../../src-renderer/submission/draft.ts'

describe('a typed field', () => {
  it.each(MEASUREMENTS)('of %s may stand on its hard bounds and not beyond them', (measurement) => {
    const { min, max } = HARD_RANGES[measurement]
    for (const value of [min, max])
      expect(readField(`od_${measurement}`, String(value))).toEqual({ kind: 'value', value })
    for (const value of [min - 0.1, max + 0.1])
      expect(readField(`os_${measurement}`, String(value)).kind).toBe('problem')
  })

  it.each([
    ['age', '58', { kind: 'value', value: 58 }],
    ['age', '131', 'problem'],
    ['age', '5,5', 'problem'],
    ['visit_date', '2026-02-30', 'problem'],
    ['visit_date', HALF_TYPED_DATE, 'problem'],
    ['visit_date', '2026-11-20', { kind: 'value', value: '2026-11-20' }],
    ['gender', '0', { kind: 'value', value: 0 }],
    ['diabetes', '', { kind: 'empty' }],
    ['history_number', ' H-7 ', { kind: 'value', value: 'H-7' }],
    ['visit_reason', '  ', { kind: 'empty' }],
    ['retinologist_notes', 'x'.repeat(10_001), 'problem'],
  ] as const)('%s %j', (name, text, expected) => {
    const read = readField(name, text)
    if (typeof expected === 'string') expect(read.kind).toBe(expected)
    else expect(read).toEqual(expected)
  })
})

describe('a draft', () => {
  const stored = { history_number: 'H-7', od_sphere: 1.25, diabetes: 0 } as const

  it('changes only what differs from what is stored', () => {
    const draft = { history_number: 'H-7', od_sphere: '+1,25', os_iop: '16', diabetes: '1' }
    expect(readDraft(draft, stored)).toEqual({
      changes: { os_iop: 16, diabetes: 1 },
      changeCount: 2,
      problems: {},
    })
  })

  it('takes a statement back where a field was emptied, and states nothing where there was nothing', () => {
    expect(readDraft({ diabetes: '', os_iop: '' }, stored).changes).toEqual({ diabetes: null })
  })

  it('tells zero from nothing', () => {
    expect(readDraft({ od_sphere: '0' }, stored).changes).toEqual({ od_sphere: 0 })
  })

  it('counts what cannot be saved as a change, too', () => {
    const { changeCount, problems } = readDraft({ od_iop: '300' }, stored)
    expect([changeCount, Object.keys(problems)]).toEqual([1, ['od_iop']])
  })

  it('of stored values alone changes nothing, whatever their form', () => {
    const fields = {
      age: 58,
      gender: 1,
      od_axis: 45,
      od_sphere: -0.5,
      os_va: 0.8,
      visit_date: '2026-11-20',
    } as const
    const draft = Object.fromEntries(FIELD_NAMES.map((name) => [name, fieldText(name, fields)]))
    expect(readDraft(draft, fields)).toEqual({ changes: {}, changeCount: 0, problems: {} })
  })
})
