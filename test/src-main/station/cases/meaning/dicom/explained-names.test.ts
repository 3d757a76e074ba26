/** Which numbers and words of names a DICOM file explains on its own, and which are asked about. */
import { describe, expect, it } from 'vitest'
import { type DicomAttributes, dicomFile } from '../../../../../camera/write-dicom.ts'
import { watchingCases } from '../../cases-with.ts'
import { becomes, PLAIN, text } from './becomes.ts'
import { sequence } from '../../../../reader/dicom/dicom-samples.ts'

describe('names that the file explains', () => {
  const ACCESSION = { '00080050': text('SH', 'ACC-77120') }
  const OTHER_NUMBER = 'incomplete identityConflict sourcesDiffer'
  it.each<readonly [what: string, path: string, attributes: DicomAttributes, becomes: string]>([
    ['a folder of the accession', 'ACC-77120/IMG_1.dcm', ACCESSION, 'waiting'],
    ['the digits of the accession', '77120/IMG_1.dcm', ACCESSION, 'waiting'],
    ['a name of the study', '482913_1.dcm', { '00200010': text('SH', '482913') }, 'waiting'],
    ['the device', 'SN88123/IMG_1.dcm', { '00181000': text('LO', 'SN88123') }, 'waiting'],
    ['another number of the patient', '551020/IMG_1.dcm', { '00101000': text('LO', '551020') }, 'waiting'],
    ['the end of a UID', 'x/297362505.dcm', { '00080018': text('UI', '1.2.826.0.297362505') }, 'waiting'],
    ['a folder of the modality', 'XC/2026/11/20/IMG_1.dcm', { '00080060': text('CS', 'XC') }, 'waiting'],
    ['a folder of the station', 'Nordlicht/IMG_1.dcm', { '00081010': text('SH', 'NORDLICHT') }, 'waiting'],
    ['a medium', 'S0000001/I0000012.dcm', {}, 'waiting'],
    ['a medium of three levels', 'PA1/ST12/IM7.dcm', {}, 'waiting'],
    ['a short hash as folder', 'a3f91c/IMG_1.dcm', {}, 'waiting'],
    ['a hexadecimal name', '0019A3F2.dcm', {}, 'waiting'],
    ['a hexadecimal name behind a letter', '7f3a/x88b1c04e.dcm', {}, 'waiting'],
    ['another number', '77120/IMG_1.dcm', {}, OTHER_NUMBER],
    ['another number beside the accession', '88123/IMG_1.dcm', ACCESSION, OTHER_NUMBER],
    [
      'a number that only a request states',
      '77120/IMG_1.dcm',
      { '00400275': sequence(ACCESSION) },
      OTHER_NUMBER,
    ],
    ['one digit off, of no medium', 'H-00107/IMG_1.dcm', {}, 'incomplete identityConflict nearlySame'],
    ['a name that no attribute states', 'Castellan/IMG_1.dcm', {}, 'review unknownTerm'],
  ])('%s', async (_what, path, attributes, expected) => {
    expect(await becomes(await dicomFile({ ...PLAIN, attributes }), path)).toBe(expected)
  })
})

describe('a term of the folder', () => {
  const visit = (at: number): Promise<Buffer> =>
    dicomFile({
      ...PLAIN,
      patientId: `H-0010${at}`,
      patientName: `${NAMES[at]}^NORA`,
      sopUid: `2.25.77${at}`,
    })
  const NAMES = ['HAAS', 'LINDE', 'OKAFOR', 'WEBER', 'PINTO']
  const stateOf = (station: Awaited<ReturnType<typeof watchingCases>>, at: number) =>
    station.open().find(({ fields }) => fields.history_number === `H-0010${at}`)

  it.each(['estante', 'Zwischenlager', 'tiroir'])('%s: what waited for it is read again', async (folder) => {
    const station = await watchingCases({ sendWithoutReview: true })
    for (const at of NAMES.keys()) await station.arrive(`${folder}/IMG_${at}.dcm`, await visit(at))
    await station.quiet()
    expect(NAMES.map((_, at) => stateOf(station, at)?.state)).toEqual(NAMES.map(() => 'review'))
    for (const at of [0, 1]) await station.approve(stateOf(station, at)?.id ?? '')
    expect(stateOf(station, 3)?.state).toBe('review')
    // A person has this one in hand.
    station.test.outbox.setEye(stateOf(station, 4)?.images[0]?.id ?? '', {
      eye: 'right',
      source: 'person',
      statements: null,
    })
    await station.approve(stateOf(station, 2)?.id ?? '')
    expect([3, 4].map((at) => stateOf(station, at)?.state)).toEqual(['waiting', 'review'])
  })
})
