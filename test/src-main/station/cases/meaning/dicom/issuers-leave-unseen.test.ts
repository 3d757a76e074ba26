/** What the issuer of a number, stated or absent, lets leave without a person's look. */
import { describe, expect, it } from 'vitest'
import { type DicomAttributes, dicomFile } from '../../../../../camera/write-dicom.ts'
import { watchingCases } from '../../cases-with.ts'
import { PLAIN, shownAs, text } from './becomes.ts'
import { sequence } from '../../../../reader/dicom/dicom-samples.ts'

describe('the issuer of the number', () => {
  const issuer = (name: string): DicomAttributes => ({ '00100021': text('LO', name) })
  const qualifiers = (id: string): DicomAttributes => ({
    '00100024': sequence({ '00400032': text('UT', id), '00400033': text('CS', 'ISO') }),
  })
  const hl7 = (name: string): DicomAttributes => ({ '00100020': text('LO', `H-00101^^^${name}^MR`) })
  const NONE: DicomAttributes = {}
  const OTHER = 'incomplete twoPatients sourcesDiffer'
  const OTHER_LATER = 'incomplete identityConflict sourcesDiffer'
  type Row = readonly [string, DicomAttributes, DicomAttributes, together: string, later: string]
  it.each<Row>([
    ['the same', issuer('EYE CLINIC'), issuer('Eye-Clinic'), 'waiting', 'waiting'],
    ['absent, then stated', NONE, issuer('EYE CLINIC'), 'waiting', 'waiting'],
    ['stated, then absent', issuer('EYE CLINIC'), NONE, 'waiting', 'waiting'],
    ['never stated', NONE, NONE, 'waiting', 'waiting'],
    ['another', issuer('EYE CLINIC'), issuer('NORTH WING'), OTHER, OTHER_LATER],
    ['another by a UID', qualifiers('1.2.3.4'), qualifiers('1.2.3.5'), OTHER, OTHER_LATER],
    ['another, in the spelling of HL7', hl7('NORTH'), hl7('SOUTH'), OTHER, OTHER_LATER],
    ['another, once in the spelling of HL7', hl7('NORTH'), issuer('SOUTH'), OTHER, OTHER_LATER],
    ['the same in the spelling of HL7', hl7('NORTH'), hl7('North'), 'waiting', 'waiting'],
    ['in the spelling of HL7, and absent', hl7('NORTH'), NONE, 'waiting', 'waiting'],
    ['one of two words', issuer('ST ANNA'), issuer('ST ANNA II'), OTHER, OTHER_LATER],
  ])('%s', async (_what, first, second, together, later) => {
    const fileOf = (
      studyDate: string,
      laterality: 'R' | 'L',
      attributes: DicomAttributes,
    ): Promise<Buffer> => {
      const sopUid = `2.25.${studyDate}${laterality === 'R' ? 1 : 2}`
      return dicomFile({ ...PLAIN, studyDate, laterality, sopUid, attributes })
    }
    const station = await watchingCases({ sendWithoutReview: true })
    await station.arrive('a/IMG_1.dcm', await fileOf('20261120', 'R', first))
    await station.arrive('a/IMG_2.dcm', await fileOf('20261120', 'L', second))
    await station.quiet()
    expect(shownAs(station.open()[0])).toBe(together)
    const next = await watchingCases({ sendWithoutReview: true })
    await next.arrive('b/IMG_1.dcm', await fileOf('20261119', 'R', first))
    await next.quiet()
    expect(shownAs(next.open()[0])).toBe('waiting')
    await next.arrive('b/IMG_2.dcm', await fileOf('20261120', 'R', second))
    await next.quiet()
    expect(shownAs(next.open()[1])).toBe(later)
  })
})
