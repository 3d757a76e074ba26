/** Why a submission may not be sent yet, and what is unusual about it but blocks nothing. Pure. */
import {
  AGE_RANGE,
  DIABETES_CODES,
  EYE_PREFIXES,
  type FieldName,
  GENDER_CODES,
  isFieldName,
  measurementOf,
} from '../../../src-shared/fields.ts'
import {
  type Eye,
  hardRangeOf,
  isInRange,
  measurementsOutside,
  type StatedEye,
  type VaUnit,
} from '../../../src-shared/measurement-ranges.ts'
import {
  isPending,
  type Reason,
  type Submission,
  type UnusableFile,
  type Warning,
} from '../../../src-shared/submission.ts'
import {
  type Message,
  type Wording,
  type WordingValue,
  worded,
  wordingOf,
} from '../../../src-shared/wording.ts'
import type { StoredIdentity } from '../json-columns.ts'
import { type Answered, doubtOfMany } from './answers.ts'
import type { Statement } from './verdict/evidence.ts'
import type { VisitVerdict } from './verdict/visit.ts'
import type { ComposedContent } from './content.ts'
import { daysFrom } from './meaning/dates.ts'
import { nameOf, type Sidecar } from './meaning/sources.ts'

type CheckedImage = {
  readonly id: string
  readonly eye: Eye
  readonly isExcluded: boolean
  readonly statements: readonly Omit<Statement<StatedEye>, 'where'>[] | null
  /** Why the image's own statement of its eye was unusable, if no person has chosen the eye. */
  readonly eyeProblem: Message | null
  readonly oddities: readonly Warning[]
}

/** What is found beside the images of a case. */
export type FoundBeside = {
  /** Why the data file beside them could not be read. */
  readonly sidecarProblem: Message | null
  readonly addendumToReference: string | null
  /** References of other cases with the same images. */
  readonly twins: readonly string[]
}

export type CheckedSubmission = ComposedContent &
  FoundBeside & {
    readonly images: readonly CheckedImage[]
    readonly unusable: readonly Pick<UnusableFile, 'fileName' | 'eye' | 'decision' | 'replacedBy'>[]
    readonly identity: StoredIdentity
    /** Null for a case that was created by hand. */
    readonly verdict: VisitVerdict | null
    /** Fields that no proving source states, see `verdict.ts`. */
    readonly proposed: readonly FieldName[]
    /** What a person has answered for all images that are there. */
    readonly answered: readonly Answered[]
    readonly rejected: Sidecar['rejected']
    readonly rejectedValues: readonly Message[]
    /** Cases of other people with its number, see `sharersOf`. */
    readonly sharers: readonly Statement<string>[]
    /** References of sent submissions of the same patient and day. */
    readonly sentBefore: readonly string[]
    readonly requiredFields: readonly FieldName[]
    readonly requireBothEyes: boolean
    readonly vaUnit: VaUnit
    readonly noImageBecause: Submission['noImageBecause']
    /** The local day, `YYYY-MM-DD`. */
    readonly today: string
  }

const FIRST_VISIT_DAY = '1990-01-01'

/** All reasons, in the order in which a person works through them; without any, it may be sent. */
export function reasonsOf(submission: CheckedSubmission): Reason[] {
  const { sidecarProblem, addendumToReference, twins } = submission
  const isTouched = Object.values(submission.sources).includes('person')
  const identity = identityReasons(submission)
  const reasons: Reason[] = [
    // First: the patient may still be at the camera.
    ...unusableReasons(submission),
    ...(sidecarProblem === null || isTouched
      ? []
      : [{ kind: 'sidecarUnreadable' as const, ...sidecarProblem }]),
    ...identity,
    // One question at a time: whose images these are comes before the number.
    ...missingFields(submission).filter(({ field }) => identity.length === 0 || field !== 'history_number'),
    ...dayReasons(submission),
    ...submission.disagreements.map(({ field, statements }) => valueConflict(field, statements)),
    ...outOfRange(submission),
    ...halvesToEnter(submission),
    ...visitDayReasons(submission),
    ...rejectedValues(submission),
    ...eyeReasons(submission),
  ]
  if (submission.identity.isAddendumAccepted) return reasons
  if (twins.length > 0)
    reasons.push({
      kind: 'looksLikeDuplicate',
      ...worded('intake:reason.twin', { references: twins.join(', ') }),
      references: [...twins],
    })
  if (addendumToReference !== null)
    reasons.push({
      kind: 'lateImage',
      references: [addendumToReference],
      ...worded('intake:reason.lateImage', { reference: addendumToReference }),
    })
  return reasons
}

/** Files of the visit that cannot be used: the case waits for each until a person decides. */
function unusableReasons({ unusable }: CheckedSubmission): Reason[] {
  return unusable.filter(isPending).map(({ fileName, eye, replacedBy }): Reason => {
    const file = nameOf(fileName)
    return replacedBy === null
      ? {
          kind: 'unusableImage',
          ...worded('intake:reason.unusableImage', { eye: wordingOf(`field:eye.${eye}.within`), file }),
        }
      : { kind: 'newExport', imageId: replacedBy, ...worded('intake:reason.newExport', { file }) }
  })
}

/** Whose images these are, and whether they belong together: what neither sources nor a person have settled. */
function identityReasons({ verdict, answered, sharers, fields }: CheckedSubmission): Reason[] {
  const field = 'history_number'
  if (sharers.length > 0) return [sharedNumber(fields.history_number ?? '', sharers)]
  if (verdict === null) return []
  const { who, together } = verdict
  const doubt = doubtOfMany(verdict, answered)
  if (doubt === 'howManyPatients') {
    const count = together.kind === 'unknown' ? together.groups.length : 1
    return [{ kind: doubt, ...worded('intake:reason.howManyPatients', { count }) }]
  }
  if (doubt === null && answered.includes('patient')) return []
  if (who.kind === 'disputed') {
    if (who.why === 'sharedNumber') return [sharedNumber(who.about ?? '', who.statements)]
    const stated = who.statements.map((one) => statedBy(one, one.value))
    if (doubt === 'twoPatients') return [{ kind: doubt, ...worded('intake:reason.twoPeople', { stated }) }]
    const differing = who.why === 'nearlySame' ? 'nearlySame' : 'patientDiffers'
    return [{ kind: 'identityConflict', field, ...worded(`intake:reason.${differing}`, { stated }) }]
  }
  const { why, about } = who.kind === 'unknown' ? who : {}
  if (about === undefined || (why !== 'placeholder' && why !== 'folderRecord')) return []
  return [{ kind: 'identityConflict', field, ...worded(`intake:reason.${why}`, { about }) }]
}

function sharedNumber(number: string, statements: readonly Statement<string>[]): Reason {
  const stated = statements.map((one) => statedBy(one, one.value))
  const references = statements.flatMap(({ source, where }) => (isCaseSource(source) ? [where] : []))
  const message = worded('intake:reason.sharedNumber', { number, stated })
  return { kind: 'sharedNumber', field: 'history_number', references, ...message }
}

function isCaseSource(source: Statement<unknown>['source']): boolean {
  return source === 'sentCase' || source === 'openCase'
}

/** The day on which two sources differ, and none of them is a person. */
function dayReasons({ verdict, answered }: CheckedSubmission): Reason[] {
  if (verdict === null || verdict.day.kind !== 'disputed' || answered.includes('visitDay')) return []
  return [valueConflict('visit_date', verdict.day.statements)]
}

/** Two sources disagree: both values are shown, and a person decides. */
function valueConflict(
  field: FieldName,
  statements: readonly (Origin & { value: string | number })[],
): Reason {
  const stated = statements.map((one) => statedBy(one, valueWording(field, one.value)))
  const values = { field: wordingOf(`field:label.${field}`), stated }
  return { kind: 'valueConflict', field, ...worded('intake:reason.valueConflict', values) }
}

/** Codes of the interface in words. */
function valueWording(field: FieldName, value: string | number): WordingValue {
  if (field === 'gender') return wordingOf(value === GENDER_CODES.female ? 'field:female' : 'field:male')
  if (field === 'diabetes') return wordingOf(value === DIABETES_CODES.yes ? 'field:yes' : 'field:no')
  return value
}

type Origin = Pick<Statement<unknown>, 'source' | 'attribute'> & { readonly where?: string }

function statedBy({ source, where, attribute }: Origin, value: WordingValue): Wording {
  const named =
    attribute === undefined
      ? wordingOf(`intake:source.${source}`, isCaseSource(source) ? { reference: where ?? '' } : undefined)
      : wordingOf(`intake:attribute.${attribute}`)
  return wordingOf('intake:stated', { source: named, value })
}

function eyeReasons({ images, unusable, requireBothEyes, noImageBecause }: CheckedSubmission): Reason[] {
  const sent = images.filter((image) => !image.isExcluded)
  if (sent.length === 0) return [{ kind: 'noImages', ...worded('intake:reason.noImages') }]
  const unclear = sent.flatMap(({ id: imageId, eye, statements, eyeProblem }): Reason[] => {
    if (statements) {
      const stated = statements.map((one) => statedBy(one, wordingOf(`field:eye.${one.value}.short`)))
      return [{ kind: 'eyeConflict', imageId, ...worded('intake:reason.eyeConflict', { stated }) }]
    }
    if (eyeProblem) return [{ kind: 'eyeConflict', imageId, ...eyeProblem }]
    return eye === 'unknown' ? [{ kind: 'eyeUnknown', imageId, ...worded('intake:reason.eyeUnknown') }] : []
  })
  const missing = (['right', 'left'] as const).filter(
    (eye) =>
      requireBothEyes &&
      noImageBecause[eye] === undefined &&
      !images.some((image) => image.isExcluded && image.eye === eye) &&
      // The file that should be its image is asked about, or was left out.
      !unusable.some((file) => file.eye === eye) &&
      !sent.some((image) => image.eye === eye || image.eye === 'unknown'),
  )
  return [
    ...unclear,
    ...missing.map((eye): Reason => ({
      kind: 'eyeImageMissing',
      ...worded('intake:reason.eyeImageMissing', { eye: wordingOf(`field:eye.${eye}.within`) }),
    })),
  ]
}

/** An unusable value in the sidecar is a question until a person has answered it, if it is one that may be asked. */
function rejectedValues({ rejected, sources }: CheckedSubmission): Reason[] {
  return rejected.flatMap(({ field, message, wording }): Reason[] =>
    isAsked(field) && sources[field] !== 'person'
      ? [{ kind: 'valueOutOfRange', message, ...(wording && { wording }), field }]
      : [],
  )
}

/** A value that a person can give. An odd one (CF, `<5`) is none; what is no field keeps its record from proof. */
export function isAsked(field: string): field is FieldName {
  return isFieldName(field) && measurementOf(field) === null
}

/** Camera clocks and time zones are off by hours, never by more than a day. */
function visitDayReasons(submission: CheckedSubmission): Reason[] {
  const day = submission.fields.visit_date
  if (day === undefined) return []
  const isFuture = daysFrom(submission.today, day) > 1
  if (!isFuture && day >= FIRST_VISIT_DAY) return []
  const message = worded(isFuture ? 'intake:reason.visitInFuture' : 'intake:reason.visitTooOld')
  return [{ kind: 'valueOutOfRange', field: 'visit_date', ...message }]
}

/** An axis without its cylinder is useless, and a cylinder without its axis too. The same holds for prisms. */
export function missingHalves({ fields }: Pick<CheckedSubmission, 'fields'>) {
  return EYE_PREFIXES.flatMap((eye) =>
    (
      [
        [`${eye}_cylinder`, `${eye}_axis`],
        [`${eye}_prism`, `${eye}_prism_base`],
      ] as const
    ).flatMap(([whole, half]) => {
      if ((fields[whole] ?? 0) === 0 || fields[half] !== undefined) return []
      const values = { half: wordingOf(`field:label.${half}`), whole: wordingOf(`field:label.${whole}`) }
      return [{ whole, half, values }]
    }),
  )
}

/** Of what a record states, a half that it does not was not measured: no person here knows more, and a warning says it. */
function halvesToEnter(submission: CheckedSubmission): Reason[] {
  return missingHalves(submission)
    .filter(({ whole }) => submission.sources[whole] === 'person')
    .map(({ half, values }) => ({
      kind: 'fieldMissing',
      field: half,
      ...worded('intake:reason.halfMissing', values),
    }))
}

function outOfRange({ fields, vaUnit }: CheckedSubmission): Reason[] {
  const { age } = fields
  const isAgePossible = age === undefined || (Number.isInteger(age) && isInRange(age, AGE_RANGE))
  return [
    ...(age === undefined || isAgePossible ? [] : [{ field: 'age' as const, value: age, range: AGE_RANGE }]),
    ...measurementsOutside(fields, (measurement) => hardRangeOf(measurement, vaUnit)),
  ].map(({ field, value, range }) => ({
    kind: 'valueOutOfRange',
    field,
    ...worded('intake:reason.impossible', { field: wordingOf(`field:label.${field}`), value, ...range }),
  }))
}

function missingFields({ requiredFields, fields, images, verdict, answered }: CheckedSubmission): Reason[] {
  const count = images.filter(({ isExcluded }) => !isExcluded).length
  // A number that is entered is of all of them.
  const isTogether = verdict === null || verdict.together.kind === 'proven' || answered.includes('together')
  const isOfMany = !isTogether && count > 1
  return requiredFields
    .filter((name) => fields[name] === undefined || fields[name] === '')
    .map((field) => ({
      kind: 'fieldMissing',
      field,
      ...(field === 'history_number' && isOfMany
        ? worded('intake:reason.numberOfMany', { count })
        : worded('intake:reason.fieldMissing', { field: wordingOf(`field:label.${field}`) })),
    }))
}
