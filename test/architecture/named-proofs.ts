/** Reads which files and tests a document names as its proof: `path/of/a-file.ts` "name of a test in it". */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Proof = { readonly file: string; readonly tests: readonly string[] }

/** What in backticks is a path: in one of the folders of the house, or a file of the root with an ending. */
const PROOF =
  /`((?:\.github|assets|docs|src-main|src-renderer|src-shared|test|tools)\/[\w./-]+|[\w.-]+\.(?:ya?ml|json|ts|md))`((?:,? "[^"]+")*)/g

export function proofsIn(text: string): Proof[] {
  return [...text.matchAll(PROOF)].map(([, file = '', tests = '']) => ({
    file,
    tests: [...tests.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
  }))
}

/** What is named and is not there, one line for each. */
export function missingProofs(folder: string, proofs: readonly Proof[]): string[] {
  return proofs.flatMap(({ file, tests }) => {
    const path = join(folder, file)
    if (!existsSync(path)) return [`there is no ${file}`]
    if (tests.length === 0) return []
    const text = readFileSync(path, 'utf8')
    return tests.filter((name) => !text.includes(name)).map((name) => `${file} has no test "${name}"`)
  })
}
