/** What a person's change makes of a submission, as plainly as the screens need it. Pure. */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'

type Defined<Value> = { [Name in keyof Value]?: Exclude<Value[Name], undefined> }

/** What zod calls optional may also be undefined; here that means: not given. */
export function definedOnly<Value extends object>(value: Value): Defined<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Defined<Value>
}

/** What differs after the change. */
export function edited(
  before: SubmissionDetails,
  { fields, images, noImageBecause }: ParsedInput<'submissions.update'>,
): Partial<SubmissionDetails> {
  const after: Record<string, unknown> = { ...before.fields }
  for (const [name, value] of Object.entries(fields ?? {})) {
    if (value === null) delete after[name]
    else after[name] = value
  }
  const changed = before.images.map((image) => {
    const change = images?.find((one) => one.id === image.id)
    if (!change) return image
    return {
      ...image,
      ...(change.eye && { eye: change.eye, eyeSource: 'person' as const }),
      ...(change.excludedBecause !== undefined && { excludedBecause: change.excludedBecause }),
    }
  })
  const because = noImageBecause ? definedOnly(noImageBecause) : before.noImageBecause
  const oddities = before.oddities.filter(
    ({ kind }) => kind !== 'eyeWithoutImage' || Object.keys(because).length === 0,
  )
  const reasons = before.reasons.filter(({ kind, field, imageId }) =>
    kind === 'valueConflict' && field
      ? fields?.[field] === undefined
      : field
        ? after[field] === undefined
        : changed.some((image) => image.id === imageId && image.eye === 'unknown' && !image.excludedBecause),
  )
  const isDone = before.state === 'incomplete' && reasons.length === 0
  return {
    fields: after,
    images: changed,
    noImageBecause: because,
    oddities,
    reasons,
    state: isDone ? 'review' : before.state,
  }
}
