/** What words in one path say about the eye. Whole words only, so that no surname is read as an eye. Pure. */
import type { NameToken } from './name-tokens.ts'
import { tokensOf } from './name-tokens.ts'
import { isNameParticle } from './name-words.ts'
import type { EyeFinding, Stated } from './recognition.ts'

export type StatedEye = Extract<EyeFinding, { kind: 'stated' }>['eye']
export type EyeStatement = Stated<StatedEye>

/** The eyes that the words of a path state, each once per source. Single letters are not among them. */
export function eyeStatementsOf(relativePath: string): readonly EyeStatement[] {
  const { folders, stem } = splitPath(relativePath)
  const inFile = termsOf(stem, (tokens, index) => countsInFile(tokens, index))
  const inFolders = folders.flatMap((name) => termsOf(name, (tokens, index) => countsInFolder(tokens, index)))
  return [
    ...[...new Set(inFile)].map((value): EyeStatement => ({ value, source: 'fileName' })),
    ...[...new Set(inFolders)].map((value): EyeStatement => ({ value, source: 'folderName' })),
  ]
}

export function splitPath(relativePath: string): {
  readonly folders: readonly string[]
  readonly stem: string
} {
  const parts = relativePath.normalize('NFC').split('/')
  return { folders: parts.slice(0, -1), stem: (parts.at(-1) ?? '').replace(/\.[^.]*$/, '') }
}

function termsOf(
  name: string,
  counts: (tokens: readonly NameToken[], index: number) => boolean,
): StatedEye[] {
  const tokens = tokensOf(name)
  return tokens.flatMap((token, index) => (token.kind === 'eye' && counts(tokens, index) ? [token.eye] : []))
}

function countsInFile(tokens: readonly NameToken[], index: number): boolean {
  const token = tokens[index]
  if (token?.kind !== 'eye') return false
  const [before, after] = [tokens[index - 1], tokens[index + 1]]
  // Van Os, and a name between names.
  if (before?.kind === 'text' && isNameParticle(before.text)) return false
  if (before?.kind === 'text' && after?.kind === 'text') return false
  if (!token.isSurname) return true
  // Le Anh, Izquierdo_004512
  const isBesideName = before?.kind === 'text' || after?.kind === 'text'
  return !isBesideName && !tokens.slice(index + 1).some(({ kind }) => kind === 'number')
}

/** Folders carry the names of patients more than files do, so a word beside a name is one. */
function countsInFolder(tokens: readonly NameToken[], index: number): boolean {
  const token = tokens[index]
  if (token?.kind !== 'eye') return false
  const isBesideName = [tokens[index - 1], tokens[index + 1]].some((other) => other?.kind === 'text')
  if (!token.isSurname) return !isBesideName
  return tokens.every(({ kind }) => kind === 'eye' || kind === 'word' || kind === 'sequence')
}
