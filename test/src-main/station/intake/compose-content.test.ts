import { describe, expect, it } from 'vitest'
import {
  composeContent,
  localDate,
  type ContentStatements,
} from '../../../../src-main/station/intake/compose-content.ts'
import type { Sidecar } from '../../../../src-main/station/intake/recognition.ts'
import { NO_IDENTITY } from '../../../tools/outbox-with.ts'

const FROM_NAMES = {
  ...NO_IDENTITY,
  historyNumber: 'H-00017',
  historyNumberSource: 'folderName',
  visitDate: '2026-11-20',
  visitDateSource: 'fileName',
} as const

const sidecarOf = (fields: Sidecar['fields']): Sidecar => ({
  fields,
  birthDate: null,
  files: [],
  eyes: {},
  rejected: [],
  ignoredCount: 0,
})

const composed = (given: Partial<ContentStatements>): ReturnType<typeof composeContent> =>
  composeContent({ fields: {}, sources: {}, identity: NO_IDENTITY, sidecar: null, ...given })

describe('the content of a submission', () => {
  it('is nothing where nobody says anything', () => {
    expect(composed({})).toEqual({ fields: {}, sources: {} })
  })

  it('is what the names say, where nobody says more', () => {
    expect(composed({ identity: FROM_NAMES })).toEqual({
      fields: { history_number: 'H-00017', visit_date: '2026-11-20' },
      sources: { history_number: 'folderName', visit_date: 'fileName' },
    })
  })

  it('is what the sidecar says, above the names, field by field, and zero counts', () => {
    const sidecar = sidecarOf({ history_number: 'H-9', gender: 0, od_iop: 0 })
    expect(composed({ identity: FROM_NAMES, sidecar })).toEqual({
      fields: { history_number: 'H-9', gender: 0, od_iop: 0, visit_date: '2026-11-20' },
      sources: { history_number: 'sidecar', gender: 'sidecar', od_iop: 'sidecar', visit_date: 'fileName' },
    })
  })

  it('is what a person says, above all, also that a field is empty', () => {
    const sidecar = sidecarOf({ history_number: 'H-9', age: 61 })
    const given = {
      fields: { history_number: 'H-1' },
      sources: { history_number: 'person', age: 'person' },
    } as const
    expect(composed({ ...given, identity: FROM_NAMES, sidecar })).toMatchObject({
      fields: { history_number: 'H-1' },
      sources: { history_number: 'person', age: 'person' },
    })
    expect(composed({ ...given, sidecar }).fields).not.toHaveProperty('age')
  })

  it('forgets what a source said that says it no longer', () => {
    const before = {
      fields: { age: 61, history_number: 'H-2' },
      sources: { age: 'sidecar', history_number: 'fileName' },
    } as const
    expect(composed(before)).toEqual({ fields: {}, sources: {} })
  })

  it("takes a file's time for the visit date only where there is no sidecar", () => {
    const identity = { ...FROM_NAMES, visitDateSource: 'fileTime' } as const
    expect(composed({ identity }).sources.visit_date).toBe('fileTime')
    expect(composed({ identity, sidecar: sidecarOf({ history_number: 'H-9' }) }).fields).not.toHaveProperty(
      'visit_date',
    )
    // Any other source of the date stays.
    expect(composed({ identity: FROM_NAMES, sidecar: sidecarOf({}) }).fields.visit_date).toBe('2026-11-20')
  })
})

it("writes a day of this workstation's calendar", () => {
  const morning = new Date(2026, 0, 3, 0, 0, 1)
  const evening = new Date(2026, 10, 20, 23, 59, 59)
  expect([localDate(morning.getTime()), localDate(evening.getTime())]).toEqual(['2026-01-03', '2026-11-20'])
})
