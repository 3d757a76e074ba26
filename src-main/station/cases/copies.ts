/**
 * What a file is whose pixels are known: the same image under another name, or exported again. It is a copy only if it
 * states the same patient, day and eye; of an open case it speaks in any event, and a person is asked.
 */
import { worded } from '../../../src-shared/wording.ts'
import type { Holder } from '../outbox/images.ts'
import type { ImageRow, SubmissionRow } from '../outbox/rows.ts'
import type { FileMark } from '../watch/watch.ts'
import { doesContradict, statedByCopy } from './contradictions.ts'
import { type ContentFacts, stemKeyOf } from './meaning/sources.ts'
import { type IngestContext, noteFor, refreshSubmissions } from './settle.ts'
import type { StoredImage } from '../reader/spool.ts'
import { assignVisits, isOpen } from './visits/visits.ts'

/** An image with the pixels of a file, its case, and whether the file states something else than the case. */
type Known = {
  readonly holder: Holder
  readonly image: ImageRow
  readonly row: SubmissionRow
  readonly isContradicted: boolean
}

/**
 * - `itself`    the file of an image, unchanged, or one of which nothing can be read
 * - `copy`      it says nothing else than the case of the image, or that case is open and asks
 * - `another`   every case that has its pixels is closed and says something else: it may correct the first of them
 */
export type Copy =
  | { readonly kind: 'itself'; readonly holder: Holder }
  | ({ readonly kind: 'copy' } & Known)
  | { readonly kind: 'another'; readonly holder: Holder }

/** What this file is to the images that have its pixels; null if there is none. Alarms are raised for what it contradicts. */
export function copyOf(
  context: IngestContext,
  mark: FileMark,
  { bytes, picture, facts }: StoredImage,
  recordId: number | null,
): Copy | null {
  const holders = context.outbox.holdersOf(bytes.sha256, picture?.sha256)
  const [first] = holders
  if (first === undefined) return null
  const known: Known[] = []
  for (const holder of holders) {
    const image = context.outbox.imageById(holder.imageId)
    const row = context.outbox.rowOf(holder.submissionId)
    const isSameFile = image?.folder_path === mark.folderPath && image.file_name === mark.relativePath
    if (!image || !row || (isSameFile && image.sha256 === bytes.sha256)) return { kind: 'itself', holder }
    const stated = statedByCopy(context, mark, image, {
      facts: factsBeside(image, bytes.sha256, facts),
      recordId,
    })
    const contradicting = stated.filter((late) => doesContradict(context, image, row, late))
    known.push({ holder, image, row, isContradicted: contradicting.length > 0 })
  }
  const isOpenHere = ({ image, row }: Known): boolean => image.folder_path === mark.folderPath && isOpen(row)
  const copied = known.find(({ isContradicted }) => !isContradicted) ?? known.find(isOpenHere)
  return copied === undefined ? { kind: 'another', holder: first } : { kind: 'copy', ...copied }
}

/** Equal bytes state nothing new. */
function factsBeside(image: ImageRow, sha256: string, facts: ContentFacts | null): ContentFacts | null {
  return image.sha256 === sha256 ? null : facts
}

/** A copy is marked as seen. While its case is open, what this name or export states counts too. */
export function addCopy(
  context: IngestContext,
  mark: FileMark,
  { holder, image, row }: Extract<Copy, { kind: 'copy' }>,
  { bytes, picture, facts }: StoredImage,
  recordId: number | null,
): void {
  const { outbox, clock } = context
  const { folderPath, relativePath } = mark
  if (image.sha256 !== bytes.sha256 || image.removed_at !== null)
    for (const stored of [bytes, picture]) if (stored) outbox.addLeftover(stored.spoolName)
  const named = { stemKey: stemKeyOf(relativePath), imageId: image.id }
  if (image.folder_path === folderPath && isOpen(row)) {
    const own = factsBeside(image, bytes.sha256, facts)
    outbox.markSeen(mark, 'copy', clock.now(), {
      ...named,
      facts: own && JSON.stringify(own),
      recordId,
    })
    refreshSubmissions(context, new Set([row.id, ...assignVisits(context, folderPath, [image.id])]))
  } else outbox.markSeen(mark, 'lateCopy', clock.now(), named)
  noteFor(context, mark)('duplicate', worded('intake:ingest.duplicate', { reference: holder.reference }))
}
