/** What of a case has changed since a person saw it, by the names that they know. Pure. */
import { FIELD_NAMES, type FieldName } from '../../src-shared/fields.ts'
import type { Submission } from '../../src-shared/submission.ts'

/** What a change of a case is about, in the order in which it is named. */
const CHANGES = ['number', 'name', 'day', 'eyes', 'images', 'other'] as const

export type Change = (typeof CHANGES)[number]

/** What the digest of a case is made of. */
type Content = Pick<Submission, 'fields' | 'images' | 'noImageBecause' | 'verdict'>

const CHANGE_OF_FIELD: Partial<Record<FieldName, Change>> = {
  history_number: 'number',
  first_name: 'name',
  last_name: 'name',
  visit_date: 'day',
}

/** The content of a case by what its changes are called. How a part is known belongs to that part. */
function partsOf({ fields, images, noImageBecause, verdict }: Content): Record<Change, readonly unknown[]> {
  const { who, day, eyes, ...rest } = verdict
  const fieldsOf = (change: Change): readonly unknown[] =>
    FIELD_NAMES.filter((name) => (CHANGE_OF_FIELD[name] ?? 'other') === change).map(
      (name) => fields[name] ?? null,
    )
  return {
    number: [...fieldsOf('number'), who],
    name: fieldsOf('name'),
    day: [...fieldsOf('day'), day],
    eyes: images.map(({ id, eye }) => [id, eye, eyes[id] ?? null]),
    images: images.map(({ id, sha256, sentAs, twinOf, excludedBecause }) => [
      id,
      sha256,
      sentAs?.sha256 ?? null,
      twinOf,
      excludedBecause,
    ]),
    other: [...fieldsOf('other'), noImageBecause, rest],
  }
}

/** What of a case differs between the content that was acknowledged and the one that is shown. Pure. */
export function changesBetween(seen: Content, shown: Content): readonly Change[] {
  const isIn = (content: Content) => {
    const ids = new Set(content.images.map(({ id }) => id))
    return ({ id }: { readonly id: string }): boolean => ids.has(id)
  }
  // An image that came or went is no change of an eye.
  const eyesOf = (content: Content, other: Content): readonly unknown[] =>
    partsOf({ ...content, images: content.images.filter(isIn(other)) }).eyes
  const [before, after] = [
    { ...partsOf(seen), eyes: eyesOf(seen, shown) },
    { ...partsOf(shown), eyes: eyesOf(shown, seen) },
  ]
  const changed = CHANGES.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return changed.length === 0 ? ['other'] : changed
}
