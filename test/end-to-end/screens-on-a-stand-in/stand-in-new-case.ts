/** Files that are handed over to the stand-in, which forgets their bytes, and the cases that are made of them. */
import { createHash, randomUUID } from 'node:crypto'
import type { CallHandlers, Station } from '../../../src-main/station/api.ts'
import { fail, failureOf, succeed } from '../../../src-shared/failure.ts'
import type { Reason, SubmissionDetails } from '../../../src-shared/submission.ts'
import { submission } from './make-submission.ts'

const NOT_WHOLE = 'A file did not arrive whole, so it was not taken. Hand it over again.'

export const keepInMemory: Station['saveUpload'] = async ({ name, bytes }) => {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const piece of bytes) {
    hash.update(piece)
    sizeBytes += piece.length
  }
  if (name.startsWith('broken')) return fail(failureOf('badRequest', { message: NOT_WHOLE }))
  return succeed({ path: `/incoming/${randomUUID()}/${name}`, sizeBytes, sha256: hash.digest('hex') })
}

export function standInNewCase(
  addSubmission: (made: SubmissionDetails) => void,
): CallHandlers['submissions.create'] {
  let made = 0
  return async ({ fields, images }) => {
    made += 1
    const [blank] = submission(0, Date.now(), {}, { eyes: '?' }).images
    if (!blank) throw new Error('The stand-in draws no image')
    const own = images.map(({ path, eye }, index) => ({
      ...blank,
      id: `new-${made}-${index}`,
      fileName: path.split('/').at(-1) ?? path,
      eye,
      eyeSource: eye === 'unknown' ? null : ('person' as const),
    }))
    const reasons = own
      .filter(({ eye }) => eye === 'unknown')
      .map(({ id }): Reason => ({
        kind: 'eyeUnknown',
        imageId: id,
        message: 'Nothing states the eye of an image. Say which eye it is, or leave the image out.',
      }))
    const one = submission(500 + made, Date.now(), fields, {
      images: own,
      reasons,
      sources: {},
      state: reasons.length > 0 ? 'incomplete' : 'review',
    })
    addSubmission(one)
    return succeed(one)
  }
}
