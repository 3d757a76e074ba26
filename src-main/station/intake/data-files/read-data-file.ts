/** Reads the data files that lie beside images: `case.json`, and the JSON, XML and CSV of cameras and clinics. Pure. */
import { readSidecar } from '../read-sidecar.ts'
import type { Sidecar } from '../recognition.ts'
import type { DataFileLabel } from '../sidecar-values.ts'
import type { TreeReading } from './data-tree.ts'
import type { DateOrder } from './data-dates.ts'
import { decodeJson, decodeTable, decodeXml } from './decode-data-text.ts'
import { documentStatements } from './document-statements.ts'
import { buildDraft, sidecarOf } from './draft-of.ts'
import { inferRules } from './draft-rules.ts'
import { mergeDrafts } from './merge-drafts.ts'
import { columnsOf, type Columns } from './name-meaning.ts'
import { namesCases } from './names-cases.ts'
import type { NameOrder } from './person-names.ts'
import { readJsonTree } from './read-json-tree.ts'
import { readTable } from './read-table.ts'
import { readXmlTree } from './read-xml-tree.ts'
import type { Statements } from './statement.ts'
import { tableMeaning } from './table-statements.ts'

export type DataFileForm = 'case' | 'table' | 'document'

export type DataFileReading =
  | {
      readonly ok: true
      readonly records: readonly Sidecar[]
      readonly form: DataFileForm
      /** What of the file could not be used as a whole: rows that do not fit under the headings. */
      readonly message: string | null
    }
  /** `isForeign`: it is no data about cases at all but some other program's file. */
  | { readonly ok: false; readonly isForeign: boolean; readonly message: string }

export type DataFileOptions = {
  readonly columns: Readonly<Record<string, string>>
  readonly dateOrder: DateOrder
  readonly nameOrder: NameOrder
}

const MEGABYTE = 1_024 * 1_024
export const MAX_DATA_BYTES = 16 * MEGABYTE
/** Documents are about a few visits; reading larger ones would hold up everything else. */
const MAX_DOCUMENT_BYTES = 4 * MEGABYTE
const MAX_ROWS = 20_000

/** Reads one data file by its name and content. The sentences are for a photographer and name no content. */
export function readDataFile(fileName: string, bytes: Uint8Array, options: DataFileOptions): DataFileReading {
  const name = fileName
    .slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
    .toLowerCase()
  if (name === 'case.json') return readCase(bytes)
  const where = kindOf(name, bytes)
  const most = where === 'the CSV file' ? MAX_DATA_BYTES : MAX_DOCUMENT_BYTES
  if (bytes.length > most)
    return no(where, `is larger than ${most / MEGABYTE} MB`, 'Export it for fewer patients')
  return where === 'the CSV file' ? readTableFile(bytes, options) : readDocument(where, bytes, options)
}

function readCase(bytes: Uint8Array): DataFileReading {
  const reading = readSidecar(bytes)
  if (!reading.ok) return { ok: false, isForeign: false, message: reading.message }
  return { ok: true, records: [reading.value], form: 'case', message: null }
}

type ForeignLabel = Extract<DataFileLabel, 'the CSV file' | 'the XML file' | 'the JSON file'>

function kindOf(name: string, bytes: Uint8Array): ForeignLabel {
  if (name.endsWith('.xml')) return 'the XML file'
  if (name.endsWith('.json')) return 'the JSON file'
  if (/\.(csv|tsv|tab)$/.test(name)) return 'the CSV file'
  const first = bytes.subarray(0, 64).find((byte) => byte > 0x20 && byte < 0x7f)
  if (first === 0x3c) return 'the XML file'
  return first === 0x7b || first === 0x5b ? 'the JSON file' : 'the CSV file'
}

function no(where: ForeignLabel, what: string, next: string, isForeign = false): DataFileReading {
  const subject = where.replace('the', 'The')
  const message = `${subject} beside the images ${what}, so nothing was read from it. ${next}, or enter the details by hand.`
  return { ok: false, isForeign, message }
}

function foreign(where: ForeignLabel): DataFileReading {
  const message = `${where.replace('the', 'The')} holds none of the details of a case; it was left where it is.`
  return { ok: false, isForeign: true, message }
}

function readTableFile(bytes: Uint8Array, options: DataFileOptions): DataFileReading {
  const where = 'the CSV file'
  const text = decodeTable(bytes)
  if (text === null) return foreign(where)
  const columns = columnsOf(options.columns)
  const reading = readTable(text, { mostRows: MAX_ROWS })
  if (!reading.ok && !namesCases(text, where, columns)) return foreign(where)
  if (!reading.ok && reading.why === 'tooManyRows')
    return no(where, `holds more than ${MAX_ROWS.toLocaleString('en')} rows`, 'Export it for fewer patients')
  if (!reading.ok) return no(where, 'is not complete or not a proper table', 'Export it again')
  const found = tableMeaning(reading.table.headings, columns)
  if (found === null) return no(where, 'repeats its headings', 'Export it again')
  if (!found.isAboutCases) return foreign(where)
  const rows = reading.table.rows.map(found.statementsOf).filter((row) => row.length > 0)
  const { misfits } = reading.table
  if (rows.length === 0 && misfits === 0) return no(where, 'holds headings only', 'Export it again')
  const message =
    misfits === 0
      ? null
      : `The CSV file holds rows that do not fit under its headings or are cut off (${misfits}); they were not taken. Export it again, or enter the details of their cases by hand.`
  return { ok: true, records: recordsOf(rows, where, found.ignoredCount, options), form: 'table', message }
}

function readDocument(
  where: Exclude<ForeignLabel, 'the CSV file'>,
  bytes: Uint8Array,
  options: DataFileOptions,
): DataFileReading {
  const columns = columnsOf(options.columns)
  const text = where === 'the XML file' ? decodeXml(bytes) : decodeJson(bytes)
  if (text === null) return no(where, 'is not saved in the encoding that it states', 'Save it as UTF-8')
  const reading = where === 'the XML file' ? readXmlTree(text) : readJsonTree(text)
  if (!reading.ok) return unreadable(where, text, reading.why, columns)
  const found = documentStatements(reading.root, columns)
  if (found === null) return no(where, 'holds more than any export does', 'Export it for fewer patients')
  if (!found.isAboutCases) return foreign(where)
  return {
    ok: true,
    records: recordsOf(found.visits, where, found.ignoredCount, options),
    form: 'document',
    message: null,
  }
}

/** A file that cannot be read is told of only where its names are those of cases; other programs' files are theirs. */
function unreadable(
  where: Exclude<ForeignLabel, 'the CSV file'>,
  text: string,
  why: Extract<TreeReading, { ok: false }>['why'],
  columns: Columns,
): DataFileReading {
  if (!namesCases(text, where, columns)) return foreign(where)
  if (why === 'broken')
    return no(
      where,
      `is not complete or not proper ${where === 'the XML file' ? 'XML' : 'JSON'}`,
      'Export it again',
    )
  return no(where, 'is built in a way that no export is', 'Export it again')
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
