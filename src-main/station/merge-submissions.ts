/** Joins one submission into another: its images, its visits, and what a person had written in it. */
import { FIELD_NAMES, type FieldName, type Fields } from '../../src-shared/fields.ts'
import type { Submission } from '../../src-shared/submission.ts'
import { identityColumn, type StoredIdentity } from './json-columns.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { SubmissionRow } from './outbox/rows.ts'
import type { Clock } from './ports.ts'

type MergeContext = {
  readonly outbox: Outbox
  readonly clock: Clock
  /** Who merges them and why, if a person does. */
  readonly stamp?: {
    readonly by: string | undefined
    readonly details: Readonly<Record<string, string>>
  }
}

type Content = { readonly fields: Fields; readonly sources: Submission['sources'] }

/** Fields in which a person said one thing in the one and another in the other. */
export function conflictingFields(one: Content, other: Content): FieldName[] {
  return FIELD_NAMES.filter(
    (name) =>
      one.sources[name] === 'person' &&
      other.sources[name] === 'person' &&
      one.fields[name] !== other.fields[name],
  )
}

/** What a person wrote in either; where both did, the first one holds. */
export function mergePersonValues(one: Content, other: Content): Content {
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

/** The identity of the one, and the answers that come with values of the other: each settles what it did there. */
function withAnswersOf(
  toRow: Pick<SubmissionRow, 'identity'>,
  to: Content,
  fromRow: Pick<SubmissionRow, 'identity'>,
  from: Content,
): StoredIdentity {
  const identity = identityColumn.read(toRow.identity)
  const { patient, visitDay } = identityColumn.read(fromRow.identity).settled ?? {}
  const isCarried = (name: FieldName): boolean =>
    from.sources[name] === 'person' && to.sources[name] !== 'person'
  return {
    ...identity,
    settled: {
      ...identity.settled,
      ...(patient && isCarried('history_number') && { patient }),
      ...(visitDay && isCarried('visit_date') && { visitDay }),
    },
  }
}

/** Carries what a person wrote from one submission to another that takes its images. */
function copyPersonValues(context: MergeContext, fromId: string, toId: string): void {
  const { outbox, clock } = context
  const [from, to] = [outbox.submissionOf(fromId), outbox.submissionOf(toId)]
  const [fromRow, toRow] = [outbox.rowOf(fromId), outbox.rowOf(toId)]
  if (!from || !to || !fromRow || !toRow) return
  outbox.setIdentity(toId, withAnswersOf(toRow, to, fromRow, from))
  outbox.setContent(toId, { ...mergePersonValues(to, from), reasons: to.reasons }, clock.now())
  outbox.setNoImageBecause(toId, { ...from.noImageBecause, ...to.noImageBecause })
}

/** Everything of `other` becomes part of `target`; `other` is discarded, empty, and names its target. */
export function mergeInto(
  context: MergeContext,
  target: Pick<SubmissionRow, 'id'>,
  other: SubmissionRow,
): void {
  const { outbox } = context
  const ids = outbox.imageRowsOf(other.id).map((image) => image.id)
  outbox.moveImages(ids, target.id)
  outbox.copyGroupKeys(other.id, target.id)
  copyPersonValues(context, other.id, target.id)
  discardEmptied(context, other.id, target.id)
}

/** From whom a person has separated the one, the other is separated, too: its images have the same number. */
export function carrySeparation(outbox: Outbox, fromId: string, toId: string): void {
  const separatedOf = (id: string): readonly string[] => {
    const row = outbox.rowOf(id)
    return (row && identityColumn.read(row.identity).separatedFrom) ?? []
  }
  const note = (id: string, others: readonly string[]): void => {
    const row = outbox.rowOf(id)
    if (!row) return
    const all = new Set([...separatedOf(id), ...others])
    outbox.setIdentity(id, { ...identityColumn.read(row.identity), separatedFrom: [...all] })
  }
  const others = separatedOf(fromId).filter((id) => id !== toId)
  if (others.length === 0) return
  note(toId, others)
  for (const id of others) note(id, [toId])
}

/** Its images have all gone to another. What was written stays: it follows them only if a person joins the two. */
export function discardEmptied(context: MergeContext, id: string, joinedInto: string): void {
  const { outbox, clock, stamp } = context
  carrySeparation(outbox, id, joinedInto)
  outbox.removeGroupKeys(id)
  outbox.moveUnusable(id, joinedInto)
  const options = { at: clock.now(), by: stamp?.by, details: { joinedInto, ...stamp?.details } }
  outbox.moveSubmission(id, 'discarded', {}, options)
}
