/** A person's answers beside what the sources state now: an answer holds until a new source states something new. */
import type { StatedEye } from '../../../src-shared/measurement-ranges.ts'
import { hash } from 'node:crypto'
import type { FieldName } from '../../../src-shared/fields.ts'
import type { Stated } from '../../../src-shared/proof.ts'
import type { ImageRow } from '../outbox/rows.ts'
import { type Answer, answerColumn, type NamedOnly, type StoredIdentity } from '../json-columns.ts'
import type { ComposedContent } from './content.ts'
import { bareId } from './meaning/numbers.ts'
import { contradictionOf, labelOf, personIn } from './meaning/persons.ts'
import {
  type Statement,
  statementOf,
  statementsIn,
  valueIn,
  type Verdict,
  weighed,
} from './verdict/evidence.ts'
import { isOfOneEye, type VisitVerdict } from './verdict/visit.ts'
import { type SubmissionEvidence, voicesOnDay, voicesOnPatient } from './visits/identity.ts'
import type { CollectedPicture } from './visits/pictures.ts'

/** What a person has answered for all images that are there: `together` that they are of one patient and visit. */
export type Answered = NamedOnly | 'together'

type Content = Pick<ComposedContent, 'fields' | 'sources'>

/** All that answers of persons are compared with, and what is known of them. */
type Asked = SubmissionEvidence &
  Content & { readonly identity: StoredIdentity; readonly images: readonly ImageRow[] }

const FIELD_OF = { patient: 'history_number', visitDay: 'visit_date' } as const
const VOICES_ON = { patient: voicesOnPatient, visitDay: voicesOnDay } as const

/** What of a case a person has entered. */
export function enteredIn(sources: Content['sources']): readonly NamedOnly[] {
  return (['patient', 'visitDay'] as const).filter((fact) => sources[FIELD_OF[fact]] === 'person')
}

/** Notes what spoke of patient and day when a person entered them, and was shown: only something else asks again. */
export function withAnswers({ identity, sources, pictures }: Asked): StoredIdentity {
  const { settled: { together, ...before } = {}, ...rest } = identity
  const answers = enteredIn(sources).map((fact) => [fact, completed(before[fact], VOICES_ON[fact](pictures))])
  if (answers.length === 0 && !together) return rest
  return { ...rest, settled: { ...Object.fromEntries(answers), ...(together && { together }) } }
}

/** An answer with what it settles: of all that speaks now, what was shown. */
function completed(answer: Answer = { by: null, at: null }, voices: readonly string[]): Answer {
  const { shown, statements, ...signature } = answer
  const isShown = (voice: string): boolean => shown === undefined || shown.includes(digestOf(voice))
  return { ...signature, statements: statements ?? voices.filter(isShown) }
}

/** Everything that speaks of a case by now. */
export function statedIn(evidence: SubmissionEvidence, images: readonly ImageRow[]): Stated {
  const { pictures } = evidence
  return {
    patient: voicesOnPatient(pictures).map(digestOf),
    visitDay: voicesOnDay(pictures).map(digestOf),
    eyes: Object.fromEntries(images.map((image) => [image.id, voicesOnImage(image, evidence).map(digestOf)])),
  }
}

/** Short, because a case may have many: it need not resist anyone. */
function digestOf(voice: string): string {
  return hash('sha256', voice).slice(0, 12)
}

/** The images with the choices of eyes that are new completed: everything that speaks now was known to the person. */
export function withChoicesSettled(
  images: readonly ImageRow[],
  evidence: SubmissionEvidence,
): readonly ImageRow[] {
  return images.map((image) => {
    const answer = eyeAnswerOf(image) ?? undefined
    if (image.eye_source !== 'person' || answer?.statements !== undefined) return image
    return { ...image, eye_settled: JSON.stringify(completed(answer, voicesOnImage(image, evidence))) }
  })
}

/** Who chose the eye of an image; null if that is not recorded. An answer that cannot be read settles nothing. */
export function eyeAnswerOf({ eye_source, eye_settled }: ImageRow): Answer | null {
  if (eye_source !== 'person' || eye_settled === null) return null
  return answerColumn.readOr(eye_settled, { statements: [], by: null, at: null })
}

/** Is everything that speaks known to the person, or the very answer? */
function isSettled(own: string | undefined, voices: readonly string[], answer: Answer | undefined): boolean {
  return voices.every((voice) => answer?.statements?.includes(voice) || voice === own)
}

/** What a person has answered for everything that is there. A new source with a new value asks again. */
function answeredIn({ identity, fields, sources, pictures, images }: Asked): readonly Answered[] {
  const { settled = {}, joinedAfterEntry = [] } = identity
  const { history_number: number, visit_date: visitDay } = fields
  const own = { patient: number && bareId(number), visitDay }
  const entered = enteredIn(sources).filter(
    (fact) =>
      !joinedAfterEntry.includes(fact) && isSettled(own[fact], VOICES_ON[fact](pictures), settled[fact]),
  )
  return areTogether(images, settled.together?.statements) ? [...entered, 'together'] : entered
}

/** A person grouped exactly these images. */
export function areTogether(images: readonly ImageRow[], known: readonly string[] = []): boolean {
  const isKnown = ({ id }: ImageRow): boolean =>
    [id, ...images.filter(({ twin_of }) => twin_of === id).map((twin) => twin.id)].some((each) =>
      known.includes(each),
    )
  return images.filter(({ twin_of }) => twin_of === null).every(isKnown)
}

/** The verdict, and the eyes, with what persons answered. No entry settles that two people have one number (`sharersOf`). */
export function answeredVerdict(asked: Asked, sharers: readonly Statement<string>[]) {
  const { verdict, pictures } = asked
  const entered = answeredIn(asked)
  const answered = sharers.length === 0 ? entered : entered.filter((fact) => fact !== 'patient')
  const overruled = overruledIn(asked)
  const eyes = new Map(eyesWithChoices(asked))
  for (const { id, eyes: stated } of pictures) {
    const eye = eyes.get(id)
    if (eye?.kind === 'proven' && eye.by.every(({ source }) => source !== 'person'))
      eyes.set(id, weighed(eye, [withDoubt(stated, overruled)]))
  }
  if (verdict === null) return { answered, verdict, eyes }
  const own = withoutOverruled(besideEntry(verdict, asked, answered), pictures, overruled)
  const who = sharers.length > 0 ? sharedBy(sharers, asked) : own.who
  const isOneEyed = verdict.isOneEyed && isOfOneEye([...eyes.values()].map(valueIn))
  return { answered, verdict: { ...own, who, isOneEyed }, eyes }
}

function sharedBy(sharers: readonly Statement<string>[], { fields, sources }: Asked): Verdict<string> {
  const { history_number: about = '', last_name, first_name } = fields
  const value = [last_name, first_name].filter(Boolean).join(' ') || about
  const source = sources.last_name ?? sources.history_number ?? 'person'
  const statements = [...sharers, statementOf(value, source)]
  return { kind: 'disputed', statements, why: 'sharedNumber', about }
}

function keyOf({ source, where }: Pick<Statement<unknown>, 'source' | 'where'>): string {
  return `${source} ${where}`
}

/** The sources that a person found wrong about one thing: what else they state is a proposal, and no answer settles it. */
function overruledIn({ fields, sources, pictures, images }: Asked): ReadonlySet<string> {
  const { history_number: number, visit_date: day } = fields
  return new Set(
    pictures.flatMap(({ id, ids, days, eyes }) => {
      const image = images.find((one) => one.id === id)
      const chosen = image?.eye_source === 'person' && image.eye !== 'unknown' ? image.eye : null
      return [
        ...eyes.filter(({ value }) => chosen !== null && value !== chosen),
        ...days.filter(({ value }) => sources.visit_date === 'person' && day !== undefined && value !== day),
        // Another patient chosen at the camera makes no other eye of the file, but a data file may be of another image.
        ...ids.filter(
          ({ value, source }) =>
            source !== 'dicom' &&
            sources.history_number === 'person' &&
            number !== undefined &&
            bareId(value) !== bareId(number),
        ),
      ].map(keyOf)
    }),
  )
}

function withDoubt<Value>(
  statements: readonly Statement<Value>[],
  overruled: ReadonlySet<string>,
): readonly Statement<Value>[] {
  return statements.map((one) => (overruled.has(keyOf(one)) ? { ...one, doubt: 'overruled' } : one))
}

function withoutOverruled(
  verdict: VisitVerdict,
  pictures: readonly CollectedPicture[],
  overruled: ReadonlySet<string>,
): VisitVerdict {
  if (overruled.size === 0) return verdict
  const [ids, days] = [pictures.map((picture) => picture.ids), pictures.map((picture) => picture.days)]
  const doubted = (statements: readonly Statement<string>[]) => withDoubt(statements, overruled)
  const who = weighed(verdict.who, ids.map(doubted))
  const day = weighed(verdict.day, days.map(doubted))
  return { ...verdict, who, day }
}

/** The verdict beside what a person entered before: a source that came since and says otherwise is a dispute. */
function besideEntry(verdict: VisitVerdict, asked: Asked, answered: readonly Answered[]): VisitVerdict {
  const { who, day } = verdict
  const otherWho = answered.includes('patient')
    ? null
    : (patientBesideEntry(who, asked) ?? personBesideEntry(who, asked))
  const otherDay = answered.includes('visitDay') ? null : dayBesideEntry(day, asked)
  return { ...verdict, who: otherWho ?? who, day: otherDay ?? day }
}

/** Who a case is of, as a person entered it, beside what its sources state; null if they agree. */
function patientBesideEntry(
  who: Verdict<string>,
  { fields: { history_number: entered }, sources }: Asked,
): Verdict<string> | null {
  if (entered === undefined || sources.history_number !== 'person') return null
  // Which people they are, no number answers.
  if (who.kind === 'disputed' && (who.why === 'twoPeople' || who.why === 'sharedNumber')) return null
  return disputedBy(entered, who, (value) => bareId(value) === bareId(entered))
}

/** What sources state otherwise than a person entered before: chosen once more, it answers what came since. */
function disputedBy(
  entered: string,
  verdict: Verdict<string>,
  isEntered: (value: string) => boolean,
): Verdict<string> | null {
  const own = statementOf(entered, 'person')
  if (verdict.kind === 'disputed')
    return { ...verdict, statements: [own, ...verdict.statements.filter(({ value }) => value !== entered)] }
  if (verdict.kind === 'unknown' || isEntered(verdict.value)) return null
  return { kind: 'disputed', statements: [own, ...verdict.by.slice(0, 1)], why: 'sourcesDiffer' }
}

/** Another person under the number that a person entered together with a name. */
function personBesideEntry(
  who: Verdict<string>,
  { fields, sources, pictures }: Asked,
): Verdict<string> | null {
  if (sources.history_number !== 'person' || (who.kind !== 'proven' && who.kind !== 'proposed')) return null
  const stated = Object.entries(fields).filter(([name]) => sources[name as FieldName] === 'person')
  const entered = personIn({ fields: Object.fromEntries(stated), birthDate: null })
  const other = pictures
    .flatMap(({ people }) => people)
    .find(({ value }) => contradictionOf(entered, value) !== null)
  if (other === undefined) return null
  return {
    kind: 'disputed',
    statements: [statementOf(labelOf(entered), 'person'), { ...other, value: labelOf(other.value) }],
    why: 'twoPeople',
  }
}

/** The time of a file contradicts no person. */
function dayBesideEntry(
  day: Verdict<string>,
  { fields: { visit_date: entered }, sources }: Asked,
): Verdict<string> | null {
  if (entered === undefined || sources.visit_date !== 'person') return null
  if (day.kind !== 'disputed' && statementsIn(day).every(({ source }) => source === 'fileTime')) return null
  return disputedBy(entered, day, (value) => value === entered)
}

/** Images of several patients? No value answers that, only a person who separates them or says they are of one. */
export function doubtOfMany(
  { who, together }: Pick<VisitVerdict, 'who' | 'together'>,
  answered: readonly Answered[],
): 'howManyPatients' | 'twoPatients' | null {
  if (answered.includes('together')) return null
  if (together.kind === 'unknown') return 'howManyPatients'
  if (who.kind !== 'disputed') return null
  return who.why === 'twoPeople' || (who.groups?.length ?? 0) > 1 ? 'twoPatients' : null
}

/** Everything that speaks of the eye of one image, or of its twin, with its source: a choice settles it. */
function voicesOnImage({ id, twin_of }: ImageRow, { verdict, pictures }: SubmissionEvidence): string[] {
  const shown = twin_of ?? id
  const stated = pictures.find((picture) => picture.id === shown)?.eyes ?? []
  const weighed = verdict?.eyes.get(shown)
  const statements = [...stated, ...(weighed ? statementsIn(weighed) : [])]
  return [...new Set(statements.map(({ source, value }) => `${source} ${value}`))].toSorted()
}

/** The eyes with those that persons chose: a new source that states the other eye disputes a choice. */
function eyesWithChoices({ images, pictures, eyes: stated }: Asked): ReadonlyMap<string, Verdict<StatedEye>> {
  const eyes = new Map(stated)
  for (const image of images) {
    const { id, eye, eye_source: source } = image
    if (source !== 'person' || eye === 'unknown') continue
    const choice = statementOf<StatedEye>(eye, 'person')
    const known = eyeAnswerOf(image)?.statements ?? null
    const own = pictures.find((picture) => picture.id === id)?.eyes ?? []
    const before = eyes.get(id)
    const other = [...own, ...(before ? statementsIn(before) : [])].find(
      ({ source: by, value }) => known !== null && value !== eye && !known.includes(`${by} ${value}`),
    )
    eyes.set(
      id,
      other === undefined
        ? { kind: 'proven', value: eye, by: [choice] }
        : { kind: 'disputed', statements: [choice, other], why: 'sourcesDiffer' },
    )
  }
  return eyes
}
