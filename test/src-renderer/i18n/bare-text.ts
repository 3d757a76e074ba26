/** Words in the sources of the screens that stand there bare, so that no language but English has them. */
import { childrenOf, isNode, nodesOf, textsOf, walk, type Node, type Source } from './sources.ts'

export type Bare = { readonly where: string; readonly text: string }

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

export function bareTextsOf(source: Source): readonly Bare[] {
  const found: Bare[] = []
  const add = (node: Node, text: string): void => {
    const line = source.code.slice(0, node.start).split('\n').length
    if (hasText(text)) found.push({ where: `${source.path}:${line}`, text: text.trim() })
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
