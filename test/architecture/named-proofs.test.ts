import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const PROJECT = resolve(import.meta.dirname, '../..')
const linesOf = (document: string): string[] => readFileSync(join(PROJECT, document), 'utf8').split('\n')

/** The rows of all tables of a document, without their heads. */
const rowsOf = (document: string): string[] =>
  linesOf(document).filter((line, index, lines) => {
    const isHead = lines[index + 1]?.startsWith('| -') ?? false
    return line.startsWith('| ') && !line.startsWith('| -') && !isHead
  })

type Proof = { readonly file: string; readonly tests: readonly string[] }

/** A path in backticks: in one of our folders, or a file of the root with an extension; then names of tests in it. */
const PROOF =
  /`((?:\.github|assets|docs|src-main|src-renderer|src-shared|test|tools)\/[\w./-]+|[\w.-]+\.(?:ya?ml|json|ts|md))`((?:,? "[^"]+")*)/g

function proofsIn(text: string): Proof[] {
  return [...text.matchAll(PROOF)].map(([, file = '', tests = '']) => ({
    file,
    tests: [...tests.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
  }))
}

/** What is named and does not exist, one line each. */
function missingProofs(folder: string, proofs: readonly Proof[]): string[] {
  return proofs.flatMap(({ file, tests }) => {
    const path = join(folder, file)
    if (!existsSync(path)) return [`there is no ${file}`]
    if (tests.length === 0) return []
    const text = readFileSync(path, 'utf8')
    return tests.filter((name) => !text.includes(name)).map((name) => `${file} has no test "${name}"`)
  })
}

describe('a document that names its proofs', () => {
  it.each(['docs/security.md', 'docs/desktop-mistakes.md'])('%s names only what exists', (document) => {
    expect(missingProofs(PROJECT, proofsIn(linesOf(document).join('\n')))).toEqual([])
  })

  it('docs/desktop-mistakes.md has a line for each of the 36, and each line names what keeps it away', () => {
    const rows = rowsOf('docs/desktop-mistakes.md')
    expect(rows.map((row) => Number(row.split('|')[1]))).toEqual(
      Array.from({ length: 36 }, (_, index) => index + 1),
    )
    expect(rows.filter((row) => proofsIn(row).length === 0)).toEqual([])
  })

  it('docs/security.md names the code and a test for each threat', () => {
    const rows = rowsOf('docs/security.md')
    expect(rows.length).toBeGreaterThan(15)
    for (const row of rows) {
      const files = proofsIn(row).map(({ file }) => file)
      expect([row, files.some((file) => !file.startsWith('test/'))]).toEqual([row, true])
      expect([row, files.some((file) => file.startsWith('test/'))]).toEqual([row, true])
    }
  })
})

/** The paths of code that a line names in backticks and that do not exist; in a row of folders, names are below them. */
function missingPathsIn(line: string): string[] {
  const namesIn = (text: string): string[] =>
    [...text.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, name = '']) => name)
  const folders = ['', ...namesIn(line.split('|')[1] ?? '').filter((name) => name.endsWith('/'))]
  return namesIn(line).filter((name) => !folders.some((folder) => existsSync(join(PROJECT, folder, name))))
}

describe('a document about the code', () => {
  const decisions = readdirSync(join(PROJECT, 'docs/decisions')).map((name) => `docs/decisions/${name}`)

  it.each(['docs/architecture.md', ...decisions])('%s names only paths that exist', (document) => {
    expect(linesOf(document).flatMap(missingPathsIn)).toEqual([])
  })

  it('each decision has a number of its own', () => {
    const numbers = decisions.map((document) => document.slice('docs/decisions/'.length).slice(0, 4))
    expect(new Set(numbers).size).toBe(numbers.length)
    for (const [index, document] of decisions.entries())
      expect(linesOf(document)[0]).toMatch(new RegExp(`^# ${numbers[index]} `))
  })
})
