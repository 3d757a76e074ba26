import { describe, expect, it } from 'vitest'
import type { ContentFacts, Sidecar } from '../../../../../src-main/station/intake/evidence.ts'
import { readPath } from '../../../../../src-main/station/intake/names/group.ts'
import {
  type VisitEvidence,
  type VisitIdentity,
  visitIdentityOf,
} from '../../../../../src-main/station/intake/visits/identity.ts'
import type { Fields } from '../../../../../src-shared/fields.ts'

const AUTO = { profile: null, isOwnProfile: false }

const factsOf = (fields: Fields, capturedAt: string | null = null): ContentFacts => ({
  fields,
  birthDate: null,
  eye: null,
  capturedAt,
  sopUid: null,
  view: null,
  device: null,
  rejected: [],
})

const recordOf = (fields: Fields): Sidecar => ({
  fields,
  birthDate: null,
  files: [],
  eyes: {},
  rejected: [],
  ignoredCount: 0,
})

type Given = {
  readonly names: readonly string[]
  readonly dicom?: Fields
  readonly record?: Fields
  readonly folderRecord?: Fields
  readonly ofPatient?: readonly Fields[]
  readonly capturedAt?: string
}

function claim(given: Given): VisitIdentity {
  const folderRecord =
    given.folderRecord === undefined ? null : { id: 7, sidecar: recordOf(given.folderRecord) }
  const exposure: VisitEvidence = {
    paths: given.names.map((name) => readPath(AUTO, name)),
    facts: given.dicom === undefined ? [] : [factsOf(given.dicom, given.capturedAt ?? null)],
    records: [
      ...(given.record === undefined ? [] : [recordOf(given.record)]),
      ...(folderRecord === null ? [] : [folderRecord.sidecar]),
    ],
    folderRecord,
    recordsOfPatient: () => (given.ofPatient ?? []).map(recordOf),
    fileTime: '2026-11-21T10:00:00',
  }
  return visitIdentityOf(exposure)
}

const patientIn = (given: Given): string => {
  const { historyNumber, conflict } = claim(given)
  return conflict === null
    ? `${historyNumber?.value ?? 'nobody'} by ${historyNumber?.source ?? 'nothing'}`
    : `conflict ${conflict.join(' ')}`
}

describe('the patient of a picture', () => {
  const path = 'H-00017_20261120/1.jpg'
  it.each<readonly [string, Given, string]>([
    ['is whom the folder names', { names: [path] }, 'H-00017 by folderName'],
    ['is nobody where nothing names one', { names: ['a/IMG_1.jpg'] }, 'nobody by nothing'],
    [
      'is whom the image states',
      { names: ['x/IMG_1.dcm'], dicom: { history_number: 'H-9' } },
      'H-9 by dicom',
    ],
    [
      'is whom a data file states, before the image',
      { names: ['x/1.dcm'], record: { history_number: 'H-9' }, dicom: { history_number: 'h-9' } },
      'H-9 by sidecar',
    ],
    [
      'is asked where the image contradicts a name of the same shape',
      { names: [path], dicom: { history_number: 'H-00018' } },
      'conflict H-00018 H-00017',
    ],
    [
      'is whom the image states where the folder is called otherwise',
      { names: [path], dicom: { history_number: '4711' } },
      '4711 by dicom',
    ],
    [
      'is asked where data file and image disagree',
      { names: ['x/1.dcm'], record: { history_number: 'H-1' }, dicom: { history_number: 'Q-2' } },
      'conflict H-1 Q-2',
    ],
    [
      'is one, with or without the prefix of a clinic',
      { names: ['x/1.dcm'], record: { history_number: '004512' }, dicom: { history_number: 'HC-004512' } },
      '004512 by sidecar',
    ],
    [
      'is asked where two names of one picture disagree',
      { names: ['H-00017_20261120/1.jpg', 'H-00018_20261120/1.jpg'] },
      'conflict H-00017 H-00018',
    ],
  ])('%s', (_what, given, expected) => {
    expect(patientIn(given)).toBe(expected)
  })
})

describe('the visit of a picture', () => {
  const day = (given: Given): string => {
    const { value, source } = claim(given).visitDate
    return `${value} by ${source}`
  }

  it('is the day that a data file states, then the image, then the names, then the time of the file', () => {
    const names = ['H-00017_20261120/1.dcm']
    const [dicom, record] = [{ visit_date: '2026-11-19' }, { visit_date: '2026-11-18' }]
    expect(day({ names, dicom, record })).toBe('2026-11-18 by sidecar')
    expect(day({ names, dicom })).toBe('2026-11-19 by dicom')
    expect(day({ names })).toBe('2026-11-20 by folderName')
    expect(day({ names: ['H-00017/1.jpg'] })).toBe('2026-11-21 by fileTime')
  })

  it('keeps days apart where only the time of the file tells them', () => {
    expect(claim({ names: ['H-00017/1.jpg'] }).key).toBe('["patient","h-00017","2026-11-21"]')
  })

  it('is completed by a row about the patient, where the rows leave no choice', () => {
    const names = ['H-00017/1.jpg']
    expect(day({ names, ofPatient: [{ visit_date: '2026-11-02' }] })).toBe('2026-11-02 by sidecar')
    expect(day({ names, ofPatient: [{ visit_date: '2026-11-02' }, { visit_date: '2026-11-03' }] })).toBe(
      '2026-11-21 by fileTime',
    )
    const dated = claim({
      names: ['H-00017_20261120/1.jpg'],
      ofPatient: [{ visit_date: '2026-11-02' }, { visit_date: '2026-11-20', age: 61 }],
    })
    expect(dated.records).toEqual([recordOf({ visit_date: '2026-11-20', age: 61 })])
  })
})

describe('pictures belong together', () => {
  it.each<readonly [string, Given, Given, boolean]>([
    [
      'by patient and day, wherever that is stated',
      { names: ['H-00017_20261120/1.jpg'] },
      { names: ['x/1.dcm'], dicom: { history_number: 'h-00017', visit_date: '2026-11-20' } },
      true,
    ],
    ['not on two days', { names: ['H-00017_20261120/1.jpg'] }, { names: ['H-00017_20261119/1.jpg'] }, false],
    [
      'by the data file of their folder, whatever the names say',
      { names: ['v/H-00017_1.jpg'], folderRecord: { history_number: '4711' } },
      { names: ['v/H-00018_1.jpg'], folderRecord: { history_number: '4711' } },
      true,
    ],
    [
      'by the data file of their folder that names nobody',
      { names: ['v/1.jpg'], folderRecord: { age: 61 } },
      { names: ['v/2.jpg'], folderRecord: { age: 61 } },
      true,
    ],
    [
      'not where one is contradicted by its name',
      { names: ['H-00017/1.dcm'], dicom: { history_number: 'H-00017', visit_date: '2026-11-20' } },
      { names: ['H-00018/1.dcm'], dicom: { history_number: 'H-00017', visit_date: '2026-11-20' } },
      false,
    ],
    ['not loosely in the watched folder', { names: ['IMG_1.jpg'] }, { names: ['IMG_2.jpg'] }, false],
  ])('%s', (_what, one, other, isTogether) => {
    expect(claim(one).key === claim(other).key).toBe(isTogether)
  })
})

it('was taken when the camera says, else when its name says, else when its file was written', () => {
  const names = ['H-00017_20261120/1.dcm']
  expect(claim({ names, dicom: {}, capturedAt: '2026-11-20T08:15:00' }).takenAt).toBe('2026-11-20T08:15:00')
  expect(claim({ names }).takenAt).toBe('2026-11-21T10:00:00')
})
