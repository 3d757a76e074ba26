import { describe, expect, it } from 'vitest'
import { factsIn } from '../../../../../../src-main/station/cases/meaning/dicom/facts.ts'
import { openDicom } from '../../../../../../src-main/reader/dicom/dicom.ts'
import { readElements } from '../../../../../../src-main/reader/dicom/data-set.ts'
import type { ContentFacts } from '../../../../../../src-main/station/cases/meaning/sources.ts'
import { elementsSchema } from '../../../../../../src-main/reader/dicom-messages.ts'
import { readAtOfBytes } from '../../../../../../src-main/reader/formats/bytes.ts'
import { type DicomAttributes, dicomFile, type DicomFileOptions } from '../../../../../camera/write-dicom.ts'
import { colours, sequence } from '../../../../reader/dicom/dicom-samples.ts'

async function factsOf(
  options: DicomFileOptions,
  nameOrder: 'lastFirst' | 'firstLast' = 'lastFirst',
): Promise<ContentFacts> {
  const bytes = await dicomFile({ transferSyntax: 'explicitLittle', image: colours(8, 4), ...options })
  return factsOfBytes(bytes, nameOrder)
}

async function factsOfBytes(
  bytes: Uint8Array,
  nameOrder: 'lastFirst' | 'firstLast' = 'lastFirst',
): Promise<ContentFacts> {
  return factsIn(await readElements(await openDicom(readAtOfBytes(bytes), bytes.length)), nameOrder)
}

const fl = (value: number): DicomAttributes[string] => ({ vr: 'FL', Value: [value] })
const text = (vr: string, value: string): DicomAttributes[string] => ({ vr, Value: [value] })

const REFRACTION = sequence({ '00220007': fl(-1.25), '00220008': fl(-0.5), '00220009': fl(90) })

it.each(['explicitLittle', 'implicitLittle', 'explicitBig', 'jpegBaseline', 'rle'] as const)(
  '%s is read in full',
  async (transferSyntax) => {
    const facts = await factsOf({
      transferSyntax,
      patientId: '000105-10_',
      patientName: 'LÓPEZ GARCÍA^ANA^MARÍA',
      birthDate: '19570311',
      sex: 'F',
      age: '069Y',
      laterality: 'R',
      studyDate: '20260602',
      acquisitionDateTime: '20260602121802.120',
      sopUid: '2.25.12345',
      attributes: {
        '0022000B': fl(15.3),
        '0022001B': REFRACTION,
        '0008103E': text('LO', 'Disc'),
        '00082218': sequence({ '00080104': text('LO', 'Eye') }),
      },
    })
    expect(facts).toEqual({
      fields: {
        history_number: '000105-10_',
        last_name: 'LÓPEZ GARCÍA',
        first_name: 'ANA MARÍA',
        gender: 1,
        age: 69,
        visit_date: '2026-06-02',
        od_iop: 15.3,
        od_sphere: -1.25,
        od_cylinder: -0.5,
        od_axis: 90,
      },
      birthDate: '1957-03-11',
      eye: 'right',
      capturedAt: '2026-06-02T12:18:02',
      sopUid: '2.25.12345',
      studyUid: '2.25.400500600',
      view: 'COLOR, Disc, Eye',
      device: 'Drawn Cameras Eyeground 1',
      rejected: [],
      stated: {
        numbers: ['000105-10_'],
        days: [{ value: '2026-06-02', attribute: 'studyDate' }],
        people: [],
        spellings: [],
        issuer: null,
        eyes: [],
        explained: expect.arrayContaining(['OP', 'Disc', '2.25.12345']) as readonly string[],
        isIntact: true,
      },
    })
  },
)

describe('the name', () => {
  it.each<readonly [stated: string, order: 'lastFirst' | 'firstLast', last: string, first: string]>([
    ['LOPEZ^ANA', 'lastFirst', 'LOPEZ', 'ANA'],
    ['ANA^LOPEZ', 'firstLast', 'LOPEZ', 'ANA'],
    ['LOPEZ^ANA^MARIA^DR^III', 'lastFirst', 'LOPEZ', 'ANA MARIA'],
    ['LOPEZ GARCIA ANA', 'lastFirst', 'LOPEZ GARCIA ANA', ''],
    ['ANA LOPEZ', 'firstLast', 'ANA LOPEZ', ''],
    ['LOPEZ, ANA', 'lastFirst', 'LOPEZ', 'ANA'],
    ['LOPEZ^', 'lastFirst', 'LOPEZ', ''],
    ['^ANA', 'lastFirst', '', 'ANA'],
    ['=山田^太郎', 'lastFirst', '山田', '太郎'],
    ['^', 'lastFirst', '', ''],
    [' ', 'lastFirst', '', ''],
  ])('%j read %s', async (patientName, order, last, first) => {
    const { fields } = await factsOf({ patientName: Buffer.from(patientName) }, order)
    expect([fields.last_name ?? '', fields.first_name ?? '']).toEqual([last, first])
  })

  it('is decoded by the alphabet of the file', async () => {
    const patientName = Buffer.from('Hong^Gildong=\x1b$)C\xfb\xf3^\x1b$)C\xd1\xce\xd4\xd7', 'latin1')
    const { fields } = await factsOf({ patientName, characterSet: ['', 'ISO 2022 IR 149'] })
    expect([fields.last_name, fields.first_name]).toEqual(['Hong', 'Gildong'])
    const russian = await factsOf({ patientName: Buffer.from('bbeedadd', 'hex'), characterSet: 'ISO_IR 144' })
    expect(russian.fields.last_name).toBe('Люкн')
  })

  it('is not taken where its letters are not explained, and neither is the id', async () => {
    const patientName = Buffer.from('M\xfcller^J\xf6rg', 'latin1')
    const patientId = Buffer.from('\xc41234', 'latin1')
    const facts = await factsOf({ patientName, patientId, characterSet: null })
    expect(facts.fields).toEqual({ gender: 1, visit_date: '2026-06-02' })
    expect(facts.rejected.map(({ field }) => field)).toEqual(['history_number', 'last_name'])
  })
})

it('is not read from a message that leaves out what the file may state', async () => {
  const bytes = await dicomFile({ transferSyntax: 'explicitLittle', image: colours(8, 4) })
  const elements = await readElements(await openDicom(readAtOfBytes(bytes), bytes.length))
  for (const name of Object.keys(elements))
    expect(elementsSchema.safeParse({ ...elements, [name]: undefined }).success).toBe(false)
})

it('takes no number from an empty sequence in its stead', async () => {
  const options = { transferSyntax: 'implicitLittle', characterSet: 'ISO_IR 100' } as const
  const bytes = await dicomFile({ ...options, patientId: 'H-001', image: colours(8, 4) })
  const at = bytes.indexOf('H-001')
  const empty = Buffer.from('fffffffffeffdde000000000', 'hex')
  const written = Buffer.concat([bytes.subarray(0, at - 4), empty, bytes.subarray(at + 6)])
  const facts = await factsOfBytes(written)
  expect([facts.fields.history_number, facts.stated?.numbers]).toEqual([undefined, []])
  expect(facts.fields.last_name).toBe('LOPEZ')
})

// More would be damage: see `hostile-dicom.test.ts`.
it.each([
  ['eyes', { vr: 'CS', tag: '00200062', bytes: '20006200', value: 'R', repeats: 1 }],
  ['days', { vr: 'DA', tag: '00080022', bytes: '08002200', value: '20260602', repeats: 6 }],
] as const)('reads %s in great number', async (_, { vr, tag, bytes, value, repeats }) => {
  const Value = Array.from({ length: Math.floor(65_000 / (value.length + 1)) }, () => value)
  const image = colours(8, 4)
  const file = await dicomFile({
    transferSyntax: 'explicitLittle',
    image,
    attributes: { [tag]: { vr, Value } },
  })
  const at = file.indexOf(Buffer.from(bytes, 'hex'))
  const end = at + 8 + file.readUInt16LE(at + 6)
  const elements = Array.from({ length: repeats }, () => file.subarray(at, end))
  const many = Buffer.concat([file.subarray(0, at), ...elements, file.subarray(end)])
  const facts = await factsOfBytes(many)
  expect([facts.eye, facts.fields.visit_date]).toEqual([tag === '00200062' ? 'right' : null, '2026-06-02'])
})

describe('the eye', () => {
  const frames = (...terms: string[]): DicomAttributes[string] =>
    sequence(...terms.map((term) => ({ '00209071': sequence({ '00209072': text('CS', term) }) })))
  const laterality = (term: string): DicomAttributes => ({ '00200060': text('CS', term) })

  type Row = readonly [string, DicomFileOptions, eye: 'right' | 'left' | null, rejected: number]
  const OF_BOTH = { laterality: 'R', attributes: { ...laterality('R'), '52009229': frames('R') } }
  it.each<Row>([
    ['of the image', { laterality: 'L' }, 'left', 0],
    ['of the series', { attributes: laterality('R') }, 'right', 0],
    ['of all frames', { attributes: { '52009229': frames('L') } }, 'left', 0],
    ['of each frame', { attributes: { '52009230': frames('R', 'R') } }, 'right', 0],
    ['agreed', OF_BOTH, 'right', 0],
    ['in a word', { laterality: 'OD' }, 'right', 0],
    ['of a series of both', { laterality: 'R', attributes: laterality('B') }, null, 1],
    ['both', { laterality: 'B' }, null, 1],
    ['empty', { laterality: '' }, null, 0],
    ['absent', {}, null, 0],
    ['in conflict', { laterality: 'R', attributes: laterality('L') }, null, 1],
    ['in conflict with a frame', { laterality: 'R', attributes: { '52009229': frames('L') } }, null, 1],
    ['different from frame to frame', { attributes: { '52009230': frames('R', 'L') } }, null, 1],
    ['in an unknown word', { laterality: 'D' }, null, 1],
  ])('%s', async (_, options, eye, rejected) => {
    const facts = await factsOf(options)
    expect(facts.eye).toBe(eye)
    expect(facts.rejected.filter(({ field }) => field === 'eye')).toHaveLength(rejected)
  })
})

describe('measurements', () => {
  it('belong to the stated eye', async () => {
    const attributes = { '0022000B': fl(0), '0022001B': REFRACTION }
    const { fields } = await factsOf({ laterality: 'L', attributes })
    expect(fields).toMatchObject({ os_iop: 0, os_sphere: -1.25, os_cylinder: -0.5, os_axis: 90 })
    expect(Object.keys(fields).filter((name) => name.startsWith('od_'))).toEqual([])
  })

  it('of an eye that is not stated are given to none', async () => {
    const { fields, rejected } = await factsOf({ attributes: { '0022000B': fl(15), '0022001B': REFRACTION } })
    expect(Object.keys(fields).filter((name) => /^o[ds]_/.test(name))).toEqual([])
    expect(rejected.map(({ field }) => field)).toEqual(['iop', 'sphere', 'cylinder', 'axis'])
  })

  it('that are no numbers are refused, and odd ones kept as stated', async () => {
    const attributes = { '0022000B': fl(Number.NaN), '0022001B': sequence({ '00220007': fl(300) }) }
    const { fields, rejected } = await factsOf({ laterality: 'R', attributes })
    expect(fields.od_sphere).toBe(300)
    expect(rejected.map(({ field }) => field)).toEqual(['od_iop'])
  })

  it('of both eyes stand in the comments of a Phelcom Eyer', async () => {
    const comments = {
      anamnesis: { diabetes: true },
      diopter: {
        right: { spherical: '-1.25', cylindrical: '-0,50', axis: '90' },
        left: { spherical: '+2', cylindrical: '', axis: 'n/a' },
      },
    }
    const attributes = { '00104000': text('LT', JSON.stringify(comments)) }
    const { fields, rejected } = await factsOf({ attributes })
    expect(fields).toMatchObject({ od_sphere: -1.25, od_cylinder: -0.5, od_axis: 90, os_sphere: 2 })
    expect(fields.os_cylinder).toBeUndefined()
    expect(rejected.map(({ field }) => field)).toEqual(['os_axis'])
  })

  it.each(['{', '{"diopter": 3}', '{"diopter": {"right": []}}', 'seen before'])(
    'are not searched for in other comments: %s',
    async (comments) => {
      expect((await factsOf({ attributes: { '00104000': text('LT', comments) } })).rejected).toEqual([])
    },
  )
})

describe('dates, age and sex', () => {
  const ACQUIRED = { '00080022': text('DA', '20260602'), '00080032': text('TM', '0915') }
  const CONTENT = { '00080023': text('DA', '20260602'), '00080033': text('TM', '091530.5') }
  const takenAt = (acquisitionDateTime: string): DicomFileOptions => ({ acquisitionDateTime })

  it.each<readonly [what: string, DicomFileOptions, visit: string | undefined, captured: string | null]>([
    ['with dots', { studyDate: '2026.06.02' }, '2026-06-02', null],
    ['alone', { studyDate: '', ...takenAt('20260603101500') }, '2026-06-03', '2026-06-03T10:15:00'],
    ['with a zone', takenAt('20260602101500.5+0200'), '2026-06-02', '2026-06-02T10:15:00'],
    ['in two parts', { attributes: ACQUIRED }, '2026-06-02', '2026-06-02T09:15:00'],
    ['of the content', { studyDate: '', attributes: CONTENT }, '2026-06-02', '2026-06-02T09:15:30'],
    ['without a time', takenAt('20260602'), '2026-06-02', null],
    ['none', { studyDate: '' }, undefined, null],
  ])('%s', async (_, options, visit, captured) => {
    const facts = await factsOf(options)
    expect([facts.fields.visit_date, facts.capturedAt, facts.rejected]).toEqual([visit, captured, []])
  })

  it('that no calendar has are refused', async () => {
    const facts = await factsOf({ studyDate: '20260231', birthDate: '00000000' })
    expect([facts.fields.visit_date, facts.birthDate]).toEqual([undefined, null])
    expect(facts.rejected.map(({ field }) => field)).toEqual(['birth_date', 'visit_date'])
  })

  it.each<readonly [age: string, years: number | undefined]>([
    ['045Y', 45],
    ['030M', 2],
    ['006W', 0],
    ['400D', 1],
    ['000Y', 0],
    ['45', undefined],
  ])('an age of %s', async (age, years) => {
    const facts = await factsOf({ age })
    expect(facts.fields.age).toBe(years)
    expect(facts.rejected).toHaveLength(years === undefined ? 1 : 0)
  })

  it.each<readonly [sex: string, code: 0 | 1 | undefined, rejected: number]>([
    ['M', 0, 0],
    ['F', 1, 0],
    ['f', 1, 0],
    ['O', undefined, 0],
    ['', undefined, 0],
    ['X', undefined, 1],
  ])('a sex of %j', async (sex, code, rejected) => {
    const facts = await factsOf({ sex })
    expect(facts.fields.gender).toBe(code)
    expect(facts.rejected).toHaveLength(rejected)
  })
})

it('names no content in what it refuses', async () => {
  const { rejected } = await factsOf({
    patientId: Buffer.from('\xc4SECRET', 'latin1'),
    characterSet: null,
    birthDate: 'SECRET',
    studyDate: 'SECRET',
    age: 'SECRET',
    sex: 'SECRET',
    laterality: 'SECRET',
  })
  expect(rejected).toHaveLength(6)
  for (const { message } of rejected) expect(message).not.toMatch(/secret/i)
})

it('knows the instance from the first group if the data set has none', async () => {
  expect((await factsOf({ sopUid: '2.25.7', attributes: { '00080018': null } })).sopUid).toBe('2.25.7')
})
