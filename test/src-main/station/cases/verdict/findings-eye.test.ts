/** Which eye, by what has failed before: other names, words, languages and separators each time. */
import { describe, expect, it } from 'vitest'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { type Expected, named, picture, shown, TODAY, type VisitRow, type Stated } from './pictures.ts'

const check = (_title: string, pictures: readonly PictureEvidence[], expected: Expected): void => {
  expect(shown(pictures)).toMatchObject(expected)
}

/** A DICOM file that states all. */
const dicom = (path: string, eye: NonNullable<Stated['eye']>): PictureEvidence =>
  picture(path, { dicom: { id: '2201554', day: TODAY, eye } })

const record = (path: string, eye: NonNullable<Stated['eye']>): PictureEvidence =>
  picture(path, { record: { id: '660214', day: TODAY, eye } })

describe('an eye term in front of a number is its own part (finding 6)', () => {
  it.each<VisitRow>([
    ['OD, the letter L', named('OD-6620418/OD-6620418_20261120_L_1.jpg'), { eyes: 'unknown (loneLetter)' }],
    [
      'OS, both letters',
      named('OS-6620418/OS-6620418_20261120_L.jpg', 'OS-6620418/OS-6620418_20261120_R.jpg'),
      { eyes: 'proposed left, proposed right' },
    ],
    [
      'LE, the term OD',
      named('LE-6620418_20261120_OD.jpg'),
      { eyes: 'disputed left | right (sourcesDiffer)' },
    ],
    ['OS, flat', named('OS-6620418_20261120_1.jpg'), { eyes: 'unknown (loneLetter)' }],
    [
      'OS, with other images of it',
      named('OS-6620418_1.jpg', 'OS-6620418_2.jpg'),
      { eyes: 'unknown (loneLetter), unknown (loneLetter)' },
    ],
    [
      'OS and OD of one number',
      named('OS-6620418_1.jpg', 'OD-6620418_1.jpg'),
      { eyes: 'proposed left, proposed right' },
    ],
    ['OS, everything joined alike', named('OS-6620418-20261120-1.jpg'), { eyes: 'proposed left' }],
    [
      'OS, DICOM says the other eye',
      [dicom('OS-2201554_1.dcm', 'right')],
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
  ])('%s', check)
})

describe('a letter against a term (finding 7)', () => {
  it.each<VisitRow>([
    [
      'the folder OS, the letter R',
      named('CD55120/20261120/OS/CD55120_R_1.jpg'),
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    [
      'the folder rechts, the letter L',
      named('HC-2201/rechts/HC-2201_L_2.jpg'),
      { eyes: 'disputed left | right (sourcesDiffer)' },
    ],
    [
      'the folder Left eye, r1',
      named('9901/Left eye/9901_r1.jpg'),
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    [
      'a term and a letter in one name',
      named('771020 OS_20261120_R.jpg'),
      { eyes: 'disputed left | right (sourcesDiffer)' },
    ],
  ])('%s', check)

  it.each<VisitRow>([
    ['Derecho', named('410225/410225_Derecho_20261120_L_1.jpg'), { eyes: 'unknown (loneLetter)' }],
    ['La', named('410225/410225_La_20261120_R_1.jpg'), { eyes: 'unknown (loneLetter)' }],
    ['Gauche', named('410225_Gauche_Yves_20261120_R_1.jpg'), { eyes: 'unknown (loneLetter)' }],
    ['Links', named('Links_Petra_410225_20261120_R_1.jpg'), { eyes: 'unknown (loneLetter)' }],
    ['Left', named('Left_Owen_410225_20261120_R_1.jpg'), { eyes: 'unknown (loneLetter)' }],
    [
      'Gauche, both letters',
      named('410225_Gauche_Yves_20261120_R_1.jpg', '410225_Gauche_Yves_20261120_L_2.jpg'),
      { eyes: 'proposed right, proposed left' },
    ],
  ])('the surname %s gives no eye beside a letter', check)

  it.each<VisitRow>([
    [
      'the letter before a counter',
      [dicom('2201554_20261120_R_1.dcm', 'left')],
      { eyes: 'disputed left | right (sourcesDiffer)' },
    ],
    [
      'the letter at the end',
      [dicom('2201554-L.dcm', 'right')],
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    [
      'the letter with a counter',
      [dicom('2201554_r2.dcm', 'left')],
      { eyes: 'disputed left | right (sourcesDiffer)' },
    ],
    [
      'the letter as a folder',
      [dicom('2201554/R/1.dcm', 'left')],
      { eyes: 'disputed left | right (sourcesDiffer)' },
    ],
    [
      'the letter in brackets',
      [dicom('2201554_(L).dcm', 'right')],
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    [
      'RE, which gives none alone',
      [dicom('2201554_LE_1.dcm', 'right')],
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    [
      'OI, which gives none alone',
      [dicom('2201554_OI.dcm', 'right')],
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    [
      'a surname in a one-eyed visit',
      [dicom('2201554_Izquierdo_1.dcm', 'right')],
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    [
      'a surname that stays the same beside both eyes',
      [dicom('2201554_Izquierdo_1.dcm', 'right'), dicom('2201554_Izquierdo_2.dcm', 'left')],
      { eyes: 'proven right, proven left' },
    ],
    [
      'a firm term that stays the same beside both eyes',
      [dicom('2201554_OS_1.dcm', 'right'), dicom('2201554_OS_2.dcm', 'left')],
      { eyes: 'disputed right | left (sourcesDiffer), proven left' },
    ],
  ])('DICOM: %s', check)
})

describe('the eye in a record beside its image (finding 8)', () => {
  it.each<VisitRow>([
    [
      'OI against right',
      [record('660214_20261120_OI_1.jpg', 'right')],
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    [
      'links against right',
      [record('660214-links.jpg', 'right')],
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    [
      'the folder OD against left',
      [record('660214/OD/3.jpg', 'left')],
      { eyes: 'disputed left | right (sourcesDiffer)' },
    ],
    [
      'a letter against right',
      [record('660214_20261120_L.jpg', 'right')],
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    [
      'the record against DICOM',
      [picture('7.dcm', { dicom: { id: '1207', eye: 'left' }, record: { id: '1207', eye: 'right' } })],
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    [
      'OI and left',
      [record('660214_20261120_OI_1.jpg', 'left')],
      { eyes: 'proven left', clearance: 'mayLeaveUnseen' },
    ],
    [
      'no eye in the name',
      [record('a81f.jpg', 'left')],
      { eyes: 'proven left', clearance: 'mayLeaveUnseen' },
    ],
  ])('%s', check)
})

describe('eye terms that are no eye (finding 9)', () => {
  const positions = [
    'superior_right',
    'lower_right',
    'inf_left_2',
    'gaze_left',
    'arriba_izquierda',
    'oben_rechts',
    'haut_gauche',
    'left_upper',
    'left_half',
    'down_right',
    'R_superior',
    'bottom_L',
    'superior/left',
    'superior/left_IMG0002',
    'left_field',
    'rechts Feld 2',
    'nasal_left',
    'temporal right_1',
    'inferior/R_2',
  ]
  it.each(positions)('a position: %s', (terms) => {
    expect(shown(named(`501288_${terms}.jpg`)).eyes).toBe('unknown (nothingStated)')
  })

  const degrees = [
    '501288_20261120_Dr_Lee_OD_1.jpg',
    '501288_Prof Kim OD.jpg',
    '501288_Dra Silva_OD.jpg',
    '501288_Dr J Mora OD_1.jpg',
    '501288_Optom Jane Roe OD_1.jpg',
  ]
  it.each(degrees)('a degree: %s', (path) => {
    expect(shown(named(path)).eyes).toBe('unknown (nothingStated)')
  })

  const names = [
    '501288/501288_Derecho_20261120_1.jpg',
    '501288_20261120/Od/Mia/1.jpg',
    'Right_Sol_501288_1.jpg',
    'Links_Uwe_501288.jpg',
    'Oi_Ken_501288.jpg',
    'Le_Thi Mai_501288_1.jpg',
    'Re_Paolo_501288_1.jpg',
    'LE_THI_501288_1.jpg',
    'OD_MIA_501288_1.jpg',
    '501288_OS_Peter_1.jpg',
    '501288_Van Os_1.jpg',
    '501288_von der Rechte.jpg',
    'Os, Jan 501288.jpg',
    'Links/Ute/P501288_1.jpg',
    'Right/Anna Maria/1.jpg',
    'Left/Anna M/2.jpg',
    'Mei_Right_501288_2.jpg',
    'Uwe Links 501288.jpg',
    'OS-771204/OS-771204-3.jpg',
    'OD-771204_3.jpg',
  ]
  it.each(names)('a name: %s', (path) => {
    expect(shown(named(path)).eyes).toMatch(/^unknown/)
  })

  it.each<VisitRow>([
    ['with a counter', named('501288_stereo2_R.jpg', '501288_stereo2_L.jpg'), {}],
    ['beside an eye', named('501288_Stereo-Pair_OD_L.jpg', '501288_Stereo-Pair_OD_R.jpg'), {}],
    ['in Spanish', named('501288_estéreo_izq.jpg', '501288_estéreo_der.jpg'), {}],
    ['3D', named('501288_3D_right.jpg', '501288_3D_left.jpg'), {}],
    ['3D in one word', named('501288_3Dimage_R.jpg', '501288_3Dimage_L.jpg'), {}],
    ['as the folder', named('501288/Stereo 2/R.jpg', '501288/Stereo 2/L.jpg'), {}],
    ['as a folder further up', named('stereoscopic/501288/r1.jpg', 'stereoscopic/501288/l1.jpg'), {}],
    ['3D with a counter', named('501288_3D1_R.jpg', '501288_3D2_L.jpg'), {}],
  ])('the two views of a stereo pair: %s', (_title, pictures) => {
    expect(shown(pictures).eyes).toBe('unknown (nothingStated), unknown (nothingStated)')
  })

  it.each(['3d52', '3d07', '3D3400'])('a random end is of no stereo pair: %s', (end) => {
    expect(shown(named(`501288_OS_RedFree_${end}.jpg`)).eyes).toMatch(/^proposed left/)
  })

  const ofBuildings = [
    '20261120 OD',
    'OD Backup',
    'OS Data',
    'Archiv_OD',
    'OS Update',
    'Daten OS',
    'Backup_OS',
    'Raum OD',
    'Sala 3 OD',
    'Sala izquierda',
    'Left Wing',
    'Clinique Gauche',
    'OD Department',
    'Klinikum links der Elbe',
    'Praxis Rechts',
    'Right Street',
  ]
  it.each(ofBuildings)('a place or a store: %s/', (folder) => {
    expect(shown(named(`${folder}/501288_1.jpg`)).eyes).toMatch(/^unknown/)
  })

  const held = ['501288_RE_exam.jpg', '501288_right there.jpg', '501288_left out.jpg']
  const denied = [
    '501288_no OD possible.jpg',
    '501288_left not possible.jpg',
    '501288_nicht links.jpg',
    '501288_sin OS.jpg',
    '501288_sans gauche.jpg',
    '501288_not right.jpg',
  ]
  it.each(denied)('a term that is denied: %s', (path) => {
    expect(shown(named(path)).eyes).toBe('unknown (nothingStated)')
  })

  it('terms that are denied, of both eyes', () => {
    expect(shown(named('501288_not left.jpg', '501288_not right.jpg')).eyes).toBe(
      'unknown (nothingStated), unknown (nothingStated)',
    )
  })

  it.each(held)('a term of a sentence: %s', (path) => {
    expect(shown(named(path)).eyes).toBe('unknown (loneLetter)')
  })
})

describe('of both sides, and yet no eye', () => {
  it.each([
    ['fields', '501288_left_field_1.jpg', '501288_right_field_2.jpg'],
    ['positions', '501288_nasal_left.jpg', '501288_temporal_right.jpg'],
    ['letters of a code', 'S-4-R.jpg', 'S-4-L.jpg'],
    ['letters of a code that begins with one', 'L-4-R.jpg', 'L-4-L.jpg'],
    ['letters of a code, in a folder', 'set/G-12-L.jpg', 'set/G-12-R.jpg'],
  ])('%s', (_title, one, other) => {
    expect(shown(named(one, other)).eyes).toMatch(/^unknown .*, unknown /)
  })

  it('a term in the slot of the surname gives an eye only opposite its counterpart', () => {
    const [right, left] = named('501288_Right_20261120_1.jpg', '501288_Left_20261120_2.jpg')
    expect(shown(right ? [right] : []).eyes).toBe('unknown (loneLetter)')
    expect(shown([right, left].flatMap((one) => one ?? [])).eyes).toBe('proposed right, proposed left')
  })
})

describe('eye terms of the clinics', () => {
  const firm: readonly (readonly [right: string, left: string])[] = [
    ['OD', 'OS'],
    ['right', 'left'],
    ['Right Eye', 'Left Eye'],
    ['RightEye', 'LeftEye'],
    ['rechts', 'links'],
    ['rechtes Auge', 'linkes_Auge'],
    ['RECHTS', 'LINKS'],
    ['ojo derecho', 'ojo izquierdo'],
    ['œil droit', 'oeil gauche'],
    ['olho direito', 'olho_esquerdo'],
    ['occhio destro', 'occhio sinistro'],
    ['FundusOD', 'FundusOS'],
    ['OD2', 'os03'],
    ['oculus dexter', 'oculus sinister'],
    ['odx', 'osx'],
    ['Rechtsauge', 'Linksauge'],
    ['OD_nasal_1', 'OS_nasal_1'],
    ['temporal_OD', 'temporal_OS'],
    ['right eye_upper', 'left eye_upper'],
  ]
  it.each(firm)('%s and %s give an eye alone', (right, left) => {
    expect(shown(named(`731204_20261120_${right}.jpg`)).eyes).toBe('proposed right')
    expect(shown(named(`731204_20261120_${left}.jpg`)).eyes).toBe('proposed left')
  })

  const paired: readonly (readonly [right: string, left: string])[] = [
    ['OD', 'OI'],
    ['OD', 'OE'],
    ['OD', 'OG'],
    ['RE', 'LE'],
    ['re1', 'le2'],
    ['RA', 'LA'],
    ['R', 'L'],
    ['r1', 'l1'],
    ['droit', 'gauche'],
    ['derecho', 'izquierdo'],
    ['der', 'izq'],
    ['direito', 'esquerdo'],
    ['destro', 'sinistro'],
    ['Rt', 'Lt'],
    ['O.D.', 'O.S.'],
    ['o.d', 'o.i'],
    ['dx', 'sx'],
    ['dcha', 'izda'],
    ['dir', 'esq'],
    ['droite', 'gche'],
    ['destra', 'sinistra'],
    ['R_nasal', 'L_nasal'],
    ['right_temporal', 'left_temporal'],
  ]
  it.each(paired)('%s and %s need each other', (right, left) => {
    const pair = named(`731204_20261120_${right}.jpg`, `731204_20261120_${left}.jpg`)
    expect(shown(pair).eyes).toBe('proposed right, proposed left')
    expect(shown(pair.slice(1)).eyes).toBe('unknown (loneLetter)')
  })

  it.each<VisitRow>([
    [
      'two left terms',
      named('731204_LE_1.jpg', '731204_LE_2.jpg'),
      { eyes: 'unknown (loneLetter), unknown (loneLetter)' },
    ],
    [
      'terms of two families',
      named('731204_RE_1.jpg', '731204_gauche_1.jpg'),
      { eyes: 'unknown (loneLetter), unknown (loneLetter)' },
    ],
    [
      'counterparts in two places',
      named('731204_RE_1.jpg', 'LE_20261120_731204_Color_1_x.jpg'),
      { eyes: 'unknown (loneLetter), unknown (loneLetter)' },
    ],
    [
      'D and I',
      named('731204_D.jpg', '731204_I.jpg'),
      { eyes: 'unknown (nothingStated), unknown (nothingStated)' },
    ],
    [
      'parts of terms',
      named('CARLOS_731204.jpg', 'Rodriguez_731204.jpg'),
      { eyes: 'unknown (nothingStated), unknown (nothingStated)' },
    ],
    [
      'no term, whatever the order',
      named('731204_1.jpg', '731204_2.jpg'),
      { eyes: 'unknown (nothingStated), unknown (nothingStated)' },
    ],
    ['both eyes', named('731204_OU.jpg'), { eyes: 'unknown (nothingStated)' }],
  ])('%s', check)
})
