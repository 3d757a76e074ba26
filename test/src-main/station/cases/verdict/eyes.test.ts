/** How words, letters, pairs and constants of names give an eye, and doubt one that a source states. */
import { describe, expect, it } from 'vitest'
import type { StatedEye } from '../../../../../src-shared/measurement-ranges.ts'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { asking, type Circumstances, picture, shown, TODAY, type VisitRow } from './pictures.ts'

/** Of two images, one of each eye. */
const RIGHT_LEFT = 'proposed right, proposed left'
/** A letter or word that needs its counterpart. */
const LONE = 'unknown (loneLetter)'
const BOTH_LONE = `${LONE}, ${LONE}`

const says = (path: string, eye: StatedEye, more: Circumstances = {}): PictureEvidence =>
  picture(path, { dicom: { eye }, ...more })

/** A DICOM file that states all. */
const dicom = (path: string, eye: StatedEye): PictureEvidence =>
  picture(path, { dicom: { id: '2201554', day: TODAY, eye } })

/** An image with a record that states all. */
const record = (path: string, eye: StatedEye, id = '660214'): PictureEvidence =>
  picture(path, { record: { id, day: TODAY, eye } })

describe('a term in a name', () => {
  it.each<VisitRow>([
    ['of the file', '771020_OD.jpg', 'proposed right'],
    ['of the folder', '771020/OS/1.jpg', 'proposed left'],
    ['of a folder further up', 'left/771020/1.jpg', 'proposed left'],
    ['of a folder with a view', '771020/OS color 2/1.jpg', 'proposed left'],
    ['of a folder with a date', '771020/OS 20261120/1.jpg', LONE],
    ['of a folder with a name', '771020/OS Vega/1.jpg', LONE],
    ['of a folder with a number', '771020 OS/1.jpg', LONE],
    ['of a folder with number and date', '771020_20261120_OS/1.jpg', 'proposed left'],
    ['of a folder with date and number', '2026-11-20 771020 OD/a81f.jpg', 'proposed right'],
    ['of such a folder, not at its end', 'OS_771020_20261120/1.jpg', LONE],
    ['of such a folder, behind a name', '771020_20261120_Vega OS/1.jpg', LONE],
    ['of such a folder, against the file', '771020_20261120_OS/771020_R.jpg', 'disputed right | left'],
    ['in front of a name', '771020_OS_Vega.jpg', LONE],
    ['behind a name', '771020_Vega_OS.jpg', 'proposed left'],
    ['behind a name, in front of a counter', '771020_Vega_left_1.jpg', 'proposed left'],
    ['in front of a number', '20261120_left_771020.jpg', 'proposed left'],
    ['behind a number, in capitals and small letters', '771020_Left_1.jpg', 'proposed left'],
    ['written as a name', '771020_Os_1.jpg', LONE],
    ['written as a name, twice', ['771020_Os_1.jpg', '771020_Od_1.jpg'], 'proposed left, proposed right'],
    ['behind a particle', '771020_van OS.jpg', 'unknown'],
    ['beside its noun', '771020_gauche_oeil.jpg', 'proposed left'],
    ['beside a noun, short', '771020_LE eye_1.jpg', 'proposed left'],
    ['as a prefix of the number', 'OD-771020/1.jpg', LONE],
    ['two that agree', '771020/OD/771020_right.jpg', 'proposed right'],
    ['two that differ', '771020/OD/771020_left.jpg', 'disputed left | right'],
    ['two in one name', '771020_OD_OS.jpg', 'disputed right | left'],
    ['in the copy alone', picture('a81f.jpg', { also: ['771020_OS.jpg'] }), 'proposed left'],
    [
      'in a copy that differs',
      picture('771020_OD.jpg', { also: ['771020_OS.jpg'] }),
      'disputed right | left',
    ],
    ['a stated eye beside the same', says('771020_OD.dcm', 'right'), 'proven right'],
    ['a stated eye beside another', says('771020_OD.dcm', 'left'), 'disputed left | right'],
    [
      'in names that a profile reads',
      says('771020_OD.dcm', 'left', { isReadByProfile: true }),
      'proven left',
    ],
    [
      'of both eyes in names that a profile reads without an eye, stated the other way round',
      [
        says('771020_R_1.dcm', 'left', { isReadByProfile: true }),
        says('771020_L_1.dcm', 'right', { isReadByProfile: true }),
      ],
      'disputed left | right, disputed right | left',
    ],
  ])('%s', asking('eyes'))
})

describe('letters and weak terms', () => {
  it.each<VisitRow>([
    ['opposite each other', ['771020_R_1.jpg', '771020_L_1.jpg'], RIGHT_LEFT],
    ['opposite, counted from the end', ['771020_Vega_R_1.jpg', '771020_Vega_Luz_L_1.jpg'], RIGHT_LEFT],
    ['opposite in folders', ['771020/R/1.jpg', '771020/L/1.jpg'], RIGHT_LEFT],
    ['one in the folder, one in the file', ['771020/R/1.jpg', '771020/Vega/771020_L.jpg'], BOTH_LONE],
    [
      'three of one, one of the other',
      ['7710_R_1.jpg', '7710_R_2.jpg', '7710_L_3.jpg'],
      'proposed right, proposed right, proposed left',
    ],
    [
      'a letter beside a term pairs with none elsewhere',
      ['771020_OS_R.jpg', '771020_OS_L.jpg', '771020_R.jpg'],
      'disputed left | right, proposed left, unknown (loneLetter)',
    ],
    [
      'a letter beside a term that agrees pairs elsewhere',
      ['771020_OD_R.jpg', '771020_OS_L.jpg', '771020_Color_R.jpg'],
      'proposed right, proposed left, proposed right',
    ],
    [
      'a letter opposite a term',
      ['771020_R_1.jpg', '771020_OS_1.jpg'],
      'unknown (loneLetter), proposed left',
    ],
    ['a letter with a digit beside a name', '771020_Vega_l1.jpg', LONE],
    ['an initial beside a name', '771020_L_Vega_1.jpg', 'unknown'],
    ['an initial beside the eye', ['771020_L Vega_OD_1.jpg', '771020_L Vega_OS_1.jpg'], RIGHT_LEFT],
    [
      'a check letter beside an eye',
      ['7710209-L/7710209-L_OD.jpg', '7710209-L/7710209-L_OS.jpg'],
      RIGHT_LEFT,
    ],
    ['a check letter beside one eye', '7710209-L_OD.jpg', 'proposed right'],
    ['OS is no degree', '771020_Dr Lee OS_1.jpg', 'proposed left'],
    ['LE stays the same beside both eyes', ['LE_771020_OD.jpg', 'LE_771020_OS.jpg'], RIGHT_LEFT],
    ['LE stays the same beside one eye', 'LE_771020_OD.jpg', 'disputed left | right'],
    [
      'RA stays the same beside both stated eyes',
      [says('RA_1.dcm', 'right'), says('RA_2.dcm', 'left')],
      'proven right, proven left',
    ],
    [
      'RA stays the same beside one stated eye',
      [says('RA_1.dcm', 'left'), says('RA_2.dcm', 'left')],
      'disputed left | right, disputed left | right',
    ],
    [
      'a firm term stays the same where names stand',
      ['LINKS_771020_OD.jpg', 'LINKS_771020_OS.jpg'],
      RIGHT_LEFT,
    ],
    [
      'a letter that varies beside both stated eyes',
      [says('7710_L_1.dcm', 'right'), says('7710_L_2.dcm', 'left'), says('7710_R_3.dcm', 'right')],
      'disputed right | left, proven left, proven right',
    ],
    [
      'a folder that is called like a side stays the same',
      ['links/771020/771020_OD.jpg', 'links/771020/771020_OS.jpg'],
      RIGHT_LEFT,
    ],
    [
      'a folder that is called like a side, beside one eye',
      'links/771020/771020_OD.jpg',
      'disputed right | left',
    ],
    [
      'a folder OS stays the same',
      ['OS/771020/771020_OD.jpg', 'OS/771020/771020_OS.jpg'],
      'disputed right | left, proposed left',
    ],
    [
      'a firm term stays the same elsewhere',
      ['771020_left_OD.jpg', '771020_left_OS.jpg'],
      'disputed left | right, proposed left',
    ],
    ['a firm term of a name beside one eye', 'LINKS_771020_OD.jpg', 'disputed left | right'],
  ])('%s', asking('eyes'))
})

describe('an eye term in front of a number is its own part', () => {
  it.each<VisitRow>([
    ['OD, the letter L', 'OD-6620418/OD-6620418_20261120_L_1.jpg', LONE],
    [
      'OS, both letters',
      ['OS-6620418/OS-6620418_20261120_L.jpg', 'OS-6620418/OS-6620418_20261120_R.jpg'],
      'proposed left, proposed right',
    ],
    ['LE, the term OD', 'LE-6620418_20261120_OD.jpg', 'disputed left | right'],
    ['OS, flat', 'OS-6620418_20261120_1.jpg', LONE],
    ['OS, with other images of it', ['OS-6620418_1.jpg', 'OS-6620418_2.jpg'], BOTH_LONE],
    ['OS and OD of one number', ['OS-6620418_1.jpg', 'OD-6620418_1.jpg'], 'proposed left, proposed right'],
    ['OS, everything joined alike', 'OS-6620418-20261120-1.jpg', 'proposed left'],
    ['OS, DICOM says the other eye', dicom('OS-2201554_1.dcm', 'right'), 'disputed right | left'],
  ])('%s', asking('eyes'))
})

describe('a letter against a term', () => {
  it.each<VisitRow>([
    ['the folder OS, the letter R', 'CD55120/20261120/OS/CD55120_R_1.jpg', 'disputed right | left'],
    ['the folder rechts, the letter L', 'HC-2201/rechts/HC-2201_L_2.jpg', 'disputed left | right'],
    ['the folder Left eye, r1', '9901/Left eye/9901_r1.jpg', 'disputed right | left'],
    ['a term and a letter in one name', '771020 OS_20261120_R.jpg', 'disputed left | right'],
  ])('%s', asking('eyes'))

  it.each<VisitRow>([
    ['Derecho', '410225/410225_Derecho_20261120_L_1.jpg', LONE],
    ['La', '410225/410225_La_20261120_R_1.jpg', LONE],
    ['Gauche', '410225_Gauche_Yves_20261120_R_1.jpg', LONE],
    ['Links', 'Links_Petra_410225_20261120_R_1.jpg', LONE],
    ['Left', 'Left_Owen_410225_20261120_R_1.jpg', LONE],
    [
      'Gauche, both letters',
      ['410225_Gauche_Yves_20261120_R_1.jpg', '410225_Gauche_Yves_20261120_L_2.jpg'],
      RIGHT_LEFT,
    ],
  ])('the surname %s gives no eye beside a letter', asking('eyes'))

  it.each<VisitRow>([
    ['the letter before a counter', dicom('2201554_20261120_R_1.dcm', 'left'), 'disputed left | right'],
    ['the letter at the end', dicom('2201554-L.dcm', 'right'), 'disputed right | left'],
    ['the letter with a counter', dicom('2201554_r2.dcm', 'left'), 'disputed left | right'],
    ['the letter as a folder', dicom('2201554/R/1.dcm', 'left'), 'disputed left | right'],
    ['the letter in brackets', dicom('2201554_(L).dcm', 'right'), 'disputed right | left'],
    ['RE, which gives none alone', dicom('2201554_LE_1.dcm', 'right'), 'disputed right | left'],
    ['OI, which gives none alone', dicom('2201554_OI.dcm', 'right'), 'disputed right | left'],
    ['a surname in a one-eyed visit', dicom('2201554_Izquierdo_1.dcm', 'right'), 'disputed right | left'],
    [
      'a surname that stays the same beside both eyes',
      [dicom('2201554_Izquierdo_1.dcm', 'right'), dicom('2201554_Izquierdo_2.dcm', 'left')],
      'proven right, proven left',
    ],
    [
      'a firm term that stays the same beside both eyes',
      [dicom('2201554_OS_1.dcm', 'right'), dicom('2201554_OS_2.dcm', 'left')],
      'disputed right | left, proven left',
    ],
  ])('DICOM: %s', asking('eyes'))
})

describe('the eye in a record beside its image', () => {
  it.each<VisitRow>([
    ['OI against right', record('660214_20261120_OI_1.jpg', 'right'), 'disputed right | left'],
    ['links against right', record('660214-links.jpg', 'right'), 'disputed right | left'],
    ['the folder OD against left', record('660214/OD/3.jpg', 'left'), 'disputed left | right'],
    ['a letter against right', record('660214_20261120_L.jpg', 'right'), 'disputed right | left'],
    [
      'the record against DICOM',
      picture('7.dcm', { dicom: { id: '1207', eye: 'left' }, record: { id: '1207', eye: 'right' } }),
      'disputed right | left',
    ],
    [
      'OI and left',
      record('660214_20261120_OI_1.jpg', 'left'),
      { eyes: 'proven left', clearance: 'mayLeaveUnseen' },
    ],
    ['no eye in the name', record('a81f.jpg', 'left'), { eyes: 'proven left', clearance: 'mayLeaveUnseen' }],
  ])('%s', asking('eyes'))
})

describe('what is too weak to give an eye may doubt one', () => {
  const disputed = 'disputed right | left'
  const doubting = [
    // Beside a name
    '2201554_HAAS_L_2.dcm',
    '2201554_L_HAAS.dcm',
    '2201554_HAAS_L_Fundus.dcm',
    'HAAS_NORA_OI.dcm',
    'HAAS_OE_2.dcm',
    'OG_HAAS_2201554.dcm',
    'Os_Haas_2201554.dcm',
    '2201554_Izquierda Nora.dcm',
    '2201554_Haas Sinistra.dcm',
    'Links Nora 2201554.dcm',
    'Van Os_2201554.dcm',
    // Beside a position
    '2201554_OS_nasal.dcm',
    '2201554/OS inferior/2.dcm',
    '2201554_upper_left.dcm',
    '2201554_left eye_superior.dcm',
    '2201554_L_temporal.dcm',
    // Spelled with dots
    '2201554_O.S._1.dcm',
    '2201554 o.i..dcm',
    'Haas O.S. 2201554.dcm',
    // In a stereo pair
    '2201554_OS_stereo.dcm',
    '2201554/3D OS/2.dcm',
    '2201554_stereo_L.dcm',
    // Denied
    '2201554_not left.dcm',
    '2201554_OS ohne.dcm',
  ]
  it.each(doubting)('%s', (path) => {
    expect(shown([dicom(path, 'right')]).eyes).toBe(disputed)
    expect(shown([record(path.replace('.dcm', '.jpg'), 'right', '2201554')]).eyes).toBe(disputed)
    expect(shown([dicom(path, 'left')]).eyes).toBe('proven left')
  })

  it.each<VisitRow>([
    ['a degree', dicom('2201554_Dr Mora_OD.dcm', 'left'), 'disputed left | right'],
    ['an initial beside the eye itself', dicom('2201554_Haas L_OD.dcm', 'right'), 'proven right'],
    ['a corner beside the eye itself', dicom('2201554_OD_upper left.dcm', 'right'), 'proven right'],
    ['a surname beside the letter', dicom('Le_Haas_2201554_R_1.dcm', 'right'), 'proven right'],
    [
      'an initial that stays the same beside both eyes',
      [dicom('2201554_Haas_L_1.dcm', 'right'), dicom('2201554_Haas_L_2.dcm', 'left')],
      'proven right, proven left',
    ],
    [
      'a last word that stays the same, and a corner that says the same eye',
      [dicom('OD_upper_links_Sol_links.dcm', 'right'), dicom('OS_upper_rechts_Sol_links.dcm', 'left')],
      'disputed left | right, proven left',
    ],
    [
      'the two views of one eye',
      [dicom('2201554_stereo_L.dcm', 'right'), dicom('2201554_stereo_R.dcm', 'right')],
      'proven right, proven right',
    ],
    [
      'no views of one eye: OD and OS',
      [dicom('2201554_stereo_OD.dcm', 'right'), dicom('2201554_stereo_OS.dcm', 'right')],
      'proven right, disputed right | left',
    ],
    [
      'no views of one eye: letters beside a name',
      [dicom('HAAS_R_1.dcm', 'right'), dicom('HAAS_L_1.dcm', 'right')],
      'proven right, disputed right | left',
    ],
    [
      'the two corners of one eye',
      [dicom('2201554_upper_left.dcm', 'left'), dicom('2201554_upper_right.dcm', 'left')],
      'proven left, proven left',
    ],
    [
      'views of two eyes, crossed',
      [dicom('2201554_stereo_L.dcm', 'right'), dicom('2201554_stereo_R.dcm', 'left')],
      'disputed right | left, disputed left | right',
    ],
    ['particles, German', dicom('2201554_von der Au_1.dcm', 'left'), 'proven left'],
    ['particles, Dutch', dicom('VAN DER MEER_2201554.dcm', 'left'), 'proven left'],
    ['particles, Spanish', dicom('2201554_De La Rosa.dcm', 'right'), 'proven right'],
    ['a room', dicom('Sala OS/2201554_1.dcm', 'right'), 'proven right'],
    ['a hospital', dicom('Klinikum links der Isar/2201554_1.dcm', 'right'), 'proven right'],
  ])('%s', asking('eyes'))
})
