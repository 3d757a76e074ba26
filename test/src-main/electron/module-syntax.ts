/** What can be read from the syntax of a built module without running it. */
import { parseAst } from 'vite'

type Node = { readonly type: string; readonly [key: string]: unknown }

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'MethodDefinition']

export type ModuleSyntax = {
  readonly staticImports: readonly string[]
  /** Awaits that run while the module is loaded. */
  readonly topLevelAwaits: number
}

export function readModuleSyntax(code: string): ModuleSyntax {
  const staticImports: string[] = []
  let topLevelAwaits = 0
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value)) return
    if (FUNCTIONS.includes(value.type)) return
    if (value.type === 'AwaitExpression') topLevelAwaits += 1
    if (value.type === 'ForOfStatement' && value['await'] === true) topLevelAwaits += 1
    const source = value['source']
    if (/^(Import|Export\w+)Declaration$/.test(value.type) && isNode(source))
      staticImports.push(String(source['value']))
    Object.values(value).forEach(visit)
  }
  visit(parseAst(code))
  return { staticImports, topLevelAwaits }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
