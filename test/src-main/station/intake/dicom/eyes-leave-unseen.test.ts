/** What one DICOM file lets leave without a person's look, of the eye, the issuer and what describes it. */
import { describe, expect, it } from 'vitest'
import { type DicomAttributes, dicomFile, type DicomFileOptions } from '../../../../camera/write-dicom.ts'
import { watchingIntake } from '../intake-with.ts'
import { becomes, repeated, shownAs, text, PLAIN } from './becomes.ts'
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

type Row = readonly [what: string, options: DicomFileOptions, becomes: string]

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
  const hl7 = (name: string): DicomAttributes => ({ '00100020': text('LO', `H-00101^^^${name}^MR`) })
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
      'another, in the spelling of HL7',
      hl7('NORTH'),
      hl7('SOUTH'),
      OTHER,
      'incomplete identityConflict sourcesDiffer',
    ],
    [
      'another, once in the spelling of HL7',
      hl7('NORTH'),
      issuer('SOUTH'),
      OTHER,
      'incomplete identityConflict sourcesDiffer',
    ],
    ['the same in the spelling of HL7', hl7('NORTH'), hl7('North'), 'waiting', 'waiting'],
    ['in the spelling of HL7, and absent', hl7('NORTH'), NONE, 'waiting', 'waiting'],
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
