/** Merges the drafts of a data file by patient and day, and finds the numbers that two people share. Pure. */
import { mayBeOneName, nameTerms } from '../meaning/persons.ts'
import { comparableNumber, Draft } from './drafts.ts'
import { NAMES, type Value } from './values.ts'

/** What a record may state of the person, beside names in other forms. */
const OF_PERSON = ['history_number', 'last_name', 'first_name', 'birth_date', 'gender'] as const

/** More people under one number say nothing more. */
const MANY_PEOPLE = 8

/**
 * One draft for each patient and day. Parts without a patient join only if they name nothing but files and eyes. If two
 * people have one number, the owner of an image is unknown: files keep that message and their eye, people the number.
 */
export function mergeDrafts(drafts: readonly Draft[]): readonly Draft[] {
  const { shared } = new PeopleByNumber(drafts)
  const merged = new Map<string, Draft>()
  const persons = new Map<string, Map<string, Draft>>()
  const add = (key: string, draft: Draft): void => {
    const into = merged.get(key) ?? new Draft(draft.where)
    into.merge(draft)
    merged.set(key, into)
  }
  for (const [index, draft] of drafts.entries()) {
    const number = numberOf(draft)
    if (number === null || !shared.has(number)) {
      add(keyOf(draft, number) ?? `part ${index}`, draft)
      continue
    }
    const people = persons.get(number) ?? new Map<string, Draft>()
    persons.set(number, people)
    const person = personOf(draft)
    if (people.size < MANY_PEOPLE) people.set(JSON.stringify([...person.values]), person)
    for (const file of draft.files.size > 0 ? draft.files : [null]) {
      const part = new Draft(draft.where)
      part.reject('history_number', { key: 'onePatient' })
      if (file !== null) part.files.set(...file)
      add(JSON.stringify(['shared', number, ...part.files.keys()]), part)
    }
  }
  return [...merged.values(), ...[...persons.values()].flatMap((people) => [...people.values()])]
}

export function numberOf({ values }: Draft): string | null {
  const number = values.get('history_number') ?? null
  return number === null ? null : comparableNumber(String(number))
}

function keyOf({ values, rejected, doubts }: Draft, number: string | null): string | null {
  if (number !== null) return JSON.stringify([number, values.get('visit_date') ?? null])
  return values.size + rejected.size + doubts.size === 0 ? 'files' : null
}

function personOf({ where, values }: Draft): Draft {
  const person = new Draft(where)
  for (const slot of OF_PERSON) {
    const value = values.get(slot) ?? null
    if (value !== null) person.values.set(slot, value)
  }
  return person
}

/** Finds the numbers of a file that different people share. */
export class PeopleByNumber {
  readonly shared = new Set<string>()
  readonly #known = new Map<string, Value>()

  constructor(drafts: readonly Draft[] = []) {
    for (const draft of drafts) this.add(draft)
  }

  /** Twins share birth date and last name, and sometimes, by mistake, a number. */
  add(draft: Draft): void {
    const number = numberOf(draft)
    if (number === null) return
    for (const slot of ['birth_date', ...NAMES] as const) {
      const now = draft.values.get(slot) ?? null
      const before = this.#known.get(`${slot} ${number}`)
      if (now === null) continue
      if (before === undefined) this.#known.set(`${slot} ${number}`, now)
      // An initial, a second first name and an accent make no other person; an ending does.
      else if (slot === 'birth_date' ? before !== now : !mayBeOne(String(before), String(now)))
        this.shared.add(number)
    }
  }
}

function mayBeOne(name: string, other: string): boolean {
  return mayBeOneName(nameTerms(name), nameTerms(other))
}
