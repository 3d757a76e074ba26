/** Puts pictures where they belong, again whenever something new speaks of them. */
import type { ImageRow } from '../../outbox/submission-rows.ts'
import type { Claim } from './claim-of.ts'
import { claimFor, knownFileOf, type KnownFile } from './exposure-of.ts'
import { collectAgain, isDayOneVisit, isOpen, submissionFor, type PlaceContext } from './find-submission.ts'
import { discardEmptied } from '../../merge-submissions.ts'
import { stemKeyOf, twinsAmong } from './twins.ts'

/** One picture among those that are kept: its rows, one of which is the twin of the other. */
type KeptPicture = { readonly rows: readonly ImageRow[] }

function isMovable(context: PlaceContext, row: ImageRow): boolean {
  const submission = context.outbox.rowOf(row.submission_id)
  return submission !== undefined && isOpen(submission)
}

/** The images of one stem, with what each shows once more written down. */
function pair(context: PlaceContext, rows: readonly ImageRow[]): KeptPicture[] {
  const twins = twinsAmong(
    rows.map((row) => ({ id: row.id, contentType: row.content_type, fileName: row.file_name })),
  )
  for (const row of rows) {
    const twinOf = twins.get(row.id) ?? null
    if (row.twin_of !== twinOf) context.outbox.setTwinOf(row.id, twinOf)
  }
  return rows
    .filter((row) => !twins.has(row.id))
    .map((row) => ({ rows: [row, ...rows.filter((other) => twins.get(other.id) === row.id)] }))
}

/** The pictures that these images are part of, twins included; only what may still move. */
function picturesOf(context: PlaceContext, folderPath: string, imageIds: readonly string[]): KeptPicture[] {
  const stems = new Set<string>()
  for (const id of imageIds) {
    const row = context.outbox.imageById(id)
    if (row) stems.add(row.stem_key)
  }
  return [...stems].flatMap((stem) =>
    pair(
      context,
      context.outbox.imagesOfStem(folderPath, stem).filter((row) => isMovable(context, row)),
    ),
  )
}

/** Is every image of a submission among these? */
function isAllOf(context: PlaceContext, submissionId: string, imageIds: ReadonlySet<string>): boolean {
  return context.outbox.imageRowsOf(submissionId).every((row) => imageIds.has(row.id))
}

function bring(
  context: PlaceContext,
  folderPath: string,
  claim: Claim,
  pictures: readonly ImageRow[],
): readonly string[] {
  const { outbox } = context
  // Bringing the pictures before may have joined two visits.
  const rows = pictures.flatMap((row) => outbox.imageById(row.id) ?? [])
  const homes = [...new Set(rows.map((row) => row.submission_id))]
  const personal = homes.find((id) => outbox.rowOf(id)?.grouped_by === 'person')
  const ids = new Set(rows.map((row) => row.id))
  const whole = homes.find((id) => isAllOf(context, id, ids))
  const target =
    personal ??
    (isDayOneVisit(context, folderPath)
      ? homes.find((id) => outbox.groupKeysOf(id).includes(claim.key))
      : null) ??
    submissionFor(context, folderPath, claim, (whole === undefined ? null : outbox.rowOf(whole)) ?? null)
  const moved = rows.filter((row) => row.submission_id !== target)
  // What a person has grouped is not taken apart: only the program's own groups give images away.
  const free = moved.filter((row) => outbox.rowOf(row.submission_id)?.grouped_by !== 'person')
  outbox.moveImages(
    free.map((row) => row.id),
    target,
  )
  for (const home of homes) {
    const isLeft = home !== target && outbox.imageRowsOf(home).length === 0
    if (isLeft && outbox.rowOf(home)?.state !== 'discarded') discardEmptied(context, home, target)
  }
  return [target, ...homes]
}

/**
 * Reads anew which visits these images belong to, and moves those that are still open. Answers with the submissions
 * that changed or may have. Within the transaction that brought the news.
 */
export function arrangeAgain(
  context: PlaceContext,
  folderPath: string,
  imageIds: readonly string[],
): ReadonlySet<string> {
  const byKey = new Map<string, { claim: Claim; rows: ImageRow[] }>()
  for (const { rows } of picturesOf(context, folderPath, imageIds)) {
    const claim = claimFor(context, folderPath, rows.map(knownFileOf))
    // Where visits of one day are told apart by their times, each picture finds its own.
    const key = isDayOneVisit(context, folderPath) ? claim.key : `${claim.key} ${rows[0]?.id ?? ''}`
    const group = byKey.get(key)
    if (group) group.rows.push(...rows)
    else byKey.set(key, { claim, rows: [...rows] })
  }
  const touched = new Set<string>()
  for (const { claim, rows } of byKey.values())
    for (const id of bring(context, folderPath, claim, rows)) touched.add(id)
  return touched
}

/** The submission for a new image, before it is kept: its own visit's, or that of the picture beside it. */
export function submissionForNew(context: PlaceContext, folderPath: string, file: KnownFile): string {
  const { outbox } = context
  const beside = outbox
    .imagesOfStem(folderPath, stemKeyOf(file.fileName))
    .filter((row) => isMovable(context, row))
  const files = [...beside.map(knownFileOf), file]
  const twins = twinsAmong(files)
  const other = beside.find((row) => twins.get(row.id) === file.id || twins.get(file.id) === row.id)
  const home = other ? outbox.rowOf(other.submission_id) : undefined
  const isPersonal = home?.grouped_by === 'person'
  const shown = other ? [knownFileOf(other), file] : [file]
  const target =
    isPersonal && home
      ? home.id
      : submissionFor(context, folderPath, claimFor(context, folderPath, shown), null)
  collectAgain(context, target)
  return target
}
