import { describe, expect, it } from 'vitest'
import {
  type EyeEvidence,
  eyesOf,
  foldPath,
  stemKeyOf,
} from '../../../../src-main/station/intake/evidence.ts'
import { otherPatients } from '../../../../src-main/station/intake/completeness.ts'
import { type Pairable, twinsAmong } from '../../../../src-main/station/intake/visits/visits.ts'
import { fc } from '../../../tools/property.ts'

const BY_TERMS = { eye: { kind: 'byWords' } } as const

/** A picture of one file that says nothing itself. */
function pictureOf(fileName: string): EyeEvidence {
  return { id: fileName, names: [fileName], paths: [BY_TERMS], facts: [] }
}

/** Each file with its eye and its source. */
function eyesIn(
  fileNames: readonly string[],
  sidecar: Parameters<typeof eyesOf>[1][number] = {},
): Record<string, string> {
  const entries = [...eyesOf(fileNames.map(pictureOf), [sidecar])].map(([fileName, finding]) => {
    if (finding.kind === 'stated') return [fileName, `${finding.eye} by ${finding.source}`]
    if (finding.kind === 'unknown') return [fileName, 'unknown']
    return [fileName, finding.statements.map(({ value, source }) => `${value} by ${source}`).join(', ')]
  })
  return Object.fromEntries(entries) as Record<string, string>
}

describe('words in the name of one file', () => {
  const table: readonly (readonly [path: string, finding: string])[] = [
    ['H-00017_20261120_OD_1.jpg', 'right by fileName'],
    ['H-00017_20261120_os_1.jpg', 'left by fileName'],
    ['004512_OI_1.jpg', 'left by fileName'],
    ['004512_RE.jpg', 'right by fileName'],
    ['004512_LE_2.jpg', 'left by fileName'],
    ['10_left.jpeg', 'left by fileName'],
    ['36_Right.jpg', 'right by fileName'],
    ['ojo derecho.jpg', 'right by fileName'],
    ['004512_izquierda.tif', 'left by fileName'],
    ['004512_dextra.tif', 'right by fileName'],
    ['HC-004512-OD-0-visible-1.dcm', 'right by fileName'],
    ['LOPEZ_ANA_OD_1.jpg', 'right by fileName'],
    ['OD1.jpg', 'right by fileName'],
    ['FundusOS_2.jpg', 'left by fileName'],
    ['H-00017/OD/1.jpg', 'right by folderName'],
    ['H-00017_20261120_OS/1.jpg', 'left by folderName'],
    ['H-00017/ojo izquierdo/1.jpg', 'left by folderName'],
    ['H-00017/left_1/1.jpg', 'left by folderName'],
    // Nothing that is part of a word, and no D and I
    ['OSBORNE_1.jpg', 'unknown'],
    ['RODRIGUEZ CARLOS.jpg', 'unknown'],
    ['004512_D_1.jpg', 'unknown'],
    ['004512_I_1.jpg', 'unknown'],
    ['004512_OU_1.jpg', 'unknown'],
    ['wright_lefty.jpg', 'unknown'],
    // Surnames that are spelled like an eye
    ['van Os_004512_1.jpg', 'unknown'],
    ['VAN OS JAN.jpg', 'unknown'],
    ['JUAN OS MARIA.jpg', 'unknown'],
    ['Le Anh_004512.jpg', 'unknown'],
    ['Izquierdo_004512_1.jpg', 'unknown'],
    ['LE ANH_004512/1.jpg', 'unknown'],
    ['Izquierdo_004512/1.jpg', 'unknown'],
    ['OS JAN_004512/1.jpg', 'unknown'],
    // A single letter alone
    ['004512_R_1.jpg', 'unknown'],
    ['347_l1.jpg', 'unknown'],
    // Sources that disagree
    ['H-00017/OS/1_OD.jpg', 'right by fileName, left by folderName'],
    ['OD_OS_both.jpg', 'right by fileName, left by fileName'],
    // And that agree
    ['H-00017/OD/1_OD.jpg', 'right by fileName'],
  ]
  it.each(table)('%s', (path, finding) => {
    expect(eyesIn([path])).toEqual({ [path]: finding })
  })
})

describe('the letters R and L', () => {
  it.each<readonly [string, Readonly<Record<string, string>>]>([
    [
      'state it at one place',
      { '004512_R_1.bmp': 'right', '004512_R_2.bmp': 'right', '004512_L_1.bmp': 'left' },
    ],
    ['do so in small letters with digits', { '347/347_l1.jpg': 'left', '347/347_r2.jpg': 'right' }],
    ['state nothing if only one of them is shown', { '004512_R_1.jpg': '', '004512_R_2.jpg': '' }],
    ['state nothing at different positions', { '004512_R_1.jpg': '', 'L_004512_1.jpg': '' }],
    ['leave a shared initial alone', { 'Ana_L_Perez_R_1.jpg': 'right', 'Ana_L_Perez_L_2.jpg': 'left' }],
    ['are a stereo pair beside words', { 'x_OD_L.jpg': 'right', 'x_OD_R.jpg': 'right', 'x_L.jpg': '' }],
    ['state nothing in a stereo pair', { 'x_stereo_L.jpg': '', 'x_stereo_R.jpg': '' }],
    ['do not work for D and I', { '004512_D_1.jpg': '', '004512_I_1.jpg': '' }],
  ])('%s', (_what, eyes) => {
    const expected = Object.entries(eyes).map(([name, eye]) => [name, eye ? `${eye} by fileName` : 'unknown'])
    expect(eyesIn(Object.keys(eyes))).toEqual(Object.fromEntries(expected))
  })

  it('state the eye as names of folders, too', () => {
    expect(eyesIn(['347/R/1.jpg', '347/L/1.jpg'])).toEqual({
      '347/R/1.jpg': 'right by folderName',
      '347/L/1.jpg': 'left by folderName',
    })
  })
})

describe('the sidecar', () => {
  it.each<readonly [string, Parameters<typeof eyesIn>[1], Readonly<Record<string, string>>]>([
    [
      'goes by name or path',
      { '1.jpg': 'right', 'a/2.jpg': 'left' },
      { 'v/1.jpg': 'right by S', 'v/a/2.jpg': 'left by S', 'v/3.jpg': 'unknown' },
    ],
    [
      'finds other spellings',
      { 'img_0012.jpg': 'right', ['año.jpg'.normalize('NFD')]: 'left' },
      { 'v/IMG_0012.JPG': 'right by S', 'v/año.jpg': 'left by S' },
    ],
    [
      'is silent of one name for two',
      { '1.jpg': 'right' },
      { 'v/a/1.jpg': 'unknown', 'v/b/1.jpg': 'unknown' },
    ],
    [
      'may contradict a name',
      { 'x_OS.jpg': 'right', 'y_OD.jpg': 'right' },
      { 'v/x_OS.jpg': 'right by S, left by fileName', 'v/y_OD.jpg': 'right by S' },
    ],
    [
      'is a source beside letters',
      { 'x_R.jpg': 'left' },
      { 'x_R.jpg': 'left by S, right by fileName', 'x_L.jpg': 'left by fileName' },
    ],
    ['"unknown" is no statement', { '1_OD.jpg': 'unknown' }, { 'v/1_OD.jpg': 'right by fileName' }],
    ['does not find what every object has', {}, { constructor: 'unknown', toString: 'unknown' }],
  ])('%s', (_what, sidecar, expected) => {
    const found = Object.entries(eyesIn(Object.keys(expected), sidecar))
    const short = found.map(([name, eye]) => [name, eye.replaceAll('sidecar', 'S')])
    expect(Object.fromEntries(short)).toEqual(expected)
  })
})

describe('what the image itself states', () => {
  const picture = (eye: 'right' | 'left' | null, name = 'x.dcm'): EyeEvidence => ({
    ...pictureOf(name),
    facts: [{ eye }],
  })

  it('is an eye, unless it is silent', () => {
    expect(eyesOf([picture('left')], []).get('x.dcm')).toMatchObject({ eye: 'left', source: 'dicom' })
    expect(eyesOf([picture(null)], []).get('x.dcm')).toEqual({ kind: 'unknown' })
  })

  it('and a name that says the other eye are a conflict', () => {
    expect(eyesOf([picture('left', 'x_OD.dcm')], []).get('x_OD.dcm')).toEqual({
      kind: 'conflict',
      statements: [
        { value: 'left', source: 'dicom' },
        { value: 'right', source: 'fileName' },
      ],
    })
  })

  it('counts of every file that shows the picture', () => {
    const names = ['a_OD.jpg', 'b.jpg']
    const twice = { ...pictureOf('a'), names, paths: names.map(() => BY_TERMS) }
    expect(eyesOf([twice], []).get('a')).toMatchObject({ eye: 'right' })
    const both = { ...twice, names: ['a_OD.jpg', 'a_OS.jpg'] }
    expect(eyesOf([both], []).get('a')).toMatchObject({ kind: 'conflict' })
  })
})

it('the place that a pattern gives to the eye outweighs words elsewhere in the name', () => {
  const inPattern = { kind: 'byPattern', eye: { value: 'left', source: 'fileName' } } as const
  const named = { ...pictureOf('OD_L.jpg'), paths: [{ eye: inPattern }] }
  expect(eyesOf([named], []).get('OD_L.jpg')).toMatchObject({ kind: 'stated', eye: 'left' })
  const silent = { ...named, paths: [{ eye: { kind: 'byPattern', eye: null } as const }] }
  expect(eyesOf([silent], []).get('OD_L.jpg')).toEqual({ kind: 'unknown' })
})

describe('for all files of a visit', () => {
  const fileName = fc
    .tuple(
      fc.constantFrom('004512', 'Ana', '20261120'),
      fc.constantFrom('OD', 'OS', 'R', 'L', 'x', 'left', 'D'),
      fc.nat(9),
    )
    .map((parts) => `${parts.join('_')}.jpg`)
  const visit = fc.uniqueArray(fileName, { minLength: 1, maxLength: 8 })

  it('a further file never turns one eye into the other', () => {
    fc.assert(
      fc.property(visit, fileName, (files, further) => {
        const [before, after] = [files, [...new Set([...files, further])]].map((names) =>
          eyesOf(names.map(pictureOf), []),
        )
        for (const file of files) {
          const [was, is] = [before?.get(file), after?.get(file)]
          if (was?.kind === 'stated' && is?.kind === 'stated') expect(is.eye).toBe(was.eye)
        }
      }),
    )
  })
})

const TYPES = { jpg: 'image/jpeg', tif: 'image/tiff', dcm: 'application/dicom', bmp: 'image/bmp' } as const

function file(fileName: string): Pairable {
  const extension = fileName.split('.').at(-1) as keyof typeof TYPES
  return { id: fileName, content_type: TYPES[extension], file_name: fileName }
}

it.each<readonly [string, readonly string[], Readonly<Record<string, string>>]>([
  ['are one photograph if one is DICOM', ['a.jpg', 'a.dcm'], { 'a.dcm': 'a.jpg' }],
  ['are one in the other order', ['a.dcm', 'a.bmp'], { 'a.dcm': 'a.bmp' }],
  ['are two where none is DICOM', ['a.jpg', 'a.tif'], {}],
  ['may be DICOM alone', ['a.dcm'], {}],
  ['are no pair where two may be meant', ['a.dcm', 'b.dcm', 'a.jpg'], {}],
  ['pair DICOM with what is most like what is sent', ['a.tif', 'a.jpg', 'a.dcm'], { 'a.dcm': 'a.jpg' }],
])('files of one stem %s', (_what, names, twins) => {
  expect(Object.fromEntries(twinsAmong(names.map(file)))).toEqual(twins)
})

it('names of one photograph are alike but for the extension, the case and the Unicode form', () => {
  expect(stemKeyOf('Visit/IMG_1.JPG')).toBe(stemKeyOf('visit/img_1.dcm'))
  expect(stemKeyOf('año/1.jpg'.normalize('NFD'))).toBe(stemKeyOf('año/1.dcm'))
  expect(stemKeyOf('a/1.jpg')).not.toBe(stemKeyOf('b/1.jpg'))
  expect(stemKeyOf('a.b/1')).toBe('a.b/1')
  expect(foldPath('A/Ñ.JPG')).toBe('a/ñ.jpg')
})

describe('the ids of a path, beside the one that was stated', () => {
  it.each([
    ['the very one', ['H-00017'], 'H-00017', []],
    ['the same in small letters and with spaces', ['h-00017 '], 'H-00017', []],
    ['another of the same shape', ['H-00018'], 'H-00017', ['H-00018']],
    ['several of the same shape', ['H-00018', 'H-00017', 'H-00019'], 'H-00017', ['H-00018', 'H-00019']],
    ['a folder that is called anything', ['case-7', 'exports', '2026'], 'H-00017', []],
    ['a longer number', ['H-000170'], 'H-00017', []],
    ['letters beyond ASCII', ['Ñ-00018'], 'H-00017', ['Ñ-00018']],
    ['plain numbers', ['100018', '1000181'], '100017', ['100018']],
    ['nothing', [], 'H-00017', []],
  ])('%s', (_what, ids, stated, others) => {
    expect(otherPatients(ids, stated)).toEqual(others)
  })
})
