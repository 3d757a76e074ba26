/** Collects what a data file states into drafts, one for each visit. Values stated twice must agree. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { isFieldName } from '../../../../src-shared/fields.ts'
import { type Message, type NameIn, worded, type Wording, wordingOf } from '../../../../src-shared/wording.ts'
import { isFileName, OTHER_ZONE, type Sidecar } from '../meaning/sources.ts'
import { type DateOrder, readDay } from '../meaning/dates.ts'
import { foldId } from '../meaning/numbers.ts'
import { readEye } from '../meaning/vocabulary.ts'
import { isNameField, isSameName, mayBeOneName, type NameOrder, nameTerms } from '../meaning/persons.ts'
import { remembered } from '../names/tokens.ts'
import { isMeasurement, type Meaning, NAMES_OF_PERSON, type Statement, type Statements } from './headings.ts'
import {
  isNothing,
  NAMES,
  personNamesOf,
  readValue,
  sexLetterOf,
  type Slot,
  type Value,
  type ValueRules,
  type Why,
} from './values.ts'

/** What states the values, as messages name it. */
export type DataFileLabel = NameIn<'intake:dataFile.file'>

export type DraftRules = ValueRules & { readonly where: DataFileLabel; readonly nameOrder: NameOrder }

type Rejected = Sidecar['rejected'][number]

const nameOf = (key: 'eye' | 'row' | 'fileName' | 'eyeOfFile'): Wording =>
  wordingOf(`intake:dataFile.name.${key}`)

/** Worded once: a table may state the same in every cell. */
const wordedOnce = remembered((asked): Message => worded(...(JSON.parse(asked) as Parameters<typeof worded>)))

/** The values of one visit while they are collected. */
export class Draft {
  readonly where: DataFileLabel
  /** Null if different values are stated: none is taken, including later ones. */
  readonly values = new Map<Slot, Value | null>()
  readonly files = new Map<string, StatedEye | 'contradicted' | null>()
  /** The eyes that it states for itself, beside no file and no measurement. */
  readonly eyes = new Set<StatedEye>()
  /** By what they are about: the first message of each. */
  readonly rejected = new Map<string, Rejected>()
  /** By what they are about: why the whole of it proposes only. */
  readonly doubts = new Map<string, Rejected>()

  constructor(where: DataFileLabel) {
    this.where = where
  }

  /** Adds a value; a different earlier value removes both. */
  add(slot: Slot, value: Value): void {
    const before = this.values.get(slot)
    if (before === null) return
    if (before === undefined) this.values.set(slot, value)
    else if (this.where === 'case' ? before !== value : !isSame(slot, before, value)) this.contradict(slot)
  }

  contradict(slot: Slot): void {
    // In the order of contradictions, which is that of their messages.
    if (this.values.get(slot) !== null) this.values.delete(slot)
    this.values.set(slot, null)
    const rejected = this.#wrong(slot, { key: 'oneValue' }, slot)
    this.rejected.set(slot, rejected)
    // Two methods measure differently; a person has one sex and one age.
    if (slot === 'gender' || slot === 'age') this.doubts.set(slot, rejected)
  }

  /** Adds a file and the eye stated beside it; a different earlier eye removes both. */
  addFile(path: string, eye: StatedEye | 'contradicted' | null): void {
    const before = this.files.get(path) ?? null
    const isContradiction = before !== null && eye !== null && before !== eye
    this.files.set(path, isContradiction ? 'contradicted' : (eye ?? before))
    if (isContradiction || eye === 'contradicted') this.reject('eye', { key: 'oneEye' }, nameOf('eyeOfFile'))
  }

  /** Says what was not taken, without its value, once `about` it. */
  reject(field: string, expected: Why<'expected'>, name: string | Wording = field, about = field): void {
    if (!this.rejected.has(about)) this.rejected.set(about, this.#wrong(field, expected, name))
  }

  /** A file that it names outside of its folder. */
  rejectOutside(field: string, about = field): void {
    if (!this.rejected.has(about)) this.rejected.set(about, this.#message(field, 'outside', {}))
  }

  /** Says why it only proposes, without a value but those given. */
  doubt(about: string, { key, values }: Why<'why'>, name: string | Wording = about): void {
    const why = wordingOf(`intake:dataFile.why.${key}`, values)
    this.doubts.set(about, this.#message(about, 'doubtful', { name, why }))
  }

  #wrong(field: string, { key, values }: Why<'expected'>, name: string | Wording): Rejected {
    const expected = wordingOf(`intake:dataFile.expected.${key}`, values)
    return this.#message(field, 'wrong', { name, expected })
  }

  #message(field: string, kind: 'wrong' | 'doubtful' | 'outside', values: Wording['values']): Rejected {
    const file = wordingOf(`intake:dataFile.file.${this.where}`)
    return { field, ...wordedOnce(JSON.stringify([`intake:dataFile.${kind}`, { ...values, file }])) }
  }

  /** Adds what another draft of the same visit states. */
  merge(other: Draft): void {
    for (const [slot, value] of other.values) if (value === null) this.contradict(slot)
    for (const [slot, value] of other.values) if (value !== null) this.add(slot, value)
    for (const [path, eye] of other.files) this.addFile(path, eye)
    for (const eye of other.eyes) this.eyes.add(eye)
    for (const [about, rejected] of other.rejected)
      if (!this.rejected.has(about)) this.rejected.set(about, rejected)
    for (const [about, doubt] of other.doubts) this.doubts.set(about, doubt)
  }

  /** The record that it is in the end. */
  record(): Sidecar {
    const birthDate = this.values.get('birth_date')
    const eyes = [...this.files].filter(([, eye]) => eye !== null && eye !== 'contradicted')
    return {
      fields: Object.fromEntries(
        [...this.values].filter(([slot, value]) => value !== null && isFieldName(slot)),
      ),
      birthDate: typeof birthDate === 'string' ? birthDate : null,
      files: [...this.files.keys()],
      eyes: Object.fromEntries(eyes) as Sidecar['eyes'],
      ...(this.eyes.size > 0 && { ownEyes: [...this.eyes].toSorted() }),
      rejected: [...this.rejected.values()],
      ...(this.doubts.size > 0 && { doubts: [...this.doubts.values()] }),
    }
  }
}

/** The values of these statements. If several names state one value, a name mapped by a person comes first. */
export function buildDraft(statements: Statements, rules: DraftRules): Draft {
  const draft = new Draft(rules.where)
  const filled = statements.filter(({ value }) => !isNothing(value, rules.isCase))
  const stated = filled.filter(({ aside }) => aside === undefined)
  for (const [slot, ofSlot] of Map.groupBy(stated, slotOf))
    if (slot !== null)
      for (const statement of mostAuthoritative(ofSlot)) readInto(draft, slot, statement, rules)
  for (const statement of stated) {
    const { meaning } = statement
    doubtBySign(draft, statement)
    if (isMeasurement(meaning) && !slotOf(statement)) draft.reject(meaning, { key: 'eyeBeside' })
    if (meaning === 'eye') addEye(draft, statement)
    if (meaning === 'file') addNamedFile(draft, statement)
    if (meaning === 'misfit') draft.doubt('row', { key: 'misfit' }, nameOf('row'))
  }
  addNames(draft, stated, rules)
  doubtByDates(draft, stated, rules)
  for (const statement of filled) if (statement.aside !== undefined) doubtByAside(draft, statement, rules)
  return draft
}

/** What a `case.json` states under other names, or within blocks, is as any program writes it, and may doubt only. */
export function doubtBeside(draft: Draft, beside: Statements, rules: DraftRules): void {
  for (const statement of beside) {
    doubtBySign(draft, statement)
    doubtByAside(draft, statement, { ...rules, isCase: false })
  }
}

/** What holds a text that a person has typed. */
const TYPED: readonly Meaning[] = [...NAMES_OF_PERSON, 'history_number', 'gender', 'file']

/** A sign that no text has: something was cut out there, or joined. */
function doubtBySign(draft: Draft, { meaning, value, plainName }: Statement): void {
  if (TYPED.includes(meaning) && typeof value === 'string' && /[\p{Cc}\ufffd]/u.test(value.trim()))
    draft.doubt('sign', { key: 'damaged' }, plainName)
}

function addEye(draft: Draft, { eye, isOfOther = false, value }: Statement): void {
  const own = eye === 'unclear' ? readEye(value) : eye
  if (eye === 'unclear' && own !== 'right' && own !== 'left')
    draft.reject('eye', { key: 'eye' }, nameOf('eye'))
  if (!isOfOther && (own === 'right' || own === 'left')) draft.eyes.add(own)
  // Two are kept: each contradicts what states the other.
  if (eye === 'unclear' || draft.eyes.size > 1) draft.reject('eye', { key: 'oneEye' }, nameOf('eye'))
}

/** A plain date beside the day of the visit is perhaps of the visit, too: they must agree. */
function doubtByDates(draft: Draft, stated: Statements, rules: DraftRules): void {
  const day = draft.values.get('visit_date')
  const isOther = stated.some(({ meaning, value, dateOrder = rules.dateOrder }) => {
    const read = meaning === 'plainDate' ? readDay(value, dateOrder) : null
    return read?.kind === 'day' && typeof day === 'string' && read.day !== day
  })
  if (isOther) draft.doubt('visit_date', { key: 'twoDays' })
}

/** What a block of unknown kind says of patient, day and eye must not contradict what is used. */
function doubtByAside(draft: Draft, statement: Statement, rules: DraftRules): void {
  const { aside: block = '', meaning, eye } = statement
  const doubt = (about: string, name: string | Wording = about): void =>
    draft.doubt(`${about} ${block}`, { key: 'otherBlock', values: { block } }, name)
  if (meaning === 'eye') {
    const eyes = new Set([...draft.eyes, ...draft.files.values()].filter((one) => one !== null))
    // "Both" contradicts no exam of both.
    const isOther = eye === 'unclear' ? eyes.size === 1 : eye !== null && eyes.size > 0 && !eyes.has(eye)
    if (isOther) doubt('eye', nameOf('eye'))
    return
  }
  const other = new Draft(rules.where)
  const slot = slotOf(statement)
  if (slot === null) addNames(other, [statement], rules)
  else readInto(other, slot, statement, rules)
  for (const [of, value] of other.values) {
    const own = draft.values.get(of) ?? null
    if (own !== null && value !== null && !isSame(of, own, value)) doubt(of)
  }
  // A name of three words is not split: its words are compared.
  const isWholeName = meaning === 'fullName' || meaning === 'nameAlone'
  if (!isWholeName || other.values.size > 0) return
  const own = nameTerms(...NAMES.map((slot) => String(draft.values.get(slot) ?? '')))
  const theirs = nameTerms(typeof statement.value === 'string' ? statement.value : '')
  if (own.length > 0 && !mayBeOneName(own, theirs)) doubt('last_name')
}

function slotOf({ meaning, eye }: Statement): Slot | null {
  if (meaning === 'plainDate') return 'visit_date'
  if (meaning === 'birth_date' || isFieldName(meaning)) return meaning
  if (!isMeasurement(meaning) || eye === null || eye === 'unclear') return null
  return `${eye === 'right' ? 'od' : 'os'}_${meaning}`
}

function mostAuthoritative(statements: Statements): Statements {
  const byPerson = statements.filter(({ authority }) => authority === 'person')
  if (byPerson.length > 0) return byPerson
  // A day named as the visit's takes precedence over a plain date.
  const named = statements.filter(({ meaning }) => meaning !== 'plainDate')
  return named.length > 0 ? named : statements
}

function readInto(draft: Draft, slot: Slot, statement: Statement, fileRules: DraftRules): void {
  const { value, plainName, meaning, dateOrder } = statement
  const rules = dateOrder === undefined ? fileRules : { ...fileRules, dateOrder }
  const read = readValue(slot, value, plainName, rules)
  if (read === null) return
  if ('value' in read) {
    if (read.doubt) draft.doubt(slot === 'visit_date' ? OTHER_ZONE : slot, read.doubt, slot)
    draft.add(slot, read.value)
    return
  }
  draft.reject(slot, read.expected)
  if (rules.isCase) draft.values.set(slot, null)
  else if (isMeasurement(meaning) && isOfOtherHeading(value, rules.dateOrder))
    draft.doubt(slot, { key: 'misplaced' })
}

/** Under a measurement or a file: what is a day, an eye or a file moved there from elsewhere. */
function isOfOtherHeading(value: unknown, dateOrder: DateOrder): boolean {
  const eye = readEye(value)
  return eye === 'right' || eye === 'left' || readDay(value, dateOrder).kind !== 'none' || isFileName(value)
}

/** Numbers of patients are compared without case, names as the spellings of one. */
function isSame(slot: Slot, one: Value, other: Value): boolean {
  if (isNameField(slot)) return isSameName(String(one), String(other))
  if (slot !== 'history_number') return one === other
  const [ours, theirs] = [one, other].map((number) => foldId(String(number)).replaceAll(/\s+/g, ' '))
  return ours === theirs
}

const MAX_PATH_LETTERS = 1_000

function addNamedFile(draft: Draft, { value, eye }: Statement): void {
  if (!isFileName(value) && isOfOtherHeading(value, 'ymd'))
    return draft.doubt('file', { key: 'misplaced' }, nameOf('fileName'))
  const name = typeof value === 'string' ? value.trim() : ''
  const path = name.length <= MAX_PATH_LETTERS ? safeRelativePath(name) : null
  if (path) draft.addFile(path, eye === 'unclear' ? null : eye)
  else draft.rejectOutside('file')
}

/** The path inside the data file's folder with `/`, or null if it leads out of it. */
export function safeRelativePath(name: string): string | null {
  const parts = name
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '.')
  const leadsOut = parts.some((part) => part === '..' || part === '') || /^[a-z]:/i.test(name)
  // No file system of our platforms allows this character in a name.
  return leadsOut || parts.length === 0 || name.includes('\u0000') ? null : parts.join('/')
}

function addNames(draft: Draft, stated: Statements, { nameOrder }: DraftRules): void {
  const names = personNamesOf(stated, nameOrder)
  const isFree = (slot: Slot): boolean => !draft.values.has(slot)
  for (const slot of NAMES) {
    const name = names[slot]
    if (name !== null && isFree(slot)) draft.values.set(slot, name)
  }
  if (names.isUnclear && NAMES.every(isFree)) draft.reject('last_name', { key: 'names' })
  if (names.areTwoPeople) for (const slot of NAMES) draft.contradict(slot)
  // Digits are of numbers, days and files that moved under a name.
  for (const slot of NAMES) {
    const name = draft.values.get(slot) ?? null
    if (name !== null && (!/\p{L}/u.test(String(name)) || /\p{N}/u.test(String(name))))
      draft.doubt(slot, { key: 'noName' })
  }
}

/** What single letters for a sex mean in a file, and whose names it uses. */
export function rulesOf(
  parts: Iterable<Statements>,
  file: Pick<DraftRules, 'where' | 'dateOrder' | 'nameOrder'>,
): DraftRules {
  const sexLetters = new Map<string, Set<string>>()
  let speaksInterface = false
  for (const part of parts)
    for (const { meaning, plainName, value, authority } of part) {
      speaksInterface ||= authority === 'interface'
      const letter = meaning === 'gender' ? sexLetterOf(value) : null
      if (letter !== null) sexLetters.set(plainName, (sexLetters.get(plainName) ?? new Set()).add(letter))
    }
  return { ...file, isCase: false, sexLetters, speaksInterface }
}

export function numberOf({ values }: Draft): string | null {
  const number = values.get('history_number') ?? null
  return number === null ? null : foldId(String(number))
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
