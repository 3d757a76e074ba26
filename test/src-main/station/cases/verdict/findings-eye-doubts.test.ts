/** What names cannot give, they can doubt: terms beside names, positions, degrees, and in stereo pairs. */
import { describe, expect, it } from 'vitest'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { type Expected, picture, shown, TODAY, type VisitRow, type Stated } from './pictures.ts'

const check = (_title: string, pictures: readonly PictureEvidence[], expected: Expected): void => {
  expect(shown(pictures)).toMatchObject(expected)
}

const dicom = (path: string, eye: NonNullable<Stated['eye']>): PictureEvidence =>
  picture(path, { dicom: { id: '2201554', day: TODAY, eye } })

const record = (path: string, eye: NonNullable<Stated['eye']>): PictureEvidence =>
  picture(path, { record: { id: '2201554', day: TODAY, eye } })

describe('what is too weak to give an eye may doubt one (findings 7 and 9)', () => {
  const disputed = 'disputed right | left (sourcesDiffer)'
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
    expect(shown([record(path.replace('.dcm', '.jpg'), 'right')]).eyes).toBe(disputed)
    expect(shown([dicom(path, 'left')]).eyes).toBe('proven left')
  })

  it.each<VisitRow>([
    [
      'a degree',
      [dicom('2201554_Dr Mora_OD.dcm', 'left')],
      { eyes: 'disputed left | right (sourcesDiffer)' },
    ],
    ['an initial beside the eye itself', [dicom('2201554_Haas L_OD.dcm', 'right')], { eyes: 'proven right' }],
    [
      'a corner beside the eye itself',
      [dicom('2201554_OD_upper left.dcm', 'right')],
      { eyes: 'proven right' },
    ],
    ['a surname beside the letter', [dicom('Le_Haas_2201554_R_1.dcm', 'right')], { eyes: 'proven right' }],
    [
      'an initial that stays the same beside both eyes',
      [dicom('2201554_Haas_L_1.dcm', 'right'), dicom('2201554_Haas_L_2.dcm', 'left')],
      { eyes: 'proven right, proven left' },
    ],
    [
      'a last word that stays the same, and a corner that says the same eye',
      [dicom('OD_upper_links_Sol_links.dcm', 'right'), dicom('OS_upper_rechts_Sol_links.dcm', 'left')],
      { eyes: 'disputed left | right (sourcesDiffer), proven left' },
    ],
    [
      'the two views of one eye',
      [dicom('2201554_stereo_L.dcm', 'right'), dicom('2201554_stereo_R.dcm', 'right')],
      { eyes: 'proven right, proven right' },
    ],
    [
      'no views of one eye: OD and OS',
      [dicom('2201554_stereo_OD.dcm', 'right'), dicom('2201554_stereo_OS.dcm', 'right')],
      { eyes: 'proven right, disputed right | left (sourcesDiffer)' },
    ],
    [
      'no views of one eye: letters beside a name',
      [dicom('HAAS_R_1.dcm', 'right'), dicom('HAAS_L_1.dcm', 'right')],
      { eyes: 'proven right, disputed right | left (sourcesDiffer)' },
    ],
    [
      'the two corners of one eye',
      [dicom('2201554_upper_left.dcm', 'left'), dicom('2201554_upper_right.dcm', 'left')],
      { eyes: 'proven left, proven left' },
    ],
    [
      'views of two eyes, crossed',
      [dicom('2201554_stereo_L.dcm', 'right'), dicom('2201554_stereo_R.dcm', 'left')],
      { eyes: 'disputed right | left (sourcesDiffer), disputed left | right (sourcesDiffer)' },
    ],
    ['particles, German', [dicom('2201554_von der Au_1.dcm', 'left')], { eyes: 'proven left' }],
    ['particles, Dutch', [dicom('VAN DER MEER_2201554.dcm', 'left')], { eyes: 'proven left' }],
    ['particles, Spanish', [dicom('2201554_De La Rosa.dcm', 'right')], { eyes: 'proven right' }],
    ['a room', [dicom('Sala OS/2201554_1.dcm', 'right')], { eyes: 'proven right' }],
    ['a hospital', [dicom('Klinikum links der Isar/2201554_1.dcm', 'right')], { eyes: 'proven right' }],
  ])('%s', check)
})
