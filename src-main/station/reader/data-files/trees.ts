/** Parses XML and JSON documents into one structure. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'

/** The common structure of XML and JSON documents: named blocks of named values and further blocks. */
export type DataBlock = {
  readonly name: string
  readonly values: readonly DataValue[]
  readonly blocks: readonly DataBlock[]
  /** It is a member of a list of this name. */
  readonly isListed?: true
  /** The document is a list of several. */
  readonly isList?: true
}

export type DataValue = {
  readonly name: string
  readonly value: string | number | boolean | null
  /** Of a list of plain values: each is a value of this name. */
  readonly isListed?: true
  /** Of an XML element that has elements, too: it may only number them. */
  readonly isAttribute?: true
}

export type TreeReading =
  | { readonly ok: true; readonly root: DataBlock }
  | { readonly ok: false; readonly why: 'broken' | 'hasOwnTypes' | 'tooDeep' | 'tooMuch' }

/** Exports nest ten levels; deeper documents are hostile. */
const MAX_LEVELS = 60

/** More than an export of twenty thousand visits. */
const MAX_NODES = 600_000

/** Thrown and caught within one parser, to unwind its recursion. */
class TreeLimit extends Error {
  readonly why: 'tooDeep' | 'tooMuch'
  constructor(why: 'tooDeep' | 'tooMuch') {
    super(why)
    this.why = why
  }
}

/** Counts the nodes of one document. Throws `TreeLimit` once it is too large, or nested too deep. */
class NodeBudget {
  #left = MAX_NODES

  take(count: number, level = 0): void {
    this.#left -= count
    if (level > MAX_LEVELS) throw new TreeLimit('tooDeep')
    if (this.#left < 0) throw new TreeLimit('tooMuch')
  }
}

/** The tree that `build` makes, or the limit that it exceeds. */
function withinLimits(build: (budget: NodeBudget) => DataBlock | null): TreeReading {
  try {
    const root = build(new NodeBudget())
    return root === null ? { ok: false, why: 'broken' } : { ok: true, root }
  } catch (error) {
    if (error instanceof TreeLimit) return { ok: false, why: error.why }
    throw error
  }
}

/**
 * A list becomes blocks, or values, of one name. A key stated twice gives two values (RFC 8259 leaves it open;
 * `JSON.parse` would lose one). Pure.
 */
export function readJsonTree(text: string): TreeReading {
  const document = text.replace(/^\ufeff/, '')
  if (!isJson(document)) return { ok: false, why: 'broken' }
  return withinLimits((budget) => {
    const top = { name: '', values: [] as DataValue[], blocks: [] as DataBlock[] }
    new JsonWalk(document, budget).readInto('', 0, top)
    const [root, ...others] = top.blocks
    return others.length > 0 ? { ...top, isList: true } : (root ?? null)
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

const JSON_STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/sy
const JSON_PLAIN = /[^\s,\]}]+/y

/** Walks a text that is valid JSON. */
class JsonWalk {
  readonly #text: string
  readonly #budget: NodeBudget
  #at = 0

  constructor(text: string, budget: NodeBudget) {
    this.#text = text
    this.#budget = budget
  }

  /** What begins here: a list as its members, each with this name. */
  readInto(
    name: string,
    level: number,
    into: { readonly values: DataValue[]; readonly blocks: DataBlock[] },
  ): void {
    if (this.#sign() !== '[') {
      this.#readOne(name, level, into)
      return
    }
    for (this.#at += 1; this.#sign() !== ']'; this.#stepOver(',')) {
      // Lists of lists are of pixels and maps.
      if (this.#sign() === '[') this.#skip()
      else this.#readOne(name, level, into, true)
    }
    this.#at += 1
  }

  #readOne(name: string, level: number, into: Parameters<JsonWalk['readInto']>[2], isListed = false): void {
    this.#budget.take(1, level)
    if (this.#sign() === '{')
      into.blocks.push({ ...this.#readBlock(name, level), ...(isListed && { isListed }) })
    else {
      const value = JSON.parse(this.#token()) as DataValue['value']
      into.values.push({ name, value, ...(isListed && { isListed }) })
    }
  }

  #readBlock(name: string, level: number): DataBlock {
    const block = { name, values: [] as DataValue[], blocks: [] as DataBlock[] }
    for (this.#at += 1; this.#sign() !== '}'; this.#stepOver(',')) {
      const key = JSON.parse(this.#token()) as string
      this.#stepOver(':')
      this.readInto(key, level + 1, block)
    }
    this.#at += 1
    return block
  }

  #skip(): void {
    let depth = 0
    do {
      const sign = this.#sign()
      if (sign === '"') this.#token()
      else this.#at += 1
      if (sign === '[' || sign === '{') depth += 1
      if (sign === ']' || sign === '}') depth -= 1
    } while (depth > 0)
  }

  #token(): string {
    const shape = this.#sign() === '"' ? JSON_STRING : JSON_PLAIN
    shape.lastIndex = this.#at
    const [token = ''] = shape.exec(this.#text) ?? []
    this.#at += token.length
    return token
  }

  #stepOver(sign: string): void {
    if (this.#sign() === sign) this.#at += 1
  }

  /** The next sign that is no space. */
  #sign(): string {
    while (this.#text.charCodeAt(this.#at) <= 0x20) this.#at += 1
    return this.#text.charAt(this.#at)
  }
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
  if (/<!(?:DOCTYPE|ENTITY)/i.test(document)) return { ok: false, why: 'hasOwnTypes' }
  const limit = limitExceeded(document)
  if (limit) return { ok: false, why: limit }
  const nodes = nodesOf(document)
  if (nodes === null) return { ok: false, why: 'broken' }
  return withinLimits((budget) => {
    const root = xmlBlock('', nodes, 0, budget)
    return root.blocks.length + root.values.length === 1 ? (root.blocks[0] ?? root) : null
  })
}

/** Attributes are the most expensive part to parse. */
const MAX_ATTRIBUTES = 300_000
const MAX_TAGS = 1_000_000

/** Before parsing, because the parser holds every open level. Comments and text can only raise the counts. */
function limitExceeded(document: string): 'tooDeep' | 'tooMuch' | null {
  let [level, tags, attributes] = [0, 0, 0]
  for (const [mark] of document.matchAll(/<[/!?]?|\/>|=["']/g)) {
    if (mark === '<') level += 1
    else if (mark === '</' || mark === '/>') level -= 1
    if (mark.startsWith('=')) attributes += 1
    else tags += 1
    if (level > MAX_LEVELS * 2) return 'tooDeep'
    if (tags > MAX_TAGS || attributes > MAX_ATTRIBUTES) return 'tooMuch'
  }
  return null
}

/** The parser alone would accept truncated documents and unclosed elements. */
function nodesOf(document: string): unknown[] | null {
  try {
    if (XMLValidator.validate(document) !== true) return null
    const nodes: unknown = parser.parse(document)
    return Array.isArray(nodes) ? nodes : null
  } catch (error) {
    // The parser rejects the text, for example names like `__proto__`.
    if (error instanceof Error) return null
    throw error
  }
}

type XmlNode = Readonly<Record<string, unknown>>

function xmlBlock(name: string, nodes: readonly unknown[], level: number, budget: NodeBudget): DataBlock {
  budget.take(nodes.length + 1, level)
  const values: DataValue[] = []
  const blocks: DataBlock[] = []
  for (const node of nodes as readonly XmlNode[]) {
    const tag = Object.keys(node).find((key) => key !== ':@')
    if (tag === undefined || tag.startsWith('#')) continue
    const children = node[tag]
    const attributes = attributesOf(node[':@'])
    if (!Array.isArray(children)) throw new TreeLimit('tooMuch')
    budget.take(attributes.length)
    const text = textOf(children)
    if (attributes.length === 0 && isText(children)) values.push({ name: tag, value: text })
    else {
      const block = xmlBlock(tag, children, level + 1, budget)
      const isParent = children.some((child) => !isText([child]))
      const noted = attributes.map((one) => (isParent ? { ...one, isAttribute: true as const } : one))
      const own = text === '' ? noted : [...noted, { name: tag, value: text }]
      blocks.push({ ...block, values: [...own, ...block.values] })
    }
  }
  return { name, values, blocks }
}

function isText(children: readonly unknown[]): boolean {
  return children.every((child) => Object.keys(child as XmlNode).every((key) => key.startsWith('#')))
}

function textOf(children: readonly unknown[]): string {
  return (children as readonly XmlNode[])
    .map((child) => {
      const cdata = child['#cdata']
      // CDATA is literal text.
      return Array.isArray(cdata) ? cdata.map(plainTextOf).join('') : withCharacters(plainTextOf(child))
    })
    .join('')
    .trim()
}

function plainTextOf(node: unknown): string {
  const text = (node as XmlNode)['#text']
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
