/** What any reader knows needs no answer: records beside images, random ends, and the layouts of known cameras. */
import { describe, expect, it } from 'vitest'
import type { StatedEye } from '../../../../../src-shared/measurement-ranges.ts'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import {
  asking,
  type Circumstances,
  type Expected,
  picture,
  shown,
  TODAY,
  type VisitRow,
} from './pictures.ts'

const REVIEWED: Expected = { clearance: 'needsLook' }
const UNSEEN: Expected = { clearance: 'mayLeaveUnseen' }

const record = (path: string, eye: StatedEye, more: Circumstances = {}): PictureEvidence =>
  picture(path, { record: { id: '330518', day: TODAY, eye }, ...more })

const dicom = (path: string, eye: StatedEye, id = 'HC-004577', name?: string): PictureEvidence =>
  picture(path, { dicom: { id, day: TODAY, eye, ...(name && { name }) } })

/** By a record with a person's name: an unknown word beside it is asked about. */
const known = (path: string): PictureEvidence =>
  picture(path, { record: { id: '330518', day: TODAY, eye: 'left', name: 'Salazar^Hans' } })

describe('a record beside each image', () => {
  it.each<VisitRow>([
    [
      'UUIDs',
      [
        record('3f2504e0-4f89-41d3-9a0c-0305e82c3301.jpg', 'right'),
        record('8D0C2B1A-4F89-41D3-9A0C-0305E82C3302.jpg', 'left'),
      ],
      UNSEEN,
    ],
    ['hashes', [record('a81f0b3c2d.png', 'right'), record('07be11c4aa90.png', 'left')], UNSEEN],
    [
      'UUIDs in a folder of the day',
      record('2026-11-20/0f0c2a9e-1b2c-4d3e-8f90-aabbccddeeff.jpg', 'left'),
      UNSEEN,
    ],
    ['a folder of what is done', known('erledigt/a81f0b3c2d.png'), UNSEEN],
    ['a tray in a tray', known('Salida/pendientes/a81f0b3c2d.png'), UNSEEN],
    ['a surname for a folder', known('Fertig/a81f0b3c2d.png'), REVIEWED],
    ['a tray beside a surname', known('sent Fertig/a81f0b3c2d.png'), REVIEWED],
    ['folders of a shelf', known('ab/3f91c0/Fundus001.png'), UNSEEN],
    ['folders of a shelf, in another', known('storage/yh/abc123f/1.png'), UNSEEN],
    ['a shelf of files', known('x/qz/0e500a3e.png'), UNSEEN],
    ...['37474e6b3x/Fundus001.png', '3f0f519ebz/1.png', 'lote/04b4c62b9x.png'].map((path): VisitRow => [
      `a drawn name in front of a letter, ${path}`,
      [record(path, 'left')],
      UNSEEN,
    ]),
    ['another number in front of a letter', record('3747455h/1.png', 'left'), 'needsAnswer'],
    ['a folder of a short name', known('Li/3f91c0/Fundus001.png'), REVIEWED],
    ['a folder of a short name and no drawn one', known('li/330518/Fundus001.png'), REVIEWED],
    ['counters', [record('IMG_0021.JPG', 'right'), record('IMG_0022.JPG', 'left')], UNSEEN],
    ['names that state the same', record('330518_20261120_OI.jpg', 'left'), UNSEEN],
    [
      'eight decimal digits that a table names',
      record('90817264.jpg', 'right', { isNamedByRecord: true }),
      UNSEEN,
    ],
    [
      'ten decimal digits, in a folder',
      record('lote/4417093382.jpg', 'right', { isNamedByRecord: true }),
      UNSEEN,
    ],
    [
      'digits beside another eye',
      [
        record('61502273.bmp', 'right', { isNamedByRecord: true }),
        record('61502274.bmp', 'left', { isNamedByRecord: true }),
      ],
      UNSEEN,
    ],
  ])('%s', asking('clearance'))
})

describe('random ends and times are no patients', () => {
  const name = 'MARQUES RUI_118250/20261120-143309'
  it.each<VisitRow>([
    [
      'an end of digits first',
      [`${name}_OD_Color_44be.jpg`, `${name}_OE_Color_9c0d.jpg`],
      { ...REVIEWED, who: 'proposed 118250' },
    ],
    [
      'an end of letters',
      [`${name}_OD_Color_abcd.jpg`, `${name}_OE_Color_fade.jpg`],
      { ...REVIEWED, who: 'proposed 118250' },
    ],
    [
      'an end of digits',
      [`${name}_OD_Color_4417.jpg`, `${name}_OE_Color_9021.jpg`],
      { ...REVIEWED, who: 'proposed 118250' },
    ],
    [
      'an end with an e between digits',
      [`${name}_OD_Panoramic_12e4.jpg`, `${name}_OE_RedFree_1e07.jpg`],
      { ...REVIEWED, who: 'proposed 118250' },
    ],
    [
      'a time behind R and L',
      ['Haas_Nora_4400718/20261120/R_142210.jpg', 'Haas_Nora_4400718/20261120/L_142255.jpg'],
      { ...REVIEWED, who: 'proposed 4400718', eyes: 'proposed right, proposed left' },
    ],
    [
      'a time behind a hyphen',
      ['4400718/R-142210.jpg', '4400718/L-142255.jpg'],
      { ...REVIEWED, who: 'proposed 4400718' },
    ],
    [
      'a time behind a term',
      ['4400718/rechts_093001.jpg', '4400718/links_093044.jpg'],
      { ...REVIEWED, who: 'proposed 4400718' },
    ],
    [
      'a time in front of a letter',
      ['4400718/20261120/142210_L.jpg', '4400718/20261120/142310_R.jpg'],
      { ...REVIEWED, who: 'proposed 4400718' },
    ],
  ])('%s', asking('who'))
})

describe('the number stands once', () => {
  it.each<VisitRow>([
    [
      'in front',
      [
        '00517733_FABRE_LEON_20261120_134220_Color_L_001.jpg',
        '00517733_FABRE_LEON_20261120_134301_Color_R_002.jpg',
      ],
      { ...REVIEWED, who: 'proposed 00517733', eyes: 'proposed left, proposed right' },
    ],
    [
      'behind a birth date',
      [
        'Fabre_Leon_19650417_00517733_20261120_134220_R.jpg',
        'Fabre_Leon_19650417_00517733_20261120_134250_L.jpg',
      ],
      { ...REVIEWED, who: 'proposed 00517733', day: 'proposed 2026-11-20' },
    ],
    [
      'as the folder',
      ['517733/2026-11-20/OD_1.jpg', '517733/2026-11-20/OS_1.jpg'],
      { ...REVIEWED, who: 'proposed 517733' },
    ],
    [
      'one lone letter is asked',
      '517733/2026-11-20/R_1.jpg',
      { who: 'proposed 517733', eyes: 'unknown (loneLetter)' },
    ],
  ])('%s', asking('who'))
})

describe('the layouts of known cameras', () => {
  it.each<VisitRow>([
    [
      '1: subject folder',
      [
        '105-10-0044-7_/105-10-0044-7_Retina_OD_20261120_121802.jpg',
        '105-10-0044-7_/105-10-0044-7_Retina_OS_20261120_121842.jpg',
      ],
      { ...REVIEWED, who: 'proposed 105-10-0044-7' },
    ],
    [
      '1: with a DICOM twin',
      picture('105-10-0044-7_/105-10-0044-7_Retina_OD_20261120_121802.jpg', {
        also: ['105-10-0044-7_/105-10-0044-7_Retina_OD_20261120_121802.dcm'],
        dicom: { id: '105-10-0044-7', day: TODAY, eye: 'right' },
      }),
      UNSEEN,
    ],
    [
      '2: hashes in the folder of an id',
      '105-10-0044-7/7f0c2a9e.jpg',
      { who: 'proposed 105-10-0044-7', eyes: 'unknown' },
    ],
    [
      '3: a ZIP of a phone',
      '10000441_20-11-2026_3.00.05.120_PM.zip/Ana_10000441_20-11-2026/FOP/3.00.05.120_PM.jpg',
      { who: 'proposed 10000441', eyes: 'unknown' },
    ],
    ['4: UIDs', dicom('2.16.840.1.114517.10.5.1.4.1.20261120101500.2.1.dcm', 'left'), UNSEEN],
    [
      '5: hyphens and fields',
      [dicom('HC-004577-OD-0-visible-1.dcm', 'right'), dicom('HC-004577-OS-3-visible-1.dcm', 'left')],
      UNSEEN,
    ],
    [
      '5: names alone',
      ['HC-004577-OD-0-visible-1.jpg', 'HC-004577-OS-3-visible-1.jpg'],
      { ...REVIEWED, who: 'proposed HC-004577', eyes: 'proposed right, proposed left' },
    ],
    ['6: id and UID', dicom('HC-004577_2.25.29736250512345678.dcm', 'left'), UNSEEN],
    ['6: id without the letters of the clinic', dicom('004577_2.25.29736250512345678.dcm', 'left'), UNSEEN],
    ['7: DICOMDIR', [dicom('DICOM/00000001', 'right'), dicom('DICOM/00000002', 'left')], UNSEEN],
    [
      '7: letters and counters',
      [dicom('IM-0001-0001.dcm', 'right'), dicom('EE4A7B20/3F00AA12', 'left')],
      UNSEEN,
    ],
    [
      '8: date, number, sequence',
      ['20261120_40771_0100_PP.tif', '20261120_40771_0101_PP.tif'],
      { who: 'proposed 40771', eyes: 'unknown, unknown' },
    ],
    [
      '9: a camera back',
      ['E0000077/DS000DGS.JPG', 'E0000077/IMG_0012.JPG'],
      { who: 'proposed E0000077', together: 'proposed' },
    ],
    [
      '10: eye and view',
      ['451/451_l1.jpg', '451/451_l2.jpg', '451/451_r1.jpg', '451/451_r2.jpg'],
      {
        ...REVIEWED,
        who: 'proposed 451',
        eyes: 'proposed left, proposed left, proposed right, proposed right',
      },
    ],
    [
      '11: a template of the clinic',
      'ClinicaSur/LOPEZ GARCIA ANA_004577/20261120-101502_OS_Color_a81f.jpg',
      { ...REVIEWED, who: 'proposed 004577', eyes: 'proposed left', day: 'proposed 2026-11-20' },
    ],
    [
      '12: a table',
      picture('004577_R_1.bmp', {
        record: { id: '004577', day: TODAY, eye: 'right' },
        isNamedByRecord: true,
      }),
      UNSEEN,
    ],
    ['a published set', ['10_left.jpeg', '10_right.jpeg'], { ...REVIEWED, who: 'proposed 10' }],
    [
      'a name that DICOM states, too',
      [
        dicom('501288_Garcia L_OD.dcm', 'right', '501288', 'García^Luis'),
        dicom('501288_LUIS-GARCIA_OS.dcm', 'left', '501288', 'García^Luis'),
      ],
      UNSEEN,
    ],
  ])('%s', asking('who'))
})

describe('sizes and units, short hashes, and an eye between two numbers count nothing', () => {
  it.each([
    '501288_OD_3072x2048.dcm',
    '501288_200um_OD.dcm',
    '501288_OD_FOV45deg.dcm',
    '501288_OD_200 deg.dcm',
    '501288/OD_12.5mm_1.dcm',
    '501288_4096px_OD.dcm',
    '501288_OD_300dpi.dcm',
    'Vidal_501288_OD_45 degrees.dcm',
    'a3f9/501288_OD.dcm',
    '3f2a9c1/501288/1.dcm',
    'b81d22e/OD.dcm',
    '501288_OD_0003.dcm',
    '501288-OD-014.dcm',
    '501288 OD 2.dcm',
  ])('%s', (path) => {
    const one = picture(path, { dicom: { id: '501288', day: TODAY, eye: 'right', name: 'Vidal^Noa' } })
    expect(shown([one])).toMatchObject({ who: 'proven 501288', clearance: 'mayLeaveUnseen' })
  })

  it.each(['501288_612004 mm_OD.dcm', '501288_EX612004_OD.dcm', '501288_61204x_OD.dcm'])(
    '%s asks',
    (path) => {
      const one = picture(path, { dicom: { id: '501288', day: TODAY, eye: 'right' } })
      expect(shown([one]).who).not.toBe('proven 501288')
    },
  )
})
