/** What a case is, by all that it rests on: values, eyes, verdict, what is missing and odd. Reads only what `Snapshot` holds. */
import { FIELD_NAMES, type FieldName, type Fields } from '../../../src-shared/fields.ts'
import { EYE_CODES, type StatedEye } from '../../../src-shared/measurement-ranges.ts'
import type { Settings } from '../../../src-shared/settings.ts'
import { isMaybeDamaged, type Submission, type Warning } from '../../../src-shared/submission.ts'
import type { Standing, Verdict as StoredVerdict } from '../../../src-shared/verdict.ts'
import type { Message } from '../../../src-shared/wording.ts'
import {
  factsColumn,
  fieldsColumn,
  identityColumn,
  noImageBecauseColumn,
  odditiesColumn,
  sourcesColumn,
  unusableFromRow,
} from '../json-columns.ts'
import type { ImageRow, SubmissionRow } from '../outbox/rows.ts'
import type { UnusableRow } from '../outbox/unusable-files.ts'
import {
  type Answered,
  answeredVerdict,
  areTogether,
  doubtOfMany,
  withAnswers,
  withChoicesSettled,
} from './answers.ts'
import { type CheckedSubmission, type FoundBeside, isAsked, reasonsOf } from './reasons.ts'
import { composeContent, type ComposedContent, statementsOf } from './content.ts'
import { doubtOfRecord, type Sidecar } from './meaning/sources.ts'
import { localDate } from './meaning/dates.ts'
import { bareId } from './meaning/numbers.ts'
import { type Statement, statementsIn, valueIn, type Verdict } from './verdict/evidence.ts'
import type { Together, VisitVerdict } from './verdict/visit.ts'
import { statedBy, type SubmissionEvidence } from './visits/identity.ts'
import { isSpeaking, numbersBeside } from './visits/memory.ts'
import { warningsOf } from './warnings.ts'

/** All that a case rests on, read once; and what can be looked up once its values are known. */
export type Snapshot = FoundBeside & {
  readonly row: SubmissionRow
  readonly images: readonly ImageRow[]
  /** Its files that cannot be used, with the eyes that names and data files state. */
  readonly unusable: readonly UnusableRow[]
  readonly evidence: SubmissionEvidence
  /** Files of one name that show two photographs. */
  readonly fellows: readonly Warning[]
  readonly settings: Pick<Settings, 'requiredFields' | 'requireBothEyes' | 'clinical'>
  readonly now: number
  readonly find: {
    readonly inPatientList: (number: string) => Sidecar | null
    readonly recordsOf: (number: string, day: string | null) => readonly Sidecar[]
    /** See `sharersOf`. */
    readonly sharers: (number: string | undefined) => readonly Statement<string>[]
    /** References of sent cases of the same patient and day. */
    readonly sentBefore: (fields: Fields) => readonly string[]
  }
}

/** What a case is, as the outbox stores it. */
export type CaseContent = ReturnType<typeof decide>

export function decide(snapshot: Snapshot) {
  const { row, evidence, fellows, find, settings } = snapshot
  const images = withChoicesSettled(withEyes(snapshot.images, evidence.eyes), evidence)
  const content = contentOf(snapshot)
  const { fields, sources } = content
  const before = { ...evidence, ...content, images, identity: identityColumn.read(row.identity) }
  const identity = withAnswers(before)
  const sharers = find.sharers(fields.history_number)
  const { answered, verdict: visit, eyes } = answeredVerdict({ ...before, identity }, sharers)
  const proposed = proposedFields(content, evidence)
  const verdict = storedVerdict(visit, { sources, answered, eyes, fields: proposed }, images)
  const records = recordsIn(evidence)
  const checked: CheckedSubmission = {
    ...snapshot,
    ...settings,
    ...content,
    images: images
      .filter((image) => image.twin_of === null)
      .map((image) => checkedImage(image, images, eyes)),
    unusable: snapshot.unusable.map(unusableFromRow),
    identity,
    verdict: visit,
    proposed,
    answered,
    rejected: records.flatMap(({ rejected }) => rejected),
    rejectedValues: distinct([
      ...evidence.pictures
        .flatMap((picture) => picture.facts.flatMap(({ rejected }) => rejected))
        // Rejected eyes lead to a question about their image.
        .filter(({ field }) => field !== 'eye')
        .map(messageIn),
      ...records.flatMap(({ rejected, doubts = [] }) =>
        [...doubts, ...rejected.filter(({ field }) => !isAsked(field))].map(messageIn),
      ),
    ]),
    sharers,
    sentBefore: row.addendum_to === null ? find.sentBefore(fields) : [],
    vaUnit: settings.clinical.vaUnit,
    noImageBecause: noImageBecauseColumn.read(row.no_image_because),
    today: localDate(snapshot.now),
  }
  const oddities = [...warningsOf(checked), ...fellows]
  // If no picture could be extracted from a DICOM file, the file itself is sent and may be unreadable.
  const isSentInPart = oddities.some(({ kind }) => kind === 'noPreview')
  // A person is working on it, or has to look at values in another unit.
  const isHeldBack = identity.isAtWork === true || identity.unitChanged !== undefined
  // A person decides on what the check doubts and the decoder does not, and on two photographs of one name.
  const isDoubted = isMaybeDamaged(oddities) || fellows.length > 0
  return {
    fields,
    sources,
    images,
    identity,
    verdict,
    reasons: reasonsOf(checked),
    oddities,
    /** Other numbers that its files mention. */
    mentions: numbersBeside(evidence.pictures, fields.history_number ?? ''),
    /** Nothing about it needs a person, apart from the reasons. */
    isClear: !isSentInPart && !isDoubted && !isHeldBack,
  }
}

function contentOf({ row, images, evidence, find }: Snapshot): ComposedContent {
  const before = { fields: fieldsColumn.read(row.fields), sources: sourcesColumn.read(row.sources) }
  const { verdict, pictures } = evidence
  const stated = verdict && { historyNumber: statedBy(verdict.who), visitDate: statedBy(verdict.day) }
  // The number that a person entered is looked up, too.
  const isEntered = before.sources.history_number === 'person'
  const historyNumber = isEntered ? before.fields.history_number : stated?.historyNumber?.value
  // Whose name it would be is the very question: nothing is filled in before it is answered, and no number answers of how
  // many patients the images are. If another case has the number, the name is not in question.
  const { settled } = identityColumn.read(row.identity)
  const answered = areTogether(images, settled?.together?.statements) ? (['together'] as const) : []
  const isOfTwo = verdict !== null && doubtOfMany(verdict, answered) === 'twoPatients'
  const isDisputed =
    verdict?.who.kind === 'disputed' && verdict.who.why !== 'sharedNumber' && (isOfTwo || !isEntered)
  // The record of a folder is of one of its patients, and no one knows of which.
  const isOfAnyone = verdict?.who.kind === 'unknown' && verdict.who.why === 'folderRecord' && !isEntered
  const isCleared = isEntered && historyNumber === undefined
  return composeContent({
    ...before,
    statements: statementsOf({
      visit: stated,
      records: isDisputed
        ? []
        : isOfAnyone
          ? pictures.flatMap(({ boundRecords }) => boundRecords)
          : isCleared
            ? pictures.flatMap(({ records }) => records)
            : isEntered && historyNumber !== undefined && row.folder_path !== null
              ? recordsOfNumber(historyNumber, evidence, find.recordsOf)
              : recordsIn(evidence),
      facts: isDisputed ? [] : pictures.flatMap(({ facts }) => facts),
      listed: historyNumber ? find.inPatientList(historyNumber) : null,
    }),
    // A data file without a date is a statement, too: then the time of a file does not count as one.
    dayOfFiles:
      stated?.visitDate?.source === 'fileTime' && recordsIn(evidence).length === 0
        ? stated.visitDate.value
        : null,
  })
}

/** The records of the pictures that are not of another number than this, which a person has entered, and others of it. */
function recordsOfNumber(
  entered: string,
  { pictures, verdict }: SubmissionEvidence,
  recordsOf: Snapshot['find']['recordsOf'],
): readonly Sidecar[] {
  const isEntered = (id: string | undefined): boolean => id === undefined || bareId(id) === bareId(entered)
  const own = pictures
    .flatMap(({ records }) => records)
    .filter(({ fields }) => isEntered(fields.history_number))
  return [...new Set([...own, ...recordsOf(entered, verdict === null ? null : valueIn(verdict.day))])]
}

function recordsIn({ pictures, recordsOfPatient }: SubmissionEvidence): readonly Sidecar[] {
  return [...new Set([...pictures.flatMap(({ records }) => records), ...recordsOfPatient])]
}

function messageIn({ message, wording }: Message): Message {
  return { message, ...(wording && { wording }) }
}

function distinct(messages: readonly Message[]): Message[] {
  return [...new Map(messages.map((one) => [one.message, one])).values()]
}

/** The images with the eyes that names, data files and the images themselves state; a person's choice stays. */
function withEyes(
  images: readonly ImageRow[],
  verdicts: ReadonlyMap<string, Verdict<StatedEye>>,
): readonly ImageRow[] {
  return images.map((image) => {
    if (image.eye_source === 'person') return image
    const verdict = verdicts.get(image.twin_of ?? image.id)
    const value = verdict ? valueIn(verdict) : null
    const [eye, source] =
      value === null
        ? (['unknown', null] as const)
        : ([value, (verdict && statementsIn(verdict)[0]?.source) ?? null] as const)
    const statements =
      verdict?.kind === 'disputed'
        ? JSON.stringify(verdict.statements.map((one) => `${one.source}: ${EYE_CODES[one.value]}`))
        : null
    const isAsBefore = image.eye === eye && image.eye_source === source && image.eye_statements === statements
    return isAsBefore
      ? image
      : { ...image, eye, eye_source: source, eye_statements: statements, eye_settled: null }
  })
}

function checkedImage(
  image: ImageRow,
  all: readonly ImageRow[],
  verdicts: ReadonlyMap<string, Verdict<StatedEye>>,
): CheckedSubmission['images'][number] {
  const verdict = verdicts.get(image.id)
  return {
    id: image.id,
    eye: image.eye,
    isExcluded: image.excluded_because !== null,
    eyeProblem: eyeTroubleOf(image, all),
    statements: verdict?.kind === 'disputed' ? verdict.statements : null,
    oddities: odditiesColumn.read(image.oddities),
  }
}

/** A twin of the image states its eye as well. */
function eyeTroubleOf(image: ImageRow, all: readonly ImageRow[]): Message | null {
  if (image.eye_source === 'person') return null
  for (const { facts } of [image, ...all.filter((other) => other.twin_of === image.id)]) {
    const { rejected } = facts === null ? { rejected: [] } : factsColumn.read(facts)
    const trouble = rejected.find(({ field }) => field === 'eye')
    if (trouble) return messageIn(trouble)
  }
  return null
}

type Answers = {
  readonly sources: Submission['sources']
  /** What a person has answered for all images that are there. */
  readonly answered: readonly Answered[]
  /** Of each image, with what persons chose. */
  readonly eyes: ReadonlyMap<string, Verdict<StatedEye>>
  /** See `proposedFields`. */
  readonly fields: readonly FieldName[]
}

const BY_PERSON: Standing = { kind: 'proven', by: ['person'], why: null }

/** The verdict as it is stored with the case. `visit` is null for a case by hand: a person says all of it. */
export function storedVerdict(
  visit: VisitVerdict | null,
  { sources, answered, eyes, fields }: Answers,
  images: readonly Pick<ImageRow, 'id' | 'eye_source' | 'excluded_because' | 'twin_of'>[],
): StoredVerdict {
  const sent = images.filter(isSpeaking)
  const isPatientEntered =
    answered.includes('patient') || (visit === null && sources.history_number !== undefined)
  // A number says nothing about how many patients there are.
  const doubt = visit && doubtOfMany(visit, answered)
  const isOfTwoBursts = visit?.together.kind === 'proposed' && visit.together.why === 'twoBursts'
  const together =
    visit === null || answered.includes('together') || (isPatientEntered && doubt === null && !isOfTwoBursts)
      ? BY_PERSON
      : togetherStanding(visit.together)
  return {
    who: isPatientEntered && doubt !== 'twoPatients' ? BY_PERSON : standingOf(visit?.who ?? null),
    day: answered.includes('visitDay') || visit === null ? BY_PERSON : standingOf(visit.day),
    // A person who grouped the images has not answered whether one eye is enough.
    together:
      visit?.isOneEyed === true && together.kind === 'proven'
        ? { kind: 'proposed', by: [], why: 'oneEyeOnly' }
        : together,
    eyes: Object.fromEntries(
      sent.map((image) => [
        image.id,
        image.eye_source === 'person' && !eyes.has(image.id)
          ? BY_PERSON
          : standingOf(eyes.get(image.id) ?? null),
      ]),
    ),
    fields: [...fields],
    profiles: [...(visit?.profiles ?? [])],
  }
}

/** The fields that no proving source states as they are. The facts of the patient list are as sure as the number. */
function proposedFields(
  { fields, sources }: Pick<ComposedContent, 'fields' | 'sources'>,
  { pictures, recordsOfPatient }: Pick<SubmissionEvidence, 'pictures' | 'recordsOfPatient'>,
): readonly FieldName[] {
  const own = bareId(fields.history_number ?? '')
  const isOfPatient = ({ fields: { history_number: number } }: Sidecar): boolean =>
    number !== undefined && bareId(number) === own
  const bound = pictures.flatMap(({ records, boundRecords }) =>
    records.filter((record) => boundRecords.includes(record) || isOfPatient(record)),
  )
  const proving = [...bound, ...recordsOfPatient].filter((record) => doubtOfRecord(record) === undefined)
  // What a DICOM file says of a photograph that may be another than the one that is sent.
  const ownFacts = pictures.flatMap(({ facts, isTwinUnproven }) => (isTwinUnproven ? [] : facts))
  const named = pictures.flatMap(({ people }) =>
    people.flatMap(({ source, value }) => (source === 'fileName' ? [value.lastName, value.firstName] : [])),
  )
  return FIELD_NAMES.filter((name) => {
    const value = fields[name]
    if (value === undefined || name === 'history_number' || name === 'visit_date') return false
    switch (sources[name]) {
      case 'sidecar':
        return !proving.some(
          (record) => record.fields[name] === value || (name === 'age' && record.birthDate !== null),
        )
      case 'dicom':
        return !ownFacts.some(
          (one) => one.fields[name] === value || (name === 'age' && one.birthDate !== null),
        )
      case 'fileName':
      case 'folderName':
        return !named.includes(String(value))
      default:
        return false
    }
  })
}

function standingOf(verdict: Verdict<unknown> | null): Standing {
  if (verdict === null) return { kind: 'unknown', by: [], why: null }
  const sources = new Set(statementsIn(verdict).map(({ source }) => source))
  return { kind: verdict.kind, by: [...sources], why: verdict.kind === 'proven' ? null : verdict.why }
}

function togetherStanding(together: Together): Standing {
  return { kind: together.kind, by: [], why: together.kind === 'proven' ? null : together.why }
}
