import { describe, expect, it } from 'vitest'
import {
  isClock,
  isTimestamp,
  partsOfPath,
  type Token,
  tokensOf,
} from '../../../../../src-main/station/cases/names/tokens.ts'

function textOf(token: Token): string {
  const more =
    token.kind === 'date'
      ? `${token.value ?? 'no order'}${token.hasTime ? ' with time' : ''}`
      : token.kind === 'eye'
        ? token.term.eye
        : ''
  return `${token.kind} ${token.text}${more === '' ? '' : ` (${more})`}`
}

const names: readonly (readonly [name: string, tokens: string])[] = [
  // Dates, year first
  ['20261120', 'date 20261120 (2026-11-20)'],
  ['2026-11-20', 'date 2026-11-20 (2026-11-20)'],
  ['2026.11.20_x', 'date 2026.11.20 (2026-11-20), initial x'],
  ['2026_11_20', 'date 2026_11_20 (2026-11-20)'],
  ['20261120_101502', 'date 20261120_101502 (2026-11-20 with time)'],
  ['20261120T1015', 'date 20261120T1015 (2026-11-20 with time)'],
  ['20261120101502', 'date 20261120101502 (2026-11-20 with time)'],
  ['20261120101502345', 'date 20261120101502345 (2026-11-20 with time)'],
  ['2026-11-20 10.15.02', 'date 2026-11-20 10.15.02 (2026-11-20 with time)'],
  ['2026-11-20_10h15m02', 'date 2026-11-20_10h15m02 (2026-11-20 with time)'],
  ['20261120_991502', 'date 20261120 (2026-11-20), number 991502'],
  ['20261131', 'number 20261131'],
  ['19540312', 'date 19540312 (1954-03-12)'],
  ['2026112012', 'number 2026112012'],
  ['MRN20261120', 'number MRN20261120'],
  // Day and month are never guessed
  ['03-11-2026', 'date 03-11-2026 (no order)'],
  ['20.11.2026', 'date 20.11.2026 (no order)'],
  ['20112026', 'date 20112026 (no order)'],
  ['32-13-2026', 'sequence 32, sequence 13, year 2026'],
  ['45-11-2026', 'sequence 45, sequence 11, year 2026'],
  ['00-11-2026', 'sequence 00, sequence 11, year 2026'],
  ['2026', 'year 2026'],
  // Births in front of four digits
  ['19850417-3920', 'number 19850417, number 3920'],
  ['20130417-9834', 'number 20130417, number 9834'],
  ['20130417-1234', 'date 20130417-1234 (2013-04-17 with time)'],
  // Times
  ['10h05 09:41 08-17-11', 'time 10h05, time 09:41, time 08-17-11'],
  ['3.00.05.120_PM', 'time 3.00.05.120, term PM'],
  ['121802', 'number 121802'],
  // Measures
  ['45deg-101502-3.2mm', 'term 45deg, number 101502, term 3.2mm'],
  ['2576x1958 101502 50°', 'term 2576x1958, number 101502, term 50°'],
  ['ISO400-101502-1.5x', 'term ISO400, number 101502, term 1.5x'],
  ['45012mm 4501xL 1.501288x', 'number 45012mm, number 4501xL, sequence 1, number 501288x'],
  // Unique
  ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'unique 3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  ['3F2504E0-4F89-41D3-9A0C-0305E82C3301_1', 'unique 3F2504E0-4F89-41D3-9A0C-0305E82C3301, sequence 1'],
  ['1.2.276.0.7230010.3.1.4.296485376', 'unique 1.2.276.0.7230010.3.1.4.296485376'],
  ['2.25.29736250512345678', 'unique 2.25.29736250512345678'],
  ['7F0C2A9E a81f0b3c2d', 'unique 7F0C2A9E, unique a81f0b3c2d'],
  ['90817264', 'number 90817264'],
  ['AB123456 12345678Z E0000043', 'number AB123456, number 12345678Z, number E0000043'],
  // Eyes
  ['OD os OI', 'eye OD (right), eye os (left), eye OI (left)'],
  ['OD1 re2 R03 l', 'eye OD1 (right), eye re2 (right), letter R03, letter l'],
  ['OD123', 'number OD123'],
  [
    'FundusOD RightEye OculusSinister',
    'term Fundus, eye OD (right), eye Right (right), term Eye, term Oculus, eye Sinister (left)',
  ],
  ['771020OD RET755OS', 'number 771020, eye OD (right), number RET755, eye OS (left)'],
  ['CarlOS MacOS RodOD', 'text CarlOS, text MacOS, text RodOD'],
  ['OSBORNE RODRIGUEZ', 'text OSBORNE, text RODRIGUEZ'],
  ['Œil gauche', 'term Œil, eye gauche (left)'],
  ['IZQUIERDÓ', 'eye IZQUIERDÓ (left)'],
  ['D I d1', 'initial D, initial I, text d1'],
  // Names
  ["O'DELL D’Angelo", "text O'DELL, text D’Angelo"],
  ['Muñoz-Peña 王小明 Иванов', 'text Muñoz, text Peña, text 王小明, text Иванов'],
  ['O\u0308zlem', 'text O\u0308zlem'],
  // Counters, words, devices
  ['IMG_0012 IMG0012 image7', 'term IMG, number 0012, counter IMG0012, counter image7'],
  ['100CANON 101EOS5D DS000DGS', 'counter 100CANON, counter 101EOS5D, counter DS000DGS'],
  ['TRCNW400 Pictor2 Eidon', 'term TRCNW400, term Pictor2, term Eidon'],
  ['K7QZ81M2 m3', 'number K7QZ81M2, text m3'],
  ['', ''],
  ['---', ''],
]

describe('the tokens', () => {
  it.each(names)('of "%s"', (name, tokens) => {
    expect(tokensOf(name).map(textOf).join(', ')).toBe(tokens)
  })

  it('hold what separates them', () => {
    expect(tokensOf('a_1 -b771').map(({ joint, at }) => [joint, at])).toEqual([
      ['', 0],
      ['_', 2],
      [' -', 5],
    ])
    expect(tokensOf('FundusOD').map(({ joint }) => joint)).toEqual(['', ''])
  })
})

describe('folders and stem', () => {
  it.each([
    ['a/b/c.jpg', 'a|b', 'c'],
    ['c.JPEG', '', 'c'],
    ['1.2.840.113619', '', '1.2.840.113619'],
    ['3.00.05.120_PM.jpg', '', '3.00.05.120_PM'],
    ['a.ZIP/b/c.tif', 'a|b', 'c'],
    ['DICOM/00000001', 'DICOM', '00000001'],
    ['n\u0303/n\u0303.png', 'ñ', 'ñ'],
    ['no.extension', '', 'no.extension'],
  ])('of %s', (path, folders, stem) => {
    expect(partsOfPath(path)).toMatchObject({ folders: folders === '' ? [] : folders.split('|'), stem })
  })
})

describe('clocks and timestamps', () => {
  it.each([
    ['000000', true],
    ['235959', true],
    ['235959999', true],
    ['240000', false],
    ['126000', false],
    ['12150', false],
    ['1215', false],
  ])('%s is a clock: %s', (digits, expected) => {
    expect(isClock(digits)).toBe(expected)
  })

  it.each([
    ['1795171234567', true],
    ['1795171234', false],
    ['0795171234567', false],
    ['9795171234567', false],
  ])('%s is a timestamp: %s', (digits, expected) => {
    expect(isTimestamp(digits)).toBe(expected)
  })
})
