/** Ties files that cannot be used to their cases, which wait for a person from then on; and finds their new exports. */
import { HOUR } from '../../../src-shared/durations.ts'
import { isUnsent } from '../../../src-shared/states.ts'
import { worded } from '../../../src-shared/wording.ts'
import { sourcesColumn, unusableFromRow, wordingToText } from '../json-columns.ts'
import { discardEmptied } from '../merge-submissions.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { UnusableRow } from '../outbox/unusable-files.ts'
import type { UnusableMark } from '../watch/watch.ts'
import { stemKeyOf } from './meaning/sources.ts'
import { type RefreshContext, refreshSubmission, refreshSubmissions } from './settle.ts'
import { collectEvidence, visitIdentityFor } from './visits/identity.ts'
import { unusableImage } from './visits/pictures.ts'
import {
  type NewExport,
  baseNameOf,
  caseOfUnusable,
  mayBeImage,
  saysVisit,
  withEyesOfUnusable,
} from './visits/unusable.ts'
import { createVisit, isOpen } from './visits/visits.ts'

/**
 * Records a file and ties it to its case: an unsent one waits for a person, of a sent one an alarm says so. A visit of
 * nothing else becomes a case without images. Not for what is known, or promises no image.
 */
export function recordUnusable(context: RefreshContext, file: UnusableMark): void {
  const { outbox, clock } = context
  if (!mayBeImage(context, file, file.why)) return
  outbox.write(() => {
    const known = outbox.unusableAt(file)
    if (known && !outbox.isRewritten(file)) {
      if (known.why !== file.why)
        outbox.changeUnusable(known, { why: file.why, message: file.message, wording: wordingToText(file) })
      return
    }
    if (outbox.hasSeen(file)) return
    const { folderPath, relativePath } = file
    const image = unusableImage({
      id: '',
      relative_path: relativePath,
      size_bytes: file.sizeBytes,
      mtime_ms: file.mtimeMs,
      seen_at: clock.now(),
    })
    const identity = visitIdentityFor(context, folderPath, [image])
    const home = caseOfUnusable(context, folderPath, image, identity)
    const submissionId =
      home?.id ?? (saysVisit(identity) ? createVisit(context, folderPath, identity.key) : null)
    const stemKey = stemKeyOf(relativePath)
    outbox.saveUnusable({ ...file, stemKey, submissionId, at: clock.now() })
    const saved = outbox.unusableAt(file)
    if (saved) becomeAware(context, saved)
  })
}

/** The case of this file needs attention; nothing that was sent is changed. */
function becomeAware(context: RefreshContext, { submission_id: id, ...file }: UnusableRow): void {
  const { outbox, clock } = context
  const row = id === null ? undefined : outbox.rowOf(id)
  if (!row) return
  const at = clock.now()
  const details = { reasons: [file.why] }
  outbox.appendAudit({ at, submissionId: row.id, what: 'fileUnusable', details })
  if (isUnsent(row.state)) refreshUnsent(context, row)
  else raiseAlarm(context, row, file.id)
}

/** A refused case stays so, and says what is missing. */
function refreshUnsent(context: RefreshContext, row: SubmissionRow): void {
  if (isOpen(row)) refreshSubmissions(context, new Set([row.id]))
  else refreshSubmission(context, row.id)
}

function raiseAlarm(context: RefreshContext, row: SubmissionRow, fileId: string): void {
  const { outbox, clock } = context
  const { pictures } = collectEvidence(context, outbox.imageRowsOf(row.id))
  const files = withEyesOfUnusable(context, outbox.unusableOf(row.id), pictures)
  for (const one of files) outbox.changeUnusable(one, { eye: one.eye })
  const file = files.find(({ id }) => id === fileId)
  if (!file) return
  const { eye, fileName } = unusableFromRow(file)
  outbox.raiseAlarm({
    kind: 'damagedFellow',
    submissionId: row.id,
    caseIds: row.case_id === null ? [] : [row.case_id],
    ...worded(`intake:damagedFellow.${eye}`, { reference: row.reference, file: baseNameOf(fileName) }),
    at: clock.now(),
  })
}

/** What came longer ago found its case, or never will. */
const HOMELESS_MS = 12 * HOUR

/** An image came: files of its case by name, so far without a case or in one without images, may have come first. */
export function tieHomeless(context: RefreshContext, folderPath: string): void {
  const { outbox, clock } = context
  for (const file of outbox.homelessUnusable(folderPath, clock.now() - HOMELESS_MS)) {
    const own = file.submission_id === null ? null : (outbox.rowOf(file.submission_id) ?? null)
    if (own !== null && !isOwnGroup(own)) continue
    const image = unusableImage(file)
    const identity = visitIdentityFor(context, folderPath, [image])
    const home = caseOfUnusable(context, folderPath, image, identity, own?.id)
    if (home === null || outbox.imageRowsOf(home.id).length === 0) continue
    if (own === null) outbox.changeUnusable(file, { submission_id: home.id })
    else discardEmptied(context, own.id, home.id)
    becomeAware(context, { ...file, submission_id: home.id })
  }
}

/** The program made it, and no person has touched it. */
function isOwnGroup(row: SubmissionRow): boolean {
  return (
    isOpen(row) &&
    row.grouped_by === 'program' &&
    !Object.values(sourcesColumn.read(row.sources)).includes('person')
  )
}

/** The case that a new image joins as the new export of a file; null if it goes where its own evidence leads. */
export function caseOfNewExport(newExport: NewExport | null): string | null {
  return newExport === null || newExport.kind === 'itself' ? null : newExport.file.submission_id
}

/** Notes the image that came under the name of a file; what the image itself proves needs no answer. */
export function noteNewExport(context: RefreshContext, { file, kind }: NewExport, imageId: string): void {
  const { outbox, clock } = context
  const at = clock.now()
  const isTaken = kind !== 'asked'
  outbox.changeUnusable(file, {
    replaced_by: imageId,
    ...(isTaken && { decision: 'replaced', because: null, made_by: null, made_at: at }),
  })
  if (isTaken) outbox.appendAudit({ at, submissionId: file.submission_id, what: 'newExportTaken' })
  const waiting = file.submission_id === null ? undefined : outbox.rowOf(file.submission_id)
  const target = outbox.imageById(imageId)?.submission_id
  if (!waiting || target === undefined || target === waiting.id) return
  // What its name had promised is a case of its own no more.
  if (isOwnGroup(waiting) && outbox.imageRowsOf(waiting.id).length === 0)
    discardEmptied(context, waiting.id, target)
  else if (isUnsent(waiting.state)) refreshUnsent(context, waiting)
}
