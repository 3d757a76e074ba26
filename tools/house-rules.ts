/** The rules of the house as pure functions over its files: sizes, helpers, folders and words. */
import { posix } from 'node:path'
import { partsOf, piecesOf } from './code-text.ts'

/** A file by its path in the project, with slashes. */
export type HouseFile = { readonly path: string; readonly text: string }

/** A broken rule: where, and what to do. */
export type Finding = { readonly path: string; readonly line?: number; readonly advice: string }

/** Longer than this, and it holds more than one concept. */
const MAX_LINES = 400
/** A helper of one neighbour up to this length belongs into the neighbour. */
const MAX_HELPER_LINES = 60
const MAX_FOLDER_FILES = 30

/** Files that act when they are imported, or are bundles of their own: they stay small and apart. */
const ENTRIES = /(?:^|\/)(?:main|preload|[a-z-]*worker)\.tsx?$/

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g

export function isSource({ path }: HouseFile): boolean {
  return /^src-[a-z]+\/.*\.tsx?$/.test(path)
}

/** How many lines a file has; a last newline begins none. */
export function linesOf({ text }: HouseFile): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

export function tooLong(files: readonly HouseFile[]): Finding[] {
  return files
    .filter((file) => isSource(file) && linesOf(file) > MAX_LINES)
    .map((file) => ({
      path: file.path,
      advice: `has ${linesOf(file)} lines, over ${MAX_LINES}: find the second concept in it and give it a file of its own`,
    }))
}

export function crowdedFolders(files: readonly HouseFile[]): Finding[] {
  const counts = new Map<string, number>()
  for (const { path } of files.filter(isSource)) {
    const folder = posix.dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FOLDER_FILES)
    .map(([path, count]) => ({
      path,
      advice: `holds ${count} files, over ${MAX_FOLDER_FILES}: join files of one concept, or part the folder by subject`,
    }))
}

/** Small files with a single importer, in the same folder: each belongs into that importer. Tests do not count. */
export function privateHelpers(files: readonly HouseFile[]): Finding[] {
  const sources = files.filter(isSource)
  const importers = new Map<string, Set<string>>()
  for (const { path, text } of sources)
    for (const [, target] of text.matchAll(IMPORT)) {
      const imported = posix.join(posix.dirname(path), target ?? '')
      importers.set(imported, (importers.get(imported) ?? new Set()).add(path))
    }
  return sources.flatMap((file) => {
    const [only, ...others] = importers.get(file.path) ?? []
    const isHelper =
      only !== undefined &&
      others.length === 0 &&
      posix.dirname(only) === posix.dirname(file.path) &&
      linesOf(file) <= MAX_HELPER_LINES &&
      !ENTRIES.test(file.path)
    return isHelper
      ? [{ path: file.path, advice: `only ${posix.basename(only)} uses it: move it in there` }]
      : []
  })
}

/** `texts`: strings of the source, and the English texts, of which `screens` are the values alone. */
type Prose = 'comments' | 'documents' | 'texts' | 'screens'
type Scope = 'names' | Prose

/** A term that the project does not use, as `tools/forbidden-words.json` lists it. */
export type ForbiddenTerm = {
  readonly term: string
  /** Spellings; parts of a name are joined with hyphens. Without it the term itself. */
  readonly forms?: readonly string[]
  readonly in: readonly Scope[]
  readonly use: string
  /** The meaning that is forbidden, if the word is plain English elsewhere. */
  readonly meaning?: string
  /** Names and phrases that stay: stored, on the wire or in the contract; each with its reason. */
  readonly exempt?: Readonly<Record<string, string>>
}

type Use = { readonly term: string; readonly finding: Finding }

const CODE = /\.(?:tsx?|mjs)$/
const MIGRATION = /\/migrations\//

/**
 * Every use of a forbidden term in names, comments, texts, documents, the names of files, and the names of folders in
 * `test/`: those of the source are the parts of the program, named in its documents. A text is a quoted string of
 * several words, or a line of the English texts; migrations are frozen and keep theirs.
 */
export function forbiddenUses(files: readonly HouseFile[], terms: readonly ForbiddenTerm[]): Use[] {
  const matchers = terms.map(matcherOf)
  const found: Use[] = []
  const report = (
    { term: { term, use, meaning } }: Matcher,
    path: string,
    text: string,
    line?: number,
  ): void => {
    const because = meaning === undefined ? '' : ` in the meaning "${meaning}"`
    const doThis =
      line === undefined ? `rename it: not "${term}"${because}` : `"${text}": not "${term}"${because}`
    const advice = `${doThis}, but ${use}`
    found.push({ term, finding: { path, advice, ...(line !== undefined && { line }) } })
  }
  const reportName = (path: string): void => {
    const name = posix.basename(path).replace(/\..*$/, '')
    for (const matcher of matchers) if (matcher.isInName(name)) report(matcher, path, name)
  }
  for (const folder of testFolders(files)) reportName(folder)
  for (const { path, text } of files) {
    if (CODE.test(path)) {
      reportName(path)
      const seen = new Set<string>()
      for (const { kind, value, line } of piecesOf(text)) {
        if (kind === 'text' && (MIGRATION.test(path) || !/\S\s\S/.test(value))) continue
        for (const matcher of matchers)
          if (kind !== 'name')
            for (const match of matcher.inProse(value, kind === 'text' ? 'texts' : 'comments'))
              report(matcher, path, match, line)
          else if (!seen.has(value) && matcher.isInName(value)) report(matcher, path, value, line)
        if (kind === 'name') seen.add(value)
      }
    } else
      for (const [index, line] of text.split('\n').entries())
        for (const matcher of matchers)
          for (const match of path.endsWith('.md')
            ? matcher.inProse(line, 'documents')
            : [...matcher.inProse(line, 'texts'), ...matcher.inProse(textOf(line), 'screens')])
            report(matcher, path, match, index + 1)
  }
  return found
}

/** The text of a line of JSON, without the names of its parameters; empty if it has none. */
function textOf(line: string): string {
  return (/": "(.*)",?$/.exec(line)?.[1] ?? '').replaceAll(/\{\{\w+\}\}/g, '…')
}

/** How many words the English texts have, a parameter counted as one. */
export function englishLength(files: readonly HouseFile[]): number {
  const lines = files.filter(({ path }) => path.endsWith('.json')).flatMap(({ text }) => text.split('\n'))
  return lines.reduce((sum, line) => sum + textOf(line).split(/\s+/).filter(Boolean).length, 0)
}

/** The folders below `test/` that hold files, each once, with those around them. */
function testFolders(files: readonly HouseFile[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const { path } of files)
    for (let folder = posix.dirname(path); folder.startsWith('test/'); folder = posix.dirname(folder))
      folders.add(folder)
  return folders
}

/** Names come back in many files, and each is asked of every term. */
const spacedNames = new Map<string, string>()

function spaced(name: string): string {
  const known = spacedNames.get(name) ?? ` ${partsOf(name).join(' ')} `
  spacedNames.set(name, known)
  return known
}

type Matcher = {
  readonly term: ForbiddenTerm
  isInName(name: string): boolean
  inProse(text: string, scope: Prose): string[]
}

function matcherOf(term: ForbiddenTerm): Matcher {
  const forms = term.forms ?? [term.term]
  const sequences = forms.map(spaced)
  const prose = new RegExp(`\\b(?:${forms.map((form) => form.replaceAll('-', '[ -]')).join('|')})\\b`, 'gi')
  const exempt = new Set(Object.keys(term.exempt ?? {}))
  return {
    term,
    isInName: (name) => {
      if (!term.in.includes('names') || exempt.has(name)) return false
      return sequences.some((sequence) => spaced(name).includes(sequence))
    },
    // Text in backticks is a name of the code, of a setting or of something stored.
    inProse: (text, scope) => {
      if (!term.in.includes(scope)) return []
      const allowed = [...exempt].reduce((rest, phrase) => rest.replaceAll(phrase, ''), text)
      return allowed.replaceAll(/`[^`]*`/g, '').match(prose) ?? []
    },
  }
}
