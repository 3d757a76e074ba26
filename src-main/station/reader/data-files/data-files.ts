/** Reads the data files beside images: `case.json`, and the JSON, XML and CSV of cameras and clinics. Pure. */
import { createHash } from 'node:crypto'
import { type Message, type NameIn, worded, type Wording, wordingOf } from '../../../../src-shared/wording.ts'
import type { SidecarForm } from '../../outbox/files.ts'
import { isFileName, type Sidecar } from '../../cases/meaning/sources.ts'
import type { DateOrder } from '../../cases/meaning/dates.ts'
import { type DataFileLabel, decodeAs, decodeText, readSidecar } from './case-json.ts'
import { documentStatements } from './documents.ts'
import { buildDraft, doubtsBeside, inferRules, sidecarOf } from './draft.ts'
import { mergeDrafts } from './merge-drafts.ts'
import {
  type Columns,
  columnsOf,
  nameMeaning,
  type NameMeaning,
  type Statement,
  type Statements,
  termsIn,
  termsOf,
} from './names.ts'
import { areAboutCases, readTable, tableMeaning } from './tables.ts'
import { type DataBlock, type DataValue, readJsonTree, readXmlTree } from './trees.ts'
import type { NameOrder } from './values.ts'

/** Enough to recognise UTF-16 without a mark, and to hold an XML declaration. */
const HEAD_BYTES = 512

/** As any data file, else as Windows-1252, the Latin-1 of spreadsheets; null if the bytes are no text. */
export function decodeTable(bytes: Uint8Array): string | null {
  const text = decodeData(bytes) ?? (isMarked(bytes) ? null : decodeAs('windows-1252', bytes))
  // Text contains no zeros; a binary file does.
  return text === null || text.includes('\u0000') ? null : text
}

/** By its byte order mark, its pattern of zero bytes, or what it declares, else as UTF-8; null if that is wrong. */
function decodeData(bytes: Uint8Array, declared = 'utf-8'): string | null {
  return isMarked(bytes) ? decodeText(bytes) : decodeAs(unmarkedUtf16(bytes) ?? declared, bytes)
}

function encodingDeclaredIn(xml: Uint8Array): string {
  const head = decodeAs('windows-1252', xml.subarray(0, HEAD_BYTES)) ?? ''
  const declared =
    /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head)?.[1] ?? 'utf-8'
  // Programs that build the text in memory declare UTF-16 and save UTF-8: bytes without zeros are not UTF-16.
  return /^utf-?(8|16)/i.test(declared) ? 'utf-8' : declared
}

function isMarked([first, second, third]: Uint8Array): boolean {
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return isUtf16 || (first === 0xef && second === 0xbb && third === 0xbf)
}

/** In UTF-16, every second byte of names, digits and punctuation is zero: most of the head of a data file. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const head = bytes.subarray(0, HEAD_BYTES)
  const [even, odd] = [zerosAt(head, 0), zerosAt(head, 1)]
  const most = head.length / 2
  if (odd > most * 0.6 && even < most * 0.1) return 'utf-16le'
  if (even > most * 0.6 && odd < most * 0.1) return 'utf-16be'
  return null
}

function zerosAt(bytes: Uint8Array, parity: 0 | 1): number {
  return bytes.reduce((count, byte, index) => (byte === 0 && index % 2 === parity ? count + 1 : count), 0)
}

/** Enough to find a name of a case; files of other programs are not searched to the end. */
const MAX_NAMES = 2_000

/** True if an unreadable file uses names that only files about cases have. */
function namesCases(text: string, where: ForeignLabel, columns: Columns): boolean {
  const found: NameMeaning[] = []
  let count = 0
  for (const name of namesIn(text, where)) {
    const meaning = nameMeaning(name, columns)
    if (meaning) found.push(meaning)
    if ((count += 1) > MAX_NAMES) break
  }
  return areAboutCases(found)
}

function* namesIn(text: string, where: ForeignLabel): Iterable<string> {
  if (where === 'csv') {
    const head = text
      .slice(0, 10_000)
      .split(/[\r\n]/)
      .find((line) => line.trim() !== '' && !/^sep=/i.test(line))
    yield* (head ?? '').split(/[;,\t]/).map((cell) => cell.trim().replaceAll('"', ''))
    return
  }
  const pattern = where === 'xml' ? /<([\p{L}_][\p{L}\p{N}_.-]{0,60})/gu : /"([^"\\]{1,60})"[ \t\r\n]{0,20}:/g
  for (const match of text.matchAll(pattern)) if (match[1] !== undefined) yield match[1]
}

/** Records in their order, as an array has them; those of a large file are parsed one by one. */
export type SidecarList<One = Sidecar> = {
  readonly length: number
  readonly at: (index: number) => One | undefined
}

export type DataFileReading<Records extends SidecarList = readonly Sidecar[]> =
  | {
      readonly ok: true
      readonly records: Records
      readonly form: SidecarForm
      /** What could not be used: rows that do not fit the headings. */
      readonly trouble: Message | null
    }
  /** `isForeign`: the file belongs to another program and is not about cases. */
  | ({ readonly ok: false; readonly isForeign: boolean } & Message)

export type DataFileOptions = {
  readonly columns: Readonly<Record<string, string>>
  readonly dateOrder: DateOrder
  readonly nameOrder: NameOrder
}

const MEGABYTE = 1_024 * 1_024
export const MAX_DATA_BYTES = 16 * MEGABYTE

/** A document takes far more memory while it is parsed. */
const MAX_DOCUMENT_BYTES = 8 * MEGABYTE
const MAX_ROWS = 20_000

/** A list of more visits is no record of the images beside it: it speaks of those that it names, as a table does. */
const MOST_IN_DOCUMENT = 50

/** Reads a data file by its name and content. Its messages are for a photographer and contain no content. */
export function readDataFile(fileName: string, bytes: Uint8Array, options: DataFileOptions): DataFileReading {
  const name = fileName
    .slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
    .toLowerCase()
  if (name === 'case.json') return readCase(bytes)
  const where = kindOf(name, bytes)
  const most = where === 'csv' ? MAX_DATA_BYTES : MAX_DOCUMENT_BYTES
  if (bytes.length > most) return unread(where, 'tooLarge', 'fewer', { megabytes: most / MEGABYTE })
  return where === 'csv' ? readTableFile(bytes, options) : readDocument(where, bytes, options)
}

function readCase(bytes: Uint8Array): DataFileReading {
  const reading = readSidecar(bytes)
  if (!reading.ok) return { ...reading, isForeign: false }
  const { value, root } = reading
  const beside = documentStatements(root, columnsOf({}), 'aside')?.visits.flat() ?? []
  const doubts = doubtsBeside(value, beside)
  const stated = doubts.length === 0 ? value : { ...value, doubts: [...(value.doubts ?? []), ...doubts] }
  // Its images are its own: the same names in another folder are of other files.
  const record = value.files.length === 0 ? stated : { ...stated, capture: digestOf([root]) }
  return { ok: true, records: [record], form: 'case', trouble: null }
}

type ForeignLabel = Extract<DataFileLabel, 'csv' | 'xml' | 'json'>

function kindOf(name: string, bytes: Uint8Array): ForeignLabel {
  if (name.endsWith('.xml')) return 'xml'
  if (name.endsWith('.json')) return 'json'
  if (/\.(csv|tsv|tab)$/.test(name)) return 'csv'
  const first = bytes.subarray(0, 64).find((byte) => byte > 0x20 && byte < 0x7f)
  if (first === 0x3c) return 'xml'
  return first === 0x7b || first === 0x5b ? 'json' : 'csv'
}

function unread(
  where: ForeignLabel,
  problem: NameIn<'intake:dataFile.problem'>,
  advice: NameIn<'intake:dataFile.advice'> = 'again',
  values?: Wording['values'],
): DataFileReading {
  const message = worded('intake:dataFile.unread', {
    file: wordingOf(`intake:dataFile.subject.${where}`),
    problem: wordingOf(`intake:dataFile.problem.${problem}`, values),
    advice: wordingOf(`intake:dataFile.advice.${advice}`),
  })
  return { ok: false, isForeign: false, ...message }
}

function tooManyRows(where: ForeignLabel): DataFileReading {
  return unread(where, 'tooManyRows', 'fewer', { rows: MAX_ROWS.toLocaleString('en') })
}

function foreign(where: ForeignLabel): DataFileReading {
  const file = wordingOf(`intake:dataFile.subject.${where}`)
  return { ok: false, isForeign: true, ...worded('intake:dataFile.foreign', { file }) }
}

function readTableFile(bytes: Uint8Array, options: DataFileOptions): DataFileReading {
  const where = 'csv'
  const text = decodeTable(bytes)
  if (text === null) return foreign(where)
  const columns = columnsOf(options.columns)
  const reading = readTable(text, { mostRows: MAX_ROWS })
  if (!reading.ok && !namesCases(text, where, columns)) return foreign(where)
  if (!reading.ok && reading.why === 'tooManyRows') return tooManyRows(where)
  if (!reading.ok) return unread(where, 'noTable')
  const found = tableMeaning(reading.table.headings, columns, reading.table.rows)
  if (found === null) return unread(where, 'repeatedHeadings')
  if (!found.isAboutCases) return foreign(where)
  const { misfits } = reading.table
  const rows = reading.table.rows
    .map((cells) => found.statementsOf(cells, misfits.has(cells)))
    // A row that does not fit, and names no file, is of no image, unless it is the only one.
    .filter(
      ([first, ...others], _, all) => first && (all.length === 1 || others.length > 0 || !isMisfit(first)),
    )
  if (rows.length === 0 && misfits.size === 0) return unread(where, 'headingsOnly')
  const trouble = misfits.size === 0 ? null : worded('intake:dataFile.misfits', { rows: misfits.size })
  return { ok: true, ...ofStemIfOne(recordsOf(rows, where, found.ignoredCount, options)), trouble }
}

/** A table of one visit that names no file is of the image of its stem, as any document is. */
function ofStemIfOne(records: readonly Sidecar[]): {
  readonly form: SidecarForm
  readonly records: readonly Sidecar[]
} {
  const [record, ...others] = records
  const isOne = record !== undefined && others.length === 0
  if (!isOne || record.files.length > 0 || Object.keys(record.eyes).length > 0)
    return { form: 'table', records }
  // Rows of both eyes are of two images, and no one knows which this is.
  const isOfTwo = (record.ownEyes ?? []).length > 1
  return { form: 'document', records: [isOfTwo ? { ...record, ownEyes: [] } : record] }
}

function isMisfit({ meaning }: Statement): boolean {
  return meaning.kind === 'misfit'
}

function readDocument(
  where: Exclude<ForeignLabel, 'csv'>,
  bytes: Uint8Array,
  options: DataFileOptions,
): DataFileReading {
  const columns = columnsOf(options.columns)
  const text = decodeData(bytes, where === 'xml' ? encodingDeclaredIn(bytes) : undefined)
  if (text === null) return unread(where, 'encoding', 'utf8')
  const reading = where === 'xml' ? readXmlTree(text) : readJsonTree(text)
  // An unreadable file is reported only if it uses names of cases; other programs' files are ignored.
  if (!reading.ok && !namesCases(text, where, columns)) return foreign(where)
  if (!reading.ok && reading.why !== 'broken') return unread(where, 'unusual')
  if (!reading.ok) return unread(where, where === 'xml' ? 'noXml' : 'noJson')
  const found = documentStatements(reading.root, columns)
  if (found === null) return unread(where, 'tooMuch', 'fewer')
  if (!found.isAboutCases) return foreign(where)
  if (found.visits.length > MAX_ROWS) return tooManyRows(where)
  const capture = captureIn(reading.root)
  const records = recordsOf(found.visits, where, found.ignoredCount, options).map((record) =>
    capture === null ? record : { ...record, capture },
  )
  return { ok: true, records, form: records.length > MOST_IN_DOCUMENT ? 'table' : 'document', trouble: null }
}

const ONE_SHOT = new Set(
  termsIn(`
  image img capture photo photograph picture shot frame instance sop acquisition exposure scan imagen imagem captura
  foto toma bild aufnahme cliche`),
)

/** Terms of what only one exposure has: its number and its time. */
const SINGLE = new Set(
  termsIn(`
  id uid uuid guid number no nr num key time timestamp datetime instant hash numero nummer hora zeit uhrzeit heure`),
)

/** A digest of a document that numbers or times one exposure, but for its files; null for one that may be of several. */
function captureIn(root: DataBlock): string | null {
  const values = valuesOf(root).filter(({ value }) => value !== null && value !== '' && !isFileName(value))
  const isOfOneShot = values.some(({ name }) => {
    const terms = termsOf(name)
    return terms.some((term) => ONE_SHOT.has(term)) && SINGLE.has(terms.at(-1) ?? '')
  })
  return isOfOneShot ? digestOf(values) : null
}

function valuesOf({ values, blocks }: DataBlock): readonly DataValue[] {
  return [...values, ...blocks.flatMap(valuesOf)]
}

function digestOf(stated: unknown): string {
  return createHash('sha256').update(JSON.stringify(stated)).digest('hex')
}

function recordsOf(
  parts: readonly Statements[],
  where: ForeignLabel,
  ignoredCount: number,
  options: DataFileOptions,
): readonly Sidecar[] {
  const { heed, rules } = inferRules(where, options)
  parts.forEach(heed)
  const drafts = parts.map((part) => buildDraft(part, rules()))
  return mergeDrafts(drafts, where).map((draft) => sidecarOf(draft, ignoredCount))
}
