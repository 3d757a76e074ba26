/**
 * What a verdict allows: leaving without a person's look, approval among others, and whether an earlier approval still
 * holds. Pure.
 */
import type { z } from 'zod'
import type { verdictSchema } from './submission.ts'

export type Verdict = z.infer<typeof verdictSchema>

export type Standing = Verdict['who']

/** Nothing is known of this part: it was never read, or not by this version. */
const UNREAD: Standing = { kind: 'unknown', by: [], why: 'unread' }

const PROVEN: Standing = { kind: 'proven', by: [], why: null }

/** The verdict on these images; whatever `stored` does not say of them is unknown. Null: the case was never read. */
export function verdictOn(stored: Verdict | null, imageIds: readonly string[]): Verdict {
  const unread: Verdict = { who: UNREAD, day: UNREAD, together: UNREAD, eyes: {}, fields: [], profiles: [] }
  const { who, day, together, eyes, fields, profiles } = stored ?? unread
  const isComplete = Object.keys(eyes).length === imageIds.length && imageIds.every((id) => id in eyes)
  if (stored !== null && isComplete) return stored
  return {
    who,
    day,
    together,
    eyes: Object.fromEntries(imageIds.map((id) => [id, eyes[id] ?? UNREAD])),
    fields,
    profiles,
  }
}

function standingsOf({ who, day, together, eyes }: Verdict): readonly Standing[] {
  return [who, day, together, ...Object.values(eyes)]
}

/** May it be sent without a person's look? Only if every part of it is proven, and every value that is sent. */
export function mayLeaveUnseen(verdict: Verdict): boolean {
  return verdict.fields.length === 0 && standingsOf(verdict).every(({ kind }) => kind === 'proven')
}

/**
 * Does any part of it need a look of its own? Then a person approves it alone, with its images in view. Two things a
 * person has settled for many cases at once: a profile that reads these names was confirmed after they came; and of an
 * import that a person chose, the day may lie far from the arrival, as all days of that import do.
 */
export function restsOnProposal({ day, ...others }: Verdict): boolean {
  const isLateImport = day.kind === 'proposed' && day.why === 'importedBatch'
  return (
    others.fields.length > 0 ||
    standingsOf({ ...others, day: isLateImport ? PROVEN : day }).some(
      ({ kind, why }) => kind !== 'proven' && !(kind === 'proposed' && why === 'beforeConfirmation'),
    )
  )
}

/** Does a person have to settle something before it can be approved at all? */
export function raisesQuestion(verdict: Verdict): boolean {
  return standingsOf(verdict).some(({ kind }) => kind === 'disputed' || kind === 'unknown')
}

/**
 * Does the approval of a case with the one verdict cover it with the other, its content being equal? A proposal that
 * was approved may become proven; any other change needs another look.
 */
export function standsAsApproved(approved: Verdict, now: Verdict): boolean {
  const images = [...new Set([...Object.keys(approved.eyes), ...Object.keys(now.eyes)])]
  const before = standingsOf(verdictOn(approved, images))
  return standingsOf(verdictOn(now, images)).every(
    ({ kind }, index) =>
      kind === before[index]?.kind || (kind === 'proven' && before[index]?.kind === 'proposed'),
  )
}
