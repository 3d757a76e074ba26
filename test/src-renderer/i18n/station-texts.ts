/** The sentences that the station says, read from its sources. */
import { childrenOf, nodesOf, sourcesIn, textsOf, walk, type Node, type Source } from './sources.ts'

export type StationText = {
  readonly path: string
  /** Each parameter as a place of its own: `The {{1}} is missing.` */
  readonly text: string
}

/** Calls whose words are for the log, for SQLite, or for whoever reads the source. */
const NOT_SHOWN = new Set(['info', 'warn', 'error', 'debug', 'prepare', 'exec', 'transaction'])
const SQL = /\b(SELECT|UPDATE|INSERT|DELETE|CREATE|PRAGMA|VACUUM|FROM|WHERE|JOIN)\b|[?@]$|= [?@]/

/** Words that a person could read: two of them, of which one is longer than a letter. */
function readsLikeWords(text: string): boolean {
  return /\p{L}{2,} |^an? \p{L}/u.test(text) && /[a-z]{2}/.test(text) && !SQL.test(text) && !/\n/.test(text)
}

export function stationTextsOf(source: Source): readonly StationText[] {
  const found: StationText[] = []
  const descriptions = new Set<Node>()
  walk(source.tree, (node) => {
    for (const part of descriptionOf(node)) descriptions.add(part)
    if (isNotShown(node) || descriptions.has(node)) return false
    for (const pieces of textsOf(node)) {
      const text = pieces.reduce((before, piece, index) => `${before}{{${index}}}${piece}`).trim()
      if (readsLikeWords(text)) found.push({ path: source.path, text })
    }
    return true
  })
  return found
}

function isNotShown(node: Node): boolean {
  if (node.type === 'ImportDeclaration' || node.type.startsWith('TS')) return !isWrapper(node)
  if (node.type === 'TaggedTemplateExpression') return true
  const [callee] = childrenOf(node)
  if (node.type === 'NewExpression') return callee?.type === 'Identifier' && callee.name === 'Error'
  if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return false
  const name = nodesOf([callee.property])[0]?.name
  return typeof name === 'string' && NOT_SHOWN.has(name)
}

/** What `schema.describe(…)` says: the guide to the settings is written from it, and no screen shows it. */
function descriptionOf(node: Node): readonly Node[] {
  if (node.type !== 'CallExpression') return []
  const [callee, ...parameters] = childrenOf(node)
  const isDescribed =
    callee?.type === 'MemberExpression' && nodesOf([callee.property])[0]?.name === 'describe'
  return isDescribed ? parameters : []
}

/** `words as const` and `words satisfies Words` hold words; types do not. */
function isWrapper(node: Node): boolean {
  return node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression'
}

/** Every text of the station that a person could read, each once. */
export function allStationTexts(): readonly StationText[] {
  const all = sourcesIn('src-shared', 'src-main/station').flatMap(stationTextsOf)
  return [...new Map(all.map((found) => [found.text, found])).values()]
}
