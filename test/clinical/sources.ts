/**
 * Writes what one source states of a visit: a DICOM header, a sidecar, a folder's `case.json`, a table. Each takes
 * *statements*, which a convention may falsify, so that two sources contradict each other.
 */
import type { Draw } from './draw.ts'
import type { DicomHeader, Eye, Sex, Visit } from './world.ts'

/** What a source says of a picture, true or not; null is not said. */
export type Statements = {
  readonly id: string | null
  readonly last: string | null
  readonly first: string | null
  readonly birthDate: string | null
  readonly sex: Sex | null
  readonly day: string | null
  readonly eye: Eye | null
}

export const statementsOf = (visit: Visit, eye: Eye | null): Statements => ({
  id: visit.person.id,
  last: visit.person.last,
  first: visit.person.first,
  birthDate: visit.person.birthDate,
  sex: visit.person.sex,
  day: visit.day,
  eye,
})

const compact = (day: string): string => day.slice(0, 4) + day.slice(5, 7) + day.slice(8)

/** A UID under the root for UUIDs (PS3.5 B.2). */
export const uid = (draw: Draw): string => `2.25.${draw.digits(9)}${draw.digits(9)}${draw.digits(9)}`

/** The usual attributes; a null is an absent attribute. */
export function dicomHeader(draw: Draw, states: Statements, studyInstanceUid: string): DicomHeader {
  const { id, last, first, birthDate, sex, day, eye } = states
  return {
    ...(id !== null && { patientId: id }),
    ...((last !== null || first !== null) && { patientName: `${last ?? ''}^${first ?? ''}` }),
    ...(birthDate !== null && { birthDate: compact(birthDate) }),
    ...(sex !== null && { sex }),
    ...(day !== null && { studyDate: compact(day) }),
    ...(eye !== null && { imageLaterality: eye === 'right' ? 'R' : 'L' }),
    sopInstanceUid: uid(draw),
    studyInstanceUid,
  }
}

/** The keys of one maker's documents. */
type Keys = Readonly<Record<keyof Statements | 'file', string>>

const JSON_KEYS: readonly Keys[] = [
  {
    id: 'patientId',
    last: 'lastName',
    first: 'firstName',
    birthDate: 'birthDate',
    sex: 'sex',
    day: 'examDate',
    eye: 'eye',
    file: 'file',
  },
  {
    id: 'PatientID',
    last: 'LastName',
    first: 'FirstName',
    birthDate: 'BirthDate',
    sex: 'Sex',
    day: 'ExamDate',
    eye: 'Laterality',
    file: 'File',
  },
  {
    id: 'patient_id',
    last: 'last_name',
    first: 'first_name',
    birthDate: 'birth_date',
    sex: 'sex',
    day: 'visit_date',
    eye: 'eye',
    file: 'file',
  },
]

type EyeSpelling = Readonly<Record<Eye, string>>

const EYE_SPELLINGS: readonly EyeSpelling[] = [
  { right: 'OD', left: 'OS' },
  { right: 'R', left: 'L' },
  { right: 'right', left: 'left' },
  { right: 'Right', left: 'Left' },
]

/** How one clinic's program writes documents. */
export type DocumentStyle = {
  readonly keys: Keys
  readonly eyes: EyeSpelling
  readonly sexes: Readonly<Record<Sex, string>>
}

export function drawDocumentStyle(draw: Draw): DocumentStyle {
  return {
    keys: draw.style(JSON_KEYS),
    eyes: draw.style(EYE_SPELLINGS),
    sexes: draw.style([
      { F: 'F', M: 'M' },
      { F: 'Female', M: 'Male' },
    ]),
  }
}

/** The statements under the keys of a style, `file` first if it is stated. */
function recordOf(style: DocumentStyle, states: Statements, file: string | null): Record<string, string> {
  const { keys } = style
  const record: Record<string, string> = {}
  if (file !== null) record[keys.file] = file
  if (states.id !== null) record[keys.id] = states.id
  if (states.last !== null) record[keys.last] = states.last
  if (states.first !== null) record[keys.first] = states.first
  if (states.birthDate !== null) record[keys.birthDate] = states.birthDate
  if (states.sex !== null) record[keys.sex] = style.sexes[states.sex]
  if (states.day !== null) record[keys.day] = states.day
  if (states.eye !== null) record[keys.eye] = style.eyes[states.eye]
  return record
}

/** A JSON document about one picture. */
export function jsonText(style: DocumentStyle, states: Statements, file: string | null = null): string {
  return JSON.stringify(recordOf(style, states, file), null, 1)
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** An XML document about one picture. */
export function xmlText(style: DocumentStyle, states: Statements, file: string | null = null): string {
  const lines = Object.entries(recordOf(style, states, file)).map(
    ([key, value]) => `  <${key}>${escapeXml(value)}</${key}>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Exam>\n${lines.join('\n')}\n</Exam>\n`
}

/** How one clinic's program writes tables. */
export type TableStyle = DocumentStyle & { readonly delimiter: string; readonly isQuoted: boolean }

export function drawTableStyle(draw: Draw): TableStyle {
  const delimiter = draw.style([';', ',', '\t'])
  return { ...drawDocumentStyle(draw), delimiter, isQuoted: draw.style([false, true]) }
}

export type TableRow = { readonly file: string; readonly states: Statements }

/** A table with one row for each picture; a column that no row fills is left out. */
export function csvText(style: TableStyle, rows: readonly TableRow[]): string {
  const names = ['id', 'last', 'first', 'birthDate', 'sex', 'day', 'eye'] as const
  const columns = names.filter((name) => rows.some(({ states }) => states[name] !== null))
  const cell = (text: string): string =>
    style.isQuoted || text.includes(style.delimiter) || text.includes('"')
      ? `"${text.replaceAll('"', '""')}"`
      : text
  const lines = [[style.keys.file, ...columns.map((name) => style.keys[name])]]
  for (const { file, states } of rows) {
    const record = recordOf(style, states, null)
    lines.push([file, ...columns.map((name) => record[style.keys[name]] ?? '')])
  }
  return lines.map((line) => line.map(cell).join(style.delimiter)).join('\r\n') + '\r\n'
}

/** A folder's record under the names of the interface; `images` maps file names to eyes. */
export function caseJson(states: Statements, images: Readonly<Record<string, Eye>> | null): string {
  const { id, last, first, birthDate, sex, day } = states
  const eyes =
    images === null
      ? null
      : Object.fromEntries(
          Object.entries(images).map(([file, eye]) => [file, eye === 'right' ? 'OD' : 'OS'] as const),
        )
  return JSON.stringify({
    ...(id !== null && { history_number: id }),
    ...(last !== null && { last_name: last }),
    ...(first !== null && { first_name: first }),
    ...(birthDate !== null && { birth_date: birthDate }),
    ...(sex !== null && { gender: sex === 'F' ? 1 : 0 }),
    ...(day !== null && { visit_date: day }),
    ...(eyes !== null && { images: eyes }),
  })
}
