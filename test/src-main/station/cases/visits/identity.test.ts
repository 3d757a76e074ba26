import { afterAll, describe, expect, it } from 'vitest'
import {
  composeContent,
  type ComposedContent,
  type ContentInput,
  type Statements,
} from '../../../../../src-main/station/cases/content.ts'
import { type ContentFacts } from '../../../../../src-main/station/cases/meaning/sources.ts'
import { localDate } from '../../../../../src-main/station/cases/meaning/dates.ts'
import {
  visitFolderOf,
  type VisitIdentity,
  visitIdentityFor,
  voicesOnDay,
  voicesOnPatient,
} from '../../../../../src-main/station/cases/visits/identity.ts'
import type { ImageFile } from '../../../../../src-main/station/cases/visits/reads.ts'
import { openDryRunOutbox } from '../../../../../src-main/station/outbox/open-outbox.ts'
import type { Fields } from '../../../../../src-shared/fields.ts'
import { settingsSchema } from '../../../../../src-shared/settings.ts'
import { MORNING } from '../../../../tools/outbox-with.ts'
import { picture } from '../verdict/pictures.ts'

const NOTHING = { birthDate: null, eye: null, sopUid: null, view: null, device: null, rejected: [] }

const factsOf = (fields: Fields, more: Partial<ContentFacts> = {}): ContentFacts => ({
  ...NOTHING,
  capturedAt: null,
  fields,
  ...more,
})

const id = (history_number: string, visit_date?: string): Fields =>
  visit_date === undefined ? { history_number } : { history_number, visit_date }

const DAY = '2026-11-20'
const FOLDER = '/camera'

/** An image file that was written and seen on the morning of the day. */
const fileOf = (file_name: string, facts: ContentFacts | null = null): ImageFile => ({
  id: '',
  file_name,
  content_type: facts === null ? 'image/jpeg' : 'application/dicom',
  size_bytes: 1,
  mtime_ms: MORNING,
  added_at: MORNING,
  imported_at: null,
  facts: facts && JSON.stringify(facts),
  grey: null,
  record_id: null,
})

const settings = settingsSchema.parse({ folders: [{ path: FOLDER }] })
const test = openDryRunOutbox()
afterAll(() => test.close())

/** What one image claims in an outbox that knows nothing else. */
function groupIn(...files: readonly ImageFile[]): VisitIdentity {
  return visitIdentityFor({ outbox: test.outbox, settings: () => settings, folderPath: FOLDER }, files)
}

describe('an image joins the case', () => {
  const dicom = (name: string, fields: Fields, more: Partial<ContentFacts> = {}): ImageFile =>
    fileOf(name, factsOf(fields, more))
  const DATED = fileOf('H-00017_20261120/1.jpg')
  const studyUid = '1.2.840.99999.1'

  it.each<readonly [string, ImageFile, ImageFile, boolean]>([
    ['of its patient and day, wherever stated', DATED, dicom('x/1.dcm', id('h-00017', DAY)), true],
    ['not of another day', DATED, fileOf('H-00017_20261119/1.jpg'), false],
    ['not of another patient', DATED, fileOf('H-00018_20261120/1.jpg'), false],
    [
      'of the patient that it states, whatever its name says',
      dicom('H-00018/1.dcm', id('H-00017', DAY)),
      DATED,
      true,
    ],
    [
      'of its study if it has no number',
      dicom('a/1.dcm', {}, { studyUid }),
      dicom('b/2.dcm', {}, { studyUid }),
      true,
    ],
    [
      'not of another study',
      dicom('a/1.dcm', {}, { studyUid }),
      dicom('a/2.dcm', {}, { studyUid: '1.2.3' }),
      false,
    ],
    ['of a folder of its own', fileOf('Ana Lopez/OD/1.jpg'), fileOf('Ana Lopez/2.jpg'), true],
    ['of no one, if its number is a placeholder', dicom('a/1.dcm', id('000000', DAY)), DATED, false],
  ])('%s', (_what, one, other, isTogether) => {
    expect(groupIn(one).key === groupIn(other).key).toBe(isTogether)
  })

  it('of its burst only, if nothing but the place holds it', () => {
    expect(groupIn(fileOf('IMG_0001.jpg')).isLoose).toBe(true)
    expect(groupIn(fileOf('inbox/IMG_0001.jpg')).isLoose).toBe(true)
    for (const file of [DATED, fileOf('Ana Lopez/1.jpg'), dicom('a/1.dcm', {}, { studyUid })])
      expect(groupIn(file).isLoose).toBe(false)
  })

  it('of neither patient, if its files state two', () => {
    const two = groupIn(dicom('x/1.dcm', id('H-11')), dicom('x/1.jpg', id('H-12')))
    for (const one of ['H-11', 'H-12']) expect(groupIn(dicom('x/1.dcm', id(one))).key).not.toBe(two.key)
  })
})

it('the day of a visit is what proves it, then what names say, then the time of the file', () => {
  const dayOf = (file: ImageFile): unknown => groupIn(file).visitDate
  const yesterday = factsOf({ visit_date: '2026-11-19' })
  expect(dayOf(fileOf('x/1.dcm', yesterday))).toEqual({ value: '2026-11-19', source: 'dicom' })
  expect(dayOf(fileOf('20261119/1.jpg'))).toEqual({ value: '2026-11-19', source: 'folderName' })
  expect(dayOf(fileOf('x/1.jpg'))).toEqual({ value: localDate(MORNING), source: 'fileTime' })
  // Two that differ are none.
  expect(dayOf(fileOf('20261120/1.dcm', yesterday))).toEqual({
    value: localDate(MORNING),
    source: 'fileTime',
  })
})

it('an image was taken when the camera says, else when its file was written', () => {
  const capturedAt = '2026-11-20T08:15:00'
  const takenAt = (facts: ContentFacts | null): number => groupIn(fileOf('x/1.dcm', facts)).picture.takenAt
  expect(takenAt(factsOf({}, { capturedAt }))).toBe(Date.parse(capturedAt))
  expect(takenAt(null)).toBe(MORNING)
})

describe('the patient of a case', () => {
  const COLLECTED = {
    facts: [],
    records: [],
    boundRecords: [],
    cameAt: 0,
    isTwinUnproven: false,
    reserve: null,
  }
  const proven = {
    ...picture('H-00017/1.dcm', { dicom: { id: 'H-00017', day: DAY } }),
    ...COLLECTED,
  }
  const named = {
    ...picture('H-00017_20261120/2.jpg'),
    ...COLLECTED,
  }

  it('is spoken of by every number, name and day of its images, in no order', () => {
    const person = {
      ...proven,
      people: [
        {
          value: { lastName: 'Ñu', firstName: null, birthDate: null, sex: null },
          source: 'dicom',
          where: 'x',
        } as const,
      ],
    }
    expect(voicesOnPatient([person, named])).toEqual(voicesOnPatient([named, person]))
    expect(voicesOnPatient([person])).toEqual(['h00017', 'ñu  '])
    expect(voicesOnDay([proven, named])).toEqual([DAY])
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

it('the folder of a visit is above those that only divide it', () => {
  expect(['v/1.jpg', 'v/OD/1.jpg', 'v/FOP/OS/1.jpg', '1.jpg', 'OD/1.jpg'].map(visitFolderOf)).toEqual([
    'v',
    'v',
    'v',
    '',
    '',
  ])
})
