/** What the clinic's patient list states of its patients, by their history numbers. Pure. */
import type { PatientListSettings } from '../../../../src-shared/settings.ts'
import { type Message, worded, wordingOf } from '../../../../src-shared/wording.ts'
import type { DataContent } from '../../../reader/messages.ts'
import type { Sidecar } from '../meaning/sources.ts'
import { buildDraft, comparableNumber, Draft, rulesOf } from './drafts.ts'
import { type Meaning, NAMES_OF_PERSON, namesBy, type Statements } from './headings.ts'
import { numberOf, PeopleByNumber } from './merge-drafts.ts'
import { tableMeaning } from './tables.ts'

export type PatientListOptions = Pick<PatientListSettings, 'columns' | 'dateOrder'>

export type PatientListReading =
  | {
      readonly ok: true
      /** By normalised history number: its patient, or two people who share it. No visit, no eye, no file. */
      readonly people: PeopleOfList
      /** What the list contains but cannot be used, for its maintainer; null if all is used. */
      readonly unused: Message | null
    }
  | { readonly ok: false; readonly problem: Message }

export type PeopleOfList = ReadonlyMap<string, readonly Sidecar[]>

/** What a list may state, beside the number. An age was true on the day of the list, not at the visit. */
const OF_PATIENT: readonly Meaning[] = [
  ...NAMES_OF_PERSON,
  'history_number',
  'birth_date',
  'gender',
  'diabetes',
  'ophthalmic_antecedents',
  'other_relevant_info',
]

/** The messages contain no content. A long list takes seconds: for a process of its own. */
export function peopleIn(content: DataContent, options: PatientListOptions): PatientListReading {
  if (content.kind === 'unread' && (content.why === 'tooLarge' || content.why === 'tooManyRows'))
    return listNotUsed(content.why)
  if (content.kind !== 'table') return listNotUsed('notTable')
  const { table: read } = content
  const { misfits } = read
  const rows = read.rows.filter((cells) => !misfits.has(cells))
  const table = tableMeaning({ ...read, rows: [] }, namesBy(options.columns))
  if (!table) return listNotUsed('headingsTwice')
  const parts = function* (): Iterable<Statements> {
    for (const cells of rows) yield table.statementsOf(cells)
  }
  const { dateOrder } = options
  const rules = rulesOf(parts(), { where: 'patientList', dateOrder, nameOrder: 'lastFirst' })
  const people = new PeopleByNumber()
  const drafts = new Map<string, Draft>()
  const shared = new Map<string, readonly Sidecar[]>()
  let withoutNumber = 0
  for (const part of parts()) {
    const ofPatient = part.filter(({ meaning }) => OF_PATIENT.includes(meaning))
    const draft = buildDraft(ofPatient, rules)
    const number = numberOf(draft)
    if (number === null) {
      withoutNumber += 1
      continue
    }
    people.add(draft)
    // A list proposes only, and its records are found by their number.
    draft.doubts.clear()
    draft.values.delete('history_number')
    draft.rejected.delete('history_number')
    const isShared = people.shared.has(number)
    const before = drafts.get(number)
    const patient = (isShared ? undefined : before) ?? new Draft(rules.where)
    patient.merge(draft)
    if (!isShared) drafts.set(number, patient)
    else if (before && !shared.has(number)) shared.set(number, [before.record(), patient.record()])
  }
  for (const number of people.shared) drafts.delete(number)
  if (drafts.size === 0 && shared.size === 0) return listNotUsed('noNumbers')
  const patients = [...drafts].map(([number, draft]) => [number, draft.record()] as const)
  const rejected = patients.filter(([, patient]) => patient.rejected.length > 0).length
  const counts = { shared: shared.size, withoutNumber, misfits: misfits.size, rejected }
  const found = (['shared', 'withoutNumber', 'misfits', 'rejected'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => wordingOf(`intake:patientList.found.${kind}`, { count: counts[kind] }))
  return {
    ok: true,
    people: new Map([...patients.map(([number, one]) => [number, [one]] as const), ...shared]),
    unused: found.length === 0 ? null : worded('intake:patientList.unused', { found }),
  }
}

type Problem = 'tooLarge' | 'tooManyRows' | 'notTable' | 'headingsTwice' | 'noNumbers' | 'notRead'

export function listNotUsed(why: Problem): PatientListReading {
  const problem = wordingOf(`intake:patientList.problem.${why}`)
  return { ok: false, problem: worded('intake:patientList.notUsed', { problem }) }
}

/**
 * Everyone whom the list has under this number. Only case is ignored: `4512` and `004512` may be two people. A list that
 * lost its zeros fills in nothing, which is noticed; another patient's birth date would not be.
 */
export function peopleOfNumber(people: PeopleOfList, historyNumber: string): readonly Sidecar[] {
  return people.get(comparableNumber(historyNumber.trim())) ?? []
}
