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
  const all = sourcesIn('src-shared', 'src-main/station').flatMap(stationTextsOf)
  return [...new Map(all.map((found) => [found.text, found])).values()]
}

/** Sources of which no text reaches a screen. */
const NOT_SHOWN_OF: Readonly<Record<string, string>> = {
  'src-shared/profile.ts': 'titles of shipped profiles; the screens have them by id',
  'src-main/station/settings/config-file.ts': 'said by the host before there are screens',
  'src-main/station/outbox/migrations/migrate.ts': 'said before there are screens, or for the log',
  'src-main/station/calls/diagnostics.ts': 'the text for whoever helps, in English for all of them',
  'src-main/station/calls/redact.ts': 'the text for whoever helps, in English for all of them',
  'src-main/station/intake/names/names.ts': 'words that are looked for in names',
  'src-main/station/intake/data-files/names.ts': 'words that are looked for in headings',
  'src-main/station/lib/case-ids.ts': 'names that are looked for in answers',
  'src-main/station/intake/data-files/documents.ts': 'words that are looked for in data files',
  'src-main/station/service/reports.ts': 'words that are looked for in answers',
  'src-main/station/service/cases.ts': 'names that are looked for in answers',
  'src-main/station/lib/files.ts': 'an error that is known by its code; the screens are told by its readers',
  'src-main/station/intake/file-structure.ts': 'an error of the program',
  'src-main/station/intake/images/bmp.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/images/jpeg.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/images/png.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/images/tiff.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/dicom/kind.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/dicom/values.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/dicom/dicom.ts': 'why, for the log; the screens are told by note-texts.ts',
  'src-main/station/intake/zip.ts': 'why, for the log; the screens are told by list-zip.ts',
  'src-main/station/intake/evidence.ts': 'a position, compared and not shown',
  'src-main/station/outbox/transitions.ts': 'an error of the program, and columns of the outbox',
  'src-main/station/outbox/open-outbox.ts': 'for SQLite',
  'src-main/station/json-columns.ts': 'an error of the program, and for SQLite',
  'src-main/station/outbox/images.ts': 'for SQLite',
  'src-main/station/settings/enrolment.ts': 'for the log; the screens are told by managed-files.tsx',
  'src-main/station/ports.ts': 'an error; the screens are told by take-token.ts and settings-store.ts',
  'src-main/station/service/post-case.ts': 'for the log; the screens are told by the kind of the failure',
  'src-main/station/service/http.ts': 'for the log; the screens are told by failure-from-error.ts',
}

const NAME_OF_LOOP = 'the name of a loop, for the log'
const FORM = 'what a form had to be, told in brackets to whoever wrote the request'

/** Single texts. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  'visual acuity': 'a name in English; the screens have names of their own',
  'patient list': 'a name in English; the screens have names of their own',
  'The same word stands for the right and for the left eye.': 'told by the form of the profile',
  'No image of {{1}}: {{2}}': 'for the service',
  'Belonged to another case when the outbox was lost; look where it belongs.': 'told by the board of images',
  "s.state = 'unconfirmed'": 'for SQLite',
  'the station, by waiting': 'who mends it, compared and not shown',
  'a person here': 'who mends it, compared and not shown',
  'the service': 'who mends it, compared and not shown',
  'a real date as YYYY-MM-DD': FORM,
  'small letters, digits and dashes': FORM,
  'a reference such as FC7K3M9QXAW': FORM,
  'an https address such as https://service.example/api (http only on this machine)': FORM,
  'following up': NAME_OF_LOOP,
  'watching the disk': NAME_OF_LOOP,
  'closing cases': NAME_OF_LOOP,
  'keeping manifests': NAME_OF_LOOP,
  'copying reports': NAME_OF_LOOP,
  'asking for reports': NAME_OF_LOOP,
  'removing old images': NAME_OF_LOOP,
  'a person stopped the transfer': 'for the log',
  'an image in the spool is not what it was': 'for the log',
  'an attempt stopped unexpectedly': 'for the log',
  'an attempt could not be read at the end': 'for the log',
  'the end of an attempt stopped unexpectedly': 'for the log',
  'an attempt that stopped could not be ended': 'for the log',
  'The file was not spooled: {{1}}.': 'for the log; the screens are told by the trouble itself',
  'The outbox is not written any more.': 'an error of the program; the screens are told by keep-storage.ts',
  'part {{1}}': 'a key, not shown',
  'SQLite format 3': 'for SQLite',
  'first_version_at IS NOT NULL AND read_at IS NULL': 'for SQLite',
  'Bearer {{1}}': 'for the service',
  '{{1}} AND (? OR submissions.center_id IS ?)': 'for SQLite',
}

const TEXTS = allStationTexts()

function isShown({ path, text }: StationText): boolean {
  // Paths of files in the profiles that are shipped, shown as they are.
  const isPath = /^\S+\/.*\.(jpg|dcm|png|tif)$/.test(text)
  return !isPath && !(path in NOT_SHOWN_OF) && !(text in NOT_SHOWN)
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
  const texts = new Set(TEXTS.map(({ text }) => text))
  expect(Object.keys(NOT_SHOWN).filter((text) => !texts.has(text))).toEqual([])
  const paths = new Set(TEXTS.map(({ path }) => path))
  expect(Object.keys(NOT_SHOWN_OF).filter((path) => !paths.has(path))).toEqual([])
})
