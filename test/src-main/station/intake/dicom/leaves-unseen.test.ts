/** What one DICOM file lets leave without a person's look: everything that it states counts, whole and once. */
import { describe, expect, it } from 'vitest'
import { type DicomAttributes, dicomFile, type DicomFileOptions } from '../../../../camera/write-dicom.ts'
import { watchingIntake } from '../intake-with.ts'
import { becomes, PLAIN, shownAs, text } from './becomes.ts'
import { sequence } from './dicom-samples.ts'

const frame = (...lateralities: readonly string[]): DicomAttributes =>
  lateralities.length === 0 ? {} : { '00209071': sequence({ '00209072': text('CS', ...lateralities) }) }
const modifier = (value: string, meaning: string): DicomAttributes => ({
  '00082218': sequence({
    '00080100': text('SH', 'T-AA000'),
    '00080104': text('LO', 'Eye'),
    '00082220': sequence({ '00080100': text('SH', value), '00080104': text('LO', meaning) }),
  }),
})

/** The same file, with the element of one tag written as a second one of another: dcmjs writes each tag once. */
function repeated(bytes: Buffer, written: string, as: string): Buffer {
  const littleEndian = (tag: string): Buffer =>
    Buffer.from([tag.slice(2, 4), tag.slice(0, 2), tag.slice(6), tag.slice(4, 6)].join(''), 'hex')
  const at = bytes.indexOf(littleEndian(written))
  if (at === -1) throw new Error(`The file has no ${written}.`)
  const changed = Buffer.from(bytes)
  changed.set(littleEndian(as), at)
  return changed
}

type Row = readonly [what: string, options: DicomFileOptions, becomes: string]

describe('the number', () => {
  const idBytes = (id: string): DicomFileOptions => ({ patientId: Buffer.from(id, 'latin1') })
  it.each<Row>([
    ['once', {}, 'waiting'],
    ['padded with zeros', idBytes('H-00101\0\0\0'), 'waiting'],
    ['padded with spaces', idBytes('  H-00101 '), 'waiting'],
    ['stated twice alike', idBytes('H-00101\\H-00101'), 'waiting'],
    ['with an empty second value', idBytes('H-00101\\'), 'waiting'],
    ['with components of HL7', idBytes('H-00101^^^CLINIC^MR'), 'waiting'],
    ['a word, with digits', { patientId: 'Operator 2' }, 'incomplete identityConflict placeholder'],
    ['a word', { patientId: 'LENS CAP' }, 'incomplete identityConflict placeholder'],
    ['of two, with a slash', { patientId: '479075/620659' }, 'incomplete identityConflict placeholder'],
    ['of two, with a space', { patientId: '479075 620659' }, 'incomplete identityConflict placeholder'],
    ['of two with letters', { patientId: 'H-00101 / H-00155' }, 'incomplete identityConflict placeholder'],
    ['of a year and a count', { patientId: '2026/0417' }, 'waiting'],
    ['of three groups', { patientId: '943 476 5919' }, 'waiting'],
    ['with a zero inside', idBytes('H-00\x00101'), 'incomplete identityConflict placeholder notIntact'],
    ['with a line end inside', idBytes('H-00101\r\n77'), 'incomplete identityConflict placeholder notIntact'],
    ['of two values', idBytes('H-00101\\K-77120'), 'incomplete identityConflict sourcesDiffer notIntact'],
    [
      'of two values, one digit apart',
      idBytes('H-00101\\H-00107'),
      'incomplete identityConflict nearlySame notIntact',
    ],
    [
      'of letters that nothing explains',
      { ...idBytes('H\xc40101'), characterSet: null },
      'incomplete identityConflict placeholder notIntact',
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

describe('the person', () => {
  it.each<Row>([
    [
      'two names',
      { patientName: Buffer.from('HAAS^NORA\\LINDE^EVA') },
      'incomplete twoPatients twoPeople notIntact',
    ],
    ['one name, twice', { patientName: Buffer.from('HAAS^NORA\\HAAS^NORA') }, 'waiting'],
    [
      'two birth dates',
      { attributes: { '00100030': text('DA', '19570311', '19810605') } },
      'incomplete twoPatients twoPeople notIntact',
    ],
    [
      'two sexes',
      { attributes: { '00100040': text('CS', 'F', 'M') } },
      'incomplete twoPatients twoPeople notIntact',
    ],
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
    [
      'of the series, another',
      dates({ '00080021': '20261119' }),
      'incomplete valueConflict notIntact sourcesDiffer',
    ],
    [
      'of the acquisition, another',
      dates({ '00080022': '20261121' }),
      'incomplete valueConflict notIntact sourcesDiffer',
    ],
    [
      'of the content, another',
      dates({ '00080023': '20251120' }),
      'incomplete valueConflict notIntact sourcesDiffer',
    ],
    [
      'of the acquisition with a time, another',
      { acquisitionDateTime: '20261113101500' },
      'incomplete valueConflict notIntact sourcesDiffer',
    ],
    [
      'of the procedure, another',
      dates({ '00400244': '20261118' }),
      'incomplete valueConflict notIntact sourcesDiffer',
    ],
    [
      'of two values',
      { attributes: { '00080020': text('DA', '20261120', '20261119') } },
      'incomplete valueConflict notIntact sourcesDiffer',
    ],
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
    [
      'of a copy made before its picture',
      dates({ '00080012': '20261119' }),
      'incomplete valueConflict notIntact sourcesDiffer',
    ],
    ['on no day, beside one', dates({ '00080022': '20261131' }), 'review notIntact'],
    ['of zeros, beside one', dates({ '00080022': '00000000' }), 'waiting'],
    ['a month alone', { acquisitionDateTime: '202611' }, 'waiting'],
  ])('%s', async (_what, options, expected) => {
    expect(await becomes(await dicomFile({ ...PLAIN, ...options }))).toBe(expected)
  })

  it('names the attributes that differ', async () => {
    const station = await watchingIntake()
    await station.arrive('4f2a.dcm', await dicomFile({ ...PLAIN, ...dates({ '00080021': '20261119' }) }))
    await station.quiet()
    expect(station.open()[0]?.reasons[0]?.message).toBe(
      'The sources disagree about the visit date: the study date in the DICOM header says 2026-11-20, the series date in the DICOM header says 2026-11-19. Enter the right one.',
    )
  })
})

describe('the eye', () => {
  const silent = (attributes: DicomAttributes): DicomFileOptions => ({ laterality: '', attributes })
  it.each<Row>([
    [
      'of two values',
      { attributes: { '00200062': text('CS', 'R', 'L') } },
      'incomplete eyeConflict notIntact sourcesDiffer',
    ],
    [
      'of its series, the other',
      { attributes: { '00200060': text('CS', 'L') } },
      'incomplete eyeConflict notIntact sourcesDiffer',
    ],
    [
      'both, and of its series one',
      { laterality: 'B', attributes: { '00200060': text('CS', 'R') } },
      'incomplete eyeConflict notIntact sourcesDiffer',
    ],
    [
      'and of its series both',
      { attributes: { '00200060': text('CS', 'B') } },
      'incomplete eyeConflict notIntact sourcesDiffer',
    ],
    [
      'and of no pair',
      { attributes: { '00200060': text('CS', 'U') } },
      'incomplete eyeConflict notIntact sourcesDiffer',
    ],
    [
      'of one frame, the other',
      { attributes: { '52009230': sequence(frame('R'), frame('L')) } },
      'incomplete eyeConflict notIntact sourcesDiffer',
    ],
    [
      'of one frame only',
      silent({ '52009230': sequence(frame('R'), frame()) }),
      'incomplete eyeConflict notIntact sourcesDiffer',
    ],
    [
      'of a modifier, the other',
      { attributes: modifier('7771000', 'Left') },
      'incomplete eyeConflict notIntact sourcesDiffer',
    ],
    [
      'of a modifier, both',
      { attributes: modifier('51440002', 'Right and left') },
      'incomplete eyeConflict notIntact sourcesDiffer',
    ],
    [
      'of a modifier, by an old code',
      { attributes: modifier('G-A101', 'sinister') },
      'incomplete eyeConflict notIntact sourcesDiffer',
    ],
    ['of a modifier, the same', { attributes: modifier('24028007', 'Right') }, 'waiting'],
    ['of a modifier alone', silent(modifier('G-A100', 'Right')), 'waiting'],
    ['beside another modifier', { attributes: modifier('264217000', 'Superior') }, 'waiting'],
    ['of all frames', silent({ '52009230': sequence(frame('R'), frame('R')) }), 'waiting'],
    ['beside frames that state none', { attributes: { '52009230': sequence(frame(), frame()) } }, 'waiting'],
    ['stated twice alike', { attributes: { '00200062': text('CS', 'R', 'R') } }, 'waiting'],
  ])('%s', async (_what, options, expected) => {
    expect(await becomes(await dicomFile({ ...PLAIN, ...options }))).toBe(expected)
  })

  it.each([
    ['the same', 'R', 'waiting'],
    ['the other', 'L', 'incomplete eyeConflict notIntact sourcesDiffer'],
    ['both', 'B', 'incomplete eyeConflict notIntact sourcesDiffer'],
  ])('in a second element: %s', async (_what, eye, expected) => {
    const bytes = await dicomFile({ ...PLAIN, attributes: { '00200063': text('CS', eye) } })
    expect(await becomes(repeated(bytes, '00200063', '00200062'))).toBe(expected)
  })

  it.each([
    ['both, beside a name of one', 'B', 'incomplete eyeConflict notIntact sourcesDiffer'],
    ['nothing, beside a name of one', '', 'review readFromNames'],
  ])('%s', async (_what, laterality, expected) => {
    expect(await becomes(await dicomFile({ ...PLAIN, laterality }), 'H-00101/right_eye.dcm')).toBe(expected)
  })
})

describe('the issuer of the number', () => {
  const issuer = (name: string): DicomAttributes => ({ '00100021': text('LO', name) })
  const qualifiers = (id: string): DicomAttributes => ({
    '00100024': sequence({ '00400032': text('UT', id), '00400033': text('CS', 'ISO') }),
  })
  const NONE: DicomAttributes = {}
  const OTHER = 'incomplete twoPatients sourcesDiffer'
  it.each<
    readonly [what: string, first: DicomAttributes, second: DicomAttributes, together: string, later: string]
  >([
    ['the same', issuer('EYE CLINIC'), issuer('Eye-Clinic'), 'waiting', 'waiting'],
    ['absent, then stated', NONE, issuer('EYE CLINIC'), 'waiting', 'waiting'],
    ['stated, then absent', issuer('EYE CLINIC'), NONE, 'waiting', 'waiting'],
    ['never stated', NONE, NONE, 'waiting', 'waiting'],
    [
      'another',
      issuer('EYE CLINIC'),
      issuer('NORTH WING'),
      OTHER,
      'incomplete identityConflict sourcesDiffer',
    ],
    [
      'another by a UID',
      qualifiers('1.2.3.4'),
      qualifiers('1.2.3.5'),
      OTHER,
      'incomplete identityConflict sourcesDiffer',
    ],
    [
      'one of two words',
      issuer('ST ANNA'),
      issuer('ST ANNA II'),
      OTHER,
      'incomplete identityConflict sourcesDiffer',
    ],
  ])('%s', async (_what, first, second, together, later) => {
    const fileOf = (studyDate: string, laterality: string, attributes: DicomAttributes): Promise<Buffer> =>
      dicomFile({
        ...PLAIN,
        studyDate,
        laterality,
        sopUid: `2.25.${studyDate}${laterality === 'R' ? 1 : 2}`,
        attributes,
      })
    const station = await watchingIntake({ sendWithoutReview: true })
    await station.arrive('a/IMG_1.dcm', await fileOf('20261120', 'R', first))
    await station.arrive('a/IMG_2.dcm', await fileOf('20261120', 'L', second))
    await station.quiet()
    expect(shownAs(station.open()[0])).toBe(together)
    const next = await watchingIntake({ sendWithoutReview: true })
    await next.arrive('b/IMG_1.dcm', await fileOf('20261119', 'R', first))
    await next.quiet()
    expect(shownAs(next.open()[0])).toBe('waiting')
    await next.arrive('b/IMG_2.dcm', await fileOf('20261120', 'R', second))
    await next.quiet()
    expect(shownAs(next.open()[1])).toBe(later)
  })
})

describe('descriptions and comments', () => {
  const OTHER = 'incomplete eyeConflict notIntact sourcesDiffer'
  it.each<readonly [what: string, tag: string, description: string, becomes: string]>([
    ['of the series, the other eye', '0008103E', 'Macula OS 45', OTHER],
    ['of the protocol, the other eye', '00181030', 'left eye, disc', OTHER],
    ['of the image, in Spanish', '00204000', 'ojo izquierdo, repetida', OTHER],
    ['of the study, one letter', '00081030', 'L', OTHER],
    ['of the derivation, the other eye', '00082111', 'mosaic of 4 fields, linkes Auge', OTHER],
    ['the same eye', '0008103E', 'Macula OD 45', 'waiting'],
    ['of both eyes', '00081030', 'Fundus OD/OS', 'waiting'],
    ['of a direction', '0008103E', 'Disc, upper left', 'waiting'],
    ['of nothing about an eye', '00204000', 'Good quality', 'waiting'],
    ['of the patient', '00104000', 'Cataract surgery of the left eye in 2019', 'waiting'],
  ])('%s', async (_what, tag, description, expected) => {
    const bytes = await dicomFile({ ...PLAIN, attributes: { [tag]: text('LT', description) } })
    expect(await becomes(bytes)).toBe(expected)
  })

  it('give no eye', async () => {
    const bytes = await dicomFile({
      ...PLAIN,
      laterality: '',
      attributes: { '0008103E': text('LO', 'Macula OD') },
    })
    expect(await becomes(bytes)).toBe('incomplete eyeUnknown nothingStated')
  })
})
