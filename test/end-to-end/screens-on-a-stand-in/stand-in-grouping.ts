/** How the stand-in joins, parts and moves: as plainly as the screens need it. */
import type { CallHandlers } from '../../../src-main/station/api.ts'
import type { CallOutput } from '../../../src-shared/contract.ts'
import { fail, failureOf, succeed } from '../../../src-shared/failure.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'

type GroupingCalls = Pick<CallHandlers, 'submissions.merge' | 'submissions.split' | 'submissions.moveImages'>

export type GroupingParts = {
  readonly submissions: Map<string, SubmissionDetails>
  readonly changeSubmission: (id: string, change: Partial<SubmissionDetails>) => void
  /** Keeps a new submission and tells of it. */
  readonly addSubmission: (made: SubmissionDetails) => void
}

export function standInGrouping(parts: GroupingParts): GroupingCalls {
  const { submissions, changeSubmission, addSubmission } = parts
  const details = (id: string) => {
    const one = submissions.get(id)
    return one ? succeed(one) : fail(failureOf('notFound'))
  }
  /** Gives images away, with the files that show them once more; a case without any is discarded. */
  const giveAway = (from: SubmissionDetails, imageIds: readonly string[]) => {
    const goes = ({ id, twinOf }: (typeof from.images)[number]): boolean =>
      imageIds.includes(id) || (twinOf !== null && imageIds.includes(twinOf))
    const images = from.images.filter((image) => !goes(image))
    const reasons = from.reasons.filter(({ imageId }) => !imageId || !imageIds.includes(imageId))
    changeSubmission(from.id, {
      images,
      reasons,
      state: images.length === 0 ? 'discarded' : reasons.length > 0 ? 'incomplete' : 'review',
    })
    return from.images.filter(goes)
  }
  return {
    'submissions.merge': async ({ ids }) => {
      const [target, ...others] = ids.flatMap((id) => submissions.get(id) ?? [])
      if (!target || others.length === 0) return fail(failureOf('notFound'))
      const given = others.flatMap((other) =>
        giveAway(
          other,
          other.images.map(({ id }) => id),
        ),
      )
      changeSubmission(target.id, { images: [...target.images, ...given], state: 'review' })
      return details(target.id)
    },
    'submissions.split': async ({ id, imageIds }) => {
      const from = submissions.get(id)
      if (!from) return fail(failureOf('notFound'))
      const madeId = `${id}-part`
      const images = giveAway(from, imageIds)
      addSubmission({
        ...from,
        id: madeId,
        images,
        fields: { history_number: from.fields.history_number ?? '' },
        reasons: [],
        oddities: [],
      })
      const [kept, made] = [submissions.get(id), submissions.get(madeId)]
      if (!kept || !made) return fail(failureOf('notFound'))
      const answer: CallOutput<'submissions.split'> = { kept, made }
      return succeed(answer)
    },
    'submissions.moveImages': async ({ imageIds, toId }) => {
      const given = [...submissions.values()]
        .filter((one) => one.id !== toId && one.images.some(({ id }) => imageIds.includes(id)))
        .flatMap((from) => giveAway(from, imageIds))
      const to = submissions.get(toId)
      if (!to) return fail(failureOf('notFound'))
      changeSubmission(toId, { images: [...to.images, ...given], state: 'review' })
      return details(toId)
    },
  }
}
