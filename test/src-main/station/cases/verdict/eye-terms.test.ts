/** Which words of names are eyes, in the languages of the clinics, and which of the same words are none. */
import { describe, expect, it } from 'vitest'
import { asking, type Expected, named, shown, type VisitRow } from './pictures.ts'

/** Of two images, one of each eye. */
const RIGHT_LEFT = 'proposed right, proposed left'
/** A letter or word that needs its counterpart. */
const LONE = 'unknown (loneLetter)'
const BOTH_LONE = `${LONE}, ${LONE}`

/** Read from names: a person looks at it. */
const REVIEWED: Expected = { clearance: 'needsLook' }

describe('eye terms that are no eye', () => {
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
    expect(shown(named(`501288_${terms}.jpg`)).eyes).toBe('unknown')
  })

  const degrees = [
    '501288_20261120_Dr_Lee_OD_1.jpg',
    '501288_Prof Kim OD.jpg',
    '501288_Dra Silva_OD.jpg',
    '501288_Dr J Mora OD_1.jpg',
    '501288_Optom Jane Roe OD_1.jpg',
  ]
  it.each(degrees)('a degree: %s', (path) => {
    expect(shown(named(path)).eyes).toBe('unknown')
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
    ['with a counter', ['501288_stereo2_R.jpg', '501288_stereo2_L.jpg'], 'unknown, unknown'],
    ['beside an eye', ['501288_Stereo-Pair_OD_L.jpg', '501288_Stereo-Pair_OD_R.jpg'], 'unknown, unknown'],
    ['in Spanish', ['501288_estéreo_izq.jpg', '501288_estéreo_der.jpg'], 'unknown, unknown'],
    ['3D', ['501288_3D_right.jpg', '501288_3D_left.jpg'], 'unknown, unknown'],
    ['3D in one word', ['501288_3Dimage_R.jpg', '501288_3Dimage_L.jpg'], 'unknown, unknown'],
    ['as the folder', ['501288/Stereo 2/R.jpg', '501288/Stereo 2/L.jpg'], 'unknown, unknown'],
    [
      'as a folder further up',
      ['stereoscopic/501288/r1.jpg', 'stereoscopic/501288/l1.jpg'],
      'unknown, unknown',
    ],
    ['3D with a counter', ['501288_3D1_R.jpg', '501288_3D2_L.jpg'], 'unknown, unknown'],
  ])('the two views of a stereo pair: %s', asking('eyes'))

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
    expect(shown(named(path)).eyes).toBe('unknown')
  })

  it('terms that are denied, of both eyes', () => {
    expect(shown(named('501288_not left.jpg', '501288_not right.jpg')).eyes).toBe('unknown, unknown')
  })

  it.each(held)('a term of a sentence: %s', (path) => {
    expect(shown(named(path)).eyes).toBe(LONE)
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
    expect(shown(named(one, other)).eyes).toMatch(/^unknown.*, unknown/)
  })

  it('a term in the slot of the surname gives an eye only opposite its counterpart', () => {
    const [right, left] = named('501288_Right_20261120_1.jpg', '501288_Left_20261120_2.jpg')
    expect(shown(right ? [right] : []).eyes).toBe(LONE)
    expect(shown([right, left].flatMap((one) => one ?? [])).eyes).toBe(RIGHT_LEFT)
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
    expect(shown(pair).eyes).toBe(RIGHT_LEFT)
    expect(shown(pair.slice(1)).eyes).toBe(LONE)
  })

  it.each<VisitRow>([
    ['two left terms', ['731204_LE_1.jpg', '731204_LE_2.jpg'], BOTH_LONE],
    ['terms of two families', ['731204_RE_1.jpg', '731204_gauche_1.jpg'], BOTH_LONE],
    ['counterparts in two places', ['731204_RE_1.jpg', 'LE_20261120_731204_Color_1_x.jpg'], BOTH_LONE],
    ['D and I', ['731204_D.jpg', '731204_I.jpg'], 'unknown, unknown'],
    ['parts of terms', ['CARLOS_731204.jpg', 'Rodriguez_731204.jpg'], 'unknown, unknown'],
    ['no term, whatever the order', ['731204_1.jpg', '731204_2.jpg'], 'unknown, unknown'],
    ['both eyes', '731204_OU.jpg', 'unknown'],
  ])('%s', asking('eyes'))
})

describe('eye terms of other languages', () => {
  it.each<VisitRow>([
    ['German', 'Krüger_Jan_771020_rechts.jpg', { ...REVIEWED, eyes: 'proposed right' }],
    ['German, two terms', '771020/linkes Auge_1.jpg', { ...REVIEWED, eyes: 'proposed left' }],
    ['German, joined by underscores', '771020_rechtes_Auge.tif', { ...REVIEWED, eyes: 'proposed right' }],
    ['French', ['771020-OD-1.jpg', '771020-OG-1.jpg'], { ...REVIEWED, eyes: RIGHT_LEFT }],
    ['Portuguese', ['771020_1_OD.jpg', '771020_2_OE.jpg'], { ...REVIEWED, eyes: RIGHT_LEFT }],
    [
      'Spanish',
      ['771020/OI/1.jpg', '771020/OD/1.jpg'],
      { ...REVIEWED, eyes: 'proposed left, proposed right' },
    ],
    ['Italian', '771020 occhio sinistro.jpg', { ...REVIEWED, eyes: 'proposed left' }],
  ])('%s', asking('who'))
})

describe('RE and LE beside the name of a device', () => {
  it.each<VisitRow>([
    ['Pictor', ['771020/Pictor_RE_7.jpg', '771020/Pictor_LE_8.jpg'], { ...REVIEWED, eyes: RIGHT_LEFT }],
    [
      'a term of imaging',
      ['771020_Fundus_LE_1.jpg', '771020_Fundus_RE_1.jpg'],
      { ...REVIEWED, eyes: 'proposed left, proposed right' },
    ],
    [
      'an unknown term',
      ['771020/Nevora_RE_7.jpg', '771020/Nevora_LE_8.jpg'],
      { ...REVIEWED, eyes: RIGHT_LEFT },
    ],
    ['no number', ['Pictor_RE_7.jpg', 'Pictor_LE_8.jpg'], { who: 'unknown', eyes: RIGHT_LEFT }],
  ])('%s', asking('who'))
})
