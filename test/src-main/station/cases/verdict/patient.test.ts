/** What a folder has learnt, and how second numbers, names and words doubt a number that a source states. */
import { describe, expect, it } from 'vitest'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { type Circumstances, type Expected, type Learnt, named, picture, shown, TODAY } from './pictures.ts'

type LearntRow = readonly [
  title: string,
  pictures: readonly PictureEvidence[],
  learnt: Learnt,
  expected: Expected,
]

const check = (
  _title: string,
  pictures: readonly PictureEvidence[],
  learnt: Learnt,
  expected: Expected,
): void => {
  expect(shown(pictures, learnt)).toMatchObject(expected)
}

const dicom = (path: string, name?: string, more: Circumstances = {}): PictureEvidence =>
  picture(path, { dicom: { id: '501288', day: TODAY, eye: 'right', ...(name && { name }) }, ...more })

describe('a second number beside a stated one', () => {
  it.each<LearntRow>([
    [
      'of its shape',
      [dicom('501288_612004_OD.dcm')],
      {},
      { who: 'disputed 501288 | 612004 (sourcesDiffer)' },
    ],
    [
      'of its shape, behind another eye',
      [dicom('501288/OD/612004.dcm')],
      {},
      { who: 'disputed 501288 | 612004 (sourcesDiffer)' },
    ],
    [
      'of another shape',
      [dicom('501288_61204_OD.dcm')],
      {},
      { who: 'proposed 501288 (secondNumber 61204)', clearance: 'needsLook' },
    ],
    [
      'of a shape that was learnt',
      [dicom('501288_61204_OD.dcm')],
      { shapes: ['99999'] },
      { who: 'disputed 501288 | 61204 (sourcesDiffer)' },
    ],
    [
      'weak, of a shape that was learnt',
      [dicom('501288_P4410_OD.dcm')],
      { shapes: ['A9999'] },
      { who: 'proposed 501288 (secondNumber P4410)' },
    ],
    ['weak', [dicom('501288_P4410_OD.dcm')], {}, { who: 'proven 501288' }],
    [
      'of a known patient',
      [dicom('501288_61204_OD.dcm')],
      { patients: ['61204'] },
      { who: 'disputed 501288 | 61204 (sourcesDiffer)' },
    ],
    [
      'weak, of a known patient',
      [dicom('501288_P4410_OD.dcm')],
      { patients: ['P4410'] },
      { who: 'disputed 501288 | P4410 (sourcesDiffer)' },
    ],
    ['nearly the same', [dicom('501288_50128_OD.dcm')], {}, { who: 'disputed 501288 | 50128 (nearlySame)' }],
    [
      'with an answer: none',
      [dicom('501288_61204_OD.dcm')],
      { noPatients: ['61204'] },
      { who: 'proven 501288' },
    ],
    [
      'with an answer, yet nearly the same',
      [dicom('501288_501289_OD.dcm')],
      { noPatients: ['501289'] },
      { who: 'disputed 501288 | 501289 (nearlySame)' },
    ],
    [
      'with an answer: the same patient',
      [dicom('501288_612004_OD.dcm')],
      { same: [['501288', '612004']] },
      { who: 'proven 501288' },
    ],
    [
      'the time of the picture',
      [dicom('501288_142510_OD.dcm', undefined, { at: '14:25:10' })],
      {},
      { who: 'proven 501288' },
    ],
    ['a counter in brackets', [dicom('501288 (2)_OD.dcm')], {}, { who: 'proven 501288' }],
    [
      'without the letters of the clinic',
      [picture('004577.dcm', { dicom: { id: 'HC-004577' } })],
      {},
      { who: 'proven HC-004577' },
    ],
    [
      'with letters of the clinic',
      [picture('HC-004577.dcm', { dicom: { id: '004577' } })],
      {},
      { who: 'proven 004577' },
    ],
    [
      'in other characters',
      [picture('105100001 2.dcm', { dicom: { id: '105-10-0001-2' } })],
      {},
      { who: 'proven 105-10-0001-2' },
    ],
    [
      'drawn by a program',
      [picture('90817264.jpg', { record: { id: '501288' }, isNamedByRecord: true })],
      {},
      { who: 'proven 501288' },
    ],
    [
      'drawn by no program',
      [picture('90817264_OD.jpg', { record: { id: '501288' }, isNamedByRecord: true })],
      {},
      { who: 'disputed 501288 | 90817264 (sourcesDiffer)' },
    ],
    [
      'read by a profile',
      [dicom('501288_612004_OD.dcm', undefined, { isReadByProfile: true })],
      {},
      { who: 'proven 501288' },
    ],
    [
      'in a copy',
      [dicom('x.dcm', undefined, { also: ['612004_OD.dcm'] })],
      {},
      { who: 'disputed 501288 | 612004 (sourcesDiffer)' },
    ],
  ])('%s', check)

  it.each<LearntRow>([
    [
      'the only one, of five digits',
      [dicom('61204.dcm')],
      {},
      { who: 'disputed 501288 | 61204 (sourcesDiffer)' },
    ],
    [
      'the only one, of three digits',
      [dicom('612_OD.dcm')],
      {},
      { who: 'proposed 501288 (secondNumber 612)' },
    ],
    [
      'the only one, twice',
      [dicom('61204/61204_OD.dcm')],
      {},
      { who: 'disputed 501288 | 61204 (sourcesDiffer)' },
    ],
    [
      'the folder’s record',
      [dicom('1.dcm', undefined, { folder: { id: '440127' } })],
      {},
      { who: 'disputed 501288 | 440127 (sourcesDiffer)' },
    ],
    [
      'the folder’s record, one patient by an answer',
      [dicom('1.dcm', undefined, { folder: { id: '440127' } })],
      { same: [['501288', '440127']] },
      { who: 'proven 501288' },
    ],
    [
      'the folder’s record, a placeholder',
      [dicom('1.dcm', undefined, { folder: { id: 'N/A' } })],
      {},
      { who: 'proven 501288' },
    ],
    [
      'two stated ids, one patient by an answer',
      [picture('1.dcm', { dicom: { id: '501288' }, record: { id: '440127' } })],
      { same: [['501288', '440127']] },
      { who: 'proven 440127' },
    ],
    [
      'a placeholder beside an id',
      [picture('1.dcm', { dicom: { id: 'UNKNOWN' }, record: { id: '440127' } })],
      {},
      { who: 'proven 440127' },
    ],
    [
      'a placeholder that is an id with a digit less',
      [picture('1.dcm', { dicom: { id: '752752' }, record: { id: '7527520' } })],
      {},
      { who: 'disputed 7527520 | 752752 (nearlySame)' },
    ],
    [
      'a placeholder that is far from an id',
      [picture('1.dcm', { dicom: { id: '000000' }, record: { id: '7527520' } })],
      {},
      { who: 'proven 7527520' },
    ],
  ])('%s', check)
})

describe('a name beside a stated one', () => {
  it.each<LearntRow>([
    ['the same', [dicom('501288_García Luis_OD.dcm', 'GARCIA^LUIS')], {}, { who: 'proven 501288' }],
    [
      'in another order, with an initial',
      [dicom('501288_L-Garcia_OD.dcm', 'Garcia^Luis')],
      {},
      { who: 'proven 501288' },
    ],
    ['joined', [dicom('501288_ODELLRAY_OD.dcm', "O'Dell^Ray")], {}, { who: 'proven 501288' }],
    ['in parts', [dicom('501288_O Dell_OD.dcm', "O'Dell^Ray")], {}, { who: 'proven 501288' }],
    [
      'another, beside the number',
      [dicom('501288_Fischer_OD.dcm', 'Salazar^Hans')],
      {},
      { who: 'disputed Salazar Hans | fischer (twoPeople)', clearance: 'needsAnswer' },
    ],
    [
      'another, beside the number of the folder',
      [dicom('Fischer Uwe 501288/1.dcm', 'Salazar^Hans')],
      {},
      { who: 'disputed Salazar Hans | fischer uwe (twoPeople)' },
    ],
    [
      'another, away from the number',
      [dicom('Fischer/501288_OD.dcm', 'Salazar^Hans')],
      {},
      { who: 'proposed 501288 (unknownTerm fischer)', clearance: 'needsLook' },
    ],
    [
      'another, known as a constant',
      [dicom('Fischer/501288_Fischer_OD.dcm', 'Salazar^Hans')],
      { constants: ['fischer'] },
      { who: 'proven 501288' },
    ],
    [
      'of which one term is strange',
      [dicom('501288_Salazar Erik_OD.dcm', 'Salazar^Hans')],
      {},
      { who: 'proposed 501288 (unknownTerm erik)' },
    ],
    ['no name is stated', [dicom('501288_Fischer_OD.dcm')], {}, { who: 'proven 501288' }],
    [
      'the stated name is a placeholder',
      [dicom('501288_Fischer_OD.dcm', 'ANONYMOUS')],
      {},
      { who: 'proven 501288' },
    ],
    [
      'read by a profile',
      [dicom('501288_Fischer_OD.dcm', 'Salazar^Hans', { isReadByProfile: true })],
      {},
      { who: 'proven 501288' },
    ],
  ])('%s', check)
})

describe('numbers that only names state', () => {
  it.each<LearntRow>([
    ['once', named('771020_OD.jpg'), {}, { who: 'proposed 771020' }],
    ['with a counter that varies', named('004512 1.jpg', '004512 2.jpg'), {}, { who: 'proposed 004512' }],
    [
      'with a counter that may belong to it',
      named('004512 1_OD.jpg'),
      {},
      { who: 'unknown (severalNumbers)' },
    ],
    [
      'with a group that does not vary',
      named('004512 1_OD.jpg', '004512 1_OS.jpg'),
      {},
      { who: 'proposed 004512 1' },
    ],
    ['weak, once', named('P4410_OD.jpg'), {}, { who: 'unknown (weakNumber)' }],
    ['weak, in two pictures', named('P4410_OD.jpg', 'P4410_OS.jpg'), {}, { who: 'proposed P4410' }],
    ['weak, in folder and name', named('P4410/P4410_OD.jpg'), {}, { who: 'proposed P4410' }],
    [
      'two everywhere',
      named('771020_88123_OD.jpg', '771020_88123_OS.jpg'),
      {},
      { who: 'disputed 771020 | 88123 (severalNumbers)' },
    ],
    [
      'one everywhere, one of another length',
      named('771020_88123_OD.jpg', '771020_OS.jpg'),
      {},
      { who: 'proposed 771020 (secondNumber 88123)' },
    ],
    [
      'one everywhere, one of its shape',
      named('771020_881234_OD.jpg', '771020_OS.jpg'),
      {},
      { who: 'disputed 771020 | 881234 (severalNumbers)' },
    ],
    [
      'one everywhere, one nearly the same',
      named('771020_77102_OD.jpg', '771020_OS.jpg'),
      {},
      { who: 'disputed 771020 | 77102 (severalNumbers)' },
    ],
    [
      'one everywhere, one of a patient',
      named('771020_88123_OD.jpg', '771020_OS.jpg'),
      { patients: ['88123'] },
      { who: 'disputed 771020 | 88123 (severalNumbers)' },
    ],
    [
      'one with an answer: none',
      named('771020_88123_OD.jpg', '771020_88123_OS.jpg'),
      { noPatients: ['88123'] },
      { who: 'proposed 771020' },
    ],
    [
      'nowhere the same',
      named('771020_OD.jpg', '881234_OS.jpg'),
      {},
      { who: 'disputed 771020 | 881234 (severalNumbers)' },
    ],
    [
      'under earlier names',
      named('771020_Rossi_OD.jpg'),
      { terms: { '771020': ['rossi', 'anna'] } },
      { who: 'proposed 771020' },
    ],
    [
      'under other names before',
      named('771020_Rossi_OD.jpg'),
      { terms: { '771020': ['vidal', 'noa'] } },
      { who: 'disputed vidal noa | rossi (sharedNumber)' },
    ],
    [
      'under other names before, stated',
      [dicom('1.dcm', 'Rossi^Anna')],
      { terms: { '501288': ['vidal', 'noa'] } },
      { who: 'disputed vidal noa | rossi anna (sharedNumber)' },
    ],
    [
      'under a name before of which one term is the same',
      [dicom('1.dcm', 'Rossi^Anna')],
      { terms: { '501288': ['vidal', 'anna'] } },
      { who: 'proposed 501288 (unknownTerm rossi)', clearance: 'needsLook' },
    ],
    [
      'under a shorter name before',
      [dicom('1.dcm', 'Rossi^Anna')],
      { terms: { '501288': ['rossi'] } },
      { who: 'proven 501288' },
    ],
    [
      'two names that are constants',
      named('771020_Rossi_OD.jpg', '771020_Vidal_OS.jpg'),
      { constants: ['rossi', 'vidal'] },
      { who: 'proposed 771020' },
    ],
    [
      'two names that a profile reads',
      [
        picture('771020_Rossi_OD.jpg', { isReadByProfile: true }),
        picture('771020_Vidal_OS.jpg', { isReadByProfile: true }),
      ],
      {},
      { who: 'proposed 771020' },
    ],
    [
      'names in both, one with more',
      named('771020_Rossi_OD.jpg', '771020_Rossi Anna_OS.jpg'),
      {},
      { who: 'proposed 771020' },
    ],
  ])('%s', check)

  it('are unknown if two profiles read them differently', () => {
    const pictures = [picture('501288_OD.jpg'), picture('501288_OS.jpg', { doProfilesDiffer: true })]
    expect(shown(pictures)).toMatchObject({ who: 'unknown (profilesDiffer)', clearance: 'needsAnswer' })
  })

  it.each<LearntRow>([
    [
      'proposes',
      [picture('Vega Luz/OD.jpg', { folder: { id: 'K-7712' } })],
      {},
      { who: 'proposed K-7712 (folderRecord)' },
    ],
    [
      'agrees with the names',
      [picture('K7712_1/OD.jpg', { folder: { id: 'K-7712' } })],
      {},
      { who: 'proposed K-7712 (folderRecord)' },
    ],
    [
      'is contradicted by a patient’s number',
      [picture('Vega 881/OD.jpg', { folder: { id: 'K-7712' } })],
      { patients: ['881'] },
      { who: 'disputed K-7712 | 881 (sourcesDiffer)' },
    ],
  ])('the record of the folder %s', check)
})
