/** Where the screens and the host use texts, read from their sources. */
import { isNode, nodesOf, textsOf, walk, type Node, type Source } from './sources.ts'

export type Asked = {
  readonly where: string
  /** `queue:filter.*.name`: a star means what is known only while a screen is drawn. */
  readonly name: string
  /** The parameters passed, or null where they cannot be read from the source. */
  readonly parameters: readonly string[] | null
}

/** The functions whose first argument names a text and whose second holds its parameters. */
const CALLEES = new Set<unknown>(['t', 'worded', 'wordingOf'])

/**
 * Every `t(…)`, `texts.t(…)`, `worded(…)` and `wordingOf(…)` of a source; `defaultFile` has the names that say no file. What is no literal is left to
 * the types, which know every name.
 */
export function askedOf(source: Source, defaultFile: 'host' | 'shell'): readonly Asked[] {
  const found: Asked[] = []
  walk(source.tree, (node) => {
    if (node.type !== 'CallExpression' || !isNode(node.callee)) return
    const callee = node.callee.type === 'MemberExpression' ? node.callee.property : node.callee
    if (!isNode(callee) || callee.type !== 'Identifier' || !CALLEES.has(callee.name)) return
    const [name, passed] = nodesOf(node.arguments)
    for (const text of name ? namesIn(name, defaultFile) : [])
      found.push({ where: lineOf(source, node), name: text, parameters: parametersPassed(passed) })
  })
  return found
}

const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression'])

/** Calls of words while a module is loaded: before there is a language, and never again. */
export function askedTooEarly(source: Source): readonly string[] {
  const found: string[] = []
  walk(source.tree, (node, above) => {
    if (node.type !== 'CallExpression' || !isNode(node.callee) || node.callee.type !== 'Identifier') return
    const { name } = node.callee
    if (name !== 't' && name !== 'messageOf' && name !== 'fieldLabel') return
    if (!above.some(({ type }) => FUNCTIONS.has(type))) found.push(lineOf(source, node))
  })
  return found
}

/** Every literal that names a text, also where it is handed on. */
export function namedIn(source: Source, files: readonly string[]): readonly string[] {
  const found: string[] = []
  walk(source.tree, (node) => {
    for (const text of patternsOf(node))
      if (files.some((file) => text.startsWith(`${file}:`))) found.push(text)
  })
  return found
}

/** Says whether a name is one of these, of which some have stars. */
export function matcherOf(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns)
  const starred = [...exact].filter((pattern) => pattern.includes('*')).map(expressionOf)
  return (name) => exact.has(name) || starred.some((expression) => expression.test(name))
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.?+^$()[\]{}|\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.+')}$`)
}

function lineOf({ path, code }: Source, { start }: Node): string {
  return `${path}:${code.slice(0, start).split('\n').length}`
}

function namesIn(node: Node, defaultFile: string): readonly string[] {
  const choices = node.type === 'ConditionalExpression' ? nodesOf([node.consequent, node.alternate]) : [node]
  return choices
    .flatMap((choice) =>
      choice.type === 'ConditionalExpression' ? namesIn(choice, defaultFile) : patternsOf(choice),
    )
    .map((name) => (name.includes(':') ? name : `${defaultFile}:${name}`))
}

function patternsOf(node: Node): readonly string[] {
  return textsOf(node).map((pieces) => pieces.join('*'))
}

function parametersPassed(node: Node | undefined): readonly string[] | null {
  if (node === undefined) return []
  if (node.type !== 'ObjectExpression') return null
  const properties = nodesOf(node.properties)
  if (properties.some(({ type }) => type === 'SpreadElement')) return null
  return properties.map(({ key }) => (isNode(key) ? String(key.name ?? key.value) : '')).toSorted()
}
