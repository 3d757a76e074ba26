/** What is stored of the verdict on a case: the verdict with a person's answers. Pure. */
import type { Eye, StatedEye } from '../../../src-shared/measurement-ranges.ts'
import { FIELD_NAMES, type FieldName } from '../../../src-shared/fields.ts'
import type { Source, Submission } from '../../../src-shared/submission.ts'
import type { Standing, Verdict } from '../../../src-shared/verdict.ts'
import { type Answered, doubtOfMany } from './answers.ts'
import { type ComposedContent } from './content.ts'
import { doubtOfRecord, type Sidecar } from './meaning/sources.ts'
import { bareId } from './meaning/numbers.ts'
import type { Together } from './verdict/together.ts'
import { statementsIn, type Verdict as VisitVerdictOf } from './verdict/verdict.ts'
import type { VisitVerdict } from './verdict/visit.ts'
import type { SubmissionEvidence } from './visits/identity.ts'

type Answers = {
  readonly sources: Submission['sources']
  /** What a person has answered for all images that are there. */
  readonly answered: readonly Answered[]
  /** Of each image, with what persons chose. */
  readonly eyes: ReadonlyMap<string, VisitVerdictOf<StatedEye>>
  /** See `proposedFields`. */
  readonly fields: readonly FieldName[]
}

type VerdictImage = {
  readonly id: string
  readonly eye: Eye
  readonly eye_source: Source | null
  readonly excluded_because: string | null
  readonly twin_of: string | null
}

const BY_PERSON: Standing = { kind: 'proven', by: ['person'], why: null }

/** The verdict as it is stored with the case. `visit` is null for a case by hand: a person says all of it. */
export function storedVerdict(
  visit: VisitVerdict | null,
  { sources, answered, eyes, fields }: Answers,
  images: readonly VerdictImage[],
): Verdict {
  const sent = images.filter((image) => image.excluded_because === null && image.twin_of === null)
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
export function proposedFields(
  { fields, sources }: Pick<ComposedContent, 'fields' | 'sources'>,
  { pictures, recordsOfPatient }: Pick<SubmissionEvidence, 'pictures' | 'recordsOfPatient'>,
): readonly FieldName[] {
  const own = bareId(fields.history_number ?? '')
  const isOfPatient = ({ fields: { history_number: number } }: Sidecar): boolean =>
    number !== undefined && bareId(number) === own
  const bound = pictures.flatMap(({ records, folderRecords }) =>
    records.filter((record) => !folderRecords.includes(record) || isOfPatient(record)),
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

function standingOf(verdict: VisitVerdictOf<unknown> | null): Standing {
  if (verdict === null) return { kind: 'unknown', by: [], why: null }
  const sources = new Set(statementsIn(verdict).map(({ source }) => source))
  return { kind: verdict.kind, by: [...sources], why: verdict.kind === 'proven' ? null : verdict.why }
}

function togetherStanding(together: Together): Standing {
  return { kind: together.kind, by: [], why: together.kind === 'proven' ? null : together.why }
}
