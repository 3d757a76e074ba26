/** How eye words, letters, pairs and constants of names give and doubt an eye. */
import { describe, expect, it } from 'vitest'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import {
  type Circumstances,
  type Expected,
  named,
  picture,
  shown,
  type VisitRow,
  type Stated,
} from './pictures.ts'

const check = (_title: string, pictures: readonly PictureEvidence[], expected: Expected): void => {
  expect(shown(pictures)).toMatchObject(expected)
}

const says = (path: string, eye: NonNullable<Stated['eye']>, more: Circumstances = {}): PictureEvidence =>
  picture(path, { dicom: { eye }, ...more })

describe('a term in a name', () => {
  it.each<VisitRow>([
    ['of the file', named('771020_OD.jpg'), { eyes: 'proposed right' }],
    ['of the folder', named('771020/OS/1.jpg'), { eyes: 'proposed left' }],
    ['of a folder further up', named('left/771020/1.jpg'), { eyes: 'proposed left' }],
    ['of a folder with a view', named('771020/OS color 2/1.jpg'), { eyes: 'proposed left' }],
    ['of a folder with a date', named('771020/OS 20261120/1.jpg'), { eyes: 'unknown (loneLetter)' }],
    ['of a folder with a name', named('771020/OS Vega/1.jpg'), { eyes: 'unknown (loneLetter)' }],
    ['of a folder with a number', named('771020 OS/1.jpg'), { eyes: 'unknown (loneLetter)' }],
    ['of a folder with number and date', named('771020_20261120_OS/1.jpg'), { eyes: 'proposed left' }],
    ['of a folder with date and number', named('2026-11-20 771020 OD/a81f.jpg'), { eyes: 'proposed right' }],
    ['of such a folder, not at its end', named('OS_771020_20261120/1.jpg'), { eyes: 'unknown (loneLetter)' }],
    [
      'of such a folder, behind a name',
      named('771020_20261120_Vega OS/1.jpg'),
      { eyes: 'unknown (loneLetter)' },
    ],
    [
      'of such a folder, against the file',
      named('771020_20261120_OS/771020_R.jpg'),
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    ['in front of a name', named('771020_OS_Vega.jpg'), { eyes: 'unknown (loneLetter)' }],
    ['behind a name', named('771020_Vega_OS.jpg'), { eyes: 'proposed left' }],
    ['behind a name, in front of a counter', named('771020_Vega_left_1.jpg'), { eyes: 'proposed left' }],
    ['in front of a number', named('20261120_left_771020.jpg'), { eyes: 'proposed left' }],
    ['behind a number, in capitals and small letters', named('771020_Left_1.jpg'), { eyes: 'proposed left' }],
    ['written as a name', named('771020_Os_1.jpg'), { eyes: 'unknown (loneLetter)' }],
    [
      'written as a name, twice',
      named('771020_Os_1.jpg', '771020_Od_1.jpg'),
      { eyes: 'proposed left, proposed right' },
    ],
    ['behind a particle', named('771020_van OS.jpg'), { eyes: 'unknown (nothingStated)' }],
    ['beside its noun', named('771020_gauche_oeil.jpg'), { eyes: 'proposed left' }],
    ['beside a noun, short', named('771020_LE eye_1.jpg'), { eyes: 'proposed left' }],
    ['as a prefix of the number', named('OD-771020/1.jpg'), { eyes: 'unknown (loneLetter)' }],
    ['two that agree', named('771020/OD/771020_right.jpg'), { eyes: 'proposed right' }],
    [
      'two that differ',
      named('771020/OD/771020_left.jpg'),
      { eyes: 'disputed left | right (sourcesDiffer)' },
    ],
    ['two in one name', named('771020_OD_OS.jpg'), { eyes: 'disputed right | left (sourcesDiffer)' }],
    ['in the copy alone', [picture('a81f.jpg', { also: ['771020_OS.jpg'] })], { eyes: 'proposed left' }],
    [
      'in a copy that differs',
      [picture('771020_OD.jpg', { also: ['771020_OS.jpg'] })],
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    ['a stated eye beside the same', [says('771020_OD.dcm', 'right')], { eyes: 'proven right' }],
    [
      'a stated eye beside another',
      [says('771020_OD.dcm', 'left')],
      { eyes: 'disputed left | right (sourcesDiffer)' },
    ],
    [
      'in names that a profile reads',
      [says('771020_OD.dcm', 'left', { isReadByProfile: true })],
      { eyes: 'proven left' },
    ],
  ])('%s', check)
})

describe('letters and weak terms', () => {
  it.each<VisitRow>([
    [
      'opposite each other',
      named('771020_R_1.jpg', '771020_L_1.jpg'),
      { eyes: 'proposed right, proposed left' },
    ],
    [
      'opposite, counted from the end',
      named('771020_Vega_R_1.jpg', '771020_Vega_Luz_L_1.jpg'),
      { eyes: 'proposed right, proposed left' },
    ],
    [
      'opposite in folders',
      named('771020/R/1.jpg', '771020/L/1.jpg'),
      { eyes: 'proposed right, proposed left' },
    ],
    [
      'one in the folder, one in the file',
      named('771020/R/1.jpg', '771020/Vega/771020_L.jpg'),
      { eyes: 'unknown (loneLetter), unknown (loneLetter)' },
    ],
    [
      'three of one, one of the other',
      named('7710_R_1.jpg', '7710_R_2.jpg', '7710_L_3.jpg'),
      { eyes: 'proposed right, proposed right, proposed left' },
    ],
    [
      'a letter beside a term pairs with none elsewhere',
      named('771020_OS_R.jpg', '771020_OS_L.jpg', '771020_R.jpg'),
      { eyes: 'disputed left | right (sourcesDiffer), proposed left, unknown (loneLetter)' },
    ],
    [
      'a letter beside a term that agrees pairs elsewhere',
      named('771020_OD_R.jpg', '771020_OS_L.jpg', '771020_Color_R.jpg'),
      { eyes: 'proposed right, proposed left, proposed right' },
    ],
    [
      'a letter opposite a term',
      named('771020_R_1.jpg', '771020_OS_1.jpg'),
      { eyes: 'unknown (loneLetter), proposed left' },
    ],
    ['a letter with a digit beside a name', named('771020_Vega_l1.jpg'), { eyes: 'unknown (loneLetter)' }],
    ['an initial beside a name', named('771020_L_Vega_1.jpg'), { eyes: 'unknown (nothingStated)' }],
    [
      'an initial beside the eye',
      named('771020_L Vega_OD_1.jpg', '771020_L Vega_OS_1.jpg'),
      { eyes: 'proposed right, proposed left' },
    ],
    [
      'a check letter beside an eye',
      named('7710209-L/7710209-L_OD.jpg', '7710209-L/7710209-L_OS.jpg'),
      { eyes: 'proposed right, proposed left' },
    ],
    ['a check letter beside one eye', named('7710209-L_OD.jpg'), { eyes: 'proposed right' }],
    ['OS is no degree', named('771020_Dr Lee OS_1.jpg'), { eyes: 'proposed left' }],
    [
      'LE stays the same beside both eyes',
      named('LE_771020_OD.jpg', 'LE_771020_OS.jpg'),
      { eyes: 'proposed right, proposed left' },
    ],
    [
      'LE stays the same beside one eye',
      named('LE_771020_OD.jpg'),
      { eyes: 'disputed left | right (sourcesDiffer)' },
    ],
    [
      'RA stays the same beside both stated eyes',
      [says('RA_1.dcm', 'right'), says('RA_2.dcm', 'left')],
      { eyes: 'proven right, proven left' },
    ],
    [
      'RA stays the same beside one stated eye',
      [says('RA_1.dcm', 'left'), says('RA_2.dcm', 'left')],
      { eyes: 'disputed left | right (sourcesDiffer), disputed left | right (sourcesDiffer)' },
    ],
    [
      'a firm term stays the same where names stand',
      named('LINKS_771020_OD.jpg', 'LINKS_771020_OS.jpg'),
      { eyes: 'proposed right, proposed left' },
    ],
    [
      'a letter that varies beside both stated eyes',
      [says('7710_L_1.dcm', 'right'), says('7710_L_2.dcm', 'left'), says('7710_R_3.dcm', 'right')],
      { eyes: 'disputed right | left (sourcesDiffer), proven left, proven right' },
    ],
    [
      'a folder that is called like a side stays the same',
      named('links/771020/771020_OD.jpg', 'links/771020/771020_OS.jpg'),
      { eyes: 'proposed right, proposed left' },
    ],
    [
      'a folder that is called like a side, beside one eye',
      named('links/771020/771020_OD.jpg'),
      { eyes: 'disputed right | left (sourcesDiffer)' },
    ],
    [
      'a folder OS stays the same',
      named('OS/771020/771020_OD.jpg', 'OS/771020/771020_OS.jpg'),
      { eyes: 'disputed right | left (sourcesDiffer), proposed left' },
    ],
    [
      'a firm term stays the same elsewhere',
      named('771020_left_OD.jpg', '771020_left_OS.jpg'),
      { eyes: 'disputed left | right (sourcesDiffer), proposed left' },
    ],
    [
      'a firm term of a name beside one eye',
      named('LINKS_771020_OD.jpg'),
      { eyes: 'disputed left | right (sourcesDiffer)' },
    ],
  ])('%s', check)
})
