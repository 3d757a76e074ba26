/**
 * Single letters R and L (also r1, l2). One alone proves nothing: it may be an initial or a series. Where files of one
 * visit show both at the same position of their names, that position tells the eye.
 */
import { splitPath, type EyeStatement } from './eye-statements.ts'
import { tokensOf } from './name-tokens.ts'

type Letter = { readonly position: string; readonly statement: EyeStatement }

/** What letters state for each of these files of one visit. */
export function letterStatementsOf(
  fileNames: readonly string[],
): ReadonlyMap<string, readonly EyeStatement[]> {
  const lettersOf = new Map(fileNames.map((fileName) => [fileName, lettersIn(fileName)]))
  const eyesAt = new Map<string, Set<string>>()
  for (const { position, statement } of [...lettersOf.values()].flat()) {
    eyesAt.set(position, (eyesAt.get(position) ?? new Set()).add(statement.value))
  }
  const isTelling = ({ position }: Letter): boolean => eyesAt.get(position)?.size === 2
  return new Map(
    [...lettersOf].map(([fileName, letters]) => [
      fileName,
      letters.filter(isTelling).map((letter) => letter.statement),
    ]),
  )
}

function lettersIn(fileName: string): Letter[] {
  const { folders, stem } = splitPath(fileName)
  const tokens = tokensOf(stem)
  // Of a stereo pair, the letters are the views of one eye.
  if (tokens.some((token) => token.text.toLowerCase() === 'stereo')) return []
  const inFile = tokens.flatMap((token, index): Letter[] =>
    token.kind === 'letter'
      ? [{ position: `file ${index}`, statement: { value: token.eye, source: 'fileName' } }]
      : [],
  )
  const inFolders = folders.flatMap((name, depth): Letter[] => {
    const [token, ...others] = tokensOf(name)
    if (token?.kind !== 'letter' || others.length > 0) return []
    return [{ position: `folder ${depth}`, statement: { value: token.eye, source: 'folderName' } }]
  })
  return [...inFile, ...inFolders]
}
