/** Refreshes a submission from its files, its sidecar and a person's statements, and decides its next state. */
import { z } from 'zod'
import type { Failure } from '../../../src-shared/failure.ts'
import type { Settings } from '../../../src-shared/settings.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import { isMaybeDamaged, type Reason } from '../../../src-shared/submission.ts'
import { type Message, messageFields } from '../../../src-shared/wording.ts'
import {
  fieldsColumn,
  identityColumn,
  noImageBecauseColumn,
  reasonsColumn,
  sourcesColumn,
} from '../json-columns.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { MoveOptions } from '../outbox/transitions.ts'
import type { ImageRow, SubmissionRow } from '../outbox/rows.ts'
import type { Clock, Logger } from '../ports.ts'
import type { FileMark } from '../watch/watch.ts'
import { answeredVerdict, settleEyes, withAnswers } from './answers.ts'
import { checkedImage, setEyes, unlikeFellows } from './case-images.ts'
import { type CheckedSubmission, isAsked, reasonsOf } from './completeness.ts'
import { warningsOf } from './warnings.ts'
import type { DataReader } from './data-files/data-thread.ts'
import { composeContent, type ComposedContent, type Sidecar, statementsOf } from './evidence.ts'
import type { PhotoReading, PhotoRequest } from './images/photo.ts'
import { bareId } from './meaning/numbers.ts'
import { type Cause, nextState } from './next-state.ts'
import { valueIn } from './proof/verdict.ts'
import { proposedFields, storedVerdict } from './verdict.ts'
import { collectEvidence, recordsOfPatient, statedBy, type SubmissionEvidence } from './visits/identity.ts'
import { isSpeaking, learnFrom, numbersBeside, sharersOf } from './visits/memory.ts'
import { localDate } from './meaning/dates.ts'
import { checkedUnusable, setEyesOfUnusable } from './visits/unusable.ts'
import { isOpen, isTouchedByPerson } from './visits/visits.ts'

export type RefreshContext = {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly settings: () => Settings
  /** Looks up the clinic's patient list, if there is one. */
  readonly findInPatientList?: (historyNumber: string) => Sidecar | null
  /** Everyone whom the list has under this number: two if it is of two, of whom it states nothing. */
  readonly peopleInPatientList?: (historyNumber: string) => readonly Sidecar[]
  /** Requests a refresh of a large submission within about a second. */
  readonly refreshSoon?: (submissionId: string) => void
}

export type IngestContext = RefreshContext & {
  readonly spoolFolder: string
  /** The folder of converted pictures and archive entries until they are stored. */
  readonly pictureFolder: string
  readonly readPhoto: (request: PhotoRequest) => Promise<PhotoReading>
  /** `readDataFile`, for a large file in a thread of its own. Rejects if the thread cannot read it. */
  readonly readDataFile: DataReader['readFile']
  readonly note: (folderPath: string, note: FileNote) => void
  /** Reports why our own disk accepts nothing more; null if it does. */
  readonly storageIs: (trouble: Failure | null) => void
  readonly logger?: Logger
  /** The station ends: a long file is left for the next start, which finds what was done. */
  readonly isEnding?: () => boolean
  /** When the file was first seen, if it was held back since: a profile that was confirmed meanwhile proves nothing of it. */
  readonly firstSeenAt?: number | undefined
  /** Whether there is space for a file of this size now. Assumed if missing. */
  readonly hasSpaceFor?: (fileBytes: number) => Promise<boolean>
}

/** Dealt with for good, or to be retried at the next sweep. */
export type IngestResult = 'done' | 'again'

/** Notes something about a file beside its folder. */
export function noteFor(
  context: Pick<IngestContext, 'clock' | 'note'>,
  { folderPath, relativePath: fileName }: Pick<FileMark, 'folderPath' | 'relativePath'>,
): (kind: FileNote['kind'], what: Message) => void {
  const at = context.clock.now()
  return (kind, { message, wording }) =>
    context.note(folderPath, { fileName, kind, message, ...(wording && { wording }), at })
}

type RefreshResult = {
  readonly reasons: readonly Reason[]
  /** Nothing about it needs a person, apart from the reasons. */
  readonly isClear: boolean
  readonly evidence: SubmissionEvidence
}

/** Writes the fields, eyes, reasons and warnings that all sources together state now. */
export function refreshSubmission(context: RefreshContext, row: SubmissionRow): RefreshResult {
  const { outbox, clock } = context
  return outbox.write(() => {
    const images = outbox.imageRowsOf(row.id)
    const evidence = collectEvidence(context, images, outbox.unusableOf(row.id))
    setEyes(context, images, evidence.eyes)
    settleEyes(context, images, evidence)
    setEyesOfUnusable(context, row.id, evidence.pictures)
    const stored = identityColumn.read(outbox.rowOf(row.id)?.identity ?? row.identity)
    const content = contentOf(context, row, evidence)
    const identity = withAnswers(stored, content, evidence)
    const current = outbox.imageRowsOf(row.id)
    const sharers = sharersOf(context, row, content.fields.history_number)
    const found = answeredVerdict(identity, content, evidence, { images: current, sharers })
    const { answered, verdict: visit, eyes } = found
    const proposed = proposedFields(content, evidence)
    outbox.setIdentity(row.id, identity)
    const { requiredFields, requireBothEyes, clinical } = context.settings()
    const addendumId = outbox.rowOf(row.id)?.addendum_to ?? null
    const checked: CheckedSubmission = {
      ...content,
      images: current
        .filter((image) => image.twin_of === null)
        .map((image) => checkedImage(image, current, eyes)),
      unusable: outbox.unusableOf(row.id).map(checkedUnusable),
      identity,
      verdict: visit,
      proposed,
      answered,
      rejected: recordsIn(evidence).flatMap((record) => record.rejected),
      rejectedValues: distinct([
        ...evidence.pictures
          .flatMap((picture) => picture.facts.flatMap(({ rejected }) => rejected))
          // Rejected eyes lead to a question about their image.
          .filter(({ field }) => field !== 'eye')
          .map(messageIn),
        ...recordsIn(evidence).flatMap(({ rejected, doubts = [] }) =>
          [...doubts, ...rejected.filter(({ field }) => !isAsked(field))].map(messageIn),
        ),
      ]),
      sidecarProblem: sidecarProblemOf(context, images),
      addendumToReference: addendumId === null ? null : (outbox.rowOf(addendumId)?.reference ?? null),
      sharers,
      twins: outbox.twinsOf(row.id),
      sentBefore: addendumId === null ? outbox.sentBefore(row.id, content.fields) : [],
      requiredFields,
      requireBothEyes,
      vaUnit: clinical.vaUnit,
      noImageBecause: noImageBecauseColumn.read(row.no_image_because),
      today: localDate(clock.now()),
    }
    const reasons = reasonsOf(checked)
    const fellows = unlikeFellows(context, current)
    const oddities = [...warningsOf(checked), ...fellows]
    const { fields, sources } = content
    if (row.folder_path !== null)
      outbox.noteMentions(
        row.folder_path,
        row.id,
        numbersBeside(evidence.pictures, fields.history_number ?? ''),
      )
    const verdict = storedVerdict(visit, { sources, answered, eyes, fields: proposed }, current)
    const numberBefore = fieldsColumn.readOr(row.fields, {}).history_number
    outbox.setContent(row.id, { fields, sources, reasons, oddities, verdict }, clock.now())
    if (fields.history_number !== numberBefore)
      refreshSubmissions(context, new Set(identity.separatedFrom ?? []))
    // If no picture could be extracted from a DICOM file, the file itself is sent and may be unreadable.
    const isSentInPart = oddities.some(({ kind }) => kind === 'noPreview')
    // A person is working on it, or has to look at values in another unit.
    const isHeldBack = identity.isAtWork === true || identity.unitChanged !== undefined
    // A person decides on what the check doubts and the decoder does not, and on two photographs of one name.
    const isDoubted = isMaybeDamaged(oddities) || fellows.length > 0
    return { reasons, isClear: !isSentInPart && !isDoubted && !isHeldBack, evidence }
  })
}

/** Stores what the files of a case prove of it, for a case without a verdict. Fields and eyes stay as they are. */
export function rereadVerdict(context: RefreshContext, row: SubmissionRow): void {
  const { outbox } = context
  const images = outbox.imageRowsOf(row.id)
  const evidence = collectEvidence(context, images, outbox.unusableOf(row.id))
  const [fields, sources] = [fieldsColumn.read(row.fields), sourcesColumn.read(row.sources)]
  const identity = withAnswers(identityColumn.read(row.identity), { sources }, evidence)
  outbox.setIdentity(row.id, identity)
  const found = answeredVerdict(identity, { fields, sources }, evidence, {
    images,
    sharers: sharersOf(context, row, fields.history_number),
  })
  const { answered, verdict: visit, eyes } = found
  const reasons = reasonsColumn.read(row.reasons)
  const proposed = proposedFields({ fields, sources }, evidence)
  const verdict = storedVerdict(visit, { sources, answered, eyes, fields: proposed }, images)
  outbox.setContent(row.id, { fields, sources, reasons, verdict }, row.changed_at)
}

function recordsIn({ pictures, recordsOfPatient }: SubmissionEvidence): readonly Sidecar[] {
  return [...new Set([...pictures.flatMap(({ records }) => records), ...recordsOfPatient])]
}

/** Why the data file that governs the folder of these images could not be read. */
function sidecarProblemOf(context: RefreshContext, images: readonly ImageRow[]): Message | null {
  for (const { record_id: id } of images) {
    const trouble = id === null ? null : (context.outbox.sidecarRecord(id)?.trouble ?? null)
    if (trouble !== null) return z.object(messageFields).parse(JSON.parse(trouble))
  }
  return null
}

function messageIn({ message, wording }: Message): Message {
  return { message, ...(wording && { wording }) }
}

function distinct(messages: readonly Message[]): Message[] {
  return [...new Map(messages.map((one) => [one.message, one])).values()]
}

function contentOf(
  context: RefreshContext,
  row: SubmissionRow,
  evidence: SubmissionEvidence,
): ComposedContent {
  const stored = context.outbox.submissionOf(row.id)
  const before = { fields: stored?.fields ?? {}, sources: stored?.sources ?? {} }
  const { verdict, pictures } = evidence
  const stated = verdict && { historyNumber: statedBy(verdict.who), visitDate: statedBy(verdict.day) }
  // The number that a person entered is looked up, too.
  const isEntered = before.sources.history_number === 'person'
  const historyNumber = isEntered ? before.fields.history_number : stated?.historyNumber?.value
  const hasList = context.settings().patientList !== null
  // Whose name it would be is the very question: nothing is filled in before it is answered. If another case has the
  // number, the name is not in question.
  const isDisputed = verdict?.who.kind === 'disputed' && verdict.who.why !== 'sharedNumber' && !isEntered
  const isCleared = isEntered && historyNumber === undefined
  return composeContent({
    ...before,
    statements: statementsOf({
      visit: stated,
      records: isDisputed
        ? []
        : isCleared
          ? pictures.flatMap(({ records }) => records)
          : recordsFor(context, row, evidence, isEntered ? historyNumber : undefined),
      facts: isDisputed ? [] : pictures.flatMap(({ facts }) => facts),
      listed: historyNumber && hasList ? (context.findInPatientList?.(historyNumber) ?? null) : null,
    }),
    // A data file without a date is a statement, too: then the time of a file does not count as one.
    dayOfFiles:
      stated?.visitDate?.source === 'fileTime' && recordsIn(evidence).length === 0
        ? stated.visitDate.value
        : null,
  })
}

/** The records of the pictures; those of the patient whose number a person has entered, if one has. */
function recordsFor(
  context: RefreshContext,
  row: SubmissionRow,
  evidence: SubmissionEvidence,
  entered: string | undefined,
): readonly Sidecar[] {
  if (entered === undefined || row.folder_path === null) return recordsIn(evidence)
  const isEntered = (id: string | undefined): boolean => id === undefined || bareId(id) === bareId(entered)
  const own = evidence.pictures
    .flatMap(({ records }) => records)
    .filter(({ fields }) => isEntered(fields.history_number))
  const day = evidence.verdict === null ? null : valueIn(evidence.verdict.day)
  return [
    ...new Set([...own, ...recordsOfPatient(context, row.folder_path, evidence.pictures, entered, day)]),
  ]
}

/**
 * Reads a case again from all that it rests on and moves it as `nextState` says; returns what is missing. An approval and
 * a retry compare it with what was shown, and move it themselves.
 */
export function settle(
  context: RefreshContext,
  id: string,
  cause: Cause,
  how: MoveOptions,
): readonly Reason[] {
  const { outbox } = context
  return outbox.write(() => {
    const row = outbox.rowOf(id)
    if (!row) return []
    const before = cause === 'rereading' ? outbox.contentDigest(id) : null
    const { reasons, isClear, evidence } = refreshSubmission(context, row)
    const folder = context.settings().folders.find((one) => one.path === row.folder_path)
    // A case that a person has grouped goes to a person.
    const isUnattended = isClear && folder?.sendWithoutReview === true && row.grouped_by === 'program'
    const [digest, state] = [outbox.contentDigest(id), outbox.rowOf(id)?.state ?? row.state]
    const next = nextState(cause, {
      state,
      isUnclear: reasons.length > 0,
      hasChanged: before !== null && digest !== before,
      clearance: row.passed_digest !== digest ? 'none' : outbox.mayLeave(id) ? 'mayLeave' : 'matches',
      skipsReview: isUnattended && reasons.length === 0 && outbox.isProven(id),
      heldFrom: row.held_from,
    })
    if (next === null) return reasons
    const cleared = Object.fromEntries(next.clears.map((name) => [name, null]))
    const details = { ...how.details, reasons: reasons.map(({ kind }) => kind) }
    outbox.moveSubmission(id, next.event, cleared, { ...how, details })
    if (next.event === 'gatheredToSend') noteLeaving(context, id, evidence)
    return reasons
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
  const hasLearntTerm = seen !== null && learnFrom(context, row.folder_path, number, seen)
  const others = context.outbox.mentionsOf(row.folder_path, bareId(number)).filter((other) => other !== id)
  refreshSubmissions(context, new Set(others))
  // A word has become one of the folder: what waited for it alone, and no person has touched, may leave by now.
  for (const one of hasLearntTerm ? context.outbox.waitingForTerm(row.folder_path) : [])
    if (context.outbox.rowOf(one)?.state === 'review' && !isTouchedByPerson(context, one))
      settle(context, one, 'closing', { at: context.clock.now() })
}

/** Refreshing a case takes longer the more images it has; beyond this number it is not done for each new one. */
const MANY_IMAGES = 24

/** Reads open cases again, large ones that collect a little later, and moves those that changed, also out of the queue. */
export function refreshSubmissions(context: RefreshContext, ids: ReadonlySet<string>): void {
  for (const id of ids) {
    const row = context.outbox.rowOf(id)
    if (!row || !isOpen(row)) continue
    const isLarge = row.state === 'collecting' && context.outbox.imageRowsOf(id).length > MANY_IMAGES
    if (isLarge && context.refreshSoon) context.refreshSoon(id)
    else settle(context, id, 'rereading', { at: context.clock.now() })
  }
}
