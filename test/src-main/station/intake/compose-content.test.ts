import { describe, expect, it } from 'vitest'
import {
  composeContent,
  type ComposedContent,
  type ContentInput,
} from '../../../../src-main/station/intake/visits/identity.ts'
import type { Statements } from '../../../../src-main/station/intake/visits/identity.ts'

const FROM_NAMES: Statements = {
  history_number: [{ source: 'folderName', value: 'H-00017' }],
  visit_date: [{ source: 'fileName', value: '2026-11-20' }],
}

const composed = (given: Partial<ContentInput>): ComposedContent =>
  composeContent({ fields: {}, sources: {}, statements: {}, dayOfFiles: null, ...given })

describe('the content of a submission', () => {
  it('is nothing where nobody says anything', () => {
    expect(composed({})).toEqual({ fields: {}, sources: {}, disagreements: [] })
  })

  it('is what is stated, by the first who states it, and zero counts', () => {
    const statements: Statements = {
      ...FROM_NAMES,
      gender: [
        { source: 'sidecar', value: 0 },
        { source: 'dicom', value: 0 },
      ],
      od_iop: [{ source: 'dicom', value: 0 }],
    }
    expect(composed({ statements })).toEqual({
      fields: { history_number: 'H-00017', visit_date: '2026-11-20', gender: 0, od_iop: 0 },
      sources: {
        history_number: 'folderName',
        visit_date: 'fileName',
        gender: 'sidecar',
        od_iop: 'dicom',
      },
      disagreements: [],
    })
  })

  it('is what a person says, above all, also that a field is empty', () => {
    const statements: Statements = {
      ...FROM_NAMES,
      age: [
        { source: 'sidecar', value: 61 },
        { source: 'dicom', value: 16 },
      ],
    }
    const found = composed({
      fields: { history_number: 'H-1' },
      sources: { history_number: 'person', age: 'person' },
      statements,
    })
    expect(found).toMatchObject({
      fields: { history_number: 'H-1' },
      sources: { history_number: 'person', age: 'person' },
      disagreements: [],
    })
    expect(found.fields).not.toHaveProperty('age')
  })

  it('forgets what a source said that says it no longer', () => {
    const before = {
      fields: { age: 61, history_number: 'H-2' },
      sources: { age: 'sidecar', history_number: 'fileName' },
    } as const
    expect(composed(before)).toEqual({ fields: {}, sources: {}, disagreements: [] })
  })

  it("takes a file's time for the visit date only where nothing states one", () => {
    expect(composed({ dayOfFiles: '2026-11-19' })).toMatchObject({
      fields: { visit_date: '2026-11-19' },
      sources: { visit_date: 'fileTime' },
    })
    expect(composed({ dayOfFiles: '2026-11-19', statements: FROM_NAMES }).fields.visit_date).toBe(
      '2026-11-20',
    )
  })
})

describe('two sources', () => {
  const both = (field: string, one: string | number, other: string | number): number =>
    composed({
      statements: {
        [field]: [
          { source: 'sidecar', value: one },
          { source: 'dicom', value: other },
        ],
      },
    }).disagreements.length

  it.each([
    ['first_name', 'Ana', 'Eva', 1],
    ['first_name', 'Ana-María', 'ANA MARIA', 0],
    ['last_name', 'López García', 'garcia lopez', 0],
    ['gender', 0, 1, 1],
    ['age', 54, 55, 0],
    ['age', 54, 56, 1],
    ['visit_date', '2026-11-20', '2026-11-21', 1],
    ['od_iop', 14, 15, 1],
    ['visit_reason', 'screening', 'control', 0],
  ] as const)('say of %s %j and %j: %i disagreement', (field, one, other, count) => {
    expect(both(field, one, other)).toBe(count)
  })
})
