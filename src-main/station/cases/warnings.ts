/** What is unusual about a case but blocks nothing: a person may look at it. Pure. */
import type { FieldName } from '../../../src-shared/fields.ts'
import {
  type Eye,
  type EyesDiffering,
  eyesDifferingIn,
  measurementsOutside,
  usualRangeOf,
} from '../../../src-shared/measurement-ranges.ts'
import { isPending, type Warning } from '../../../src-shared/submission.ts'
import { type Message, worded, wordingOf } from '../../../src-shared/wording.ts'
import { daysFrom } from './meaning/dates.ts'
import { type CheckedSubmission, missingHalves } from './reasons.ts'
import type { Doubt } from './verdict/evidence.ts'
import { RESERVES } from './verdict/visit.ts'

/** More pictures of one eye than any protocol requires may be of two patients. */
const MANY_OF_ONE_EYE = 8

const OLD_VISIT_DAYS = 30

const OLDEST_USUAL_AGE = 110

const DIFFERING_FIELDS = {
  sphereSigns: 'os_sphere',
  spheres: 'os_sphere',
  pressures: 'os_iop',
} as const satisfies Record<EyesDiffering, FieldName>

/** All warnings, in the order in which a person would check them. */
export function warningsOf(submission: CheckedSubmission): Warning[] {
  const { images, rejectedValues, sentBefore } = submission
  const before: Warning = {
    kind: 'sentBefore',
    references: [...sentBefore],
    ...worded('intake:warning.sentBefore', { references: sentBefore.join(', ') }),
  }
  return [
    ...(sentBefore.length === 0 ? [] : [before]),
    ...proposalWarnings(submission),
    ...images.flatMap((image) => image.oddities.map((oddity) => ({ ...oddity, imageId: image.id }))),
    ...imagesPerEye(submission),
    ...inOtherUnits(submission),
    ...unusualValues(submission),
    ...missingHalves(submission)
      .filter(({ whole }) => submission.sources[whole] !== 'person')
      .map(({ half, values }) => unusual(half, worded('intake:warning.halfMissing', values))),
    ...eyesDifferingIn(submission.fields).map((what): Warning => ({
      kind: 'eyesDiffer',
      field: DIFFERING_FIELDS[what],
      ...worded(`intake:warning.eyesDiffer.${what}`),
    })),
    ...rejectedValues.map((message): Warning => ({ kind: 'valueNotTaken', ...message })),
  ]
}

function imagesPerEye({
  images,
  unusable,
  requireBothEyes,
  noImageBecause,
  verdict,
}: CheckedSubmission): Warning[] {
  const sent = images.filter((image) => !image.isExcluded)
  const count = (of: Eye): number => sent.filter(({ eye }) => eye === of).length
  return (['right', 'left'] as const).flatMap((eye): Warning[] => {
    const number = count(eye)
    const within = wordingOf(`field:eye.${eye}.within`)
    if (number > MANY_OF_ONE_EYE)
      return [{ kind: 'imageCount', ...worded('intake:warning.manyOfOneEye', { eye: within, number }) }]
    if (verdict?.isOneEyed === true && number > 0)
      return [warn(worded('intake:warning.proposal.oneEyeOnly', { eye: within, number }))]
    const isMissing = number === 0 && count('unknown') === 0 && sent.length > 0
    const isExpected = unusable.some((file) => isPending(file) && file.eye === eye)
    if (!isMissing || isExpected || requireBothEyes || noImageBecause[eye] !== undefined) return []
    return [{ kind: 'eyeWithoutImage', ...worded('intake:warning.eyeWithoutImage', { eye: within }) }]
  })
}

function unusual(field: FieldName, message: Message): Warning {
  return { kind: 'unusualValue', field, ...message }
}

function unusualValues({ fields, vaUnit, today }: CheckedSubmission): Warning[] {
  const { age, visit_date: day } = fields
  const warnings = measurementsOutside(fields, (measurement) => usualRangeOf(measurement, vaUnit)).map(
    ({ field, value, range }) => {
      const values = { field: wordingOf(`field:label.${field}`), value, ...range }
      return unusual(field, worded('intake:warning.unusual', values))
    },
  )
  if (age !== undefined && age > OLDEST_USUAL_AGE)
    warnings.push(unusual('age', worded('intake:warning.unusualAge', { age })))
  if (day !== undefined && daysFrom(day, today) > OLD_VISIT_DAYS)
    warnings.push(unusual('visit_date', worded('intake:warning.oldVisit', { days: OLD_VISIT_DAYS })))
  return warnings
}

/** Nothing converts a value: only a person knows the unit it was meant in. */
function inOtherUnits({ fields, identity }: CheckedSubmission): Warning[] {
  return (identity.unitChanged ?? []).flatMap((field) => {
    const value = fields[field]
    if (value === undefined) return []
    const values = { field: wordingOf(`field:label.${field}`), value }
    return [unusual(field, worded('intake:warning.otherUnit', values))]
  })
}

function warn(message: Message): Warning {
  return { kind: 'checkProposal', ...message }
}

/** Why whose images these are, or their day, is no more than proposed, as far as a sentence says it. */
const OF_PATIENT = ['secondNumber', 'unknownTerm', 'savedAnswer', 'noLink', 'notIntact', 'overruled'] as const
const OF_DAY = ['farFromArrival', 'importedBatch', 'fileTime', 'otherZone'] as const

/** The first of these reasons for which one of the parts is no more than proposed. */
function whyProposed<Why extends Doubt>(
  parts: readonly { readonly kind: string; readonly why?: Doubt }[],
  reasons: readonly Why[],
): readonly Why[] {
  const isWhy = (reason: Why): boolean => parts.some(({ kind, why }) => kind === 'proposed' && why === reason)
  return reasons.filter(isWhy).slice(0, 1)
}

/** What keeps a proposal from being proof. */
function proposalWarnings({ verdict, answered, fields, proposed }: CheckedSubmission): Warning[] {
  if (verdict === null) return []
  const { who, day, together } = verdict
  const eyes = [...verdict.eyes.values()]
  const about = ('about' in who ? who.about : null) ?? ''
  const values = { about, value: fields.history_number ?? '' }
  const openWho = answered.includes('patient') ? [] : [who]
  const openDay = answered.includes('visitDay') ? [] : [day]
  const open = [...(answered.includes('patient') ? [] : [who, together]), ...openDay, ...eyes]
  const warnings = [
    ...whyProposed(openWho, OF_PATIENT).map((why) => worded(`intake:warning.proposal.${why}`, values)),
    ...whyProposed([together], ['twoBursts']).map((why) => worded(`intake:warning.proposal.${why}`)),
    ...whyProposed(openDay, OF_DAY).map((why) => worded(`intake:warning.proposal.${why}`)),
    // What the confirmed profiles of the folder say of the names.
    ...whyProposed(open, RESERVES).map((why) => worded(`intake:warning.proposal.${why}`)),
  ].map(warn)
  // What rests on more than a value is looked at anyway.
  const isProvenElse = [who, day, together, ...eyes].every(({ kind }) => kind === 'proven')
  if (proposed.length > 0 && isProvenElse) {
    const names = proposed.map((name) => wordingOf(`field:label.${name}`))
    warnings.push(warn(worded('intake:warning.proposal.fields', { fields: names })))
  }
  return warnings
}
