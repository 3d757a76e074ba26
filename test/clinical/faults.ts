/**
 * Compares one case of the station with the truth. An examiner has to be fair: a value is wrong only if no reader could
 * call it the same, and only what the station states counts, never what it leaves open.
 */
import type { ExaminedCase, Subject } from './station.ts'
import type { Certainty, Clinic, Person, PictureTruth } from './world.ts'

/** What is wrong with a case as it is shown or was sent. */
export type Fault = 'wrong eye' | 'wrong patient' | 'mixed patients' | 'wrong day' | 'unproven'

/** Which question of the station would cover a fault. */
export const COVERED_BY: Readonly<Record<Fault, readonly Subject[]>> = {
  'wrong eye': ['eye'],
  'wrong patient': ['who', 'belonging'],
  // To ask for a number says nothing of several people.
  'mixed patients': ['belonging'],
  'wrong day': ['day', 'belonging'],
  unproven: [],
}

const NOT_ALPHANUMERIC = /[^\p{L}\p{N}]/gu

const squeezed = new Map<string, string>()

/** Upper case without spaces and separators: `943 476 5919` and `943-476-5919` are one number, `4512` and `004512` two. */
function squeeze(text: string): string {
  const known = squeezed.get(text)
  if (known !== undefined) return known
  if (squeezed.size > 50_000) squeezed.clear()
  const result = text.normalize('NFC').toUpperCase().replace(NOT_ALPHANUMERIC, '')
  squeezed.set(text, result)
  return result
}

/** What is in no number: the marks of spreadsheets and interfaces, full-width digits, what no one can see. */
const NOT_OF_NUMBERS = /[^\p{L}0-9 ./_-]/u

/** Whether this text is one of the person's numbers. */
export function isNumberOf(person: Person, text: string): boolean {
  if (text === person.id) return true
  if (NOT_OF_NUMBERS.test(text)) return false
  const number = squeeze(text)
  return number === squeeze(person.id) || person.aliases.some((alias) => squeeze(alias) === number)
}

const MARKS = /\p{M}/gu
const NAME_PARTS = /[\p{L}\p{N}]+/gu

const fold = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(MARKS, '')
    .replaceAll(/['’`]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('đ', 'd')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll(/([aou])e/g, '$1')
    .match(NAME_PARTS) ?? []

/**
 * Whether every part of a stated name is a part, or the initial of one, of the person's; order, marks and whether a letter
 * is transliterated with two do not matter.
 */
export function isNameOf(person: Person, ...stated: readonly (string | null)[]): boolean {
  const own = fold(`${person.last} ${person.first}`)
  const joined = own.join('')
  return stated.every(
    (text) =>
      text === null ||
      text === person.last ||
      text === person.first ||
      fold(text).every(
        (part) => own.includes(part) || (part.length === 1 && own.some((name) => name.startsWith(part))),
      ) ||
      joined.includes(fold(text).join('')),
  )
}

/** The truth of a case's pictures; those that the clinic never wrote are a fault of the station under examination. */
export function truthsOf(clinic: Clinic, examined: ExaminedCase): PictureTruth[] {
  return examined.pictures.map(({ bytes, path }) => {
    const truth = clinic.pictures.get(bytes)
    if (truth === undefined) throw new Error(`The clinic wrote no such picture: ${path}`)
    return truth
  })
}

const isStatedOtherwise = (stated: string | null, truth: string): boolean =>
  stated !== null && stated !== truth

/** The age of a person in whole years. Days are `YYYY-MM-DD`. */
export function ageOn({ birthDate }: Person, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return day.slice(5) < birthDate.slice(5) ? years - 1 : years
}

/** The faults of a case in any state; `hasProfile`: a person confirmed a profile, so that names prove. */
export function faultsOf(
  clinic: Clinic,
  examined: ExaminedCase,
  hasProfile = false,
): ReadonlyMap<Fault, PictureTruth> {
  const faults = new Map<Fault, PictureTruth>()
  const truths = truthsOf(clinic, examined)
  const first = truths[0]
  if (first === undefined) return faults
  const { person: firstPerson, day: firstDay } = clinic.visits[first.visit]!
  for (const [index, truth] of truths.entries()) {
    const { person, day } = clinic.visits[truth.visit]!
    if (person !== firstPerson) faults.set('mixed patients', truth)
    const isPerson =
      (examined.historyNumber === null || isNumberOf(person, examined.historyNumber)) &&
      isNameOf(person, examined.lastName, examined.firstName) &&
      // Stated ages are rounded in either direction.
      (examined.age === null || Math.abs(examined.age - ageOn(person, examined.visitDate ?? day)) <= 1) &&
      !isStatedOtherwise(examined.gender, person.sex)
    if (!isPerson) faults.set('wrong patient', truth)
    if (day !== (examined.visitDate ?? firstDay)) faults.set('wrong day', truth)
    const { eye } = examined.pictures[index]!
    if (eye !== 'unknown' && eye !== truth.eye) faults.set('wrong eye', truth)
    if (examined.state === 'sentUnseen' && !isProven(examined, index, truth, hasProfile))
      faults.set('unproven', truth)
  }
  return faults
}

/** Whether everything that left unseen about this picture could be proven; a damaged one waits for a person. */
function isProven(examined: ExaminedCase, index: number, truth: PictureTruth, hasProfile: boolean): boolean {
  const { who, day, eye } = truth.facts
  return (
    !truth.isDamaged &&
    examined.historyNumber !== null &&
    examined.pictures[index]!.eye !== 'unknown' &&
    mayGo(who, hasProfile) &&
    mayGo(eye, hasProfile) &&
    (examined.visitDate === null || mayGo(day, hasProfile))
  )
}

function mayGo(certainty: Certainty, hasProfile: boolean): boolean {
  return certainty === 'proof' || (hasProfile && (certainty === 'read' || certainty === 'alone'))
}

/** Whether a question of the case asks about this fault. */
export function isAskedAbout(examined: ExaminedCase, fault: Fault): boolean {
  const subjects = COVERED_BY[fault]
  return examined.reasons.some(({ about }) => about.some((subject) => subjects.includes(subject)))
}
