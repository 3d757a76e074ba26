/** Finds or makes the submission that a picture belongs to. */
import { sourcesColumn } from '../../json-columns.ts'
import { SECOND } from '../../../../src-shared/durations.ts'
import type { FolderSettings } from '../../../../src-shared/folder-settings.ts'
import type { SubmissionRow } from '../../outbox/submission-rows.ts'
import type { Clock } from '../../ports.ts'
import type { VisitIdentity } from './claim-of.ts'
import { visitIdentityFor, imageFileOf, type VisitContext } from './exposure-of.ts'
import { minutesBetween } from './local-time.ts'
import { mergeInto } from '../../merge-submissions.ts'

export type AssignContext = VisitContext & { readonly clock: Clock }

/**
 * An image that comes before the first attempt joins its case, also one that waits in the line, which is then placed
 * anew; a later one does not change what was sent.
 */
export function isOpen(row: SubmissionRow): boolean {
  return row.attempts === 0 && ['collecting', 'incomplete', 'review', 'waiting', 'held'].includes(row.state)
}

export function folderSettingsOf(context: VisitContext, folderPath: string | null): FolderSettings | null {
  return context.settings().folders.find((folder) => folder.path === folderPath) ?? null
}

/** Is everything of one patient and day one visit here? */
export function isDayOneVisit(context: VisitContext, folderPath: string): boolean {
  return (folderSettingsOf(context, folderPath)?.visitGapMinutes ?? null) === null
}

/** Has a person grouped this case, or written or said anything in it? Then the program takes nothing out of it. */
export function isTouchedByPerson(context: VisitContext, id: string): boolean {
  const row = context.outbox.submissions.row(id)
  if (!row || row.grouped_by === 'person') return row !== undefined
  const isWrittenIn = Object.values(sourcesColumn.read(row.sources)).includes('person')
  return isWrittenIn || context.outbox.images.rows(id).some((image) => image.eye_source === 'person')
}

function isMergeable(row: SubmissionRow): boolean {
  return row.state !== 'held' && row.state !== 'waiting'
}

/** The submissions of the claimed visit, newest first: where visits of a day are told apart, only those near in time. */
function submissionsOfVisit(
  context: AssignContext,
  folderPath: string,
  identity: VisitIdentity,
): SubmissionRow[] {
  const ofGroup = context.outbox.groups.submissionsOf(folderPath, identity.key)
  const gap = folderSettingsOf(context, folderPath)?.visitGapMinutes ?? null
  if (gap === null) return ofGroup
  const isNear = (row: SubmissionRow): boolean =>
    context.outbox.images
      .rows(row.id)
      .some(
        (image) =>
          minutesBetween(
            visitIdentityFor(context, folderPath, [imageFileOf(image)]).takenAt,
            identity.takenAt,
          ) <= gap,
      )
  return ofGroup.filter(isNear)
}

/**
 * The open submission of a claimed visit. Where there is none, `emptied` (a submission all of whose pictures move
 * there) is given to that visit, or else one is made; behind one that is on its way, of this visit or `lateFor`, it
 * becomes an addendum.
 */
export function submissionForVisit(
  context: AssignContext,
  folderPath: string,
  identity: VisitIdentity,
  emptied: SubmissionRow | null,
  lateFor?: string,
): string {
  const { outbox, clock } = context
  const at = clock.now()
  const ofVisit = submissionsOfVisit(context, folderPath, identity)
  const open = ofVisit.filter(isOpen).toReversed()
  const [target, ...others] = open
  if (target) {
    for (const other of others) {
      // A picture between two visits of a day joins them; what a person has touched, stopped or passed stays apart.
      const isFree =
        [target, other].every((row) => !isTouchedByPerson(context, row.id) && isMergeable(row)) &&
        target.center_id === other.center_id
      if (isFree && !isDayOneVisit(context, folderPath)) mergeInto(context, target, other)
    }
    return target.id
  }
  const addendumTo = ofVisit[0]?.id ?? lateFor ?? null
  if (emptied) {
    outbox.groups.removeKeys(emptied.id)
    outbox.groups.addKey(emptied.id, folderPath, identity.key)
    outbox.submissions.setAddendumTo(emptied.id, addendumTo)
    return emptied.id
  }
  return outbox.submissions.create({
    folderPath,
    groupKey: identity.key,
    addendumTo,
    identity: null,
    fields: {},
    sources: {},
    centerId: context.settings().centerId,
    quietUntil: at + quietMsOf(context, folderPath),
    at,
  })
}

export function quietMsOf(context: VisitContext, folderPath: string | null): number {
  return Math.round((folderSettingsOf(context, folderPath)?.quietSeconds ?? 0) * SECOND)
}

/** Something came: an open submission collects once more, but one that a person has stopped stays stopped. */
export function resumeCollecting(context: AssignContext, id: string): void {
  const { outbox, clock } = context
  const row = outbox.submissions.row(id)
  if (!row) return
  const at = clock.now()
  const quietUntil = at + quietMsOf(context, row.folder_path)
  if (row.state === 'collecting') outbox.submissions.setQuietUntil(id, quietUntil)
  else if (row.state !== 'held')
    outbox.submissions.transition(id, 'imageArrived', { quietUntil, notBefore: null }, { at })
}
