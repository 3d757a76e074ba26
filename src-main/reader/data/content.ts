/** Reads a data file or a patient list, in whatever encoding: to the cells of a table, or the named values of a document. Pure. */
import { basename } from 'node:path/posix'
import { parse } from 'csv-parse/sync'
import { type DataContent, type DataForm, MAX_DATA_BYTES, MAX_ROWS, type Table } from '../messages.ts'
import { readJsonTree, readXmlTree } from './trees.ts'

type Unread = Extract<DataContent, { kind: 'unread' }>

/** By its name, else by its first sign. */
export function formOf(fileName: string, bytes: Uint8Array): Exclude<DataForm, 'list'> {
  const name = basename(fileName.replaceAll('\\', '/')).toLowerCase()
  if (name === 'case.json') return 'case'
  if (name.endsWith('.xml')) return 'xml'
  if (name.endsWith('.json')) return 'json'
  if (/\.(csv|tsv|tab)$/.test(name)) return 'csv'
  const first = bytes.subarray(0, 64).find((byte) => byte > 0x20 && byte < 0x7f)
  if (first === 0x3c) return 'xml'
  return first === 0x7b || first === 0x5b ? 'json' : 'csv'
}

/** A large one takes seconds: for a process of its own. */
export function readContent(bytes: Uint8Array, form: DataForm): DataContent {
  if (bytes.length > MAX_DATA_BYTES[form]) return unread('tooLarge')
  const text = textOf(bytes, form)
  if (text === null) return unread('encoding')
  if (form === 'csv' || form === 'list') {
    const table = readTable(text, MAX_ROWS[form])
    return typeof table === 'string' ? unread(table, namesIn(text, 'csv')) : { kind: 'table', table }
  }
  const root = form === 'xml' ? readXmlTree(text) : readJsonTree(text)
  if (typeof root !== 'string') return { kind: 'document', root }
  return unread(root, namesIn(text, form === 'xml' ? 'xml' : 'json'))
}

/** UTF-8 or UTF-16 with a mark is asked of a `case.json`; of others, whatever they are in. */
function textOf(bytes: Uint8Array, form: DataForm): string | null {
  if (form === 'case') return decodeText(bytes)
  return form === 'csv' || form === 'list' ? decodeTable(bytes) : decodeDocument(bytes, form)
}

function unread(why: Unread['why'], names: Unread['names'] = []): Unread {
  return { kind: 'unread', why, names }
}

/** Enough to recognise UTF-16 without a mark, and to hold an XML declaration. */
const HEAD_BYTES = 512

/** By its byte order mark, else in this encoding; null if the bytes are none of it, or if it is unknown. */
function decodeText(bytes: Uint8Array, encoding = 'utf-8'): string | null {
  try {
    return new TextDecoder(markOf(bytes) ?? encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    // TypeError: bytes invalid in the encoding. RangeError: unknown encoding.
    if (error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null
}

/** As `decodeText`, and UTF-16 by its pattern of zero bytes. */
function decodeData(bytes: Uint8Array, declared = 'utf-8'): string | null {
  return decodeText(bytes, unmarkedUtf16(bytes) ?? declared)
}

/** A table; else as Windows-1252, the Latin-1 of spreadsheets. Null if the bytes are no text. */
function decodeTable(bytes: Uint8Array): string | null {
  const text = decodeData(bytes) ?? (markOf(bytes) === null ? decodeText(bytes, 'windows-1252') : null)
  // Text contains no zeros; a binary file does.
  return text === null || text.includes('\u0000') ? null : text
}

/** An XML or JSON document; null if it is not in the encoding that it states. */
function decodeDocument(bytes: Uint8Array, where: 'xml' | 'json'): string | null {
  const head = where === 'xml' ? new TextDecoder('windows-1252').decode(bytes.subarray(0, HEAD_BYTES)) : ''
  const declared = /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head)?.[1]
  // Programs that build the text in memory declare UTF-16 and save UTF-8: bytes without zeros are not UTF-16.
  return decodeData(bytes, declared === undefined || /^utf-?(8|16)/i.test(declared) ? 'utf-8' : declared)
}

/** In UTF-16, every second byte of names, digits and punctuation is zero: most of the head of a data file. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const head = bytes.subarray(0, HEAD_BYTES)
  const zerosAt = (parity: 0 | 1): number =>
    head.filter((byte, index) => byte === 0 && index % 2 === parity).length
  const [even, odd, most] = [zerosAt(0), zerosAt(1), head.length / 2]
  if (odd > most * 0.6 && even < most * 0.1) return 'utf-16le'
  return even > most * 0.6 && odd < most * 0.1 ? 'utf-16be' : null
}

/** Enough to find a name of a case; files of other programs are not searched to the end. */
const MAX_NAMES = 2_000

/** The headings, elements or keys at the beginning of an unreadable file. */
function namesIn(text: string, where: 'csv' | 'xml' | 'json'): readonly string[] {
  if (where === 'csv') {
    const lines = text.slice(0, 10_000).split(/[\r\n]/)
    const head = lines.find((line) => line.trim() !== '' && !/^sep=/i.test(line)) ?? ''
    return head.split(/[;,\t]/).map((cell) => cell.trim().replaceAll('"', ''))
  }
  const pattern = where === 'xml' ? /<([\p{L}_][\p{L}\p{N}_.-]{0,60})/gu : /"([^"\\]{1,60})"[ \t\r\n]{0,20}:/g
  const names: string[] = []
  for (const [, name = ''] of text.matchAll(pattern)) if (names.push(name) >= MAX_NAMES) break
  return names
}

const MAX_COLUMNS = 500
const MAX_RECORD_CHARACTERS = 1_000_000

/** Separated by `;`, `,` or tab, whichever is most frequent in the first line; the line `sep=;` is honoured. */
function readTable(text: string, mostRows: number): Table | 'noTable' | 'tooManyRows' {
  const plain = text.replace(/^\ufeff/, '')
  const [line = '', stated] = /^"?sep=([;,\t|])"?[;,\t|]*(?:\r\n|\n|\r)/i.exec(plain) ?? []
  const body = plain.slice(line.length)
  const records = recordsOf(body, stated ?? delimiterOf(body), mostRows + 2)
  if (records === null) return 'noTable'
  const [headings, ...rows] = records
    .map((cells) => cells.map(plainCell))
    .filter((cells) => cells.some((cell) => cell !== ''))
  if (rows.length > mostRows) return 'tooManyRows'
  if (!headings || headings.length > MAX_COLUMNS) return 'noTable'
  const named = headings.findLastIndex((heading) => heading !== '') + 1
  const isEnded = /[\r\n]$/.test(body)
  // A program that ends each row with a delimiter adds one empty cell to all of them.
  const least = rows.reduce((fewest, { length }) => Math.min(fewest, length), MAX_COLUMNS)
  const width = Math.max(headings.length, least)
  // The first column of a data frame numbers its rows and has no heading.
  const isIndexed =
    headings[0] === '' &&
    rows.every(([first], index) => first === String(index) || first === String(index + 1))
  const misfits = rows.filter((cells, index) => {
    const isUnnamed = cells.some((cell, at) => cell !== '' && !headings[at] && !(isIndexed && at === 0))
    // A file that ends within a row is truncated.
    const isTruncated = !isEnded && index === rows.length - 1 && cells.length < named
    return cells.length > width || isUnnamed || isTruncated
  })
  return { headings: headings.slice(0, named), rows, misfits: new Set(misfits) }
}

/** Without what office programs write around a cell so that it stays a text: `="0062001"`, `'0062001`. */
function plainCell(cell: string): string {
  const formula = cell.startsWith('="') ? /^="([^"]*)"$/.exec(cell)?.[1] : undefined
  return formula?.trim() ?? (/^'\d/.test(cell) ? cell.slice(1) : cell)
}

/** The heading line decides: in rows, a comma may belong to a number. */
function delimiterOf(text: string): string {
  const from = Math.max(text.search(/\S/), 0)
  const [line = ''] = /^[^\r\n]*/.exec(text.slice(from, from + MAX_RECORD_CHARACTERS)) ?? []
  const unquoted = line.replaceAll(/"[^"]*"?/g, '')
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length - 1)
  const most = Math.max(...counts)
  return (most > 0 && DELIMITERS[counts.indexOf(most)]) || ','
}

const DELIMITERS = [';', '\t', ',']

function recordsOf(text: string, delimiter: string, most: number): string[][] | null {
  try {
    return parse(text, {
      delimiter,
      to: most,
      trim: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: MAX_RECORD_CHARACTERS,
    })
  } catch (error) {
    // The parser rejects the text: an unclosed quote, an endless row.
    if (error instanceof Error) return null
    throw error
  }
}
