import { describe, expect, it } from 'vitest'
import type { Sidecar } from '../../../../../src-main/station/intake/evidence.ts'
import { identityOf, type VisitIdentity } from '../../../../../src-main/station/intake/visits/identity.ts'

const ID = 'H-00017'
const DAY = '2026-11-20'

const record = (fields: Sidecar['fields']): Sidecar => ({
  fields,
  birthDate: null,
  files: [],
  eyes: {},
  rejected: [],
  ignoredCount: 0,
})

/** A picture of which only its names say anything, unless it says otherwise. */
const claim = (given: Partial<VisitIdentity> = {}): VisitIdentity => ({
  key: 'key',
  historyNumber: { value: ID, source: 'fileName' },
  visitDate: { value: DAY, source: 'fileName' },
  certainty: 'agreed',
  conflict: null,
  idsInPaths: [ID],
  statedIds: [],
  records: [],
  takenAt: `${DAY}T09:00:00`,
  ...given,
})

const dicom = claim({
  historyNumber: { value: ID, source: 'dicom' },
  visitDate: { value: DAY, source: 'dicom' },
  statedIds: [ID],
})

describe('what only the names of some image say', () => {
  it.each<readonly [string, readonly VisitIdentity[], readonly string[]]>([
    ['is nothing where each image states it', [dicom, dicom], []],
    [
      'is nothing where a data file states it',
      [claim({ records: [record({ history_number: ID, visit_date: DAY })] })],
      [],
    ],
    [
      'is all of an image with names alone, also beside one that states it',
      [dicom, claim()],
      ['patient', 'visitDay'],
    ],
    [
      'is the patient where its data file states the day only',
      [dicom, claim({ records: [record({ visit_date: DAY })] })],
      ['patient'],
    ],
    [
      'is the day where its data file states the patient only',
      [claim({ records: [record({ history_number: ID })] })],
      ['visitDay'],
    ],
    [
      'is the day of the file, too',
      [{ ...dicom, visitDate: { value: DAY, source: 'fileTime' } }],
      ['visitDay'],
    ],
  ])('%s', (_what, claims, namedOnly) => {
    expect(identityOf(claims, { isAddendumAccepted: false }).namedOnly).toEqual(namedOnly)
  })
})
