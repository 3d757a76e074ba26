/** Cases whose images state patient and eye in their DICOM attributes. */
import { createHash } from 'node:crypto'
import type { ContentFacts } from '../../../../src-main/station/cases/meaning/sources.ts'
import type { Fields } from '../../../../src-shared/fields.ts'
import type { Eye } from '../../../../src-shared/measurement-ranges.ts'
import type { Proof } from '../../../../src-shared/proof.ts'
import type { StoredSubmission } from '../../../../src-main/station/outbox/submissions.ts'
import { MORNING, newSubmission, someBytes } from '../../../tools/outbox-with.ts'
import { follow, type TestParts } from './parts-with.ts'

export type Stated = {
  readonly number?: string
  readonly lastName?: string
  readonly gender?: 0 | 1
  readonly birthDate?: string
  readonly eye?: 'right' | 'left'
  readonly study?: string
}

let drawn = 0

/** An image of a camera, with what its DICOM attributes state; its id. */
export function addImage(
  test: TestParts,
  submissionId: string,
  fileName: string,
  stated: Stated = {},
): string {
  drawn += 1
  const { number, lastName, gender, birthDate = null, eye = null, study = null } = stated
  const facts: ContentFacts = {
    fields: {
      ...(number !== undefined && { history_number: number, visit_date: '2026-11-20' }),
      ...(lastName !== undefined && { last_name: lastName }),
      ...(gender !== undefined && { gender }),
    },
    birthDate,
    eye,
    capturedAt: null,
    sopUid: `2.25.${drawn}`,
    studyUid: study,
    view: null,
    device: null,
    rejected: [],
  }
  const sha256 = createHash('sha256').update(someBytes()).digest('hex')
  return test.outbox.addImage({
    submissionId,
    folderPath: '/exports',
    fileName,
    stemKey: fileName.toLowerCase().replace(/\.[^.]*$/, ''),
    // One after the other.
    mtimeMs: MORNING + drawn * 1_000,
    eye: 'unknown' satisfies Eye,
    eyeSource: null,
    sizeBytes: 64,
    sha256,
    spoolName: sha256,
    contentType: 'application/dicom',
    facts: JSON.stringify(facts),
    sopUid: facts.sopUid,
    at: MORNING,
  })
}

/** A case in which a person entered these fields, with images as stated. */
export function caseOf(
  test: TestParts,
  images: Readonly<Record<string, Stated>>,
  entered: Fields = {},
): { readonly id: string; readonly imageIds: readonly string[] } {
  const sources = Object.fromEntries(Object.keys(entered).map((name) => [name, 'person' as const]))
  const id = test.outbox.createSubmission(newSubmission({ fields: entered, sources }))
  const imageIds = Object.entries(images).map(([name, stated]) => addImage(test, id, name, stated))
  test.refresh(id)
  follow(test, id, 'gatheredForReview')
  test.refresh(id)
  return { id, imageIds }
}

export const submissionOf = (test: TestParts, id: string): StoredSubmission => {
  const found = test.outbox.submissionOf(id)
  if (!found) throw new Error('there is one')
  return found
}

export async function proofOf(test: TestParts, id: string): Promise<Proof> {
  const answer = await test.call('submissions.get', { id })
  if (!answer.ok || answer.value.proof === null) throw new Error('it can be read')
  return answer.value.proof
}

/** Two patients in one case: their numbers differ. */
export const TWO = {
  'x/1.dcm': { number: '501288', lastName: 'Lopez', eye: 'right' },
  'x/2.dcm': { number: '612004', lastName: 'Garcia', eye: 'left' },
} as const
