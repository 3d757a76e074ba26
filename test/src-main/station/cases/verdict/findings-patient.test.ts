/** Whose pictures these are, by what has failed before: other names, ids, languages and separators each time. */
import { NOTHING_LEARNT } from '../../../../tools/nothing-learnt.ts'
import { describe, expect, it } from 'vitest'
import { verdictOnVisit } from '../../../../../src-main/station/cases/verdict/visit.ts'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { identityOf, type Expected, named, picture, shown, type VisitRow } from './pictures.ts'

/** The time of the pictures, in seconds since 1970. */
const seconds = String(Math.floor(picture('x.jpg').takenAt / 1_000))

const check = (_title: string, pictures: readonly PictureEvidence[], expected: Expected): void => {
  expect(shown(pictures)).toMatchObject(expected)
}

describe('ids in groups (finding 3)', () => {
  const whole: readonly (readonly [id: string, paths: readonly string[]])[] = [
    [
      '485 777 3456',
      ['485 777 3456/485 777 3456_20261120_OD.jpg', '485 777 3456/485 777 3456_20261120_OS.jpg'],
    ],
    ['701 482 9930', ['2026-11-20/701 482 9930 right.jpg', '2026-11-20/701 482 9930 left.jpg']],
    [
      '010190 12347',
      ['010190 12347/2026-11-20/010190 12347_OS 1.jpg', '010190 12347/2026-11-20/010190 12347_OD 1.jpg'],
    ],
    ['241178 30415', ['241178 30415_OD_2.jpg', '241178 30415_OS_3.jpg']],
    ['070761-4285', ['070761-4285_20261120_OD.jpg', '070761-4285_20261120_OS.jpg']],
    ['811228-9874', ['811228-9874/OD_1.jpg', '811228-9874/OS_1.jpg']],
    ['014.569.484-1', ['014.569.484-1_OD.jpg', '014.569.484-1_OS.jpg']],
    ['943-476-5919', ['943-476-5919 OD 20261120.jpg', '943-476-5919 OS 20261120.jpg']],
  ]
  it.each(whole)('%s is one number', (id, paths) => {
    expect(shown(named(...paths)).who).toBe(`proposed ${id}`)
  })

  const distinct: readonly (readonly [one: string, other: string])[] = [
    ['485 777 3456/485 777 3456_20261120_OD.jpg', '485 777 3421/485 777 3421_20261120_OS.jpg'],
    ['010190 12347/010190 12347_OS 1.jpg', '010190 54321/010190 54321_OS 1.jpg'],
    ['070761-4285/070761-4285_OD.jpg', '070761-1133/070761-1133_OD.jpg'],
    ['30.123.456_OD.jpg', '30.123.457_OD.jpg'],
  ]
  it.each(distinct)('%s and %s are of two patients', (one, other) => {
    expect(identityOf(one)).not.toBe(identityOf(other))
    expect(shown(named(one, other)).who).toMatch(/^disputed/)
  })
})

describe('a number of two people, or of none (finding 4)', () => {
  it.each<VisitRow>([
    [
      'the number was not changed at the camera, folders',
      named('730114 Lindqvist Maja/730114_20261120_OD_1.jpg', '730114 Okafor Chidi/730114_20261120_OD_1.jpg'),
      { who: 'disputed lindqvist maja | okafor chidi (twoPeople)', clearance: 'needsAnswer' },
    ],
    [
      'flat names',
      named('Moreau_Luc_88412_20261120_OD.jpg', 'Weber_Ute_88412_20261120_OS.jpg'),
      { who: 'disputed moreau luc | weber ute (twoPeople)' },
    ],
    [
      'accents, hyphens and capitals',
      named('H-2201-IBÁÑEZ-ROCÍO-OD.jpg', 'H-2201-SØRENSEN-KAJ-OD.jpg'),
      { who: 'disputed ibanez rocio | sorensen kaj (twoPeople)' },
    ],
    [
      'one surname, two first names',
      named('Rossi Anna 552201/OD.jpg', 'Rossi Bruno 552201/OS.jpg'),
      { who: 'disputed anna | bruno (twoPeople)' },
    ],
    [
      'one name in two orders',
      named('730114 Lindqvist Maja/730114_OD_1.jpg', '730114 Maja Lindqvist/730114_OS_1.jpg'),
      { who: 'proposed 730114' },
    ],
  ])('two people: %s', check)

  it.each<VisitRow>([
    ['zeros', named('00000/00000_MOREAU_LUC_OD.jpg'), { who: 'unknown (nothingStated)' }],
    [
      'sevens',
      named('777777/777777_20261120_OD.jpg', '777777/777777_20261120_OS.jpg'),
      { who: 'unknown (nothingStated)' },
    ],
    [
      'a run',
      named('12345678/12345678_OD.jpg', '12345678/12345678_OS.jpg'),
      { who: 'unknown (nothingStated)' },
    ],
    [
      'a run down',
      named('987654_20261120_OD.jpg', '987654_20261120_OS.jpg'),
      { who: 'unknown (nothingStated)' },
    ],
    [
      'a bed',
      named('BED0412/BED0412_20261120_OS.jpg', 'BED0412/BED0412_20261120_OD.jpg'),
      { who: 'unknown (nothingStated)' },
    ],
    ['a serial number', named('SN20144/SN20144_20261120_OS.jpg'), { who: 'unknown (nothingStated)' }],
    ['a practice', named('CLINIC07/CLINIC07_20261120_084000_OS.jpg'), { who: 'unknown (nothingStated)' }],
  ])('no identity in names: %s', check)

  const nothing = [
    'DESCONOCIDO',
    'Inconnu',
    'unbekannt',
    'Anônimo',
    'SCONOSCIUTO',
    'Paciente',
    'N.N.',
    'no name',
    '0000',
    '--',
    'XXX',
    'Test 3',
    '111111111',
    'UNIT22',
    'Notfall',
  ]
  it.each(nothing)('no identity in DICOM: %s', (id) => {
    expect(
      shown([picture('PICT0001.dcm', { dicom: { id, day: '2026-11-20', eye: 'right' } })]),
    ).toMatchObject({
      who: 'unknown (placeholder)',
      clearance: 'needsAnswer',
    })
  })
})

describe('stated ids that differ (finding 5)', () => {
  it.each<VisitRow>([
    [
      'the record of the folder has another length',
      [picture('70412_20261120/70412_20261120_OD_1.jpg', { folder: { id: '118320' } })],
      { who: 'disputed 118320 | 70412 (sourcesDiffer)' },
    ],
    [
      'DICOM against folder and name',
      [
        picture('81550/81550_20261120_OS_1.dcm', {
          dicom: { id: '2046612', day: '2026-11-20', eye: 'left' },
        }),
      ],
      { who: 'disputed 2046612 | 81550 (sourcesDiffer)' },
    ],
    [
      'a digit lost in the bound record',
      [picture('772190_20261120_OD_1.jpg', { record: { id: '77190', day: '2026-11-20', eye: 'right' } })],
      { who: 'disputed 77190 | 772190 (nearlySame)' },
    ],
    [
      'a digit doubled in DICOM',
      [picture('772190 OD.dcm', { dicom: { id: '7721190', day: '2026-11-20', eye: 'right' } })],
      { who: 'disputed 7721190 | 772190 (nearlySame)' },
    ],
    [
      'two digits exchanged',
      [picture('HC-40817_OS.dcm', { dicom: { id: 'HC-48017', day: '2026-11-20', eye: 'left' } })],
      { who: 'disputed HC-48017 | HC-40817 (nearlySame)' },
    ],
    [
      'leading zeros only',
      [picture('x.dcm', { dicom: { id: '0012750' }, record: { id: '12750' } })],
      { who: 'disputed 12750 | 0012750 (nearlySame)' },
    ],
    [
      'DICOM against a bound record of another shape',
      [picture('x.dcm', { dicom: { id: 'K-2210' }, record: { id: '990147' } })],
      { who: 'disputed 990147 | K-2210 (sourcesDiffer)' },
    ],
    [
      'the number of the folder, and the name of another person',
      [picture('Bakker_Tessa_640918_20261120/OD_1.jpg', { record: { id: '640918', name: 'Novotny^Karel' } })],
      { who: 'disputed Novotny Karel | bakker tessa (twoPeople)' },
    ],
    [
      'two pictures, two ids',
      [picture('a_OD.dcm', { dicom: { id: '330912' } }), picture('a_OS.dcm', { dicom: { id: '410072' } })],
      { who: 'disputed 330912 | 410072 (sourcesDiffer)' },
    ],
  ])('%s', check)
})

describe('stated ids with their separators', () => {
  const both = (one: string, other: string, path = 'x.dcm') => [
    picture(path, {
      dicom: { id: one, day: '2026-11-20', eye: 'right' },
      record: { id: other, day: '2026-11-20', eye: 'right' },
    }),
  ]

  it.each<VisitRow>([
    ['at other places', both('12-347', '123-47'), { who: 'disputed 123-47 | 12-347 (nearlySame)' }],
    ['dots at other places', both('1.237.1', '12.37.1'), { who: 'disputed 12.37.1 | 1.237.1 (nearlySame)' }],
    [
      'one more',
      both('105-10-0001', '105-100001'),
      { who: 'disputed 105-100001 | 105-10-0001 (nearlySame)' },
    ],
    ['in one source only', both('1011/2', '10112'), { who: 'proposed 10112 (nearlySame)' }],
    ['in the other source only', both('12347', '12-347'), { who: 'proposed 12-347 (nearlySame)' }],
    [
      'in the record of the folder',
      [picture('scan/x.dcm', { dicom: { id: '12-347' }, folder: { id: '123-47' } })],
      { who: 'disputed 12-347 | 123-47 (sourcesDiffer)' },
    ],
    [
      'in two records of folders',
      [
        picture('scan/x.png', { folder: { id: '12-347' } }),
        picture('scan/y.png', { folder: { id: '123-47' } }),
      ],
      { who: 'disputed 12-347 | 123-47 (nearlySame)' },
    ],
    ['another sign', both('12-347', '12 347'), { who: 'proven 12 347' }],
    ['another sign again', both('12-347', '12_347'), { who: 'proven 12_347' }],
    ['other capitals', both('H-00017', 'h-00017'), { who: 'proven h-00017' }],
    ['beside a letter', both('H-00017', 'H00017'), { who: 'proven H00017' }],
    ['a check letter', both('40817733-R', '40817733R'), { who: 'proven 40817733R' }],
    [
      'none in the name of the file',
      [picture('12347_OD.dcm', { dicom: { id: '12-347', day: '2026-11-20', eye: 'right' } })],
      { who: 'proven 12-347' },
    ],
  ])('%s', check)

  it('two pictures of two patients are parted', () => {
    const pictures = ['12-347', '123-47', '12 347'].map((id, at) => picture(`${at}.dcm`, { dicom: { id } }))
    expect(verdictOnVisit(pictures, NOTHING_LEARNT).who).toMatchObject({
      groups: [['0.dcm', '2.dcm'], ['1.dcm']],
    })
  })

  it.each<VisitRow>([
    ['at other places', both('12-347', '123-47'), { who: 'proven 123-47' }],
    ['in one source only', both('12-347', '12347'), { who: 'proven 12347' }],
  ])('as a person answered: %s', (_what, pictures, expected) => {
    const same = [
      ['12-347', '123-47'],
      ['12-347', '12347'],
    ] as const
    expect(shown(pictures, { same })).toMatchObject(expected)
  })
})

describe('letters beside an id (finding 6)', () => {
  const whole: readonly (readonly [id: string, paths: readonly string[]])[] = [
    ['MRN551207', ["MRN551207-O'NEILL-KIT-2026-11-20-OS-1.jpg", "MRN551207-O'NEILL-KIT-2026-11-20-OD-1.jpg"]],
    ['660418', ["660418-D'AMICO/660418-D'AMICO-OD.jpg", "660418-D'AMICO/660418-D'AMICO-OS.jpg"]],
    ['660418', ['660418-O’BRIEN/660418-O’BRIEN-OD.jpg', '660418-O’BRIEN/660418-O’BRIEN-OS.jpg']],
    ['Y-3310455-R', ['Y-3310455-R/Y-3310455-R_OD.jpg', 'Y-3310455-R/Y-3310455-R_OS.jpg']],
    ['40817733-R', ['40817733-R/40817733-R_OD_1.jpg', '40817733-R/40817733-R_OS_1.jpg']],
    ['12345678Z', ['12345678Z/12345678Z_OD.jpg', '12345678Z/12345678Z_OS.jpg']],
    ['L-518-R', ['L-518-R/L-518-R_OD.jpg', 'L-518-R/L-518-R_OS.jpg']],
  ]
  it.each(whole)('%s', (id, paths) => {
    expect(shown(named(...paths)).who).toBe(`proposed ${id}`)
  })

  it.each<VisitRow>([
    [
      'L-518-R and L-518-L with an eye each',
      named('L-518-R/L-518-R_OD.jpg', 'L-518-L/L-518-L_OS.jpg'),
      { who: 'disputed L-518-R | L-518-L (severalNumbers)' },
    ],
    [
      '40817733-R and 40817733-L',
      named('40817733-R/40817733-R_OD.jpg', '40817733-L/40817733-L_OD.jpg'),
      { who: 'disputed 40817733-R | 40817733-L (severalNumbers)' },
    ],
    [
      'X-3310455-D and X-3310455-K',
      named('X-3310455-D_OD.jpg', 'X-3310455-K_OS.jpg'),
      { who: 'disputed X-3310455-D | X-3310455-K (severalNumbers)' },
    ],
    [
      'a prefix that reads as an eye, and R',
      named('OS-2240913/OS-2240913_20261120_R_1.jpg'),
      { who: 'proposed OS-2240913', eyes: 'unknown (loneLetter)' },
    ],
    [
      'a prefix that reads as an eye, and L',
      named('OD-771204/OD-771204_L_3.jpg'),
      { who: 'proposed OD-771204', eyes: 'unknown (loneLetter)' },
    ],
    [
      'a prefix RE, and L',
      named('RE-550218/RE-550218_L_1.jpg', 'RE-550218/RE-550218_R_1.jpg'),
      { who: 'proposed RE-550218', eyes: 'proposed left, proposed right' },
    ],
  ])('%s', check)
})

describe('times and timestamps are no ids (finding 11)', () => {
  it.each<VisitRow>([
    [
      'a time behind the date of its folder',
      named('2026-11-20/151233_OD.jpg'),
      { who: 'unknown (weakNumber)' },
    ],
    ['a time in front of an eye', named('20261120/093044_links.jpg'), { who: 'unknown (weakNumber)' }],
    ['a time behind its date', named('20261120_151233_OD.jpg'), { who: 'unknown (nothingStated)' }],
    ['milliseconds since 1970', named('2026-11-20/1795171234767_OS.jpg'), { who: 'unknown (nothingStated)' }],
    [
      'seconds since 1970, the file’s own',
      [picture(`${seconds}_OD.jpg`)],
      { who: 'unknown (nothingStated)' },
    ],
    ['the time of the file', [picture('142511.jpg', { at: '14:25:10' })], { who: 'unknown (nothingStated)' }],
    ['a counter of a camera', named('P4410_OS.jpg'), { who: 'unknown (weakNumber)' }],
    ['another letter', named('K0231_OD.jpg'), { who: 'unknown (weakNumber)' }],
  ])('%s', check)
})

describe('two people in DICOM or in records (finding 12)', () => {
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
      { who: 'disputed 1951-02-03 | 1951-03-02 (twoPeople)' },
    ],
    [
      'two sexes',
      [
        picture('1.jpg', { record: { id: '5120', sex: 'M' } }),
        picture('2.jpg', { record: { id: '5120', sex: 'F' } }),
      ],
      { who: 'disputed M | F (twoPeople)' },
    ],
    [
      'two surnames, one in DICOM and one in a record',
      [
        picture('1.dcm', { dicom: { id: '5120', name: 'KOVÁCS^Éva' } }),
        picture('2.jpg', { record: { id: '5120', name: 'Haddad^Eva' } }),
      ],
      { who: 'disputed KOVÁCS Éva | Haddad Eva (twoPeople)' },
    ],
    [
      'one person, in two orders, with an initial',
      [
        picture('1.dcm', { dicom: { id: '5120', name: 'KOVÁCS^Éva', birth: '1960-01-01', sex: 'F' } }),
        picture('2.dcm', { dicom: { id: '5120', name: 'E.^Kovacs', birth: '1960-01-01', sex: 'O' } }),
      ],
      { who: 'proven 5120' },
    ],
  ])('%s', check)

  it('groups the pictures of each', () => {
    const pictures = ['Vidal^Noa', 'Vidal^Hugo', 'Vidal^N.'].map((name, index) =>
      picture(`${index}.dcm`, { dicom: { id: '5120', name } }),
    )
    expect(verdictOnVisit(pictures, NOTHING_LEARNT).who).toMatchObject({
      groups: [['0.dcm', '2.dcm'], ['1.dcm']],
    })
  })
})
