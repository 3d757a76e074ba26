import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { describe, expect, it } from 'vitest'
import { composeContent } from '../../../../src-main/station/cases/content.ts'
import { foldPath, stemKeyOf } from '../../../../src-main/station/cases/meaning/sources.ts'
import type { PictureEvidence, Statement } from '../../../../src-main/station/cases/verdict/evidence.ts'
import { verdictsOnEyes } from '../../../../src-main/station/cases/verdict/eyes.ts'
import { type Pairable, twinsAmong } from '../../../../src-main/station/cases/visits/twins.ts'
import { fc } from '../../../tools/property.ts'
import { picture } from './verdict/pictures.ts'

/** A picture of one file that says nothing itself. */
function pictureOf(path: string, eyes: readonly Statement<StatedEye>[] = []): PictureEvidence {
  return { ...picture(path), eyes }
}

/** Each picture with its eye: `right` if names propose it, `right!` if it is proven, what is in dispute, or nothing. */
function eyesOf(pictures: readonly PictureEvidence[]): Record<string, string> {
  const entries = [...verdictsOnEyes(pictures)].map(([id, verdict]): [string, string] => {
    switch (verdict.kind) {
      case 'proven':
        return [id, `${verdict.value}!`]
      case 'proposed':
        return [id, verdict.value]
      case 'disputed':
        return [id, verdict.statements.map(({ value, source }) => `${value} by ${source}`).join(', ')]
      case 'unknown':
        return [id, '']
    }
  })
  return Object.fromEntries(entries)
}

const eyesIn = (paths: readonly string[]): Record<string, string> =>
  eyesOf(paths.map((path) => pictureOf(path)))

describe('words in the name of one file', () => {
  const table: readonly (readonly [path: string, eye: string])[] = [
    ['H-00017_20261120_OD_1.jpg', 'right'],
    ['H-00017_20261120_os_1.jpg', 'left'],
    ['10_left.jpeg', 'left'],
    ['36_Right.jpg', 'right'],
    ['ojo derecho.jpg', 'right'],
    ['004512_dextra.tif', 'right'],
    ['HC-004512-OD-0-visible-1.dcm', 'right'],
    ['LOPEZ_ANA_OD_1.jpg', 'right'],
    ['OD1.jpg', 'right'],
    ['FundusOS_2.jpg', 'left'],
    ['H-00017/OD/1.jpg', 'right'],
    ['H-00017_20261120_OS/1.jpg', 'left'],
    ['H-00017/ojo izquierdo/1.jpg', 'left'],
    ['H-00017/left_1/1.jpg', 'left'],
    // Words that are names, too, need their counterpart in the same visit
    ['004512_OI_1.jpg', ''],
    ['004512_RE.jpg', ''],
    ['004512_LE_2.jpg', ''],
    ['004512_izquierda.tif', ''],
    // Nothing that is part of a word, and no D and I
    ['OSBORNE_1.jpg', ''],
    ['RODRIGUEZ CARLOS.jpg', ''],
    ['004512_D_1.jpg', ''],
    ['004512_I_1.jpg', ''],
    ['004512_OU_1.jpg', ''],
    ['wright_lefty.jpg', ''],
    // Surnames that are spelled like an eye
    ['van Os_004512_1.jpg', ''],
    ['VAN OS JAN.jpg', ''],
    ['JUAN OS MARIA.jpg', ''],
    ['Le Anh_004512.jpg', ''],
    ['Izquierdo_004512_1.jpg', ''],
    ['LE ANH_004512/1.jpg', ''],
    ['Izquierdo_004512/1.jpg', ''],
    ['OS JAN_004512/1.jpg', ''],
    // A single letter alone
    ['004512_R_1.jpg', ''],
    ['347_l1.jpg', ''],
    // Places that disagree
    ['H-00017/OS/1_OD.jpg', 'right by fileName, left by folderName'],
    ['OD_OS_both.jpg', 'right by fileName, left by fileName'],
    // And that agree
    ['H-00017/OD/1_OD.jpg', 'right'],
  ]
  it.each(table)('%s', (path, eye) => {
    expect(eyesIn([path])).toEqual({ [path]: eye })
  })
})

describe('the letters R and L', () => {
  it.each<readonly [string, Readonly<Record<string, string>>]>([
    [
      'propose it at one place',
      { '004512_R_1.bmp': 'right', '004512_R_2.bmp': 'right', '004512_L_1.bmp': 'left' },
    ],
    ['do so in small letters with digits', { '347/347_l1.jpg': 'left', '347/347_r2.jpg': 'right' }],
    ['do so as names of folders, too', { '347/R/1.jpg': 'right', '347/L/1.jpg': 'left' }],
    ['propose nothing if only one of them is shown', { '004512_R_1.jpg': '', '004512_R_2.jpg': '' }],
    ['propose nothing at different positions', { '004512_R_1.jpg': '', 'L_004512_1.jpg': '' }],
    ['leave a shared initial alone', { 'Ana_L_Perez_R_1.jpg': 'right', 'Ana_L_Perez_L_2.jpg': 'left' }],
    [
      'are a question beside a word, and pair with no letter elsewhere',
      { 'x_OD_L.jpg': 'right by fileName, left by fileName', 'x_OD_R.jpg': 'right', 'x_L.jpg': '' },
    ],
    ['propose nothing in a stereo pair', { 'x_stereo_L.jpg': '', 'x_stereo_R.jpg': '' }],
    ['do not work for D and I', { '004512_D_1.jpg': '', '004512_I_1.jpg': '' }],
  ])('%s', (_what, eyes) => {
    expect(eyesIn(Object.keys(eyes))).toEqual(eyes)
  })
})

describe('what a source states', () => {
  const by = (source: 'dicom' | 'sidecar', value: StatedEye): Statement<StatedEye> => ({
    value,
    source,
    where: source,
  })

  it('proves the eye, unless it is silent', () => {
    expect(eyesOf([pictureOf('x.dcm', [by('dicom', 'left')])])).toEqual({ 'x.dcm': 'left!' })
    expect(eyesOf([pictureOf('x.dcm')])).toEqual({ 'x.dcm': '' })
  })

  it('is in dispute with a name that says the other eye, whichever the source', () => {
    for (const source of ['dicom', 'sidecar'] as const)
      expect(eyesOf([pictureOf('x_OD.dcm', [by(source, 'left')])])).toEqual({
        'x_OD.dcm': `left by ${source}, right by fileName`,
      })
  })

  it('is doubted by a letter that gives no eye itself', () => {
    expect(eyesOf([pictureOf('x_R.jpg', [by('sidecar', 'left')])])).toEqual({
      'x_R.jpg': 'left by sidecar, right by fileName',
    })
  })

  it('counts of every file that shows the picture', () => {
    const twice = (...paths: readonly string[]): PictureEvidence => ({ ...pictureOf('a'), paths })
    expect(eyesOf([twice('a_OD.jpg', 'b.jpg')])).toEqual({ a: 'right' })
    expect(eyesOf([twice('a_OD.jpg', 'a_OS.jpg')])).toEqual({ a: 'right by fileName, left by fileName' })
  })
})

it('words elsewhere in a name that a confirmed profile reads in full count for nothing', () => {
  const stated = [{ value: 'left', source: 'fileName', where: 'OD_L.jpg' }] as const
  const named = { ...pictureOf('OD_L.jpg', stated), isReadByProfile: true }
  expect(eyesOf([named])).toEqual({ 'OD_L.jpg': 'left!' })
  expect(eyesOf([{ ...named, eyes: [] }])).toEqual({ 'OD_L.jpg': '' })
})

describe('for all files of a visit', () => {
  const fileName = fc
    .tuple(
      fc.constantFrom('004512', 'Ana', '20261120'),
      fc.constantFrom('OD', 'OS', 'R', 'L', 'x', 'left', 'D', 'Izquierdo', 'Derecho', 'LE'),
      fc.nat(9),
    )
    .map((parts) => `${parts.join('_')}.jpg`)
  const visit = fc.uniqueArray(fileName, { minLength: 1, maxLength: 8 })
  const eyes = ['right', 'left']

  it('a further file never turns one eye into the other', () => {
    fc.assert(
      fc.property(visit, fileName, (files, further) => {
        const [before, after] = [eyesIn(files), eyesIn([...new Set([...files, further])])]
        for (const file of files) {
          const [was = '', is = ''] = [before[file], after[file]]
          if (eyes.includes(was) && eyes.includes(is)) expect(is).toBe(was)
        }
      }),
    )
  })

  it('their order means nothing', () => {
    fc.assert(
      fc.property(visit, (files) => {
        expect(eyesIn(files.toReversed())).toEqual(eyesIn(files))
      }),
    )
  })
})

const TYPES = { jpg: 'image/jpeg', tif: 'image/tiff', dcm: 'application/dicom', bmp: 'image/bmp' } as const

function file(fileName: string): Pairable {
  const extension = fileName.split('.').at(-1) as keyof typeof TYPES
  return { id: fileName, content_type: TYPES[extension], file_name: fileName, grey: null }
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

it('one name in two spellings is one, and the fuller is taken; two names are asked about', () => {
  const found = [
    ['Müller', 'MUELLER'],
    ['A.', 'Alice Maria'],
    ['Ida Nora', 'Nora'],
    ['Carlo', 'Carla'],
  ].map((two) => {
    const last_name = two.map((value) => ({ value, source: 'dicom' as const, where: '' }))
    return composeContent({ fields: {}, sources: {}, statements: { last_name }, dayOfFiles: null })
  })
  expect(found.map(({ fields }) => fields.last_name)).toEqual(['MUELLER', 'Alice Maria', 'Ida Nora', 'Carlo'])
  expect(found.map(({ disagreements }) => disagreements.length)).toEqual([0, 0, 0, 1])
})
