/** Joins one submission into another: its images, its visits, and what a person had written in it. */
import { FIELD_NAMES, type FieldName, type Fields } from '../../src-shared/fields.ts'
import type { Submission } from '../../src-shared/submission.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { SubmissionRow } from './outbox/submission-rows.ts'
import type { Clock } from './ports.ts'

type MergeContext = { readonly outbox: Outbox; readonly clock: Clock }

type Content = { readonly fields: Fields; readonly sources: Submission['sources'] }

/** Fields in which a person said one thing in the one and another in the other. */
export function contradictionsOfPersons(one: Content, other: Content): FieldName[] {
  return FIELD_NAMES.filter(
    (name) =>
      one.sources[name] === 'person' &&
      other.sources[name] === 'person' &&
      one.fields[name] !== other.fields[name],
  )
}

/** What a person wrote in either; where both did, the first one holds. */
export function withPersonsWords(one: Content, other: Content): Content {
  const fields: Partial<Record<FieldName, Fields[FieldName]>> = { ...one.fields }
  const sources = { ...one.sources }
  for (const name of FIELD_NAMES) {
    if (other.sources[name] !== 'person' || sources[name] === 'person') continue
    sources[name] = 'person'
    if (other.fields[name] === undefined) delete fields[name]
    else fields[name] = other.fields[name]
  }
  return { fields: fields as Fields, sources }
}

/** Carries what a person wrote from one submission to another that takes its images. */
export function carryPersonsWords(context: MergeContext, fromId: string, toId: string): void {
  const [from, to] = [context.outbox.submissionOf(fromId), context.outbox.submissionOf(toId)]
  if (!from || !to) return
  context.outbox.setContent(toId, { ...withPersonsWords(to, from), reasons: to.reasons }, context.clock.now())
}

/** Everything of `other` becomes part of `target`; `other` is discarded, empty, and says where it went. */
export function mergeInto(
  context: MergeContext,
  target: Pick<SubmissionRow, 'id'>,
  other: SubmissionRow,
): void {
  const { outbox } = context
  const ids = outbox.imageRowsOf(other.id).map((image) => image.id)
  outbox.moveImages(ids, target.id)
  for (const key of outbox.groupKeysOf(other.id))
    if (other.folder_path !== null) outbox.addGroupKey(target.id, other.folder_path, key)
  discardEmptied(context, other.id, target.id)
}

/** A submission whose images have all gone to another. */
export function discardEmptied(context: MergeContext, id: string, joinedInto: string): void {
  const { outbox, clock } = context
  carryPersonsWords(context, id, joinedInto)
  outbox.removeGroupKeys(id)
  outbox.moveSubmission(id, 'discarded', {}, { at: clock.now(), details: { joinedInto } })
}
