import { describe, expect, it } from 'vitest'
import {
  composeContent,
  type ComposedContent,
  type ContentFacts,
  type ContentInput,
  type Sidecar,
  type Statements,
} from '../../../../../src-main/station/intake/evidence.ts'
import { readPath } from '../../../../../src-main/station/intake/names/group.ts'
import {
  identityOf,
  localDate,
  localTime,
  minutesBetween,
  type VisitEvidence,
  type VisitIdentity,
  visitIdentityOf,
} from '../../../../../src-main/station/intake/visits/identity.ts'
import type { Fields } from '../../../../../src-shared/fields.ts'

const NOTHING = { birthDate: null, eye: null, sopUid: null, view: null, device: null, rejected: [] }

const factsOf = (fields: Fields, capturedAt: string | null = null): ContentFacts => ({
  ...NOTHING,
  fields,
  capturedAt,
})

const NO_FILES = { birthDate: null, files: [], eyes: {}, rejected: [], ignoredCount: 0 }

const recordOf = (fields: Fields): Sidecar => ({ ...NO_FILES, fields })

const id = (history_number: string, visit_date?: string): Fields =>
  visit_date === undefined ? { history_number } : { history_number, visit_date }

const ID = 'H-00017'
const DAY = '2026-11-20'

type Stated = {
  readonly names: readonly string[]
  readonly dicom?: Fields
  readonly record?: Fields
  readonly folderRecord?: Fields
  readonly ofPatient?: readonly Fields[]
  readonly capturedAt?: string
}

function identityIn(stated: Stated): VisitIdentity {
  const folderRecord =
    stated.folderRecord === undefined ? null : { id: 7, sidecar: recordOf(stated.folderRecord) }
  const evidence: VisitEvidence = {
    paths: stated.names.map((name) => readPath(null, name)),
    facts: stated.dicom === undefined ? [] : [factsOf(stated.dicom, stated.capturedAt ?? null)],
    records: [
      ...(stated.record === undefined ? [] : [recordOf(stated.record)]),
      ...(folderRecord === null ? [] : [folderRecord.sidecar]),
    ],
    folderRecord,
    recordsOfPatient: () => (stated.ofPatient ?? []).map(recordOf),
    fileTime: '2026-11-21T10:00:00',
  }
  return visitIdentityOf(evidence)
}

const patientIn = (stated: Stated): string => {
  const { historyNumber, conflict } = identityIn(stated)
  if (conflict !== null) return `conflict ${conflict.join(' ')}`
  return `${historyNumber?.value ?? 'no one'} by ${historyNumber?.source ?? 'nothing'}`
}

describe('the patient of a picture', () => {
  const path = 'H-00017_20261120/1.jpg'
  const both = (ofRecord: string, ofImage: string): Stated => ({
    names: ['x/1.dcm'],
    record: id(ofRecord),
    dicom: id(ofImage),
  })
  it.each<readonly [string, Stated, string]>([
    ['is whom the folder names', { names: [path] }, 'H-00017 by folderName'],
    ['is no one if nothing names one', { names: ['a/IMG_1.jpg'] }, 'no one by nothing'],
    ['is whom the image states', { names: ['x/IMG_1.dcm'], dicom: id('H-9') }, 'H-9 by dicom'],
    ['is of a data file before the image', both('H-9', 'h-9'), 'H-9 by sidecar'],
    ['is asked of image and name', { names: [path], dicom: id('H-00018') }, 'conflict H-00018 H-00017'],
    ['is of the image in any other folder', { names: [path], dicom: id('4711') }, '4711 by dicom'],
    ['is asked where data and image disagree', both('H-1', 'Q-2'), 'conflict H-1 Q-2'],
    ['is one, with a prefix or without', both('004512', 'HC-004512'), '004512 by sidecar'],
    [
      'is asked where two names disagree',
      { names: [path, 'H-00018_20261120/1.jpg'] },
      'conflict H-00017 H-00018',
    ],
  ])('%s', (_what, stated, expected) => {
    expect(patientIn(stated)).toBe(expected)
  })
})

describe('the visit of a picture', () => {
  const day = (stated: Stated): string => {
    const { value, source } = identityIn(stated).visitDate
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

  it('keeps days apart where only the time of the file states them', () => {
    expect(identityIn({ names: ['H-00017/1.jpg'] }).key).toBe('["patient","h-00017","2026-11-21"]')
  })

  it('is completed by a row about the patient, if the rows leave no choice', () => {
    const names = ['H-00017/1.jpg']
    expect(day({ names, ofPatient: [{ visit_date: '2026-11-02' }] })).toBe('2026-11-02 by sidecar')
    expect(day({ names, ofPatient: [{ visit_date: '2026-11-02' }, { visit_date: '2026-11-03' }] })).toBe(
      '2026-11-21 by fileTime',
    )
    const dated = identityIn({
      names: ['H-00017_20261120/1.jpg'],
      ofPatient: [{ visit_date: '2026-11-02' }, { visit_date: '2026-11-20', age: 61 }],
    })
    expect(dated.records).toEqual([recordOf({ visit_date: '2026-11-20', age: 61 })])
  })
})

describe('pictures belong together', () => {
  const DATED = { names: ['H-00017_20261120/1.jpg'] }
  const inFolder = (name: string, folderRecord: Fields): Stated => ({ names: [name], folderRecord })
  const stating = (name: string): Stated => ({ names: [name], dicom: id('H-00017', DAY) })
  it.each<readonly [string, Stated, Stated, boolean]>([
    ['by patient and day, wherever stated', DATED, { names: ['x/1.dcm'], dicom: id('h-00017', DAY) }, true],
    ['not on two days', DATED, { names: ['H-00017_20261119/1.jpg'] }, false],
    ['by a data file', inFolder('v/H-00017.jpg', id('47')), inFolder('v/H-00018.jpg', id('47')), true],
    ['by one of no one', inFolder('v/1.jpg', { age: 61 }), inFolder('v/2.jpg', { age: 61 }), true],
    ['not if a name contradicts', stating('H-00017/1.dcm'), stating('H-00018/1.dcm'), false],
    ['not loosely in the watched folder', { names: ['IMG_1.jpg'] }, { names: ['IMG_2.jpg'] }, false],
  ])('%s', (_what, one, other, isTogether) => {
    expect(identityIn(one).key === identityIn(other).key).toBe(isTogether)
  })
})

it('was taken when the camera says, else when its name says, else when its file was written', () => {
  const names = ['H-00017_20261120/1.dcm']
  expect(identityIn({ names, dicom: {}, capturedAt: '2026-11-20T08:15:00' }).takenAt).toBe(
    '2026-11-20T08:15:00',
  )
  expect(identityIn({ names }).takenAt).toBe('2026-11-21T10:00:00')
})

/** A picture of which only its names say anything, unless it says otherwise. */
const named = (stated: Partial<VisitIdentity> = {}): VisitIdentity => ({
  key: 'key',
  historyNumber: { value: ID, source: 'fileName' },
  visitDate: { value: DAY, source: 'fileName' },
  conflict: null,
  idsInPaths: [ID],
  statedIds: [],
  records: [],
  takenAt: `${DAY}T09:00:00`,
  ...stated,
})

const dicom = named({
  historyNumber: { value: ID, source: 'dicom' },
  visitDate: { value: DAY, source: 'dicom' },
  statedIds: [ID],
})

describe('what only the names of some image say', () => {
  const BY_TIME = { value: DAY, source: 'fileTime' } as const
  it.each<readonly [string, readonly VisitIdentity[], readonly string[]]>([
    ['is nothing where each image states it', [dicom, dicom], []],
    ['is nothing if a data file states it', [named({ records: [recordOf(id(ID, DAY))] })], []],
    ['is all of an image with names alone', [dicom, named()], ['patient', 'visitDay']],
    ['is the patient', [dicom, named({ records: [recordOf({ visit_date: DAY })] })], ['patient']],
    ['is the day beside a stated patient', [named({ records: [recordOf(id(ID))] })], ['visitDay']],
    ['is the day of the file', [{ ...dicom, visitDate: BY_TIME }], ['visitDay']],
  ])('%s', (_what, identities, namedOnly) => {
    expect(identityOf(identities, { isAddendumAccepted: false }).namedOnly).toEqual(namedOnly)
  })
})

const FROM_NAMES: Statements = {
  history_number: [{ source: 'folderName', value: 'H-00017' }],
  visit_date: [{ source: 'fileName', value: '2026-11-20' }],
}

const composed = (stated: Partial<ContentInput>): ComposedContent =>
  composeContent({ fields: {}, sources: {}, statements: {}, dayOfFiles: null, ...stated })

describe('the content of a submission', () => {
  it('is nothing if no one says anything', () => {
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
      fields: id('H-1'),
      sources: { history_number: 'person', age: 'person' },
      statements,
    })
    expect(found).toMatchObject({
      fields: id('H-1'),
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

  it("takes a file's time for the visit date only if nothing states one", () => {
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

it("writes days and times of this workstation's calendar", () => {
  const morning = new Date(2026, 0, 3, 0, 0, 1).getTime()
  const evening = new Date(2026, 10, 20, 23, 59, 59).getTime()
  expect([localDate(morning), localDate(evening)]).toEqual(['2026-01-03', '2026-11-20'])
  expect([localTime(morning), localTime(evening)]).toEqual(['2026-01-03T00:00:01', '2026-11-20T23:59:59'])
})

it('counts the minutes between two times, in either order, and none if one is no time', () => {
  expect(minutesBetween('2026-01-03T10:00:00', '2026-01-03T12:30:00')).toBe(150)
  expect(minutesBetween('2026-01-04T00:10:00', '2026-01-03T23:50:00')).toBe(20)
  expect(minutesBetween('2026-01-04T25:10:00', '2026-01-03T23:50:00')).toBe(Infinity)
})
