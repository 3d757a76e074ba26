/** The eye of each picture of a visit, from every source that states one. Pure. */
import type { Eye } from '../../../src-shared/measurement-ranges.ts'
import {
  type ContentFacts,
  type EyeFinding,
  type EyeStatement,
  eyeStatementsOf,
  splitPath,
} from './evidence.ts'
import type { PathReading } from './names/group.ts'
import { tokensOf } from './names/names.ts'
import { foldPath } from './visits/twins.ts'

type Letter = { readonly position: string; readonly statement: EyeStatement }

/**
 * The statements of the letters R and L (also r1, l2) for each file of one visit. A single one proves nothing: it may
 * be an initial or a series. If files of one visit show both at the same position of their names, that position
 * states the eye.
 */
function letterStatementsOf(fileNames: readonly string[]): ReadonlyMap<string, readonly EyeStatement[]> {
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
  // In a stereo pair, the letters are the two views of one eye.
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

/** One picture and the evidence of its eye. `names` are the paths of its files inside the watched folder. */
export type EyeEvidence = {
  readonly id: string
  readonly names: readonly string[]
  readonly paths: readonly Pick<PathReading, 'eye'>[]
  readonly facts: readonly Pick<ContentFacts, 'eye'>[]
}

type SidecarEyes = Readonly<Record<string, Eye>>

/**
 * The eye of each picture of one visit, by its id.
 *
 * `sidecarEyes` are the statements of the visit's data files, by file name or path relative to the data file. The
 * sources are data files, the image's attributes, whole words in the names of files and folders (or the position that
 * a pattern assigns to the eye), and, if no name of the visit has such a word, the letters R and L under the rule
 * above. Disagreeing sources are a conflict, with all of them. Nothing else determines an eye: not the order, not the
 * number of images, not the other eye.
 */
export function eyesOf(
  pictures: readonly EyeEvidence[],
  sidecarEyes: readonly SidecarEyes[],
): ReadonlyMap<string, EyeFinding> {
  const fileNames = pictures.flatMap((picture) => picture.names)
  const words = new Map(fileNames.map((fileName) => [fileName, eyeStatementsOf(fileName)]))
  const haveWords = [...words.values()].some((statements) => statements.length > 0)
  const letters = haveWords ? new Map<string, readonly EyeStatement[]>() : letterStatementsOf(fileNames)
  const sidecars = sidecarEyes.map((eyes) => sidecarStatementsOf(fileNames, eyes))
  return new Map(
    pictures.map((picture) => {
      const byName = picture.names.flatMap((fileName, index): readonly EyeStatement[] => {
        const inPath = picture.paths[index]?.eye
        if (inPath?.kind === 'byPattern') return inPath.eye === null ? [] : [inPath.eye]
        return [words, letters].flatMap((source) => source.get(fileName) ?? [])
      })
      const bySidecar = picture.names.flatMap((fileName) =>
        sidecars.flatMap((statements) => statements.get(fileName) ?? []),
      )
      const byImage = picture.facts.flatMap(({ eye }): EyeStatement[] =>
        eye === null ? [] : [{ value: eye, source: 'dicom' }],
      )
      return [picture.id, findingOf([...bySidecar, ...byImage, ...byName])]
    }),
  )
}

/** The first statement gives the source if all agree. */
function findingOf(all: readonly EyeStatement[]): EyeFinding {
  const statements = all.filter(
    (one, index) =>
      all.findIndex((other) => other.value === one.value && other.source === one.source) === index,
  )
  const [first] = statements
  if (first === undefined) return { kind: 'unknown' }
  if (statements.some((other) => other.value !== first.value)) return { kind: 'conflict', statements }
  return { kind: 'stated', eye: first.value, source: first.source }
}

/** The statements of a data file for each image file. A plain name that several files share states nothing. */
export function sidecarStatementsOf(
  fileNames: readonly string[],
  sidecarEyes: SidecarEyes,
): ReadonlyMap<string, readonly EyeStatement[]> {
  const statements = new Map<string, EyeStatement[]>()
  for (const [name, eye] of Object.entries(sidecarEyes)) {
    if (eye === 'unknown') continue
    const meant = filesMeantBy(name, fileNames)
    const [fileName] = meant
    if (fileName === undefined || meant.length > 1) continue
    statements.set(fileName, [...(statements.get(fileName) ?? []), { value: eye, source: 'sidecar' }])
  }
  return statements
}

/** Names typed by a person: exact matches first, then ignoring case and Unicode form. */
function filesMeantBy(name: string, fileNames: readonly string[]): readonly string[] {
  const exact = fileNames.filter((fileName) => endsInPath(fileName, name))
  if (exact.length > 0) return exact
  return fileNames.filter((fileName) => endsInPath(foldPath(fileName), foldPath(name)))
}

function endsInPath(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`)
}
