/** A case as the screens show it, in the words of the examiner, and a person's corrections as the edit of its form. */
import type { FieldChanges } from '../../src-shared/fields.ts'
import type { Image, Submission, Warning } from '../../src-shared/submission.ts'
import type { Corrections, ExaminedCase, ExaminedNote, ExaminedReason, Subject } from './station.ts'

/** As the station or its outbox has it. */
type AnySubmission = Omit<Submission, 'undoUntil'>

/** `bytesOf`: the id of the bytes of an image; undefined if the clinic wrote no such image. */
export function shownCase(
  submission: AnySubmission,
  isApproved: boolean,
  bytesOf: (image: Image) => string | undefined,
): ExaminedCase {
  const { id, fields, images, reasons } = submission
  return {
    key: id,
    state: stateOf(submission, isApproved),
    historyNumber: fields.history_number ?? null,
    lastName: fields.last_name ?? null,
    firstName: fields.first_name ?? null,
    age: fields.age ?? null,
    gender: fields.gender === undefined ? null : fields.gender === 1 ? 'F' : 'M',
    visitDate: fields.visit_date ?? null,
    pictures: images.flatMap((image) => {
      const bytes = bytesOf(image)
      return bytes === undefined ? [] : [{ path: image.fileName, bytes, eye: image.eye }]
    }),
    reasons: [
      ...reasons.map(({ kind, message, field, wording }) => ({
        kind,
        text: message,
        about: subjectsOf(kind, field, wording?.key),
      })),
      ...oneEyeQuestion(submission),
    ],
    verdicts: submission.verdict,
  }
}

/** What a person enters, as the fields of a form. */
export function fieldsOf({ historyNumber, lastName, firstName, visitDate }: Corrections): FieldChanges {
  return {
    ...(historyNumber !== undefined && { history_number: historyNumber }),
    ...(lastName !== undefined && { last_name: lastName }),
    ...(firstName !== undefined && { first_name: firstName }),
    ...(visitDate !== undefined && { visit_date: visitDate }),
  }
}

type Alarm = { readonly submissionId: string | null; readonly message: string }

/** An alarm about a case that was sent. */
export function alarmNote({ submissionId: caseKey, message: text }: Alarm): ExaminedNote {
  return { text, path: null, bytes: null, caseKey }
}

function stateOf({ state }: AnySubmission, isApproved: boolean): ExaminedCase['state'] {
  if (state === 'collecting' || state === 'incomplete' || state === 'review') return state
  // Damaged images and refusals wait for a person.
  if (state === 'refused' || state === 'held') return 'incomplete'
  return isApproved ? 'sentSeen' : 'sentUnseen'
}

/** What a question asks about, by its kind and field. */
function subjectsOf(kind: string, field: string | undefined, sentence = ''): Subject[] {
  const text = `${kind} ${field ?? ''}`
  if (/FromNames/.test(kind)) return []
  const subjects: Subject[] = []
  if (/eye/i.test(text)) subjects.push('eye')
  if (/date|day/i.test(text)) subjects.push('day')
  if (/patient|identity|history|name|number|gender|birth/i.test(text)) subjects.push('who')
  if (/patients|identity|duplicate|late|belong/i.test(text) || sentence.endsWith('OfMany'))
    subjects.push('belonging')
  return subjects
}

/** A question that does not block: are all images of the one eye that they state? */
function oneEyeQuestion({ state, images, oddities }: AnySubmission): readonly ExaminedReason[] {
  const isOneEyed = images.length > 1 && new Set(images.map(({ eye }) => eye)).size === 1
  if (state !== 'review' || !isOneEyed) return []
  return oddities.flatMap(({ kind, message, wording }: Warning) =>
    wording?.key.endsWith('.oneEyeOnly') === true ? [{ kind, text: message, about: ['eye' as const] }] : [],
  )
}
