/** Names beside a number: one person in several spellings, two people, or an unknown word. */
import { NOTHING_LEARNT } from '../../../../tools/nothing-learnt.ts'
import { describe, expect, it } from 'vitest'
import { namedBy, nameTermsInPath } from '../../../../../src-main/station/cases/verdict/named-people.ts'
import { verdictOnVisit } from '../../../../../src-main/station/cases/verdict/visit.ts'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { asking, type Circumstances, named, picture, shown, TODAY, type VisitRow } from './pictures.ts'

const stating = (path: string, name?: string, more: Circumstances = {}): PictureEvidence =>
  picture(path, { dicom: { id: '501288', day: TODAY, eye: 'right', ...(name && { name }) }, ...more })

describe('a name beside a stated one', () => {
  it.each<VisitRow>([
    ['the same', stating('501288_García Luis_OD.dcm', 'GARCIA^LUIS'), 'proven 501288'],
    ['in another order, with an initial', stating('501288_L-Garcia_OD.dcm', 'Garcia^Luis'), 'proven 501288'],
    ['joined', stating('501288_ODELLRAY_OD.dcm', "O'Dell^Ray"), 'proven 501288'],
    ['in parts', stating('501288_O Dell_OD.dcm', "O'Dell^Ray"), 'proven 501288'],
    [
      'another, beside the number',
      stating('501288_Fischer_OD.dcm', 'Salazar^Hans'),
      { who: 'disputed Salazar Hans | fischer (twoPeople)', clearance: 'needsAnswer' },
    ],
    [
      'another, beside the number of the folder',
      stating('Fischer Uwe 501288/1.dcm', 'Salazar^Hans'),
      'disputed Salazar Hans | fischer uwe (twoPeople)',
    ],
    [
      'another, away from the number',
      stating('Fischer/501288_OD.dcm', 'Salazar^Hans'),
      { who: 'proposed 501288 (unknownTerm fischer)', clearance: 'needsLook' },
    ],
    [
      'another, known as a constant',
      stating('Fischer/501288_Fischer_OD.dcm', 'Salazar^Hans'),
      'proven 501288',
      { constants: ['fischer'] },
    ],
    [
      'of which one term is strange',
      stating('501288_Salazar Erik_OD.dcm', 'Salazar^Hans'),
      'proposed 501288 (unknownTerm erik)',
    ],
    ['no name is stated', stating('501288_Fischer_OD.dcm'), 'proven 501288'],
    ['the stated name is a placeholder', stating('501288_Fischer_OD.dcm', 'ANONYMOUS'), 'proven 501288'],
    [
      'read by a profile',
      stating('501288_Fischer_OD.dcm', 'Salazar^Hans', { isReadByProfile: true }),
      'proven 501288',
    ],
  ])('%s', asking('who'))
})

describe('a name in a path beside the stated one', () => {
  it.each([
    // A part of a name is no name.
    ['501288_Lopez_Ana_OD.dcm', 'Lopez^Mariana', 'proposed 501288 (unknownTerm ana)'],
    ['501288_Lopez_Eva_OD.dcm', 'Lopez^Genoveva', 'proposed 501288 (unknownTerm eva)'],
    ['501288_Rosa Vidal_OD.dcm', 'Vidal^Ambrosa', 'proposed 501288 (unknownTerm rosa)'],
    ['501288_Lopez_Luisa_OD.dcm', 'Lopez^Luis', 'proposed 501288 (unknownTerm luisa)'],
    ['501288_Ana_OD.dcm', 'Lopez^Joana', 'disputed Lopez Joana | ana (twoPeople)'],
    // Other spellings
    ['501288_Mueller_Joerg_OD.dcm', 'Müller^Jörg', 'proven 501288'],
    ['501288_Yildiz_OD.dcm', 'Yıldız^Ayşe', 'proven 501288'],
    ['501288_Duc_OD.dcm', 'Nguyễn^Đức', 'proven 501288'],
    ['501288_Joergensen_OD.dcm', 'Jørgensen^Åse', 'proven 501288'],
    ['501288_MARIAJOSE_OD.dcm', 'García^María José', 'proven 501288'],
    ['501288_JOSEGARCIA_OD.dcm', 'García^José', 'proven 501288'],
    ['501288_Dell_OD.dcm', "O'Dell^Ray", 'proven 501288'],
    // The same in another script.
    ['501288_Ivanov_OD.dcm', 'Иванов^Пётр', 'proven 501288'],
    // A word behind the eye is most likely a view.
    ['501288_OD_Fischer.dcm', 'Salazar^Hans', 'proposed 501288 (unknownTerm fischer)'],
  ])('%s, %s: %s', (path, name, who) => expect(shown([stating(path, name)]).who).toBe(who))

  it.each([
    ['Garcia^Luis', 'Garcia^Luisa'],
    ['Garcia^Paul', 'Garcia^Paula'],
    ['Garcia^Jose', 'Garcia^Josefina'],
    ['Garcia^Manuel', 'Garcia^Manuela'],
  ])('%s is not %s', (one, other) => {
    expect(shown([stating('1.dcm', one), stating('2.dcm', other)]).who).toMatch(/^disputed.*twoPeople/)
  })
})

describe('a name is said with what states it, and where', () => {
  it.each<readonly [readonly PictureEvidence[], readonly string[], string, string]>([
    [[stating('IMG_1_OD.dcm', 'Demoson^Fictor')], ['demoson', 'fictor'], 'dicom', 'IMG_1_OD.dcm'],
    [named('771020_Rossi_OD.jpg'), ['rossi'], 'fileName', '771020_Rossi_OD.jpg'],
    [named('Rossi Anna/771020_OD.jpg'), ['anna', 'rossi'], 'folderName', 'Rossi Anna/771020_OD.jpg'],
    [
      [...named('771020_OD.jpg'), ...named('771020_Vidal_OS.jpg')],
      ['vidal'],
      'fileName',
      '771020_Vidal_OS.jpg',
    ],
  ])('%#', (pictures, terms, source, where) => {
    const people = pictures.map((one) => ({ ...one, hints: [] }))
    expect(namedBy(people, terms)).toMatchObject({ value: terms.join(' '), source, where })
  })
})

describe('views behind the eye are no people', () => {
  it.each([
    ['Makula', 'Papille'],
    ['macule', 'papille'],
    ['pre', 'post'],
    ['blurry', 'sharp'],
    ['edited', 'cropped'],
    ['foco', 'desenfocado'],
  ])('%s and %s', (one, other) => {
    expect(shown(named(`771020_OD_${one}.jpg`, `771020_OS_${other}.jpg`)).who).toBe('proposed 771020')
    expect(shown(named(`771020_OD_1_${one}.jpg`, `771020_OS_1_${other}.jpg`)).who).toBe('proposed 771020')
  })

  it.each([
    ['in front of the eye', ['771020_Fischer_OD.jpg', '771020_Weber_OS.jpg']],
    ['between the eye and the number', ['OD_Fischer_771020.jpg', 'OS_Weber_771020.jpg']],
    ['in the folder', ['771020 Fischer/OD.jpg', '771020 Weber/OS.jpg']],
  ])('but names are: %s', (_title, paths) => {
    expect(shown(named(...paths)).who).toBe('disputed fischer | weber (twoPeople)')
  })
})

describe('two names that a person said are of one patient', () => {
  it('in the sources', () => {
    const pictures = [stating('1.dcm', 'Vidal^Noa'), stating('2.dcm', 'Roca^Noa')]
    expect(shown(pictures).who).toMatch(/^disputed/)
    expect(shown(pictures, { onePerson: [['Vidal Noa', 'Roca Noa']] }).who).toBe(
      'proposed 501288 (savedAnswer Vidal Noa = Roca Noa (AB))',
    )
  })

  it('in the names of the files', () => {
    const pictures = named('771020_Vidal_OD.jpg', '771020_Roca_OS.jpg')
    expect(shown(pictures, { onePerson: [['vidal', 'roca']] }).who).toBe('proposed 771020')
  })

  it('beside the number, and the word is still unknown', () => {
    const pictures = [stating('501288_Roca_OD.dcm', 'Vidal^Noa')]
    expect(shown(pictures, { onePerson: [['Vidal Noa', 'roca']] }).who).toBe(
      'proposed 501288 (unknownTerm roca)',
    )
  })

  it('under one number before and now', () => {
    const learnt = { terms: { '771020': ['vidal'] }, onePerson: [['vidal', 'roca']] as const }
    expect(shown(named('771020_Roca_OD.jpg'), learnt).who).toBe('proposed 771020')
  })
})

describe('names in paths', () => {
  it.each([
    ['771020 García Luis/771020_OD_1.jpg', 'garcia luis'],
    ["660418-D'AMICO/OD.jpg", 'damico'],
    ['LOPEZ ANA_004577/20261120-101502_OS_Color_ebcd.jpg', 'lopez ana'],
    ['Sala 3/Retina OD/IMG_0001.JPG', ''],
    ['Topcon/UNKNOWN/R_1.jpg', ''],
    ['K_771020.jpg', ''],
    ['Historia 771020/NHC_OD.jpg', ''],
    ['771020_m3_OD.jpg', ''],
    ['771020_van der Berg.jpg', 'berg'],
    ['Dr Patel/771020.jpg', 'patel'],
  ])('%s', (path, terms) => {
    expect(nameTermsInPath(path).join(' ')).toBe(terms)
  })
})

describe('a surname that is also a word of a clinic or of counting', () => {
  it.each([
    ['Lane^Diane', 'Lane_Diane_501288_OD.dcm'],
    ['Ward^Anna', '501288 Ward/OD.dcm'],
    ['Day^Tom', 'Day_501288/R_1.dcm'],
    ['Page^Ruth', 'Page_501288_OD.dcm'],
    ['Field^Sam', 'FIELD_SAM/501288_OD.dcm'],
    ['Temple^Ida', 'Temple Ida 501288 OD.dcm'],
  ])('%s: %s', (name, path) => {
    const one = stating(path, name)
    expect(shown([one])).toMatchObject({ who: 'proven 501288', clearance: 'mayLeaveUnseen' })
  })
})

describe('two people in DICOM or in records', () => {
  it.each<VisitRow>([
    [
      'two first names',
      [
        picture('1.dcm', { dicom: { id: '5120', name: 'Vidal^Noa' } }),
        picture('2.dcm', { dicom: { id: '5120', name: 'Vidal^Hugo' } }),
      ],
      { who: 'disputed Vidal Noa | Vidal Hugo (twoPeople)', clearance: 'needsAnswer' },
    ],
    [
      'two birth dates',
      [
        picture('1.dcm', { dicom: { id: '5120', birth: '1951-02-03' } }),
        picture('2.dcm', { dicom: { id: '5120', birth: '1951-03-02' } }),
      ],
      'disputed 1951-02-03 | 1951-03-02 (twoPeople)',
    ],
    [
      'two sexes',
      [
        picture('1.jpg', { record: { id: '5120', sex: 'M' } }),
        picture('2.jpg', { record: { id: '5120', sex: 'F' } }),
      ],
      'disputed M | F (twoPeople)',
    ],
    [
      'two surnames, one in DICOM and one in a record',
      [
        picture('1.dcm', { dicom: { id: '5120', name: 'KOVÁCS^Éva' } }),
        picture('2.jpg', { record: { id: '5120', name: 'Haddad^Eva' } }),
      ],
      'disputed KOVÁCS Éva | Haddad Eva (twoPeople)',
    ],
    [
      'one person, in two orders, with an initial',
      [
        picture('1.dcm', { dicom: { id: '5120', name: 'KOVÁCS^Éva', birth: '1960-01-01', sex: 'F' } }),
        picture('2.dcm', { dicom: { id: '5120', name: 'E.^Kovacs', birth: '1960-01-01', sex: 'O' } }),
      ],
      'proven 5120',
    ],
  ])('%s', asking('who'))

  it('groups the pictures of each', () => {
    const pictures = ['Vidal^Noa', 'Vidal^Hugo', 'Vidal^N.'].map((name, index) =>
      picture(`${index}.dcm`, { dicom: { id: '5120', name } }),
    )
    expect(verdictOnVisit(pictures, NOTHING_LEARNT).who).toMatchObject({
      groups: [['0.dcm', '2.dcm'], ['1.dcm']],
    })
  })
})
