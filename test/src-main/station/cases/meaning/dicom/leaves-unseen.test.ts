/** What one DICOM file lets leave without a person's look, of patient and day: everything that it states counts, once. */
import { describe, expect, it } from 'vitest'
import { dicomFile, type DicomFileOptions } from '../../../../../camera/write-dicom.ts'
import { watchingCases } from '../../cases-with.ts'
import { becomes, repeated, shownAs, text, PLAIN } from './becomes.ts'

/** Another element of the same file states another day. */
const OTHER_DAY = 'incomplete valueConflict notIntact sourcesDiffer'

/** The file states two people. */
const TWO = 'incomplete twoPatients twoPeople notIntact'

/** Another person had the number, or the same name with another birth date or sex. */
const SHARED = 'incomplete sharedNumber sharedNumber'

const NO_NUMBER = 'incomplete identityConflict placeholder'

type Row = readonly [what: string, options: DicomFileOptions, becomes: string]

describe('the number', () => {
  const idBytes = (id: string): DicomFileOptions => ({ patientId: Buffer.from(id, 'latin1') })
  it.each<Row>([
    ['once', {}, 'waiting'],
    ['padded with zeros', idBytes('H-00101\0\0\0'), 'waiting'],
    ['padded with spaces', idBytes('  H-00101 '), 'waiting'],
    ['stated twice alike', idBytes('H-00101\\H-00101'), 'waiting'],
    ['with an empty second value', idBytes('H-00101\\'), 'waiting'],
    ...['17123.0', '4471025,00', '88213.00'].map((number): Row => [
      `made a decimal, ${number}`,
      { patientId: number },
      NO_NUMBER,
    ]),
    ['of two clinics', idBytes('501288^^^NORTH^MR\\501288^^^SOUTH^MR'), 'review notIntact'],
    ['of one clinic twice', idBytes('501288^^^NORTH^MR\\501288^^^NORTH^PI'), 'waiting'],
    ['with components of HL7', idBytes('H-00101^^^CLINIC^MR'), 'waiting'],
    ['a word, with digits', { patientId: 'Operator 2' }, NO_NUMBER],
    ['a word', { patientId: 'LENS CAP' }, NO_NUMBER],
    ['of two, with a slash', { patientId: '479075/620659' }, NO_NUMBER],
    ['of two, with a space', { patientId: '479075 620659' }, NO_NUMBER],
    ['of two with letters', { patientId: 'H-00101 / H-00155' }, NO_NUMBER],
    ['of a year and a count', { patientId: '2026/0417' }, 'waiting'],
    ['of three groups', { patientId: '943 476 5919' }, 'waiting'],
    ['with a zero inside', idBytes('H-00\x00101'), `${NO_NUMBER} notIntact`],
    ['with a line end inside', idBytes('H-00101\r\n77'), `${NO_NUMBER} notIntact`],
    ['of two values', idBytes('H-00101\\K-77120'), 'incomplete identityConflict sourcesDiffer notIntact'],
    [
      'of two values, one digit apart',
      idBytes('H-00101\\H-00107'),
      'incomplete identityConflict nearlySame notIntact',
    ],
    [
      'of letters that nothing explains',
      { ...idBytes('H\xc40101'), characterSet: null },
      `${NO_NUMBER} notIntact`,
    ],
  ])('%s', async (_what, options, expected) => {
    expect(await becomes(await dicomFile({ ...PLAIN, ...options }))).toBe(expected)
  })

  it.each([
    ['the same', 'H-00101', 'waiting'],
    ['another', 'K-77120', 'incomplete identityConflict sourcesDiffer notIntact'],
  ])('in a second element: %s', async (_what, id, expected) => {
    const bytes = await dicomFile({ ...PLAIN, attributes: { '00100022': text('LO', id) } })
    expect(await becomes(repeated(bytes, '00100022', '00100020'))).toBe(expected)
  })
})

describe('a number that an open case states', () => {
  const NORTH = { ...PLAIN, attributes: { '00100021': text('LO', 'NORTH') } }
  const becomesBeside = async (first: DicomFileOptions, later: DicomFileOptions): Promise<string[]> => {
    const station = await watchingCases({ sendWithoutReview: true })
    const take = async (path: string, options: DicomFileOptions, time: string): Promise<void> => {
      await station.write(path, await dicomFile(options), Date.parse(`2026-11-20T${time}`))
      await station.see(path)
      await station.quiet()
    }
    await take('1/right_eye.dcm', { ...NORTH, ...first }, '09:10:00')
    await take('2/a.dcm', { ...NORTH, sopUid: '2.25.940', ...first, laterality: 'R', ...later }, '09:40:00')
    return station.open().map(shownAs)
  }
  const ofTime = { patientId: '0855301' }
  it.each([
    ['and that looks like a time', ofTime, NO_NUMBER, {}],
    ['beside an eye in the name', { laterality: '' }, 'review readFromNames', { studyDate: '20261119' }],
  ] satisfies [string, DicomFileOptions, string, DicomFileOptions][])(
    '%s',
    async (_what, first, itself, later) => {
      const beside = async (options: DicomFileOptions) => becomesBeside(first, { ...later, ...options })
      expect(await beside({})).toEqual([itself, 'waiting'])
      expect(await beside({ patientName: 'HAAS^NORBERT' })).toEqual([itself, 'review unknownTerm'])
      const another = await beside({ patientName: 'LINDT^OTTO' })
      expect(another).toEqual([itself, SHARED])
      for (const one of [{ birthDate: '19810605' }, { sex: 'M' }])
        expect(await beside(one)).toEqual([itself, SHARED])
      const south = await beside({ attributes: { '00100021': text('LO', 'SOUTH') } })
      expect(south).toEqual([itself, 'incomplete identityConflict sourcesDiffer'])
    },
  )
})

describe('the person', () => {
  it.each<Row>([
    ['two names', { patientName: Buffer.from('HAAS^NORA\\LINDE^EVA') }, TWO],
    ['one name, twice', { patientName: Buffer.from('HAAS^NORA\\HAAS^NORA') }, 'waiting'],
    ['two birth dates', { attributes: { '00100030': text('DA', '19570311', '19810605') } }, TWO],
    ['two sexes', { attributes: { '00100040': text('CS', 'F', 'M') } }, TWO],
    [
      'one name in three groups',
      { patientName: Buffer.from('YAMADA^TARO=山田^太郎=やまだ^たろう') },
      'waiting',
    ],
    ['an earlier name', { attributes: { '00101001': text('PN', 'WEBER^NORA') } }, 'waiting'],
    ['a birth on no day', { birthDate: '19570231' }, 'review notIntact'],
    ['no birth', { birthDate: '' }, 'waiting'],
    ['another sex', { sex: 'O' }, 'waiting'],
  ])('%s', async (_what, options, expected) => {
    expect(await becomes(await dicomFile({ ...PLAIN, ...options }))).toBe(expected)
  })
})

describe('other spellings of the name', () => {
  const GROUPS = { patientName: Buffer.from('IVANOVA^ANNA=Иванова^Анна') }
  const EARLIER = { attributes: { '00101001': text('PN', 'CASTELLAN^NORA') } }
  it.each<readonly [what: string, options: DicomFileOptions, path: string, becomes: string]>([
    ['in other letters, in a folder', GROUPS, 'Иванова/IMG_1.dcm', 'waiting'],
    ['in these letters, in a folder', GROUPS, 'Ivanova Anna/IMG_1.dcm', 'waiting'],
    ['of earlier, in a folder', EARLIER, 'Castellan/IMG_1.dcm', 'waiting'],
    ['of no one in the file', GROUPS, 'Petrova/IMG_1.dcm', 'review unknownTerm'],
    [
      'of no one in the file, beside the number',
      EARLIER,
      'Moretti_H-00101/IMG_1.dcm',
      'incomplete twoPatients twoPeople',
    ],
  ])('%s', async (_what, options, path, expected) => {
    expect(await becomes(await dicomFile({ ...PLAIN, ...options }), path)).toBe(expected)
  })
})

describe('the day', () => {
  const dates = (entries: Readonly<Record<string, string>>): DicomFileOptions => ({
    attributes: Object.fromEntries(Object.entries(entries).map(([tag, value]) => [tag, text('DA', value)])),
  })
  it.each<Row>([
    ['of the series, another', dates({ '00080021': '20261119' }), OTHER_DAY],
    ['of the acquisition, another', dates({ '00080022': '20261121' }), OTHER_DAY],
    ['of the content, another', dates({ '00080023': '20251120' }), OTHER_DAY],
    ['of the acquisition with a time, another', { acquisitionDateTime: '20261113101500' }, OTHER_DAY],
    ['of the procedure, another', dates({ '00400244': '20261118' }), OTHER_DAY],
    ['of two values', { attributes: { '00080020': text('DA', '20261120', '20261119') } }, OTHER_DAY],
    [
      'all the same',
      dates({
        '00080021': '20261120',
        '00080022': '20261120',
        '00080023': '20261120',
        '00400244': '20261120',
      }),
      'waiting',
    ],
    ['of a copy made later', dates({ '00080012': '20261122' }), 'waiting'],
    ['of a copy made before its picture', dates({ '00080012': '20261119' }), OTHER_DAY],
    ['on no day, beside one', dates({ '00080022': '20261131' }), 'review notIntact'],
    ['of zeros, beside one', dates({ '00080022': '00000000' }), 'waiting'],
    ['a month alone', { acquisitionDateTime: '202611' }, 'waiting'],
  ])('%s', async (_what, options, expected) => {
    expect(await becomes(await dicomFile({ ...PLAIN, ...options }))).toBe(expected)
  })

  it('names the attributes that differ', async () => {
    const station = await watchingCases()
    await station.arrive('4f2a.dcm', await dicomFile({ ...PLAIN, ...dates({ '00080021': '20261119' }) }))
    await station.quiet()
    expect(station.open()[0]?.reasons[0]?.message).toBe(
      'Conflicting visit date: DICOM study date says 2026-11-20, DICOM series date says 2026-11-19. Enter the right one.',
    )
  })
})
