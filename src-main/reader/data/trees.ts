/** Parses XML and JSON documents into one structure. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { DataBlock, DataValue } from '../messages.ts'

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
export function readJsonTree(text: string): TreeReading {
  const document = text.replace(/^\ufeff/, '')
  if (parsed(document) === undefined) return 'broken'
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

/** The value of a JSON text; undefined if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
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
export function readXmlTree(text: string): TreeReading {
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
    const value = { name: tag, value: textOf(children) }
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

function textOf(children: readonly XmlNode[]): string {
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
