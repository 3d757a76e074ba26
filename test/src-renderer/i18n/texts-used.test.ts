/** Every text that the screens, the host and the station use is there with its parameters, and none is unused. */
import { expect, test } from 'vitest'
import { english } from '../../../src-shared/texts/english.ts'
import {
  childrenOf,
  isNode,
  type Node,
  nodesOf,
  type Source,
  sourceOf,
  sourcesIn,
  textsOf,
  walk,
} from './sources.ts'
import { askedName, ENGLISH, isPlural, parametersOf } from './text-tables.ts'

type Asked = {
  readonly where: string
  /** `queue:filter.*.name`: a star means what is known only while a screen is drawn. */
  readonly name: string
  /** The parameters, or null if they cannot be read from the source. */
  readonly parameters: readonly string[] | null
}

/** The functions whose first argument names a text and whose second holds its parameters. */
const CALLEES = new Set<unknown>(['t', 'worded', 'wordingOf'])

/**
 * Every `t(…)`, `texts.t(…)`, `worded(…)` and `wordingOf(…)` of a source; `defaultFile` has the names that say no file. What is no literal is left to
 * the types, which know every name.
 */
function askedOf(source: Source, defaultFile: 'host' | 'shell'): readonly Asked[] {
  const found: Asked[] = []
  walk(source.tree, (node) => {
    if (node.type !== 'CallExpression' || !isNode(node.callee)) return
    const callee = node.callee.type === 'MemberExpression' ? node.callee.property : node.callee
    if (!isNode(callee) || callee.type !== 'Identifier' || !CALLEES.has(callee.name)) return
    const [name, values] = nodesOf(node.arguments)
    for (const text of name ? namesIn(name, defaultFile) : [])
      found.push({ where: lineOf(source, node), name: text, parameters: parameterNames(values) })
  })
  return found
}

const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression'])

/** Calls of words while a module is loaded: before there is a language, and never again. */
function askedTooEarly(source: Source): readonly string[] {
  const found: string[] = []
  walk(source.tree, (node, above) => {
    if (node.type !== 'CallExpression' || !isNode(node.callee) || node.callee.type !== 'Identifier') return
    const { name } = node.callee
    if (name !== 't' && name !== 'messageOf' && name !== 'fieldLabel') return
    if (!above.some(({ type }) => FUNCTIONS.has(type))) found.push(lineOf(source, node))
  })
  return found
}

/** Every literal that names a text, also if another function asks for it. */
function namedIn(source: Source, files: readonly string[]): readonly string[] {
  const found: string[] = []
  walk(source.tree, (node) => {
    for (const text of patternsOf(node))
      if (files.some((file) => text.startsWith(`${file}:`))) found.push(text)
  })
  return found
}

/** Says whether a name is one of these, of which some have stars. */
function matcherOf(patterns: readonly string[]): (name: string) => boolean {
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

function parameterNames(node: Node | undefined): readonly string[] | null {
  if (node === undefined) return []
  if (node.type !== 'ObjectExpression') return null
  const properties = nodesOf(node.properties)
  if (properties.some(({ type }) => type === 'SpreadElement')) return null
  return properties.map(({ key }) => (isNode(key) ? String(key.name ?? key.value) : '')).toSorted()
}

const SCREENS = sourcesIn('src-renderer')
const HOST = sourcesIn('src-main/electron')
const STATION = sourcesIn('src-main/station', 'src-main/reader', 'src-shared')
const ASKED = [
  ...SCREENS.flatMap((one) => askedOf(one, 'shell')),
  ...HOST.flatMap((one) => askedOf(one, 'host')),
  // Names of the station say their file.
  ...STATION.flatMap((one) => askedOf(one, 'shell')),
]
const NAMES = [...new Set([...ENGLISH.keys()].map(askedName))]

test('every text that is used is there', () => {
  expect(ASKED.length).toBeGreaterThan(400)
  expect(ASKED.filter(({ name }) => !NAMES.some(matcherOf([name])))).toEqual([])
})

test('no text is unused', () => {
  const files = Object.keys(english)
  const named = [
    ...new Set([
      ...ASKED.map(({ name }) => name),
      ...[...SCREENS, ...STATION].flatMap((one) => namedIn(one, files)),
    ]),
  ]
  const isNamed = matcherOf(named)
  // The installer's are compared with assets/installer-texts.nsh by a test of their own.
  const others = NAMES.filter((name) => !name.startsWith('host:installer.'))
  expect(others.filter((name) => !isNamed(name))).toEqual([])
})

/** The parameters that the forms of a text need, and those that they may have. */
function needsOf(name: string): { readonly needed: readonly string[]; readonly allowed: readonly string[] } {
  const forms = [...ENGLISH].filter(([key]) => askedName(key) === name)
  const allowed = [...new Set(forms.flatMap(([, text]) => parametersOf(text)))]
  const counted = forms.some(([key]) => isPlural(key)) ? ['count'] : []
  return { needed: [...new Set([...allowed, ...counted])], allowed: [...allowed, ...counted] }
}

const NEEDS = new Map(NAMES.map((name) => [name, needsOf(name)]))
const NOTHING = { needed: [], allowed: [] }

test('every text is given its parameters, and no others', () => {
  const wrong = ASKED.flatMap(({ where, name, parameters }) => {
    if (parameters === null) return []
    const needs = NAMES.filter(matcherOf([name])).map((one) => NEEDS.get(one) ?? NOTHING)
    const [first, ...others] = needs
    // Of several texts that a name may come to, only what all of them need is sure to be missing.
    const missing = (first?.needed ?? []).filter(
      (one) => !parameters.includes(one) && others.every(({ needed }) => needed.includes(one)),
    )
    const needless = parameters.filter((one) => !needs.some(({ allowed }) => allowed.includes(one)))
    return missing.length + needless.length === 0 ? [] : [{ where, name, missing, needless }]
  })
  expect(wrong).toEqual([])
})

test('no words are asked for while a module is loaded', () => {
  expect([...SCREENS, ...HOST].flatMap(askedTooEarly)).toEqual([])
  const code =
    "const a = t('shell:screens.queue')\nconst b = () => t('shell:screens.queue')\nconst c = { d: messageOf(x) }"
  expect(askedTooEarly(sourceOf('a.ts', code))).toEqual(['a.ts:1', 'a.ts:3'])
})

type Bare = { readonly where: string; readonly text: string }

/** Properties that a person reads or hears. */
const READ = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'alt',
  'description',
  'error',
  'label',
  'message',
  'nothingFoundMessage',
  'placeholder',
  'title',
])

/** Words: a run of two letters or more, outside of what a template puts in. */
function hasText(text: string): boolean {
  return /\p{L}{2,}/u.test(text.replaceAll(/&\w+;/g, ''))
}

function bareTextsOf(source: Source): readonly Bare[] {
  const found: Bare[] = []
  const add = (node: Node, text: string): void => {
    if (hasText(text)) found.push({ where: lineOf(source, node), text: text.trim() })
  }
  walk(source.tree, (node, above) => {
    if (node.type.startsWith('TS') && node.type !== 'TSAsExpression' && node.type !== 'TSSatisfiesExpression')
      return false
    if (node.type === 'JSXText') add(node, String(node.value))
    if (node.type === 'JSXAttribute' && READ.has(nameOf(node.name)) && isNode(node.value))
      shownIn(node.value).forEach(([at, text]) => add(at, text))
    if (node.type === 'Property' && READ.has(nameOf(node.key)) && isNode(node.value))
      shownIn(node.value).forEach(([at, text]) => add(at, text))
    const parent = above.at(-1)?.type
    if (node.type === 'JSXExpressionContainer' && (parent === 'JSXElement' || parent === 'JSXFragment'))
      shownIn(node).forEach(([at, text]) => add(at, text))
    return true
  })
  return found
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  return typeof node.name === 'string' ? node.name : typeof node.value === 'string' ? node.value : ''
}

/** The literals that an expression may come to: through choices, not through calls. */
function shownIn(node: Node): readonly (readonly [Node, string])[] {
  switch (node.type) {
    case 'Literal':
    case 'TemplateLiteral':
      return textsOf(node).map((pieces) => [node, pieces.join(' ')] as const)
    case 'JSXExpressionContainer':
      return childrenOf(node).flatMap(shownIn)
    case 'ConditionalExpression':
      return nodesOf([node.consequent, node.alternate]).flatMap(shownIn)
    case 'LogicalExpression':
      return nodesOf([node.left, node.right]).flatMap(shownIn)
    default:
      return []
  }
}

test('no screen has bare words', () => {
  const bare = SCREENS.flatMap(bareTextsOf)
  expect(bare.map(({ text }) => text)).toEqual([])
})

/**
 * Every `failure.message` and the like: screens show `messageOf(failure)` instead. A message that
 * is only handed on in an object of its own, compared, or asked what it holds is not shown.
 */
function unsaidOf(source: Source): readonly Bare[] {
  const found: Bare[] = []
  walk(source.tree, (node, above) => {
    if (node.type.startsWith('TS') && !node.type.endsWith('Expression')) return false
    if (!isStationText(node)) return true
    const parent = above.at(-1)
    if (parent?.type === 'MemberExpression' || parent?.type === 'BinaryExpression') return true
    found.push({ where: lineOf(source, node), text: source.code.slice(node.start, node.end) })
    return true
  })
  return found
}

function isStationText(node: Node): boolean {
  return node.type === 'MemberExpression' && node.computed !== true && nameOf(node.property) === 'message'
}

/** What is no sentence of the station, or is not shown. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src-renderer/settings/patient-list.tsx list.message': 'handed to `messageOf`, which takes no null',
  'src-renderer/submission/form.ts read.message': 'of the screens themselves',
}

test('no screen shows a sentence of the station as it came', () => {
  const unsaid = SCREENS.flatMap(unsaidOf)
  const found = unsaid.map(({ where, text }) => `${where.replace(/:\d+$/, '')} ${text}`)
  expect(new Set(found)).toEqual(new Set(Object.keys(ALLOWED)))
})
