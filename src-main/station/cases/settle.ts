/** Reads a case from all that it rests on, writes the difference, and moves it by what follows. */
import { z } from 'zod'
import type { Failure } from '../../../src-shared/failure.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import { REASONS_SETTLED_BY_APPROVAL, type Warning } from '../../../src-shared/submission.ts'
import { type Message, messageFields, worded } from '../../../src-shared/wording.ts'
import { fieldsColumn } from '../json-columns.ts'
import type { Candidate } from '../outbox/approvals.ts'
import type { MoveOptions } from '../outbox/transitions.ts'
import type { ImageRow, SubmissionRow } from '../outbox/rows.ts'
import type { Logger } from '../ports.ts'
import type { FileMark } from '../../reader/watch-messages.ts'
import { type CaseContent, decide, type Snapshot } from './decide.ts'
import type { ForeignFiles } from '../../reader/messages.ts'
import type { OwnFiles, ReaderProcesses } from '../readers/processes.ts'
import type { Sidecar } from './meaning/sources.ts'
import { bareId } from './meaning/numbers.ts'
import { type Cause, nextState } from './next-state.ts'
import { comparePhotographs } from './visits/twins.ts'
import {
  collectEvidence,
  recordsOfPatient,
  type SubmissionEvidence,
  withEyesOfUnusable,
} from './visits/identity.ts'
import { isSpeaking, learnFrom, sharersOf } from './visits/memory.ts'
import { folderSettingsOf, type InFolder, type ReadContext, unusableImage } from './visits/pictures.ts'
import { readingOnce } from './visits/reads.ts'
import { type AssignContext, isOpen, isTouchedByPerson } from './visits/visits.ts'

export type RefreshContext = AssignContext & {
  /** This case, which still collects, is read when all that comes together has joined; without it, at once. */
  readonly readLater?: (submissionId: string) => void
}

/** What storing an image takes. */
export type StoreContext = RefreshContext & {
  readonly spoolFolder: string
  /** The folder of converted pictures and archive entries until they are stored. */
  readonly pictureFolder: string
  /** The path of the thumbnail of an original in the spool. None is made without it. */
  readonly thumbnailOf?: (spoolName: string) => string
  /** How the files of the folder are opened, or those that a person chose: never within this process. */
  readonly foreign: ForeignFiles
  readonly own: OwnFiles
  readonly readPhoto: ReaderProcesses['readPhoto']
  /** Reports why our own disk accepts nothing more; null if it does. */
  readonly storageIs: (trouble: Failure | null) => void
  /** Whether there is space for a file of this size now. Assumed if missing. */
  readonly hasSpaceFor?: (fileBytes: number) => Promise<boolean>
}

/** What taking in a file of a watched folder takes. */
export type IngestContext = InFolder<StoreContext> & {
  /** Of this program: another one reads once more what was set aside. */
  readonly version: string
  /** `readDataFile`, for a large file in a process of its own. Rejects if that cannot read it. */
  readonly readDataFile: ReaderProcesses['readDataFile']
  readonly note: (note: FileNote) => void
  /** What was noted of a file of the folder is over. */
  readonly clearNote?: (file: Pick<FileMark, 'relativePath'>) => void
  readonly logger?: Logger
  /** The station ends: a long file is left for the next start, which finds what was done. */
  readonly isEnding?: () => boolean
  /** When the file was first seen, if it was held back since: a profile that was confirmed meanwhile proves nothing of it. */
  readonly firstSeenAt?: number | undefined
}

/** Dealt with for good, now or `known` from before; or to be retried at the next sweep. */
export type IngestResult = 'done' | 'known' | 'again'

export function noteFor(
  { clock, note }: Pick<IngestContext, 'clock' | 'note'>,
  { relativePath: fileName }: Pick<FileMark, 'relativePath'>,
): (kind: FileNote['kind'], what: Message) => void {
  const at = clock.now()
  return (kind, { message, wording }) => note({ fileName, kind, message, ...(wording && { wording }), at })
}

/** Reads all that a case rests on. */
function snapshotOf(context: RefreshContext, row: SubmissionRow, images: readonly ImageRow[]): Snapshot {
  const { outbox, clock } = context
  const unusable = outbox.unusableOf(row.id)
  const files = [...images, ...unusable.map(unusableImage)]
  const reading = readingOnce(context, { row, files, folderPath: row.folder_path })
  const evidence = collectEvidence(reading, images, unusable)
  const settings = context.settings()
  /** Of two people of one number it states nothing. */
  const inPatientList = (number: string): Sidecar | null => {
    const [one = null, ...others] = context.peopleInPatientList?.(number) ?? []
    return settings.patientList === null || others.length > 0 ? null : one
  }
  return {
    row,
    images,
    unusable: withEyesOfUnusable(reading, unusable, evidence.pictures),
    evidence,
    fellows: unlikeFellows(context, reading, images),
    sidecarProblem: sidecarProblemOf(reading, images),
    addendumToReference: row.addendum_to === null ? null : (outbox.rowOf(row.addendum_to)?.reference ?? null),
    twins: outbox.twinsOf(row.id),
    settings,
    now: clock.now(),
    find: {
      inPatientList,
      recordsOf: (number, day) =>
        recordsOfPatient({ ...reading, folderPath: row.folder_path ?? '' }, evidence.pictures, number, day),
      sharers: (number) => sharersOf(reading, row, number),
      sentBefore: (fields) => outbox.sentBefore(row.id, fields),
    },
  }
}

/** What a reading found; `hasChanged` if it sends something else than before. */
type RefreshResult = Pick<CaseContent, 'reasons' | 'isClear'> &
  Pick<Snapshot, 'evidence'> & { readonly candidate: Candidate; readonly hasChanged: boolean }

/** Writes the fields, eyes, reasons and warnings that all sources together state now; null if there is no such case. */
export function refreshSubmission(context: RefreshContext, id: string): RefreshResult | null {
  const { outbox } = context
  return outbox.write(() => {
    // Of a case with an unreadable row nothing is decided.
    const stored = outbox.caseToRead(id)
    if (stored === null) return null
    const { row, digest } = stored
    const snapshot = snapshotOf(context, row, stored.images)
    const { images, mentions, isClear, ...content } = decide(snapshot)
    const { separatedFrom = [] } = content.identity
    outbox.saveEyes(images.filter((image, index) => image !== snapshot.images[index]))
    for (const file of snapshot.unusable) outbox.changeUnusable(file, { eye: file.eye })
    if (row.folder_path !== null) outbox.noteMentions(row.folder_path, id, mentions)
    outbox.setContent(id, content, snapshot.now)
    if (content.fields.history_number !== fieldsColumn.readOr(row.fields, {}).history_number)
      refreshSubmissions(context, new Set(separatedFrom))
    const candidate = outbox.candidateOf(id)
    if (candidate === null) return null
    const hasChanged = candidate.digest !== digest
    return { reasons: content.reasons, isClear, evidence: snapshot.evidence, candidate, hasChanged }
  })
}

/** Files of one name that show two photographs, in whatever cases: a person looks whose they are. */
function unlikeFellows(
  { outbox }: RefreshContext,
  reading: ReadContext,
  images: readonly ImageRow[],
): readonly Warning[] {
  const shown = images.filter(({ twin_of, grey }) => twin_of === null && grey !== null)
  const byFolder = Map.groupBy(shown, (image) => image.folder_path)
  const fellows = [...byFolder].flatMap(([folderPath, own]) => {
    if (folderPath === null) return []
    const stems = own.map(({ stem_key: stem }) => stem)
    const isShared = (stem: string): boolean =>
      new Set(reading.outbox.namesUsed(folderPath, [stem]).map(({ id }) => id)).size > 1
    const shared = stems.filter(isShared)
    return shared.length === 0 ? [] : outbox.imagesOfStems(folderPath, shared)
  })
  return shown.flatMap((image) => {
    const fellow = fellows.find(
      (other) =>
        other.folder_path === image.folder_path &&
        other.ofStem === image.stem_key &&
        (other.content_type === 'application/dicom') !== (image.content_type === 'application/dicom') &&
        comparePhotographs(image.grey, other.grey) === 'different',
    )
    if (fellow === undefined) return []
    const files = { first: image.file_name, second: fellow.file_name }
    return [{ kind: 'checkProposal', imageId: image.id, ...worded('intake:warning.unlikeFellow', files) }]
  })
}

/** Why the data file that governs the folder of these images could not be read. */
function sidecarProblemOf(context: ReadContext, images: readonly ImageRow[]): Message | null {
  for (const { record_id: id } of images) {
    const trouble = id === null ? null : (context.outbox.sidecarRecord(id)?.trouble ?? null)
    if (trouble !== null) return z.object(messageFields).parse(JSON.parse(trouble))
  }
  return null
}

/** Of an approval: the digest of what was shown, and whether the case is one of several. */
export type SettleOptions = MoveOptions & {
  readonly shown?: string | undefined
  readonly isOneOfSeveral?: boolean
}

/** Reads a case again from all that it rests on and moves it as `nextState` says; null if there is no such case. */
export function settle(
  context: RefreshContext,
  id: string,
  cause: Cause,
  how: SettleOptions,
): RefreshResult | null {
  const { outbox } = context
  return outbox.write(() => {
    const found = refreshSubmission(context, id)
    if (found === null) return null
    const { shown, isOneOfSeveral = false, ...move } = how
    const isOther = shown !== undefined && outbox.shownDigest(id) !== shown
    const read = { ...found, hasChanged: found.hasChanged || isOther }
    const { reasons, isClear, evidence, candidate, hasChanged } = read
    const { row, digest } = candidate
    const folder = folderSettingsOf(context, row.folder_path)
    // A case that a person has grouped goes to a person.
    const isUnattended = isClear && folder?.sendWithoutReview === true && row.grouped_by === 'program'
    const next = nextState(cause, {
      state: row.state,
      isUnclear: reasons.length > 0,
      needsAnswer: reasons.some(({ kind }) => !REASONS_SETTLED_BY_APPROVAL.includes(kind)),
      hasChanged,
      needsLook: isOneOfSeveral && !outbox.mayBeApprovedTogether(id),
      clearance: row.passed_digest !== digest ? 'none' : candidate.mayLeave ? 'mayLeave' : 'matches',
      skipsReview: isUnattended && reasons.length === 0 && candidate.isProven,
      heldFrom: row.held_from,
      isUndoable: row.undo_ms !== null,
    })
    if (next === null) return read
    const cleared = Object.fromEntries(next.clears.map((name) => [name, null]))
    const details = { ...move.details, reasons: reasons.map(({ kind }) => kind) }
    outbox.moveSubmission(id, next.event, cleared, { ...move, details })
    // Questions that the approval had settled are asked again.
    if (row.undo_ms !== null) settle(context, id, 'undo', { at: move.at })
    if (next.event === 'gatheredToSend') noteLeaving(context, id, evidence)
    return read
  })
}

/**
 * A case may be sent now: its number is a patient's, so that cases which mention it are read again, whichever came
 * first. `seen` is what is learnt from; null for a case that no person saw and that is not proven.
 */
export function noteLeaving(context: RefreshContext, id: string, seen: SubmissionEvidence | null): void {
  const row = context.outbox.rowOf(id)
  const number = row && fieldsColumn.read(row.fields).history_number
  if (!row || row.folder_path === null || row.state !== 'waiting' || number === undefined) return
  const eyes = context.outbox.imageRowsOf(id).flatMap((image) => (isSpeaking(image) ? image.eye : []))
  context.outbox.noteVisit(row.folder_path, eyes.includes('right') && eyes.includes('left'))
  const folder = { ...context, folderPath: row.folder_path }
  const hasLearntTerm = seen !== null && learnFrom(folder, number, seen)
  const others = context.outbox.mentionsOf(row.folder_path, bareId(number)).filter((other) => other !== id)
  refreshSubmissions(context, new Set(others))
  // A word has become one of the folder: what waited for it alone, and no person has touched, may leave by now.
  for (const one of hasLearntTerm ? context.outbox.waitingForTerm(row.folder_path) : [])
    if (context.outbox.rowOf(one)?.state === 'review' && !isTouchedByPerson(context, one))
      settle(context, one, 'closing', { at: context.clock.now() })
}

/** Reads open cases again, and moves those that changed, also out of the queue. */
export function refreshSubmissions(context: RefreshContext, ids: ReadonlySet<string>): void {
  for (const id of ids) {
    const row = context.outbox.rowOf(id)
    // What collects is read once more before it goes anywhere; what does not is never left as it was.
    if (row?.state === 'collecting' && context.readLater) context.readLater(id)
    else if (row && isOpen(row)) settle(context, id, 'rereading', { at: context.clock.now() })
  }
}
