/** Which records are bound to an image, what eyes they state for it, and what the record of a folder only proposes. */
import { describe, expect, it } from 'vitest'
import type { Eye, StatedEye } from '../../../../../src-shared/measurement-ranges.ts'
import {
  bondOf,
  doEyesDiffer,
  eyesIn,
  type HeldRecord,
} from '../../../../../src-main/station/cases/verdict/binding.ts'

import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { asking, type Circumstances, picture, TODAY, type VisitRow } from './pictures.ts'

type Says = {
  readonly files?: readonly string[]
  readonly eyes?: Record<string, Eye>
  readonly ownEyes?: readonly StatedEye[]
}

function held(path: string, { files = [], eyes = {}, ownEyes = [] }: Says = {}): HeldRecord {
  const form = path.endsWith('case.json') ? 'case' : path.endsWith('.csv') ? 'table' : 'document'
  const record = { fields: {}, birthDate: null, files, eyes, ownEyes, rejected: [] }
  return { path, form, record, onlyDoubts: false }
}

describe('a record is bound to an image', () => {
  it.each<readonly [string, HeldRecord, string, string]>([
    ['same folder and stem', held('a/K-1.json'), 'a/K-1.jpg', 'bound'],
    ['same stem, other case and normal form', held('a/Pen\u0303a.XML'), 'a/PEÑA.jpg', 'bound'],
    ['a stem of one digit, as any device counts', held('a/7.json'), 'a/7.jpg', 'hint'],
    ['a stem of three digits', held('a/012.xml'), 'a/012.dcm', 'hint'],
    ['a stem of four digits', held('a/1042.json'), 'a/1042.bmp', 'hint'],
    ['a stem of digits that it names', held('a/12.json', { files: ['12.jpg'] }), 'a/12.jpg', 'bound'],
    [
      'a stem of digits whose other file it names',
      held('a/12.json', { files: ['12.dcm'] }),
      'a/12.jpg',
      'hint',
    ],
    ['the same, on the device', held('a/12.json', { files: ['D:/x/12.tif'] }), 'a/12.jpg', 'hint'],
    ['the same, by its stem alone', held('a/12.json', { files: ['12'] }), 'a/12.jpg', 'hint'],
    [
      'its path on the device, of few digits',
      held('a/12.json', { files: ['D:/x/12.JPG'] }),
      'a/12.jpg',
      'bound',
    ],
    ['a stem of two digits with the extension', held('a/12.jpg.json'), 'a/12.jpg', 'bound'],
    ['a long number', held('a/20418.json'), 'a/20418.jpg', 'bound'],
    ['another file in it', held('a/K-1.json', { files: ['K-2.jpg'] }), 'a/K-1.jpg', 'none'],
    ['eyes of other files in it', held('a/K-1.json', { eyes: { 'K-4.jpg': 'left' } }), 'a/K-1.jpg', 'none'],
    ['another path in it', held('a/K-1.xml', { files: ['D:/out/K-11.dcm'] }), 'a/K-1.jpg', 'none'],
    ['its path on the device', held('a/K-1.json', { files: ['D:/out/K-1.JPG'] }), 'a/K-1.jpg', 'bound'],
    ['a file of its stem in another form', held('a/K-1.json', { files: ['K-1.tif'] }), 'a/K-1.jpg', 'hint'],
    ['the same, on the device', held('a/K-1.xml', { files: ['D:/out/K-1.dcm'] }), 'a/K-1.jpg', 'hint'],
    ['the same, by an eye', held('a/K-1.json', { eyes: { 'K-1.png': 'left' } }), 'a/K-1.jpg', 'hint'],
    ['it in both forms', held('a/K-1.json', { files: ['K-1.tif', 'K-1.jpg'] }), 'a/K-1.jpg', 'bound'],
    ['its stem in it', held('a/K-1.json', { files: ['k-1'] }), 'a/K-1.jpg', 'bound'],
    [
      'all files of the exam in it',
      held('a/K-1.json', { files: ['K-0.jpg', 'K-1.jpg'] }),
      'a/K-1.jpg',
      'bound',
    ],
    ['same stem, another folder', held('b/K-1.json'), 'a/K-1.jpg', 'none'],
    ['a stem that begins the same', held('a/K-1.json'), 'a/K-1_2.jpg', 'none'],
    ['a table of the same stem', held('a/K-1.csv'), 'a/K-1.jpg', 'none'],
    ['a table that names it', held('a/x.csv', { files: ['1.jpg'] }), 'a/1.jpg', 'bound'],
    ['a table that names it without its extension', held('a/x.csv', { files: ['1'] }), 'a/1', 'bound'],
    ['a table that names its path', held('x.csv', { files: ['a/OD/1.jpg'] }), 'a/OD/1.jpg', 'bound'],
    ['a table that names another path', held('x.csv', { files: ['b/1.jpg'] }), 'a/1.jpg', 'none'],
    ['a plain name, image in a division', held('a/x.csv', { files: ['1.jpg'] }), 'a/OD/1.jpg', 'bound'],
    [
      'a plain name, image in the folder of another',
      held('a/x.csv', { files: ['1.jpg'] }),
      'a/Vega Luz/1.jpg',
      'none',
    ],
    ['a plain name, image above', held('a/b/x.csv', { files: ['1.jpg'] }), 'a/1.jpg', 'none'],
    [
      'a path without one of its folders',
      held('a/x.csv', { files: ['OD/1.jpg'] }),
      'a/Retina/OD/1.jpg',
      'none',
    ],
    ['an end of the name', held('a/x.csv', { files: ['1.jpg'] }), 'a/OD/11.jpg', 'none'],
    ['a document that names it', held('a/x.json', { files: ['1.jpg'] }), 'a/1.jpg', 'bound'],
    ['an eye for its name', held('a/x.json', { eyes: { '1.jpg': 'left' } }), 'a/1.jpg', 'bound'],
    ['case.json that names it', held('a/case.json', { files: ['1.jpg'] }), 'a/1.jpg', 'bound'],
    [
      'case.json that names it by an eye',
      held('a/case.json', { eyes: { '1.jpg': 'unknown' } }),
      'a/1.jpg',
      'bound',
    ],
    ['case.json of its folder', held('a/case.json'), 'a/1.jpg', 'hint'],
    ['case.json of its folder in another form', held('Jos\u00e9/case.json'), 'jose\u0301/1.jpg', 'hint'],
    ['case.json above a division', held('a/case.json'), 'a/Retina/OD/1.jpg', 'hint'],
    ['case.json above another visit', held('a/case.json'), 'a/Vega Luz/1.jpg', 'none'],
    ['case.json beside', held('a/case.json'), 'b/1.jpg', 'none'],
    ['case.json of the watched folder', held('case.json'), '1.jpg', 'none'],
  ])('%s', (_title, record, image, bond) => {
    expect(bondOf(record, image, 'once')).toBe(bond)
  })

  it.each<readonly [string, HeldRecord, string]>([
    ['a document of the stem', held('a/K-1.json'), 'hint'],
    ['a document of the stem that names it', held('a/K-1.json', { files: ['K-1.jpg'] }), 'bound'],
    ['a table that names it', held('a/x.csv', { files: ['K-1.jpg'] }), 'bound'],
  ])('whose stem another photograph has: %s', (_title, record, bond) => {
    expect(bondOf(record, 'a/K-1.jpg', 'sharedStem')).toBe(bond)
  })

  it.each<readonly [string, HeldRecord, boolean]>([
    ['a name used for other bytes', held('a/case.json', { files: ['1.jpg'] }), true],
    ['a name used for other bytes, in a table', held('a/x.csv', { files: ['1.jpg'] }), true],
    ['a name used for other bytes, same stem', held('a/1.json'), true],
    [
      'a path that held another patient',
      { ...held('a/case.json', { files: ['1.jpg'] }), onlyDoubts: true },
      false,
    ],
  ])('as a hint only: %s', (_title, record, isReused) => {
    expect(bondOf(record, 'a/1.jpg', isReused ? 'reused' : 'once')).toBe('hint')
  })
})

describe('a plain name of several images', () => {
  it.each<readonly [string, HeldRecord, string, readonly string[], string]>([
    [
      'in two divisions',
      held('a/x.csv', { files: ['1.jpg'] }),
      'a/Color/1.jpg',
      ['a/Color/1.jpg', 'a/RedFree/1.jpg'],
      'none',
    ],
    ['in a division and beside', held('a/x.csv', { files: ['1.jpg'] }), 'a/OD/1.jpg', ['a/1.jpg'], 'none'],
    ['beside the record', held('a/x.csv', { files: ['1.jpg'] }), 'a/1.jpg', ['a/OD/1.jpg'], 'bound'],
    ['by its path', held('a/x.csv', { files: ['OD/1.jpg'] }), 'a/OD/1.jpg', ['a/OS/1.jpg'], 'bound'],
    [
      'of the folder’s record',
      held('a/case.json', { files: ['1.jpg'] }),
      'a/OD/1.jpg',
      ['a/OS/1.jpg'],
      'hint',
    ],
    ['another name', held('a/x.csv', { files: ['1.jpg'] }), 'a/OD/1.jpg', ['a/OS/2.jpg'], 'bound'],
  ])('%s', (_title, record, image, others, bond) => {
    expect(bondOf(record, image, 'once', others)).toBe(bond)
  })

  it('states the eye of none', () => {
    const record = held('a/x.csv', { eyes: { '1.jpg': 'left' } })
    expect(eyesIn(record, 'a/Color/1.jpg', ['a/RedFree/1.jpg'])).toEqual([])
    expect(eyesIn(record, 'a/Color/1.jpg', ['a/Color/2.jpg'])).toEqual(['left'])
  })
})

describe('the eyes that a record states for an image', () => {
  it.each<readonly [string, HeldRecord, readonly StatedEye[]]>([
    ['by its name', held('a/x.csv', { eyes: { '1.jpg': 'left', '2.jpg': 'right' } }), ['left']],
    ['by its name in capitals', held('a/x.csv', { eyes: { '1.JPG': 'left' } }), ['left']],
    ['unknown', held('a/x.csv', { eyes: { '1.jpg': 'unknown' } }), []],
    ['its own, same stem', held('a/1.json', { ownEyes: ['right'] }), ['right']],
    ['its own, another stem', held('a/2.json', { ownEyes: ['right'] }), []],
    ['its own, of a table', held('a/1.csv', { ownEyes: ['right'] }), []],
    [
      'two that differ',
      held('a/1.json', { eyes: { '1.jpg': 'left' }, ownEyes: ['right'] }),
      ['left', 'right'],
    ],
    ['two that agree', held('a/1.json', { eyes: { '1.jpg': 'left' }, ownEyes: ['left'] }), ['left']],
  ])('%s', (_title, record, eyes) => {
    expect(eyesIn(record, 'a/1.jpg')).toEqual(eyes)
  })
})

describe('the eyes of two records of one data file', () => {
  it.each<readonly [string, Says, Says, boolean]>([
    ['the same', { eyes: { '1.jpg': 'left' } }, { eyes: { '1.jpg': 'left', '2.jpg': 'right' } }, false],
    ['another', { eyes: { '1.jpg': 'left', '2.jpg': 'left' } }, { eyes: { '2.jpg': 'right' } }, true],
    ['in other letters', { eyes: { 'A\u00e9.jpg': 'left' } }, { eyes: { 'ae\u0301.JPG': 'right' } }, true],
    ['with a folder', { eyes: { '1.jpg': 'left' } }, { eyes: { 'OS/1.jpg': 'right' } }, true],
    [
      'with a folder, of two',
      { eyes: { '1.jpg': 'left' } },
      { eyes: { '1.jpg': 'left', 'OS/1.jpg': 'right' } },
      false,
    ],
    ['of an end of the name', { eyes: { '1.jpg': 'left' } }, { eyes: { '11.jpg': 'right' } }, false],
    ['of other files', { eyes: { '1.jpg': 'left' } }, { eyes: { '2.jpg': 'right' } }, false],
    ['unknown before', { eyes: { '1.jpg': 'unknown' } }, { eyes: { '1.jpg': 'right' } }, false],
    ['its own, another', { ownEyes: ['left'] }, { ownEyes: ['right'] }, true],
    ['its own, one of both', { ownEyes: ['left', 'right'] }, { ownEyes: ['right'] }, false],
    ['its own, none before', {}, { ownEyes: ['right'] }, false],
  ])('%s', (_title, one, other, expected) => {
    const [before, now] = [held('a/1.json', one).record, held('a/1.json', other).record]
    expect(doEyesDiffer(before, now)).toBe(expected)
    expect(doEyesDiffer(now, before)).toBe(expected)
  })
})

describe('the record of a folder that is written over', () => {
  const record = (files: readonly string[] = []): HeldRecord['record'] => ({
    fields: {},
    birthDate: null,
    files,
    eyes: {},
    rejected: [],
  })

  const bonds: readonly (readonly [
    title: string,
    held: HeldRecord,
    image: string,
    isReused: boolean,
    bond: string,
  ])[] = [
    [
      'an image that it names',
      { path: 'heute/case.json', form: 'case', record: record(['OI.jpg']), onlyDoubts: false },
      'heute/OI.jpg',
      false,
      'bound',
    ],
    [
      'a name that was used before',
      { path: 'heute/case.json', form: 'case', record: record(['OI.jpg']), onlyDoubts: false },
      'heute/OI.jpg',
      true,
      'hint',
    ],
    [
      'a record that was of another patient',
      { path: 'heute/case.json', form: 'case', record: record(['OI.jpg']), onlyDoubts: true },
      'heute/OI.jpg',
      false,
      'hint',
    ],
    [
      'an image that it does not name',
      { path: 'act/case.json', form: 'case', record: record(), onlyDoubts: false },
      'act/r_1.png',
      false,
      'hint',
    ],
    [
      'a document of the same stem, name used before',
      { path: 'act/r_1.xml', form: 'document', record: record(), onlyDoubts: false },
      'act/r_1.png',
      true,
      'hint',
    ],
    [
      'a document of the same stem',
      { path: 'act/r_1.xml', form: 'document', record: record(), onlyDoubts: false },
      'act/r_1.png',
      false,
      'bound',
    ],
  ]
  it.each(bonds)('binds: %s', (_title, held, image, isReused, bond) => {
    expect(bondOf(held, image, isReused ? 'reused' : 'once')).toBe(bond)
  })

  const held = (path: string, more: Circumstances = {}): PictureEvidence =>
    picture(path, { folder: { id: '440127', day: TODAY }, ...more })

  it.each<VisitRow>([
    [
      'names written over',
      held('aktuell/OD.jpg', { isOverwritten: true }),
      { who: 'unknown (folderRecord)', clearance: 'needsAnswer' },
    ],
    [
      'one of two written over',
      [held('Platz 1/L.jpg'), held('Platz 1/R.jpg', { isOverwritten: true })],
      'unknown (folderRecord)',
    ],
    ['in a container', held('inbox/OD.jpg'), 'unknown (folderRecord)'],
    ['in the folder of a day', held('2026-11-20/OD.jpg'), 'unknown (folderRecord)'],
    [
      'in a folder of its own',
      held('Vega Luz/OD.jpg'),
      { who: 'proposed 440127 (folderRecord)', clearance: 'needsLook' },
    ],
    ['the number of the names', held('440127/OD.jpg'), 'proposed 440127 (folderRecord)'],
    ['another number in the names', held('551238/551238_OD.jpg'), 'disputed 440127 | 551238'],
    [
      'two records',
      [held('Vega Luz/OD.jpg'), picture('Vega Luz/OS.jpg', { folder: { id: '551238' } })],
      'disputed 440127 | 551238',
    ],
    [
      'against DICOM',
      held('Vega Luz/1.dcm', { dicom: { id: '551238', day: TODAY, eye: 'left' } }),
      'disputed 551238 | 440127',
    ],
    ['a placeholder', picture('Vega Luz/OD.jpg', { folder: { id: 'UNKNOWN' } }), 'unknown'],
  ])('proposes at most: %s', asking('who'))
})
