import { describe, expect, it } from 'vitest'
import { partsOf, piecesOf } from '../../tools/code-text.ts'
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
    const files = [
      file('src-main/a.ts', lines(401)),
      file('src-main/b.ts', lines(400)),
      file('test/c.test.ts', lines(900)),
    ]
    expect(paths(tooLong(files))).toEqual(['src-main/a.ts'])
    expect(tooLong(files)[0]?.advice).toContain('second concept')
  })

  it('refuse a folder of more than 30 files, and count no folder below it', () => {
    const full = Array.from({ length: 30 }, (_, index) => file(`src-main/full/f${index}.ts`))
    const below = file('src-main/full/below/one.ts')
    expect(crowdedFolders([...full, below])).toEqual([])
    expect(paths(crowdedFolders([...full, below, file('src-main/full/one-more.tsx')]))).toEqual([
      'src-main/full',
    ])
  })

  it('refuse a small file that only one neighbour imports', () => {
    const helper = file('src-main/part/helper.ts', lines(60))
    const owner = file('src-main/part/owner.ts', "import { a } from './helper.ts'\n")
    expect(paths(privateHelpers([helper, owner]))).toEqual(['src-main/part/helper.ts'])
    expect(privateHelpers([helper, owner])[0]?.advice).toContain('owner.ts')
  })

  it.each<[string, readonly HouseFile[]]>([
    ['is larger', [file('src-a/p/h.ts', lines(61)), file('src-a/p/o.ts', "import './h.ts'")]],
    [
      'has a caller elsewhere',
      [file('src-a/p/h.ts'), file('src-a/q/o.ts', "import type { A } from '../p/h.ts'")],
    ],
    [
      'has two callers',
      [
        file('src-a/p/h.ts'),
        file('src-a/p/o.ts', "import './h.ts'"),
        file('src-a/q/r.ts', "import '../p/h.ts'"),
      ],
    ],
    [
      'is the entry of a worker',
      [file('src-a/p/photo-worker.ts'), file('src-a/p/o.ts', "import './photo-worker.ts'")],
    ],
  ])('allow a small file that %s', (_, files) => {
    expect(privateHelpers(files)).toEqual([])
  })

  it('count no test among the callers of a helper', () => {
    const files = [
      file('src-a/p/h.ts'),
      file('src-a/p/o.ts', "import './h.ts'"),
      file('test/src-a/p/h.test.ts', "import '../../../src-a/p/h.ts'"),
    ]
    expect(paths(privateHelpers(files))).toEqual(['src-a/p/h.ts'])
  })

  it('count a dynamic import', () => {
    const files = [file('src-a/p/h.ts'), file('src-a/p/o.ts', "const load = () => import('./h.ts')")]
    expect(paths(privateHelpers(files))).toEqual(['src-a/p/h.ts'])
  })
})

describe('forbidden words', () => {
  const terms: ForbiddenTerm[] = [
    { term: 'tell', forms: ['tell', 'told'], in: ['names', 'comments', 'documents'], use: 'emit' },
    { term: 'lay-over', in: ['names'], use: 'mergeLayers' },
    {
      term: 'look',
      in: ['names'],
      use: 'lookup',
      meaning: 'ask the list',
      exempt: { lookSeconds: 'a setting' },
    },
  ]
  const uses = (path: string, text: string): string[] =>
    forbiddenUses([file(path, text)], terms).map(
      ({ term, finding }) => `${term}${finding.line === undefined ? '' : `:${finding.line}`}`,
    )

  it.each([
    ['a part of a name', 'const tellSoon = 1', ['tell:1']],
    ['a name in constant case', 'const TOLD_AT = 1', ['tell:1']],
    ['the second line', '\nfunction notTold() {}', ['tell:2']],
    ['parts that follow one another', 'layOver(settings)', ['lay-over:1']],
    ['a comment', '// It tells nothing of what was told.', ['tell:1']],
    ['a comment in a block', '/**\n * told\n */', ['tell:1']],
    ['a name inside of a template', 'const text = `a ${tell} b`', ['tell:1']],
  ])('are found in %s', (_, code, expected) => {
    expect(uses('src-a/clean.ts', code)).toEqual(expected)
  })

  it.each([
    ['a longer word', 'const storyteller = teller'],
    ['a text', "const message = 'Told you'"],
    ['an exempt name', 'const lookSeconds = 2'],
    ['backticks in a comment', '// The column `told_at` stays.'],
    ['a regular expression', 'const pattern = /tell/u'],
  ])('are not found in %s', (_, code) => {
    expect(uses('src-a/clean.ts', code)).toEqual([])
  })

  it.each([
    ['src-a/tell-progress.ts', ['tell']],
    ['test/a/tell-progress.test.ts', ['tell']],
    ['test/tools/lay-over.mjs', ['lay-over']],
    ['test/told/by/a.ts', ['tell']],
    ['src-a/told/a.ts', []],
    ['test/a/told.json', []],
  ])('are found in names of files, and of folders in test/: %s', (path, expected) => {
    expect(uses(path, '')).toEqual(expected)
  })

  it('are found in documents', () => {
    expect(uses('docs/guide.md', 'First.\nIt is told.')).toEqual(['tell:2'])
  })

  it.each([
    ['src-a/clean.ts', 'look()', '"look": not "look" in the meaning "ask the list", but lookup'],
    ['test/a/looks/look.ts', '', 'rename it: not "look" in the meaning "ask the list", but lookup'],
  ])('come with what to do: %s', (path, code, advice) => {
    expect(forbiddenUses([file(path, code)], terms)[0]?.finding.advice).toBe(advice)
  })
})

describe('the text of code', () => {
  it('is parted into names, comments and texts', () => {
    const code = "const a = 'b' // c\nconst d = `e ${f} g` /* h */\n"
    expect(piecesOf(code).map(({ kind, value }) => [kind, value.trim()])).toEqual([
      ['name', 'const'],
      ['name', 'a'],
      ['text', 'b'],
      ['comment', 'c'],
      ['name', 'const'],
      ['name', 'd'],
      ['text', 'e'],
      ['name', 'f'],
      ['text', 'g'],
      ['comment', 'h'],
    ])
  })

  it.each([
    ['camelCase', ['camel', 'case']],
    ['HTTPServer', ['http', 'server']],
    ['kebab-case', ['kebab', 'case']],
    ['CONSTANT_CASE', ['constant', 'case']],
    ['#private9', ['private9']],
  ])('has names of parts: %s', (name, parts) => {
    expect(partsOf(name)).toEqual(parts)
  })
})
