/** Why the station believes what it shows of a case: the verdict on it, read again from all sources, with statements. */
import type { ImageGroup, Proof, ShownPart, ShownStatement } from '../../../src-shared/proof.ts'
import { FIELD_NAMES, type FieldName } from '../../../src-shared/fields.ts'
import type { Source, Submission } from '../../../src-shared/submission.ts'
import { type Answer, fieldsColumn, identityColumn, sourcesColumn } from '../json-columns.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import { answeredVerdict, doubtOfMany, eyeAnswerOf, statedIn } from './answers.ts'
import { numbersIn } from './names/numbers.ts'
import { monthsFrom } from './meaning/dates.ts'
import { labelOf } from './meaning/persons.ts'
import type { Sidecar } from './meaning/sources.ts'
import { type Statement, statementsIn, type TimedPicture, type Verdict } from './verdict/evidence.ts'
import { burstsOf, type VisitVerdict } from './verdict/visit.ts'
import { isSpeaking, sharersOf, timedOf } from './visits/memory.ts'
import { collectEvidence, type SubmissionEvidence } from './visits/identity.ts'
import type { CollectedPicture, ReadContext } from './visits/pictures.ts'
import { isOpen } from './visits/visits.ts'

/** The proof of a case, with what persons have answered; changes nothing. */
export function shownProof(context: ReadContext, row: SubmissionRow): Proof {
  const images = context.outbox.imageRowsOf(row.id)
  const evidence = collectEvidence(context, images)
  const content = { fields: fieldsColumn.read(row.fields), sources: sourcesColumn.read(row.sources) }
  const identity = identityColumn.read(row.identity)
  const sharers = sharersOf(context, row, content.fields.history_number)
  const asked = { ...evidence, ...content, identity, images }
  const { answered, verdict, eyes } = answeredVerdict(asked, sharers)
  const doubt = verdict && doubtOfMany(verdict, answered)
  const sent = images.filter(isSpeaking)
  const { history_number: number = '', visit_date: day = '' } = content.fields
  const isEntered = verdict === null || (answered.includes('patient') && doubt !== 'twoPatients')
  const { patient, visitDay } = identity.settled ?? {}
  return {
    who: isEntered ? entered(number, patient) : partOf(verdict.who, patient),
    day:
      verdict === null || answered.includes('visitDay')
        ? entered(day, visitDay)
        : partOf(verdict.day, visitDay),
    eyes: Object.fromEntries(
      sent.map((image) => {
        const { id, eye, eye_source } = image
        const [known, answer] = [eyes.get(id), eyeAnswerOf(image)]
        if (known) return [id, partOf(known, answer)]
        return [
          id,
          eye_source === 'person' ? entered(eye, answer) : partOf({ kind: 'unknown', why: 'nothingStated' }),
        ]
      }),
    ),
    groups: verdict === null || doubt === null ? [] : groupsOf(verdict, evidence, images.map(timedOf)),
    joinable: row.folder_path === null ? [] : joinableTo(context, row, row.folder_path, evidence),
    stated: statedIn(evidence, images),
    restsOnNumber: fieldsOfNumber(content, evidence),
    ageMonths: monthsOf(evidence, context.peopleInPatientList?.(number) ?? [], day),
  }
}

const MOST_MONTHS = 23

/** Whole months from the birth date to a day; null if that is not clear, or a person of two years or more. */
function monthsOf(evidence: SubmissionEvidence, listed: readonly Sidecar[], day: string): number | null {
  const { pictures, recordsOfPatient } = evidence
  const people = pictures.flatMap((picture) => picture.people.map(({ value }) => value))
  const records = pictures.flatMap((picture) => [...picture.records, ...picture.facts])
  const stating = [...people, ...records, ...recordsOfPatient, ...listed]
  const [birth, ...others] = new Set(stating.flatMap(({ birthDate }) => birthDate ?? []))
  if (birth === undefined || others.length > 0 || birth > day) return null
  const months = monthsFrom(birth, day)
  return months <= MOST_MONTHS ? months : null
}

/** Values of the patient list, and of records that state a number: under another one they are of someone else. */
function fieldsOfNumber(
  { fields, sources }: Pick<Submission, 'fields' | 'sources'>,
  { pictures }: SubmissionEvidence,
): FieldName[] {
  const numberless = pictures.flatMap(({ records }) =>
    records.filter((record) => record.fields.history_number === undefined),
  )
  return FIELD_NAMES.filter(
    (name) =>
      name !== 'history_number' &&
      (sources[name] === 'patientList' ||
        (sources[name] === 'sidecar' && numberless.every((record) => record.fields[name] !== fields[name]))),
  )
}

function entered(value: string, answer: Answer | null | undefined): ShownPart {
  const statements = [{ value, source: 'person', where: '', ...signatureOf(answer) }] as const
  return { kind: 'proven', why: null, about: null, statements: [...statements] }
}

function signatureOf(answer: Answer | null | undefined): Pick<ShownStatement, 'by' | 'at'> {
  return answer ? { by: answer.by, at: answer.at } : {}
}

/** `answer`: what a person has answered of it, whose statement it signs. */
function partOf(verdict: Verdict<string>, answer?: Answer | null): ShownPart {
  const about = ('about' in verdict ? verdict.about : undefined) ?? null
  const signed = (statements: readonly Statement<string>[]): ShownStatement[] =>
    distinct(statements).map((one) => (one.source === 'person' ? { ...one, ...signatureOf(answer) } : one))
  const why = verdict.kind === 'proven' ? null : verdict.why
  return { kind: verdict.kind, why, about, statements: signed(statementsIn(verdict)) }
}

function distinct(statements: readonly Statement<string>[]): ShownStatement[] {
  return [...new Map(statements.map((one) => [JSON.stringify(one), one])).values()]
}

/** The images of each patient: as the statements part them, else as their bursts do. */
function groupsOf(
  { who, together }: VisitVerdict,
  { pictures }: SubmissionEvidence,
  timed: readonly TimedPicture[],
): ImageGroup[] {
  const times = new Map(timed.map(({ id, takenAt }) => [id, takenAt]))
  const { groups: ofPatients = [] } = who.kind === 'disputed' ? who : {}
  const ofBursts = together.kind === 'unknown' ? together.groups : [pictures.map(({ id }) => id)]
  const groups = ofPatients.length > 1 ? ofPatients : ofBursts
  return groups
    .filter((imageIds) => imageIds.length > 0)
    .map((imageIds) => {
      const members = pictures.filter(({ id }) => imageIds.includes(id))
      const numbers = members.flatMap(({ ids }) => ids.map(({ value }) => value))
      const people = members.flatMap((one) => one.people.map(({ value }) => labelOf(value))).filter(Boolean)
      // No one has said that the number of one image is that of the person whom another names.
      const isOne = numbers.length === 0 || members.some((one) => one.ids.length > 0 && one.people.length > 0)
      return {
        imageIds: [...imageIds],
        takenAt: imageIds.map((id) => times.get(id) ?? 0),
        person: [numbers, isOne ? people : []].flatMap(onlyOne).join(' '),
        statements: distinct(members.flatMap((picture) => statementsOn(picture))),
      }
    })
}

function onlyOne(values: readonly string[]): readonly string[] {
  const [first, ...others] = new Set(values)
  return first === undefined || others.length > 0 ? [] : [first]
}

/** What speaks of the patient of one picture. */
function statementsOn({ ids, idHints, people, paths }: CollectedPicture): readonly Statement<string>[] {
  const named = people.flatMap(({ value, source, where }) => {
    const label = labelOf(value)
    return label === '' ? [] : [{ value: label, source, where }]
  })
  const inNames = paths.flatMap((where) =>
    numbersIn(where).map(({ readings, source }) => ({
      value: readings[0] ?? '',
      source: source as Source,
      where,
    })),
  )
  return [...ids, ...idHints, ...named, ...inNames]
}

/** Cases of the same burst whose number a person entered: images without a number of their own never join them. */
function joinableTo(
  { outbox }: ReadContext,
  row: SubmissionRow,
  folderPath: string,
  { pictures }: SubmissionEvidence,
): Proof['joinable'] {
  if (!isOpen(row) || pictures.some(({ ids }) => ids.length > 0)) return []
  const picturesIn = (id: string): readonly TimedPicture[] =>
    outbox
      .imageRowsOf(id)
      .filter(({ twin_of }) => twin_of === null)
      .map(timedOf)
  const own = picturesIn(row.id)
  const keys = outbox.groupKeysOf(row.id)
  const beside = keys.flatMap((key) => outbox.submissionsOfGroup(folderPath, key))
  return [...new Map(beside.map((other) => [other.id, other])).values()].flatMap((other) => {
    const number = fieldsColumn.read(other.fields).history_number
    const isEntered = sourcesColumn.read(other.sources).history_number === 'person'
    if (other.id === row.id || !isOpen(other) || !isEntered || number === undefined) return []
    const theirs = picturesIn(other.id)
    const isOneBurst = burstsOf([...own, ...theirs]).some(
      (burst) => burst.some((one) => theirs.includes(one)) && burst.some((one) => own.includes(one)),
    )
    const { id, reference } = other
    const digest = outbox.shownDigest(id)
    return isOneBurst ? [{ id, reference, digest, historyNumber: number }] : []
  })
}
