/** What the path of one image alone says: the patient, the day, and the case that it joins. */
import { groupOf } from '../../../../../src-main/station/cases/verdict/visit.ts'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../tools/property.ts'
import { named, picture, shown } from '../verdict/pictures.ts'

const SEVERAL = '(severalNumbers)'
const H17 = 'proposed H-00017'
const TODAY = 'proposed 2026-11-20'
/** Nothing but the time of the file says the day. */
const BY_FILE = 'proposed 2026-11-20 (fileTime)'
const JUNE = 'proposed 2026-06-02 (farFromArrival)'
const NONE = 'unknown'

type Row = readonly [path: string, who: string, day: string]

/** Folder per visit, in all its spellings. */
const folders: readonly Row[] = [
  ['H-00017_20261120/OD_1.jpg', H17, TODAY],
  ['H-00017_20261120/case.json', H17, TODAY],
  ['H-00017_2026-11-20/IMG_0012.JPG', H17, TODAY],
  ['H-00017-20261120/OD_1.jpg', H17, TODAY],
  ['20261120_H-00017/OD_1.jpg', H17, TODAY],
  ['H-00017/20261120/OD_1.jpg', H17, TODAY],
  ['H-00017/20261120_101502/OD_1.jpg', H17, TODAY],
  ['20261120/H-00017/OD_1.jpg', H17, TODAY],
  ['H-00017/OD/1.jpg', H17, BY_FILE],
  ['H-00017 2026.11.20 10.15.02/OD_1.jpg', H17, TODAY],
  ['2026/11/20/H-00017_OD.jpg', H17, TODAY],
  ['H-00017_20261120/001_OD.jpg', H17, TODAY],
  ['H-00017_20261120/00012.jpg', H17, TODAY],
  ['Center 101/H-00017/OD_1.jpg', H17, BY_FILE],
  ['TRC-NW400/H-00017_20261120/OD_1.jpg', H17, TODAY],
  ['CR-2/H-00017_20261120/OD_1.jpg', H17, TODAY],
  ['10000001_Ana_Lopez/20261120103000/1.jpg', 'proposed 10000001', TODAY],
  // Two places that differ about the day are a question.
  ['H-00017_20261120/20261121_000102_OD.jpg', H17, 'disputed 2026-11-21 | 2026-11-20'],
]

const agreeing: readonly Row[] = [
  ['105-10-0001-2_/105-10-0001-2_Retina_OD_20260602_121802.jpg', 'proposed 105-10-0001-2', JUNE],
  ['347/347_l1.jpg', 'proposed 347', BY_FILE],
  ['h-00017/H-00017_OD.jpg', H17, BY_FILE],
]

const flat: readonly Row[] = [
  ['HC-004512_20261120_OD_1.jpg', 'proposed HC-004512', TODAY],
  ['20261120_HC-004512_OD_1.jpg', 'proposed HC-004512', TODAY],
  ['HC-004512-OD-0-visible-1.dcm', 'proposed HC-004512', BY_FILE],
  ['HC-004512_2.25.29736250512345678.dcm', 'proposed HC-004512', BY_FILE],
  ['004512_R_1.jpg', 'proposed 004512', BY_FILE],
  ['347_l1.jpg', 'proposed 347', BY_FILE],
  ['10000001_14-02-2025_3.00.05.120_PM.jpg', 'proposed 10000001', BY_FILE],
  ['20260602_38557_0100_PP.tif', 'proposed 38557', JUNE],
  ['LOTE-0042/H-00017_OD.jpg', H17, BY_FILE],
  ['Fundus_004512_OD.jpg', 'proposed 004512', BY_FILE],
  ['12345678Z_OD.jpg', 'proposed 12345678Z', BY_FILE],
  // Letters in front of a number are part of it, however many there are.
  ['AIREADI-12345_OD_1.jpg', 'proposed AIREADI-12345', BY_FILE],
]

/** Names of people beside the id. */
const people: readonly Row[] = [
  ['ClinicaSur/LOPEZ ANA_004512/20260602-101502_OS_Color_a81f.jpg', 'proposed 004512', JUNE],
  // Day first is not guessed.
  ['Ana_Lopez_10000001_14-02-2025/FOP/3.00.05.120_PM.jpg', 'proposed 10000001', BY_FILE],
  ['10000001_14022025/OD.jpg', 'proposed 10000001', BY_FILE],
]

/** What is no id, and no day of a visit. */
const neither: readonly Row[] = [
  ['105-10-0001-2/7f0c2a9e.jpg', 'proposed 105-10-0001-2', BY_FILE],
  ['105-10-0001-2/7f0c2a9e-1111-4222-8333-444455556666.jpg', 'proposed 105-10-0001-2', BY_FILE],
  ['E0000043/DS000DGS.JPG', 'proposed E0000043', BY_FILE],
  ['E0000043/IMG_0012.JPG', 'proposed E0000043', BY_FILE],
  ['E0000043/C0001629.jpg', 'proposed E0000043', BY_FILE],
  ['DCIM/100CANON/IMG_0012.JPG', NONE, BY_FILE],
  ['DCIM/100EOS5D/_MG_1234.JPG', NONE, BY_FILE],
  ['DICOM/00000001', NONE, BY_FILE],
  ['DSC0001.JPG', NONE, BY_FILE],
  ['DSC_0001.JPG', NONE, BY_FILE],
  ['P1010001.JPG', NONE, BY_FILE],
  ['IMG-20261120-WA0012.jpg', NONE, TODAY],
  ['20260602_Retina_121802.jpg', NONE, JUNE],
  ['20261120_101502.jpg', NONE, TODAY],
  ['20261120_004512_OD_1.jpg', NONE, TODAY],
  ['20261120/IMG_0012.jpg', NONE, TODAY],
  ['LOPEZ_19540312/OD_1.jpg', NONE, BY_FILE],
  ['2026-11-30_export/H-00017_OD_1.jpg', H17, BY_FILE],
  ['case-7/OD_1.jpg', NONE, BY_FILE],
  ['visit/left.jpg', NONE, BY_FILE],
  ['Ana Lopez/OD_1.jpg', NONE, BY_FILE],
  ['10_left.jpeg', 'unknown (weakNumber)', BY_FILE],
  ['001_OD.jpg', NONE, BY_FILE],
  ['macula_disc_2.jpg', NONE, BY_FILE],
  ['20261399_OD.jpg', 'proposed 20261399', BY_FILE],
]

const several: readonly Row[] = [
  ['347/348_l1.jpg', `disputed 348 | 347 ${SEVERAL}`, BY_FILE],
  ['H-00017_20261120/H-00018_20261120_OD.jpg', `disputed H-00018 | H-00017 ${SEVERAL}`, TODAY],
  ['H-00017/H-00018/OD_1.jpg', `disputed H-00018 | H-00017 ${SEVERAL}`, BY_FILE],
  ['H-00017_H-00018_OD.jpg', `disputed H-00017 | H-00018 ${SEVERAL}`, BY_FILE],
  ['H-00017/H-00017_H-00018_OD.jpg', `disputed H-00017 | H-00018 ${SEVERAL}`, BY_FILE],
  ['101/H-00017/OD_1.jpg', `disputed H-00017 | 101 ${SEVERAL}`, BY_FILE],
  ['443_071753790011_left.jpg', `disputed 443 | 071753790011 ${SEVERAL}`, BY_FILE],
  // Spelled in two ways: no one knows which is right.
  ['H-00017/H00017_OD.jpg', `unknown ${SEVERAL}`, BY_FILE],
]

describe.each([
  ['a folder for each visit', folders],
  ['a folder and a file that agree', agreeing],
  ['files in one folder', flat],
  ['names of people', people],
  ['what says nothing of a patient', neither],
  ['several patients in one path', several],
])('patient and day: %s', (_sort, rows) => {
  it.each(rows)('%s', (path, who, day) => {
    expect(shown(named(path))).toMatchObject({ who, day })
  })
})

describe('beside a number on which folder and file agree', () => {
  it.each([
    ['101/H-00017/H-00017_OD.jpg', 'proposed H-00017 (secondNumber 101)'],
    ['004512/443_004512_left.jpg', 'proposed 004512 (secondNumber 443)'],
  ])('another one is looked at: %s', (path, who) => {
    expect(shown(named(path)).who).toBe(who)
  })
})

/** The case that an image of this path joins by its names alone. */
function claimed(path: string): string {
  const group = groupOf({ path, ids: [], study: null, isSharedFolder: () => false, instants: [] })
  const { kind, ...owner } = group
  return `${kind} ${Object.values(owner).flat().join(' ')}`
}

const pathsIn = (text: string): string[] => text.split('|').map((path) => path.trim())

describe('the case', () => {
  it.each([
    // One patient, spelled by folders, by files, by both.
    `H-00017_20261120/OD_1.jpg | H-00017_20261120/OS/1.jpg | H-00017/20261120/IMG_0012.JPG |
     H-00017_20261120_OD_1.jpg | H-00017/H-00017_2026-11-20_OS.tif | 2026/11/20/H-00017_OD.jpg |
     h-00017_20261120/case.json | H-00017/H00017_OD.jpg`,
    '347/347_l1.jpg | 347/347_r2.jpg | 347_l1.jpg',
    'H-00017_20261120/101_OD.jpg | H-00017_20261120/102_OS.jpg',
    'Ana Lopez/OD_1.jpg | Ana Lopez/OS_1.jpg | Ana Lopez/FOP/3.00.05.120_PM.jpg | Ana Lopez/case.json',
    '10_left.jpeg | 10_right.jpeg',
  ])('is the same for %s', (paths) => {
    expect(new Set(pathsIn(paths).map((path) => claimed(path))).size).toBe(1)
  })

  it.each([
    'H-00017_20261120/OD_1.jpg | H-00018_20261120/OD_1.jpg',
    // An image in conflict stays apart from both patients.
    'H-00017_20261120/OD_1.jpg | H-00017_20261120/H-00018_OD.jpg | H-00018_20261120/OD_1.jpg',
    'Ana Lopez/OD_1.jpg | Ana Gomez/OD_1.jpg | case-7/OD_1.jpg | case-8/OD_1.jpg',
    '10_left.jpg | 36_left.jpg | IMG_0012.jpg',
    'DCIM/100CANON/IMG_0012.JPG | DCIM/101CANON/IMG_0012.JPG',
  ])('is different for %s', (paths) => {
    expect(new Set(pathsIn(paths).map((path) => claimed(path))).size).toBe(pathsIn(paths).length)
  })

  it.each([
    // Files in a folder that says nothing of a patient may be of any patient: only a burst holds them together.
    ['in the watched folder itself', 'IMG_0012.jpg | left.jpg | maria_OD.jpg | macula_disc_2.jpg'],
    ['in the folders of a memory card', 'DCIM/100CANON/IMG_0012.JPG | DCIM/100CANON/IMG_0013.JPG'],
    ['in the folder of a day', '20261120/IMG_0012.jpg | 20261120/IMG_0013.jpg | 2026/11/20/IMG_0012.jpg'],
  ])('rests on place and time alone %s', (_where, paths) => {
    for (const path of pathsIn(paths)) expect(claimed(path)).toMatch(/^loose /)
  })

  it('is the same for both Unicode forms of a name', () => {
    expect(claimed('Nuñez/1.jpg'.normalize('NFD'))).toBe(claimed('Nuñez/1.jpg'.normalize('NFC')))
  })
})

/** As `visitIdentityFor` composes the key of a case: whose, and of which day. */
const keyOf = (path: string): string => `${claimed(path)} ${shown([picture(path)]).day}`

describe('for all ids and days', () => {
  const id = fc
    .tuple(fc.constantFrom('H-', 'HC-', '', 'X', 'PID-'), fc.integer({ min: 10_000, max: 9_999_999 }))
    .map(([prefix, number]) => `${prefix}${number}`)
    // Six digits or more could be a day or a time, and repeated or running ones are a placeholder.
    .filter(
      (text) => !/^\d{6,}$|(\d)\1{4}|12345|23456|34567|45678|56789|98765|87654|76543|65432|54321/.test(text),
    )
  const day = fc
    .date({ min: new Date('2026-11-18'), max: new Date('2026-11-20'), noInvalidDate: true })
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

  it('two paths are of one case exactly if they are of one patient and day', () => {
    fc.assert(
      fc.property(spelled, spelled, ([oneId, oneDay, one], [otherId, otherDay, other]) => {
        const isOneVisit = oneId === otherId && oneDay === otherDay
        expect(keyOf(one(oneId, oneDay)) === keyOf(other(otherId, otherDay))).toBe(isOneVisit)
        expect(keyOf(one(oneId, oneDay))).toBe(keyOf(other(oneId, oneDay)))
      }),
    )
  })

  it('the number is proposed whole', () => {
    fc.assert(
      fc.property(spelled, ([id, day, spell]) => {
        expect(shown([picture(spell(id, day))]).who).toBe(`proposed ${id}`)
      }),
    )
  })

  it('a file that names another patient than its folder is never given to either', () => {
    fc.assert(
      fc.property(id, id, day, (folderId, fileId, day) => {
        fc.pre(folderId !== fileId)
        const path = `${folderId}_${day}/${fileId}_${day}_OD.jpg`
        expect(shown([picture(path)]).who).toMatch(/^(disputed|unknown)/)
        for (const own of [folderId, fileId])
          expect(claimed(`${own}_${day}/OD_1.jpg`)).not.toBe(claimed(path))
      }),
    )
  })
})
