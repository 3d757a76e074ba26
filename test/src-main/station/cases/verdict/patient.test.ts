/** What a folder has learnt, and how second numbers, names and words doubt a number that a source states. */
import { NOTHING_LEARNT } from '../../../../tools/nothing-learnt.ts'
import { describe, expect, it } from 'vitest'
import { verdictOnVisit } from '../../../../../src-main/station/cases/verdict/visit.ts'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { asking, type Circumstances, picture, shown, TODAY, type VisitRow } from './pictures.ts'

const dicom = (path: string, name?: string, more: Circumstances = {}): PictureEvidence =>
  picture(path, { dicom: { id: '501288', day: TODAY, eye: 'right', ...(name && { name }) }, ...more })

describe('a second number beside a stated one', () => {
  it.each<VisitRow>([
    ['of its shape', dicom('501288_612004_OD.dcm'), 'disputed 501288 | 612004'],
    ['of its shape, behind another eye', dicom('501288/OD/612004.dcm'), 'disputed 501288 | 612004'],
    [
      'of another shape',
      dicom('501288_61204_OD.dcm'),
      { who: 'proposed 501288 (secondNumber 61204)', clearance: 'needsLook' },
    ],
    [
      'of a shape that was learnt',
      dicom('501288_61204_OD.dcm'),
      'disputed 501288 | 61204',
      { shapes: ['99999'] },
    ],
    [
      'weak, of a shape that was learnt',
      dicom('501288_P4410_OD.dcm'),
      'proposed 501288 (secondNumber P4410)',
      { shapes: ['A9999'] },
    ],
    ['weak', dicom('501288_P4410_OD.dcm'), 'proven 501288'],
    ['of a known patient', dicom('501288_61204_OD.dcm'), 'disputed 501288 | 61204', { patients: ['61204'] }],
    [
      'weak, of a known patient',
      dicom('501288_P4410_OD.dcm'),
      'disputed 501288 | P4410',
      { patients: ['P4410'] },
    ],
    ['nearly the same', dicom('501288_50128_OD.dcm'), 'disputed 501288 | 50128 (nearlySame)'],
    ['with an answer: none', dicom('501288_61204_OD.dcm'), 'proven 501288', { noPatients: ['61204'] }],
    [
      'with an answer, yet nearly the same',
      dicom('501288_501289_OD.dcm'),
      'disputed 501288 | 501289 (nearlySame)',
      { noPatients: ['501289'] },
    ],
    [
      'with an answer: the same patient',
      dicom('501288_612004_OD.dcm'),
      'proven 501288',
      { same: [['501288', '612004']] },
    ],
    [
      'the time of the picture',
      dicom('501288_142510_OD.dcm', undefined, { at: '14:25:10' }),
      'proven 501288',
    ],
    ['a counter in brackets', dicom('501288 (2)_OD.dcm'), 'proven 501288'],
    [
      'without the letters of the clinic',
      picture('004577.dcm', { dicom: { id: 'HC-004577' } }),
      'proven HC-004577',
    ],
    ['with letters of the clinic', picture('HC-004577.dcm', { dicom: { id: '004577' } }), 'proven 004577'],
    [
      'in other characters',
      picture('105100001 2.dcm', { dicom: { id: '105-10-0001-2' } }),
      'proven 105-10-0001-2',
    ],
    [
      'drawn by a program',
      picture('90817264.jpg', { record: { id: '501288' }, isNamedByRecord: true }),
      'proven 501288',
    ],
    [
      'drawn by no program',
      picture('90817264_OD.jpg', { record: { id: '501288' }, isNamedByRecord: true }),
      'disputed 501288 | 90817264',
    ],
    [
      'read by a profile',
      dicom('501288_612004_OD.dcm', undefined, { isReadByProfile: true }),
      'proven 501288',
    ],
    ['in a copy', dicom('x.dcm', undefined, { also: ['612004_OD.dcm'] }), 'disputed 501288 | 612004'],
  ])('%s', asking('who'))

  it.each<VisitRow>([
    ['the only one, of five digits', dicom('61204.dcm'), 'disputed 501288 | 61204'],
    ['the only one, of three digits', dicom('612_OD.dcm'), 'proposed 501288 (secondNumber 612)'],
    ['the only one, twice', dicom('61204/61204_OD.dcm'), 'disputed 501288 | 61204'],
    [
      'the folder’s record',
      dicom('1.dcm', undefined, { folder: { id: '440127' } }),
      'disputed 501288 | 440127',
    ],
    [
      'the folder’s record, one patient by an answer',
      dicom('1.dcm', undefined, { folder: { id: '440127' } }),
      'proven 501288',
      { same: [['501288', '440127']] },
    ],
    [
      'the folder’s record, a placeholder',
      dicom('1.dcm', undefined, { folder: { id: 'N/A' } }),
      'proven 501288',
    ],
    [
      'two stated ids, one patient by an answer',
      picture('1.dcm', { dicom: { id: '501288' }, record: { id: '440127' } }),
      'proven 440127',
      { same: [['501288', '440127']] },
    ],
    [
      'a placeholder beside an id',
      picture('1.dcm', { dicom: { id: 'UNKNOWN' }, record: { id: '440127' } }),
      'proven 440127',
    ],
    [
      'a placeholder that is an id with a digit less',
      picture('1.dcm', { dicom: { id: '752752' }, record: { id: '7527520' } }),
      'disputed 7527520 | 752752 (nearlySame)',
    ],
    [
      'a placeholder that is far from an id',
      picture('1.dcm', { dicom: { id: '000000' }, record: { id: '7527520' } }),
      'proven 7527520',
    ],
  ])('%s', asking('who'))
})

describe('numbers that only names state', () => {
  it.each<VisitRow>([
    ['once', '771020_OD.jpg', 'proposed 771020'],
    ['with a counter that varies', ['004512 1.jpg', '004512 2.jpg'], 'proposed 004512'],
    ['with a counter that may belong to it', '004512 1_OD.jpg', 'unknown (severalNumbers)'],
    ['with a group that does not vary', ['004512 1_OD.jpg', '004512 1_OS.jpg'], 'proposed 004512 1'],
    ['weak, once', 'P4410_OD.jpg', 'unknown (weakNumber)'],
    ['weak, in two pictures', ['P4410_OD.jpg', 'P4410_OS.jpg'], 'proposed P4410'],
    ['weak, in folder and name', 'P4410/P4410_OD.jpg', 'proposed P4410'],
    [
      'two everywhere',
      ['771020_88123_OD.jpg', '771020_88123_OS.jpg'],
      'disputed 771020 | 88123 (severalNumbers)',
    ],
    [
      'one everywhere, one of another length',
      ['771020_88123_OD.jpg', '771020_OS.jpg'],
      'proposed 771020 (secondNumber 88123)',
    ],
    [
      'one everywhere, one of its shape',
      ['771020_881234_OD.jpg', '771020_OS.jpg'],
      'disputed 771020 | 881234 (severalNumbers)',
    ],
    [
      'one everywhere, one nearly the same',
      ['771020_77102_OD.jpg', '771020_OS.jpg'],
      'disputed 771020 | 77102 (severalNumbers)',
    ],
    [
      'one everywhere, one of a patient',
      ['771020_88123_OD.jpg', '771020_OS.jpg'],
      'disputed 771020 | 88123 (severalNumbers)',
      { patients: ['88123'] },
    ],
    [
      'one with an answer: none',
      ['771020_88123_OD.jpg', '771020_88123_OS.jpg'],
      'proposed 771020',
      { noPatients: ['88123'] },
    ],
    ['nowhere the same', ['771020_OD.jpg', '881234_OS.jpg'], 'disputed 771020 | 881234 (severalNumbers)'],
    [
      'under earlier names',
      '771020_Rossi_OD.jpg',
      'proposed 771020',
      { terms: { '771020': ['rossi', 'anna'] } },
    ],
    [
      'under other names before',
      '771020_Rossi_OD.jpg',
      'disputed vidal noa | rossi (sharedNumber)',
      { terms: { '771020': ['vidal', 'noa'] } },
    ],
    [
      'under other names before, stated',
      dicom('1.dcm', 'Rossi^Anna'),
      'disputed vidal noa | rossi anna (sharedNumber)',
      { terms: { '501288': ['vidal', 'noa'] } },
    ],
    [
      'under a name before of which one term is the same',
      dicom('1.dcm', 'Rossi^Anna'),
      { who: 'proposed 501288 (unknownTerm rossi)', clearance: 'needsLook' },
      { terms: { '501288': ['vidal', 'anna'] } },
    ],
    [
      'under a shorter name before',
      dicom('1.dcm', 'Rossi^Anna'),
      'proven 501288',
      { terms: { '501288': ['rossi'] } },
    ],
    [
      'two names that are constants',
      ['771020_Rossi_OD.jpg', '771020_Vidal_OS.jpg'],
      'proposed 771020',
      { constants: ['rossi', 'vidal'] },
    ],
    [
      'two names that a profile reads',
      [
        picture('771020_Rossi_OD.jpg', { isReadByProfile: true }),
        picture('771020_Vidal_OS.jpg', { isReadByProfile: true }),
      ],
      'proposed 771020',
    ],
    ['names in both, one with more', ['771020_Rossi_OD.jpg', '771020_Rossi Anna_OS.jpg'], 'proposed 771020'],
  ])('%s', asking('who'))

  it('are unknown if two profiles read them differently', () => {
    const pictures = [picture('501288_OD.jpg'), picture('501288_OS.jpg', { doProfilesDiffer: true })]
    expect(shown(pictures)).toMatchObject({ who: 'unknown (profilesDiffer)', clearance: 'needsAnswer' })
  })

  it.each<VisitRow>([
    ['proposes', picture('Vega Luz/OD.jpg', { folder: { id: 'K-7712' } }), 'proposed K-7712 (folderRecord)'],
    [
      'agrees with the names',
      picture('K7712_1/OD.jpg', { folder: { id: 'K-7712' } }),
      'proposed K-7712 (folderRecord)',
    ],
    [
      'is contradicted by a patient’s number',
      picture('Vega 881/OD.jpg', { folder: { id: 'K-7712' } }),
      'disputed K-7712 | 881',
      { patients: ['881'] },
    ],
  ])('the record of the folder %s', asking('who'))
})

describe('stated ids that differ', () => {
  it.each<VisitRow>([
    [
      'the record of the folder has another length',
      picture('70412_20261120/70412_20261120_OD_1.jpg', { folder: { id: '118320' } }),
      'disputed 118320 | 70412',
    ],
    [
      'DICOM against folder and name',
      picture('81550/81550_20261120_OS_1.dcm', {
        dicom: { id: '2046612', day: '2026-11-20', eye: 'left' },
      }),
      'disputed 2046612 | 81550',
    ],
    [
      'a digit lost in the bound record',
      picture('772190_20261120_OD_1.jpg', { record: { id: '77190', day: '2026-11-20', eye: 'right' } }),
      'disputed 77190 | 772190 (nearlySame)',
    ],
    [
      'a digit doubled in DICOM',
      picture('772190 OD.dcm', { dicom: { id: '7721190', day: '2026-11-20', eye: 'right' } }),
      'disputed 7721190 | 772190 (nearlySame)',
    ],
    [
      'two digits exchanged',
      picture('HC-40817_OS.dcm', { dicom: { id: 'HC-48017', day: '2026-11-20', eye: 'left' } }),
      'disputed HC-48017 | HC-40817 (nearlySame)',
    ],
    [
      'leading zeros only',
      picture('x.dcm', { dicom: { id: '0012750' }, record: { id: '12750' } }),
      'disputed 12750 | 0012750 (nearlySame)',
    ],
    [
      'DICOM against a bound record of another shape',
      picture('x.dcm', { dicom: { id: 'K-2210' }, record: { id: '990147' } }),
      'disputed 990147 | K-2210',
    ],
    [
      'the number of the folder, and the name of another person',
      picture('Bakker_Tessa_640918_20261120/OD_1.jpg', { record: { id: '640918', name: 'Novotny^Karel' } }),
      'disputed Novotny Karel | bakker tessa (twoPeople)',
    ],
    [
      'two pictures, two ids',
      [picture('a_OD.dcm', { dicom: { id: '330912' } }), picture('a_OS.dcm', { dicom: { id: '410072' } })],
      'disputed 330912 | 410072',
    ],
  ])('%s', asking('who'))
})

describe('stated ids with their separators', () => {
  const both = (one: string, other: string, path = 'x.dcm') => [
    picture(path, {
      dicom: { id: one, day: '2026-11-20', eye: 'right' },
      record: { id: other, day: '2026-11-20', eye: 'right' },
    }),
  ]

  it.each<VisitRow>([
    ['at other places', both('12-347', '123-47'), 'disputed 123-47 | 12-347 (nearlySame)'],
    ['dots at other places', both('1.237.1', '12.37.1'), 'disputed 12.37.1 | 1.237.1 (nearlySame)'],
    ['one more', both('105-10-0001', '105-100001'), 'disputed 105-100001 | 105-10-0001 (nearlySame)'],
    ['in one source only', both('1011/2', '10112'), 'proposed 10112 (nearlySame)'],
    ['in the other source only', both('12347', '12-347'), 'proposed 12-347 (nearlySame)'],
    [
      'in the record of the folder',
      picture('scan/x.dcm', { dicom: { id: '12-347' }, folder: { id: '123-47' } }),
      'disputed 12-347 | 123-47',
    ],
    [
      'in two records of folders',
      [
        picture('scan/x.png', { folder: { id: '12-347' } }),
        picture('scan/y.png', { folder: { id: '123-47' } }),
      ],
      'disputed 12-347 | 123-47 (nearlySame)',
    ],
    ['another sign', both('12-347', '12 347'), 'proven 12 347'],
    ['another sign again', both('12-347', '12_347'), 'proven 12_347'],
    ['other capitals', both('H-00017', 'h-00017'), 'proven h-00017'],
    ['beside a letter', both('H-00017', 'H00017'), 'proven H00017'],
    ['a check letter', both('40817733-R', '40817733R'), 'proven 40817733R'],
    [
      'none in the name of the file',
      picture('12347_OD.dcm', { dicom: { id: '12-347', day: '2026-11-20', eye: 'right' } }),
      'proven 12-347',
    ],
  ])('%s', asking('who'))

  it('two pictures of two patients are parted', () => {
    const pictures = ['12-347', '123-47', '12 347'].map((id, at) => picture(`${at}.dcm`, { dicom: { id } }))
    expect(verdictOnVisit(pictures, NOTHING_LEARNT).who).toMatchObject({
      groups: [['0.dcm', '2.dcm'], ['1.dcm']],
    })
  })

  const same = [
    ['12-347', '123-47'],
    ['12-347', '12347'],
  ] as const
  it.each<VisitRow>([
    ['at other places', both('12-347', '123-47'), 'proven 123-47', { same }],
    ['in one source only', both('12-347', '12347'), 'proven 12347', { same }],
  ])('as a person answered: %s', asking('who'))
})
