/** Reads a clinic's list of patients: what the camera does not know, by history number. Pure. */
import type { FieldName } from '../../../../src-shared/fields.ts'
import type { PatientListSettings } from '../../../../src-shared/settings.ts'
import { decodeTable } from '../data-files/decode-data-text.ts'
import {
  addValue,
  contradict,
  draftOf,
  emptyDraft,
  isSame,
  reject,
  sidecarOf,
  type Draft,
} from '../data-files/draft-of.ts'
import { numberOf, numbersOfTwoPeople } from '../data-files/merge-drafts.ts'
import { columnsOf } from '../data-files/name-meaning.ts'
import { draftRules } from '../data-files/draft-rules.ts'
import { readTable } from '../data-files/read-table.ts'
import { tableStatements } from '../data-files/table-statements.ts'
import type { Sidecar } from '../recognition.ts'

/** Patients by their history number in capitals. Their entries hold what is the patient's: no visit, no eye, no file. */
export type PatientList = ReadonlyMap<string, Sidecar>

export type PatientListReading =
  | {
      readonly ok: true
      readonly list: PatientList
      /** What of the list is not used, for the person who keeps it; null where all is. */
      readonly message: string | null
    }
  | { readonly ok: false; readonly message: string }

/** The list of a large clinic over many years. */
const MOST_BYTES = 64 * 1_024 * 1_024
const MOST_ROWS = 300_000

const WHERE = 'the patient list'

/** What a list may say of a patient. An age was true on the day of the list and is none at the visit; the birth date is. */
const OF_PATIENT: ReadonlySet<FieldName | 'birth_date'> = new Set([
  'first_name',
  'last_name',
  'gender',
  'diabetes',
  'ophthalmic_antecedents',
  'other_relevant_info',
  'birth_date',
] as const)

/** Reads a list in the form of a table. The sentences name no content. */
export function readPatientList(
  bytes: Uint8Array,
  options: Pick<PatientListSettings, 'columns' | 'dateOrder'>,
): PatientListReading {
  if (bytes.length > MOST_BYTES) return no('is larger than 64 MB')
  const text = decodeTable(bytes)
  const reading = text === null ? null : readTable(text, { mostRows: MOST_ROWS })
  if (reading?.ok === false && reading.why === 'tooManyRows')
    return no(`holds more than ${MOST_ROWS.toLocaleString('en')} rows`)
  if (!reading?.ok) return no('is not complete or not a proper table')
  const table = tableStatements(reading.table, columnsOf(options.columns))
  const isList = table?.rows.some((row) =>
    row.some(({ meaning }) => meaning.kind === 'field' && meaning.field === 'history_number'),
  )
  if (!table || !isList) return no('has no column of history numbers that holds any')
  const rules = draftRules(table.rows, WHERE, { dateOrder: options.dateOrder, nameOrder: 'lastFirst' })
  const drafts = table.rows.map((row) => draftOf(row, rules))
  return listOf(drafts, table.ignoredCount, reading.table.misfits)
}

function no(what: string): PatientListReading {
  const message = `The patient list ${what}, so it fills in nothing new. Save it again as CSV with a line of headings.`
  return { ok: false, message }
}

function listOf(drafts: readonly Draft[], ignoredCount: number, misfits: number): PatientListReading {
  const shared = new Set([...numbersOfTwoPeople(drafts), ...numbersOfTwoFirstNames(drafts)])
  const patients = new Map<string, Draft>()
  let withoutNumber = 0
  for (const draft of drafts) {
    const number = numberOf(draft)
    if (number === null) withoutNumber += 1
    else if (!shared.has(number))
      patients.set(number, withPatient(patients.get(number) ?? emptyDraft(), draft))
  }
  const list = new Map([...patients].map(([number, draft]) => [number, sidecarOf(draft, ignoredCount)]))
  const rejectedCount = [...list.values()].filter(({ rejected }) => rejected.length > 0).length
  return {
    ok: true,
    list,
    message: messageOf({ shared: shared.size, withoutNumber, misfits, rejectedCount }),
  }
}

/** Twins have one birth date and one last name, and sometimes, by mistake, one number. */
function numbersOfTwoFirstNames(drafts: readonly Draft[]): ReadonlySet<string> {
  const known = new Map<string, string | number>()
  const shared = new Set<string>()
  for (const draft of drafts) {
    const [number, name] = [numberOf(draft), draft.values.get('first_name')]
    if (number === null || name === undefined) continue
    const before = known.get(number)
    if (before === undefined) known.set(number, name)
    else if (!isSame('first_name', before, name)) shared.add(number)
  }
  return shared
}

function withPatient(into: Draft, draft: Draft): Draft {
  for (const slot of draft.contradicted) if (OF_PATIENT.has(slot)) contradict(into, slot, WHERE)
  for (const [slot, value] of draft.values) if (OF_PATIENT.has(slot)) addValue(into, slot, value, WHERE)
  for (const [field, message] of draft.rejected)
    if ((OF_PATIENT as ReadonlySet<string>).has(field)) reject(into, field, message)
  return into
}

function messageOf(counts: {
  readonly shared: number
  readonly withoutNumber: number
  readonly misfits: number
  readonly rejectedCount: number
}): string | null {
  const parts = [
    counts.shared > 0 &&
      `${counts.shared} history numbers stand beside different people and are not used; correct them in the list.`,
    counts.withoutNumber > 0 && `${counts.withoutNumber} rows have no history number that can be used.`,
    counts.misfits > 0 && `${counts.misfits} rows do not fit under the headings or are cut off.`,
    counts.rejectedCount > 0 &&
      `${counts.rejectedCount} patients have values that cannot be used; look at the order of dates and the words for the sex.`,
  ].filter((part) => part !== false)
  return parts.length > 0 ? `In the patient list: ${parts.join(' ')}` : null
}

/**
 * The entry of one patient, or null.
 *
 * Only the case of letters may differ. `4512` is not taken for `004512`: a clinic may number its patients with and
 * without zeros side by side (an old archive and a new one), and then these are two people. A list that lost its zeros
 * in a spreadsheet fills in nothing, which a person sees; a wrong patient's birth date nobody would see.
 */
export function findInPatientList(list: PatientList, historyNumber: string): Sidecar | null {
  return list.get(historyNumber.trim().normalize('NFC').toLocaleUpperCase('en')) ?? null
}
