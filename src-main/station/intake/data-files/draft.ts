/** Merges the statements of a data file into drafts, one for each visit. Values stated twice must agree. Pure. */
import { type FieldName, type Fields, isFieldName } from '../../../../src-shared/fields.ts'
import { type Message, wordingOf } from '../../../../src-shared/wording.ts'
import { mayBeOneName, nameTerms } from '../meaning/persons.ts'
import type { Sidecar, StatedEye } from '../evidence.ts'
import type { DateOrder } from '../meaning/dates.ts'
import {
  asRejected,
  comparableNumber,
  type DataFileLabel,
  outside,
  safeRelativePath,
  wrong,
} from './case-json.ts'
import type { Meaning, Statement, Statements } from './names.ts'
import {
  isNothing,
  type NameOrder,
  personNamesOf,
  readDayOf,
  readForeignField,
  sexLetterOf,
  type ValueRules,
} from './values.ts'

type DraftRules = ValueRules & { readonly nameOrder: NameOrder }

type Slot = FieldName | 'birth_date'

type Value = string | number

/** The values of one visit while they are collected. Only this file writes to it. */
export type Draft = {
  readonly values: Map<Slot, Value>
  /** Stated with different values: none is taken, including later ones. */
  readonly contradicted: Set<Slot>
  readonly files: Map<string, StatedEye | 'contradicted' | null>
  /** The eyes that it states for itself, beside no file and no measurement. */
  readonly eyes: Set<StatedEye>
  /** By field, the first message of each. */
  readonly rejected: Map<string, Message>
  /** By what they are about: why the whole of it proposes only. */
  readonly doubts: Map<string, Message>
}

export function emptyDraft(): Draft {
  return {
    values: new Map(),
    contradicted: new Set(),
    files: new Map(),
    eyes: new Set(),
    rejected: new Map(),
    doubts: new Map(),
  }
}

const MAX_PATH_LETTERS = 1_000

/** The values of these statements. If several names state one value, a name mapped by a person comes first. */
export function buildDraft(statements: Statements, rules: DraftRules): Draft {
  const draft = emptyDraft()
  const stated = statements.filter(({ value }) => !isNothing(value))
  for (const [slot, ofSlot] of Map.groupBy(stated, slotOf)) {
    if (slot === null) continue
    for (const statement of mostAuthoritative(ofSlot)) readInto(draft, slot, statement, rules)
  }
  for (const statement of stated) {
    const { meaning } = statement
    if (meaning.kind === 'measurement' && !slotOf(statement))
      reject(draft, meaning.measurement, wrong(meaning.measurement, 'eyeBeside', rules.where))
    if (meaning.kind === 'eye' && statement.eye === 'unclear')
      reject(draft, 'eye', wrong(wordingOf('intake:dataFile.name.eye'), 'eye', rules.where))
    if (meaning.kind === 'eye' && (statement.eye === 'right' || statement.eye === 'left'))
      if (statement.isOfMeasurement === undefined) draft.eyes.add(statement.eye)
    if (meaning.kind === 'file') addNamedFile(draft, statement, rules.where)
  }
  addNames(draft, stated, rules)
  return draft
}

function slotOf({ meaning, eye }: Statement): Slot | null {
  if (meaning.kind === 'field') return meaning.field
  if (meaning.kind === 'birthDate') return 'birth_date'
  if (meaning.kind === 'plainDate') return 'visit_date'
  if (meaning.kind !== 'measurement' || eye === null || eye === 'unclear') return null
  return `${eye === 'right' ? 'od' : 'os'}_${meaning.measurement}`
}

function mostAuthoritative(statements: Statements): Statements {
  for (const authority of ['person', 'interface'] as const) {
    const found = statements.filter((statement) => statement.authority === authority)
    if (found.length > 0) return found
  }
  // A day named as the visit's takes precedence over a plain date.
  const named = statements.filter(({ meaning }) => meaning.kind !== 'plainDate')
  return named.length > 0 ? named : statements
}

function readInto(draft: Draft, slot: Slot, statement: Statement, rules: DraftRules): void {
  const read =
    slot === 'birth_date'
      ? readDayOf(slot, statement.value, rules)
      : readForeignField(slot, statement.value, statement.plainName, rules)
  if (read.kind === 'wrong') reject(draft, slot, read)
  if (read.kind === 'value' && read.doubt) draft.doubts.set(slot, read.doubt)
  if (read.kind === 'value' && read.value !== undefined) addValue(draft, slot, read.value, rules.where)
}

/** Adds a value; a different earlier value removes both. */
export function addValue(draft: Draft, slot: Slot, value: Value, where: DataFileLabel): void {
  if (draft.contradicted.has(slot)) return
  const before = draft.values.get(slot)
  if (before === undefined) draft.values.set(slot, value)
  else if (!isSame(slot, before, value)) contradict(draft, slot, where)
}

export function contradict(draft: Draft, slot: Slot, where: DataFileLabel): void {
  draft.values.delete(slot)
  draft.contradicted.add(slot)
  draft.rejected.set(slot, wrong(slot, 'oneValue', where))
}

/** Names and numbers of patients are compared without case. */
function isSame(slot: Slot, one: Value, other: Value): boolean {
  if (slot !== 'last_name' && slot !== 'first_name' && slot !== 'history_number') return one === other
  return folded(one) === folded(other)
}

function folded(value: Value): string {
  return String(value).normalize('NFC').toUpperCase().replaceAll(/\s+/g, ' ')
}

/** Adds a file and the eye stated beside it; a different earlier eye removes both. */
function addFile(
  draft: Draft,
  path: string,
  eye: StatedEye | 'contradicted' | null,
  where: DataFileLabel,
): void {
  const before = draft.files.get(path) ?? null
  const isContradiction = before !== null && eye !== null && before !== eye
  draft.files.set(path, isContradiction ? 'contradicted' : (eye ?? before))
  if (isContradiction || eye === 'contradicted')
    reject(draft, 'eye', wrong(wordingOf('intake:dataFile.name.eyeOfFile'), 'oneEye', where))
}

export function reject(draft: Draft, field: string, message: Message): void {
  if (!draft.rejected.has(field)) draft.rejected.set(field, message)
}

function addNamedFile(draft: Draft, { value, eye }: Statement, where: DataFileLabel): void {
  const name = typeof value === 'string' ? value.trim() : ''
  const path = name.length <= MAX_PATH_LETTERS ? safeRelativePath(name) : null
  if (path) addFile(draft, path, eye === 'unclear' ? null : eye, where)
  else reject(draft, 'file', outside(where))
}

function addNames(draft: Draft, stated: Statements, rules: DraftRules): void {
  const names = personNamesOf(stated, rules)
  const has = (slot: 'first_name' | 'last_name'): boolean =>
    draft.values.has(slot) || draft.contradicted.has(slot)
  if (names.lastName !== null && !has('last_name')) draft.values.set('last_name', names.lastName)
  if (names.firstName !== null && !has('first_name')) draft.values.set('first_name', names.firstName)
  const isMissing = !has('last_name') && !has('first_name')
  if (names.trouble !== null && isMissing) reject(draft, 'last_name', names.trouble)
}

export function sidecarOf(draft: Draft, ignoredCount: number): Sidecar {
  const fields = Object.fromEntries([...draft.values].filter(([slot]) => isFieldName(slot))) as Fields
  const birthDate = draft.values.get('birth_date')
  const eyes = [...draft.files].flatMap(([path, eye]) =>
    eye === null || eye === 'contradicted' ? [] : ([[path, eye]] as const),
  )
  return {
    fields,
    birthDate: typeof birthDate === 'string' ? birthDate : null,
    files: [...draft.files.keys()],
    eyes: Object.fromEntries(eyes),
    ...(draft.eyes.size > 0 && { ownEyes: [...draft.eyes].toSorted() }),
    rejected: [...draft.rejected].map(([field, message]) => asRejected(field, message)),
    ...(draft.doubts.size > 0 && {
      doubts: [...draft.doubts].map(([field, message]) => asRejected(field, message)),
    }),
    ignoredCount,
  }
}

/** Infers the rules of a file: show it every part first, then take the rules. */
export function inferRules(
  where: DataFileLabel,
  options: { readonly dateOrder: DateOrder; readonly nameOrder: NameOrder },
): { readonly heed: (part: Statements) => void; readonly rules: () => DraftRules } {
  const { dateOrder, nameOrder } = options
  const sexLetters = new Map<string, Set<string>>()
  let speaksInterface = false
  return {
    heed: (part) => {
      for (const { meaning, plainName, value, authority } of part) {
        speaksInterface ||= authority === 'interface' && isUnmistakable(meaning)
        if (meaning.kind !== 'field' || meaning.field !== 'gender') continue
        const letter = sexLetterOf(value)
        if (letter === null) continue
        const letters = sexLetters.get(plainName) ?? new Set()
        sexLetters.set(plainName, letters.add(letter))
      }
    },
    rules: () => ({ where, dateOrder, nameOrder, sexLetters, speaksInterface }),
  }
}

/** Many programs write `gender` and `first_name`; only the interface has `visit_reason` and `od_iop`. */
function isUnmistakable(meaning: Meaning): boolean {
  if (meaning.kind !== 'field') return meaning.kind === 'measurement'
  return meaning.field.includes('_') && meaning.field !== 'first_name' && meaning.field !== 'last_name'
}

/**
 * One draft for each patient and day. Parts without a patient are merged only if they name nothing but files and
 * eyes: two measurements without a patient may belong to two. If one number belongs to two people, the owner of an
 * image cannot be known: every file is left with that message, and with its eye; and each person with the number alone.
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
  return draft.values.size === 0 && draft.rejected.size === 0 ? 'files' : null
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

const OF_PERSON = ['history_number', 'last_name', 'first_name', 'birth_date', 'gender'] as const

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
