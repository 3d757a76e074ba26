/** Whose pictures these are by names alone: numbers taken whole, numbers that count, and records that are no proof. */
import { describe, expect, it } from 'vitest'
import { asking, identityOf, type Learnt, named, picture, shown, type VisitRow } from './pictures.ts'

/** The time of the pictures, in seconds since 1970. */
const seconds = String(Math.floor(picture('x.jpg').takenAt / 1_000))

const whoOf = (paths: readonly string[], learnt: Learnt = {}): string => shown(named(...paths), learnt).who

describe('numbers of several groups', () => {
  it.each<readonly [paths: readonly string[]]>([
    [['82-34-56/82-34-56_OD_1.jpg', '82-34-78/82-34-78_OD_1.jpg']],
    [['82-34-56_OD.jpg', '82-34-56_OS.jpg', '82-34-78_OD.jpg', '82-34-78_OS.jpg']],
    [['612 345 001/OD.jpg', '612 345 002/OD.jpg']],
    [['41207-25/OD.jpg', '41207-26/OS.jpg']],
    [['41207-25_OD.jpg', '41207-26_OS.jpg']],
    [['2025-41207_OD.jpg', '2026-41207_OS.jpg']],
    [['41207-2025/41207-2025_OD.jpg', '41207-2026/41207-2026_OS.jpg']],
    [['41207-2025_OD.jpg', '41207-2026_OS.jpg']],
    [['529.982.247-25_OD.jpg', '529.982.247-31_OS.jpg']],
  ])('that differ at their end are of two patients: %j', (paths) => expect(whoOf(paths)).toMatch(/^disputed/))

  it.each<readonly [paths: readonly string[], who: string]>([
    [['2026-41207/2026-41207_OD.jpg', '2026-41207/2026-41207_OS.jpg'], 'proposed 2026-41207'],
    [['41207-25/41207-25_OD.jpg'], 'proposed 41207-25'],
    [['82-34-56_OD.jpg'], 'proposed 82-34-56'],
    [['AIREADI-12345_OD_1.jpg'], 'proposed AIREADI-12345'],
    [['004512 1/004512_OD.jpg'], 'proposed 004512'],
  ])('are proposed whole: %j', (paths, who) => expect(whoOf(paths)).toBe(who))

  it.each<readonly [paths: readonly string[], who: string]>([
    [['612 345 001_OD.jpg'], 'unknown (severalNumbers)'],
    [['41207-26_OD.jpg'], 'unknown (severalNumbers)'],
    [['ALPHA-0042/H-00017_OD.jpg'], 'disputed H-00017 | ALPHA-0042 (severalNumbers)'],
  ])('are asked about if their end or front may mean something else: %j', (paths, who) =>
    expect(whoOf(paths)).toBe(who),
  )

  it.each(['123-456-789_OD.jpg', '12 345 678_OD.jpg', 'A 123 456_OD.jpg', '1234-567-890_OD.jpg'])(
    'that run on are no identity: %s',
    (path) => expect(whoOf([path])).toMatch(/^unknown/),
  )
})

describe('what is no patient', () => {
  it.each([
    ['HOSP0212_20261120_OD.jpg'],
    ['EMERG001_OD.jpg'],
    ['HOSPITAL12/HOSPITAL12_OD.jpg'],
    ['20261120_101600_20377_OD.jpg'],
    ['094932737101.jpg'],
    ['17-20261120080630-80326-00-F-OD--080630-P0-0004.tif'],
    ['101-20261120080630-80326-00-F-OD--080630-P0-0004.tif'],
    ['PAT00001/STD00001/SER00001/IMG00001.jpg'],
  ])('%s', (path) => expect(whoOf([path])).toMatch(/^unknown/))

  it('is a placeholder with a counter', () => {
    expect(whoOf(['777777 1.jpg', '777777 2.jpg'])).toMatch(/^unknown/)
  })

  it('is a program’s fraction of a second, different in each picture', () => {
    expect(whoOf(['20261120_101600_20377_OD.jpg', '20261120_101604_24011_OS.jpg'])).toBe(
      'unknown (weakNumber)',
    )
  })
})

describe('what any reader knows', () => {
  it.each([
    ['SITE004_771020_OD.jpg', '771020'],
    ['Visit2_771020_OD.jpg', '771020'],
    ['Pat-Nr 771020 OD.jpg', '771020'],
    ['Pat.Nr.771020_OD.jpg', '771020'],
    ['H2210_Ana_Lopez/20261120142233/OD.jpg', 'H2210'],
    ['OD-150131-2026-11-20-1.jpg', '150131'],
    ['4400718/20261120/L_230102.jpg', '4400718'],
    ['H-00017_20261120/101_OD.jpg', 'H-00017'],
  ])('%s', (path, id) => expect(whoOf([path])).toBe(`proposed ${id}`))

  it('is no second number behind R and L in the folder of a day', () => {
    expect(whoOf(['4400718/20261120/L_230102.jpg', '4400718/20261120/R_230112.jpg'])).toBe('proposed 4400718')
  })
})

describe('a number on which folder and file agree', () => {
  it.each([
    ['771020/771020_88123_OD.jpg', 'proposed 771020 (secondNumber 88123)'],
    ['771020/88123/771020_OD.jpg', 'proposed 771020 (secondNumber 88123)'],
    ['771020/771020_881234_OD.jpg', 'disputed 771020 | 881234 (severalNumbers)'],
    ['771020/771020_77102_OD.jpg', 'disputed 771020 | 77102 (severalNumbers)'],
  ])('%s: %s', (path, who) => expect(whoOf([path])).toBe(who))
})

describe('what proposes and does not prove', () => {
  const inFolder = { folder: { id: '440127' } }
  it.each<VisitRow>([
    [
      'a record, one copy in a container',
      picture('x/a.jpg', { ...inFolder, also: ['inbox/a.jpg'] }),
      'unknown (folderRecord)',
    ],
    [
      'a record, the first copy in a container',
      picture('inbox/a.jpg', { ...inFolder, also: ['x/a.jpg'] }),
      'unknown (folderRecord)',
    ],
    [
      'a record in a folder that has held two patients',
      picture('Vega Luz/a.jpg', { ...inFolder, isInSharedFolder: true }),
      'unknown (folderRecord)',
    ],
  ])('%s', asking('who'))

  it('a profile that no one confirmed, in whatever folder', () => {
    const hint = { value: '771020', source: 'fileName' as const, where: 'inbox/771020_4401_OD.jpg' }
    const read = { ...picture('inbox/771020_4401_OD.jpg'), idHints: [hint] }
    expect(shown([read]).who).toBe('proposed 771020')
    const record = (path: string) => shown([picture(path, { folder: { id: '771020' } })]).who
    expect(record('inbox/OD.jpg')).toBe('unknown (folderRecord)')
    expect(record('inbox/771020_OD.jpg')).toBe('proposed 771020 (folderRecord)')
  })
})

describe('two numbers that a person said are one patient’s', () => {
  it.each<readonly [paths: readonly string[]]>([
    [['771020_88123_OD.jpg', '771020_88123_OS.jpg']],
    [['771020_OD.jpg', '88123_OS.jpg']],
    [['771020/88123_OD.jpg']],
  ])('%j', (paths) => {
    expect(whoOf(paths)).toMatch(/^disputed/)
    expect(whoOf(paths, { same: [['771020', '88123']] })).toMatch(/^proposed (771020|88123)$/)
  })
})

describe('ids in groups', () => {
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

describe('a number of two people, or of none', () => {
  it.each<VisitRow>([
    [
      'the number was not changed at the camera, folders',
      ['730114 Lindqvist Maja/730114_20261120_OD_1.jpg', '730114 Okafor Chidi/730114_20261120_OD_1.jpg'],
      { who: 'disputed lindqvist maja | okafor chidi (twoPeople)', clearance: 'needsAnswer' },
    ],
    [
      'flat names',
      ['Moreau_Luc_88412_20261120_OD.jpg', 'Weber_Ute_88412_20261120_OS.jpg'],
      'disputed moreau luc | weber ute (twoPeople)',
    ],
    [
      'accents, hyphens and capitals',
      ['H-2201-IBÁÑEZ-ROCÍO-OD.jpg', 'H-2201-SØRENSEN-KAJ-OD.jpg'],
      'disputed ibanez rocio | sorensen kaj (twoPeople)',
    ],
    [
      'one surname, two first names',
      ['Rossi Anna 552201/OD.jpg', 'Rossi Bruno 552201/OS.jpg'],
      'disputed anna | bruno (twoPeople)',
    ],
    [
      'one name in two orders',
      ['730114 Lindqvist Maja/730114_OD_1.jpg', '730114 Maja Lindqvist/730114_OS_1.jpg'],
      'proposed 730114',
    ],
  ])('two people: %s', asking('who'))

  it.each<VisitRow>([
    ['zeros', '00000/00000_MOREAU_LUC_OD.jpg', 'unknown'],
    ['sevens', ['777777/777777_20261120_OD.jpg', '777777/777777_20261120_OS.jpg'], 'unknown'],
    ['a run', ['12345678/12345678_OD.jpg', '12345678/12345678_OS.jpg'], 'unknown'],
    ['a run down', ['987654_20261120_OD.jpg', '987654_20261120_OS.jpg'], 'unknown'],
    ['a bed', ['BED0412/BED0412_20261120_OS.jpg', 'BED0412/BED0412_20261120_OD.jpg'], 'unknown'],
    ['a serial number', 'SN20144/SN20144_20261120_OS.jpg', 'unknown'],
    ['a practice', 'CLINIC07/CLINIC07_20261120_084000_OS.jpg', 'unknown'],
  ])('no identity in names: %s', asking('who'))

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

describe('letters beside an id', () => {
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
      ['L-518-R/L-518-R_OD.jpg', 'L-518-L/L-518-L_OS.jpg'],
      'disputed L-518-R | L-518-L (severalNumbers)',
    ],
    [
      '40817733-R and 40817733-L',
      ['40817733-R/40817733-R_OD.jpg', '40817733-L/40817733-L_OD.jpg'],
      'disputed 40817733-R | 40817733-L (severalNumbers)',
    ],
    [
      'X-3310455-D and X-3310455-K',
      ['X-3310455-D_OD.jpg', 'X-3310455-K_OS.jpg'],
      'disputed X-3310455-D | X-3310455-K (severalNumbers)',
    ],
    [
      'a prefix that reads as an eye, and R',
      'OS-2240913/OS-2240913_20261120_R_1.jpg',
      { who: 'proposed OS-2240913', eyes: 'unknown (loneLetter)' },
    ],
    [
      'a prefix that reads as an eye, and L',
      'OD-771204/OD-771204_L_3.jpg',
      { who: 'proposed OD-771204', eyes: 'unknown (loneLetter)' },
    ],
    [
      'a prefix RE, and L',
      ['RE-550218/RE-550218_L_1.jpg', 'RE-550218/RE-550218_R_1.jpg'],
      { who: 'proposed RE-550218', eyes: 'proposed left, proposed right' },
    ],
  ])('%s', asking('who'))
})

describe('times and timestamps are no ids', () => {
  it.each<VisitRow>([
    ['a time behind the date of its folder', '2026-11-20/151233_OD.jpg', 'unknown (weakNumber)'],
    ['a time in front of an eye', '20261120/093044_links.jpg', 'unknown (weakNumber)'],
    ['a time behind its date', '20261120_151233_OD.jpg', 'unknown'],
    ['milliseconds since 1970', '2026-11-20/1795171234767_OS.jpg', 'unknown'],
    ['seconds since 1970, the file’s own', picture(`${seconds}_OD.jpg`), 'unknown'],
    ['the time of the file', picture('142511.jpg', { at: '14:25:10' }), 'unknown'],
    ['a counter of a camera', 'P4410_OS.jpg', 'unknown (weakNumber)'],
    ['another letter', 'K0231_OD.jpg', 'unknown (weakNumber)'],
  ])('%s', asking('who'))
})
