/** Merges the drafts of a data file by patient and day, and finds the numbers that two people share. Pure. */
import { mayBeOneName, nameTerms } from '../../cases/meaning/persons.ts'
import { comparableNumber, type DataFileLabel, wrong } from './case-json.ts'
import { addFile, addValue, contradict, type Draft, emptyDraft, OF_PERSON, reject } from './draft.ts'

/**
 * One draft for each patient and day. Parts without a patient join only if they name nothing but files and eyes. If two
 * people have one number, the owner of an image is unknown: files keep that message and their eye, people the number.
 */
export function mergeDrafts(drafts: readonly Draft[], where: DataFileLabel): readonly Draft[] {
  const shared = numbersOfTwoPeople(drafts)
  const merged = new Map<string, Draft>()
  const persons = new Map<string, Map<string, Draft>>()
  for (const [index, draft] of drafts.entries()) {
    const number = numberOf(draft)
    if (number !== null && shared.has(number)) {
      const people = persons.get(number) ?? new Map<string, Draft>()
      const person = personOf(draft)
      if (people.size < MANY_PEOPLE) people.set(JSON.stringify([...person.values]), person)
      persons.set(number, people)
      for (const part of withoutPatient(draft, where)) {
        const key = JSON.stringify(['shared', number, ...part.files.keys()])
        merged.set(key, mergedInto(merged.get(key), part, where))
      }
    } else {
      const key = keyOf(draft) ?? `part ${index}`
      merged.set(key, mergedInto(merged.get(key), draft, where))
    }
  }
  return [...merged.values(), ...[...persons.values()].flatMap((people) => [...people.values()])]
}

export function numberOf({ values }: Draft): string | null {
  const number = values.get('history_number')
  return number === undefined ? null : comparableNumber(String(number))
}

function keyOf(draft: Draft): string | null {
  const number = numberOf(draft)
  if (number !== null) return JSON.stringify([number, draft.values.get('visit_date') ?? null])
  return draft.values.size === 0 && draft.rejected.size === 0 && draft.doubts.size === 0 ? 'files' : null
}

function mergedInto(before: Draft | undefined, draft: Draft, where: DataFileLabel): Draft {
  const into = before ?? emptyDraft()
  for (const slot of draft.contradicted) contradict(into, slot, where)
  for (const [slot, value] of draft.values) addValue(into, slot, value, where)
  for (const [path, eye] of draft.files) addFile(into, path, eye, where)
  for (const eye of draft.eyes) into.eyes.add(eye)
  for (const [field, message] of draft.rejected) reject(into, field, message)
  for (const [about, message] of draft.doubts) into.doubts.set(about, message)
  return into
}

function numbersOfTwoPeople(drafts: readonly Draft[]): ReadonlySet<string> {
  const people = new PeopleByNumber(['birth_date', 'last_name', 'first_name'])
  for (const draft of drafts) people.add(draft)
  return people.shared
}

/** Finds the numbers of a file that different people share. */
export class PeopleByNumber {
  readonly shared = new Set<string>()
  readonly #known = new Map<string, string | number>()
  readonly #slots: readonly ('birth_date' | 'last_name' | 'first_name')[]

  constructor(slots: readonly ('birth_date' | 'last_name' | 'first_name')[]) {
    this.#slots = slots
  }

  add(draft: Draft): void {
    const number = numberOf(draft)
    if (number === null) return
    for (const slot of this.#slots) {
      const now = draft.values.get(slot)
      const before = this.#known.get(`${slot} ${number}`)
      if (now === undefined) continue
      if (before === undefined) this.#known.set(`${slot} ${number}`, now)
      else if (isOfTwo(slot, String(before), String(now))) this.shared.add(number)
    }
  }
}

/** An initial, a second first name and an accent make no other person; an ending does. */
function isOfTwo(slot: 'birth_date' | 'last_name' | 'first_name', one: string, other: string): boolean {
  return slot === 'birth_date' ? one !== other : !mayBeOneName(nameTerms(one), nameTerms(other))
}

/** More people under one number say nothing more. */
const MANY_PEOPLE = 8

function personOf({ values }: Draft): Draft {
  const stated = OF_PERSON.flatMap((slot): [typeof slot, string | number][] => {
    const value = values.get(slot)
    return value === undefined ? [] : [[slot, value]]
  })
  return { ...emptyDraft(), values: new Map(stated) }
}

function withoutPatient(draft: Draft, where: DataFileLabel): readonly Draft[] {
  const message = wrong('history_number', 'onePatient', where)
  const files = draft.files.size > 0 ? [...draft.files] : [null]
  return files.map((file) => ({
    ...emptyDraft(),
    files: new Map(file ? [file] : []),
    rejected: new Map([['history_number', message]]),
  }))
}
