import type { Eye } from '../../../src-shared/eye.ts'
import { letterStatementsOf } from './eye-letters.ts'
import { eyeStatementsOf, type EyeStatement } from './eye-statements.ts'
import type { EyeFinding } from './recognition.ts'

/**
 * The eye of each image of one visit.
 *
 * `fileNames` are paths inside the watched folder, all of one group. `sidecarEyes` is what the sidecar beside them
 * says, by the name of a file or by its path from the sidecar on. Sources are the sidecar, whole words in the name of
 * the file, whole words in the names of its folders, and, where no file of the visit has such a word, the letters R
 * and L under the rule of `eye-letters.ts`. Sources that disagree are a conflict, with all of them. Nothing else gives
 * an eye: not the order, not the number of images, not what the other eye already has.
 */
export function eyesOf(
  fileNames: readonly string[],
  sidecarEyes: Readonly<Record<string, Eye>>,
): ReadonlyMap<string, EyeFinding> {
  const words = new Map(fileNames.map((fileName) => [fileName, eyeStatementsOf(fileName)]))
  const haveWords = [...words.values()].some((statements) => statements.length > 0)
  const letters = haveWords ? new Map<string, readonly EyeStatement[]>() : letterStatementsOf(fileNames)
  const sidecar = sidecarStatementsOf(fileNames, sidecarEyes)
  return new Map(
    fileNames.map((fileName) => [
      fileName,
      findingOf([sidecar, words, letters].flatMap((source) => source.get(fileName) ?? [])),
    ]),
  )
}

/** The first statement gives the source where all agree. */
function findingOf(statements: readonly EyeStatement[]): EyeFinding {
  const [first] = statements
  if (first === undefined) return { kind: 'unknown' }
  if (statements.some((other) => other.value !== first.value)) return { kind: 'conflict', statements }
  return { kind: 'stated', eye: first.value, source: first.source }
}

/** What the sidecar says of each file. A plain name that several files bear says nothing of any of them. */
function sidecarStatementsOf(
  fileNames: readonly string[],
  sidecarEyes: Readonly<Record<string, Eye>>,
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

/** Names that a person typed: to the letter first, then without regard to case and Unicode form. */
function filesMeantBy(name: string, fileNames: readonly string[]): readonly string[] {
  const exact = fileNames.filter((fileName) => endsInPath(fileName, name))
  if (exact.length > 0) return exact
  return fileNames.filter((fileName) => endsInPath(folded(fileName), folded(name)))
}

function endsInPath(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`)
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
