import { describe, expect, it } from 'vitest'
import {
  crowdedFolders,
  forbiddenUses,
  privateHelpers,
  tooLong,
  type ForbiddenTerm,
  type HouseFile,
} from '../../tools/house-rules.ts'

const file = (path: string, text = ''): HouseFile => ({ path, text })
const lines = (count: number): string => 'const a = 1\n'.repeat(count)
const paths = (findings: readonly { readonly path: string }[]): string[] => findings.map(({ path }) => path)

describe('the rules of the house', () => {
  it('refuse a source file over 400 lines, and no test', () => {
    const files = ['src-main/a.ts', 'test/c.test.ts'].map((path) => file(path, lines(401)))
    expect(paths(tooLong([...files, file('src-main/b.ts', lines(400))]))).toEqual(['src-main/a.ts'])
  })

  it('refuse a folder of more than 30 files, and count no folder below it', () => {
    const full = Array.from({ length: 30 }, (_, index) => file(`src-main/full/f${index}.ts`))
    const files = [...full, file('src-main/full/below/one.ts')]
    expect(crowdedFolders(files)).toEqual([])
    expect(paths(crowdedFolders([...files, file('src-main/full/more.tsx')]))).toEqual(['src-main/full'])
  })

  const OWNER = file('src-a/p/o.ts', "import { a } from './h.ts'")
  const HELPER = file('src-a/p/h.ts', lines(60))
  it.each<[string, readonly HouseFile[], boolean]>([
    ['has one caller', [HELPER, OWNER], true],
    ['is imported by one when needed', [HELPER, file('src-a/p/o.ts', "() => import('./h.ts')")], true],
    ['has a test beside it', [HELPER, OWNER, file('test/h.test.ts', "import '../src-a/p/h.ts'")], true],
    ['is larger', [file('src-a/p/h.ts', lines(61)), OWNER], false],
    ['has a caller elsewhere', [HELPER, file('src-a/q/o.ts', "import type { A } from '../p/h.ts'")], false],
    ['has two callers', [HELPER, OWNER, file('src-a/q/r.ts', "import '../p/h.ts'")], false],
    ['is a worker', [file('src-a/p/w-worker.ts'), file('src-a/p/o.ts', "import './w-worker.ts'")], false],
  ])('about a small file that %s', (_, files, isRefused) => {
    expect(paths(privateHelpers(files))).toEqual(isRefused ? ['src-a/p/h.ts'] : [])
  })
})

describe('forbidden words', () => {
  const terms: ForbiddenTerm[] = [
    { term: 'tell', forms: ['tell', 'told'], in: ['names', 'comments', 'documents'], use: 'emit' },
    { term: 'lay-over', in: ['names'], use: 'mergeLayers' },
    { term: 'look', in: ['names'], use: 'lookup', meaning: 'ask', exempt: { lookSeconds: 'a setting' } },
  ]

  it.each([
    ['a part of a name', 'src-a/a.ts', 'const tellSoon = 1', 'tell:1'],
    ['a name in constant case', 'src-a/a.ts', 'const TOLD_AT = 1', 'tell:1'],
    ['the second line', 'src-a/a.ts', '\nfunction notTold() {}', 'tell:2'],
    ['parts that follow one another', 'src-a/a.ts', 'layOver(settings)', 'lay-over:1'],
    ['a comment', 'src-a/a.ts', '// It tells nothing of what was told.', 'tell:1'],
    ['a comment in a block', 'src-a/a.ts', '/**\n * told\n */', 'tell:1'],
    ['a name inside of a template', 'src-a/a.ts', 'const text = `a ${tell} b`', 'tell:1'],
    ['a document', 'docs/guide.md', 'First.\nIt is told.', 'tell:2'],
    ['the name of a file', 'src-a/tell-progress.ts', '', 'tell'],
    ['the name of a folder of tests', 'test/told/by/a.ts', '', 'tell'],
    ['no folder of sources', 'src-a/told/a.ts', '', ''],
    ['no longer word', 'src-a/a.ts', 'const storyteller = teller', ''],
    ['no text', 'src-a/a.ts', "const message = 'Told you'", ''],
    ['no exempt name', 'src-a/a.ts', 'const lookSeconds = 2', ''],
    ['no backticks in a comment', 'src-a/a.ts', '// The column `told_at` stays.', ''],
    ['no regular expression', 'src-a/a.ts', 'const pattern = /tell/u', ''],
  ])('are found in %s', (_, path, text, expected) => {
    const uses = forbiddenUses([file(path, text)], terms).map(({ term, finding }) =>
      finding.line === undefined ? term : `${term}:${finding.line}`,
    )
    expect(uses.join()).toBe(expected)
  })
})
