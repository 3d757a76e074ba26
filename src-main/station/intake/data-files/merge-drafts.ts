/** Puts together what the rows and blocks of one data file say about the same visit of the same patient. Pure. */
import type { DataFileLabel } from '../sidecar-values.ts'
import { addFile, addValue, contradict, emptyDraft, isSame, reject, type Draft } from './draft-of.ts'

/**
 * One draft for each patient and day. Parts that name no patient are put together only where they name files and
 * eyes and nothing else: two measurements without a patient may be two patients'. Where one number stands beside two
 * people, nobody can say whose each image is: every file is left with that sentence, and with its eye.
 */
export function mergeDrafts(drafts: readonly Draft[], where: DataFileLabel): readonly Draft[] {
  const shared = numbersOfTwoPeople(drafts)
  const merged = new Map<string, Draft>()
  for (const [index, draft] of drafts.entries()) {
    const number = numberOf(draft)
    if (number !== null && shared.has(number)) {
      for (const part of withoutPatient(draft, where)) {
        const key = JSON.stringify(['shared', number, ...part.files.keys()])
        merged.set(key, mergedInto(merged.get(key), part, where))
      }
    } else {
      const key = keyOf(draft) ?? `part ${index}`
      merged.set(key, mergedInto(merged.get(key), draft, where))
    }
  }
  return [...merged.values()]
}

/** The history number as it is compared. */
export function numberOf({ values }: Draft): string | null {
  const number = values.get('history_number')
  return number === undefined ? null : comparableNumber(String(number))
}

/** Capitals and small letters are the same, zeros in front are not. */
export function comparableNumber(historyNumber: string): string {
  return historyNumber.normalize('NFC').toUpperCase()
}

function keyOf(draft: Draft): string | null {
  const number = numberOf(draft)
  if (number !== null) return JSON.stringify([number, draft.values.get('visit_date') ?? null])
  return draft.values.size === 0 && draft.rejected.size === 0 ? 'files' : null
}

function mergedInto(before: Draft | undefined, draft: Draft, where: DataFileLabel): Draft {
  const into = before ?? emptyDraft()
  for (const slot of draft.contradicted) contradict(into, slot, where)
  for (const [slot, value] of draft.values) addValue(into, slot, value, where)
  for (const [path, eye] of draft.files) addFile(into, path, eye, where)
  for (const [field, message] of draft.rejected) reject(into, field, message)
  return into
}

/** The numbers that stand beside two birth dates, or two last names. */
function numbersOfTwoPeople(drafts: readonly Draft[]): ReadonlySet<string> {
  const people = new PeopleByNumber(['birth_date', 'last_name'])
  for (const draft of drafts) people.add(draft)
  return people.shared
}

/** Meets the people of a file one after the other, and knows the numbers that stand beside different ones. */
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
      else if (!isSame(slot, before, now)) this.shared.add(number)
    }
  }
}

function withoutPatient(draft: Draft, where: DataFileLabel): readonly Draft[] {
  const message = `history_number in ${where} was not taken: one patient to a number is expected, and the same number stands beside different people.`
  const files = draft.files.size > 0 ? [...draft.files] : [null]
  return files.map((file) => ({
    ...emptyDraft(),
    files: new Map(file ? [file] : []),
    rejected: new Map([['history_number', message]]),
  }))
}
