/** Makes submissions, attempts and evidence of invented people, each with everything that the contract asks for. */
import { createHash } from 'node:crypto'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { Fields } from '../../../src-shared/fields.ts'
import type { Eye } from '../../../src-shared/measurement-ranges.ts'
import { referenceOf } from '../../../src-shared/reference.ts'
import type { Attempt, Evidence, Image, SubmissionDetails } from '../../../src-shared/submission.ts'

const MEGABYTE = 1_000_000

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** `rrl?` stands for two images of the right eye, one of the left and one without. */
function imagesOf(seed: number, eyes: string, folder: string): Image[] {
  const names: Readonly<Record<string, Eye>> = { r: 'right', l: 'left', '?': 'unknown' }
  return Array.from(eyes, (letter, index) => {
    const eye = names[letter] ?? 'unknown'
    const mark = eye === 'right' ? 'OD' : eye === 'left' ? 'OS' : 'IMG'
    return {
      id: `i${seed}-${index + 1}`,
      fileName: `${folder}/${mark}_${index + 1}.jpg`,
      eye,
      eyeSource: eye === 'unknown' ? null : 'fileName',
      sizeBytes: Math.round((1.7 + ((seed * 7 + index * 3) % 10) / 10) * MEGABYTE),
      sha256: digestOf(`${seed}/${index}`).toString('hex'),
      contentType: 'image/jpeg',
      sentAs: null,
      view: null,
      twinOf: null,
      excludedBecause: null,
      removedAt: null,
    }
  })
}

type Written = Partial<SubmissionDetails> & { readonly eyes?: string; readonly minutesAgo?: number }

/** A submission ready to check, unless something else is written. */
export function submission(seed: number, now: number, fields: Fields, written: Written): SubmissionDetails {
  const { eyes = 'rl', minutesAgo = seed * 9, ...rest } = written
  const addedAt = now - minutesAgo * MINUTE
  const folder = `${fields.history_number ?? 'DCIM'}_${(fields.visit_date ?? '20261121').replaceAll('-', '')}`
  return {
    id: `s${seed}`,
    reference: referenceOf(digestOf(`reference ${seed}`)),
    state: 'review',
    fields,
    sources: { history_number: 'folderName', visit_date: 'folderName' },
    images: imagesOf(seed, eyes, folder),
    centerId: '101',
    attempts: 0,
    caseId: null,
    failure: null,
    reasons: [],
    oddities: [],
    noImageBecause: {},
    urgent: false,
    addedAt,
    changedAt: addedAt,
    sentAt: null,
    confirmedAt: null,
    notBefore: null,
    hasReport: false,
    attemptList: [],
    evidence: [],
    ...rest,
  }
}

/** An attempt that did not get through, unless something else is written. */
export function attempt(number: number, startedAt: number, rest: Partial<Attempt>): Attempt {
  return {
    id: `a${startedAt}-${number}`,
    number,
    centerId: '101',
    phase: 'ended',
    outcome: 'unsent',
    requestBytes: 4_212_345,
    hasAnswer: false,
    handedOverBytes: 0,
    failure: null,
    startedAt,
    endedAt: startedAt + 4 * SECOND,
    ...rest,
  }
}

/** A look that found nothing, unless something else is written. */
export function evidence(id: string, at: number, rest: Partial<Evidence>): Evidence {
  return { id, attemptId: 'a', at, kind: 'absent', caseIds: [], message: '', by: null, ...rest }
}
