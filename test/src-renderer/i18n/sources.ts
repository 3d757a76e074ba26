/** Reads sources as trees, for tests of what they say. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'

/** A node of a syntax tree, as far as these tests look into it. */
export type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>

export type Source = { readonly path: string; readonly code: string; readonly tree: Node }

/** Every TypeScript source in these folders, as a tree. */
export function sourcesIn(...folders: readonly string[]): readonly Source[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .toSorted()
      .map((name) => join(folder, name).replaceAll('\\', '/'))
      .map((path) => sourceOf(path, readFileSync(path, 'utf8'))),
  )
}

/** A source of which the text is known. */
export function sourceOf(path: string, code: string): Source {
  const tree: unknown = parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path)
  if (!isNode(tree)) throw new Error(`${path} is no tree`)
  return { path, code, tree }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** The nodes right below a node. */
export function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flatMap((value: unknown) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}

/** Walks a tree from above; `enter` says whether to go on below a node. */
export function walk(node: Node, enter: (node: Node, above: readonly Node[]) => boolean | void): void {
  const go = (at: Node, above: readonly Node[]): void => {
    if (enter(at, above) === false) return
    const path = [...above, at]
    for (const child of childrenOf(at)) go(child, path)
  }
  go(node, [])
}

/**
 * The texts that a literal may come to, each as the pieces between its parameters. A parameter that is one of two
 * literals makes two texts.
 */
export function textsOf(node: Node): readonly (readonly string[])[] {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [[node.value]] : []
  if (node.type !== 'TemplateLiteral') return []
  const pieces = nodesOf(node.quasis).map(cookedOf)
  let texts: string[][] = [[pieces[0] ?? '']]
  nodesOf(node.expressions).forEach((expression, index) => {
    const next = pieces[index + 1] ?? ''
    const choices = choicesOf(expression)
    texts = texts.flatMap((text) =>
      choices === null
        ? [[...text, next]]
        : choices.map((choice) => [...text.slice(0, -1), `${text.at(-1) ?? ''}${choice}${next}`]),
    )
  })
  return texts
}

export function nodesOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

function cookedOf(quasi: Node): string {
  const { value } = quasi
  return typeof value === 'object' && value !== null && 'cooked' in value && typeof value.cooked === 'string'
    ? value.cooked
    : ''
}

function choicesOf(expression: Node): readonly string[] | null {
  if (expression.type !== 'ConditionalExpression') return null
  const choices = [expression.consequent, expression.alternate].map((choice) =>
    isNode(choice) && choice.type === 'Literal' && typeof choice.value === 'string' ? choice.value : null,
  )
  return choices.every((choice) => choice !== null) ? choices : null
}
