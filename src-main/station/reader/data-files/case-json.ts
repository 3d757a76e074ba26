/** Reads a `case.json`, and single values as people write them. An ambiguous value counts as none. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import {
  DIABETES_CODES,
  type FieldName,
  type Fields,
  GENDER_CODES,
  isFieldName,
} from '../../../../src-shared/fields.ts'
import { type Message, type NameIn, worded, type Wording, wordingOf } from '../../../../src-shared/wording.ts'
import { foldPath, OTHER_ZONE, type Sidecar } from '../../cases/meaning/sources.ts'
import { type DateOrder, type DayReading, readDay } from '../../cases/meaning/dates.ts'
import { readEye } from '../../cases/meaning/eyes.ts'
import { isIdle, isLikeNumber, unwrapNumber } from '../../cases/meaning/numbers.ts'
import { type DataBlock, readJsonTree } from './trees.ts'

/** Decodes text by its byte order mark, else as UTF-8; null if it is neither. */
export function decodeText(bytes: Uint8Array): string | null {
  return decodeAs(encodingOf(bytes), bytes)
}

/** Null if the bytes are invalid in this encoding, or if it is unknown. */
export function decodeAs(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    // TypeError: bytes invalid in the encoding. RangeError: unknown encoding.
    if (error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return 'utf-8'
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

/** `absent`: nothing is stated, which is no mistake. `wrong`: the message says what is expected. */
export type ReadValue<Value> =
  /** `doubt`: why it is a proposal only. */
  | { readonly kind: 'value'; readonly value: Value; readonly doubt?: Message }
  | { readonly kind: 'absent' }
  | ({ readonly kind: 'wrong' } & Message)

const ABSENT = { kind: 'absent' } as const

function isAbsent(stated: unknown): boolean {
  return stated === null || (typeof stated === 'string' && stated.trim() === '')
}

function valueOf<Value>(value: Value): Extract<ReadValue<Value>, { kind: 'value' }> {
  return { kind: 'value', value }
}

export type DataFileLabel = NameIn<'intake:dataFile.file'>

export type Expected = NameIn<'intake:dataFile.expected'>

/** An unusable value: the message names the field and the expectation, never the value. */
export function wrong(
  name: string | Wording,
  expected: Expected,
  where: DataFileLabel = 'case',
  values?: Wording['values'],
): Extract<ReadValue<never>, { kind: 'wrong' }> {
  const file = wordingOf(`intake:dataFile.file.${where}`)
  const what = wordingOf(`intake:dataFile.expected.${expected}`, values)
  return { kind: 'wrong', ...worded('intake:dataFile.wrong', { name, file, expected: what }) }
}

/** Why a value of a data file, or the whole of it, is a proposal only. The message names no value but those given. */
export function doubtOf(
  name: string | Wording,
  why: NameIn<'intake:dataFile.why'>,
  where: DataFileLabel,
  values?: Wording['values'],
): Message {
  const file = wordingOf(`intake:dataFile.file.${where}`)
  return worded('intake:dataFile.doubtful', {
    name,
    file,
    why: wordingOf(`intake:dataFile.why.${why}`, values),
  })
}

/** A file that a data file names outside of its folder. */
export function outside(where: DataFileLabel): Message {
  return worded('intake:dataFile.outside', { file: wordingOf(`intake:dataFile.file.${where}`) })
}

const MAX_LETTERS = 10_000

export const TEXT_FIELDS: readonly FieldName[] = [
  'history_number',
  'first_name',
  'last_name',
  'visit_reason',
  'ophthalmic_antecedents',
  'other_relevant_info',
  'retinologist_notes',
]

/** The value of a field as the service accepts it. Plausible ranges are checked elsewhere, for all sources alike. */
function readField(name: FieldName, stated: unknown): ReadValue<Fields[FieldName]> {
  if (isAbsent(stated)) return ABSENT
  if (name === 'history_number') return readHistoryNumber(stated, 'case')
  if (TEXT_FIELDS.includes(name)) return readText(name, stated)
  if (name === 'gender') return readCode(name, stated, GENDER_TERMS)
  if (name === 'diabetes') return readCode(name, stated, DIABETES_TERMS)
  if (name === 'visit_date')
    return dayValue(name, readDay(stated, 'ymd'), { where: 'case', dateOrder: 'ymd' })
  return readNumber(name, stated)
}

/** A text without control characters, at most 10,000 letters. */
export function readText(name: FieldName, stated: unknown, where?: DataFileLabel): ReadValue<string> {
  // A larger number has lost digits before it reaches us.
  if (typeof stated === 'number' && Number.isSafeInteger(stated)) return valueOf(String(stated))
  if (typeof stated !== 'string') return wrong(name, 'text', where)
  // Control characters come from broken exports; line ends and tabs are text.
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  const text = stated.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '').trim()
  if (text.length > MAX_LETTERS) return wrong(name, 'length', where, { letters: MAX_LETTERS })
  return text === '' ? ABSENT : valueOf(text)
}

/** Without what programs write around it. Two or a cut one are none; what looks like another thing is a proposal. */
export function readHistoryNumber(stated: unknown, where: DataFileLabel): ReadValue<string> {
  const name = 'history_number'
  const inside = typeof stated === 'string' ? unwrapNumber(stated) : stated
  const read = readText(name, inside, where)
  if (inside === null || (read.kind === 'value' && read.value.length > MAX_NUMBER_LETTERS))
    return wrong(name, 'wholeNumber', where)
  if (read.kind !== 'value' || isLikeNumber(read.value) || isIdle(read.value)) return read
  return { ...read, doubt: noNumber(where) }
}

const NO_NUMBER = new Map<DataFileLabel, Message>()

/** Worded once for each kind of file: a table may state it in every cell. */
function noNumber(where: DataFileLabel): Message {
  const known = NO_NUMBER.get(where) ?? doubtOf('history_number', 'noNumber', where)
  NO_NUMBER.set(where, known)
  return known
}

const MAX_NUMBER_LETTERS = 100

/** A history number for comparison: case is ignored, leading zeros count. */
export function comparableNumber(historyNumber: string): string {
  return historyNumber.normalize('NFC').toUpperCase()
}

/** `-1,25` equals `-1.25`; `1,234.5` is ambiguous. */
export function readNumber(name: FieldName, stated: unknown, where?: DataFileLabel): ReadValue<number> {
  if (typeof stated === 'number' && Number.isFinite(stated)) return valueOf(stated)
  const text = typeof stated === 'string' ? stated.trim().replace('\u2212', '-') : ''
  if (!/^[+-]?(\d{1,6}([.,]\d{1,6})?|[.,]\d{1,6})$/.test(text)) return wrong(name, 'number', where)
  return valueOf(Number(text.replace(',', '.')))
}

type CodeTerms = Readonly<Record<string, 0 | 1>>

const { male, female } = GENDER_CODES
const GENDER_TERMS: CodeTerms = { '0': male, '1': female, male, female, m: male, f: female }

const { no, yes } = DIABETES_CODES
const DIABETES_TERMS: CodeTerms = { '0': no, '1': yes, no, yes, false: no, true: yes }

function readCode(name: 'gender' | 'diabetes', stated: unknown, terms: CodeTerms): ReadValue<0 | 1> {
  const isPlain = typeof stated === 'string' || typeof stated === 'number' || typeof stated === 'boolean'
  const term = isPlain ? String(stated).trim().toLowerCase() : ''
  const code = Object.hasOwn(terms, term) ? terms[term] : undefined
  return code === undefined ? wrong(name, name) : valueOf(code)
}

const DAY_EXPECTED = { ymd: 'dayOrder', dmy: 'dayFirst', mdy: 'monthFirst' } as const satisfies Record<
  DateOrder,
  Expected
>

/** A day as it was read. One that another zone may have moved is a proposal. */
export function dayValue(
  name: string,
  read: DayReading,
  { where, dateOrder }: { readonly where: DataFileLabel; readonly dateOrder: DateOrder },
): ReadValue<string> {
  if (read.kind === 'day') return valueOf(read.day)
  if (read.kind === 'instant')
    return {
      ...valueOf(read.day),
      doubt: doubtOf(name, 'instant', where, { day: read.day, written: read.written }),
    }
  return wrong(name, where === 'case' ? 'day' : DAY_EXPECTED[dateOrder], where)
}

/** An eye stated beside a file name: here a single R or L is clear, D and I are not. */
function readEyeOf(fileName: string, stated: unknown): ReadValue<StatedEye> {
  const eye = readEye(stated)
  if (eye === 'none') return ABSENT
  return eye === 'right' || eye === 'left' ? valueOf(eye) : wrongEye(fileName)
}

function isKnown(name: string): boolean {
  return isFieldName(name) || name === 'images' || name === 'birth_date'
}

function wrongEye(fileName: string): ReadValue<never> {
  return wrong(wordingOf('intake:dataFile.name.eyeOf', { file: fileName }), 'eye')
}

/** The message is for a photographer and contains no content. */
export type SidecarReading =
  /** `root`: what else it says, under other names. */
  | { readonly ok: true; readonly value: Sidecar; readonly root: DataBlock }
  | ({ readonly ok: false } & Message)

/** Far more than the longest texts of all fields. */
const MAX_BYTES = 1_024 * 1_024
const MAX_IMAGES = 1_000

const unread = (why: NameIn<'intake:dataFile.case'>): SidecarReading => ({
  ok: false,
  ...worded(`intake:dataFile.case.${why}`),
})

/**
 * Reads a `case.json`: fields by the interface's names, and `images` with the eye of each file. UTF-8, or UTF-16 with a
 * mark. Unknown fields are counted, unusable ones named in `rejected`.
 */
export function readSidecar(bytes: Uint8Array): SidecarReading {
  if (bytes.length > MAX_BYTES) return unread('tooLarge')
  const text = decodeText(bytes)
  if (text === null) return unread('encoding')
  const tree = readJsonTree(text)
  if (!tree.ok || tree.root.isList) return unread('noJson')
  const { values, blocks } = tree.root
  const fields = readFields(tree.root)
  const images = readImages(tree.root)
  const births = values.flatMap(({ name, value }) =>
    name === 'birth_date' && !isAbsent(value) ? [birthDateIn(value)] : [],
  )
  const birthDate = births.find((birth) => birth !== null) ?? null
  const names = new Set([...values, ...blocks].map(({ name }) => name))
  const ignoredCount = [...names].filter((name) => !isKnown(name)).length
  if (names.size === ignoredCount) return unread('noCase')
  return {
    ok: true,
    root: { ...tree.root, blocks: blocks.filter(({ name }) => name !== 'images') },
    value: {
      fields: fields.values,
      birthDate,
      files: images.files,
      eyes: images.eyes,
      rejected: [
        ...fields.rejected,
        ...(births.includes(null) ? [asRejected('birth_date', wrong('birth_date', 'day'))] : []),
        ...(new Set(births).size > 1 ? [asRejected('birth_date', wrong('birth_date', 'oneValue'))] : []),
        ...images.rejected,
      ],
      ...(fields.doubts.length > 0 && { doubts: fields.doubts }),
      ignoredCount,
    },
  }
}

/** No field of the interface, but clinics know it: an age follows from it, and two people differ by it. */
function birthDateIn(value: unknown): string | null {
  const read = readDay(value, 'ymd', 'birth')
  return read.kind === 'day' ? read.day : null
}

type JsonObject = Readonly<Record<string, unknown>>

export function parseObject(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

type Rejected = Sidecar['rejected'][number]

export function asRejected(field: string, { message, wording }: Message): Rejected {
  return { field, message, ...(wording && { wording }) }
}

function readFields({ values: stated, blocks }: DataBlock): {
  readonly values: Fields
  readonly rejected: readonly Rejected[]
  readonly doubts: readonly Rejected[]
} {
  const values: Partial<Record<FieldName, Fields[FieldName]>> = {}
  const rejected = new Map<string, Message>()
  const doubts: Rejected[] = []
  // A block or a list is no value of a field.
  const all = [
    ...stated.map(({ name, value, isListed }) => ({ name, value: isListed ? {} : value })),
    ...blocks.map(({ name }) => ({ name, value: {} })),
  ]
  for (const { name, value } of all) {
    if (!isFieldName(name)) continue
    const read = readField(name, value)
    const before = values[name]
    if (read.kind === 'wrong') rejected.set(name, read)
    else if (read.kind === 'value' && before !== undefined && before !== read.value)
      rejected.set(name, wrong(name, 'oneValue'))
    else if (read.kind === 'value') {
      values[name] = read.value
      if (read.doubt) doubts.push(asRejected(name === 'visit_date' ? OTHER_ZONE : name, read.doubt))
    }
  }
  for (const name of rejected.keys()) if (isFieldName(name)) delete values[name]
  const unusable = [...rejected].map(([name, why]) => asRejected(name, why))
  return { values: values as Fields, rejected: unusable, doubts }
}

function readImages({ values, blocks }: DataBlock): Pick<Sidecar, 'files' | 'eyes' | 'rejected'> {
  const isOther = values.some(({ name, value }) => name === 'images' && value !== null)
  const entries = blocks
    .filter(({ name }) => name === 'images')
    .flatMap((images) => [...images.values, ...images.blocks.map(({ name }) => ({ name, value: {} }))])
  if (
    isOther ||
    blocks.some(({ name, isListed }) => name === 'images' && isListed) ||
    entries.length > MAX_IMAGES
  ) {
    return { files: [], eyes: {}, rejected: [asRejected('images', wrong('images', 'images'))] }
  }
  // By folded path, because one file may be named in two spellings; no eye if two are stated.
  const found = new Map<string, readonly [path: string, eye: StatedEye | null]>()
  const rejected: Rejected[] = []
  for (const { name, value } of entries) {
    const path = safeRelativePath(name)
    const read = readEyeOf(name, value)
    const before = path === null ? undefined : found.get(foldPath(path))
    if (path === null) rejected.push(asRejected('images', outside('case')))
    else if (read.kind === 'wrong') rejected.push(asRejected('images', read))
    else if (read.kind === 'value' && before !== undefined && before[1] !== read.value) {
      found.set(foldPath(path), [before[0], null])
      rejected.push(
        asRejected('images', wrong(wordingOf('intake:dataFile.name.eyeOf', { file: name }), 'oneEye')),
      )
    } else if (read.kind === 'value' && before === undefined) found.set(foldPath(path), [path, read.value])
  }
  const named = [...found.values()]
  return {
    files: named.map(([path]) => path),
    eyes: Object.fromEntries(named.flatMap(([path, eye]) => (eye === null ? [] : [[path, eye] as const]))),
    rejected,
  }
}
