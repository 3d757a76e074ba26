/** What becomes of a case of one DICOM file, in a folder that sends without review. */
import type { Submission } from '../../../../../../src-shared/submission.ts'
import type { DicomAttributes, DicomFileOptions } from '../../../../../camera/write-dicom.ts'
import { watchingCases } from '../../cases-with.ts'

export const text = (vr: string, ...Value: readonly string[]): DicomAttributes[string] => ({ vr, Value })

export const PLAIN = {
  patientId: 'H-00101',
  patientName: 'HAAS^NORA',
  studyDate: '20261120',
  laterality: 'R',
} as const satisfies DicomFileOptions

/** `waiting` if it leaves, else the state with what is asked and why a part is no proof. */
export function shownAs(found: Submission | undefined): string {
  if (found === undefined) return 'no case'
  const { state, reasons, verdict } = found
  const whys = [verdict.who, verdict.day, ...Object.values(verdict.eyes)].flatMap(({ why }) => why ?? [])
  const asked = state === 'review' ? [] : reasons.map(({ kind }) => kind)
  return [state, ...asked, ...new Set(whys)].join(' ')
}

export async function becomes(bytes: Buffer, path = 'export/4f2a.dcm'): Promise<string> {
  const station = await watchingCases({ sendWithoutReview: true })
  await station.arrive(path, bytes)
  await station.quiet()
  return shownAs(station.open()[0])
}

/** The same file, with the element of one tag written as a second one of another: dcmjs writes each tag once. */
export function repeated(bytes: Buffer, written: string, as: string): Buffer {
  const littleEndian = (tag: string): Buffer =>
    Buffer.from([tag.slice(2, 4), tag.slice(0, 2), tag.slice(6), tag.slice(4, 6)].join(''), 'hex')
  const at = bytes.indexOf(littleEndian(written))
  if (at === -1) throw new Error(`The file has no ${written}.`)
  const changed = Buffer.from(bytes)
  changed.set(littleEndian(as), at)
  return changed
}
