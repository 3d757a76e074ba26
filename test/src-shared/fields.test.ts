import { describe, expect, it } from 'vitest'
import {
  FIELD_NAMES,
  fieldChangesSchema,
  fieldNameSchema,
  fieldsSchema,
  isCalendarDate,
  isFieldName,
  measurementOf,
} from '../../src-shared/fields.ts'

/** Copied from the published interface, so that a renamed field is noticed. */
const OF_THE_INTERFACE = [
  'history_number first_name last_name gender age diabetes visit_date visit_reason',
  'ophthalmic_antecedents other_relevant_info retinologist_notes',
  'od_iop od_va od_axis od_cylinder od_sphere od_add od_prism od_prism_base',
  'os_iop os_va os_axis os_cylinder os_sphere os_add os_prism os_prism_base',
]
  .join(' ')
  .split(' ')

describe('the fields of a case', () => {
  it("have exactly the interface's names", () => {
    expect(new Set(FIELD_NAMES)).toEqual(new Set(OF_THE_INTERFACE))
  })

  it('know their own names and no others', () => {
    expect(FIELD_NAMES.every((name) => isFieldName(name) && fieldNameSchema.safeParse(name).success)).toBe(
      true,
    )
    for (const name of ['callback_url', 'images[]', 'toString', '__proto__', ''])
      expect(isFieldName(name)).toBe(false)
  })

  it('say the eye and the measurement, and neither of a patient field', () => {
    expect(measurementOf('od_prism_base')).toEqual({ eye: 'right', measurement: 'prism_base' })
    expect(measurementOf('os_iop')).toEqual({ eye: 'left', measurement: 'iop' })
    expect(measurementOf('age')).toBeNull()
    expect(measurementOf('other_relevant_info')).toBeNull()
  })

  it('take zero, and take nothing for a number that is none', () => {
    expect(fieldsSchema.parse({ gender: 0, age: 0, od_iop: 0 })).toEqual({ gender: 0, age: 0, od_iop: 0 })
    for (const wrong of [
      { gender: 2 },
      { gender: '0' },
      { diabetes: true },
      { age: '50' },
      { od_iop: Number.NaN },
      { od_va: Number.POSITIVE_INFINITY },
      { history_number: 17 },
      { visit_date: '20/11/2026' },
    ])
      expect(fieldsSchema.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
  })

  it('leave out what is no field, and take a statement back with null in a change only', () => {
    const stated = { history_number: 'H-1', callback_url: 'https://x.example' }
    expect(fieldsSchema.parse(stated)).toEqual({ history_number: 'H-1' })
    expect(fieldChangesSchema.parse({ age: null, gender: 1 })).toEqual({ age: null, gender: 1 })
    expect(fieldsSchema.safeParse({ age: null }).success).toBe(false)
  })
})

describe('a calendar date', () => {
  const REAL = '2026-11-20 2024-02-29 2000-02-29 1931-01-01 2026-12-31'.split(' ')
  const WRONG =
    `2026-02-29|1900-02-29|2026-04-31|2026-00-10|2026-13-01|2026-11-00|2026-11-32|2026-1-2|20261120|
2026-11-20|2026-11-20T00:00| 2026-11-20|+2026-11-20|0026-11-20|`.split('|')

  it('exists in the calendar, and is written in one way', () => {
    expect([...REAL, ...WRONG].filter(isCalendarDate)).toEqual(REAL)
  })
})
