import { describe, expect, it } from 'vitest'
import { type Group, groupOf } from '../../../../../src-main/station/intake/names/group.ts'
import { tokensOf } from '../../../../../src-main/station/intake/names/names.ts'
import { fc } from '../../../../tools/property.ts'

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

type Row = readonly [path: string, historyNumber: string | null, visitDate: string | null, more?: string]

const textOf = (stated: Group['visitDate']): string | null => stated && `${stated.value} by ${stated.source}`

const paths: readonly Row[] = [
  // Folder per visit, in all its spellings
  ['H-00017_20261120/OD_1.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['H-00017_20261120/case.json', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['H-00017_2026-11-20/IMG_0012.JPG', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['H-00017-20261120/OD_1.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['20261120_H-00017/OD_1.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['H-00017/20261120/OD_1.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['H-00017/20261120_101502/OD_1.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['20261120/H-00017/OD_1.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['H-00017/OD/1.jpg', 'H-00017 by folderName', null],
  ['H-00017 2026.11.20 10.15.02/OD_1.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['2026/11/20/H-00017_OD.jpg', 'H-00017 by fileName', '2026-11-20 by folderName'],
  ['H-00017_20261120/20261121_000102_OD.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['H-00017_20261120/001_OD.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['H-00017_20261120/101_OD.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['H-00017_20261120/00012.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['Center 101/H-00017/OD_1.jpg', 'H-00017 by folderName', null],
  ['101/H-00017_20261120/OD_1.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['TRC-NW400/H-00017_20261120/OD_1.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['CR-2/H-00017_20261120/OD_1.jpg', 'H-00017 by folderName', '2026-11-20 by folderName'],
  ['10000001_Ana_Lopez/20261120103000/1.jpg', '10000001 by folderName', '2026-11-20 by folderName'],
  // Folder and file agree
  [
    '105-10-0001-2_/105-10-0001-2_Retina_OD_20260602_121802.jpg',
    '105-10-0001-2 by folderName',
    '2026-06-02 by fileName',
  ],
  ['347/347_l1.jpg', '347 by folderName', null],
  ['h-00017/H-00017_OD.jpg', 'h-00017 by folderName', null],
  ['101/H-00017/H-00017_OD.jpg', 'H-00017 by folderName', null],
  ['004512/443_004512_left.jpg', '004512 by folderName', null],
  // Written alike but for dashes: no conflict, and no proof
  ['H-00017/H00017_OD.jpg', 'H-00017 by folderName', null],
  // Flat
  ['HC-004512_20261120_OD_1.jpg', 'HC-004512 by fileName', '2026-11-20 by fileName'],
  ['20261120_HC-004512_OD_1.jpg', 'HC-004512 by fileName', '2026-11-20 by fileName'],
  ['HC-004512-OD-0-visible-1.dcm', 'HC-004512 by fileName', null],
  ['HC-004512_2.25.297362505.dcm', 'HC-004512 by fileName', null],
  ['004512_R_1.jpg', '004512 by fileName', null],
  ['347_l1.jpg', '347 by fileName', null],
  ['10000001_14-02-2025_3.00.05.120_PM.jpg', '10000001 by fileName', null],
  ['20260602_38557_0100_PP.tif', '38557 by fileName', '2026-06-02 by fileName'],
  ['LOTE-0042/H-00017_OD.jpg', 'H-00017 by fileName', null],
  ['Fundus_004512_OD.jpg', '004512 by fileName', null],
  ['R-00017_L_1.jpg', 'R-00017 by fileName', null],
  ['12345678Z_OD.jpg', '12345678Z by fileName', null],
  // Names of people beside the id
  [
    'ClinicaSur/LOPEZ GARCIA ANA_004512/20260602-101502_OS_Color_a81f.jpg',
    '004512 by folderName',
    '2026-06-02 by fileName',
  ],
  ['ClinicaSur-101/LOPEZ ANA_004512/1.jpg', '004512 by folderName', null],
  // Day first is not guessed
  ['Ana_Lopez_10000001_14-02-2025/FOP/3.00.05.120_PM.jpg', '10000001 by folderName', null],
  ['10000001_14022025/OD.jpg', '10000001 by folderName', null],
  // What is no id and no date of a visit
  ['105-10-0001-2/7f0c2a9e.jpg', '105-10-0001-2 by folderName', null],
  ['105-10-0001-2/7f0c2a9e-1111-4222-8333-444455556666.jpg', '105-10-0001-2 by folderName', null],
  ['E0000043/DS000DGS.JPG', 'E0000043 by folderName', null],
  ['E0000043/IMG_0012.JPG', 'E0000043 by folderName', null],
  ['E0000043/C0001629.jpg', 'E0000043 by folderName', null],
  ['DCIM/100CANON/IMG_0012.JPG', null, null],
  ['DCIM/100EOS5D/_MG_1234.JPG', null, null],
  ['DICOM/00000001', null, null],
  ['DSC0001.JPG', null, null],
  ['DSC_0001.JPG', null, null],
  ['P1010001.JPG', null, null],
  ['IMG-20261120-WA0012.jpg', null, '2026-11-20 by fileName'],
  ['20260602_Retina_121802.jpg', null, '2026-06-02 by fileName'],
  ['20261120_101502.jpg', null, '2026-11-20 by fileName'],
  ['20261120_004512_OD_1.jpg', null, '2026-11-20 by fileName'],
  ['20261120/IMG_0012.jpg', null, '2026-11-20 by folderName'],
  ['LOPEZ_19540312/OD_1.jpg', null, null],
  ['2026-11-30_export/H-00017_OD_1.jpg', 'H-00017 by fileName', null],
  ['case-7/OD_1.jpg', null, null],
  ['visit/left.jpg', null, null],
  ['Ana Lopez/OD_1.jpg', null, null],
  ['10_left.jpeg', null, null],
  ['001_OD.jpg', null, null],
  ['macula_disc_2.jpg', null, null],
  ['20261399_OD.jpg', '20261399 by fileName', null],
  // Several patients in one path
  ['347/348_l1.jpg', null, null, 'conflict 347 348'],
  ['H-00017_20261120/H-00018_20261120_OD.jpg', null, '2026-11-20 by fileName', 'conflict H-00017 H-00018'],
  ['H-00017/H-00018/OD_1.jpg', null, null, 'conflict H-00018 H-00017'],
  ['H-00017_H-00018_OD.jpg', null, null, 'conflict H-00017 H-00018'],
  ['H-00017/H-00017_H-00018_OD.jpg', null, null, 'conflict H-00017 H-00018'],
  ['ALPHA-0042/H-00017_OD.jpg', null, null, 'conflict ALPHA-0042 H-00017'],
  ['101/H-00017/OD_1.jpg', null, null, 'conflict H-00017 101'],
  ['443_071753790011_left.jpg', null, null, 'conflict 443 071753790011'],
]

describe('patient and visit', () => {
  it.each(paths.map((row) => ({ row, path: row[0] })))('of $path', ({ row }) => {
    const [path, historyNumber, visitDate, more] = row
    const group = groupOf(path)
    expect(textOf(group.historyNumber)).toBe(historyNumber)
    expect(textOf(group.visitDate)).toBe(visitDate)
    expect(group.conflict && `conflict ${group.conflict.join(' ')}`).toBe(more ?? null)
  })
})

/** Equal for all files of one patient and visit, as `visitIdentityOf` composes it. */
function keyOf(path: string): string {
  const { owner, visitDate, otherDate } = groupOf(path)
  return JSON.stringify([...owner, visitDate?.value ?? otherDate ?? ''])
}

const pathsIn = (text: string): string[] => text.split('|').map((path) => path.trim())

describe('the key', () => {
  const sameKey = [
    // One patient and visit, spelled by folders, by files, by both
    `H-00017_20261120/OD_1.jpg | H-00017_20261120/OS/1.jpg | H-00017/20261120/IMG_0012.JPG |
     H-00017_20261120_OD_1.jpg | H-00017/H-00017_2026-11-20_OS.tif | 2026/11/20/H-00017_OD.jpg |
     h-00017_20261120/case.json`,
    '347/347_l1.jpg | 347/347_r2.jpg | 347_l1.jpg',
    'Ana Lopez/OD_1.jpg | Ana Lopez/OS_1.jpg | Ana Lopez/FOP/3.00.05.120_PM.jpg | Ana Lopez/case.json',
    'case-7/left.jpg | case-7/OD/right.jpg | case-7/case.json',
    'maria_OD_1.jpg | maria_OS_2.jpg | maria_right_macula.png',
    '10_left.jpeg | 10_right.jpeg',
  ]

  it.each(sameKey)('is the same for %s', (paths) => {
    expect(new Set(pathsIn(paths).map(keyOf)).size).toBe(1)
  })

  const otherKeys = [
    // Another patient, another visit, another spelling of a day that cannot be read
    `H-00017_20261120/OD_1.jpg | H-00018_20261120/OD_1.jpg | H-00017_20261121/OD_1.jpg |
     H-00017/OD_1.jpg`,
    '10000001_14-02-2025/1.jpg | 10000001_15-02-2025/1.jpg',
    // An image in conflict stays apart from both patients
    'H-00017_20261120/OD_1.jpg | H-00017_20261120/H-00018_OD.jpg | H-00018_20261120/OD_1.jpg',
    // Loose files, in the folder itself or in one that says nothing of a patient, may be anybody's
    `IMG_0012.jpg | IMG_0013.jpg | left.jpg | right.jpg | maria_OD.jpg | ana_OD.jpg | 10_left.jpg |
     36_left.jpg`,
    'DCIM/100CANON/IMG_0012.JPG | DCIM/100CANON/IMG_0013.JPG | DCIM/101CANON/IMG_0012.JPG',
    '20261120/IMG_0012.jpg | 20261120/IMG_0013.jpg | 20261121/IMG_0012.jpg | 2026/11/20/IMG_0012.jpg',
    'Ana Lopez/OD_1.jpg | Ana Gomez/OD_1.jpg | case-7/OD_1.jpg | case-8/OD_1.jpg',
  ]

  it.each(otherKeys)('is different for %s', (paths) => {
    expect(new Set(pathsIn(paths).map(keyOf)).size).toBe(pathsIn(paths).length)
  })

  it('is the same for both Unicode forms of a name', () => {
    expect(keyOf('Nuñez/1.jpg'.normalize('NFD'))).toBe(keyOf('Nuñez/1.jpg'.normalize('NFC')))
  })
})

describe('for all ids and days', () => {
  const id = fc
    .tuple(fc.constantFrom('H-', 'HC-', '', 'AIREADI-'), fc.integer({ min: 10_000, max: 9_999_999 }))
    .map(([prefix, number]) => `${prefix}${number}`)
    // Eight digits could be a day, and a number that could be a time of day is none behind a day.
    .filter((text) => !/^\d{6,}$/.test(text))
  const day = fc
    .date({ min: new Date('2001-01-01'), max: new Date('2098-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  const spellings: readonly ((id: string, day: string) => string)[] = [
    (id, day) => `${id}_${day}/OD_1.jpg`,
    (id, day) => `${id}_${day.replaceAll('-', '')}/left.tif`,
    (id, day) => `${id}/${day}/IMG_0012.JPG`,
    (id, day) => `${id}_${day.replaceAll('-', '')}_OS_2.png`,
    (id, day) => `${id}/${id}_Retina_OD_${day.replaceAll('-', '')}_121802.jpg`,
    (id, day) => `${day.replaceAll('-', '/')}/${id}_OD.jpg`,
  ]
  const spelled = fc.tuple(id, day, fc.constantFrom(...spellings))

  it('two paths have one key exactly if they are of one patient and visit', () => {
    fc.assert(
      fc.property(spelled, spelled, ([oneId, oneDay, one], [otherId, otherDay, other]) => {
        const isOneVisit = oneId === otherId && oneDay === otherDay
        expect(keyOf(one(oneId, oneDay)) === keyOf(other(otherId, otherDay))).toBe(isOneVisit)
        expect(keyOf(one(oneId, oneDay))).toBe(keyOf(other(oneId, oneDay)))
      }),
    )
  })

  it('a file that names another patient than its folder is never given to either', () => {
    fc.assert(
      fc.property(id, id, day, (folderId, fileId, day) => {
        fc.pre(folderId !== fileId)
        const path = `${folderId}_${day}/${fileId}_${day}_OD.jpg`
        const stray = groupOf(path)
        expect(stray.historyNumber).toBeNull()
        expect(stray.conflict).toEqual([folderId, fileId])
        for (const own of [folderId, fileId]) expect(keyOf(`${own}_${day}/OD_1.jpg`)).not.toBe(keyOf(path))
      }),
    )
  })
})
