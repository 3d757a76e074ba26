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

const naming = (path: string, ...files: readonly string[]): HeldRecord => held(path, { files })

describe('a record is bound to an image', () => {
  it.each<readonly [string, HeldRecord, string, string]>([
    ['same folder and stem', held('a/K-1.json'), 'a/K-1.jpg', 'bound'],
    ['same stem, other case and normal form', held('a/Pen\u0303a.XML'), 'a/PEÑA.jpg', 'bound'],
    ['a stem of one digit, as any device counts', held('a/7.json'), 'a/7.jpg', 'hint'],
    ['a stem of three digits', held('a/012.xml'), 'a/012.dcm', 'hint'],
    ['a stem of four digits', held('a/1042.json'), 'a/1042.bmp', 'hint'],
    ['a stem of digits that it names', naming('a/12.json', '12.jpg'), 'a/12.jpg', 'bound'],
    ['a stem of digits whose other file it names', naming('a/12.json', '12.dcm'), 'a/12.jpg', 'hint'],
    ['the same, on the device', naming('a/12.json', 'D:/x/12.tif'), 'a/12.jpg', 'hint'],
    ['the same, by its stem alone', naming('a/12.json', '12'), 'a/12.jpg', 'hint'],
    ['its path on the device, of few digits', naming('a/12.json', 'D:/x/12.JPG'), 'a/12.jpg', 'bound'],
    ['a stem of two digits with the extension', held('a/12.jpg.json'), 'a/12.jpg', 'bound'],
    ['a long number', held('a/20418.json'), 'a/20418.jpg', 'bound'],
    ['another file in it', naming('a/K-1.json', 'K-2.jpg'), 'a/K-1.jpg', 'none'],
    ['eyes of other files in it', held('a/K-1.json', { eyes: { 'K-4.jpg': 'left' } }), 'a/K-1.jpg', 'none'],
    ['another path in it', naming('a/K-1.xml', 'D:/out/K-11.dcm'), 'a/K-1.jpg', 'none'],
    ['its path on the device', naming('a/K-1.json', 'D:/out/K-1.JPG'), 'a/K-1.jpg', 'bound'],
    ['a file of its stem in another form', naming('a/K-1.json', 'K-1.tif'), 'a/K-1.jpg', 'hint'],
    ['the same, on the device', naming('a/K-1.xml', 'D:/out/K-1.dcm'), 'a/K-1.jpg', 'hint'],
    ['the same, by an eye', held('a/K-1.json', { eyes: { 'K-1.png': 'left' } }), 'a/K-1.jpg', 'hint'],
    ['it in both forms', naming('a/K-1.json', 'K-1.tif', 'K-1.jpg'), 'a/K-1.jpg', 'bound'],
    ['its stem in it', naming('a/K-1.json', 'k-1'), 'a/K-1.jpg', 'bound'],
    ['all files of the exam in it', naming('a/K-1.json', 'K-0.jpg', 'K-1.jpg'), 'a/K-1.jpg', 'bound'],
    ['same stem, another folder', held('b/K-1.json'), 'a/K-1.jpg', 'none'],
    ['a stem that begins the same', held('a/K-1.json'), 'a/K-1_2.jpg', 'none'],
    ['a table of the same stem', held('a/K-1.csv'), 'a/K-1.jpg', 'none'],
    ['a table that names it', naming('a/x.csv', '1.jpg'), 'a/1.jpg', 'bound'],
    ['a table that names it without its extension', naming('a/x.csv', '1'), 'a/1', 'bound'],
    ['a table that names its path', naming('x.csv', 'a/OD/1.jpg'), 'a/OD/1.jpg', 'bound'],
    ['a table that names another path', naming('x.csv', 'b/1.jpg'), 'a/1.jpg', 'none'],
    ['a plain name, image in a division', naming('a/x.csv', '1.jpg'), 'a/OD/1.jpg', 'bound'],
    ['a plain name, image in the folder of another', naming('a/x.csv', '1.jpg'), 'a/Vega Luz/1.jpg', 'none'],
    ['a plain name, image above', naming('a/b/x.csv', '1.jpg'), 'a/1.jpg', 'none'],
    ['a path without one of its folders', naming('a/x.csv', 'OD/1.jpg'), 'a/Retina/OD/1.jpg', 'none'],
    ['an end of the name', naming('a/x.csv', '1.jpg'), 'a/OD/11.jpg', 'none'],
    ['a document that names it', naming('a/x.json', '1.jpg'), 'a/1.jpg', 'bound'],
    ['an eye for its name', held('a/x.json', { eyes: { '1.jpg': 'left' } }), 'a/1.jpg', 'bound'],
    ['case.json that names it', naming('a/case.json', '1.jpg'), 'a/1.jpg', 'bound'],
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

  const IN_FOLDER = naming('heute/case.json', 'OI.jpg')

  it.each<readonly [string, HeldRecord, string, Parameters<typeof bondOf>[2], string]>([
    ['another photograph has the stem', held('a/K-1.json'), 'a/K-1.jpg', 'sharedStem', 'hint'],
    [
      'the same, of a record that names it',
      naming('a/K-1.json', 'K-1.jpg'),
      'a/K-1.jpg',
      'sharedStem',
      'bound',
    ],
    ['the same, of a table that names it', naming('a/x.csv', 'K-1.jpg'), 'a/K-1.jpg', 'sharedStem', 'bound'],
    ['other bytes had its name', naming('a/case.json', '1.jpg'), 'a/1.jpg', 'reused', 'hint'],
    ['other bytes had its name, in a table', naming('a/x.csv', '1.jpg'), 'a/1.jpg', 'reused', 'hint'],
    ['other bytes had its name, same stem', held('a/1.json'), 'a/1.jpg', 'reused', 'hint'],
    ['other bytes had its name, a document', held('act/r_1.xml'), 'act/r_1.png', 'reused', 'hint'],
    ['no others had it, a document', held('act/r_1.xml'), 'act/r_1.png', 'once', 'bound'],
    ['no others had it, by its folder', held('act/case.json'), 'act/r_1.png', 'once', 'hint'],
    ['no others had it, named', IN_FOLDER, 'heute/OI.jpg', 'once', 'bound'],
    ['others had it, named', IN_FOLDER, 'heute/OI.jpg', 'reused', 'hint'],
    ['another patient held the path', { ...IN_FOLDER, onlyDoubts: true }, 'heute/OI.jpg', 'once', 'hint'],
  ])('or not, by who else had its name: %s', (_title, record, image, use, bond) => {
    expect(bondOf(record, image, use)).toBe(bond)
  })
})

describe('a plain name of several images', () => {
  it.each<readonly [string, HeldRecord, string, readonly string[], string]>([
    [
      'in two divisions',
      naming('a/x.csv', '1.jpg'),
      'a/Color/1.jpg',
      ['a/Color/1.jpg', 'a/RedFree/1.jpg'],
      'none',
    ],
    ['in a division and beside', naming('a/x.csv', '1.jpg'), 'a/OD/1.jpg', ['a/1.jpg'], 'none'],
    ['beside the record', naming('a/x.csv', '1.jpg'), 'a/1.jpg', ['a/OD/1.jpg'], 'bound'],
    ['by its path', naming('a/x.csv', 'OD/1.jpg'), 'a/OD/1.jpg', ['a/OS/1.jpg'], 'bound'],
    ['of the folder’s record', naming('a/case.json', '1.jpg'), 'a/OD/1.jpg', ['a/OS/1.jpg'], 'hint'],
    ['another name', naming('a/x.csv', '1.jpg'), 'a/OD/1.jpg', ['a/OS/2.jpg'], 'bound'],
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
  const within = (path: string, more: Circumstances = {}): PictureEvidence =>
    picture(path, { folder: { id: '440127', day: TODAY }, ...more })

  it.each<VisitRow>([
    [
      'names written over',
      within('aktuell/OD.jpg', { isOverwritten: true }),
      { who: 'unknown (folderRecord)', clearance: 'needsAnswer' },
    ],
    [
      'one of two written over',
      [within('Platz 1/L.jpg'), within('Platz 1/R.jpg', { isOverwritten: true })],
      'unknown (folderRecord)',
    ],
    ['in a container', within('inbox/OD.jpg'), 'unknown (folderRecord)'],
    ['in the folder of a day', within('2026-11-20/OD.jpg'), 'unknown (folderRecord)'],
    [
      'in a folder of its own',
      within('Vega Luz/OD.jpg'),
      { who: 'proposed 440127 (folderRecord)', clearance: 'needsLook' },
    ],
    ['the number of the names', within('440127/OD.jpg'), 'proposed 440127 (folderRecord)'],
    ['another number in the names', within('551238/551238_OD.jpg'), 'disputed 440127 | 551238'],
    [
      'two records',
      [within('Vega Luz/OD.jpg'), picture('Vega Luz/OS.jpg', { folder: { id: '551238' } })],
      'disputed 440127 | 551238',
    ],
    [
      'against DICOM',
      within('Vega Luz/1.dcm', { dicom: { id: '551238', day: TODAY, eye: 'left' } }),
      'disputed 551238 | 440127',
    ],
    ['a placeholder', picture('Vega Luz/OD.jpg', { folder: { id: 'UNKNOWN' } }), 'unknown'],
  ])('proposes at most: %s', asking('who'))
})
