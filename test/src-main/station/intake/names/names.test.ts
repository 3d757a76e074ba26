import { describe, expect, it } from 'vitest'
import { tokensOf } from '../../../../../src-main/station/intake/names/names.ts'

const names: readonly (readonly [name: string, tokens: string])[] = [
  [
    '105-10-0001-2_Retina_OD_20260602_121802',
    'number 105-10-0001-2, word Retina, eye OD, date 20260602_121802',
  ],
  ['HC-004512-OD-0-visible-1', 'number HC-004512, eye OD, sequence 0, word visible, sequence 1'],
  ['H-00017_2026-11-20', 'number H-00017, date 2026-11-20'],
  ['H-00017-2026-11-20-OS', 'number H-00017, date 2026-11-20, eye OS'],
  ['2026-11-20 10.15.02', 'date 2026-11-20 10.15.02'],
  ['20261120T101502', 'date 20261120T101502'],
  ['20261120101502123', 'date 20261120101502123'],
  ['20261131', 'number 20261131'],
  ['14-02-2025', 'otherDate 14-02-2025'],
  ['2_14_2025', 'otherDate 2_14_2025'],
  ['14022025', 'otherDate 14022025'],
  ['32-13-2025', 'number 32-13-2025'],
  ['1954-03-12', 'otherDate 1954-03-12'],
  ['2026', 'otherDate 2026'],
  ['3.00.05.120_PM', 'unique 3.00.05.120, word PM'],
  ['2.25.297362505', 'unique 2.25.297362505'],
  ['7F0C2A9E', 'unique 7F0C2A9E'],
  ['E0000043', 'number E0000043'],
  ['AB123456', 'number AB123456'],
  ['12345678Z', 'number 12345678Z'],
  ['12345678-Z', 'number 12345678-Z'],
  ['K7QZ81M2', 'text K7QZ81M2'],
  ['IMG_0012', 'counting IMG, number 0012'],
  ['IMG0012 image7 case12', 'counter IMG0012, counter image7, counter case12'],
  ['DS000DGS 100CANON 101EOS5D', 'counter DS000DGS, counter 100CANON, counter 101EOS5D'],
  ['TRC-NW400_CR-2', 'word TRC-NW400, word CR-2'],
  ['347_l1', 'number 347, letter l1'],
  ['00017-R-1', 'number 00017, letter R, sequence 1'],
  ['R-00017', 'number R-00017'],
  ['OD1 OS02 re3', 'eye OD1, eye OS02, eye re3'],
  ['RightEye FundusOD', 'eye Right, word Eye, word Fundus, eye OD'],
  ['ojo-derecho izquierdo', 'word ojo, eye derecho, eye izquierdo'],
  // No part of a word gives an eye
  ['OSBORNE RODRIGUEZ CARLOS', 'text OSBORNE, text RODRIGUEZ, text CARLOS'],
  ['CarlOS MacOS RodOD', 'text CarlOS, text MacOS, text RodOD'],
  ['LEE WRIGHT Relefter', 'text LEE, text WRIGHT, text Relefter'],
  ['D_I_d1_i2', 'text D, text I, text d1, text i2'],
  ['Muñoz Peña', 'text Muñoz, text Peña'],
  ['', ''],
  ['---', ''],
]

describe('the tokens', () => {
  it.each(names)('of "%s"', (name, tokens) => {
    expect(
      tokensOf(name)
        .map(({ kind, text }) => `${kind} ${text}`)
        .join(', '),
    ).toBe(tokens)
  })
})
