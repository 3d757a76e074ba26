/** What one DICOM file lets leave without a person's look, of the eye and what describes it. */
import { describe, expect, it } from 'vitest'
import { type DicomAttributes, dicomFile, type DicomFileOptions } from '../../../../../camera/write-dicom.ts'
import { becomes, repeated, text, PLAIN } from './becomes.ts'
import { sequence } from '../../../../reader/dicom/dicom-samples.ts'

const frame = (...lateralities: readonly string[]): DicomAttributes =>
  lateralities.length === 0 ? {} : { '00209071': sequence({ '00209072': text('CS', ...lateralities) }) }
const modifier = (value: string, meaning: string): DicomAttributes => ({
  '00082218': sequence({
    '00080100': text('SH', 'T-AA000'),
    '00080104': text('LO', 'Eye'),
    '00082220': sequence({ '00080100': text('SH', value), '00080104': text('LO', meaning) }),
  }),
})

/** Another source of the same file states the other eye. */
const OTHER = 'incomplete eyeConflict notIntact sourcesDiffer'

type Row = readonly [what: string, options: DicomFileOptions, becomes: string]

describe('the eye', () => {
  const silent = (attributes: DicomAttributes): DicomFileOptions => ({ laterality: '', attributes })
  it.each<Row>([
    ['of two values', { attributes: { '00200062': text('CS', 'R', 'L') } }, OTHER],
    ['of its series, the other', { attributes: { '00200060': text('CS', 'L') } }, OTHER],
    ['both, and of its series one', { laterality: 'B', attributes: { '00200060': text('CS', 'R') } }, OTHER],
    ['and of its series both', { attributes: { '00200060': text('CS', 'B') } }, OTHER],
    ['and of no pair', { attributes: { '00200060': text('CS', 'U') } }, OTHER],
    ['of one frame, the other', { attributes: { '52009230': sequence(frame('R'), frame('L')) } }, OTHER],
    ['of one frame only', silent({ '52009230': sequence(frame('R'), frame()) }), OTHER],
    ['of a modifier, the other', { attributes: modifier('7771000', 'Left') }, OTHER],
    ['of a modifier, both', { attributes: modifier('51440002', 'Right and left') }, OTHER],
    ['of a modifier, by an old code', { attributes: modifier('G-A101', 'sinister') }, OTHER],
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
    ['the other', 'L', OTHER],
    ['both', 'B', OTHER],
  ])('in a second element: %s', async (_what, eye, expected) => {
    const bytes = await dicomFile({ ...PLAIN, attributes: { '00200063': text('CS', eye) } })
    expect(await becomes(repeated(bytes, '00200063', '00200062'))).toBe(expected)
  })

  it('of a frame in a second sequence, the other, after thousands in the first', async () => {
    const first = sequence(...Array.from({ length: 5_000 }, () => frame('R')))
    const attributes = { '52009230': first, '52009231': sequence(frame('L')) }
    const bytes = await dicomFile({ ...PLAIN, attributes })
    expect(await becomes(repeated(bytes, '52009231', '52009230'))).toBe(OTHER)
  })

  it.each([
    ['both, beside a name of one', 'B', OTHER],
    ['nothing, beside a name of one', '', 'review readFromNames'],
  ])('%s', async (_what, laterality, expected) => {
    expect(await becomes(await dicomFile({ ...PLAIN, laterality }), 'H-00101/right_eye.dcm')).toBe(expected)
  })
})

describe('descriptions and comments', () => {
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
