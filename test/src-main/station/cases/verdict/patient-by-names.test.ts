/** Whose pictures these are by names alone: numbers taken whole, numbers that count, and records that are no proof. */
import { describe, expect, it } from 'vitest'
import { type Learnt, named, picture, shown, type VisitRow } from './pictures.ts'

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
      [picture('x/a.jpg', { ...inFolder, also: ['inbox/a.jpg'] })],
      { who: 'unknown (folderRecord)' },
    ],
    [
      'a record, the first copy in a container',
      [picture('inbox/a.jpg', { ...inFolder, also: ['x/a.jpg'] })],
      { who: 'unknown (folderRecord)' },
    ],
    [
      'a record in a folder that has held two patients',
      [picture('Vega Luz/a.jpg', { ...inFolder, isInSharedFolder: true })],
      { who: 'unknown (folderRecord)' },
    ],
  ])('%s', (_title, pictures, expected) => expect(shown(pictures)).toMatchObject(expected))

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
