/**
 * Documents as programs write them: nested blocks, lists, keys that come twice, and headings in the spelling of one
 * clinic. A tree keeps the order of its keys and may repeat them, which no object can.
 */
import type { Draw } from './draw.ts'
import type { Statements } from './sources.ts'
import type { Eye, Sex } from './world.ts'

export type Node = string | number | null | Tree | NodeList
export type Tree = readonly (readonly [key: string, value: Node])[]
export type NodeList = { readonly list: readonly Node[] }

export function toJson(node: Node): string {
  if (node === null || typeof node !== 'object') return JSON.stringify(node)
  if ('list' in node) return `[${node.list.map(toJson).join(', ')}]`
  return `{${node.map(([key, value]) => `${JSON.stringify(key)}: ${toJson(value)}`).join(',\n ')}}`
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Headings with spaces or brackets are no element names. */
const elementName = (key: string): string =>
  key.replaceAll(/[^\p{L}\p{N}_-]+/gu, '_').replaceAll(/^_+|_+$/g, '')

function element(key: string, node: Node, indent: string): string {
  const name = elementName(key)
  if (node === null) return `${indent}<${name}/>\n`
  if (typeof node !== 'object') return `${indent}<${name}>${escapeXml(String(node))}</${name}>\n`
  if ('list' in node) return node.list.map((one) => element(key, one, indent)).join('')
  const inner = node.map(([inside, value]) => element(inside, value, `${indent}  `)).join('')
  return `${indent}<${name}>\n${inner}${indent}</${name}>\n`
}

export const toXml = (root: string, tree: Tree): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, tree, '')}`

/** The values as attributes of one element. */
export function toXmlAttributes(root: string, tree: Tree): string {
  const attributes = tree.flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'number'
      ? [`${elementName(key)}="${escapeXml(String(value))}"`]
      : [],
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${attributes.join(' ')}/>\n`
}

/** Rows of cells; a cell is quoted if it has to be, or always. */
export function toCsv(
  rows: readonly (readonly string[])[],
  delimiter: string,
  quotes: 'needed' | 'always' | 'never' = 'needed',
): string {
  const cell = (text: string): string => {
    const isQuoted =
      quotes === 'always' || (quotes === 'needed' && (text.includes(delimiter) || text.includes('"')))
    return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
  }
  return rows.map((row) => row.map(cell).join(delimiter)).join('\r\n') + '\r\n'
}

/** How programs join the terms of a key. */
type Joining = (terms: readonly string[]) => string
const capital = (term: string): string => term.slice(0, 1).toUpperCase() + term.slice(1)
const camel: Joining = ([first = '', ...rest]) => first + rest.map(capital).join('')
const KEY_JOININGS: readonly Joining[] = [
  camel,
  (terms) => terms.map(capital).join(''),
  (terms) => terms.join('_'),
  (terms) => terms.join('_').toUpperCase(),
  (terms) => terms.join('-'),
]
const HEADING_JOININGS: readonly Joining[] = [
  ...KEY_JOININGS,
  (terms) => terms.map(capital).join(' '),
  (terms) => capital(terms.join(' ')),
  (terms) => terms.join(' ').toUpperCase(),
]

const FIELD_TERMS = {
  id: ['patient id', 'patient number', 'history number'],
  last: ['last name', 'surname', 'family name'],
  first: ['first name', 'given name'],
  birthDate: ['birth date', 'date of birth'],
  sex: ['sex', 'gender'],
  day: ['exam date', 'visit date', 'study date'],
  eye: ['eye', 'laterality'],
  file: ['file', 'file name', 'image file'],
} as const
export type Field = keyof typeof FIELD_TERMS

export type DayText = (day: string) => string
const DAY_TEXTS: readonly DayText[] = [
  (day) => day,
  (day) => day.replaceAll('-', ''),
  (day) => day.replaceAll('-', '/'),
]
const EYE_TEXTS: readonly Readonly<Record<Eye, string>>[] = [
  { right: 'OD', left: 'OS' },
  { right: 'R', left: 'L' },
  { right: 'right', left: 'left' },
  { right: 'Right', left: 'Left' },
  { right: 'RIGHT', left: 'LEFT' },
]
const SEX_TEXTS: readonly Readonly<Record<Sex, string>>[] = [
  { F: 'F', M: 'M' },
  { F: 'Female', M: 'Male' },
  { F: 'female', M: 'male' },
]

/** One clinic's spelling of its documents. */
export type Spelling = {
  readonly key: Joining
  readonly names: Readonly<Record<Field, string>>
  readonly day: DayText
  readonly eyes: Readonly<Record<Eye, string>>
  readonly sexes: Readonly<Record<Sex, string>>
}

export function drawSpelling(draw: Draw, form: 'document' | 'table' = 'document'): Spelling {
  const key = draw.style(form === 'table' ? HEADING_JOININGS : KEY_JOININGS)
  const name = (field: Field): string => key(draw.style<string>(FIELD_TERMS[field]).split(' '))
  return {
    key,
    names: {
      id: name('id'),
      last: name('last'),
      first: name('first'),
      birthDate: name('birthDate'),
      sex: name('sex'),
      day: name('day'),
      eye: name('eye'),
      file: name('file'),
    },
    day: draw.style(DAY_TEXTS),
    eyes: draw.style(EYE_TEXTS),
    sexes: draw.style(SEX_TEXTS),
  }
}

/** A key of these terms in the clinic's spelling. */
export const keyOf = ({ key }: Spelling, terms: string): string => key(terms.split(' '))

export const FIELDS: readonly Exclude<Field, 'file'>[] = [
  'id',
  'last',
  'first',
  'birthDate',
  'sex',
  'day',
  'eye',
]

/** What a source says, each as it is written; a null is not stated. */
export function textsOf({ day, eyes, sexes }: Spelling, states: Statements): Partial<Record<Field, string>> {
  const stated: Partial<Record<Field, string>> = {}
  for (const field of ['id', 'last', 'first', 'birthDate'] as const) {
    const text = states[field]
    if (text !== null) stated[field] = text
  }
  if (states.sex !== null) stated.sex = sexes[states.sex]
  if (states.day !== null) stated.day = day(states.day)
  if (states.eye !== null) stated.eye = eyes[states.eye]
  return stated
}

/** The statements under their keys, `file` first if it is stated. */
export function treeOf(spelling: Spelling, states: Statements, file: string | null = null): Tree {
  const stated = textsOf(spelling, states)
  return [
    ...(file === null ? [] : [[spelling.names.file, file] as const]),
    ...FIELDS.flatMap((field) => {
      const text = stated[field]
      return text === undefined ? [] : [[spelling.names[field], text] as const]
    }),
  ]
}

/** The tree with the value of one field replaced, or with the field left out. */
export const withField = (tree: Tree, key: string, value: Node | undefined): Tree =>
  tree.flatMap(([name, old]) => (name !== key ? [[name, old]] : value === undefined ? [] : [[name, value]]))

/** Entries put at a drawn position of the tree. */
export function insert(draw: Draw, tree: Tree, ...added: Tree): Tree {
  const at = draw.int(0, tree.length)
  return [...tree.slice(0, at), ...added, ...tree.slice(at)]
}

const SYLLABLES = 'ba ce di fo gu ka le mi no pu ra se ti vo zu xan yor quil bret dax'.split(' ')

/** A name of a maker or program that no list holds. */
export function inventedName(draw: Draw): string {
  const parts = Array.from({ length: draw.int(2, 3) }, () => draw.pick(SYLLABLES))
  return parts.join('')
}

/** Lowest, highest and step of what is measured at an eye. */
const RANGES = {
  iop: [10, 21, 1],
  sphere: [-3, 3, 0.25],
  cylinder: [-2, 0, 0.25],
  axis: [5, 175, 5],
  cdr: [0.2, 0.7, 0.1],
  'axial length': [22, 26, 0.5],
  pupil: [3, 7, 1],
} as const
export type Measured = keyof typeof RANGES

export function drawMeasurement(draw: Draw, measured: Measured): number {
  const [lowest, highest, step] = RANGES[measured]
  return Number((lowest + draw.int(0, Math.round((highest - lowest) / step)) * step).toFixed(2))
}
