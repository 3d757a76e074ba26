/** A case of the examined station: what is left to ask about it, and how the screen shows it. */
import { type Clearance, clearanceFor } from '../tools/nothing-learnt.ts'
import { bareId } from '../../src-main/station/cases/meaning/numbers.ts'
import { contradictionOf, type Person } from '../../src-main/station/cases/meaning/persons.ts'
import { valueIn } from '../../src-main/station/cases/verdict/verdict.ts'
import { type VisitVerdict } from '../../src-main/station/cases/verdict/visit.ts'
import type { KnownPicture } from './examined-evidence.ts'
import type { Corrections, ExaminedCase, ExaminedReason, ExaminedState } from './station.ts'

export type HeldPicture = KnownPicture & { home: HeldCase | null }

export type HeldCase = {
  readonly key: string
  readonly group: string
  readonly pictures: HeldPicture[]
  quietAt: number
  state: ExaminedState
  entered: Corrections
  /** The pictures that were there when a person entered the number. */
  enteredFor: ReadonlySet<string>
  /** The case that was sent before this one of the same patient and day. */
  readonly lateFor: string | null
  shown: ExaminedCase | null
}

export function isOpen({ state }: HeldCase): boolean {
  return state === 'collecting' || state === 'incomplete' || state === 'review'
}

/** The number that an open case holds: entered, proven, stated by a header, or stated and asked about. */
export function statedNumber({ entered }: HeldCase, { who }: VisitVerdict): string | null {
  if (entered.historyNumber !== undefined) return entered.historyNumber
  if (who.kind === 'unknown') return who.why === 'placeholder' ? (who.about ?? null) : null
  const isStated =
    who.kind === 'proven' || (who.kind === 'proposed' && who.by.some(({ source }) => source === 'dicom'))
  return isStated ? who.value : null
}

/** Were all its pictures there when a person entered its number? */
export function isAllEntered({ enteredFor, pictures }: HeldCase): boolean {
  return pictures.every(({ id }) => enteredFor.has(id))
}

/** What is left to ask after a person's answers. */
export function clearanceAfterAnswers(held: HeldCase, verdict: VisitVerdict): Clearance {
  const { entered } = held
  const isAll = isAllEntered(held)
  type Kind = VisitVerdict['who']['kind']
  const answered = (kind: Kind, isAnswered: boolean): Kind => (isAnswered && isAll ? 'proposed' : kind)
  return clearanceFor([
    answered(verdict.who.kind, entered.historyNumber !== undefined),
    answered(verdict.day.kind, entered.visitDate !== undefined),
    answered(verdict.together.kind, entered.historyNumber !== undefined),
    verdict.isOneEyed ? 'proposed' : 'proven',
    ...[...verdict.eyes].map(([id, { kind }]) => (entered.eyes?.[id] === undefined ? kind : 'proposed')),
  ])
}

/** The case as the screen shows it; `peopleOf`: the people that its sources name for a number. */
export function showCase(
  held: HeldCase,
  verdict: VisitVerdict,
  peopleOf: (number: string | null) => readonly Person[],
): ExaminedCase {
  const { entered } = held
  const historyNumber = entered.historyNumber ?? valueIn(verdict.who)
  const people = peopleOf(historyNumber)
  const agreed = <Key extends keyof Person>(key: Key): Person[Key] | null => {
    const values = new Set(people.flatMap((one) => one[key] ?? []))
    return values.size === 1 ? (people.find((one) => one[key] !== null)?.[key] ?? null) : null
  }
  const [person] = people
  const isOnePerson = people.every((one) => contradictionOf(one, people[0] ?? one) === null)
  const sex = agreed('sex')
  return {
    key: held.key,
    state: held.state,
    historyNumber,
    lastName: entered.lastName ?? (isOnePerson ? (person?.lastName ?? null) : null),
    firstName: entered.firstName ?? (isOnePerson ? (person?.firstName ?? null) : null),
    age: null,
    birthDate: agreed('birthDate'),
    gender: sex === 'F' || sex === 'M' ? sex : null,
    visitDate: entered.visitDate ?? valueIn(verdict.day),
    pictures: held.pictures.map(({ id, paths }) => {
      const eye = verdict.eyes.get(id)
      return {
        path: paths[0] ?? '',
        bytes: id,
        eye: entered.eyes?.[id] ?? (eye ? valueIn(eye) : null) ?? 'unknown',
      }
    }),
    reasons: reasonsOf(verdict, held),
    verdicts: verdict,
  }
}

/** Does what is known now contradict the case as it was sent? */
export function isContradicted(
  sent: ExaminedCase,
  verdict: VisitVerdict,
  people: readonly Person[],
): boolean {
  const { who, day, eyes } = verdict
  const isOther = (now: string | null, before: string | null): boolean =>
    now !== null && before !== null && bareId(now) !== bareId(before)
  const { lastName, firstName, birthDate, gender } = sent
  const person: Person = { lastName, firstName, birthDate, sex: gender }
  return (
    who.kind === 'disputed' ||
    isOther(valueIn(who), sent.historyNumber) ||
    people.some((one) => contradictionOf(one, person) !== null) ||
    isOther(valueIn(day), sent.visitDate) ||
    sent.pictures.some(({ bytes, eye }) => {
      const now = eyes.get(bytes)
      const value = now ? valueIn(now) : null
      return now?.kind === 'disputed' || (value !== null && value !== eye)
    })
  )
}

function reasonsOf(verdict: VisitVerdict, held: HeldCase): ExaminedReason[] {
  const { who, day, eyes, together } = verdict
  const asks = (kind: string): boolean => kind === 'disputed' || kind === 'unknown'
  const reasons: ExaminedReason[] = []
  if (asks(who.kind) && (held.entered.historyNumber === undefined || !isAllEntered(held)))
    reasons.push({ kind: who.kind, text: JSON.stringify(who), about: ['who', 'belonging'] })
  else if (who.kind === 'proposed') reasons.push({ kind: who.why, text: who.about ?? '', about: [] })
  if (asks(day.kind)) reasons.push({ kind: day.kind, text: JSON.stringify(day), about: ['day'] })
  else if (day.kind === 'proposed') reasons.push({ kind: day.why, text: '', about: [] })
  if (together.kind === 'unknown')
    reasons.push({ kind: together.why, text: 'How many patients?', about: ['who', 'belonging'] })
  for (const [id, eye] of eyes)
    if (asks(eye.kind)) reasons.push({ kind: eye.kind, text: `${id} ${JSON.stringify(eye)}`, about: ['eye'] })
  if (verdict.isOneEyed) reasons.push({ kind: 'oneEyeOnly', text: '', about: ['eye'] })
  if (held.lateFor !== null) reasons.push({ kind: 'lateImage', text: held.lateFor, about: ['belonging'] })
  return reasons
}
