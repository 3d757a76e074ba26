/**
 * What must never be in the built code, read from its syntax: comments do not count, and a name that a bundler has
 * changed is found too.
 */
import { parseAst } from 'vite'

type Node = { readonly type: string; readonly [key: string]: unknown }

/** The syntax of a module or script, parsed once for all rules. */
export type Syntax = ReturnType<typeof parseAst>
export const parseCode = (code: string): Syntax => parseAst(code)

export type CodePart = 'main' | 'preload' | 'renderer'

/** Texts that would open what is closed, in any position: switches of Chromium, and variables of Node. */
const FORBIDDEN_TEXTS = [
  'ELECTRON_RUN_AS_NODE',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'allow-running-insecure-content',
  'certificate-error',
  'disable-site-isolation',
  'disable-web-security',
  'ignore-certificate-errors',
  'no-sandbox',
  'remote-debugging-port',
  'select-client-certificate',
]

/** Settings by the value that they must not have. */
const FORBIDDEN_SETTINGS: Readonly<Record<string, boolean>> = {
  allowRunningInsecureContent: true,
  bypassCSP: true,
  contextIsolation: false,
  experimentalFeatures: true,
  navigateOnDragDrop: true,
  nodeIntegration: true,
  nodeIntegrationInSubFrames: true,
  nodeIntegrationInWorker: true,
  rejectUnauthorized: false,
  sandbox: false,
  webSecurity: false,
  webviewTag: true,
}

/**
 * Names that the main process does not need: each would grant what the guards deny, or claim what cannot be known. The
 * report of a crash is the memory of a process, with patients in it.
 */
const FORBIDDEN_NAMES =
  `crashReporter desktopCapturer executeJavaScript fork fromPartition isOnline loadFile onLine openDevTools
  setCertificateVerifyProc setDisplayMediaRequestHandler setPreloads showItemInFolder`.split(/\s+/)

/** The sandbox has these and nothing else (docs/tutorial/sandbox.md of Electron). */
const REQUIRED_BY_PRELOAD = ['electron', 'events', 'timers', 'url']

/** What breaks a rule in a file of this part, one line for each. */
export function findForbidden(syntax: Syntax, part: CodePart): string[] {
  const found: string[] = []
  walk(syntax, (node) => {
    found.push(...forbiddenAnywhere(node))
    if (part === 'main') found.push(...forbiddenInMain(node))
    if (part === 'preload' && /^(Import|Export)/.test(node.type)) found.push(`a module: ${node.type}`)
    if (part !== 'main' && node.type === 'CallExpression' && nameOf(node['callee']) === 'require')
      found.push(...forbiddenRequire(node, part))
  })
  return found
}

function forbiddenAnywhere(node: Node): string[] {
  const text = textOf(node)
  if (text !== null)
    return FORBIDDEN_TEXTS.filter((one) => text.includes(one)).map((one) => `the text ${one}`)
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    const callee = nameOf(node['callee'])
    if (callee === 'eval' || callee === 'Function') return [`code from a text: ${callee}`]
  }
  if (node.type === 'Property' && isNode(node['key'])) {
    const name = nameOf(node['key']) ?? textOf(node['key'])
    const value = booleanOf(node['value'])
    // The scheme is served to the default session alone; a window in another would stay blank.
    if (name === 'partition') return ['a session of its own: partition']
    if (name !== null && value !== null && FORBIDDEN_SETTINGS[name] === value) return [`${name}: ${value}`]
  }
  return []
}

function forbiddenInMain(node: Node): string[] {
  const imported = node.type === 'ImportSpecifier' ? nameOf(node['imported']) : null
  const member = node.type === 'MemberExpression' ? nameOf(node['property']) : null
  // A utility process runs a program of ours alone; a child of Node would run the app once more.
  const isUtility = member === 'fork' && nameOf(node['object']) === 'utilityProcess'
  const name = imported ?? member
  if (isUtility) return []
  if (name !== null && FORBIDDEN_NAMES.includes(name)) return [`the name ${name}`]
  if (node.type !== 'CallExpression' || !isNode(node['callee'])) return []
  const called = node['callee'].type === 'MemberExpression' ? nameOf(node['callee']['property']) : null
  // A dialog for files without a folder opens the downloads, which all accounts share.
  if (called === null || !/^show(Open|Save)Dialog(Sync)?$/.test(called)) return []
  let hasFolder = false
  walk(node, (inner) => {
    if (inner.type === 'Property' && nameOf(inner['key']) === 'defaultPath') hasFolder = true
  })
  return hasFolder ? [] : [`${called} without defaultPath`]
}

function forbiddenRequire(node: Node, part: CodePart): string[] {
  const [first] = node['arguments'] as readonly unknown[]
  const name = isNode(first) ? textOf(first) : null
  const isAllowed = part === 'preload' && name !== null && REQUIRED_BY_PRELOAD.includes(name)
  return isAllowed ? [] : [`require(${name ?? 'of something'})`]
}

/** The calls `object.name(` in it. */
export function callsIn(syntax: Syntax): string[] {
  const calls: string[] = []
  walk(syntax, (node) => {
    const callee = node.type === 'CallExpression' ? node['callee'] : null
    if (isNode(callee) && callee.type === 'MemberExpression')
      calls.push(`${nameOf(callee['object'])}.${nameOf(callee['property'])}`)
  })
  return calls
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'MethodDefinition']

/** The static imports of a module, and the number of awaits that run while it is loaded. */
export function readModuleSyntax(syntax: Syntax): {
  readonly staticImports: readonly string[]
  readonly topLevelAwaits: number
} {
  const staticImports: string[] = []
  let topLevelAwaits = 0
  walk(
    syntax,
    (node) => {
      if (node.type === 'AwaitExpression') topLevelAwaits += 1
      if (node.type === 'ForOfStatement' && node['await'] === true) topLevelAwaits += 1
      const source = node['source']
      if (/^(Import|Export\w+)Declaration$/.test(node.type) && isNode(source))
        staticImports.push(String(source['value']))
    },
    FUNCTIONS,
  )
  return { staticImports, topLevelAwaits }
}

function walk(value: unknown, visit: (node: Node) => void, except: readonly string[] = []): void {
  if (Array.isArray(value)) return value.forEach((one) => walk(one, visit, except))
  if (!isNode(value) || except.includes(value.type)) return
  visit(value)
  Object.values(value).forEach((part) => walk(part, visit, except))
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function nameOf(value: unknown): string | null {
  return isNode(value) && value.type === 'Identifier' ? String(value['name']) : null
}

function textOf(node: Node): string | null {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type !== 'TemplateElement') return null
  const { cooked } = node['value'] as { readonly cooked?: string }
  return cooked ?? null
}

/** `true` or `false`, also as `!0` and `!1`, which is how bundlers write them. */
function booleanOf(value: unknown): boolean | null {
  if (!isNode(value)) return null
  if (value.type === 'Literal' && typeof value['value'] === 'boolean') return value['value']
  if (value.type !== 'UnaryExpression' || value['operator'] !== '!' || !isNode(value['argument'])) return null
  const inner = value['argument']
  return inner.type === 'Literal' && typeof inner['value'] === 'number' ? inner['value'] === 0 : null
}
