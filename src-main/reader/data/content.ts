/**
 * Reads a data file or a patient list, in whatever encoding: to the cells of a table, or the named values of a document, of
 * which XML and JSON have one structure. Pure.
 */
import { basename } from 'node:path/posix'
import { parse } from 'csv-parse/sync'
import {
  type DataBlock,
  type DataContent,
  type DataForm,
  type DataValue,
  MAX_DATA_BYTES,
  MAX_ROWS,
  type Table,
} from '../messages.ts'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { jsonIn } from '../../station/lib/errors.ts'

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

/** `unusual`: nested deeper or larger than any export, or with types of its own. */
type TreeReading = DataBlock | 'broken' | 'unusual'

/** Exports nest ten levels; deeper documents are hostile. */
const MAX_LEVELS = 60

/** More than an export of twenty thousand visits. */
const MAX_NODES = 600_000

type JsonOne = DataValue['value'] | { readonly [key: string]: Json }

type Json = JsonOne | readonly Json[]

type OpenBlock = DataBlock & { readonly values: DataValue[]; readonly blocks: DataBlock[] }

/**
 * A list becomes blocks, or values, of one name. A key stated twice gives two values (RFC 8259 leaves it open;
 * `JSON.parse` would lose one). Pure.
 */
function readJsonTree(text: string): TreeReading {
  const document = text.replace(/^\ufeff/, '')
  if (jsonIn(document) === undefined) return 'broken'
  const { numbered, levels, signs } = withNumberedKeys(document)
  if (levels > MAX_LEVELS || signs > MOST_SIGNS) return 'unusual'
  const top: OpenBlock = { name: '', values: [], blocks: [] }
  let nodes = 0
  const add = (into: OpenBlock, name: string, value: JsonOne, listed: { readonly isListed?: true }): void => {
    nodes += 1
    if (nodes > MAX_NODES) return
    if (value === null || typeof value !== 'object') into.values.push({ name, value, ...listed })
    else {
      const block: OpenBlock = { name, values: [], blocks: [], ...listed }
      into.blocks.push(block)
      for (const [key, member] of Object.entries(value))
        addMember(block, key.slice(key.indexOf(':') + 1), member)
    }
  }
  const addMember = (into: OpenBlock, name: string, value: Json): void => {
    if (!isList(value)) add(into, name, value, {})
    // Lists of lists are of pixels and maps.
    else for (const one of value) if (!isList(one)) add(into, name, one, { isListed: true })
  }
  addMember(top, '', JSON.parse(numbered) as Json)
  if (nodes > MAX_NODES) return 'unusual'
  const [root, ...others] = top.blocks
  return others.length > 0 ? { ...top, isList: true } : (root ?? 'broken')
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** Keys and objects of a file, those of lists of lists included: more is not parsed a second time. */
const MOST_SIGNS = 1_500_000

type NumberedText = { readonly numbered: string; readonly levels: number; readonly signs: number }

/** Each key of a valid text with its position in its object, `0:name`, so that none is there twice. */
function withNumberedKeys(text: string): NumberedText {
  const positions: number[] = []
  let [levels, signs] = [0, 0]
  const numbered = text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/g, (sign, colon) => {
    if (sign === '{') positions.push(0)
    if (sign === '}') positions.pop()
    if (sign === '{' || colon !== undefined) signs += 1
    if (colon === undefined) return sign
    levels = Math.max(levels, positions.length)
    const position = positions.pop() ?? 0
    positions.push(position + 1)
    return `"${position}:${sign.slice(1)}`
  })
  return { numbered, levels, signs }
}

const MARK = '@'

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: MARK,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  cdataPropName: '#cdata',
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: MAX_LEVELS,
  jPath: false,
})

/** Document types and custom entities, the usual XML attacks, are rejected. Attributes are values, as elements are. */
function readXmlTree(text: string): TreeReading {
  const document = text.replace(/^\ufeff/, '')
  if (/<!(?:DOCTYPE|ENTITY)/i.test(document) || isBeyondLimits(document)) return 'unusual'
  const top = xmlBlock('', nodesOf(document))
  const isOne = top.values.length + top.blocks.length === 1
  return isOne ? (top.blocks[0] ?? top) : 'broken'
}

/** Attributes are the most expensive part to parse. */
const MAX_ATTRIBUTES = 300_000
const MAX_TAGS = 1_000_000

/** Before parsing, because the parser holds every open level. Comments and text can only raise the counts. */
function isBeyondLimits(document: string): boolean {
  let [level, tags, attributes] = [0, 0, 0]
  for (const [mark] of document.matchAll(/<[/!?]?|\/>|=["']/g)) {
    if (mark === '<') level += 1
    else if (mark === '</' || mark === '/>') level -= 1
    if (mark.startsWith('=')) attributes += 1
    else tags += 1
    if (level > MAX_LEVELS * 2 || tags > MAX_TAGS || attributes > MAX_ATTRIBUTES) return true
  }
  return false
}

type XmlNode = Readonly<Record<string, unknown>>

/** The parser alone would accept truncated documents and unclosed elements. */
function nodesOf(document: string): readonly XmlNode[] {
  try {
    return XMLValidator.validate(document) === true ? (parser.parse(document) as XmlNode[]) : []
  } catch (error) {
    // The parser rejects the text, for example names like `__proto__`.
    if (error instanceof Error) return []
    throw error
  }
}

function xmlBlock(name: string, nodes: readonly XmlNode[]): DataBlock {
  const values: DataValue[] = []
  const blocks: DataBlock[] = []
  for (const node of nodes) {
    const tag = Object.keys(node).find((key) => key !== ':@')
    if (tag === undefined || tag.startsWith('#')) continue
    const children = node[tag] as readonly XmlNode[]
    const attributes = attributesOf(node[':@'])
    const value = { name: tag, value: xmlTextOf(children) }
    const isParent = children.some((child) => !Object.keys(child).every((key) => key.startsWith('#')))
    if (attributes.length === 0 && !isParent) values.push(value)
    else {
      const block = xmlBlock(tag, children)
      const noted = attributes.map((one) => (isParent ? { ...one, isAttribute: true as const } : one))
      const own = value.value === '' ? [] : [value]
      blocks.push({ ...block, values: [...noted, ...own, ...block.values] })
    }
  }
  return { name, values, blocks }
}

function xmlTextOf(children: readonly XmlNode[]): string {
  return children
    .map((child) => {
      const cdata = child['#cdata']
      // CDATA is literal text.
      return Array.isArray(cdata) ? cdata.map(plainTextOf).join('') : withCharacters(plainTextOf(child))
    })
    .join('')
    .trim()
}

function plainTextOf(node: XmlNode): string {
  const text = node['#text']
  return typeof text === 'string' ? text : ''
}

function attributesOf(stated: unknown): DataValue[] {
  if (typeof stated !== 'object' || stated === null) return []
  return Object.entries(stated)
    .map(([name, value]) => ({ name: name.slice(MARK.length), value: withCharacters(String(value)) }))
    .filter(({ name }) => !/^(xmlns|xsi|schemaLocation|noNamespaceSchemaLocation|nil)\b/.test(name))
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** What XML has without a document type. Each is replaced once; the result is not parsed again. */
function withCharacters(text: string): string {
  return text.replaceAll(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (whole, name, decimal, hex) => {
      if (typeof name === 'string') return NAMED[name] ?? whole
      const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
      const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
      return isCharacter ? String.fromCodePoint(code) : ''
    },
  )
}
