/** Where a screen could show what the station says as it came, in English. */
import { isNode, walk, type Node, type Source } from './sources.ts'

export type Unsaid = { readonly where: string; readonly text: string }

/**
 * Every `failure.message` and the like: screens show `messageOf(failure)` instead. A message that
 * is only handed on in an object of its own, compared, or asked what it holds is not shown.
 */
export function unsaidOf(source: Source): readonly Unsaid[] {
  const found: Unsaid[] = []
  walk(source.tree, (node, above) => {
    if (node.type.startsWith('TS') && !node.type.endsWith('Expression')) return false
    if (!isStationText(node)) return true
    const parent = above.at(-1)
    if (parent?.type === 'MemberExpression' || parent?.type === 'BinaryExpression') return true
    const line = source.code.slice(0, node.start).split('\n').length
    found.push({ where: `${source.path}:${line}`, text: source.code.slice(node.start, node.end) })
    return true
  })
  return found
}

function isStationText(node: Node): boolean {
  if (node.type !== 'MemberExpression' || node.computed === true || !isNode(node.property)) return false
  const { name } = node.property
  return name === 'message'
}
