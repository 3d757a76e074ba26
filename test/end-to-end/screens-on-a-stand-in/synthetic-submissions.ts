/** Submissions of invented people in every state, with what belongs to each. */
import { HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { FIELD_NAMES, type Fields } from '../../../src-shared/fields.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'
import { doubtfulSubmission } from './doubtful-submission.ts'
import { attempt, evidence, submission } from './make-submission.ts'

const ANA: Fields = {
  history_number: 'H-00412',
  first_name: 'Synthia',
  last_name: 'Sampleton',
  gender: 1,
  age: 58,
  diabetes: 1,
  visit_date: '2026-11-20',
  visit_reason: 'Diabetes screening',
  ophthalmic_antecedents: 'Cataract surgery 2019, right eye',
  od_iop: 16,
  od_va: 0.8,
  od_sphere: 1.25,
  od_cylinder: -0.5,
  od_axis: 45,
  od_add: 2,
  os_iop: 17,
  os_va: 0.9,
  os_sphere: 1,
  os_cylinder: -0.75,
  os_axis: 170,
  os_add: 2,
}

/** One or more submissions in every state; what the screens show of each is theirs to decide. */
export function syntheticSubmissions(now: number): SubmissionDetails[] {
  const refused = failureOf('serviceRefused', {
    serviceSaid: 'The field gender is required.',
    status: 422,
    requestBytes: 4_212_345,
  })
  const away = failureOf('notAnswering', { status: 503 })
  const lost = failureOf('outcomeUnknown')
  return [
    submission(
      1,
      now,
      { ...ANA, history_number: 'H-00398', first_name: 'Fictor', last_name: 'Demoson' },
      {
        state: 'refused',
        failure: refused,
        attempts: 1,
        attemptList: [
          attempt(1, now - 70 * MINUTE, { outcome: 'refused', handedOverBytes: 4_212_345, failure: refused }),
        ],
        minutesAgo: 75,
      },
    ),
    submission(
      2,
      now,
      { ...ANA, history_number: 'H-00401', first_name: 'Mockbert', last_name: "O'Mocksey" },
      {
        state: 'unconfirmed',
        failure: lost,
        attempts: 1,
        notBefore: now + 12 * MINUTE,
        attemptList: [
          attempt(1, now - 40 * MINUTE, {
            outcome: 'unknown',
            handedOverBytes: 4_212_345,
            failure: lost,
            hasAnswer: true,
          }),
        ],
        evidence: [
          evidence('e1', now - 40 * MINUTE + 2 * SECOND, {
            message: 'No case at the service could be this one.',
          }),
          evidence('e2', now - 39 * MINUTE, { kind: 'lookFailed', message: 'The service is not answering' }),
          evidence('e3', now - 20 * MINUTE, {
            kind: 'sameIdentity',
            caseIds: ['88412'],
            message:
              'A new case of the same patient and visit is at the service. It carries no reference, so a person must say whether it is this one.',
          }),
        ],
        minutesAgo: 44,
      },
    ),
    submission(
      3,
      now,
      { history_number: '20261121', first_name: 'Placeba', last_name: 'Nobodyov\u00e1' },
      {
        state: 'incomplete',
        eyes: 'rl?',
        sources: { history_number: 'folderName' },
        reasons: [
          {
            kind: 'eyeUnknown',
            message: 'Nothing states the eye of an image. Say which eye it is, or leave the image out.',
            imageId: 'i3-3',
          },
          {
            kind: 'fieldMissing',
            message: 'The visit date is missing. Enter it.',
            field: 'visit_date',
          },
        ],
        minutesAgo: 12,
      },
    ),
    submission(
      4,
      now,
      { visit_date: '2026-11-21' },
      {
        state: 'incomplete',
        eyes: '??',
        sources: { visit_date: 'fileTime' },
        reasons: [
          {
            kind: 'fieldMissing',
            message: 'The history number is missing. Enter it.',
            field: 'history_number',
          },
          {
            kind: 'eyeUnknown',
            message: 'Nothing states the eye of an image. Say which eye it is, or leave the image out.',
            imageId: 'i4-1',
          },
          {
            kind: 'eyeUnknown',
            message: 'Nothing states the eye of an image. Say which eye it is, or leave the image out.',
            imageId: 'i4-2',
          },
        ],
        minutesAgo: 9,
      },
    ),
    submission(5, now, ANA, {
      state: 'review',
      eyes: 'rrll',
      sources: Object.fromEntries(FIELD_NAMES.map((name) => [name, 'sidecar' as const])),
      minutesAgo: 6,
    }),
    submission(
      6,
      now,
      { ...ANA, history_number: 'H-00415', first_name: 'Demodora', last_name: 'van Fiktief', age: 34 },
      { state: 'review', eyes: 'rl', minutesAgo: 4 },
    ),
    submission(
      7,
      now,
      { ...ANA, history_number: 'H-00409', first_name: 'Dummund', last_name: 'Testcase' },
      {
        state: 'sending',
        attempts: 1,
        attemptList: [attempt(1, now - 5 * SECOND, { outcome: null, phase: 'sending', endedAt: null })],
        minutesAgo: 21,
      },
    ),
    submission(
      8,
      now,
      { ...ANA, history_number: 'H-00408', first_name: 'Testina', last_name: 'Trialgado' },
      {
        state: 'waiting',
        attempts: 2,
        failure: away,
        notBefore: now + 95 * SECOND,
        attemptList: [
          attempt(1, now - 9 * MINUTE, { failure: failureOf('offline') }),
          attempt(2, now - 4 * MINUTE, { failure: away, handedOverBytes: 1_200_000 }),
        ],
        minutesAgo: 28,
      },
    ),
    submission(
      9,
      now,
      { ...ANA, history_number: 'H-00410', first_name: 'Mock\u00e9line', last_name: 'Demoson' },
      {
        state: 'waiting',
        urgent: true,
        minutesAgo: 17,
      },
    ),
    submission(
      10,
      now,
      { ...ANA, history_number: 'H-00411', first_name: 'Placebo', last_name: 'Sampleton' },
      {
        state: 'waiting',
        minutesAgo: 16,
      },
    ),
    submission(
      11,
      now,
      { ...ANA, history_number: 'H-00377', first_name: 'Sampl\u00f3n', last_name: 'Nobodyov\u00e1' },
      {
        state: 'held',
        minutesAgo: 24 * 60,
      },
    ),
    submission(
      12,
      now,
      { history_number: 'H-00416', visit_date: '2026-11-21' },
      {
        state: 'collecting',
        eyes: 'r',
        minutesAgo: 1,
      },
    ),
    doubtfulSubmission(now, ANA),
    ...sentSubmissions(now),
    submission(
      20,
      now,
      { ...ANA, history_number: 'H-00300', first_name: 'Fictoria', last_name: 'Testcase' },
      {
        state: 'discarded',
        minutesAgo: 26 * 60,
      },
    ),
  ]
}

function sentSubmissions(now: number): SubmissionDetails[] {
  return ['88390', '88391', '88395', '88401', '88402', '88403', '88405'].map((caseId, index) => {
    const sentAt = now - (index + 1) * 2 * HOUR
    return submission(
      30 + index,
      now,
      {
        ...ANA,
        history_number: `H-0035${index}`,
        first_name:
          ['Synthia', 'Testopher', 'Testina', 'Fictor', 'Placeba', 'Dummund', 'Demodora'][index] ?? '',
        last_name:
          ['Demoson', 'Sampleton', 'Trialgado', 'Testcase', "O'Mocksey", 'van Fiktief', 'Demoson'][index] ??
          '',
      },
      {
        state: 'sent',
        eyes: index % 2 === 0 ? 'rl' : 'rrll',
        caseId,
        attempts: 1,
        sentAt,
        confirmedAt: sentAt + 3 * SECOND,
        hasReport: index < 6,
        attemptList: [attempt(1, sentAt, { outcome: 'delivered', handedOverBytes: 4_212_345 })],
        evidence: [
          evidence(`e${index}`, sentAt + 3 * SECOND, {
            kind: 'readBack',
            caseIds: [caseId],
            message: "The case was read back in the service's list, and nothing in it speaks against it.",
          }),
        ],
        minutesAgo: 60 * (index + 1) * 2 + 5,
      },
    )
  })
}
