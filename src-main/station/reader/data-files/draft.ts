/** Merges the statements of a data file into drafts, one for each visit. Values stated twice must agree. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { type FieldName, type Fields, isFieldName } from '../../../../src-shared/fields.ts'
import { type Message, type Wording, wordingOf } from '../../../../src-shared/wording.ts'
import { isFileName, OTHER_ZONE, type Sidecar } from '../../cases/meaning/sources.ts'
import { type DateOrder, readDay } from '../../cases/meaning/dates.ts'
import { readEye } from '../../cases/meaning/eyes.ts'
import { isSameName, mayBeOneName, nameTerms } from '../../cases/meaning/persons.ts'
import { asRejected, type DataFileLabel, doubtOf, outside, safeRelativePath, wrong } from './case-json.ts'
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
  const filled = statements.filter(({ value }) => !isNothing(value))
  const stated = filled.filter(({ aside }) => aside === undefined)
  for (const [slot, ofSlot] of Map.groupBy(stated, slotOf)) {
    if (slot === null) continue
    for (const statement of mostAuthoritative(ofSlot)) readInto(draft, slot, statement, rules)
  }
  for (const statement of stated) {
    const { meaning } = statement
    doubtBySign(draft, statement, rules.where)
    if (meaning.kind === 'measurement' && !slotOf(statement))
      reject(draft, meaning.measurement, wrong(meaning.measurement, 'eyeBeside', rules.where))
    if (meaning.kind === 'eye') addEye(draft, statement, rules.where)
    if (meaning.kind === 'file') addNamedFile(draft, statement, rules.where)
    if (meaning.kind === 'misfit')
      draft.doubts.set('row', doubtOf(wordingOf('intake:dataFile.name.row'), 'misfit', rules.where))
  }
  addNames(draft, stated, rules)
  doubtByDates(draft, stated, rules)
  for (const statement of filled) if (statement.aside !== undefined) doubtByAside(draft, statement, rules)
  return draft
}

/** What a record may state of the person, beside names in other forms. */
export const OF_PERSON = ['history_number', 'last_name', 'first_name', 'birth_date', 'gender'] as const

const OF_PERSON_OR_FILE = ['fullName', 'nameAlone', 'firstAlone', 'surname1', 'surname2', 'file']

/** A sign that no text has: something was cut out there, or joined. */
function doubtBySign(draft: Draft, { meaning, value, plainName }: Statement, where: DataFileLabel): void {
  const kind = meaning.kind === 'field' ? meaning.field : meaning.kind
  const isTyped = [...OF_PERSON, ...OF_PERSON_OR_FILE].some((one) => one === kind)
  if (isTyped && typeof value === 'string' && /[\p{Cc}\ufffd]/u.test(value.trim()))
    draft.doubts.set('sign', doubtOf(plainName, 'damaged', where))
}

function addEye(draft: Draft, { eye, eyeOf, value }: Statement, where: DataFileLabel): void {
  const own = eye === 'unclear' ? readEye(value) : eye
  if (eye === 'unclear' && own !== 'right' && own !== 'left')
    reject(draft, 'eye', wrong(wordingOf('intake:dataFile.name.eye'), 'eye', where))
  if (eyeOf === undefined && (own === 'right' || own === 'left')) draft.eyes.add(own)
  // Two are kept: each contradicts what states the other.
  if (eye === 'unclear' || draft.eyes.size > 1)
    reject(draft, 'eye', wrong(wordingOf('intake:dataFile.name.eye'), 'oneEye', where))
}

/** A plain date beside the day of the visit is perhaps of the visit, too: they must agree. */
function doubtByDates(draft: Draft, stated: Statements, rules: DraftRules): void {
  const day = draft.values.get('visit_date')
  const isOther = stated.some(({ meaning, value, dateOrder = rules.dateOrder }) => {
    const read = meaning.kind === 'plainDate' ? readDay(value, dateOrder) : null
    return read?.kind === 'day' && day !== undefined && read.day !== day
  })
  if (isOther) draft.doubts.set('visit_date', doubtOf('visit_date', 'twoDays', rules.where))
}

/** What a block of unknown kind says of patient, day and eye must not contradict what is used. */
function doubtByAside(draft: Draft, statement: Statement, rules: DraftRules): void {
  const { aside: block = '', meaning, eye } = statement
  const doubt = (about: string, name: string | Wording): void => {
    draft.doubts.set(`${about} ${block}`, doubtOf(name, 'otherBlock', rules.where, { block }))
  }
  if (meaning.kind === 'eye') {
    const eyes = new Set([...draft.eyes, ...draft.files.values()].filter((one) => one !== null))
    // "Both" contradicts no exam of both.
    const isOther = eye === 'unclear' ? eyes.size === 1 : eye !== null && eyes.size > 0 && !eyes.has(eye)
    if (isOther) doubt('eye', wordingOf('intake:dataFile.name.eye'))
    return
  }
  const other = emptyDraft()
  const slot = slotOf(statement)
  if (slot === null) addNames(other, [statement], rules)
  else readInto(other, slot, statement, rules)
  for (const [of, value] of other.values) {
    const own = draft.values.get(of)
    if (own !== undefined && !isSame(of, own, value)) doubt(of, of)
  }
  // A name of three words is not split: its words are compared.
  const isWholeName = meaning.kind === 'fullName' || meaning.kind === 'nameAlone'
  if (!isWholeName || other.values.size > 0) return
  const own = nameTerms(textOf(draft.values.get('last_name')), textOf(draft.values.get('first_name')))
  if (own.length > 0 && !mayBeOneName(own, nameTerms(textOf(statement.value))))
    doubt('last_name', 'last_name')
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** What makes a `case.json` a proposal: names that are none, damaged signs, and what contradicts it under other names. */
export function doubtsBeside({ fields, birthDate, eyes }: Sidecar, beside: Statements): Sidecar['rejected'] {
  const stated = Object.entries(fields).filter(([slot]) => isFieldName(slot)) as [FieldName, Value][]
  const draft: Draft = {
    ...emptyDraft(),
    values: new Map<Slot, Value>([
      ...stated,
      ...(birthDate === null ? [] : [['birth_date', birthDate] as const]),
    ]),
    eyes: new Set(Object.values(eyes).filter((eye) => eye !== 'unknown')),
  }
  const { rules } = inferRules('case', { dateOrder: 'ymd', nameOrder: 'lastFirst' })
  for (const statement of beside) {
    doubtBySign(draft, statement, 'case')
    doubtByAside(draft, statement, rules())
  }
  doubtByNames(draft, 'case')
  return [...draft.doubts].map(([about, message]) => asRejected(about, message))
}

function slotOf({ meaning, eye }: Statement): Slot | null {
  if (meaning.kind === 'field') return meaning.field
  if (meaning.kind === 'birthDate') return 'birth_date'
  if (meaning.kind === 'plainDate') return 'visit_date'
  if (meaning.kind !== 'measurement' || eye === null || eye === 'unclear') return null
  return `${eye === 'right' ? 'od' : 'os'}_${meaning.measurement}`
}

function mostAuthoritative(statements: Statements): Statements {
  const byPerson = statements.filter(({ authority }) => authority === 'person')
  if (byPerson.length > 0) return byPerson
  // A day named as the visit's takes precedence over a plain date.
  const named = statements.filter(({ meaning }) => meaning.kind !== 'plainDate')
  return named.length > 0 ? named : statements
}

function readInto(draft: Draft, slot: Slot, statement: Statement, fileRules: DraftRules): void {
  const { value, plainName, meaning, dateOrder } = statement
  const rules = dateOrder === undefined ? fileRules : { ...fileRules, dateOrder }
  const read =
    slot === 'birth_date' ? readDayOf(slot, value, rules) : readForeignField(slot, value, plainName, rules)
  if (read.kind === 'wrong') {
    reject(draft, slot, read)
    if (meaning.kind === 'measurement' && isOfOtherHeading(value, rules))
      draft.doubts.set(slot, doubtOf(slot, 'misplaced', rules.where))
  }
  if (read.kind === 'value' && read.doubt)
    draft.doubts.set(slot === 'visit_date' ? OTHER_ZONE : slot, read.doubt)
  if (read.kind === 'value' && read.value !== undefined) addValue(draft, slot, read.value, rules.where)
}

/** Under a measurement or a file: what is a day, an eye or a file moved there from elsewhere. */
function isOfOtherHeading(value: unknown, { dateOrder }: Pick<DraftRules, 'dateOrder'>): boolean {
  const eye = readEye(value)
  return eye === 'right' || eye === 'left' || readDay(value, dateOrder).kind !== 'none' || isFileName(value)
}

/** Adds a value; a different earlier value removes both. */
export function addValue(draft: Draft, slot: Slot, value: Value, where: DataFileLabel): void {
  if (draft.contradicted.has(slot)) return
  const before = draft.values.get(slot)
  if (before === undefined) draft.values.set(slot, value)
  else if (!isSame(slot, before, value)) contradict(draft, slot, where)
}

export function contradict(draft: Draft, slot: Slot, where: DataFileLabel): void {
  const message = wrong(slot, 'oneValue', where)
  draft.values.delete(slot)
  draft.contradicted.add(slot)
  draft.rejected.set(slot, message)
  // Two methods measure differently; a person has one sex and one age.
  if (slot === 'gender' || slot === 'age') draft.doubts.set(slot, message)
}

/** Numbers of patients are compared without case, names as the spellings of one. */
function isSame(slot: Slot, one: Value, other: Value): boolean {
  if (slot === 'last_name' || slot === 'first_name') return isSameName(String(one), String(other))
  return slot === 'history_number' ? folded(one) === folded(other) : one === other
}

function folded(value: Value): string {
  return String(value).normalize('NFC').toUpperCase().replaceAll(/\s+/g, ' ')
}

/** Adds a file and the eye stated beside it; a different earlier eye removes both. */
export function addFile(
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
  if (!isFileName(value) && isOfOtherHeading(value, { dateOrder: 'ymd' })) {
    draft.doubts.set('file', doubtOf(wordingOf('intake:dataFile.name.fileName'), 'misplaced', where))
    return
  }
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
  if (names.areTwoPeople) for (const slot of NAMES) contradict(draft, slot, rules.where)
  doubtByNames(draft, rules.where)
}

const NAMES = ['last_name', 'first_name'] as const

function doubtByNames(draft: Draft, where: DataFileLabel): void {
  for (const slot of NAMES)
    if (!isLikeName(draft.values.get(slot))) draft.doubts.set(slot, doubtOf(slot, 'noName', where))
}

/** Digits are of numbers, days and files that moved under a name. */
function isLikeName(name: Value | undefined): boolean {
  return name === undefined || (/\p{L}/u.test(String(name)) && !/\p{N}/u.test(String(name)))
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
