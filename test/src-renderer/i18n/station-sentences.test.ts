/** What the station says to people is a key with values: no English sentence of its reaches a screen. */
import { expect, test } from 'vitest'
import { childrenOf, type Node, nodesOf, type Source, sourceOf, sourcesIn, textsOf, walk } from './sources.ts'

type StationText = {
  readonly path: string
  /** Each parameter as a place of its own: `The {{1}} is missing.` */
  readonly text: string
}

/** Calls whose words are for the log, for SQLite, or for readers of the source. */
const CALLS_NOT_SHOWN = new Set(['info', 'warn', 'error', 'debug', 'prepare', 'exec', 'transaction'])
const SQL = /\b(SELECT|UPDATE|INSERT|DELETE|CREATE|PRAGMA|VACUUM|FROM|WHERE|JOIN)\b|[?@]$|= [?@]/

/** Words that a person could read: two of them, of which one is longer than a letter. */
function isSentence(text: string): boolean {
  return /\p{L}{2,} |^an? \p{L}/u.test(text) && /[a-z]{2}/.test(text) && !SQL.test(text) && !/\n/.test(text)
}

function stationTextsOf(source: Source): readonly StationText[] {
  const found: StationText[] = []
  const descriptions = new Set<Node>()
  walk(source.tree, (node) => {
    for (const part of descriptionOf(node)) descriptions.add(part)
    if (isNotShown(node) || descriptions.has(node)) return false
    for (const pieces of textsOf(node)) {
      const text = pieces.reduce((before, piece, index) => `${before}{{${index}}}${piece}`).trim()
      if (isSentence(text)) found.push({ path: source.path, text })
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
  return typeof name === 'string' && CALLS_NOT_SHOWN.has(name)
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
function allStationTexts(): readonly StationText[] {
  const all = sourcesIn('src-shared', 'src-main/station', 'src-main/reader').flatMap(stationTextsOf)
  return [...new Map(all.map((found) => [found.text, found])).values()]
}

/** What no screen shows, by path and text, each with the reason. */
const NOT_SHOWN: readonly (readonly [RegExp, string])[] = [
  [/\/(settings\/managed-files|migrations\/migrate)\.ts/, 'said before there are screens, or for the log'],
  [/\/calls\/(diagnostics|redact)\.ts/, 'the text for anyone who helps, in English for all of them'],
  [/\/(meaning\/\w+|records\/(headings|documents|data-files))\.ts/, 'words to find in names and data files'],
  [/^src-shared\/(confirmed-profile|folder-settings)\.ts/, 'what a setting had to be, for who wrote it'],
  [/\/(lib\/service-case|service\/(reports|cases))\.ts/, 'words to find in answers'],
  [/\/(formats|dicom)\/[\w-]+\.ts/, 'for the log; the screens use note-texts.ts'],
  [/\/folder-memory\.ts: (state IN|CASE WHEN) /, 'parts of statements'],
  [/\/(lib\/files|json-columns|storage-faults)\.ts/, 'errors that are known by their kind'],
  [/\/(outbox\/transitions|outbox\/database|ports|lib\/schedule)\.ts/, 'errors that are known by their kind'],
  [/\/(settings\/settings|service\/(post-case|http))\.ts/, 'for the log; the screens show the kind'],
  [/\/delivery\/(sender|transfer)\.ts: (an attempt|the end of|an image|a person) /, 'for the log'],
  [/\/copy\.ts: The file was not spooled/, 'for the log; the screens show the trouble itself'],
  [
    /\/served-bytes\.ts: .*'|: .*(_id = |cache_size| IS (NOT )?NULL|\.id, |ORDER BY|INDEXED BY|center_id IS|s\.state|submissions AS s |file_name AS |listed_since AS )/,
    'no words',
  ],
  [/\/station\/metrics\.ts/, 'for the tools of an IT department, in English for all of them'],
  [/\/storage\/protection\.ts: \(New-Object /, 'a command of the system'],
  [/: (visual acuity|patient list)$/, 'names in English; the screens have names of their own'],
  [/: (No image of|Replaces case|Bearer) /, 'for the service'],
  [/: Belonged to another case when the outbox was lost/, 'shown by the board of images'],
  [/: (the station, by waiting|a person here|the service)$/, 'who mends it, compared and not shown'],
  [/: (a real date|a reference|an https address) (as|such as) /, 'what a form had to be, for who wrote it'],
  [
    /: \w+ (up|the disk|cases|manifests|reports|for reports|old images|uploads|the service)$/,
    'the name of a loop, for the log',
  ],
]

const TEXTS = allStationTexts()
const isNamed = (which: RegExp, { path, text }: StationText): boolean => which.test(`${path}: ${text}`)

function isShown(found: StationText): boolean {
  return !NOT_SHOWN.some(([which]) => isNamed(which, found))
}

test('no sentence in the sources of the station reaches a screen', () => {
  expect(TEXTS.filter(isShown)).toEqual([])
})

test('the sources hold texts, and a sentence that is new is found', () => {
  expect(TEXTS.length).toBeGreaterThan(20)
  const code =
    "export const NEW = failureOf('storage', { message: `The lamp of ${camera} is out. Change it.` })"
  const found = stationTextsOf(sourceOf('src-main/station/lamp.ts', code))
  expect(found.filter(isShown).map(({ text }) => text)).toEqual(['The lamp of {{1}} is out. Change it.'])
})

test('no reason outlives its text', () => {
  const outlived = NOT_SHOWN.filter(([which]) => !TEXTS.some((found) => isNamed(which, found)))
  expect(outlived).toEqual([])
})
